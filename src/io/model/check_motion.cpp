// The rank away from the start: at states of a short motion, and after a small move along the freedoms that the joints leave, closed again. The
// second finds a singular start of a mechanism that is at rest there.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/singularity.hpp>
#include <driftless/mechanics/massless.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "io/model/check_parts.hpp"
#include "io/model/check_sparse.hpp"

namespace driftless::io {

namespace {

using Severity = Finding::Severity;

constexpr double share_of_run = 0.05, longest = 1;  // s
constexpr double usual_end = 10;                    // s, of a model that does not say
constexpr long most_steps = 20'000;
constexpr int most_states = 32;
constexpr double affordable = 3e9;   // operations for all decisions on the rank
constexpr double small_move = 0.03;  // rad, and of the size of the mechanism
constexpr int moves_tried = 2;
constexpr std::size_t most_passages = 3;

// 0: there is no time for any.
int states_to_look_at(const Problem& problem) {
  const double each = operations(problem);
  return static_cast<int>(std::clamp(affordable / std::max(each, 1.0), 0.0, double(most_states)));
}

void tell_end(const CheckedMechanism& mechanism, const Solution& run, ModelCheck& check) {
  MotionCheck& motion = check.motion;
  const auto at = [&](double t) {
    return fmt::format("t = {:.4g} {}", t / mechanism.model.units.time, check.time_unit);
  };
  std::size_t passages = 0;
  for (const Singularity& met : run.singularities) {
    const bool leaves = met.kind == Singularity::Kind::rank_changed && met.rank > met.rank_before;
    if (leaves || ++passages > most_passages) continue;  // a singular start is told as such
    add_finding(
        check, Severity::note, "singularity", at(met.t),
        fmt::format("the short motion meets a singular configuration ({}, {}); reactions may be large there",
                    name_of(met.kind), describe(met, *mechanism.problem)));
  }
  motion.complete = run.complete();
  if (motion.complete) return;
  motion.end_message = run.end_message;
  motion.rank_refused = run.end == EndReason::rank_loss && run.work.steps == 0;
  const bool cut = run.end == EndReason::interrupted || run.end == EndReason::max_steps;
  if (!cut)
    add_finding(check, Severity::error, motion.rank_refused ? "method" : "motion",
                motion.rank_refused ? "method" : at(run.final.t),
                fmt::format("the run would end early ({}): {}", name_of(run.end), run.end_message));
}

struct Looked {
  State state;
  RowRank rank;
};

// Massless bodies move in relative coordinates alone.
Solution short_motion(const CheckedMechanism& mechanism, const State& start, const MotionMaker& motion,
                      const Options& options) {
  if (!mechanics::massless_body(mechanism.parts)) return motion(*mechanism.problem, start, options);
  const mechanics::RelativeCoordinates relative(mechanism.parts, mechanism.model.mechanism.joints(), start);
  return relative.absolute(motion(*relative.problem(), relative.start(), options));
}

// The state of the motion with the largest rank, a late one of them.
std::optional<Looked> look_along(const CheckedMechanism& mechanism, const State& start,
                                 const MotionMaker& motion, ModelCheck& check) {
  const double span = std::min(longest, share_of_run * mechanism.model.run.t_end.value_or(usual_end));
  const int wanted = states_to_look_at(*mechanism.forceless);
  Options options{.t_end = start.t + span, .max_steps = most_steps};
  options.output = {.kind = Output::Kind::every, .interval = span / wanted};
  Solution run;
  try {
    run = short_motion(mechanism, start, motion, options);
  } catch (const InputError& error) {
    add_finding(check, Severity::error, "motion", "start", error.what());
    return std::nullopt;
  }
  check.motion.made = true;
  check.motion.until = run.final.t / mechanism.model.units.time;
  std::optional<Looked> best;
  run.states.push_back(run.final);
  double last = start.t;
  RankFinder finder(*mechanism.forceless);
  for (const State& state : run.states) {
    if (!(state.t > last)) continue;  // the start is known, and the end may be there twice
    last = state.t;
    const RowRank rank = finder.at(state.t, state.z);
    ++check.motion.states;
    check.motion.least_rank = std::min(check.motion.least_rank, rank.rank);
    check.motion.largest_rank = std::max(check.motion.largest_rank, rank.rank);
    if (!best || rank.rank >= best->rank.rank) best = Looked{state, rank};
  }
  tell_end(mechanism, run, check);
  return best;
}

Vector some_motion(const Matrix& motions, int which) {
  Vector coefficients(motions.cols());
  for (Eigen::Index i = 0; i < coefficients.size(); ++i)
    coefficients(i) = std::cos(1.0 + 3.0 * which + 5.0 * static_cast<double>(i));
  return motions * coefficients;
}

// All bodies do the same, as far as rows let them. Where many loops lie flat at once, hardly any other motion can be closed again.
Vector common_motion(const CheckedMechanism& mechanism, const State& place) {
  const mechanics::Vec3 along{0.6, 0.9, 0.4}, about{-0.5, 0.3, 1};
  Vector motion = Vector::Zero(mechanism.shape().nv);
  for (const ModelBody& body : mechanism.model.bodies) {
    const int first = mechanism.parts.body(body.id.index).v;
    if (body.planar) {
      motion.segment<3>(first) << along.x, along.y, about.z;
      continue;
    }
    const mechanics::Vec3 own = to_body(mechanism.results.pose(place, body.id).R, about);
    motion.segment<6>(first) << along.x, along.y, along.z, own.x, own.y, own.z;
  }
  return motion;
}

// Nothing turns or moves by more than a little.
Vector small(const CheckedMechanism& mechanism, const Vector& move) {
  double size = 0;
  for (const ModelBody& body : mechanism.model.bodies)
    size = std::max(size, extent_of(mechanism, body).reach);
  const double largest = move.cwiseAbs().maxCoeff();
  return (small_move * std::min(1.0, size > 0 ? size : 1.0) / std::max(largest, 1e-300)) * move;
}

// Closed again after a small move of the joints.
std::vector<State> places_beside(const CheckedMechanism& mechanism, const State& start,
                                 const RowRank& there) {
  const Problem& joints = *mechanism.undriven;
  std::vector<Vector> moves;
  const std::optional<Matrix> motions = free_motions(joints, start, there.left_out);
  for (int i = 0; i < moves_tried && motions && motions->cols() > 0 && motions->allFinite(); ++i)
    moves.push_back(some_motion(*motions, i));
  if (!moves.empty() && joints.shape().sparse())
    moves.push_back(*sparse::allowed_part(joints, start, there.left_out, common_motion(mechanism, start)));
  std::vector<State> found;
  for (const Vector& move : moves) {
    if (!(move.cwiseAbs().maxCoeff() > still)) continue;
    State beside = start;
    beside.v().setZero();
    Workspace work;
    joints.displace(start.t, beside.q(), small(mechanism, move), work);
    try {
      beside.z = consistent_state(joints, beside).state.z;
      found.push_back(beside);
    } catch (const InputError&) {  // no closed place was found there
    }
  }
  return found;
}

}  // namespace

// Of a decision: some ten times rows^2 velocities. Without zeros some thousand for every row, and the rows of one body fill a block that is
// factored whole.
double operations(const Problem& problem) {
  const Shape& s = problem.shape();
  const double rows = s.multipliers();
  if (!s.sparse()) return 10 * rows * rows * s.nv;
  std::vector<double> on(static_cast<std::size_t>(s.nv));  // rows, of a velocity
  for (const int column : problem.sparse_pattern().C.column) ++on[static_cast<std::size_t>(column)];
  double sum = 1000 * rows;
  for (std::size_t b = 0, first = 0; b < s.bodies.size(); first += static_cast<std::size_t>(s.bodies[b++]))
    sum += on[first] * on[first] * on[first];
  return sum;
}

GenericPlace generic_place(const CheckedMechanism& mechanism, const State& start, const RowRank& all,
                           const RowRank& joints, const MotionMaker& motion, ModelCheck& check) {
  GenericPlace place{start, all.left_out};
  const int states = states_to_look_at(*mechanism.forceless);
  if (motion && check.start.closed && states > 0)
    if (const auto best = look_along(mechanism, start, motion, check); best && best->rank.rank >= all.rank) {
      if (best->rank.rank > all.rank) return {best->state, best->rank.left_out};
      place.others.push_back(best->state);
    }
  // Of a large mechanism only where there is rank to be gained.
  if (all.left_out.empty() && states < most_states) return place;
  for (const State& beside : places_beside(mechanism, start, joints)) {
    const std::vector<int> left_out = dependent_at(*mechanism.forceless, beside);
    if (left_out.size() < place.left_out.size())
      place = {beside, left_out};
    else if (left_out.size() == place.left_out.size())
      place.others.push_back(beside);
  }
  return place;
}

}  // namespace driftless::io
