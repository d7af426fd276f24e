// Modified Newton's method for one implicit equation of a step, in which y' is c (y - anchor):
//   F(t, y, c (y - anchor)) = 0,      (c F_y' + F_y) delta = F,   y <- y - delta
// Backward Euler has anchor = y_0 and c = 1/h; multistep methods put their old values into the anchor.
//
// The Jacobian and its factorization stay from step to step while they serve (Hairer, Wanner II, IV.8):
//   - |delta| is the largest |delta_i|/(1 + |y_i|), times h^(index - 1) for unknowns of index 2 and 3, which inherit the errors of
//     others magnified: velocities of index 3 as well as multipliers;
//   - converged, or given up, by the rule of contraction.hpp, where differential unknowns count in full whatever their index: the next step
//     begins with what this one leaves of them; or converged when increments are roundoff: |delta| a few units of it, or small and no longer
//     shrinking;
//   - given up, a new Jacobian is computed at the start value, and last, from there, one in every iteration (full Newton);
//   - a rate above 0.1 lets the next step begin with a new Jacobian; another c means a new factorization only.
// What an attempt computed is kept when it is accepted, so that a repeated attempt repeats its result.
// Fails where the start value is too far off: the remedy is a smaller step.
#pragma once

#include <vector>

#include <driftless/core/method_options.hpp>
#include <driftless/core/system.hpp>

#include "kept_matrix.hpp"

namespace driftless::integrators {

struct NewtonSettings {
  double tolerance = 1e-10;
  int iterations = 10;
  bool fresh = false;  // full Newton: a Jacobian at every iterate
};

std::vector<OptionSpec> newton_options();
NewtonSettings newton_settings(const OptionValues& options);

class Newton {
 public:
  Newton(DaeSystem& system, Work& work, const NewtonSettings& settings);

  // y comes in as the start value and leaves as the solution, or as the iterate where it failed.
  Status solve(double t, double c, VectorIn anchor, Vector& y);
  // The step made of the last solve() was accepted.
  void accepted();
  // (c F_y' + F_y)^-1 c F_y' values, with the matrix of the last solve(): values to first order in h, but
  // bounded where F is stiff.
  void smooth(VectorIn values, VectorOut smoothed);

  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);  // may be followed by further values

 private:
  enum class Jacobian { none, tried, kept };
  enum class Mode { modified, full };

  Status renew(double t, double c, VectorIn anchor, VectorIn y);
  Status iterate(double t, double c, VectorIn anchor, Vector& y, Mode mode);
  struct Size {
    double weighted = 0;    // every unknown by its index
    double remembered = 0;  // only algebraic ones by their index, differential ones in full
  };
  Size size_of_increment(double c, VectorIn y) const;

  DaeSystem& system_;
  Work& work_;
  const NewtonSettings settings_;
  KeptMatrix matrix_;
  Vector yp_, residual_, increment_, start_;
  Jacobian jacobian_ = Jacobian::none;
  double rate_ = 0;  // of the last solve()
};

}  // namespace driftless::integrators
