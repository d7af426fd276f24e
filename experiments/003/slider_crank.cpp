#include "experiments/003/slider_crank.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>

#include "experiments/common/loop.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper003 {

namespace {

constexpr double limit = 0.1;    // of both differences
constexpr double before = 0.05;  // a run may fail so long before the crossing that it fails at

Reading over_releases(std::string text, std::function<double(const std::vector<Passage>&)> value) {
  return {.text = std::move(text),
          .value = {},
          .of_runs =
              [value = std::move(value)](const Runs& runs) {
                std::vector<Passage> all;
                for (const RunRecord* run : runs) all.push_back(passage(*run));
                return value(all);
              },
          .ended_early_too = true};
}

}  // namespace

std::vector<std::string> release_angles(int count) {
  std::vector<std::string> angles;
  for (int i = 0; i < count; ++i) angles.push_back(text_of(0.5 + static_cast<double>(i) / (count - 1)));
  return angles;
}

std::string releases(int count, const std::string& formulation, const std::string& integrator,
                     const std::string& tolerance, const std::string& t_end) {
  const std::string quoted =
      integrator.find(';') == std::string::npos ? integrator : fmt::format("'{}'", integrator);
  return loop(
      "angle", release_angles(count),
      fmt::format("driftless run 003-slider-crank --set theta0=$angle --formulation {} --integrator {} "
                  "--stabilizer none --rtol {} --atol {} --t-end {}",
                  formulation, quoted, tolerance, tolerance, t_end));
}

Passage passage(const RunRecord& run) {
  const std::vector<double>&t = run.trajectory.column("t"), &th1 = run.trajectory.column("th1"),
        &th2 = run.trajectory.column("th2");
  const Reference reference =
      catalog::make_problem("003-slider-crank", {{"theta0", text_of(th1.front())}}).reference;
  const auto exact = [&](double time) { return reference.at(time)->q()(0); };
  bool failed = run.json.at("end").at("reason") != "reached-end";
  double end = t.back();
  for (std::size_t i = 0; i < t.size(); ++i)
    if (!(std::abs(th1[i] + th2[i] - std::numbers::pi) < limit && std::abs(th1[i] - exact(t[i])) < limit)) {
      failed = true;
      end = t[i];
      break;
    }
  if (failed) end += before;
  int crossings = 0;
  constexpr double spacing = 0.01;  // crossings are more than a second apart
  for (double time = 0, last = exact(0); time + spacing <= end; time += spacing) {
    const double next = exact(time + spacing);
    if (last * next < 0) ++crossings;
    last = next;
  }
  return {!failed, failed ? std::max(crossings - 1, 0) : crossings};
}

Reading successes() {
  return over_releases(
      "number of runs that reach their end with |th1 + th2 - pi| < 0.1 and |th1 - exact| < 0.1 in all lines "
      "of trajectory.csv",
      [](const std::vector<Passage>& all) {
        return static_cast<double>(
            std::count_if(all.begin(), all.end(), [](const Passage& p) { return p.success; }));
      });
}

Reading mean_survived() {
  return over_releases("mean over the runs of the crossings of th1 = 0 survived",
                       [](const std::vector<Passage>& all) {
                         double sum = 0;
                         for (const Passage& p : all) sum += p.survived;
                         return sum / static_cast<double>(all.size());
                       });
}

}  // namespace driftless::experiments::paper003
