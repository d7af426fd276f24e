// Coordinate projection, Ascher, Chin, Reich (1992), (3.10): to convergence
//   h(z~ - D(z~) lambda) = 0,   z_{n+1} = z~ - D(z~) lambda,   z~ the integrator's result
// Of F only D counts: `transpose` is `full` here, and `split` is `block`.
//   normals=start    D stays that of z~, as written. First iterates z_{k+1} = z_k - F(z~) h(z_k), for which only h
//                    is evaluated; where that converges slowly, Newton's method with (H(z_k) D(z~))^-1
//   normals=current  D follows: z_{k+1} = z_k - F(z_k) h(z_k), for states far off, from which the normals of z~
//                    may miss the manifold. Its point differs by the cube of the violation
// The result satisfies the constraints to roundoff whatever the step. Fails where constraints become
// dependent, and when z~ is so far off that Newton's method does not converge.
#include <limits>

#include <driftless/core/entries.hpp>
#include <driftless/core/errors.hpp>

#include "common/iteration.hpp"

namespace driftless::stabilizers {

namespace {

struct ProjectionOptions {
  bool normals_follow = false;
  double tolerance = 1e-12;
  int max_iterations = 10;
};

class Projection final : public IteratingStabilizer {
 public:
  Projection(const CorrectionOptions& options, const ProjectionOptions& projection)
      : IteratingStabilizer(options, {.leaves_nothing = true}), options_(projection) {}

  void start(const Manifold& manifold) override {
    IteratingStabilizer::start(manifold);
    total_ = delta_;
    left_.setZero(manifold.rows());
  }

 protected:
  // Sweeps answer He by parts; converged, the projection leaves nothing of it.
  void removal(VectorIn He, VectorOut out) override {
    map().apply(jacobians(), He, out);
    for (int k = 0; options().solve.sweeps > 0 && k < options_.max_iterations; ++k) {
      map().times_H(jacobians(), out, left_);
      left_ = He - left_;
      if (largest(left_) <= 1e-6 * He.cwiseAbs().maxCoeff()) return;
      map().apply(jacobians(), left_, delta_);
      out += delta_;
    }
  }

  void iterate(Manifold& manifold, State& state, Purpose purpose, Correction& result) override {
    state.z = begin_;
    total_.setZero();
    double last = std::numeric_limits<double>::infinity(), size = 0;
    slow_ = newton_ = false;
    for (int k = 0; k < options_.max_iterations; ++k) {
      result.status = k == 0 ? look(manifold, state.t, state.z, purpose) : look_again(manifold, state);
      if (result.status != Status::ok) return;
      result.remaining = largest(manifold.h());
      if (k == 0) result.violation = result.remaining;
      map().apply(jacobians(), manifold.h(), delta_);
      if (!delta_.allFinite()) {
        result.status = Status::not_finite;
        return;
      }
      move_on(manifold, state);
      ++result.iterations;
      size = size_of(delta_, state);
      // With nearly dependent constraints roundoff alone moves the state by more than the tolerance: what no
      // longer falls is done.
      const bool stalled =
          size >= last / 2 && result.remaining <= options_.tolerance * (1 + largest(state.z));
      if (size <= options_.tolerance || stalled) return;
      slow_ = slow_ || size > 0.1 * last;
      last = size;
      if (slow_ && with_kept()) break;
    }
    result.status = Status::no_convergence;
  }

 private:
  Status look_again(Manifold& manifold, const State& state) {
    if (options_.normals_follow) return look_afresh(manifold, state.t, state.z);
    if (with_kept() || !slow_ || options().solve.sweeps > 0) return manifold.evaluate(state.t, state.z);
    if (!newton_) map().keep_directions(manifold);
    newton_ = true;
    if (const Status status = manifold.linearize(state.t, state.z); status != Status::ok) return status;
    return map().factor_along(manifold, state.t, state.z);
  }

  // From z~ by the sum of all displacements, which lies in the range of D; where D follows, from the last iterate.
  void move_on(Manifold& manifold, State& state) {
    delta_ = -delta_;
    total_ += delta_;
    if (!options_.normals_follow) state.z = begin_;
    manifold.displace(state.t, options_.normals_follow ? delta_ : total_, state.z);
  }

  ProjectionOptions options_;
  bool slow_ = false, newton_ = false;
  Vector total_, left_;
};

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> specs = normal_options();
  specs.push_back({.name = "normals",
                   .fallback = "start",
                   .help = "where D is taken: at the state that is projected, or at every iterate",
                   .choices = {"start", "current"}});
  for (OptionSpec& spec : convergence_options("at most so many; with solve=sor 1000 unless given"))
    specs.push_back(std::move(spec));
  specs.push_back(renew_option());
  for (OptionSpec& spec : solve_options()) specs.push_back(std::move(spec));
  return specs;
}

std::unique_ptr<Stabilizer> make(const OptionValues& o) {
  const CorrectionOptions correction = correction_options(o, {.only_D = true});
  const ProjectionOptions projection{.normals_follow = o.word("normals") == "current",
                                     .tolerance = o.number("tolerance"),
                                     .max_iterations = !o.given("iterations") && correction.solve.sweeps > 0
                                                           ? 1000  // sweeps converge as slowly as they do
                                                           : o.integer("iterations")};
  if (projection.normals_follow && !correction.renew.always())
    throw InputError(
        "normals=current takes F anew at every iterate, so that renew would be ignored; use normals=start, "
        "or "
        "leave renew out");
  return std::make_unique<Projection>(correction, projection);
}

}  // namespace

StabilizerEntry projection() {
  return {.summary = "Newton's method back to the constraints after every step, to convergence",
          .options = options(),
          .make = make};
}

}  // namespace driftless::stabilizers
