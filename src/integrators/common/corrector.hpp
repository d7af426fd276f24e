// The implicit equation of a multistep step, solved by modified Newton iteration in the norm that judges steps:
//   F(t, y, y'^P + c (y - y^P)) = 0,     (c_f F_y' + F_y) d = F,     y <- y - 2/(1 + c/c_f) d
// with the matrix of some earlier step, factored for c_f. The factor in front of d makes up for c /= c_f (Brenan, Campbell, Petzold
// 1996, section 5.2.2).
//   - |d| is the root mean square of d_i/(atol + rtol |y_i|) over the unknowns that count;
//   - rho = (|d_m|/|d_0|)^(1/m) is the rate; converged when rho/(1 - rho) |d| <= constant, or when increments are roundoff; given up
//     when rho says that the iterations left will not do. After the first increment the rate of the last step is used;
//   - a matrix that did not serve is computed anew at y^P, once per step; c/c_f beyond the limit means a new factorization, a slow rate
//     a new Jacobian for the next step.
// The error left behind is in every later step: a large constant (0.33 is usual) saves iterations and costs digits, and steps, since
// the differences of such values look like a rough solution.
#pragma once

#include <optional>
#include <vector>

#include <driftless/core/system.hpp>

#include "kept_matrix.hpp"

namespace driftless::integrators {

struct CorrectorSettings {
  enum class Renewal { kept, step, iteration };
  double constant = 0.001;
  double acceptable = 0.33;  // size of increments that roundoff does not let shrink any further
  int iterations = 6;
  Renewal jacobian = Renewal::kept;
  bool persistent =
      false;  // the step cannot be made smaller: where all else fails, a Jacobian in every iteration, and more of them
  double ratio = 0.95;  // c/c_f between this and its inverse keeps the factors
};

class Corrector {
 public:
  Corrector(DaeSystem& system, Work& work, const CorrectorSettings& settings);

  // A step begins, for the so-and-so-manieth time: 0 is the first. What an attempt computed serves others only when it was accepted;
  // and where differences are made of the errors that the corrector left, no step is small enough, so that a repeated attempt solves
  // more tightly.
  void begin(int repetition);
  // y comes in as y^P and leaves as the solution, or as the iterate where it failed. weights: 1/(atol + rtol |y_i|) and so on, 0 for
  // unknowns that do not count.
  Status solve(double t, double c, VectorIn yp_predicted, VectorIn weights, Vector& y);
  void accepted();  // the step made of the last solve() was accepted
  // What the equations make of the discretization's error; with the matrix of the last solve().
  void smooth(VectorIn error, VectorOut smoothed) { matrix_.smooth(error, smoothed); }

  std::vector<double> memory() const;
  std::size_t memory_size() const { return 4 + matrix_.memory_size(); }
  bool remember(const double* memory);

 private:
  enum class Mode { modified, full };
  Status iterate(double t, double c, VectorIn yp_predicted, VectorIn weights, Vector& y, Mode mode);
  Status stalled(double c, bool shrinks, VectorIn weights, const Vector& y) const;
  Status renew(double t, double c, VectorIn y);

  DaeSystem& system_;
  Work& work_;
  const CorrectorSettings settings_;
  double constant_;
  KeptMatrix matrix_;
  Vector yp_, residual_, increment_, weighted_, predicted_;
  Vector inherits_;       // 1 where errors of positions arrive divided by h
  bool stale_ = true;     // a new Jacobian before the next iteration
  double trust_ = 100;    // rho/(1 - rho) of the last steps with this matrix
  double rate_ = 0;       // of the last solve()
  bool changed_ = false;  // the matrix or its factors, since the last accepted step
  bool fresh_ = false;    // the Jacobian belongs to this step
};

}  // namespace driftless::integrators
