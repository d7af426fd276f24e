// AlphaMatrices: the matrix of Newton's method for one step of generalized-alpha (alpha_equations.hpp), however the problem keeps its matrices.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/sparse_directions.hpp>
#include <driftless/core/system.hpp>

namespace driftless::integrators {

// D where a step begins, kept in one of both ways.
struct PushDirections {
  Matrix whole;
  linalg::SparseRows rows;  // D^T
};

struct AlphaUnknowns {
  Vector a, lambda, kappa, nu;
};

inline bool imposes_both(const MechanicalSystem& system) {
  return system.imposed() == Imposed::both && system.problem().shape().ng > 0;
}

class AlphaMatrices {
 public:
  AlphaMatrices(MechanicalSystem& system, Parts parts_of_residual);
  virtual ~AlphaMatrices() = default;

  virtual Storage storage() const = 0;
  Parts parts_of_residual() const { return residual_parts_; }

  virtual Status directions(double t, VectorIn z, PushDirections& D) = 0;
  virtual void add_pushes(const PushDirections& D, VectorIn nu, VectorOut sum) const = 0;  // D nu
  // force -= M a + B lambda + K^T kappa
  virtual void subtract(const Evaluation& at, const AlphaUnknowns& x, VectorOut force) const = 0;
  // What stands in the residual in place of rows left out.
  virtual void replace_rows(const Evaluation& at, const AlphaUnknowns& x, VectorOut right,
                            VectorOut r_g) const = 0;
  // Of the multipliers of a step, where rows are left out, those of least norm.
  virtual void least_norm(const Evaluation& at, AlphaUnknowns& x) = 0;

  // Positions move from q by d to the place of the next linearize().
  virtual bool set_displacement(double t, VectorIn q, VectorIn d) = 0;
  virtual Status linearize(double t, VectorIn z, const AlphaUnknowns& x) = 0;
  virtual Status factor(double b1, double b2, const PushDirections& D) = 0;
  // right, by forces and rows, becomes the increments of a and of the multipliers; r_g becomes that of nu; q_increment = a + D nu.
  virtual void solve(VectorOut right, VectorOut r_g, VectorOut q_increment) = 0;
  virtual void pull(VectorIn multipliers, VectorOut forces) const = 0;  // B lambda + K^T kappa, as linearized
  // See AlphaEquations::smooth; keep: what values have across the constraints.
  virtual void smooth(VectorIn values, bool keep, VectorOut smoothed) = 0;

  virtual const std::vector<int>& left_out() const = 0;
  double mass(int i) const { return masses_(i); }  // of the diagonal

  // What a run that is taken up again needs beside the place of linearize(): D and what set_displacement() made.
  virtual std::vector<double> memory() const = 0;
  virtual std::size_t memory_size() const = 0;
  virtual void remember(const double* memory, PushDirections& D) = 0;

 protected:
  MechanicalSystem& system_;
  const Problem& problem_;
  const Shape& shape_;
  const bool both_;
  const Parts residual_parts_;
  Vector masses_;
};

std::unique_ptr<AlphaMatrices> whole_alpha_matrices(MechanicalSystem& system);
std::unique_ptr<AlphaMatrices> sparse_alpha_matrices(MechanicalSystem& system, SparseDirections* directions);
// `directions`: of the system, if it has any without zeros.
SparseDirections* sparse_directions_of(System& system);  // null: it has none
std::unique_ptr<AlphaMatrices> alpha_matrices(MechanicalSystem& system, SparseDirections* directions);

}  // namespace driftless::integrators
