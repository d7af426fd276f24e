// Model files with mistakes in them, of which ./dev mutate tries any number: read, refused in words, or run; never with numbers that are none.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "fuzz/mutations/model_mutation.hpp"
#include "fuzz/mutations/mutated_run.hpp"

namespace driftless::tests {
namespace {

using fuzz::MutatedRun;

constexpr std::uint64_t seed = 1, count = 300;
constexpr double seconds_limit = 5;

TEST(MutatedModels, AreRefusedInWordsOrRun) {
  std::vector<std::filesystem::path> files;
  for (const char* name :
       {"cam-follower", "four-bar", "four-bar-in-space", "gear-train", "slider-crank", "watt"})
    files.push_back(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models" / (std::string(name) + ".toml"));
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream stream(file);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  std::set<MutatedRun::Ending> endings;
  for (std::uint64_t number = 1; number <= count; ++number) {
    const fuzz::Mutation mutation = fuzz::mutated(texts, seed, number);
    const MutatedRun run = fuzz::run_mutated(mutation.text, files[mutation.original], seconds_limit);
    endings.insert(run.ending);
    const bool wrong =
        run.ending == MutatedRun::Ending::not_finite || run.ending == MutatedRun::Ending::failed;
    EXPECT_FALSE(wrong) << "number " << number << ": " << name_of(run.ending) << ": " << run.sentence << "\n"
                        << mutation.text;
    if (run.ending == MutatedRun::Ending::refused) {
      EXPECT_GT(run.sentence.size(), 20u) << number;
    }
  }
  EXPECT_TRUE(endings.contains(MutatedRun::Ending::refused));
  EXPECT_TRUE(endings.contains(MutatedRun::Ending::completed));
}

TEST(MutatedModels, AreMadeOfSeedAndNumberAlone) {
  const std::vector<std::string> texts{"[body.a]\nmass = 1\nat = [0, 0]\n[body.b]\nmass = 2\nat = [1, 0]\n"};
  std::set<std::string> made;
  for (std::uint64_t number = 1; number <= 20; ++number) {
    EXPECT_EQ(fuzz::mutated(texts, 7, number).text, fuzz::mutated(texts, 7, number).text);
    made.insert(fuzz::mutated(texts, 7, number).text);
  }
  EXPECT_GT(made.size(), 10u);
}

}  // namespace
}  // namespace driftless::tests
