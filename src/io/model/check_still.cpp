// What does not move: drives whose motion is one value, and mechanisms on which nothing acts.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Motion;
using mechanics::Row;
using Severity = Finding::Severity;

constexpr double usual_end = 10;  // s
constexpr int samples = 16;
constexpr double most_turns = 2;
constexpr double roundoff = 1e-12;  // of speeds in SI

// The value that it has at all times; nothing: it moves.
std::optional<double> only_value(const Motion& motion, double end) {
  const double first = motion.value(0.0);
  for (int i = 1; i <= samples; ++i)
    if (motion.value(end * (i - 0.37) / samples) != first) return std::nullopt;
  return first;
}

}  // namespace

void look_at_still_drives(const CheckedParts& mechanism, ModelCheck& check) {
  const double end = mechanism.model.run.t_end.value_or(usual_end);
  for (const Row& row : mechanism.parts.rows) {
    if (row.motion < 0) continue;
    const auto value = only_value(mechanism.parts.motions[static_cast<std::size_t>(row.motion)], end);
    if (!value || *value == 0 || !std::isfinite(*value)) continue;  // held where it is
    const bool angle = mechanism.parts.measure(row.terms.front().measure).is_angle();
    const double turns =
        angle && mechanism.model.units.angle == 1 ? std::abs(*value) / (2 * std::numbers::pi) : 0;
    const NamedAmount amount =
        mechanism.in_units(*value, angle ? mechanics::Dimension{.angle = 1} : mechanics::length_unit, "");
    add_finding(
        check, turns > most_turns ? Severity::warning : Severity::note, "still-drive", "drive " + row.name,
        fmt::format(
            "its motion is {:.6g} {} at all times{}, so that it does not move; for {:.6g} {}/{} write "
            "\"{:.6g}*t\"",
            amount.value, amount.unit, turns > most_turns ? fmt::format(" ({:.3g} turns)", turns) : "",
            amount.value, amount.unit, check.time_unit, amount.value));
  }
}

void look_at_stillness(const CheckedMechanism& mechanism, const State& start, ModelCheck& check) {
  const mechanics::MechanismModel& parts = mechanism.parts;
  const double end = mechanism.model.run.t_end.value_or(usual_end);
  const bool driven = std::any_of(parts.motions.begin(), parts.motions.end(),
                                  [&](const Motion& motion) { return !only_value(motion, end); });
  const Vector v = start.v();
  if (norm(parts.gravity) > 0 || !parts.forces.empty() || driven || !v.allFinite() ||
      v.cwiseAbs().maxCoeff() > roundoff)
    return;
  add_finding(
      check, Severity::note, "nothing-acts", "mechanism",
      "nothing acts on it and nothing moves: there is no gravity, no force, no drive and no speed at the "
      "start; give one of them, like gravity = [0, -9.81] in the plane");
}

}  // namespace driftless::io
