#include "report.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include <fmt/format.h>

namespace driftless::benchmarks::random {

namespace {

bool is_finding(const Examined& examined) {
  return examined.judgement.verdict >= Verdict::undecided;
}

std::string in_one_line(std::string text, std::size_t most = 400) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > most) text = text.substr(0, most) + " ..";
  return text;
}

std::string name_of_ending(const Run& run) {
  switch (run.ending) {
    case Run::Ending::completed:
      return "completed";
    case Run::Ending::ended:
      return run.reason;
    case Run::Ending::refused:
      return "refused";
    case Run::Ending::out_of_time:
      return "out of time";
    case Run::Ending::stuck:
      return "stuck";
    case Run::Ending::crashed:
      return "crashed";
    case Run::Ending::failed:
      return "exception";
  }
  return "";
}

std::string run_line(const Run& run) {
  std::string line = fmt::format("{:<28} {:<14} t {:<10.6g} steps {:<7} drift {:.0e}", entry(run.way).name,
                                 name_of_ending(run), run.t, run.steps, run.drift);
  if (run.balance) line += fmt::format("  balance {:.0e}", *run.balance);
  if (run.warned) line += "  (noted)";
  return line;
}

std::string table_of_classes(const std::vector<Examined>& all) {
  std::map<std::string, std::map<Verdict, int>> counts;
  for (const Examined& examined : all) {
    for (const std::string& one : examined.classes) ++counts[one][examined.judgement.verdict];
    ++counts["all"][examined.judgement.verdict];
  }
  std::vector<VerdictEntry> columns;
  for (const VerdictEntry& e : verdicts())
    if (counts["all"].contains(e.verdict) || e.fails) columns.push_back(e);
  std::string text = fmt::format("{:<14} {:>6}", "class", "number");
  for (const VerdictEntry& e : columns)
    text += fmt::format(" {:>{}}", e.name, std::max<std::size_t>(7, std::string(e.name).size()));
  text += "\n";
  for (const auto& [name, row] : counts) {
    int sum = 0;
    for (const auto& [verdict, count] : row) sum += count;
    text += fmt::format("{:<14} {:>6}", name, sum);
    for (const VerdictEntry& e : columns)
      text += fmt::format(" {:>{}}", row.contains(e.verdict) ? row.at(e.verdict) : 0,
                          std::max<std::size_t>(7, std::string(e.name).size()));
    text += "\n";
  }
  text += "\n";
  for (const VerdictEntry& e : columns)
    text += fmt::format("{:<14} {}{}\n", e.name, e.meaning, e.fails ? " (is to be 0)" : "");
  return text;
}

std::string table_of_ends(const std::vector<Examined>& all) {
  std::map<Way, std::map<std::string, int>> counts;
  for (const Examined& examined : all)
    for (const Run& run : examined.runs) ++counts[run.way][name_of_ending(run)];
  std::string text = "how runs ended\n";
  for (const auto& [way, ends] : counts) {
    text += fmt::format("{:<30}", entry(way).name);
    std::string list;
    for (const auto& [name, count] : ends)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, count);
    text += list + "\n";
  }
  return text;
}

std::string twin_name(const Examined& examined) {
  return fmt::format("{:04}-twin.toml", examined.number);
}

std::string file_name(const Examined& examined) {
  return fmt::format("{:04}-{}.toml", examined.number, entry(examined.judgement.verdict).name);
}

}  // namespace

std::string progress_line(const Examined& last, std::uint64_t done, std::uint64_t count, double seconds) {
  const double left = seconds / static_cast<double>(done) * static_cast<double>(count - done);
  return fmt::format("{}/{}  {:.0f} s left  {} {}{}", done, count, left, last.number,
                     entry(last.judgement.verdict).name,
                     is_finding(last) ? ": " + in_one_line(last.judgement.why, 160) : "");
}

std::filesystem::path write_finding(const std::filesystem::path& folder, const Examined& examined,
                                    std::uint64_t seed) {
  const Verdict verdict = examined.judgement.verdict;
  if (verdict < Verdict::refused) return {};
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / file_name(examined);
  if (!examined.twin_text.empty()) std::ofstream(folder / twin_name(examined)) << examined.twin_text;
  std::ofstream out(file);
  out << fmt::format("# {}: {}\n", entry(verdict).name, in_one_line(examined.judgement.why, 2000));
  for (const std::string& remark : examined.judgement.remarks) out << "#   " << in_one_line(remark) << "\n";
  std::string classes;
  for (const std::string& one : examined.classes) classes += " " + one;
  out << fmt::format("# {} bodies;{}\n# Made again by: ./dev bench random --seed {} --only {}\n",
                     examined.bodies, classes, seed, examined.number);
  for (const Run& run : examined.runs) out << "# " << run_line(run) << "\n";
  for (const Run& run : examined.runs)
    out << fmt::format("#   driftless run {} {}\n",
                       run.way == Way::twin ? twin_name(examined) : file_name(examined),
                       entry(run.way).flags);
  for (const Run& run : examined.runs)
    for (const std::string& note : run.notes)
      out << "# note, " << entry(run.way).name << ": " << in_one_line(note) << "\n";
  out << examined.text;
  return file;
}

std::string report_text(const std::vector<Examined>& all, const SurveySettings& settings, double seconds,
                        const std::filesystem::path& folder) {
  std::string text = fmt::format("{} random mechanisms, seed {}, numbers {} to {}, {:.0f} s\n\n", all.size(),
                                 settings.seed, settings.first, settings.first + settings.count - 1, seconds);
  text += table_of_classes(all) + "\n" + table_of_ends(all);
  for (const VerdictEntry& e : verdicts()) {
    if (e.verdict < Verdict::refused) continue;
    std::string list;
    for (const Examined& examined : all) {
      if (examined.judgement.verdict != e.verdict) continue;
      list += fmt::format("{:>6}  {}  {}\n", examined.number, (folder / file_name(examined)).string(),
                          in_one_line(examined.judgement.why, 300));
      for (const std::string& remark : examined.judgement.remarks)
        list += "          " + in_one_line(remark, 200) + "\n";
    }
    if (!list.empty()) text += fmt::format("\n{}: {}\n{}", e.name, e.meaning, list);
  }
  return text;
}

nlohmann::json report_json(const std::vector<Examined>& all, const SurveySettings& settings, double seconds) {
  nlohmann::json entries = nlohmann::json::array();
  for (const Examined& examined : all) {
    nlohmann::json runs = nlohmann::json::array();
    for (const Run& run : examined.runs)
      runs.push_back({{"way", entry(run.way).name},
                      {"end", name_of_ending(run)},
                      {"message", run.sentence},
                      {"t", run.t},
                      {"drift", run.drift},
                      {"balance", run.balance ? nlohmann::json(*run.balance) : nlohmann::json()},
                      {"notes", run.notes},
                      {"steps", run.steps},
                      {"seconds", run.seconds}});
    entries.push_back({{"number", examined.number},
                       {"classes", examined.classes},
                       {"bodies", examined.bodies},
                       {"verdict", entry(examined.judgement.verdict).name},
                       {"why", examined.judgement.why},
                       {"remarks", examined.judgement.remarks},
                       {"runs", runs}});
  }
  return {{"seed", settings.seed}, {"first", settings.first}, {"seconds", seconds}, {"mechanisms", entries}};
}

bool failed(const std::vector<Examined>& all) {
  return std::any_of(all.begin(), all.end(),
                     [](const Examined& e) { return entry(e.judgement.verdict).fails; });
}

}  // namespace driftless::benchmarks::random
