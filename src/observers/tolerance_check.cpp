#include "tolerance_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/rank_decision.hpp>

#include "tolerated_violation.hpp"

namespace driftless::observers {

namespace {

constexpr double far_beyond = 1000;      // times what the tolerances stand for
constexpr double most_tolerances = 100;  // that positions off their constraints may mean
constexpr double least_motion = 1e-3;    // of the size of bodies, for the energy of motion to count
constexpr int most_velocities = 300;     // of mechanisms whose redundant rows are looked for
constexpr double noticed = 1e-4;         // of what redundant rows may be off by: more is no roundoff
constexpr double several = 3;            // times what they were off by at the start
constexpr double near_roundoff = 0.1;    // of what an error may be
constexpr double redundant_share =
    0.5;  // of a violation that no displacement meets: redundant rows that part
constexpr double noticed_share =
    0.1;  // the same of velocities: they may be in a few rows out of many that depend on each other
constexpr double worse = 10;  // than at the end: worth telling
constexpr long stride = 8;    // steps between looks at the energy
constexpr double roundoff = 64 * std::numeric_limits<double>::epsilon();

// What redundant rows may be off by, where there are any (whichever they are): the assembly tolerance, ten times in a run.
Vector granted_to_redundant_rows(const Problem& problem, const State& start) {
  const Shape& s = problem.shape();
  const double often = RankLimits::redundant_off;
  if (s.ng == 0) return {};
  if (!s.sparse() && s.nv > most_velocities) return {};
  RankDecision rank(RankDecision::Of::positions, RankDecision::For::corrections);
  rank.decide(problem, start.t, start.z);
  if (rank.full()) return {};
  return often * rank.scales().missed() * rank.sizes();
}

}  // namespace

void ToleranceCheck::start(const RunInfo& run) {
  problem_ = &run.problem;
  parts_ = Evaluation(storage_of(problem_->shape()));
  manifold_ = std::make_unique<Manifold>(*problem_);
  position_ = velocity_ = redundant_ = {};
  steps_ = 0;
  start_ = run.start.t;
  granted_ = granted_to_redundant_rows(run.problem, run.start);
  off_at_start_ = granted_.size() > 0 && manifold_->evaluate(run.start.t, run.start.z) == Status::ok
                      ? manifold_->h().head(run.problem.shape().ng).lpNorm<Eigen::Infinity>()
                      : 0;
  largest_entry_ = kinetic_ = slope_ = noise_ = speed_ = worst_balance_ = 0;
  least_potential_ = std::numeric_limits<double>::infinity();
  largest_potential_ = -least_potential_;
  largest_entry_ = run.start.z.lpNorm<Eigen::Infinity>();
  look_at_energy(run.start);
}

void ToleranceCheck::step(const AcceptedStep& step) {
  largest_entry_ = std::max(largest_entry_, step.to.z.lpNorm<Eigen::Infinity>());
  if (++steps_ % stride != 0 && steps_ >= stride) return;
  look_at_energy(step.to);
  look_at_constraints(step.from, step.to);
}

void ToleranceCheck::look_at_constraints(const State& before, const State& state) {
  const Shape& shape = problem_->shape();
  const int ng = shape.ng, below = (shape.order - 1) * ng;
  if (manifold_->empty() || manifold_->evaluate(state.t, state.z) != Status::ok) return;
  const auto keep = [&](Worst& worst, Eigen::Index first, Eigen::Index count, Eigen::Index as) {
    Eigen::Index row = 0;
    if (count == 0) return;
    const double size = manifold_->h().segment(first, count).cwiseAbs().maxCoeff(&row);
    if (first == 0 && granted_.size() > 0 && size <= granted_(row)) {
      if (size > redundant_.size) redundant_ = {size, static_cast<int>(row), before, state};
      return;
    }
    if (size > worst.size) worst = {size, static_cast<int>(row + as), before, state};
  };
  keep(position_, 0, ng, 0);
  if (shape.order > 1) keep(velocity_, below, ng, 0);
  keep(velocity_, below + ng, shape.nk, ng);
}

void ToleranceCheck::look_at_energy(const State& state) {
  const Shape& shape = problem_->shape();
  if (!shape.has_energy || shape.order != 2) return;
  problem_->evaluate(Part::energy | Part::energy_gradient, Point(state.t, state.z), parts_);
  const double kinetic = state.v().dot(parts_.energy_z.tail(shape.nv)) / 2;
  const double potential = parts_.energy - kinetic;
  const double balance = energy_.so_far().balance;
  if (std::abs(balance) > std::abs(worst_balance_)) worst_balance_ = balance, worst_balance_at_ = state.t;
  // Energy that came from nowhere does not make the error of the run smaller.
  const double gained = std::max(0.0, balance), moving = std::max(0.0, std::abs(kinetic) - gained),
               raised = potential - std::max(0.0, gained - std::abs(kinetic));
  kinetic_ = std::max(kinetic_, moving);
  least_potential_ = std::min(least_potential_, potential);
  largest_potential_ = std::max(largest_potential_, raised);
  slope_ = std::max(slope_, tolerated_change(kinetic != 0 ? std::sqrt(moving / std::abs(kinetic)) : 1));
  noise_ = std::max(noise_, roundoff * (std::abs(kinetic) + std::abs(potential) +
                                        parts_.energy_z.lpNorm<1>() * state.z.lpNorm<Eigen::Infinity>()));
  if (tolerance_.displacements.size() > 0)
    speed_ = std::max(speed_, state.v().cwiseQuotient(tolerance_.displacements).lpNorm<Eigen::Infinity>() *
                                  tolerance_.rtol);
}

// Of the energy, by errors of displacements and velocities that are allowed where these are small. `speeds`: the part of velocities that is
// not error.
double ToleranceCheck::tolerated_change(double speeds) const {
  const int nv = problem_->shape().nv;
  const auto places = parts_.energy_z.head(parts_.energy_z.size() - nv), moments = parts_.energy_z.tail(nv);
  if (tolerance_.displacements.size() == 0)
    return tolerance_.atol * (places.lpNorm<1>() + speeds * moments.lpNorm<1>());
  return places.head(nv).cwiseAbs().dot(tolerance_.displacements) +
         speeds * moments.cwiseAbs().dot(tolerance_.floors.tail(nv));
}

// Of the energy that went to and fro: a thousand times rtol, and a hundredth at loose tolerances, where that is more than ten times rtol.
double ToleranceCheck::energy_part() const {
  return std::min(far_beyond * tolerance_.rtol, std::max(1e-2, 10 * tolerance_.rtol));
}

std::string ToleranceCheck::energy_note(const EnergyBalance& energy, double duration) const {
  if (problem_->shape().order != 2) return {};
  const bool at_end = std::abs(worst_balance_) <= worse * std::abs(energy.balance);
  const double balance = at_end ? energy.balance : worst_balance_, off = std::abs(balance);
  const double moving = kinetic_ + std::abs(energy.work),
               exchanged = moving + std::max(0.0, largest_potential_ - least_potential_);
  const double part = energy_part(), tolerated = tolerance_.rtol * exchanged + slope_;
  if (!(off > noise_)) return {};
  const std::string what =
      at_end ? fmt::format("the energy balance is off by {:.2g}", balance)
             : fmt::format("the energy balance was off by {:.2g} at t = {:.6g} ({:.2g} at the end)", balance,
                           worst_balance_at_, energy.balance);
  if (off > part * exchanged + far_beyond * slope_)
    return fmt::format(
        "{}, {:.0e} times what {} stands for ({:.2g} was exchanged): the motion is not that accurate; "
        "compare "
        "with a smaller `rtol`, or with another `formulation`",
        what, off / tolerated, tolerance_.text(), exchanged);
  if (!at_end || !(speed_ * duration > least_motion && off > part * moving)) return {};
  const std::string meaning =
      off <= tolerated
          ? fmt::format(
                "errors of positions and velocities within {} may change the energy of weights, springs "
                "and speeds by {:.2g}",
                tolerance_.text(), tolerated)
          : fmt::format("{:.2g} times what {} stands for", off / tolerated, tolerance_.text());
  return fmt::format(
      "{}, {:.1g} times the {:.2g} that went into motion and work: {}; compare with a smaller `rtol`, or "
      "with "
      "another `formulation`",
      what, off / moving, moving, meaning);
}

// Rows that may be off by so much change how much they are off while the mechanism moves on: once across its size, by all of it.
bool ToleranceCheck::parts_as_allowed(const Worst& at) const {
  const Shape& s = problem_->shape();
  if (granted_.size() == 0 || s.order != 2 || at.row >= s.ng) return false;
  const double turning = problem_->scales(at.state.t, at.state.q()).distance(at.state.v());
  if (at.size > granted_(at.row) * turning || manifold_->evaluate(at.state.t, at.state.z) != Status::ok)
    return false;
  return unmeetable_part(*problem_, at.state, manifold_->h().segment(s.ng, s.ng)) > noticed_share;
}

std::string ToleranceCheck::drift_note(double duration) const {
  const Shape& shape = problem_->shape();
  if (shape.multipliers() == 0) return {};
  double worst = 0;
  std::string what;
  const auto compare = [&](const Worst& at, bool positions) {
    if (!(at.size > 0)) return;
    if (!positions && parts_as_allowed(at)) return;
    const ToleratedViolation tolerated(*problem_, tolerance_, at.before, at.state);
    const double unit = positions ? tolerated.of_position(at.row) : tolerated.of_velocity(at.row);
    if (!(unit > 0 && at.size > far_beyond * unit && at.size > worst * unit)) return;
    worst = at.size / unit;
    what = fmt::format("{} was off by {:.2g} in its {} at t = {:.6g}", problem_->constraint_name(at.row),
                       at.size, positions ? "positions" : "velocities", at.state.t);
  };
  compare(position_, true);
  compare(velocity_, false);
  if (what.empty()) return consequence_note(duration);
  return fmt::format(
      "{}, {:.0e} times what {} stands for: the motion is not that accurate; use `stabilizer = post` where "
      "the "
      "formulation takes it, or `formulation = ggl`, or a smaller `rtol`",
      what, worst, tolerance_.text());
}

std::string ToleranceCheck::consequence_note(double duration) const {
  const Worst& at = position_;
  if (!(at.size > 0) || manifold_->evaluate(at.state.t, at.state.z) != Status::ok) return {};
  const double far = ToleratedViolation(*problem_, tolerance_, at.before, at.state)
                         .consequence(manifold_->h().head(problem_->shape().ng), duration);
  if (!(far > most_tolerances)) return {};
  return fmt::format(
      "positions drifted off the constraints, by {:.2g} in {} at t = {:.6g}; as the constraints turn, that "
      "may make the "
      "motion wrong by about {:.0e} times what {} stands for: use `stabilizer = post:F=position` or post "
      "where "
      "the "
      "formulation takes it, or `formulation = ggl`, or a smaller `rtol`",
      at.size, problem_->constraint_name(at.row), at.state.t, far, tolerance_.text());
}

// Rows that met at the start, and do not on the way: a note of the start names the others.
std::string ToleranceCheck::redundant_note() const {
  if (!(redundant_.size > noticed * granted_(redundant_.row)) || redundant_.size <= several * off_at_start_)
    return {};
  const State& state = redundant_.state;
  if (manifold_->evaluate(state.t, state.z) != Status::ok) return {};
  const Vector g = manifold_->h().head(problem_->shape().ng);
  if (unmeetable_part(*problem_, state, g) < redundant_share)
    return {};  // drift of a method that leaves some
  return fmt::format(
      "redundant constraints did not quite meet on the way: {} was off by {:.3g} at t = {:.6g}, within what "
      "the assembly "
      "tolerance leaves them; the others hold",
      problem_->constraint_name(redundant_.row), redundant_.size, redundant_.state.t);
}

std::string ToleranceCheck::size_note() const {
  if (largest_entry_ == 0 || tolerance_.by_sizes) return {};
  const double size = tolerance_.reaches.size() > 0 ? tolerance_.reaches.minCoeff() : largest_entry_;
  if (size < largest_entry_ && tolerance_.atol >= size)
    return fmt::format(
        "atol = {:g} is not smaller than the mechanism, {:.3g} across, so that no error of its places was "
        "too "
        "large; use an `atol` that is small against it, or leave it out",
        tolerance_.atol, size);
  if (tolerance_.atol < largest_entry_) return {};
  return fmt::format(
      "atol = {:g} is not smaller than any coordinate or velocity was (largest {:.3g}), so that no error was "
      "too large; use an `atol` that is small against what moves",
      tolerance_.atol, largest_entry_);
}

std::string ToleranceCheck::roundoff_note(const State& final) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Eigen::Index most = 0;
  double part = 0;
  for (Eigen::Index i = 0; i < final.z.size(); ++i)
    if (const double own = epsilon * std::abs(final.z(i)) / tolerance_.allowed(i, std::abs(final.z(i)));
        own > part)
      part = own, most = i;
  if (!(part > near_roundoff) || problem_->shape().order != 2) return {};
  const int nq = problem_->shape().nq, i = static_cast<int>(most);
  return fmt::format(
      "{} is {:.3g}, and the roundoff of such a number, {:.1g}, is near what {} allows: the result has no "
      "more digits "
      "than that; put the origin nearer to the mechanism, or loosen `rtol`",
      i < nq ? problem_->coordinate_name(i) : problem_->velocity_name(i - nq), final.z(most),
      epsilon * std::abs(final.z(most)), tolerance_.text());
}

void ToleranceCheck::finish(Solution& solution) {
  if (!problem_ || !solution.complete()) return;
  const auto add = [&](std::string note) {
    if (!note.empty()) solution.notes.push_back(std::move(note));
  };
  add(size_note());
  add(roundoff_note(solution.final));
  if (solution.energy) add(energy_note(*solution.energy, solution.final.t - start_));
  add(drift_note(solution.final.t - start_));
  if (granted_.size() > 0) add(redundant_note());
}

}  // namespace driftless::observers
