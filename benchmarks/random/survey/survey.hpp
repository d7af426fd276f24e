// Many mechanisms, several at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../sketch.hpp"
#include "../verdict.hpp"

namespace driftless::benchmarks::random {

struct SurveySettings {
  std::uint64_t seed = 1;
  std::uint64_t first = 1, count = 50;
  double seconds_limit = 20;  // of processor time, for one run
  int at_a_time = 2;
};

struct Examined {
  std::uint64_t number = 0;
  std::set<std::string> classes = {};
  int bodies = 0;
  std::string text = {};       // of the model file
  std::string twin_text = {};  // and of its twin, if that is another one
  std::vector<Run> runs = {};
  Judgement judgement = {};
};

Examined examine(std::uint64_t seed, std::uint64_t number, double seconds_limit);

// In the order of their numbers; `seen` is called for each as it is done, by one at a time.
std::vector<Examined> survey(const SurveySettings& settings,
                             const std::function<void(const Examined&)>& seen);

}  // namespace driftless::benchmarks::random
