// DirectionMap: the matrix D of stabilizing multipliers (driftless/formulations/directions.hpp) at a point, and the options that
// choose it on the command line.
#pragma once

#include <optional>
#include <string>

#include <driftless/core/method_options.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/formulations/directions.hpp>
#include <driftless/linalg/dense_lu.hpp>

namespace driftless::formulations {

std::vector<OptionSpec> direction_options();
Directions directions_of(const OptionValues& options);
// Why these directions do not fit a problem of that shape; nothing if they do. Names are checked by the constructor below.
std::optional<std::string> refuse_directions(const Directions& directions, const Shape& shape);

class DirectionMap {
 public:
  // Throws InputError where a coordinate is not known.
  DirectionMap(const Problem& problem, const Directions& directions);

  Parts parts() const;  // what has to be evaluated for compute()
  // D, nv rows and ng columns, from those parts. Fails where M is singular (input), and where G D of chosen directions is, or has
  // passed such a place since begin(): there the multipliers no longer bring x back, and a step may do anything.
  Status compute(double t, VectorIn z, const Evaluation& parts, MatrixOut D);
  // A step begins there: on this side of places where G D is singular it has to stay.
  void begin(double t, VectorIn z);
  bool lost() const { return lost_; }  // compute() failed for G D

  Status factor_mass(const Evaluation& parts);
  const Vector& metric() const { return metric_; }
  void divide_by_mass(MatrixOut columns);  // M^-1 times the columns, in place; after factor_mass()

 private:
  bool chosen() const { return directions_.given || directions_.kind == Direction::unit; }
  int side(const Matrix& G, MatrixIn D);  // sign of det(G D), 0 where it is singular

  const Problem& problem_;
  const Directions directions_;
  const Vector metric_;  // of transpose: D = diag(metric) G^T; empty: G^T (push_metric.hpp)
  linalg::DenseLu<double> GD_lu_;
  Matrix GD_, D_begin_;
  Evaluation begin_parts_;
  int side_ = 0;
  bool lost_ = false;
  std::vector<int> units_;
  linalg::SaddlePoint mass_;
  Matrix no_rows_;
  Vector column_, none_;
};

}  // namespace driftless::formulations
