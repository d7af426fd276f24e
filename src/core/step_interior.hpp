// The last accepted step, seen between its ends: interpolated, then treated like any state.
#pragma once

#include <driftless/core/manifold.hpp>
#include <driftless/core/solve.hpp>

namespace driftless {

class StepInterior {
 public:
  StepInterior(Pipeline& pipeline, Manifold& manifold, const State& from, const State& to)
      : pipeline_(pipeline), manifold_(manifold), from_(from), to_(to) {}

  const Stabilizer& stabilizer() const { return *pipeline_.stabilizer; }
  const System& system() const { return *pipeline_.system; }
  const State& from() const { return from_; }
  const State& to() const { return to_; }

  // A chord between unit quaternions is shorter than they are.
  Status interpolated(double t, State& out) {
    const Status status = pipeline_.integrator->interpolate(t, out);
    if (status == Status::ok && !out.z.allFinite())
      return Status::too_far;  // local coordinates do not reach there
    if (status == Status::ok && manifold_.shape().norms() > 0) manifold_.problem().normalize(out.q());
    return status;
  }

  Status stabilized(double t, State& out) {
    const Status status = interpolated(t, out);
    if (status != Status::ok) return status;
    const Occasion occasion{from_, t - from_.t, Occasion::Purpose::output};
    return pipeline_.stabilizer->apply(manifold_, out, occasion).status;
  }

  Status with_multipliers(double t, State& out) {
    const Status status = stabilized(t, out);
    return status == Status::ok ? pipeline_.system->complete(out) : status;
  }

 private:
  Pipeline& pipeline_;
  Manifold& manifold_;
  const State& from_;
  const State& to_;
};

}  // namespace driftless
