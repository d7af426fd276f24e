// Example 5.2: of 24 releases, how many succeed, and how many crossings of the singularity they survive. The paper prints figures and
// verdicts of single runs. Counts of 0 and 24 are compared within 1, others within 4.
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "experiments/003/slider_crank.hpp"
#include "experiments/003/tables.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper003 {

namespace {

struct Setting {
  const char *name, *gamma, *tolerance;
};
constexpr Setting slow{"gamma 1e3, tol 1e-5", "1000", "1e-5"}, fast{"gamma 1e6, tol 1e-6", "1e6", "1e-6"};

std::string baumgarte(const char* gamma) {
  return fmt::format("baumgarte:form=coupled,alpha={},beta=0", gamma);
}
std::string direct(const char* epsilon, const char* gamma) {
  return fmt::format("direct-regularization:epsilon={},gamma={},feedback=velocity", epsilon, gamma);
}
std::string trust(const char* epsilon, const char* gamma) {
  return fmt::format("trust-region:epsilon={},gamma={},feedback=velocity", epsilon, gamma);
}

Expected count(int found) {
  return absolute(std::to_string(found), found == 0 || found == 24 ? 1 : 4);
}

const char* const by_drift =
    "drift of positions decides: an offset of g at the start of 0, 1e-10, 1e-8, 1e-7 and 1e-6 leaves 17, 12, "
    "8, 7 and 0 "
    "successes of Baumgarte, 5, 8, 4, 0 and 0 of direct (gamma 1e3). Where the independent program has more "
    "of it is not known: "
    "here g is roundoff before the first crossing with Baumgarte, in both settings of the corrector";

struct Verdict {
  Setting setting;
  const char* method;
  std::string formulation;
  int stock, own;        // found by DASSL itself, and by an own program of its kind
  bool own_agrees;       // the latter
  double mean;           // crossings survived, of the own program
  const char* mean_why;  // why it is another one here; empty: it is not
  const char* paper;
};

const char* const fewer =
    "1.3 and 1.1 crossings fewer than the own program of the kind of DASSL, which has the multipliers in the "
    "corrector's test; with them in it, Baumgarte's method survives more here, not fewer";

std::vector<Verdict> verdicts() {
  return {
      {slow, "Baumgarte", baumgarte(slow.gamma), 0, 0, false, 64. / 24, fewer,
       "Figure 5.6: works here, not robust"},
      {slow, "direct 1e-6", direct("1e-6", slow.gamma), 0, 0, false, 39. / 24, "", "Figure 5.7: fails"},
      {slow, "trust 1e-6", trust("1e-6", slow.gamma), 15, 16, true, 114. / 24, "", "Figure 5.8: good"},
      {fast, "Baumgarte", baumgarte(fast.gamma), 0, 0, false, 52. / 24, fewer, "Figure 5.9: fails"},
      {fast, "direct 1e-6", direct("1e-6", fast.gamma), 0, 0, false, 37. / 24, "", "Figure 5.10: fails"},
      {fast, "trust 1e-6", trust("1e-6", fast.gamma), 17, 19, false, 118. / 24, "", "Figure 5.11: succeeds"}};
}

const char* const scatter =
    "; with corrector constants from 0.2 to 0.5 in place of 0.33 trust regions have 11 to 20 (gamma 1e3) and "
    "13 to 23 (1e6) "
    "successes, and Baumgarte (gamma 1e3) 0";

Entry counted(const char* item, const Parameters& parameters, int found, const std::string& note,
              const std::string& command) {
  return {.item = item,
          .quantity = "successes of 24",
          .parameters = parameters,
          .expected = count(found),
          .note = note,
          .command = command,
          .reading = successes()};
}

struct Further {
  std::string what, formulation;
  const char *gamma, *tolerance;
  int found;
  const char* disagreement;  // empty: none
};

std::vector<Further> further_rows() {
  std::vector<Further> rows;
  const auto both = [&](const char* name, auto form, const char* epsilon, int slow_found,
                        const char* slow_why, int fast_found, const char* fast_why) {
    rows.push_back({fmt::format("{} {}", name, epsilon), form(epsilon, slow.gamma), slow.gamma,
                    slow.tolerance, slow_found, slow_why});
    rows.push_back({fmt::format("{} {}", name, epsilon), form(epsilon, fast.gamma), fast.gamma,
                    fast.tolerance, fast_found, fast_why});
  };
  both("direct", direct, "1e-2", 0, "", 18, "");
  both("direct", direct, "1e-3", 0, "", 13, "7 here, and 4 to 12 with corrector constants from 0.2 to 0.5");
  both("direct", direct, "1e-4", 0, "", 6,
       "0 here, and 0 to 3 with corrector constants from 0.2 to 0.5; why is not known");
  both("trust", trust, "1e-4", 20, "", 24, "");
  both("trust", trust, "1e-8", 10, "4 here, and 4 to 13 with corrector constants from 0.2 to 0.5: scatter", 6,
       "16 here, and 12 to 17 with corrector constants from 0.2 to 0.5; why is not known");
  both("trust", trust, "1e-9", 5, "", 1,
       "7 here, and 7 to 14 with corrector constants from 0.2 to 0.5; why is not known");
  for (const char* tolerance : {"1e-6", "1e-7", "1e-8"}) {
    const bool first = tolerance == std::string("1e-6");
    rows.push_back({"Baumgarte", baumgarte(slow.gamma), slow.gamma, tolerance, 0, ""});
    for (const char* epsilon : {"1e-6", "1e-4"})
      rows.push_back(
          {fmt::format("direct {}", epsilon), direct(epsilon, slow.gamma), slow.gamma, tolerance, 0, ""});
    rows.push_back(
        {"trust 1e-6", trust("1e-6", slow.gamma), slow.gamma, tolerance, first ? 16 : 24,
         first ? "24 here, and 21 to 24 with corrector constants from 0.2 to 0.5; why is not known" : ""});
  }
  rows.push_back({"Baumgarte, explicit", fmt::format("baumgarte:alpha={},beta=0", slow.gamma), slow.gamma,
                  slow.tolerance, 0,
                  "2 here, and 2 to 4 with corrector constants from 0.2 to 0.5; why is not known"});
  return rows;
}

}  // namespace

