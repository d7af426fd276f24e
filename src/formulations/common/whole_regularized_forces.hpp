// RegularizedForces with whole matrices.
//
// Derivatives along displacements, T = (W a + P y - F)_z and w_z = (C a + c - r)_z at fixed a and y, d = w_z - C W^-1 T:
//   (A^T Q A + eps Z) y_z = A^T Q d + P^T W^-1 ((C^T Q w)_x - (W p)_x) + (P^T p)_x - Z y eps_z,    p = W^-1 C^T Q w
//   (A + eps Z) y_z = d - Z y eps_z
//   W a_z = -T - P y_z
// eps_z = 0 unless the radius decides: then y . E^-2 y_z = 0. The terms with w and p are of the size of eps, except where
// constraints lose rank. They are left out where B is given, since no model says (B^T p)_x, and with mass=paper: Newton's
// iteration converges without them as fast as eps/(A^T A + eps) is small, and B of the known problems does not depend on x.
#pragma once

#include "regularized_forces.hpp"

namespace driftless::formulations {

class WholeRegularizedForces final : public RegularizedForces {
 public:
  WholeRegularizedForces(const Problem& problem, const Regularization& how);

  Status evaluate(double t, VectorIn z, VectorIn r) override;
  double epsilon() const override { return solver_.epsilon(); }
  void top(VectorIn rate, VectorIn y, VectorOut out);  // after solve(): W a + P y - F with rate for a

  // After solve() there: the derivatives of y and a along displacements. r_z: without rows where r does not depend on z.
  Status linearize(double t, VectorIn z, MatrixIn r_z);
  const Matrix& y_z() const { return y_z_; }
  const Matrix& a_z() const { return a_z_; }
  // After solve() there, with y as unknowns of their own: top() by displacements (and by rate W, by y P); rows() by both.
  Status linearize_rows(double t, VectorIn z, VectorIn rate, VectorIn y, MatrixIn r_z);
  const Matrix& top_z() const { return T_; }
  const Matrix& W() const { return W_; }
  const Matrix& P() const { return P_; }
  const Matrix& rows_z() const { return y_z_; }
  const Matrix& rows_y() const { return rows_y_; }

 private:
  Status factor(double floor) override;
  void solve_scaled(VectorIn r, VectorOut y) override { solver_.solve(r, y); }
  void acceleration(VectorIn y, VectorOut a) override;
  void plain_rows(VectorIn y, VectorOut out) override;
  void note_rows() override;
  double load() const override;
  Status factor_mass();
  void augment();
  void divide_by_mass(VectorOut column) const;
  void motion_jacobian(double t, VectorIn z, VectorIn a, VectorIn y, MatrixIn r_z);  // T, w, w_z
  void rows_jacobian(double t, VectorIn z);  // D_: the right-hand sides of y_z, without eps_z
  void add_rotation(double t, VectorIn z);   // the terms with w and p

  Evaluation parts_, along_, still_;
  linalg::SaddlePoint mass_, dense_mass_;
  bool dense_ = false;      // W is that of dense_mass_
  bool augmented_ = false;  // and how
  const Matrix no_rows_;
  mutable Vector none_;
  Matrix C_, B_, P_, W_, WP_, A_, scaled_;
  linalg::DampedSolve solver_;
  // Derivatives
  Matrix T_, w_z_, WT_, D_, y_z_, a_z_, rows_y_, rotation_, c_z_;
  Vector s_, p_, u_, column_;
};

}  // namespace driftless::formulations
