#include <driftless/io/saved_run.hpp>

#include <fstream>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <driftless/core/errors.hpp>
#include <driftless/version.hpp>

#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

using Json = nlohmann::ordered_json;

Json list(const Vector& values) {
  return std::vector<double>(values.begin(), values.end());
}

Vector vector_of(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Json optional(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

std::optional<double> optional_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json json_of(const Checkpoint& c) {
  Json extras = Json::object();
  for (const Extra& extra : c.state.extras) extras[extra.name] = list(extra.value);
  return {{"state",
           {{"t", c.state.t},
            {"order", c.state.layout.order},
            {"nq", c.state.layout.nq},
            {"nv", c.state.layout.nv},
            {"z", list(c.state.z)},
            {"lambda", list(c.state.lambda)},
            {"kappa", list(c.state.kappa)},
            {"extras", extras}}},
          {"t_start", c.t_start},
          {"fixed_steps", c.fixed_steps},
          {"h", c.h},
          {"integrator", c.integrator},
          {"controller", c.controller},
          {"stabilizer", c.stabilizer},
          {"anchor", c.anchor},
          {"event_signs", c.event_signs}};
}

Checkpoint checkpoint_of(const Json& json) {
  Checkpoint c;
  const Json& s = json.at("state");
  c.state.t = s.at("t").get<double>();
  c.state.layout = {s.at("order").get<int>(), s.at("nq").get<int>(), s.at("nv").get<int>()};
  c.state.z = vector_of(s.at("z"));
  c.state.lambda = vector_of(s.at("lambda"));
  c.state.kappa = vector_of(s.at("kappa"));
  for (const auto& [name, value] : s.at("extras").items()) c.state.extras.push_back({name, vector_of(value)});
  c.t_start = json.at("t_start").get<double>();
  c.fixed_steps = json.at("fixed_steps").get<long>();
  c.h = json.at("h").get<double>();
  c.integrator = json.at("integrator").get<std::vector<double>>();
  c.controller = json.at("controller").get<std::vector<double>>();
  c.stabilizer = json.at("stabilizer").get<std::vector<double>>();
  c.anchor = json.at("anchor").get<std::vector<double>>();
  c.event_signs = json.at("event_signs").get<std::vector<int>>();
  return c;
}

// Paths may have any bytes, JSON has UTF-8 alone: other texts are arrays of their bytes.
Json text_json(const std::string& text) {
  if (mechanics::foreign_byte(text) == text.npos) return text;
  return std::vector<unsigned char>(text.begin(), text.end());
}
std::string text_of(const Json& json) {
  if (!json.is_array()) return json.get<std::string>();
  const auto bytes = json.get<std::vector<unsigned char>>();
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace

std::string saved_run_json(const SavedRun& run) {
  Json parameters = Json::array();
  for (const auto& [name, value] : run.parameters) parameters.push_back({name, value});
  const MethodWords& m = run.method;
  const Options& o = run.options;
  const Json json = {{"driftless", run.version},
                     {"problem", text_json(run.problem)},
                     {"parameters", parameters},
                     {"method",
                      {{"formulation", m.formulation},
                       {"integrator", m.integrator},
                       {"stabilizer", m.stabilizer},
                       {"controls", m.controls},
                       {"controller", m.controller},
                       {"coordinates", m.coordinates}}},
                     {"settings",
                      {{"t_end", o.t_end},
                       {"step", optional(o.step)},
                       {"rtol", optional(o.rtol)},
                       {"atol", optional(o.atol)},
                       {"hmax", optional(o.hmax)}}},
                     {"events", run.events},
                     {"loops", text_json(run.loops)},
                     {"keyframe", run.keyframe},
                     {"allow_outside", run.allow_outside},
                     {"model_digest", run.model_digest},
                     {"checkpoint", json_of(run.checkpoint)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SavedRun read_saved_run(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto file = std::filesystem::is_directory(path, ignored) ? path / "checkpoint.json" : path;
  std::ifstream in(file, std::ios::binary);
  if (!in || path.empty())
    throw InputError(fmt::format(
        "{} cannot be read; give the folder of an earlier run, or its checkpoint.json", file.string()));
  try {
    const Json json = Json::parse(in);
    SavedRun run;
    run.version = json.at("driftless").get<std::string>();
    run.problem = text_of(json.at("problem"));
    for (const Json& pair : json.at("parameters"))
      run.parameters.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
    const Json &m = json.at("method"), &s = json.at("settings");
    run.method = {m.at("formulation").get<std::string>(), m.at("integrator").get<std::string>(),
                  m.at("stabilizer").get<std::string>(),  m.at("controls").get<std::vector<std::string>>(),
                  m.at("controller").get<std::string>(),  m.value("coordinates", "")};
    run.options.t_end = s.at("t_end").get<double>();
    run.options.step = optional_of(s.at("step"));
    run.options.rtol = optional_of(s.at("rtol"));
    run.options.atol = optional_of(s.at("atol"));
    run.options.hmax = optional_of(s.at("hmax"));
    run.events = json.at("events").get<std::vector<std::string>>();
    if (json.contains("loops")) run.loops = text_of(json.at("loops"));
    run.keyframe = json.value("keyframe", "");
    run.allow_outside = json.value("allow_outside", false);
    run.model_digest = json.value("model_digest", "");
    run.checkpoint = checkpoint_of(json.at("checkpoint"));
    return run;
  } catch (const Json::parse_error& error) {
    throw InputError(
        fmt::format("'{}' is no JSON document (byte {} is wrong); give the folder of a run, or "
                    "its checkpoint.json",
                    file.string(), error.byte));
  } catch (const Json::exception&) {
    throw InputError(
        fmt::format("'{}' is no checkpoint of a run: something is missing in it or of the wrong kind; "
                    "give the folder of a run, or its checkpoint.json",
                    file.string()));
  }
}

}  // namespace driftless::io
