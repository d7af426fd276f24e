#include <driftless/io/model_check.hpp>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using Severity = Finding::Severity;

FreedomCheck freedom_at(const CheckedMechanism& mechanism, const State& start, const RowRank& all,
                        const RowRank& joints) {
  const Shape& shape = mechanism.shape();
  FreedomCheck freedom{.rank = all.rank, .freedoms = shape.nv - all.rank, .joint_rank = joints.rank};
  freedom.joint_freedoms = freedom.configuration = shape.nv - freedom.joint_rank;
  freedom.driven = all.rank - freedom.joint_rank;
  if (shape.nk > 0)
    freedom.configuration = shape.nv - rank_at(*mechanism.undriven, start, RankDecision::Of::positions).rank;
  return freedom;
}

// Rows that are left out at the start and not elsewhere.
std::optional<SingularStart> singular_start(const CheckedMechanism& mechanism, const State& start,
                                            const RowRank& there, const GenericPlace& elsewhere) {
  const int nearby = mechanism.shape().multipliers() - static_cast<int>(elsewhere.left_out.size());
  if (nearby <= there.rank) return std::nullopt;
  std::vector<int> rows;
  std::set_difference(there.left_out.begin(), there.left_out.end(), elsewhere.left_out.begin(),
                      elsewhere.left_out.end(), std::back_inserter(rows));
  return SingularStart{there.rank, nearby, dependent_groups(mechanism, start, rows)};
}

}  // namespace

ModelCounts counts_of(const CheckedMechanism& mechanism) {
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  const Model& model = mechanism.model;
  const Shape& shape = mechanism.shape();
  return {.bodies = size(model.bodies),
          .joints = size(model.joints),
          .forces = size(model.forces),
          .drives = size(model.drives),
          .velocities = shape.nv,
          .position_rows = shape.ng,
          .velocity_rows = shape.nk};
}

void look_at_redundancy(const CheckedMechanism& mechanism, const State& start, const MotionMaker& motion,
                        ModelCheck& check) {
  RowRank there = rank_at(*mechanism.forceless, start);
  there.left_out = repeating_rows(mechanism, start, there.left_out);
  const RowRank joints = mechanism.model.drives.empty() ? there : rank_at(*mechanism.undriven, start);
  check.freedom = freedom_at(mechanism, start, there, joints);
  check.motion.least_rank = check.motion.largest_rank = there.rank;
  GenericPlace place = generic_place(mechanism, start, there, joints, motion, check);
  if (place.left_out != there.left_out)
    place.left_out = repeating_rows(mechanism, place.state, place.left_out);
  check.singular = singular_start(mechanism, start, there, place);
  check.redundant = dependent_groups(mechanism, place.state, place.left_out);
  look_at_freedom(mechanism, place, check);
  if (!check.singular) return;
  std::vector<std::string> owners;
  for (const DependentRows& rows : check.singular->rows) {
    owners.push_back(rows.owner);
    owners.insert(owners.end(), rows.on.begin(), rows.on.end());
  }
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  add_finding(
      check, Severity::warning, "singular-start", "start",
      fmt::format("the constraints of {} have rank {} at the start and {} nearby: several motions may meet "
                  "there, or none "
                  "may lead away; begin beside it, or give [start] rates that say which motion is meant",
                  list_of(owners), there.rank, check.singular->nearby));
}

const char* name_of(Finding::Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "";
}

int ModelCheck::redundant_rows() const {
  int count = 0;
  for (const DependentRows& group : redundant) count += static_cast<int>(group.rows.size());
  return count;
}

bool ModelCheck::has_errors() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.severity == Severity::error; });
}

std::string list_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = names.size() > most + 1 ? most : names.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

void check_mechanism(const CheckedMechanism& mechanism, const MotionMaker& motion, ModelCheck& check) {
  check.counts = counts_of(mechanism);
  look_at_numbers(mechanism, check);
  look_at_time(mechanism, check);
  look_at_bodies(mechanism, check);
  look_at_joints(mechanism, check);
  look_at_forces(mechanism, check);
  look_at_drives(mechanism, check);
  look_at_still_drives(mechanism, check);
  const State start = close_start(mechanism, check);
  if (check.start.closed) look_at_stillness(mechanism, start, check);
  look_at_redundancy(mechanism, start, motion, check);
}

ModelCheck check_model(const Model& model, const MotionMaker& motion) {
  ModelCheck check;
  check.file = model.file.string();
  check.title = model.title;
  check.time_unit = model.unit_names.at("time");
  check.drives = model.drives;
  try {
    check_mechanism(CheckedMechanism(model), motion, check);
  } catch (const InputError& error) {
    add_finding(check, Severity::error, "mechanism", "mechanism", error.what());
  }
  std::stable_sort(check.findings.begin(), check.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return check;
}

}  // namespace driftless::io
