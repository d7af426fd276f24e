// Random mechanisms that hunt silent wrong answers: each is run at default settings, with a tighter
// tolerance, from a start moved by 1e-9, in relative coordinates and by ggl + bdf, and where they disagree by
// two more methods (random/verdict.hpp says what counts as wrong). Exit status 1 where a run was wrong
// without a note, came to no end, or crashed.
//   random [COUNT] [--seed S] [--first K] [--only K] [--limit SECONDS] [--threads N] [--json]
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "random/survey/report.hpp"
#include "random/survey/survey.hpp"

using namespace driftless::benchmarks::random;

namespace {

constexpr const char* usage =
    "usage: random [COUNT] [--seed S] [--first K] [--only K] [--limit SECONDS] [--threads N] [--json]";

struct Arguments {
  SurveySettings settings;
  bool json = false;
};

std::uint64_t whole_number(const std::string& flag, const std::string& text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument(fmt::format("{} is '{}' (must be a whole number)\n{}", flag, text, usage));
  return std::stoull(text);
}

Arguments read(int count, char** words) {
  Arguments arguments;
  SurveySettings& s = arguments.settings;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] { return whole_number(word, i + 1 < count ? words[++i] : ""); };
    if (word == "--json")
      arguments.json = true;
    else if (word == "--seed")
      s.seed = value();
    else if (word == "--first")
      s.first = value();
    else if (word == "--only")
      s.first = value(), s.count = 1;
    else if (word == "--limit")
      s.seconds_limit = static_cast<double>(value());
    else if (word == "--threads")
      s.at_a_time = static_cast<int>(value());
    else
      s.count = whole_number("COUNT", word);
  }
  if (s.at_a_time < 1 || s.count < 1) throw std::invalid_argument(fmt::format("nothing to do\n{}", usage));
  return arguments;
}

}  // namespace

int main(int count, char** words) {
  Arguments arguments;
  try {
    arguments = read(count, words);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "random";
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::uint64_t done = 0;
  const auto all = survey(arguments.settings, [&](const Examined& last) {
    write_finding(folder, last, arguments.settings.seed);
    fmt::print(stderr, "{}\n", progress_line(last, ++done, arguments.settings.count, seconds()));
  });
  if (arguments.json)
    fmt::print("{}\n", report_json(all, arguments.settings, seconds())
                           .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    fmt::print("{}", report_text(all, arguments.settings, seconds(), folder));
  return failed(all) ? 1 : 0;
}
