// Why runs of index 2 in Example 5.2 fail: the velocity constraint alone conserves the residual c = g of positions, and near the
// singularity g = c is a hyperbola that bends from branch A into branch B. One crossing, from th1 = 0.3 with th1' = -1.3 to th1 = -0.3,
// maps c to A c + b. A regularized method lets go at |th1| = s*, where gamma a(s) = |w|/s,
//   direct  s* = (eps |w|/(5 gamma))^(1/3)        trust  s* = (eps |w|/(25 gamma))^(1/5)
// and the passage requires |c| << s*^2: c_crit is the smallest c, in quarter decades, with an error of energy above 0.05.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiments/003/slider_crank.hpp"
#include "experiments/003/tables.hpp"
#include "experiments/common/loop.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper003 {

namespace {

constexpr double speed = 1.3;

const Reading drift_after{
    "/final/g/0",
    [](const RunRecord& run, const RunRecord&) { return run.json.at("final").at("g").at(0).get<double>(); },
    {},
    true};

std::string crossing(const std::string& formulation, const std::string& offset) {
  return fmt::format(
      "driftless run 003-slider-crank --set theta0=0.3 --set speed=-1.3 --set offset={} --formulation {} "
      "--integrator dopri5 --stabilizer none --rtol 1e-12 --atol 1e-14 --t-end 3 --event "
      "th1:value=-0.3,stop=yes",
      offset, formulation);
}

struct Map {
  const char *method, *gamma, *epsilon, *slope, *shift;
};

constexpr std::array<Map, 8> maps = {{{"trust-region", "1e3", "1e-6", "-3.1", "7.9e-7"},
                                      {"trust-region", "1e3", "1e-4", "-2.9", "2.9e-5"},
                                      {"trust-region", "1e3", "1e-8", "-4.0", "2.4e-8"},
                                      {"trust-region", "1e4", "1e-6", "-2.7", "1.1e-7"},
                                      {"trust-region", "1e2", "1e-6", "-6.5", "8.1e-6"},
                                      {"direct-regularization", "1e3", "1e-6", "-12.6", "3.8e-8"},
                                      {"direct-regularization", "1e3", "1e-4", "-3.6", "8.4e-7"},
                                      {"direct-regularization", "1e4", "1e-4", "-2.3", "4.3e-8"}}};

std::string formulation(const char* method, const char* epsilon, const char* gamma) {
  return fmt::format("{}:epsilon={},gamma={},feedback=velocity", method, epsilon, gamma);
}

double energy(const Table& table, std::size_t row) {
  const auto at = [&](const char* name) { return table.column(name)[row]; };
  const double th1 = at("th1"), th2 = at("th2"), w1 = at("th1'"), w2 = at("th2'");
  return w1 * w1 + std::cos(th2 - th1) * w1 * w2 + w2 * w2 / 2 - 19.6 * std::cos(th1) - 9.8 * std::cos(th2);
}

struct Critical {
  const char *method, *epsilon, *found;  // over s*^2
};

constexpr std::array<Critical, 8> criticals = {{{"trust-region", "1e-3", "0.46"},
                                                {"trust-region", "1e-4", "0.37"},
                                                {"trust-region", "1e-6", "0.23"},
                                                {"trust-region", "1e-8", "0.26"},
                                                {"direct-regularization", "1e-3", "0.25"},
                                                {"direct-regularization", "1e-4", "0.20"},
                                                {"direct-regularization", "1e-6", "0.08"},
                                                {"direct-regularization", "1e-8", "0.03"}}};

double let_go(const Critical& row) {
  const double scaled = std::stod(row.epsilon) * speed / 1e3;
  return row.method == std::string("trust-region") ? std::pow(scaled / 25, 0.2) : std::cbrt(scaled / 5);
}

Entry critical_entry(const Critical& row) {
  const double square = let_go(row) * let_go(row);
  const auto middle = std::lround(4 * std::log10(std::stod(row.found) * square));
  std::vector<std::string> offsets;
  std::vector<double> values;
  for (long k = middle - 3; k <= middle + 3; ++k) {
    values.push_back(std::pow(10, 0.25 * static_cast<double>(k)));
    offsets.push_back(fmt::format("{:.4g}", values.back()));
  }
  return {
      .item = "Example 5.2, smallest drift that no crossing survives",
      .quantity = "c_crit/s*^2",
      .parameters = {{"method", row.method}, {"gamma", "1e3"}, {"epsilon", row.epsilon}},
      .expected = absolute(row.found, 0.006),
      .command = loop("c", offsets, crossing(formulation(row.method, row.epsilon, "1e3"), "$c")),
      .reading = {
          .text =
              "smallest offset with a difference of energy above 0.05 between the first and the last line of "
              "trajectory.csv, over s*^2; none where it is the first of the loop",
          .value = {},
          .of_runs =
              [values, square](const Runs& runs) {
                for (std::size_t i = 0; i < runs.size(); ++i) {
                  const Table& table = runs[i]->trajectory;
                  const std::size_t last = table.column("t").size() - 1;
                  if (std::abs(energy(table, last) - energy(table, 0)) > 0.05)
                    return i == 0 ? std::nan("") : values[i] / square;
                }
                return std::nan("");
              },
          .ended_early_too = true}};
}

}  // namespace

