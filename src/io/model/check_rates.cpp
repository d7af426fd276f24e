// Rates that a start asks for: one after the other, the first that does not go with those before it is to blame, and what these leave is what it has
// then.
#include <cmath>

#include <fmt/format.h>

#include "io/model/check_parts.hpp"
#include "io/model/check_reach.hpp"

namespace driftless::io {

namespace {

using mechanics::Closing;
using mechanics::Dimension;
using mechanics::Pose;
using mechanics::Vec3;

struct Rate {
  std::string name;  // as the file has it
  double value = 0;
  bool angle = false;
};

Rate rate_of(const CheckedMechanism& mechanism, const std::string& name, const State& state) {
  const Model& model = mechanism.model;
  const auto dot = name.rfind('.');
  for (const ModelJoint& own : model.joints)
    if (dot != std::string::npos && own.name == name.substr(0, dot)) {
      const std::string coordinate = name.substr(dot + 1);
      return {name, mechanism.results.coordinate(state, own.id, coordinate).rate,
              model.mechanism.is_angle(own.id, coordinate)};
    }
  for (const ModelBody& own : model.bodies)
    if (dot != std::string::npos && own.name == name.substr(0, dot)) {
      const std::string entry = name.substr(dot + 1);
      const Pose pose = mechanism.results.pose(state, own.id);
      const Vec3 v = pose.v - cross(pose.w, pose.R * own.center);
      if (entry == "angle") return {name, pose.w.z, true};
      return {name, entry == "x" ? v.x : entry == "y" ? v.y : v.z, false};
    }
  return {name};
}

}  // namespace

std::optional<Unreached> rate_out_of_reach(const CheckedMechanism& mechanism) {
  const Closing& asked = mechanism.model.closing;
  Closing met = asked;
  met.rates.clear();
  try {
    State state = mechanism.model.mechanism.assembled(met);
    for (const auto& [name, value] : asked.rates) {
      const Rate left = rate_of(mechanism, name, state);
      met.rates[name] = value;
      try {
        state = mechanism.model.mechanism.assembled(met);
      } catch (const InputError&) {
        const Dimension unit =
            left.angle ? Dimension{.time = -1, .angle = 1} : Dimension{.length = 1, .time = -1};
        const std::vector<std::string> against = in_the_way_of(mechanism, name, state);
        const std::string why = against.empty() ? std::string()
                                                : fmt::format(": there {} {} in the way", list_of(against, 4),
                                                              against.size() == 1 ? "is" : "are");
        return Unreached{
            false, "start of " + left.name, against,
            fmt::format(
                "[start] asks for a rate of {} of {}, and what the joints, drives and rates before it "
                "leave is {}{}; give that, or leave one of them out",
                left.name, mechanism.told(value, unit), mechanism.told(left.value, unit), why)};
      }
    }
  } catch (const InputError&) {  // it is not the rates
  }
  return std::nullopt;
}

}  // namespace driftless::io
