// Mutated model files by the thousand: each is refused in words or runs; none may crash, hang or go on with numbers that are none.
// Each is read and run in a process of its own. Exit status 1 where one did.
//   mutated_models FOLDER [COUNT] [--seed S] [--only K] [--limit SECONDS] [--threads N]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "benchmarks/common/child.hpp"
#include "fuzz/mutations/model_mutation.hpp"
#include "fuzz/mutations/mutated_run.hpp"

using namespace driftless;

namespace {

constexpr const char* usage =
    "usage: mutated_models FOLDER [COUNT] [--seed S] [--only K] [--limit SECONDS] [--threads N]";

struct Settings {
  std::filesystem::path folder;  // with the models
  std::uint64_t seed = 1, first = 1, count = 1000;
  double seconds_limit = 4;  // of processor time, for the steps of one run
  int at_a_time = 2;
  bool show = false;  // the text and what became of it
};

struct Originals {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> texts;
};

struct Tally {
  std::map<std::string, std::uint64_t> endings;
  std::uint64_t wrong = 0;
};

std::uint64_t whole_number(const std::string& flag, const std::string& text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument(fmt::format("{} is '{}' (must be a whole number)\n{}", flag, text, usage));
  return std::stoull(text);
}

Settings read(int count, char** words) {
  Settings s;
  if (count < 2) throw std::invalid_argument(usage);
  s.folder = words[1];
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&] { return whole_number(word, i + 1 < count ? words[++i] : ""); };
    if (word == "--seed")
      s.seed = value();
    else if (word == "--only")
      s.first = value(), s.count = 1, s.show = true;
    else if (word == "--limit")
      s.seconds_limit = static_cast<double>(value());
    else if (word == "--threads")
      s.at_a_time = static_cast<int>(value());
    else
      s.count = whole_number("COUNT", word);
  }
  if (s.at_a_time < 1 || s.count < 1) throw std::invalid_argument(fmt::format("nothing to do\n{}", usage));
  return s;
}

Originals originals_in(const std::filesystem::path& folder) {
  Originals all;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") all.files.push_back(entry.path());
  std::sort(all.files.begin(), all.files.end());
  if (all.files.empty())
    throw std::invalid_argument(fmt::format("there are no model files in {}", folder.string()));
  for (const auto& file : all.files) {
    std::ifstream stream(file);
    all.texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return all;
}

struct Outcome {
  std::string ending, sentence;
  bool wrong = false;
};

Outcome outcome_of(const fuzz::Mutation& mutation, const Originals& originals, double seconds_limit) {
  using Ending = fuzz::MutatedRun::Ending;
  const auto work = [&] {
    const fuzz::MutatedRun run =
        fuzz::run_mutated(mutation.text, originals.files[mutation.original], seconds_limit);
    const bool wrong = run.ending == Ending::not_finite || run.ending == Ending::failed;
    return nlohmann::json{{"ending", name_of(run.ending)}, {"sentence", run.sentence}, {"wrong", wrong}};
  };
  const benchmarks::ChildReport report = benchmarks::in_child(work, 5 * seconds_limit);
  if (report.failure.empty())
    return {report.answer["ending"].get<std::string>(), report.answer["sentence"].get<std::string>(),
            report.answer["wrong"].get<bool>()};
  return {report.out_of_time ? "hang" : "crash", report.failure, true};
}

void write(const std::filesystem::path& folder, const fuzz::Mutation& mutation, std::uint64_t seed,
           std::uint64_t number, const Outcome& outcome) {
  std::filesystem::create_directories(folder);
  std::ofstream file(folder / fmt::format("{:06}-{}.toml", number, outcome.ending));
  file << fmt::format("# {}: {}\n# seed {}, number {}: {}\n", outcome.ending, outcome.sentence, seed, number,
                      fmt::join(mutation.changes, "; "))
       << mutation.text;
}

Tally try_all(const Settings& settings, const Originals& originals, const std::filesystem::path& folder) {
  Tally tally;
  std::atomic<std::uint64_t> next = 0;
  std::uint64_t done = 0;
  std::mutex one;
  const auto begin = std::chrono::steady_clock::now();
  const auto work = [&] {
    for (std::uint64_t i = next++; i < settings.count; i = next++) {
      const std::uint64_t number = settings.first + i;
      const fuzz::Mutation mutation = fuzz::mutated(originals.texts, settings.seed, number);
      const Outcome outcome = outcome_of(mutation, originals, settings.seconds_limit);
      const std::lock_guard lock(one);
      ++tally.endings[outcome.ending];
      if (settings.show)
        fmt::print("{}\n{}\n{}: {}\n", mutation.text, fmt::join(mutation.changes, "\n"), outcome.ending,
                   outcome.sentence);
      if (outcome.wrong) {
        ++tally.wrong;
        write(folder, mutation, settings.seed, number, outcome);
        fmt::print(stderr, "{} {}: {}\n", number, outcome.ending, outcome.sentence);
      }
      if (++done % 1000 == 0) {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        const double left =
            spent.count() * static_cast<double>(settings.count - done) / static_cast<double>(done);
        fmt::print(stderr, "{}/{}  {:.0f} s left\n", done, settings.count, left);
      }
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < settings.at_a_time; ++i) workers.emplace_back(work);
  workers.clear();
  return tally;
}

}  // namespace

int main(int count, char** words) {
  try {
    const Settings settings = read(count, words);
    const Originals originals = originals_in(settings.folder);
    const std::filesystem::path folder =
        std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "mutated";
    const Tally tally = try_all(settings, originals, folder);
    fmt::print("{} mutations of {} models, seed {}\n", settings.count, originals.files.size(), settings.seed);
    for (const auto& [ending, number] : tally.endings) fmt::print("{:<12}{:>9}\n", ending, number);
    if (tally.wrong > 0) fmt::print("files of those that are wrong are in {}\n", folder.string());
    return tally.wrong > 0 ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
