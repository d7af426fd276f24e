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
// How matrices are kept is for the classes below (whole_regularized_forces.hpp, sparse_regularized_forces.hpp).
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
  virtual ~RegularizedForces() = default;

  virtual Status evaluate(double t, VectorIn z, VectorIn r) = 0;  // W, A and R there
  Status solve();                                                 // then y, eps and a
  const Vector& y() const { return y_; }
  const Vector& a() const { return a_; }
  virtual double epsilon() const = 0;
  bool rescaled() const { return rescaled_; }  // by the last observe()
  bool bounded() const { return bounded_; }    // the radius decided about eps
  bool indefinite() const {
    return indefinite_;
  }  // solve() failed: a shifted A is not symmetric, or not semidefinite
  // After solve(): eps y - A^T w or eps y - w with that y, as the paper has them; where eps is automatic y less its value.
  void rows(VectorIn y, VectorOut out);

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

 protected:
  bool least_squares() const { return how_.kind == linalg::Damping::least_squares; }
  // The scaled matrix with eps as given, or the smallest one from `floor` on for which the answer to scaled_R_ is within radius_.
  virtual Status factor(double floor) = 0;
  virtual void solve_scaled(VectorIn r, VectorOut y) = 0;  // after factor()
  virtual void acceleration(VectorIn y, VectorOut a) = 0;  // W^-1 (F - P y)
  virtual void plain_rows(VectorIn y, VectorOut out) = 0;  // rows() where eps is given
  virtual void note_rows() = 0;  // shrink() of D_scale_ and E_scale_ by the sizes in A
  virtual double load() const;
  void shrink(double& scale, double size);

  const Problem& problem_;
  const Shape& shape_;
  const Regularization how_;
  const int count_;  // of multipliers
  Parts parts_asked_;
  Vector offset_, F_, free_, R_, scaled_R_;  // c - r, F, W^-1 F, R
  Vector D_scale_, E_scale_;
  Vector y_, scaled_y_, a_, w_;
  double radius_ = 0;

 private:
  static constexpr double unknown = -1e300;
  void note_sizes();

  bool bounded_ = false, indefinite_ = false, rescaled_ = false, redundant_ = false;
  double observed_t_ = unknown, size_ = 0, gain_ = 1, feedback_gain_ = 1, usual_step_ = 0;
  Vector column_;
};

}  // namespace driftless::formulations
