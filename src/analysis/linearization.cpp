#include <driftless/analysis/linearization.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/manifold.hpp>

#include "tangent_motion.hpp"

namespace driftless::analysis {

namespace {

constexpr double rest_speed = 1e-10;        // below it a state counts as resting
constexpr double rest_force = 1e-10;        // unbalanced force, relative to those that hold each other
constexpr double largest_violation = 1e-6;  // of a constraint, relative to the terms it is made of

void check_size(const Problem& problem, const State& state) {
  const Layout layout = problem.shape().layout();
  if (!(state.layout == layout) || state.z.size() != layout.size())
    throw InputError(
        fmt::format("the state has {} values, the problem needs {}; give one for every coordinate "
                    "and velocity",
                    state.z.size(), layout.size()));
  if (!state.z.allFinite() || !std::isfinite(state.t))
    throw InputError("the state has a value that is not finite; give finite ones");
}

// At rest and with time frozen only g counts: moving constraints ask for speeds, which are frozen too.
void check_constraints(const Problem& problem, const State& state, bool frozen) {
  const Shape& shape = problem.shape();
  Manifold manifold(problem);
  if (manifold.empty()) return;
  if (manifold.linearize(state.t, state.z) != Status::ok)
    throw InputError("the constraints are not finite in that state: " +
                     problem.explain(Status::not_finite, state.t, state.z));
  const double reach = std::max(1.0, state.z.cwiseAbs().maxCoeff());
  const auto check = [&](VectorIn residual, const Matrix& C, int first, int level) {
    for (int i = 0; i < residual.size(); ++i) {
      const double limit = largest_violation * reach * std::max(C.row(i).cwiseAbs().sum(), 1e-300);
      if (!(std::abs(residual(i)) <= limit))
        throw InputError(
            fmt::format("the state is off the manifold: residual {:.3g} of {}{} (limit {:.1e}); take "
                        "consistent_state of it",
                        residual(i), problem.constraint_name(first + i),
                        std::string(static_cast<std::size_t>(level), '\''), limit));
    }
  };
  for (int level = 0; level < (frozen ? 1 : shape.order) && shape.ng > 0; ++level)
    check(manifold.residual(level), manifold.G(), 0, level);
  if (shape.nk > 0) check(manifold.velocity_residual(), manifold.K(), shape.ng, 0);
}

}  // namespace

Linearization linearize(const Problem& problem, const State& state) {
  check_size(problem, state);
  const Shape& shape = problem.shape();
  const auto speeds = state.z.tail((shape.order - 1) * shape.nv);
  const bool resting = (speeds.cwiseAbs().array() <= rest_speed).all();
  check_constraints(problem, state, resting);
  Linearization result;
  TangentMotion motion;
  if (resting) {
    motion = tangent_motion(problem, state, true);
    result.equilibrium = motion.relative_residual() <= rest_force;
  }
  if (!result.equilibrium) {
    check_constraints(problem, state, false);
    motion = tangent_motion(problem, state, false);
  }
  result.time_frozen = depends_on_time(problem, state);
  result.residual = motion.residual();
  if (result.equilibrium && shape.order == 2) {
    result.stiffness = motion.stiffness;
    result.mass = motion.T_v.transpose() * motion.M * motion.T_v;
  }
  result.state = std::move(motion.state);
  result.acceleration = std::move(motion.a);
  result.reduced = std::move(motion.reduced);
  result.displacements = std::move(motion.Z);
  return result;
}

}  // namespace driftless::analysis
