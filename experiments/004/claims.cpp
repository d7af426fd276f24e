// What the paper says about the circle in words: orders in h, what happens without energy control and without
// any, and that odd terms of the truncation error damp while even ones shift the frequency. And AB-3, whose
// a_3 has the opposite sign.
#include "experiments/004/tables.hpp"

#include <array>
#include <cmath>

#include "experiments/004/circle.hpp"

namespace driftless::experiments::paper004 {

namespace {

const std::array<const Reading*, 3> readings = {&Phi, &Phi_rate, &psi};
constexpr std::array<const char*, 3> names = {"Phi", "Phi'", "psi"};
using Errors = std::array<const char*, 3>;

struct Steps {
  double h;
  Errors euler, ab2;
};

constexpr std::array<Steps, 4> steps = {
    {{0.04, {"1.6527e-3", "-2.0659e-2", "1.6473e-2"}, {"1.281699e-6", "-1.602124e-5", "3.204239e-5"}},
     {0.02, {"4.0322e-4", "-1.0081e-2", "4.0290e-3"}, {"8.002528e-8", "-2.000632e-6", "4.001263e-6"}},
     {0.01, {"1.0020e-4", "-5.0100e-3", "1.0018e-3"}, {"5.000385e-9", "-2.500193e-7", "5.000385e-7"}},
     {0.005, {"2.5013e-5", "-2.5013e-3", "2.5011e-4"}, {"3.125059e-10", "-3.125060e-8", "6.250119e-8"}}}};

CircleRun euler_scaled(double h) {
  return by_euler(h, 0.05 / h);
}
CircleRun ab2_scaled(double h) {
  return by_ab2(h, 0.5);
}

void add_orders(std::vector<Entry>& entries, const char* rule, CircleRun (*run)(double), Errors Steps::*found,
                const std::array<const char*, 3>& orders, const std::array<const char*, 3>& stated) {
  const std::string item = "Claims, orders in h";
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const Steps& row : steps)
      entries.push_back({.item = item,
                         .quantity = names[i],
                         .parameters = {{"method", run(row.h).method}, {"mu_v", rule}, {"h", text_of(row.h)}},
                         .expected = digits((row.*found)[i]),
                         .command = command(run(row.h)),
                         .reading = *readings[i]});
    entries.push_back({.item = item,
                       .quantity = fmt::format("order of {}", names[i]),
                       .parameters = {{"method", run(0.01).method}, {"mu_v", rule}},
                       .printed = orders[i],
                       .expected = absolute(orders[i], 0.05),
                       .note = fmt::format("{}; between steps 0.01 and 0.005", stated[i]),
                       .command = command(run(0.005)),
                       .reference_command = command(run(0.01)),
                       .reading = order(*readings[i])});
  }
}

struct At {
  double t;
  const char* found;  // of psi; empty: overflow
};

constexpr std::array<At, 5> euler_grows = {
    {{1, "1.0161e-2"}, {10, ".124876"}, {20, ".332964"}, {50, "213.7"}, {100, ""}}};

void add_without_energy_control(std::vector<Entry>& entries) {
  const std::string item = "Claims, mu_v = 0";
  CircleRun run = by_euler(0.01, 0);
  for (const At& at : euler_grows) {
    run.t_end = at.t;
    entries.push_back(
        {.item = item,
         .quantity = fmt::format("psi({})", at.t),
         .parameters = {{"method", "Euler"}},
         .expected = *at.found == '\0' ? overflow() : digits(at.found),
         .note = "not bounded, as the paper says: near (1/(1 - 2 h t) - 1)/2, which has no end at t = 50",
         .command = command(run),
         .reading = psi});
  }
  CircleRun ab2 = by_ab2(0.01, 0), longer = ab2;
  longer.t_end = 300;
  const char* linear = "grows by 2 a_3 h^3 a unit of time from the 1e-4 that the start by Euler leaves";
  const auto add = [&](const char* quantity, const char* found, const CircleRun& of, const Reading& reading,
                       const char* note) {
    entries.push_back({.item = item,
                       .quantity = quantity,
                       .parameters = {{"method", "AB-2"}},
                       .expected = digits(found),
                       .note = note,
                       .command = command(of),
                       .reading = reading});
  };
  add("Phi(50)", "5.004e-9", ab2, Phi, "stays where it is");
  add("psi(50)", "1.250625e-4", ab2, psi, linear);
  add("psi(300)", "2.502596e-4", longer, psi, linear);
  add("growth of psi", "5.0e-7", longer,
      {"difference of /energy/balance of the two runs over 250",
       [](const RunRecord& a, const RunRecord& b) { return (psi.value(a, a) - psi.value(b, b)) / 250; }},
      linear);
  entries.back().reference_command = command(ab2);
}