std::vector<Entry> drift_maps() {
  std::vector<Entry> entries;
  for (const Map& map : maps) {
    const Parameters parameters{{"method", map.method}, {"gamma", map.gamma}, {"epsilon", map.epsilon}};
    const std::string form = formulation(map.method, map.epsilon, map.gamma), none = crossing(form, "0");
    Reading slope{"(/final/g/0 - that of the reference command)/1e-9",
                  [](const RunRecord& run, const RunRecord& reference) {
                    return (drift_after.value(run, run) - drift_after.value(reference, reference)) / 1e-9;
                  },
                  {},
                  true};
    entries.push_back({.item = "Example 5.2, drift map of one crossing",
                       .quantity = "A",
                       .parameters = parameters,
                       .expected = relative(map.slope, 0.03),
                       .command = crossing(form, "1e-9"),
                       .reference_command = none,
                       .reading = slope});
    entries.push_back({.item = "Example 5.2, drift map of one crossing",
                       .quantity = "b",
                       .parameters = parameters,
                       .expected = relative(map.shift, 0.03),
                       .command = none,
                       .reading = drift_after});
  }
  for (const Critical& row : criticals) entries.push_back(critical_entry(row));
  return entries;
}

std::vector<Entry> many_crossings() {
  std::vector<Entry> entries;
  const char* const item = "Example 5.2, 30 s, 8 releases";
  for (const auto& [gamma, found] : {std::pair("1e3", "5"), std::pair("1e4", "7")})
    entries.push_back({.item = item,
                       .quantity = "mean of crossings survived",
                       .parameters = {{"form", "index 2"}, {"method", "trust 1e-6"}, {"gamma", gamma}},
                       .expected = absolute(found, gamma == std::string("1e3") ? 0 : 0.13),
                       .note = "drift grows with each crossing, whatever the tolerance (1e-8)",
                       .command = releases(8, formulation("trust-region", "1e-6", gamma), without_multipliers,
                                           "1e-8", "30"),
                       .reading = mean_survived()});
  for (const auto& [name, form] :
       {std::pair("Baumgarte", "baumgarte:form=coupled,alpha=2e3,beta=2e6,curvature=off"),
        std::pair("direct 1e-6", "direct-regularization:epsilon=1e-6,gamma0=2e6,gamma1=2e3,curvature=off"),
        std::pair("trust 1e-6", "trust-region:epsilon=1e-6,gamma0=2e6,gamma1=2e3,curvature=off")})
    entries.push_back({.item = item,
                       .quantity = "successes of 8",
                       .parameters = {{"form", "index 3"}, {"method", name}, {"gamma", "2e6, 2e3"}},
                       .expected = absolute("8", 0),
                       .note = "14 to 17 crossings with feedback of positions, tolerance 1e-7",
                       .command = releases(8, form, without_multipliers, "1e-7", "30"),
                       .reading = successes()});
  return entries;
}

}  // namespace driftless::experiments::paper003
