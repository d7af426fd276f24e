// Linearization: the derivatives of a constrained system (constrained_system.hpp) by blocks, along displacements of the levels of z.
// It is what factorizations (level_elimination.hpp) work on; assemble() makes the whole matrices of it.
#pragma once

#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/linalg/dense_lu.hpp>

namespace driftless::formulations {

class Linearization {
 public:
  Linearization(const Problem& problem, bool by_forces, int rows, int beside = 0);

  // N and N^+ = (N^T N)^-1 N^T; false where coordinates stand still whatever the velocities.
  bool set_kinematics(const Matrix& N);
  void set_kinematics_jacobian(const Matrix& Nv_q);  // after set_kinematics
  // As many rows as F_y has: with those beside, or without.
  void assemble(MatrixOut F_y, MatrixOut F_yp) const;
  // A2 by the entries of z, and along which residuals may be left for its sake: A2^T on displacements.
  void assemble_beside(Matrix& A_2, Matrix& pushes) const;
  // Of A2^T on that level, where the highest of the levels on which it acts has 1: tau^(2(levels-1-level)).
  double beside_weight(int level, int levels) const;

  // A constraint row that others imply is not imposed. In its place a combination of the forces' multipliers stays as it is,
  // or a multiplier that pushes, which then has no part in anything else.
  void leave_out(int row, VectorIn combination);
  void leave_out(int row, int multiplier);

  int beside() const { return static_cast<int>(A2.rows()); }
  std::vector<int> beside_imposed() const;  // rows of A2 that are not left out
  // How many of the multipliers push, the last ones; the others are forces.
  int pushes() const { return static_cast<int>(C.rows() - (forces ? constraints.rows() : 0)); }

  const Layout layout;
  const bool own_kinematics, normalized;
  const bool forces;  // c M in the top rows, else c I
  Matrix M;           // of the top rows
  Matrix A;           // top rows by displacements of all levels
  Matrix S;           // top rows by s
  Matrix C;           // constraint rows by displacements
  Matrix E;           // and by s; empty: they do not contain s
  Matrix U;           // all levels by s
  Matrix W;           // N^+ (N v)_q N, where q' = N v
  Matrix N,
      N_plus;  // of the last residual, not of the linearization: its norm rows and the others must not be mixed
  Matrix
      A2;  // rows beside the square system, by displacements; of the last residual too, unless it is frozen
  std::vector<int> beside_left_out;  // of them, since others imply them; ascending
  const Vector push_metric;          // of A2^T, too (push_metric.hpp); empty: none
  double tau = 1;      // the unit of time in which A2^T is to be taken; of the step, not of the linearization
  Matrix constraints;  // [G; K]; dependent(), to say whether a singular matrix is the constraints' fault

  bool dependent() const;

 private:
  Linearization(const Shape& shape, Vector metric, bool by_forces, int rows, int beside);

  Matrix NtN_, Nv_qN_;
  linalg::DenseLu<double> normal_;  // N^T N
};

}  // namespace driftless::formulations
