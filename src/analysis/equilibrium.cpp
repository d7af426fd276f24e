#include <driftless/analysis/equilibrium.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>
#include <driftless/linalg/least_norm.hpp>
#include <driftless/linalg/symmetric_pencil.hpp>

#include "tangent_motion.hpp"

namespace driftless::analysis {

namespace {

using Search = EquilibriumOptions::Search;

constexpr double roundoff = 4e-16;     // relative residual that no iteration improves
constexpr double on_manifold = 1e-13;  // constraints there, relative
constexpr double shortest = 1e-6;      // of a step: shorter ones lead nowhere
constexpr double far_away = 1e3;       // growth of the coordinates that counts as running away
constexpr double flat = 1e-8;          // of the largest curvature: least one that a step is divided by
constexpr double half_turned = -0.5;   // how far the force along a step may turn round

class Searcher {
 public:
  Searcher(const Problem& problem, const State& start, const EquilibriumOptions& options)
      : problem_(problem),
        shape_(problem.shape()),
        options_(options),
        downhill_(options.search == Search::downhill && shape_.order == 2),
        here_(tangent_motion(problem, at_rest(start), true)) {}

  Equilibrium run() {
    result_.time_frozen = depends_on_time(problem_, here_.state);
    const std::string driven = driven_constraint();
    if (!driven.empty()) return ended(driven);
    const double reach = far_away * (1 + here_.state.q().cwiseAbs().maxCoeff());
    for (; here_.relative_residual() > roundoff; ++result_.iterations) {
      if (result_.iterations == options_.max_iterations)
        return ended(fmt::format("{} iterations were not enough", options_.max_iterations));
      if (here_.state.q().cwiseAbs().maxCoeff() > reach) return ended("the system runs away");
      std::optional<TangentMotion> next = advance(shortened(step()));
      const bool close = here_.relative_residual() <= options_.tolerance;
      if (close && (!next || next->relative_residual() > 0.5 * here_.relative_residual())) break;
      if (!next) return ended("no nearby state is more at rest");
      here_ = std::move(*next);
    }
    return ended("");
  }

 private:
  State at_rest(const State& guess) const {
    State state = consistent_state(problem_, guess, {.tolerance = on_manifold}).state;
    state.z.tail((shape_.order - 1) * shape_.nv).setZero();
    return state;
  }

  // A velocity constraint that cannot be met at rest: a conveyor belt, a driven wheel.
  std::string driven_constraint() const {
    if (shape_.nk == 0) return {};
    Evaluation e;
    problem_.evaluate(Part::velocity, Point(here_.state.t, here_.state.z), e);
    for (int i = 0; i < shape_.nk; ++i)
      if (e.w(i) != 0)
        return fmt::format("the velocity constraint {} is {:.6g} at rest (must vanish)",
                           problem_.constraint_name(shape_.ng + i), e.w(i));
    return {};
  }

  Vector start_rate() const { return here_.T_v.transpose() * here_.a; }

  // P: how r changes with moves along T_v, which lie among those along T.
  Matrix stiffness_over_mass() const {
    return here_.reduced.bottomLeftCorner(here_.T_v.cols(), here_.T.cols()) *
           (here_.T.transpose() * here_.T_v);
  }

  Vector step() const {
    const Vector r = start_rate();
    const Matrix P = stiffness_over_mass();
    if (downhill_) {
      const Matrix mass = here_.T_v.transpose() * here_.M * here_.T_v, S = -mass * P;
      const auto pencil = linalg::symmetric_pencil((S + S.transpose()) / 2, mass);
      if (pencil.values.size() > 0) {
        const double largest = pencil.values.cwiseAbs().maxCoeff();
        if (pencil.values(0) <= flat * largest) {
          const double least = std::max(flat * largest, 1e-300);
          const Vector along = pencil.vectors.transpose() * (mass * r);
          return pencil.vectors * along.cwiseQuotient(pencil.values.cwiseAbs().cwiseMax(least));
        }
      }
    }
    return -linalg::least_norm_solution(P, r);
  }

  Vector shortened(const Vector& y) const {
    const double move = y.size() > 0 ? (here_.T_v * y).cwiseAbs().maxCoeff() : 0;
    const double limit = options_.longest_move * std::max(1.0, here_.state.q().cwiseAbs().maxCoeff());
    if (!(move > limit)) return y;
    return limit / move * y;
  }

  // Where the step leads, halved until it is acceptable; nothing where no step is.
  std::optional<TangentMotion> advance(const Vector& y) const {
    const Vector delta = here_.T_v * y;
    for (double factor = 1; factor > shortest; factor /= 2) {
      std::optional<TangentMotion> next = moved(factor * delta);
      if (next && acceptable(*next, delta)) return next;
    }
    return std::nullopt;
  }

  std::optional<TangentMotion> moved(const Vector& delta) const {
    try {
      State state = here_.state;
      Workspace work;
      problem_.displace(state.t, state.q(), delta, work);
      return tangent_motion(problem_, at_rest(state), true);
    } catch (const InputError&) {
      return std::nullopt;  // off the constraints' reach, or a singular configuration: a shorter step
    }
  }

  bool acceptable(const TangentMotion& next, const Vector& delta) const {
    if (next.relative_residual() <= options_.tolerance) return true;
    if (downhill_) return next.unbalanced.dot(delta) >= half_turned * std::abs(here_.unbalanced.dot(delta));
    return next.a.dot(next.unbalanced) < here_.a.dot(here_.unbalanced);
  }

  std::string largest_force() const {
    Eigen::Index i = 0;
    const Vector scale = here_.force_scale();
    here_.unbalanced.cwiseAbs().cwiseQuotient(scale).maxCoeff(&i);
    return fmt::format("the unbalanced force is {:.6g} at {} (limit {:.1e})", here_.unbalanced(i),
                       problem_.velocity_name(static_cast<int>(i)), options_.tolerance * scale(i));
  }

  Equilibrium ended(const std::string& trouble) {
    result_.found = trouble.empty();
    result_.state = here_.state;
    result_.residual = here_.residual();
    if (result_.found)
      result_.report = result_.iterations == 0
                           ? std::string("the start is an equilibrium")
                           : fmt::format("{} iteration{} from the start, {}", result_.iterations,
                                         result_.iterations == 1 ? "" : "s",
                                         downhill_ ? "downhill" : "by Newton's method");
    else
      result_.report = fmt::format(
          "no equilibrium was found: {}; {}; give a start nearer to one{}", trouble, largest_force(),
          shape_.order != 2 ? "" : fmt::format(", or search by {}", downhill_ ? "newton" : "downhill"));
    return result_;
  }

  const Problem& problem_;
  const Shape& shape_;
  const EquilibriumOptions& options_;
  bool downhill_;
  TangentMotion here_;
  Equilibrium result_;
};

}  // namespace

Equilibrium equilibrium(const Problem& problem, const State& start, const EquilibriumOptions& options) {
  return Searcher(problem, start, options).run();
}

}  // namespace driftless::analysis
