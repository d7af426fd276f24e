#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check_command.hpp"
#include "text.hpp"

namespace driftless::app {

namespace {

using io::Finding;
using io::ModelCheck;
using io::NamedAmount;

constexpr int label_column = 12;
constexpr double unseen = 1e-12, unseen_move = 1e-9;      // of what was given closed
constexpr std::size_t most_names = 12, most_groups = 12;  // --json has all

std::string line(std::string_view label, std::string_view text) {
  return entry(0, label, label_column, text);
}
std::string inner(std::string_view label, std::string_view text) {
  return entry(2, label, label_column, text);
}

std::string names(const std::vector<std::string>& all) {
  const std::size_t shown = all.size() > most_names + 1 ? most_names : all.size();
  const std::string text =
      fmt::format("{}", fmt::join(all.begin(), all.begin() + static_cast<long>(shown), ", "));
  return shown == all.size() ? text : fmt::format("{} and {} more", text, all.size() - shown);
}

std::string amount(const NamedAmount& a) {
  return fmt::format("{:.3g} {}", a.value, a.unit);
}

std::string freedoms(int number) {
  return fmt::format("{} {} of freedom", number, number == 1 ? "degree" : "degrees");
}

// Where the start is singular its neighbourhood counts, and the start is told behind it.
std::string headline(const ModelCheck& check) {
  const io::FreedomCheck& f = check.freedom;
  int left = f.freedoms, of_joints = f.joint_freedoms;
  if (check.singular)
    for (const io::DependentRows& rows : check.singular->rows) {
      left -= static_cast<int>(rows.rows.size());
      if (!rows.drive) of_joints -= static_cast<int>(rows.rows.size());
    }
  std::string text = freedoms(of_joints);
  if (check.counts.drives > 0)
    text += fmt::format(", {} driven by {}: {} left", of_joints - left, names(check.drives), left);
  if (check.singular) text += fmt::format(" ({} at the start, which is singular)", f.freedoms);
  text += check.counts.rows() == 0
              ? fmt::format("; {} velocities and no constraints", check.counts.velocities)
              : fmt::format("; {} velocities, {} of rank {}", check.counts.velocities,
                            count(check.counts.rows(), "constraint row"), f.rank);
  if (f.configuration != f.joint_freedoms)
    text +=
        fmt::format("; {} of configuration, since {} {} of velocities only", f.configuration,
                    count(check.counts.velocity_rows, "row"), check.counts.velocity_rows == 1 ? "is" : "are");
  return text;
}

std::string freedom_lines(const ModelCheck& check) {
  std::string text = line("freedom", headline(check));
  if (check.free.size() == 1) {
    text += inner("free", names(check.free.front().bodies));
  } else {
    for (std::size_t i = 0; i < std::min(check.free.size(), most_groups); ++i)
      text += inner(i == 0 ? "free" : "",
                    fmt::format("{}: {}", check.free[i].freedoms, names(check.free[i].bodies)));
    if (check.free.size() > most_groups)
      text += inner("", fmt::format(".. and {} parts more, with --json", check.free.size() - most_groups));
  }
  if (!check.driven.empty()) text += inner("driven", names(check.driven));
  if (!check.locked.empty()) text += inner("locked", names(check.locked));
  const io::MotionCheck& m = check.motion;
  if (m.made && m.states > 0)
    text +=
        inner("later", m.least_rank == m.largest_rank
                           ? fmt::format("the same rank at {} up to t = {:.3g} {}", count(m.states, "state"),
                                         m.until, check.time_unit)
                           : fmt::format("rank {} to {} at {} up to t = {:.3g} {}", m.least_rank,
                                         m.largest_rank, count(m.states, "state"), m.until, check.time_unit));
  if (m.states == 0 && check.start.closed && !check.has_errors())
    text += inner("later", "not looked at: the mechanism is too large for that");
  return text;
}

// "z; tilt about x" of joint D, whose rows are called "D, z".
std::string own_rows(const io::DependentRows& group) {
  std::vector<std::string> own;
  for (const std::string& row : group.rows)
    own.push_back(row.starts_with(group.owner + ", ") ? row.substr(group.owner.size() + 2) : row);
  return fmt::format("{}", fmt::join(own, "; "));
}

std::string group_lines(const std::vector<io::DependentRows>& groups) {
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most_groups); ++i) {
    const io::DependentRows& g = groups[i];
    const std::string what =
        g.drive ? "the drive" : fmt::format("{} of {} ({})", g.rows.size(), count(g.of, "row"), own_rows(g));
    const bool one = g.drive || g.rows.size() == 1;
    text += inner(g.owner, g.on.empty()
                               ? fmt::format("{} {} no effect", what, one ? "has" : "have")
                               : fmt::format("{} {} on {}", what, one ? "depends" : "depend", names(g.on)));
  }
  if (groups.size() > most_groups)
    text += inner("", fmt::format(".. and {} more, with --json", groups.size() - most_groups));
  return text;
}

