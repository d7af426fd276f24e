// The last accepted step, seen between its ends: interpolated, then treated like any state.
#pragma once

#include <string>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/manifold.hpp>
#include <driftless/core/solve.hpp>

#include "inside_multipliers.hpp"
#include "interior_projection.hpp"

namespace driftless {

class StepInterior {
 public:
  StepInterior(Pipeline& pipeline, Manifold& manifold, const State& from, const State& to)
      : pipeline_(pipeline),
        manifold_(manifold),
        from_(from),
        to_(to),
        end_(to),
        projection_(manifold.problem(), *pipeline.system),
        inside_(manifold.problem(), *pipeline.system) {}

  // `to` is another state now, with multipliers of that kind; of one that was carried on if nothing is said.
  void renew(Multipliers of_end);
  void renew() { renew(carried()); }

  const Stabilizer& stabilizer() const { return *pipeline_.stabilizer; }
  const System& system() const { return *pipeline_.system; }
  const State& from() const { return from_; }
  const State& to() const { return to_; }  // as the integrator carries it
  const State& end();                      // the same with the multipliers that belong to it: what is shown

  // Inside. Multipliers that are unknowns of steps are interpolated as well.
  Status interpolated(double t, State& out);
  Status as_stepped(double t, State& out);  // and moved as the ends of steps are
  Status stabilized(double t, State& out);  // and on the constraints, where the formulation imposes them
  Status with_multipliers(double t, State& out);
  Status add_multipliers(State& at);  // to a state that one of these made

  std::string note() const;  // where multipliers could not be evaluated; empty: nowhere

 private:
  Multipliers carried() const;
  void keep_those_of_step(State& at, Status status);

  Pipeline& pipeline_;
  Manifold& manifold_;
  const State& from_;
  const State& to_;
  Multipliers of_end_ = Multipliers::evaluated;
  bool end_known_ = false;
  State end_;
  InteriorProjection projection_;
  InsideMultipliers inside_;
  Vector lambda_, kappa_;   // those of the step, in case the others do not exist
  long unknown_count_ = 0;  // states at which they did not
  double first_unknown_ = 0;
  std::string why_unknown_;
};

}  // namespace driftless
