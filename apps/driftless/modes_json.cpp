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
  const io::StateUnits& units = report.units;
  const State state = units.state(report.found.linearization.state);
  Json json = {{"t", number(state.t)}, {"q", list(state.q())}};
  if (state.layout.order > 1) json["v"] = list(state.z.tail(state.z.size() - state.layout.nq));
  json["acceleration"] = list(units.of(report.found.linearization.acceleration, units.acceleration));
  json["lambda"] = list(state.lambda);
  json["kappa"] = list(state.kappa);
  return json;
}

// null: a problem of the catalog, whose numbers have no units.
Json units_json(const ModesReport& report) {
  const io::StateUnits& units = report.units;
  if (!units.known()) return nullptr;
  const auto names = [](const auto& all) {
    Json list = Json::array();
    for (const io::StateUnits::Unit& unit : all) list.push_back(unit.name);
    return list;
  };
  const auto nq = units.z.begin() + report.problem->shape().nq;
  return {{"t", units.time.name},
          {"q", names(std::vector(units.z.begin(), nq))},
          {"v", names(std::vector(nq, units.z.end()))},
          {"acceleration", names(units.acceleration)},
          {"lambda", names(units.lambda)},
          {"kappa", names(units.kappa)},
          {"eigenvalues", "1/s"},
          {"shapes", "SI"},
          {"residual", "SI"}};
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
                     {"units", units_json(report)},
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
