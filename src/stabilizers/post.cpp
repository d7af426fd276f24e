// Post-stabilization, Ascher, Chin, Reich (1992), (3.9):
//   z_{n+1} = z~ - alpha F(z~) h(z~),   z~ the integrator's result,  0 < alpha < 2
// One linear solve per step. With alpha = 1 and F = full or block it is one Newton step onto the manifold:
// drift of order 2p + 2 for a method of order p (the theorem promises p + 1). F = split leaves velocity drift
// at p + 1. Fails where constraints become dependent, and when steps are so large that one Newton step is not
// enough.
#include <driftless/core/entries.hpp>

#include <driftless/core/invariants_option.hpp>
#include "common/correction.hpp"

namespace driftless::stabilizers {

namespace {

struct PostOptions {
  NormalKind F = NormalKind::block;
  double alpha = 1;
  std::vector<std::string> invariants = {};
};

class Post final : public CorrectingStabilizer {
 public:
  explicit Post(const PostOptions& options)
      : CorrectingStabilizer(options.F, options.invariants), alpha_(options.alpha) {}

  Correction apply(Manifold& manifold, State& state, const Occasion&) override {
    if (manifold.empty()) return {.move = normalize_only(manifold, state)};
    Correction result{.iterations = 1};
    move_ = -state.z;
    result.status = correct(manifold, state, alpha_);
    move_ += state.z;
    result.violation = violation();
    result.move = &move_;
    return result;
  }

 private:
  double alpha_;
};

}  // namespace

StabilizerEntry post() {
  return {.summary = "one Newton step back to the constraints after every step",
          .options = {normal_kind_option(),
                      invariants_option(),
                      {.name = "alpha",
                       .fallback = "1",
                       .help = "length of the correction; 1 is a full Newton step",
                       .above = 0,
                       .below = 2}},
          .make = [](const OptionValues& o) {
            return std::make_unique<Post>(PostOptions{
                .F = normal_kind_of(o), .alpha = o.number("alpha"), .invariants = invariant_names(o)});
          }};
}

}  // namespace driftless::stabilizers
