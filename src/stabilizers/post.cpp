// Post-stabilization, Ascher, Chin, Reich (1992), (3.9):
//   z_{n+1} = z~ - alpha F(z~) h(z~),   z~ the integrator's result,  0 < alpha < 2
// One linear solve per step. With alpha = 1 and F = full or block it is one Newton step onto the manifold:
// drift of order 2p + 2 for a method of order p (the theorem promises p + 1). F = split leaves velocity drift
// at p + 1. Fails where constraints become dependent, and when steps are so large that one Newton step is not
// enough.
#include <driftless/core/entries.hpp>

#include "common/displacement.hpp"

namespace driftless::stabilizers {

namespace {

struct PostOptions {
  Kind F = Kind::block;
  double alpha = 1;
};

class Post final : public Stabilizer {
 public:
  explicit Post(const PostOptions& options) : options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    return kind_refuses(options_.F, shape);
  }

  void start(const Problem& problem) override {
    displacement_.start(problem, options_.F);
    move_.setZero(problem.shape().layout().size());
  }

  Correction apply(Manifold& manifold, State& state) override {
    if (manifold.empty()) return {};
    Correction result;
    result.status = displacement_.prepare(manifold, state, options_.alpha);
    result.iterations = 1;
    if (result.status != Status::ok) return result;
    result.violation = displacement_.violation();
    move_ = -state.z;
    displacement_.perform(manifold, state);
    move_ += state.z;
    result.move = &move_;
    return result;
  }

  void remove_normal_part(Manifold& manifold, const State& state, VectorOut error) override {
    displacement_.remove_normal_part(manifold, state, error);
  }

 private:
  PostOptions options_;
  Displacement displacement_;
  Vector move_;
};

}  // namespace

StabilizerEntry post() {
  return {.summary = "one Newton step back to the constraints after every step",
          .options = {kind_option(),
                      {.name = "alpha",
                       .fallback = "1",
                       .help = "length of the correction; 1 is a full Newton step",
                       .above = 0,
                       .below = 2}},
          .make = [](const OptionValues& o) {
            return std::make_unique<Post>(PostOptions{.F = kind_of(o), .alpha = o.number("alpha")});
          }};
}

}  // namespace driftless::stabilizers
