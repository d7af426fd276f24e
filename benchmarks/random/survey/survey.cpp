#include "survey.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "../generate.hpp"
#include "../model_text.hpp"
#include "apart.hpp"

namespace driftless::benchmarks::random {

namespace {

// Its places as those of the mechanism itself.
Run run_twin(const Sketch& sketch, const std::string& text, double seconds_limit) {
  Run run = run_apart(text, Way::twin, reach(sketch), seconds_limit);
  for (auto& bodies : run.places)
    for (Vec3& r : bodies) r = from_twin(sketch, r);
  return run;
}

}  // namespace

Examined examine(std::uint64_t seed, std::uint64_t number, double seconds_limit) {
  const Sketch sketch = generate(seed, number);
  const double size = reach(sketch) * sketch.length, offset = norm(sketch.origin);
  Examined all{.number = number, .classes = sketch.classes, .bodies = static_cast<int>(sketch.bodies.size())};
  all.text = model_text(sketch, fmt::format("random {} of seed {}", number, seed));
  const auto run = [&](Way way) { all.runs.push_back(run_apart(all.text, way, size, seconds_limit)); };
  run(Way::usual);
  const Run::Ending ending = all.runs.front().ending;
  const bool runs = ending == Run::Ending::completed || ending == Run::Ending::ended;
  if (runs)
    for (const Way way : {Way::tighter, Way::perturbed}) run(way);
  for (const Way way : {Way::relative, Way::ggl_bdf}) run(way);
  const bool has_twin = sketch.classes.contains("scaled") || sketch.classes.contains("far");
  if (has_twin && starts_consistent(sketch)) {
    all.twin_text = model_text(twin_of(sketch), fmt::format("twin of random {} of seed {}", number, seed));
    all.runs.push_back(run_twin(sketch, all.twin_text, seconds_limit));
  }
  if (wants_referees(all.runs, size, offset))
    for (const Way way : {Way::half_explicit, Way::ggl_radau5}) run(way);
  all.judgement = judge(all.runs, size, offset, is_plain_tree(sketch));
  return all;
}

std::vector<Examined> survey(const SurveySettings& settings,
                             const std::function<void(const Examined&)>& seen) {
  std::vector<Examined> all(settings.count);
  std::atomic<std::uint64_t> next = 0;
  std::mutex one;
  const auto work = [&] {
    for (std::uint64_t i = next++; i < settings.count; i = next++) {
      all[i] = examine(settings.seed, settings.first + i, settings.seconds_limit);
      const std::lock_guard lock(one);
      seen(all[i]);
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < settings.at_a_time; ++i) workers.emplace_back(work);
  workers.clear();
  return all;
}

}  // namespace driftless::benchmarks::random
