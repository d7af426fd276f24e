// Closing a rough assembly: what is held, placed or given a rate becomes a constraint like the joints, and consistent_state() moves the rest
// as little as possible.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

namespace driftless::mechanics {

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
    Measure m{.kind = Measure::Kind::component, .b = static_cast<int>(i)};
    for (const auto& [entry, axis] :
         {std::pair{"x", Vec3{1, 0, 0}}, {"y", Vec3{0, 1, 0}}, {"z", Vec3{0, 0, 1}}}) {
      if (planar && axis.z != 0) continue;
      known.push_back(body.name + " " + entry);
      m.ua = axis;
      if (known.back() == name) return m;
    }
    if (!planar) continue;
    known.push_back(body.name + " angle");
    if (known.back() == name) return {.kind = Measure::Kind::angle, .b = static_cast<int>(i)};
  }
  throw InputError(fmt::format("there is no coordinate '{}' to close the assembly with; there are {}{}", name,
                               fmt::join(known, ", "), suggestion(name, known)));
}

State Mechanism::assembled(const Closing& how) const {
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
  // Positions first: what is placed may move.
  Mechanism placed = *this;
  for (const std::string& name : how.hold)
    placed.model_.rows.push_back({name + " held", {{add(placed, name), 1}}, value_now(name), -1});
  for (const auto& [name, value] : how.positions)
    placed.model_.rows.push_back({name + " placed", {{add(placed, name), 1}}, value, -1});
  const State there = consistent_state(*make_problem(placed.finished()), placed.start()).state;

  Mechanism driven = *this;
  std::copy_n(there.z.data(), q_.size(), driven.q_.begin());
  for (const auto& [name, rate] : how.rates)
    driven.model_.velocity_rows.push_back({name + " driven", {{add(driven, name), 1}}, rate, -1});
  driven.model_.moving = driven.model_.moving || !how.rates.empty();
  const State moving = consistent_state(*make_problem(driven.finished()), driven.start()).state;

  State state = start();
  std::copy_n(moving.z.data(), q_.size(), state.z.data());
  state.v() = moving.v();
  finished().normalize(std::span<double>(state.z.data(), static_cast<std::size_t>(state.layout.nq)));
  return state;
}

}  // namespace driftless::mechanics
