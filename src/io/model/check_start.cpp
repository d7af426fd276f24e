// The start: how far the bodies were from closed and what closing them moved. Where they cannot be closed, what is asked for is taken back step by
// step, forces first, then [start], then drives, until they can: what was taken last is to blame.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>

#include "io/model/check_parts.hpp"
#include "mechanics/crossed_axes.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Pose;
using mechanics::Vec3;
using Severity = Finding::Severity;

constexpr double roundoff = 1e-9;   // moves below it, in m and rad, are not told
constexpr double noticed = 0.05;    // of the largest gap, for a joint to be named with it
constexpr double most_open = 0.1;   // of the size of a mechanism: more is no rough start
constexpr double most_lost = 0.01;  // of a speed that the file gives
constexpr double closable = 1e-6;   // a gap in m or rad below it is not what keeps a mechanism open

std::vector<std::string> names_of(const std::map<std::string, double>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

void keep_larger(NamedAmount& largest, const NamedAmount& other) {
  if (std::abs(other.value) > std::abs(largest.value) || largest.unit.empty()) largest = other;
}

// Of the rotation from one orientation to the other: |R - S| = sqrt(8) sin(angle/2).
double turn_between(const Pose& a, const Pose& b) {
  const Vec3 x = a.R.x - b.R.x, y = a.R.y - b.R.y, z = a.R.z - b.R.z;
  return 2 * std::asin(std::min(1.0, std::sqrt((dot(x, x) + dot(y, y) + dot(z, z)) / 8)));
}

void compare(const CheckedMechanism& mechanism, const State& given, const State& closed, StartCheck& start) {
  constexpr Dimension length{.length = 1}, angle{.angle = 1}, speed{.length = 1, .time = -1},
      rate{.time = -1, .angle = 1};
  for (const ModelBody& body : mechanism.model.bodies) {
    const Pose from = mechanism.results.pose(given, body.id), to = mechanism.results.pose(closed, body.id);
    const auto origin = [&](const Pose& p) { return p.r - p.R * body.center; };
    const auto velocity = [&](const Pose& p) { return p.v - cross(p.w, p.R * body.center); };
    const double moves[] = {norm(origin(to) - origin(from)),
                            body.planar ? std::abs(to.angle - from.angle) : turn_between(from, to),
                            norm(velocity(to) - velocity(from)), norm(to.w - from.w)};
    keep_larger(start.shift, mechanism.in_units(moves[0], length, body.name));
    keep_larger(start.turn, mechanism.in_units(moves[1], angle, body.name));
    keep_larger(start.velocity, mechanism.in_units(moves[2], speed, body.name));
    keep_larger(start.spin, mechanism.in_units(moves[3], rate, body.name));
    start.moved = start.moved || moves[0] > roundoff || moves[1] > roundoff;
    start.sped = start.sped || moves[2] > roundoff || moves[3] > roundoff;
  }
}

// The joint that is farthest from closed as the bodies are given: closing it makes another mechanism than the one that was written down.
void look_at_gap(const CheckedMechanism& mechanism, const State& given, const Vector& g, ModelCheck& check) {
  const double size = mechanism.problem->scales(given.t, given.q()).length;
  std::optional<int> worst;
  for (int i = 0; i < static_cast<int>(g.size()); ++i) {
    const mechanics::Row& row = mechanism.parts.rows[static_cast<std::size_t>(i)];
    const mechanics::Measure& measure = mechanism.parts.measure(row.terms.front().measure);
    if (row.motion >= 0 || row.terms.size() > 1 || measure.is_angle() ||
        measure.kind == mechanics::Measure::Kind::axes)
      continue;
    if (std::abs(g(i)) > most_open * size && (!worst || std::abs(g(i)) > std::abs(g(*worst)))) worst = i;
  }
  if (!worst) return;
  const NamedAmount gap = mechanism.row_amount(*worst, std::abs(g(*worst)));
  const NamedAmount& shift = check.start.shift;
  add_finding(
      check, Severity::warning, "open-start",
      "joint " + mechanism.owners[static_cast<std::size_t>(*worst)].name,
      fmt::format("as the bodies are given it is open by {:.3g} {}, and the mechanism is {} large (at most "
                  "{} of it expected); closing it moved {} by {:.3g} {}: check where its two sides sit and "
                  "the lengths",
                  gap.value, gap.unit, mechanism.told(size, {.length = 1}), most_open, shift.of, shift.value,
                  shift.unit));
}

// A speed that the file gives a body, and that its joints and drives do not leave it.
void look_at_speeds(const CheckedMechanism& mechanism, const State& given, const State& closed,
                    ModelCheck& check) {
  constexpr Dimension speed{.length = 1, .time = -1}, rate{.time = -1, .angle = 1};
  for (const ModelBody& body : mechanism.model.bodies) {
    const Pose from = mechanism.results.pose(given, body.id), to = mechanism.results.pose(closed, body.id);
    const auto velocity = [&](const Pose& p) { return p.v - cross(p.w, p.R * body.center); };
    const auto own = [](const Pose& p) { return to_body(p.R, p.w); };  // in a body that closing turned
    const struct {
      const char* what;
      Vec3 given, had;
      const Dimension& unit;
    } speeds[] = {{"velocity", velocity(from), velocity(to), speed},
                  {body.planar ? "spin" : "rates", own(from), own(to), rate}};
    for (const auto& one : speeds) {
      const double lost = norm(one.had - one.given);
      if (!(norm(one.given) > 0) || !(lost > most_lost * norm(one.given))) continue;
      add_finding(
          check, Severity::warning, "lost-speed", "body " + body.name,
          fmt::format(
              "the {} that the file gives it, {}, does not fit its joints and drives and what other bodies "
              "have: the run begins with {}, which is {} off (at most {:g} % expected); give velocities "
              "that fit, or leave them out and give [start] rates",
              one.what, mechanism.told(norm(one.given), one.unit), mechanism.told(norm(one.had), one.unit),
              mechanism.told(lost, one.unit), 100 * most_lost));
      break;
    }
  }
}

// Which joints and drives keep the mechanism open, and by how much; nothing where that is not what is wrong.
std::string open_joints(const CheckedMechanism& mechanism, const State& given, std::string& subject) {
  const Vector g = least_gaps(*mechanism.forceless, given);
  if (g.size() == 0 || !g.allFinite() || g.cwiseAbs().maxCoeff() < closable) return {};
  Eigen::Index worst = 0;
  const double largest = g.cwiseAbs().maxCoeff(&worst);
  std::vector<std::string> names;
  std::set<std::string> told;
  for (Eigen::Index i = 0; i < g.size(); ++i) {
    const std::string& name = mechanism.owners[static_cast<std::size_t>(i)].name;
    if (std::abs(g(i)) > noticed * largest && told.insert(name).second) names.push_back(name);
  }
  const NamedAmount gap = mechanism.row_amount(static_cast<int>(worst), g(worst));
  subject = list_of(names);
  return fmt::format(
      "cannot be closed together: at best {} is left open by {:.4g} {} (must be 0); check where these joints "
      "are, the lengths between them and what [start] and drives ask for",
      gap.of, gap.value, gap.unit);
}

// The first of the problems that can be closed from there; as given where none can.
State nearest_closed(const std::vector<const Problem*>& problems, const State& given, std::size_t& which) {
  for (which = 0; which < problems.size(); ++which) {
    try {
      State state = given;
      state.z = consistent_state(*problems[which], given).state.z;
      return state;
    } catch (const InputError&) {  // the next one asks for less
    }
  }
  return given;
}

// What [start] asks for is to blame if the mechanism can be closed without it.
bool asks_too_much(const Model& model) {
  const mechanics::Closing& closing = model.closing;
  if (closing.hold.empty() && closing.positions.empty() && closing.rates.empty()) return false;
  try {
    model.mechanism.assembled({});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Tells what is wrong, by what has to be taken back.
State without_what_is_wrong(const CheckedMechanism& mechanism, const State& given, const std::string& why,
                            ModelCheck& check) {
  std::size_t which = 0;
  State state = nearest_closed({mechanism.forceless.get(), mechanism.undriven.get()}, given, which);
  const auto blame = [&](const char* kind, const std::string& subject, const std::string& text) {
    add_finding(check, Severity::error, kind, subject, text);
  };
  for (const State* place : std::initializer_list<const State*>{&given, &state}) {
    const std::string fault = mechanism.problem->fault(place->t, place->z);
    if (fault.empty()) continue;
    const auto colon = fault.find(": ");  // "force thrust: sqrt of -1 in .."
    blame("formula", fault.substr(0, colon),
          fmt::format("{} at the start; change the formula, or begin elsewhere",
                      colon == std::string::npos ? fault : fault.substr(colon + 2)));
    return state;
  }
  if (const std::string crossed = mechanics::crossed_axes(mechanism.parts, given);
      which > 0 && !crossed.empty()) {
    blame("assembly", "assembly", crossed);
    return state;
  }
  std::string subject = which == 0 ? "start" : "assembly";
  if (which < 2)  // the joints can be closed
    if (auto out_of_reach = unreached(mechanism, given);
        out_of_reach || (out_of_reach = rate_out_of_reach(mechanism))) {
      blame(out_of_reach->drive ? "drives" : "start", out_of_reach->subject, out_of_reach->text);
      return state;
    }
  if (which == 0) {
    const bool asked = asks_too_much(mechanism.model);
    blame(asked ? "start" : "acceleration", subject,
          (asked ? "what [start] asks for is not possible: " : "") + why);
    return state;
  }
  if (const std::string open = open_joints(mechanism, given, subject); !open.empty())
    blame(which == 1 ? "drives" : "assembly", subject, open);
  else if (which == 1)
    blame("drives", list_of(mechanism.model.drives),
          "the joints can be closed, but not with the drives: " + why);
  else
    blame("assembly", subject, why);
  return state;
}

}  // namespace

State close_start(const CheckedMechanism& mechanism, ModelCheck& check) {
  StartCheck& start = check.start;
  const mechanics::Closing& closing = mechanism.model.closing;
  start.held = closing.hold;
  start.placed = names_of(closing.positions);
  start.rated = names_of(closing.rates);
  const State given = mechanism.model.mechanism.start();
  const Vector g = gaps_at(*mechanism.forceless, given);
  if (Eigen::Index worst = 0; g.size() > 0 && g.allFinite()) {
    g.cwiseAbs().maxCoeff(&worst);
    start.gap = mechanism.row_amount(static_cast<int>(worst), g(worst));
  }
  try {
    std::string choice;
    const State closed = mechanism.model.mechanism.assembled(closing, &choice);
    if (!choice.empty()) add_finding(check, Severity::warning, "several-ways", "start", choice);
    compare(mechanism, given, closed, start);
    start.closed = true;
    if (g.allFinite()) look_at_gap(mechanism, given, g, check);
    look_at_speeds(mechanism, given, closed, check);
    return closed;
  } catch (const InputError& error) {
    return without_what_is_wrong(mechanism, given, error.what(), check);
  }
}

}  // namespace driftless::io