std::string redundancy_lines(const ModelCheck& check) {
  if (check.redundant.empty()) return check.counts.rows() == 0 ? "" : line("redundant", "nothing");
  std::string text = line(
      "redundant", fmt::format("{} of {}: the motion is that of the others, and how they share forces is not "
                               "determined (a run gives those of least norm)",
                               check.redundant_rows(), count(check.counts.rows(), "row")));
  return text + group_lines(check.redundant);
}

std::string start_text(const ModelCheck& check) {
  const io::StartCheck& s = check.start;
  const bool open = !s.gap.unit.empty() && s.gap.value > unseen;
  const std::string gap = open ? fmt::format("; as given {} is open by {}", s.gap.of, amount(s.gap)) : "";
  if (!s.closed) return "cannot be used" + gap + " (the above is told for the nearest that can)";
  if (s.moved) return open ? "was closed" + gap : "closed as given, and moved to where [start] wants it";
  return check.counts.position_rows == 0 ? "as given, with nothing to close" : "closed as given";
}

// "leg by 0.06 mm, knee by 0.02 deg": of what was moved most and what was turned most.
std::string most(const NamedAmount& moved, const NamedAmount& turned) {
  std::string text;
  for (const NamedAmount* a : {&moved, &turned})
    if (a->value > unseen_move)
      text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", a->of, amount(*a));
  return text;
}

std::string start_lines(const ModelCheck& check) {
  const io::StartCheck& s = check.start;
  std::string text = line("start", start_text(check));
  if (s.moved) text += inner("moved", "most " + most(s.shift, s.turn));
  if (s.sped) text += inner("speeds", "changed, most " + most(s.velocity, s.spin));
  if (!s.held.empty()) text += inner("held", names(s.held));
  if (!s.placed.empty()) text += inner("placed", names(s.placed));
  if (!s.rated.empty()) text += inner("rates of", names(s.rated));
  if (check.singular) text += inner("singular", "rows that depend on others at the start alone:");
  if (check.singular) text += group_lines(check.singular->rows);
  return text;
}

std::string method_line(const CheckReport& report) {
  const Method& m = report.method.words;
  std::string text = m.formulation;
  for (const std::string& part : {m.integrator, m.stabilizer})
    if (!part.empty()) text += " + " + part;
  for (const std::string& control : m.controls) text += " + " + control;
  text += fmt::format(" ({})", report.method.own ? "by [run]" : "the default");
  if (!m.controller.empty()) text += fmt::format(", {} with {}", m.controller, report.method.accuracy);
  if (!report.method.refusal.empty())
    text += "; refused";
  else if (report.check.motion.rank_refused)
    text += "; it needs independent rows";
  else if (report.check.redundant_rows() > 0)
    text += "; it takes redundant rows";
  return text;
}

std::string verdict(const ModelCheck& check) {
  const auto number = [&](Finding::Severity severity) {
    return std::count_if(check.findings.begin(), check.findings.end(),
                         [&](const Finding& f) { return f.severity == severity; });
  };
  const long errors = number(Finding::Severity::error), warnings = number(Finding::Severity::warning);
  if (errors > 0)
    return fmt::format("{}, {}: not to be run as it is", count(errors, "error"), count(warnings, "warning"));
  if (warnings > 0) return fmt::format("{}: can be run", count(warnings, "warning"));
  return "can be run";
}

}  // namespace

std::string check_text(const CheckReport& report) {
  const ModelCheck& check = report.check;
  const io::ModelCounts& c = check.counts;
  std::string text = line("model", fmt::format("{}, {}", check.file, check.title)), parameters;
  for (const auto& [name, value] : report.parameters)
    parameters += fmt::format("{}{} = {}", parameters.empty() ? "" : ", ", name, value);
  if (c.velocities > 0) {
    text +=
        line("", fmt::format("{}, {}, {}, {}", c.bodies == 1 ? "1 body" : fmt::format("{} bodies", c.bodies),
                             count(c.joints, "joint"), count(c.forces, "force"), count(c.drives, "drive")));
    if (!parameters.empty()) text += line("parameters", parameters);
    text += "\n" + freedom_lines(check) + redundancy_lines(check) + start_lines(check);
  }
  if (!check.findings.empty()) text += "\n";
  for (const Finding& f : check.findings) text += line(name_of(f.severity), f.subject + ": " + f.text);
  text += "\n" + line("method", method_line(report));
  return text + line("verdict", verdict(check));
}

}  // namespace driftless::app
