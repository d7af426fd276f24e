// What a run looks at before it computes.
#include <algorithm>

#include <driftless/core/errors.hpp>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

constexpr double affordable =
    3e6;  // operations of a decision on the rank: some milliseconds for all that is asked
constexpr int most_velocities = 600;  // of a start whose faults are looked for

void look_at_file(const CheckedParts& mechanism, ModelCheck& check) {
  look_at_numbers(mechanism, check);
  look_at_bodies(mechanism, check);
  look_at_joints(mechanism, check);
  look_at_forces(mechanism, check);
  look_at_still_drives(mechanism, check);
}

// Notes that say why a run shows nothing; the others wait for check.
bool told_by_runs(const Finding& finding) {
  return finding.severity != Finding::Severity::note || finding.kind == "still-drive" ||
         finding.kind == "nothing-acts";
}

}  // namespace

std::vector<Finding> quick_findings(const Model& model) {
  ModelCheck check;
  check.time_unit = model.unit_names.at("time");
  check.drives = model.drives;
  try {
    const CheckedParts parts(model);
    look_at_file(parts, check);
    if (parts.parts.nv <= most_velocities) {
      look_at_time(parts, check);
      const CheckedMechanism mechanism(model);
      check.counts = counts_of(mechanism);
      if (operations(*mechanism.forceless) <= affordable) {
        const State start = close_start(mechanism, check);
        if (check.start.closed) look_at_stillness(mechanism, start, check);
        look_at_redundancy(mechanism, start, {}, check);
      }
    }
  } catch (const InputError& error) {
    add_finding(check, Finding::Severity::error, "mechanism", "mechanism", error.what());
  }
  std::erase_if(check.findings, [](const Finding& f) { return !told_by_runs(f); });
  std::stable_sort(check.findings.begin(), check.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return check.findings;
}

std::string start_faults(const Model& model, const std::string& why) {
  ModelCheck check;
  try {
    const CheckedParts parts(model);
    look_at_file(parts, check);
    if (parts.parts.nv <= most_velocities) close_start(CheckedMechanism(model), check);
  } catch (const InputError&) {  // then the reason given is all there is
  }
  std::string text;
  for (const Finding& f : check.findings)
    if (f.severity == Finding::Severity::error)
      text += (text.empty() ? "" : "\n") + f.subject + ": " + f.text;
  return text.empty() ? why : text;
}

}  // namespace driftless::io
