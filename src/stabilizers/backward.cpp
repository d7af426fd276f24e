// Stabilization by backward Euler's rule, Ascher, Chin, Reich (1992), (3.7):
//   z_{n+1} = z~ - alpha F(z_{n+1}) h(z_{n+1}),   z~ the integrator's result,  alpha > 0
// With z = z~ + d, Newton's method with the Jacobian I + alpha F H gives
//   d_{k+1} = alpha F (I + alpha H F)^-1 (H d_k - h(z_k)),   d_0 = 0,
// where H F = I (F = full, block) d_{k+1} = alpha/(1 + alpha) F (H d_k - h(z_k)). A step that drifts by d settles
// at d/alpha; alpha -> infinity is a projection. A kept F is one for the equation too: then only h is evaluated.
// Fails where constraints become dependent, and when z~ is so far off that Newton's method does not converge.
#include <limits>

#include <driftless/core/entries.hpp>

#include "common/iteration.hpp"

namespace driftless::stabilizers {

namespace {

struct BackwardOptions {
  double alpha = 1;
  double tolerance = 1e-12;
  int max_iterations = 10;
};

class Backward final : public IteratingStabilizer {
 public:
  Backward(const CorrectionOptions& options, const BackwardOptions& backward)
      : IteratingStabilizer(options, {}), options_(backward) {}

  void start(const Manifold& manifold) override {
    IteratingStabilizer::start(manifold);
    next_ = delta_;
    right_.setZero(manifold.rows());
  }

 protected:
  void removal(VectorIn He, VectorOut out) override {
    map().apply_implicitly(jacobians(), He, options_.alpha * first_scale_, out);
  }

  void iterate(Manifold& manifold, State& state, Purpose purpose, Correction& result) override {
    state.z = begin_;
    delta_.setZero();
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < options_.max_iterations; ++k) {
      result.status = look(manifold, state.t, state.z, purpose);
      if (result.status != Status::ok) return;
      result.remaining = largest(manifold.h());
      if (k == 0) {
        result.violation = result.remaining;
        first_scale_ = scale();
      }
      map().times_H(jacobians(), delta_, right_);
      right_ -= manifold.h();
      removal(right_, next_);
      if (!next_.allFinite()) {
        result.status = Status::not_finite;
        return;
      }
      delta_ -= next_;
      const double size = size_of(delta_, state);
      map().times_H(jacobians(), delta_, right_);
      // With nearly dependent constraints roundoff alone moves the state by more than the tolerance: what no
      // longer falls, and does not change h, is done.
      const bool stalled = size >= last / 2 && largest(right_) <= options_.tolerance * (1 + largest(begin_));
      last = size;
      delta_ = next_;
      state.z = begin_;
      manifold.displace(state.t, delta_, state.z);
      ++result.iterations;
      if (size <= options_.tolerance || stalled) return;
    }
    result.status = Status::no_convergence;
  }

 private:
  BackwardOptions options_;
  double first_scale_ = 1;  // of F = transpose, taken at z~ for all iterations
  Vector next_, right_;
};

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> specs = normal_options();
  specs.push_back(alpha_option(std::numeric_limits<double>::infinity(),
                               "strength of the correction; infinity would be a projection"));
  specs.push_back(renew_option());
  for (OptionSpec& spec : convergence_options("at most so many")) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace

StabilizerEntry backward() {
  return {.summary = "after every step the correction that belongs to the point it leads to",
          .options = options(),
          .make = [](const OptionValues& o) {
            return std::make_unique<Backward>(correction_options(o, {.solve = false}),
                                              BackwardOptions{.alpha = o.number("alpha"),
                                                              .tolerance = o.number("tolerance"),
                                                              .max_iterations = o.integer("iterations")});
          }};
}

}  // namespace driftless::stabilizers
