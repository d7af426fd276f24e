// Coordinate projection, Ascher, Chin, Reich (1992), (3.10): the corrections of `post` repeated until nothing
// moves any more,
//   z_0 = z~,  z_{k+1} = z_k - F(z_k) h(z_k)   until |F h| <= tolerance (relative to 1 + |z|)
// The result satisfies the constraints to roundoff whatever the step. Fails where constraints become
// dependent, and when z~ is so far off that Newton's method does not converge.
#include <limits>

#include <driftless/core/entries.hpp>

#include <driftless/core/invariants_option.hpp>
#include "common/correction.hpp"

namespace driftless::stabilizers {

namespace {

struct ProjectionOptions {
  NormalKind F = NormalKind::block;
  std::vector<std::string> invariants = {};
  double tolerance = 1e-12;
  int max_iterations = 10;
};

class Projection final : public CorrectingStabilizer {
 public:
  explicit Projection(const ProjectionOptions& options)
      : CorrectingStabilizer(options.F, options.invariants), options_(options) {}

  Correction apply(Manifold& manifold, State& state, const Occasion&) override {
    if (manifold.empty()) return {.move = normalize_only(manifold, state)};
    Correction result;
    move_ = -state.z;
    double last = std::numeric_limits<double>::infinity();
    while (result.iterations < options_.max_iterations) {
      result.status = correct(manifold, state, 1.0);
      if (result.status != Status::ok) return result;
      if (result.iterations == 0) result.violation = violation();
      result.remaining = violation();
      ++result.iterations;
      const double size = size_of_last(state);
      // With nearly dependent constraints roundoff alone moves the state by more than the tolerance: what no longer falls is done.
      const bool stalled =
          size >= last / 2 && violation() <= options_.tolerance * (1 + state.z.cwiseAbs().maxCoeff());
      last = size;
      if (size <= options_.tolerance || stalled) {
        move_ += state.z;
        result.move = &move_;
        return result;
      }
    }
    result.status = Status::no_convergence;
    return result;
  }

 private:
  ProjectionOptions options_;
};

}  // namespace

StabilizerEntry projection() {
  return {.summary = "Newton's method back to the constraints after every step, to convergence",
          .options = {normal_kind_option(),
                      invariants_option(),
                      {.name = "tolerance",
                       .fallback = "1e-12",
                       .help = "largest displacement left, relative to 1 + |z|",
                       .above = 0,
                       .below = 1},
                      {.name = "iterations",
                       .fallback = "10",
                       .help = "at most so many",
                       .at_least = 1,
                       .at_most = 1000,
                       .integer = true}},
          .make = [](const OptionValues& o) {
            return std::make_unique<Projection>(ProjectionOptions{.F = normal_kind_of(o),
                                                                  .invariants = invariant_names(o),
                                                                  .tolerance = o.number("tolerance"),
                                                                  .max_iterations = o.integer("iterations")});
          }};
}

}  // namespace driftless::stabilizers
