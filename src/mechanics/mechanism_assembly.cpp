// Closing a rough assembly: what is held, placed or given a rate becomes a constraint like the joints, and consistent_state() moves the rest
// as little as possible. What moves as little as possible is independent of masses, so that bodies without any have some meanwhile.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/massless.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "crossed_axes.hpp"

namespace driftless::mechanics {

namespace {

State closed(const MechanismModel& model, const State& guess, std::string* choice = nullptr) {
  try {
    ConsistentState there = consistent_state(*make_problem(with_stand_in_masses(model)), guess);
    if (choice) *choice = there.choice;
    return there.state;
  } catch (const InputError&) {
    if (const std::string crossed = crossed_axes(model, guess); !crossed.empty()) throw InputError(crossed);
    throw;
  }
}

// Long steps towards a closed place may take angles round by whole turns, which nobody asked for. An angle goes back to the turn in which it was
// given, unless rows of angles would miss by that: what is driven, placed or geared.
class WholeTurns {
 public:
  WholeTurns(const MechanismModel& model, VectorIn given, VectorIn there)
      : model_(model), turns_(given.size()) {
    turns_.setZero();
    const auto look_at = [&](int entry) {
      turns_(entry) = std::round((there(entry) - given(entry)) / (2 * std::numbers::pi));
    };
    for (const Body& body : model.bodies)
      if (body.kind == Body::Kind::planar) look_at(body.q + 2);
    for (const int turn : model.turns) look_at(model.measure(turn).entry);
    while (!std::all_of(model.rows.begin(), model.rows.end(), [&](const Row& row) { return kept(row); })) {
    }
  }

  void take_back(VectorOut q) const { q -= 2 * std::numbers::pi * turns_; }

 private:
  double of(int body) const {
    const Body& own = model_.body(body);
    return own.kind == Body::Kind::planar ? turns_(own.q + 2) : 0;
  }
  // False: it would miss, and its angles stay where they are.
  bool kept(const Row& row) {
    double change = 0, size = 0;
    for (const Row::Term& term : row.terms) {
      const Measure& m = model_.measure(term.measure);
      const double turns = m.kind == Measure::Kind::angle                  ? of(m.b) - of(m.a)
                           : m.kind == Measure::Kind::turn && m.entry >= 0 ? turns_(m.entry)
                                                                           : 0;
      change += term.factor * turns;
      size += std::abs(term.factor * turns);
    }
    if (std::abs(change) <= 1e-9 * size) return true;
    for (const Row::Term& term : row.terms) {
      const Measure& m = model_.measure(term.measure);
      if (m.kind == Measure::Kind::turn && m.entry >= 0) turns_(m.entry) = 0;
      if (m.kind != Measure::Kind::angle) continue;
      for (const int body : {m.a, m.b})
        if (model_.body(body).kind == Body::Kind::planar) turns_(model_.body(body).q + 2) = 0;
    }
    return false;
  }

