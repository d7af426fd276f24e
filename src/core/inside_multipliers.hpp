// Multipliers inside a step whose unknowns contain them: there are two values. One is evaluated at the
// interpolated state, like that of any other state. Where forces are stiff, f multiplies the interpolation
// error of positions by the stiffness, and so the other one may be better: the step's own multipliers,
// interpolated, which are of the size of the motion whatever the stiffness.
//
// The error that interpolation makes in lower levels x_j, j < m - 1, shows in the step itself,
//   d_j = x_j(t_0) + integral of x_{j+1} from t_0 to t  -  x_j(t)
// since interpolants of a level and of the next one are two approximations of the same. What that does to
// the evaluated multipliers is e = lambda(z + d) - lambda(z). The interpolated multipliers are taken where,
// at one of two places of the step,
//   - forces are stiff:        e is out of proportion, relative to lambda ten times as large as d relative
//                              to the motion in the step
//   - that is what matters:    e is a good part of the difference of the two values
//   - there is a better value: that difference is several times what the step's own are off by at its ends,
//                              where evaluated ones are right, since there positions are what the step made
//                              them
// They are moved by a chord such that they meet the evaluated ones at the ends. The decision is one for the
// whole step, so that what is shown in it is continuous.
#pragma once

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/system.hpp>

namespace driftless {

class StepInterior;

class InsideMultipliers {
 public:
  InsideMultipliers(const Problem& problem, System& system) : problem_(problem), system_(system) {}

  void renew() { decided_ = false; }  // another step
  bool interpolated_are_better(StepInterior& step);
  void correct(const StepInterior& step, State& at) const;  // interpolated ones, so that they meet the ends

 private:
  bool decide(StepInterior& step);
  // What a place says.
  enum class Blame { not_stiff, not_clear, state };
  Blame blame(StepInterior& step, double place);
  bool evaluate(State& at, Vector& values);
  bool find_gap(StepInterior& step, const State& end, Vector& gap);
  bool find_interpolation_error(StepInterior& step, double t, Vector& error);
  double size(const Vector& values) const;  // in units of what they usually are

  const Problem& problem_;
  System& system_;
  Workspace workspace_;
  bool decided_ = false, better_ = false;
  Vector gap_from_, gap_to_;  // evaluated less interpolated, at the ends
  State at_, between_;
  Vector own_, there_, moved_, displaced_, rates_, usual_;
};

}  // namespace driftless
