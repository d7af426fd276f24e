#include "apart.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "../../common/child.hpp"

namespace driftless::benchmarks::random {

namespace {

using nlohmann::json;

// Beyond the limit a run ends itself after its next step.
constexpr double patience = 1.5;

json to_json(const Run& run) {
  json places = json::array();
  for (const auto& bodies : run.places) {
    json& all = places.emplace_back(json::array());
    for (const Vec3& r : bodies) all.push_back({r.x, r.y, r.z});
  }
  return {
      {"ending", run.ending}, {"reason", run.reason},  {"sentence", run.sentence},
      {"notes", run.notes},   {"warned", run.warned},  {"t", run.t},
      {"places", places},     {"drift", run.drift},    {"balance", run.balance ? json(*run.balance) : json()},
      {"steps", run.steps},   {"seconds", run.seconds}};
}

// Numbers that are not finite became null.
double number(const json& value) {
  return value.is_number() ? value.get<double>() : NAN;
}

Run from_json(const json& report, Way way) {
  Run run{.way = way};
  report["ending"].get_to(run.ending);
  report["reason"].get_to(run.reason);
  report["sentence"].get_to(run.sentence);
  report["notes"].get_to(run.notes);
  report["warned"].get_to(run.warned);
  report["steps"].get_to(run.steps);
  run.t = number(report["t"]);
  run.drift = number(report["drift"]);
  run.seconds = number(report["seconds"]);
  if (report["balance"].is_number()) run.balance = report["balance"].get<double>();
  for (const json& bodies : report["places"]) {
    auto& all = run.places.emplace_back();
    for (const json& r : bodies) all.push_back({number(r[0]), number(r[1]), number(r[2])});
  }
  return run;
}

}  // namespace

Run run_apart(const std::string& text, Way way, double size, double seconds_limit) {
  ChildReport report;
  // On a busy machine a process may be given no time: what has used little of it is asked again before it is
  // called stuck.
  for (int tries = 0; tries < 3; ++tries) {
    report = in_child([&] { return to_json(run_model(text, way, size, seconds_limit)); },
                      patience * seconds_limit + 2);
    if (!report.out_of_time || report.processor_seconds > seconds_limit) break;
  }
  if (report.failure.empty()) return from_json(report.answer, way);
  Run run{.way = way};
  run.sentence = report.failure;
  run.ending = report.out_of_time ? Run::Ending::stuck
               : report.signal    ? Run::Ending::crashed
                                  : Run::Ending::failed;
  return run;
}

}  // namespace driftless::benchmarks::random
