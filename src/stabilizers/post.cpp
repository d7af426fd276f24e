// Post-stabilization, Ascher, Chin, Reich (1992), (3.9):
//   z_{n+1} = z~ - alpha F(z~) h(z~),   z~ the integrator's result,  0 < alpha < 2
// One linear solve per step. With alpha = 1 and F = full or block it is one Newton step onto the manifold:
// drift of order 2p + 2 for a method of order p (the theorem promises p + 1). F = split leaves velocity drift
// at p + 1. A step that drifts by d settles at (1 - alpha) d/alpha. Fails where constraints become dependent,
// and when steps are so large that one Newton step is not enough.
#include <driftless/core/entries.hpp>

#include "common/correction.hpp"

namespace driftless::stabilizers {

namespace {

class Post final : public CorrectingStabilizer {
 public:
  Post(const CorrectionOptions& options, double alpha)
      : CorrectingStabilizer(options, {.leaves_nothing = alpha == 1}), alpha_(alpha) {}

  Correction apply(Manifold& manifold, State& state, const Occasion& occasion) override {
    begin(manifold, occasion);
    if (manifold.empty()) return {.move = normalize_only(manifold, state)};
    Correction result{.iterations = 1};
    begin_move(manifold, state);
    result.status = look(manifold, state.t, state.z, occasion.purpose);
    if (result.status != Status::ok) return result;
    result.violation = largest(manifold.h());
    result.status = answer(manifold, state.t, state.z, alpha_, occasion.purpose);
    if (result.status != Status::ok) return result;
    manifold.displace(state.t, delta_, state.z);
    result.move = end_move(state);
    return result;
  }

 protected:
  void removal(VectorIn He, VectorOut out) override {
    map().apply(jacobians(), He, out);
    out *= alpha_ * scale();
  }

 private:
  double alpha_;
};

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> specs = normal_options();
  specs.push_back(alpha_option(2, "length of the correction; 1 is a full Newton step"));
  specs.push_back(renew_option());
  for (OptionSpec& spec : solve_options()) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace

StabilizerEntry post() {
  return {.summary = "one Newton step back to the constraints after every step",
          .options = options(),
          .make = [](const OptionValues& o) {
            return std::make_unique<Post>(correction_options(o), o.number("alpha"));
          }};
}

}  // namespace driftless::stabilizers