std::vector<Entry> example52_counts() {
  std::vector<Entry> entries;
  for (const Verdict& v : verdicts()) {
    const auto entry = [&](const char* integrator, const char* multipliers, int found) {
      return counted("Example 5.2, index 2",
                     {{"setting", v.setting.name}, {"method", v.method}, {"y in", multipliers}}, found,
                     std::string(v.paper) + scatter,
                     releases(24, v.formulation, integrator, v.setting.tolerance, "10"));
    };
    entries.push_back(entry(without_multipliers, "no test", v.stock));
    entries.push_back(entry(with_multipliers, "corrector", v.own));
    if (!v.own_agrees) entries.back().disagreement = by_drift;
  }
  const auto index3 = [](const char* name) {
    return fmt::format("{}:epsilon=1e-6,gamma0=2e6,gamma1=2e3,curvature=off", name);
  };
  for (const char* test : {"q", "q;v"})
    for (const auto& [name, formulation, paper] :
         {std::tuple("Baumgarte", std::string("baumgarte:form=coupled,alpha=2e3,beta=2e6,curvature=off"),
                     "Figure 5.12: wrong solution, not had again"),
          std::tuple("direct 1e-6", index3("direct-regularization"),
                     "Figure 5.13: wrong solution, not had again"),
          std::tuple("trust 1e-6", index3("trust-region"), "Figure 5.14: converges")})
      entries.push_back(counted(
          "Example 5.2, index 3, gamma0 2e6, gamma1 2e3, tol 1e-5", {{"method", name}, {"error test", test}},
          24, paper,
          releases(24, formulation, fmt::format("{},error_test={}", with_multipliers, test), "1e-5", "10")));
  return entries;
}

std::vector<Entry> example52_crossings() {
  std::vector<Entry> entries;
  const std::vector<Verdict> all = verdicts();
  const auto command = [](const Verdict& v) {
    return releases(24, v.formulation, without_multipliers, v.setting.tolerance, "10");
  };
  for (const Verdict& v : all)
    entries.push_back({.item = "Example 5.2, crossings survived",
                       .quantity = "mean of 24",
                       .parameters = {{"setting", v.setting.name}, {"method", v.method}},
                       .expected = absolute(fmt::format("{:.2f}", v.mean), 1),
                       .command = command(v),
                       .reading = mean_survived(),
                       .disagreement = v.mean_why});
  for (const std::size_t first : {0u, 3u})
    for (const auto& [better, worse, what] :
         {std::tuple(2u, 0u, "trust over Baumgarte"), std::tuple(0u, 1u, "Baumgarte over direct")})
      entries.push_back({.item = "Example 5.2, crossings survived",
                         .quantity = what,
                         .parameters = {{"setting", all[first].setting.name}},
                         .expected = above(1),
                         .note = "the ranking: trust regions, Baumgarte, direct",
                         .command = command(all[first + worse]),
                         .baseline_command = command(all[first + better]),
                         .reading = mean_survived()});
  return entries;
}

std::vector<Entry> example52_further() {
  std::vector<Entry> entries;
  for (const Further& row : further_rows()) {
    entries.push_back(counted("Example 5.2, index 2, other parameters",
                              {{"method", row.what}, {"gamma", row.gamma}, {"tol", row.tolerance}}, row.found,
                              "multipliers in no test",
                              releases(24, row.formulation, without_multipliers, row.tolerance, "10")));
    entries.back().disagreement = row.disagreement;
  }
  return entries;
}

}  // namespace driftless::experiments::paper003
