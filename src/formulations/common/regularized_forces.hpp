// RegularizedForces: multipliers y = (lambda, kappa) that stay bounded where constraints lose rank. With C = [G; K], B = [B, K^T],
//
//   W a = F - P y                              the equations of motion, by the treatment of M:
//     given       W = M,            F = f,                      P = B
//     augmented   W = M + rho C^T C, F = f - rho C^T (c - r),   P = B        M may be singular on the rows of C
//     paper       W = M M + rho I,  F = M f,                    P = M B
//   A = C W^-1 P,   R = C W^-1 F + c - r       r: feedback (constraint_feedback.hpp); without curvature, c = 0
//   least_squares   (A^T A + eps I) y = A^T R
//   shifted         (A + eps I) y = R          A symmetric, positive semidefinite
//
// epsilon given: the paper's plain formulas. Automatic: A is scaled by the sizes that its rows and columns have had so far (rows have
// different units), and eps is the smallest one for which |y| stays within a radius of three times the recent size of the multipliers:
// a floor of roundoff size wherever the constraints determine them, and the trust-region rule where they do not. Radius and
// scales are those of the step's start, so that equations do not change within a step. In terms of A and y, with the scaled matrix D A E,
//   A^T Q w = eps Z y,   w = R - A y = C a + c - r,   Q = D^2,  Z = E^-2        (shifted, D = E:  w = eps Z y)
//
// Derivatives along displacements, T = (W a + P y - F)_z and w_z = (C a + c - r)_z at fixed a and y, d = w_z - C W^-1 T:
//   (A^T Q A + eps Z) y_z = A^T Q d + P^T W^-1 ((C^T Q w)_x - (W p)_x) + (P^T p)_x - Z y eps_z,    p = W^-1 C^T Q w
//   (A + eps Z) y_z = d - Z y eps_z
//   W a_z = -T - P y_z
// eps_z = 0 unless the radius decides: then y . E^-2 y_z = 0. The terms with w and p are of the size of eps, except where
// constraints lose rank. They are left out where B is given, since no model says (B^T p)_x, and with mass=paper: Newton's
// iteration converges without them as fast as eps/(A^T A + eps) is small, and B of the known problems does not depend on x.
#pragma once

#include <optional>

#include <driftless/core/problem.hpp>
#include <driftless/linalg/damped_solve.hpp>

namespace driftless::formulations {

enum class MassTreatment {
  automatic,
  given,
  augmented,
  paper
};  // automatic: augmented where M is not positive definite

struct Regularization {
  linalg::Damping kind = linalg::Damping::least_squares;
  std::optional<double> epsilon = {};  // none: automatic
  bool curvature = true;
  MassTreatment mass = MassTreatment::automatic;
  double rho = 1;
};

class RegularizedForces {
 public:
  RegularizedForces(const Problem& problem, const Regularization& how);

  Status evaluate(double t, VectorIn z, VectorIn r);  // W, A and R there
  Status solve();                                     // then y, eps and a
  const Vector& y() const { return y_; }
  const Vector& a() const { return a_; }
  double epsilon() const { return solver_.epsilon(); }
  bool rescaled() const { return rescaled_; }  // by the last observe()
  bool bounded() const { return bounded_; }    // the radius decided about eps
  bool indefinite() const {
    return indefinite_;
  }  // solve() failed: a shifted A is not symmetric, or not semidefinite
  // After solve(): eps y - A^T w or eps y - w with that y, as the paper has them; where eps is automatic y less its value.
  void rows(VectorIn y, VectorOut out);
  void top(VectorIn rate, VectorIn y, VectorOut out);  // W a + P y - F with rate for a

  // A step begins there: takes scales and multipliers there as those that are usual. Once for every t. Only where eps is automatic.
  Status observe(double t, VectorIn z, VectorIn r, double h);
  Status observe_first(double t, VectorIn z, VectorIn r) {  // where nothing was observed yet
    return observed_t_ == unknown ? observe(t, z, r, 0) : Status::ok;
  }
  // Rows depend on each other wherever the mechanism is, and iterates of an implicit method are off the manifold.
  void expect_redundant_rows(bool yes) { redundant_ = yes; }
  void anchor() {
    observed_t_ = unknown;
    usual_step_ = 0;
  }
  int memory_size() const { return how_.epsilon ? 0 : 6 + 2 * count_; }
  void save(VectorOut memory) const;
  void restore(VectorIn memory);

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
  static constexpr double unknown = -1e300;
  bool redundant_ = false;
  bool least_squares() const { return how_.kind == linalg::Damping::least_squares; }
  Status factor_mass();
  void augment();
  void divide_by_mass(VectorOut column) const;
  void acceleration(VectorIn y, VectorOut a) const;  // W^-1 (F - P y)
  void weigh();                                      // the scaled matrix and right-hand side
  void note_sizes();
  double load() const;
  void motion_jacobian(double t, VectorIn z, VectorIn a, VectorIn y, MatrixIn r_z);  // T, w, w_z
  void rows_jacobian(double t, VectorIn z);  // D_: the right-hand sides of y_z, without eps_z
  void add_rotation(double t, VectorIn z);   // the terms with w and p

  const Problem& problem_;
  const Shape& shape_;
  const Regularization how_;
  const int count_;  // of multipliers
  Parts parts_asked_;
  Evaluation parts_, along_, still_;
  linalg::SaddlePoint mass_, dense_mass_;
  bool dense_ = false;      // W is that of dense_mass_
  bool augmented_ = false;  // and how
  const Matrix no_rows_;
  mutable Vector none_;
  Matrix C_, B_, P_, W_, WP_, A_, scaled_;
  Vector offset_, F_, free_, R_, scaled_R_;  // c - r, F, W^-1 F, R
  Vector D_scale_, E_scale_;
  linalg::DampedSolve solver_;
  Vector y_, scaled_y_, a_;
  bool bounded_ = false, indefinite_ = false, rescaled_ = false;
  double observed_t_ = unknown, size_ = 0, gain_ = 1, feedback_gain_ = 1, usual_step_ = 0, radius_ = 0;
  // Derivatives
  Matrix T_, w_z_, WT_, D_, y_z_, a_z_, rows_y_, rotation_, c_z_;
  Vector w_, s_, p_, u_, column_;
};

}  // namespace driftless::formulations
