// Coordinate projection, Ascher, Chin, Reich (1992), (3.10): the corrections of `post` repeated until nothing
// moves any more,
//   z_0 = z~,  z_{k+1} = z_k - F(z_k) h(z_k)   until |F h| <= tolerance (relative to 1 + |z|)
// The result satisfies the constraints to roundoff whatever the step. Fails where constraints become
// dependent, and when z~ is so far off that Newton's method does not converge.
#include <driftless/core/entries.hpp>

#include "common/correction.hpp"

namespace driftless::stabilizers {

namespace {

struct ProjectionOptions {
  Kind F = Kind::block;
  double tolerance = 1e-12;
  int max_iterations = 10;
};

class Projection final : public CorrectingStabilizer {
 public:
  explicit Projection(const ProjectionOptions& options)
      : CorrectingStabilizer(options.F), options_(options) {}

  Correction apply(Manifold& manifold, State& state) override {
    if (manifold.empty()) return {};
    Correction result;
    move_ = -state.z;
    while (result.iterations < options_.max_iterations) {
      result.status = correct(manifold, state, 1.0);
      if (result.status != Status::ok) return result;
      if (result.iterations == 0) result.violation = violation();
      result.remaining = violation();
      ++result.iterations;
      if (size_of_last(state) <= options_.tolerance) {
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
  return {
      .summary = "Newton's method back to the constraints after every step, to convergence",
      .options = {kind_option(),
                  {.name = "tolerance",
                   .fallback = "1e-12",
                   .help = "largest displacement left, relative to 1 + |z|",
                   .above = 0,
                   .below = 1},
                  {.name = "iterations",
                   .fallback = "10",
                   .help = "at most so many",
                   .above = 0,
                   .below = 1001,
                   .integer = true}},
      .make = [](const OptionValues& o) {
        return std::make_unique<Projection>(ProjectionOptions{
            .F = kind_of(o), .tolerance = o.number("tolerance"), .max_iterations = o.integer("iterations")});
      }};
}

}  // namespace driftless::stabilizers