  const MechanismModel& model_;
  Vector turns_;  // by which entries of q are to go back
};

}  // namespace

Measure Mechanism::named(const std::string& name) const {
  std::vector<std::string> known;
  for (const Joint& joint : joints_)
    for (const JointCoordinate& c : joint.coordinates) {
      known.push_back(joint.name + "." + c.name);
      if (known.back() == name) return model_.measure(c.measure);
    }
  for (std::size_t i = 1; i < model_.bodies.size(); ++i) {
    const Body& body = model_.bodies[i];
    const bool planar = body.kind == Body::Kind::planar;
    Measure m{.kind = Measure::Kind::component, .b = static_cast<int>(i), .pb = body.origin};
    for (const auto& [entry, axis] :
         {std::pair{"x", Vec3{1, 0, 0}}, {"y", Vec3{0, 1, 0}}, {"z", Vec3{0, 0, 1}}}) {
      if (planar && axis.z != 0) continue;
      known.push_back(body.name + "." + entry);
      m.ua = axis;
      if (known.back() == name) return m;
    }
    if (!planar) continue;
    known.push_back(body.name + ".angle");
    if (known.back() == name) return {.kind = Measure::Kind::angle, .b = static_cast<int>(i)};
  }
  throw InputError(fmt::format("there is no coordinate '{}' to close the assembly with; there are {}{}", name,
                               fmt::join(known, ", "), suggestion(name, known)));
}

State Mechanism::assembled(const Closing& how, std::string* choice) const {
  const auto add = [&](Mechanism& to, const std::string& name) {
    const Measure m = named(name);
    auto& all = to.model_.measures;
    const auto found = std::find(all.begin(), all.end(), m);
    const int index = static_cast<int>(found - all.begin());
    if (found == all.end()) all.push_back(m);
    to.model_.ask_for(index);
    return index;
  };
  const auto value_now = [&](const std::string& name) {
    const Measure m = named(name);
    const std::span<const double> q(q_);
    const auto a = pose_of(model_.body(m.a), q), b = pose_of(model_.body(m.b), q);
    return m.kind == Measure::Kind::turn ? nearest_turn(m, a.R, b.R, 0) : value_of(m, a, b, q);
  };
  // Positions first, with everything at rest: what is placed may move, and what is driven stands where it begins.
  Mechanism placed = *this;
  std::fill(placed.v_.begin(), placed.v_.end(), 0.0);
  placed.model_.velocity_rows.clear();
  placed.model_.moving = false;
  for (Row& row : placed.model_.rows)
    if (row.motion >= 0) {
      row.offset += placed.model_.motions[static_cast<std::size_t>(row.motion)].value(0.0);
      row.motion = -1;
    }
  for (const std::string& name : how.hold)
    placed.model_.rows.push_back({name + " held", {{add(placed, name), 1}}, value_now(name), -1});
  for (const auto& [name, value] : how.positions) {
    if (!std::isfinite(value)) throw InputError(fmt::format("{} is to be at {}; give a number", name, value));
    placed.model_.rows.push_back({name + " placed", {{add(placed, name), 1}}, value, -1});
  }
  const MechanismModel at_rest = placed.finished();
  const State given = placed.start();
  State there = closed(at_rest, given, choice);
  WholeTurns(at_rest, given.q(), there.q()).take_back(there.q());
  const auto turns = static_cast<Eigen::Index>(model_.turns.size()),
             bodies = static_cast<Eigen::Index>(q_.size());
  placed.check_facing(there);

  Mechanism driven = *this;
  std::copy_n(there.z.data(), q_.size(), driven.q_.begin());
  for (const auto& [name, rate] : how.rates) {
    if (!std::isfinite(rate))
      throw InputError(fmt::format("the rate of {} is to be {}; give a number", name, rate));
    driven.model_.velocity_rows.push_back({name + " driven", {{add(driven, name), 1}}, rate, -1});
  }
  driven.model_.moving = driven.model_.moving || !how.rates.empty();
  // What this mechanism asks for comes first among the turns of all three, which have gone round as far as the positions say.
  State guess = driven.start();
  guess.q().segment(bodies, turns) = there.q().segment(bodies, turns);
  const State moving = closed(driven.finished(), guess);

  State state = start();
  state.q() = moving.q().head(state.layout.nq);
  state.v() = moving.v();
  // With its multipliers.
  const MechanismModel model = finished();
  state = closed(model, state);
  if (!massless_body(model)) return state;
  const RelativeCoordinates relative(model, joints_, state);
  return relative.absolute(consistent_state(*relative.problem(), relative.start()).state);
}

void Mechanism::check_facing(const State& state) const {
  const std::span<const double> q(state.z.data(), q_.size());
  for (const Facing& facing : model_.facing) {
    const Measure& m = facing.axes;
    const double cosine = value_of(m, pose_of(model_.body(m.a), q), pose_of(model_.body(m.b), q), q);
    if (cosine < 0)
      throw InputError(
          fmt::format("joint {} closes with its markers turned by 180 degrees against each other; give the "
                      "bodies nearer to how they belong, or turn a marker",
                      facing.joint));
  }
}

}  // namespace driftless::mechanics
