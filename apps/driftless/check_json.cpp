// driftless check --json. Fields may be added, none renamed; amounts are in units of the file.
//   {"file", "title", "parameters": {name: text},
//    "drives": [], "counts": {"bodies", "joints", "forces", "drives", "velocities", "position_rows", "velocity_rows"},
//    "freedom": {"rank", "freedoms", "joint_rank", "joint_freedoms", "driven", "configuration"},      at the start
//    "parts": [{"freedoms", "bodies": []}], "driven": [], "locked": [],                               bodies
//    "redundant": [{"owner", "drive", "rows": [], "of", "on": []}], "redundant_rows",
//    "singular": null or {"rank", "nearby", "rows": [as in redundant]},
//    "start": {"closed", "moved", "sped", "gap", "shift", "turn", "velocity", "spin": {"value", "unit", "of"} or null, "held", "placed", "rated": []},
//    "motion": null or {"until", "unit", "states", "least_rank", "largest_rank", "complete", "end_message"},
//    "findings": [{"severity": "error"|"warning"|"note", "kind", "subject", "text"}], "errors", "warnings",
//    "method": {"formulation", "integrator", "stabilizer", "controls": [], "controller", "accuracy", "own", "refusal", "takes_redundant_rows"},
//    "version"}
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include <driftless/version.hpp>

#include "check_command.hpp"

namespace driftless::app {

namespace {

using Json = nlohmann::ordered_json;
using io::Finding;
using io::ModelCheck;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json amount_json(const io::NamedAmount& a) {
  return a.unit.empty() ? Json() : Json{{"value", number(a.value)}, {"unit", a.unit}, {"of", a.of}};
}

Json groups_json(const std::vector<io::DependentRows>& groups) {
  Json json = Json::array();
  for (const io::DependentRows& g : groups)
    json.push_back({{"owner", g.owner}, {"drive", g.drive}, {"rows", g.rows}, {"of", g.of}, {"on", g.on}});
  return json;
}

Json counts_json(const io::ModelCounts& c) {
  return {{"bodies", c.bodies},
          {"joints", c.joints},
          {"forces", c.forces},
          {"drives", c.drives},
          {"velocities", c.velocities},
          {"position_rows", c.position_rows},
          {"velocity_rows", c.velocity_rows}};
}

Json freedom_json(const io::FreedomCheck& f) {
  return {{"rank", f.rank},
          {"freedoms", f.freedoms},
          {"joint_rank", f.joint_rank},
          {"joint_freedoms", f.joint_freedoms},
          {"driven", f.driven},
          {"configuration", f.configuration}};
}

Json start_json(const io::StartCheck& s) {
  return {{"closed", s.closed},
          {"moved", s.moved},
          {"sped", s.sped},
          {"gap", amount_json(s.gap)},
          {"shift", amount_json(s.shift)},
          {"turn", amount_json(s.turn)},
          {"velocity", amount_json(s.velocity)},
          {"spin", amount_json(s.spin)},
          {"held", s.held},
          {"placed", s.placed},
          {"rated", s.rated}};
}

Json motion_json(const ModelCheck& check) {
  const io::MotionCheck& m = check.motion;
  if (!m.made) return {};
  return {{"until", number(m.until)},    {"unit", check.time_unit},        {"states", m.states},
          {"least_rank", m.least_rank},  {"largest_rank", m.largest_rank}, {"complete", m.complete},
          {"end_message", m.end_message}};
}

Json method_json(const CheckReport& report) {
  const Method& m = report.method.words;
  return {{"formulation", m.formulation},
          {"integrator", m.integrator},
          {"stabilizer", m.stabilizer},
          {"controls", m.controls},
          {"controller", m.controller},
          {"accuracy", report.method.accuracy},
          {"own", report.method.own},
          {"refusal", report.method.refusal},
          {"takes_redundant_rows", report.method.refusal.empty() && !report.check.motion.rank_refused}};
}

}  // namespace

std::string check_json(const CheckReport& report) {
  const ModelCheck& check = report.check;
  Json parameters = Json::object(), parts = Json::array(), findings = Json::array();
  for (const auto& [name, value] : report.parameters) parameters[name] = value;
  for (const io::FreePart& part : check.free)
    parts.push_back({{"freedoms", part.freedoms}, {"bodies", part.bodies}});
  for (const Finding& f : check.findings)
    findings.push_back(
        {{"severity", name_of(f.severity)}, {"kind", f.kind}, {"subject", f.subject}, {"text", f.text}});
  const auto number_of = [&](Finding::Severity severity) {
    return std::count_if(check.findings.begin(), check.findings.end(),
                         [&](const Finding& f) { return f.severity == severity; });
  };
  const Json singular = check.singular ? Json{{"rank", check.singular->rank},
                                              {"nearby", check.singular->nearby},
                                              {"rows", groups_json(check.singular->rows)}}
                                       : Json();
  const Json json = {{"file", check.file},
                     {"title", check.title},
                     {"parameters", parameters},
                     {"drives", check.drives},
                     {"counts", counts_json(check.counts)},
                     {"freedom", freedom_json(check.freedom)},
                     {"parts", parts},
                     {"driven", check.driven},
                     {"locked", check.locked},
                     {"redundant", groups_json(check.redundant)},
                     {"redundant_rows", check.redundant_rows()},
                     {"singular", singular},
                     {"start", start_json(check.start)},
                     {"motion", motion_json(check)},
                     {"findings", findings},
                     {"errors", number_of(Finding::Severity::error)},
                     {"warnings", number_of(Finding::Severity::warning)},
                     {"method", method_json(report)},
                     {"version", version}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string faults_json(const std::string& file, const io::ModelError& error) {
  Json faults = Json::array();
  for (const io::ModelFault& fault : error.faults())
    faults.push_back(
        {{"line", fault.line}, {"column", fault.column}, {"path", fault.path}, {"message", fault.message}});
  return Json({{"model", file}, {"faults", faults}}).dump(2) + "\n";
}

}  // namespace driftless::app