void add_without_control(std::vector<Entry>& entries) {
  for (const auto& [run, found] :
       {std::pair{by_euler(0.01, 0), ".32434"}, std::pair{by_ab2(0.01, 0), "6.2509e-5"}}) {
    CircleRun free = run;
    free.gains = {};
    for (const std::size_t i : {0u, 2u})
      entries.push_back({.item = "Claims, no control at all",
                         .quantity = fmt::format("{}(50)", names[i]),
                         .parameters = {{"method", run.method}},
                         .expected = digits(found),
                         .command = command(free),
                         .reading = *readings[i]});
  }
}

// Re w, the false damping, and omega - 1, the false frequency.
void add_damping_and_frequency(std::vector<Entry>& entries) {
  const std::string item = "Claims, damping and frequency";
  for (const auto& [method, count, expected] : {std::tuple{"Euler", 1, "1"}, std::tuple{"AB-2", 2, "3"}})
    entries.push_back({.item = item,
                       .quantity = "order of Re w",
                       .parameters = {{"method", method}},
                       .printed = expected,
                       .expected = absolute(expected, 0.05),
                       .note = "the paper says that odd powers of h damp; the exponent is that of the first; "
                               "a formula of the library, "
                               "no run",
                       .reading = formula("log2 of Re analysis::discrete_rate at h = 0.02 over that at 0.01",
                                          [steps_of = count] {
                                            const auto of = analysis::adams_bashforth(steps_of);
                                            return std::log2(analysis::discrete_rate(of, 0.02, 0.02).real() /
                                                             analysis::discrete_rate(of, 0.01, 0.01).real());
                                          })});
  const CircleRun run = by_ab2(0.01, 0.5);
  entries.push_back(
      {.item = item,
       .quantity = "omega - 1",
       .parameters = {{"method", "AB-2"}, {"source", "equilibrium"}},
       .expected = digits("4.2164e-5"),
       .note = "an even power of h: frequency; a formula of the library, no run",
       .reading = formula("analysis::discrete_equilibrium", [run] {
         return analysis::discrete_equilibrium(analysis::adams_bashforth(2), run.h, run.gains).omega - 1;
       })});
  entries.push_back(
      {.item = item,
       .quantity = "omega - 1",
       .parameters = {{"method", "AB-2"}, {"source", "(5/12) h^2 + psi"}},
       .expected = digits("4.2167e-5"),
       .command = command(run),
       .reading = {"(5/12) 0.01^2 + /energy/balance", [](const RunRecord& of, const RunRecord&) {
                     return 5.0 / 12 * 1e-4 + psi.value(of, of);
                   }}});
}

}  // namespace

std::vector<Entry> claims() {
  std::vector<Entry> entries;
  add_orders(entries, ".05/h", euler_scaled, &Steps::euler, {"2", "1", "2"},
             {"the paper states O(h^2)", "the paper states O(h)", "the paper states O(h^2)"});
  add_orders(entries, ".5", ab2_scaled, &Steps::ab2, {"4", "3", "3"},
             {"(65) is of order h^4 with these gains", "(66) is of order h^3", "(67) is of order h^3"});
  add_without_energy_control(entries);
  add_without_control(entries);
  add_damping_and_frequency(entries);
  return entries;
}

std::vector<Entry> third_order() {
  const CircleRun run{"AB-3", "ab3:start=dop853", 3, 0.02, {25, 125, 0.5}, 60};
  const Errors simulated = {"-5.998331e-7", "2.999165e-6", "-5.998338e-6"},
               leading = {"-6.0e-7", "3.0e-6", "-6.0e-6"};
  using analysis::CircleEquilibrium;
  constexpr std::array<double CircleEquilibrium::*, 3> members = {
      &CircleEquilibrium::Phi, &CircleEquilibrium::Phi_rate, &CircleEquilibrium::psi};
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto add = [&](const char* source, const char* found, const std::string& text,
                         const Reading& reading, const std::string& note) {
      entries.push_back({.item = "AB-3",
                         .quantity = names[i],
                         .parameters = {{"source", source}, {"h", "0.02"}},
                         .expected = digits(found),
                         .note = note,
                         .command = text,
                         .reading = reading});
    };
    const auto by = [&](auto f, const char* name) {
      return formula(fmt::format("analysis::{}", name), [=, member = members[i]] {
        return f(analysis::adams_bashforth(3), run.h, run.gains).*member;
      });
    };
    add("simulated", simulated[i], command(run), *readings[i],
        "start values from the exact circle (dop853); the sign is that of a_3 = -3/8, opposite to AB-2");
    add("leading order", leading[i], "", by(analysis::leading_equilibrium, "leading_equilibrium"),
        "a formula of the library, no run");
    add("equilibrium", simulated[i], "", by(analysis::discrete_equilibrium, "discrete_equilibrium"),
        "a formula of the library, no run");
  }
  return entries;
}

}  // namespace driftless::experiments::paper004
