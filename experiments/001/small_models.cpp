// Section 4, drift under forward Euler by itself, s'' = 0 with s = 0: (4.6), Baumgarte with alpha = 2/h, beta
// = 1/h^2, and (4.5) with gamma = 1/h take two steps to remove it. Section 2, Remark 1, why f must be smooth:
// h' = 2 h^(1/3) - gamma h settles at h = (2/gamma)^(3/2) and not at 0.
#include "experiments/001/tables.hpp"

#include <array>

#include <fmt/format.h>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper001 {

namespace {

struct Step {
  const char *quantity, *t_end, *path, *found, *printed;
};

constexpr std::array<Step, 4> baumgarte = {{{"r_1", "0.01", "/final/v/0", "-0.1", "-.1"},
                                            {"s_1", "0.01", "/final/q/0", "1e-3", ".001"},
                                            {"s_2", "0.02", "/final/q/0", "0", "0"},
                                            {"r_2", "0.02", "/final/v/0", "0", "0"}}};

constexpr std::array<Step, 4> weak = {{{"s_1", "0.01", "/final/q/0", "1e-5", ".1e-4"},
                                       {"r_1", "0.01", "/final/v/0", "0", "0"},
                                       {"s_2", "0.02", "/final/q/0", "0", "0"},
                                       {"r_2", "0.02", "/final/v/0", "0", "0"}}};

Entry drift_entry(const Step& step, const char* equation, const char* r0, const char* formulation) {
  const bool zero = step.found == std::string("0");
  return {.item = fmt::format("Section 4, {}", equation),
          .quantity = step.quantity,
          .parameters = {{"h", "0.01"}, {"s0", "1e-3"}, {"r0", r0}},
          .printed = step.printed,
          .expected = zero ? below(1e-15, "0") : digits(step.found),
          .note = zero ? "zero up to roundoff; the paper prints the formula" : "the paper prints the formula",
          .command = fmt::format(
              "driftless run 001-drift-model --set s0=1e-3 --set r0={} --formulation {} --integrator "
              "forward-euler --stabilizer none --step 0.01 --t-end {}",
              r0, formulation, step.t_end),
          .reading = pointer(step.path)};
}

struct Remark {
  const char *gamma, *found;
};

constexpr std::array<Remark, 3> remarks = {{{"1", "2.8284"}, {"10", "8.944272e-2"}, {"100", "2.828427e-3"}}};

}  // namespace

std::vector<Entry> small_models() {
  std::vector<Entry> entries;
  for (const Step& step : baumgarte)
    entries.push_back(drift_entry(step, "Baumgarte (4.6)", "0", "baumgarte:alpha=200,beta=10000"));
  for (const Step& step : weak)
    entries.push_back(
        drift_entry(step, "(4.5) with gamma = 1/h", "1e-3", "invariant-stabilized:gamma=100,F=split"));
  for (const Remark& remark : remarks)
    entries.push_back(
        {.item = "Section 2, Remark 1",
         .quantity = "h at t = 20",
         .parameters = {{"gamma", remark.gamma}, {"offset", "1e-6"}},
         .expected = digits(remark.found),
         .note = "(2/gamma)^(3/2), as the remark predicts: it does not tend to 0",
         .command = fmt::format(
             "driftless run 001-remark1 --set offset=1e-6 --formulation "
             "invariant-stabilized:gamma={},F=full,invariants=h --integrator dopri5 --stabilizer none "
             "--rtol 1e-9 --atol 1e-12 --t-end 20",
             remark.gamma),
         .reading = pointer("/final/invariants/h")});
  return entries;
}

}  // namespace driftless::experiments::paper001
