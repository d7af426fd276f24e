// Stabilization by forward Euler's rule, Ascher, Chin, Reich (1992), (3.4):
//   z_{n+1} = z~ - alpha F(z_n) h(z_n),   z~ the integrator's result from z_n,  0 < alpha < 2
// The correction belongs to the old point and answers the drift that was there. A step that drifts by d settles
// at d/alpha: drift of order p + 1 for a method of order p, and no better, since the newest d is never answered.
// An interpolant between steps ends in z_{n+1} and so contains the correction by degrees: a state for output is
// left as it is, a second correction would belong to no step. Where coordinates and velocities differ the
// displacement found at z_n moves q~ along N(q~). Fails where constraints become dependent at z_n.
#include <driftless/core/entries.hpp>

#include "common/correction.hpp"

namespace driftless::stabilizers {

namespace {

class Forward final : public CorrectingStabilizer {
 public:
  Forward(const CorrectionOptions& options, double alpha)
      : CorrectingStabilizer(options, {.late = true}), alpha_(alpha) {}

  Correction apply(Manifold& manifold, State& state, const Occasion& occasion) override {
    begin(manifold, occasion);
    if (manifold.empty() || occasion.purpose == Purpose::output)
      return {.move = normalize_only(manifold, state)};
    Correction result{.iterations = 1};
    const State& old = occasion.from;
    result.status = look(manifold, old.t, old.z, occasion.purpose);
    if (result.status != Status::ok) return result;
    result.violation = largest(manifold.h());
    result.status = answer(manifold, old.t, old.z, alpha_, occasion.purpose);
    if (result.status != Status::ok) return result;
    begin_move(manifold, state);
    manifold.displace(state.t, delta_, state.z);
    result.move = end_move(state);
    return result;
  }

 protected:
  void removal(VectorIn, VectorOut out) override { out.setZero(); }

 private:
  double alpha_;
};

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> specs = normal_options();
  specs.push_back(alpha_option(2, "length of the correction; 1 removes all of the old drift"));
  specs.push_back(renew_option());
  for (OptionSpec& spec : solve_options()) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace

StabilizerEntry forward() {
  return {.summary = "after every step the correction that belongs to the point before it",
          .options = options(),
          .make = [](const OptionValues& o) {
            return std::make_unique<Forward>(correction_options(o), o.number("alpha"));
          }};
}

}  // namespace driftless::stabilizers
