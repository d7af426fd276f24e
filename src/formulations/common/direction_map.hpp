// DirectionMap: the matrix D of stabilizing multipliers (driftless/formulations/directions.hpp) at a point, and the options that
// choose it on the command line.
#pragma once

#include <optional>
#include <string>

#include <driftless/core/method_options.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/formulations/directions.hpp>

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
  // D, nv rows and ng columns, from those parts. Fails where M is singular (input).
  Status compute(double t, VectorIn z, const Evaluation& parts, MatrixOut D);
  // M^-1 times the columns, in place; after compute() with `input`, else with M factored here.
  Status divide_by_mass(const Evaluation& parts, MatrixOut columns);

 private:
  const Problem& problem_;
  const Directions directions_;
  std::vector<int> units_;
  linalg::SaddlePoint mass_;
  Matrix no_rows_;
  Vector column_, none_;
};

}  // namespace driftless::formulations
