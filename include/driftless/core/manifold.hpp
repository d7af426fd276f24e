// Manifold: where the exact motion lives,
//   h(t, z) = ( g, g', .., g^(m-1), w, chosen invariants less the values to keep ) = 0,
// and its Jacobian H along displacements (delta_0, .., delta_{m-1}) of the levels of z, x_0 moving along N
// delta_0. Since
//   d g^(j) / d x_i = binomial(j, i) L_{j-i}   (L_0 = G),
// H needs only G and L_1, .., L_{m-1}; for m = 2,  H = [[G, 0], [L, G]]. Time derivatives are contained in
// g', L, w. Shared by stabilizers, consistent_state, formulations that use h, and the singularity monitor.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

// Invariants that join h: the energy, and some of the problem's own by number.
struct Invariants {
  bool energy = false;
  std::vector<int> numbers = {};
  int count() const { return static_cast<int>(numbers.size()) + (energy ? 1 : 0); }
};

class Manifold {
 public:
  explicit Manifold(const Problem& problem, Invariants chosen = {}, Storage matrices = Storage::whole);

  const Problem& problem() const { return problem_; }
  const Shape& shape() const { return problem_.shape(); }
  Storage storage() const { return parts_.storage; }  // of matrices
  int constraint_rows() const { return shape().order * shape().ng + shape().nk; }
  int rows() const { return constraint_rows() + chosen_.count(); }  // of h
  bool empty() const { return rows() == 0; }

  // Takes the values of the chosen invariants there as those to keep (0 for those that are known to vanish).
  void anchor(double t, VectorIn z);
  void anchor(const std::vector<double>& values);  // those of an earlier anchored()
  std::vector<double> anchored() const { return {anchor_.begin(), anchor_.end()}; }
  // h alone; residual(j) is g^(j), velocity_residual() is w.
  Status evaluate(double t, VectorIn z);
  // h and the blocks of H.
  Status linearize(double t, VectorIn z);

  auto residual(int j) const { return h_.segment(j * shape().ng, shape().ng); }
  auto velocity_residual() const { return h_.segment(shape().order * shape().ng, shape().nk); }
  const Vector& h() const { return h_; }
  const Matrix& G() const { return parts_.G; }
  const Matrix& K() const { return parts_.K; }
  const Matrix& L(int j) const { return parts_.L[static_cast<std::size_t>(j - 1)]; }
  const Matrix& w_x() const { return parts_.w_x; }
  const Evaluation& parts() const { return parts_; }  // in place of these where matrices are sparse
  int invariants() const { return chosen_.count(); }
  // Of one of the chosen invariants, along displacements of all levels.
  void invariant_gradient(int i, double* gradient) const;

  // Chosen invariants that depend on constraints or on each other there, as "a depends on b". Cold.
  std::string dependent_invariants(double t, VectorIn z);

  void jacobian(MatrixOut H) const;  // assembled, rows() x order*nv; after linearize
  // Adds to z the displacement of all levels; z keeps what its coordinates must satisfy (unit quaternions).
  void displace(double t, VectorIn delta, VectorOut z);
  // The displacement that an error in z amounts to: equal where N = I, else the least-squares solution of N
  // delta_0 = e_0.
  void to_displacement(double t, VectorIn z, VectorIn error_z, VectorOut delta);
  void from_displacement(VectorIn delta, VectorOut error_z) const;  // after to_displacement
  // Rows of derivatives along displacements as derivatives by the entries of z: equal where N = I, else those
  // of least norm, which agree along every motion.
  void by_coordinates(double t, VectorIn z, MatrixIn along, MatrixOut by);

 private:
  std::string row_name(int row) const;
  Status collect();  // h from its parts
  void factor_kinematics(double t, VectorIn z);
  void invariant_values(VectorOut values) const;
  const Problem& problem_;
  Invariants chosen_;
  Parts residual_parts_, linear_parts_;
  Vector anchor_;
  Evaluation parts_;
  Workspace work_;
  Vector h_;
  linalg::SaddlePoint normal_equations_;  // N^T N, where q' = N(q) v
  Matrix NtN_;
  Vector Nte_;
  double t_ = 0;  // of the last to_displacement(), where matrices are sparse
  Vector q_;
  mutable Workspace rates_work_;
};

double binomial(int n, int k);

}  // namespace driftless
