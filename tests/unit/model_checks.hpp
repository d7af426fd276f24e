// What the tests of check_model() share: small models in text, and how to look for a finding.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <driftless/catalog/method.hpp>
#include <driftless/io/model_check.hpp>

namespace driftless::model_checks {

using io::Finding;
using io::ModelCheck;
using Names = std::vector<std::string>;
using Severity = Finding::Severity;

inline Solution by_default(const Problem& problem, const State& start, const Options& options) {
  return solve(problem, start, Method{}, options);
}

inline ModelCheck checked(const std::string& text, const io::MotionMaker& motion = by_default) {
  return io::check_model(io::read_model_text(text, "test.toml"), motion);
}

inline const Finding* found(const ModelCheck& check, const std::string& kind) {
  const auto at = std::find_if(check.findings.begin(), check.findings.end(),
                               [&](const Finding& f) { return f.kind == kind; });
  return at == check.findings.end() ? nullptr : &*at;
}

inline std::string told(const ModelCheck& check) {
  std::string text;
  for (const Finding& f : check.findings)
    text += fmt::format("{} [{}] {}: {}\n", name_of(f.severity), f.kind, f.subject, f.text);
  return text;
}

inline std::string bar(const std::string& name, const std::string& from, const std::string& to, bool planar) {
  return fmt::format("[body.{}]\nfrom = {}\nto = {}\nmass = 1\ninertia = {}\n", name, from, to,
                     planar ? "0.1" : "[0.05, 0.1, 0.1]");
}
inline std::string pin(const std::string& name, const std::string& a, const std::string& b,
                       const std::string& at, const std::string& type = "revolute") {
  return fmt::format("[joint.{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\nat = {}\n", name, type, a, b,
                     at);
}

// A four-bar linkage away from special places; in space its axes are all along z.
inline std::string four_bar(bool planar) {
  const auto at = [&](const char* xy) {
    return planar ? fmt::format("[{}]", xy) : fmt::format("[{}, 0]", xy);
  };
  return fmt::format("title = \"four-bar\"\ndimensions = {}\ngravity = {}\n", planar ? 2 : 3,
                     planar ? "[0, -9.81]" : "[0, -9.81, 0]") +
         bar("crank", at("0, 0"), at("0.3, 0.9"), planar) +
         bar("coupler", at("0.3, 0.9"), at("2, 1.5"), planar) +
         bar("rocker", at("2.2, 0"), at("2, 1.5"), planar) + pin("A", "ground", "crank", at("0, 0")) +
         pin("B", "crank", "coupler", at("0.3, 0.9")) + pin("C", "coupler", "rocker", at("2, 1.5")) +
         pin("D", "ground", "rocker", at("2.2, 0"));
}

}  // namespace driftless::model_checks
