#include <cmath>

#include <nlohmann/json.hpp>

#include <driftless/version.hpp>

#include "modes_command.hpp"

namespace driftless::app {

namespace {

using Json = nlohmann::ordered_json;
using analysis::Mode;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json list(VectorIn values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

// Levels above the velocities have no names of their own.
std::string level_name(const Problem& problem, int level, int i) {
  return problem.velocity_name(i) + std::string(static_cast<std::size_t>(level - 1), '\'');
}

Json state_json(const ModesReport& report) {
  const State& state = report.found.linearization.state;
  Json json = {{"t", number(state.t)}, {"q", list(state.q())}};
  if (state.layout.order > 1) json["v"] = list(state.z.tail(state.z.size() - state.layout.nq));
  json["acceleration"] = list(report.found.linearization.acceleration);
  json["lambda"] = list(state.lambda);
  json["kappa"] = list(state.kappa);
  return json;
}

Json shape_json(const ModesReport& report, const Mode& mode) {
  const Layout& layout = report.found.linearization.state.layout;
  const auto entry = [](const std::complex<double>& value) {
    return Json::array({number(value.real()), number(value.imag())});
  };
  Json q = Json::object(), v = Json::object();
  for (int i = 0; i < layout.nq; ++i) q[report.problem->coordinate_name(i)] = entry(mode.coordinates(i));
  for (int level = 1; level < layout.order; ++level)
    for (int i = 0; i < layout.nv; ++i)
      v[level_name(*report.problem, level, i)] = entry(mode.velocities((level - 1) * layout.nv + i));
  return {{"q", q}, {"v", v}};
}

Json mode_json(const ModesReport& report, const Mode& mode) {
  return {{"real", number(mode.value.real())},
          {"imag", number(mode.value.imag())},
          {"count", mode.count},
          {"kind", name_of(mode.kind)},
          {"frequency", number(mode.frequency())},
          {"hertz", number(mode.hertz())},
          {"damping", number(mode.damping())},
          {"roundoff", number(mode.roundoff)},
          {"shape", shape_json(report, mode)}};
}

}  // namespace

std::string modes_json(const ModesReport& report) {
  const analysis::Modes& found = report.found;
  Json parameters = Json::object(), modes = Json::array();
  for (const auto& [name, value] : report.parameters) parameters[name] = value;
  for (const Mode& mode : found.modes) modes.push_back(mode_json(report, mode));
  const Json json = {{"problem", report.name},
                     {"parameters", parameters},
                     {"at", state_json(report)},
                     {"equilibrium", found.linearization.equilibrium},
                     {"residual", number(found.linearization.residual)},
                     {"modes", modes},
                     {"verdict", name_of(found.verdict)},
                     {"explanation", found.explanation},
                     {"notes", report.notes},
                     {"version", version}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless::app
