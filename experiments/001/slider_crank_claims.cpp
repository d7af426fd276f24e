// Example 4: states of its runs, and what the text says about the figures.
#include <array>

#include <fmt/format.h>

#include "experiments/001/slider_crank.hpp"
#include "experiments/001/tables.hpp"

namespace driftless::experiments::paper001 {

namespace {

struct StateRow {
  const char *name, *t_end, *stabilizer;  // exact: no stabilizer is named
  std::array<const char*, 8> z;
};

constexpr std::array<StateRow, 5> states = {{
    {"(4.8)",
     "1",
     "post:F=split",
     {"-1.0660086619", "2.3966053131", "-0.2917590796", "-0.2960654178", "-1.0785354275", "-1.0499948293",
      "-0.1739789613", "-0.1818963094"}},
    {"none",
     "1",
     "none",
     {"-1.0624521376", "2.3997260832", "-0.2942365117", "-0.2985800773", "-1.0748790052", "-1.0540912590",
      "-0.1754433619", "-0.1837486413"}},
    {"exact",
     "1",
     "",
     {"-1.0612702824", "2.4012145661", "-0.2909919280", "-0.2952634693", "-1.0741410602", "-1.0439354473",
      "-0.1746422855", "-0.1825416842"}},
    {"exact",
     "2",
     "",
     {"-2.07093812", "1.43297811", "-0.29250486", "-0.29684521", "-0.90579233", "-0.70626784", "0.14479089",
      "0.15141309"}},
    {"exact",
     "10",
     "",
     {"-0.5870330706", "2.7982034998", "-0.1846310785", "-0.1856964741", "0.5775899822", "0.3801506449",
      "0.1602981056", "0.1631021748"}},
}};

constexpr std::array<const char*, 8> names = {"theta", "x2", "y2", "psi", "theta'", "x2'", "y2'", "psi'"};

// Errors of the slider against the exact motion over [0, 100].
struct Claim {
  const char *scheme, *stabilizer, *start;
  enum { rms, largest, largest_later } measure;  // later: over [50, 100]
  Slider formula;
  const char *found, *note;
};

constexpr const char* long_spans =
    "\"the advantage of stabilization is evident\" over long spans only: up to T = 50 the largest slider "
    "error from the angles is smaller without stabilization";
constexpr const char* worthwhile = "worthwhile over [0, 100], as the paper says";
constexpr const char* sensitive = "started by Heun's method: without stabilization the start matters much";

constexpr const char* one_step = "forward-euler";

constexpr std::array<Claim, 10> claims = {{
    {"(4.8)", "post:F=split", one_step, Claim::rms, Slider::angles, "7.3e-3", long_spans},
    {"none", "none", one_step, Claim::rms, Slider::angles, "1.41e-2", long_spans},
    {"none", "none", one_step, Claim::rms, Slider::rod, "5.7e-2", long_spans},
    {"(4.8)", "post:F=split", one_step, Claim::largest_later, Slider::angles, "9.4e-3", long_spans},
    {"none", "none", one_step, Claim::largest_later, Slider::angles, "2.6e-2", long_spans},
    {"none", "none", one_step, Claim::largest_later, Slider::rod, "9.7e-2", long_spans},
    {"velocity only", "post:F=velocity", one_step, Claim::rms, Slider::angles, "6.6e-3", worthwhile},
    {"position only", "post:F=position", one_step, Claim::rms, Slider::angles, "9.7e-3", worthwhile},
    {"(4.8)", "post:F=split", "heun", Claim::largest, Slider::angles, "2.68e-2", sensitive},
    {"none", "none", "heun", Claim::largest, Slider::angles, "1.11e-1", sensitive},
}};

Entry entry_of(const Claim& claim) {
  const std::string what = fmt::format("difference of {} of the two runs", text_of(claim.formula));
  const bool rms = claim.measure == Claim::rms, later = claim.measure == Claim::largest_later;
  return {
      .item = "Example 4, slider error against the exact motion",
      .quantity =
          fmt::format("{}, {}", rms ? "rms" : "largest", claim.formula == Slider::angles ? "angles" : "rod"),
      .parameters = {{"scheme", claim.scheme},
                     {"span", later ? "[50, 100]" : "[0, 100]"},
                     {"start", claim.start == one_step ? "Euler" : "Heun"}},
      .expected = digits(claim.found),
      .note = claim.note,
      .command = slider_crank_command(claim.stabilizer, "100", "0.1", claim.start),
      .reference_command = exact_slider_crank("100"),
      .reading = rms ? rms_difference("rms " + what, slider(claim.formula))
                     : largest_difference(fmt::format("largest {}{}", what, later ? ", from t = 50 on" : ""),
                                          slider(claim.formula), later ? 50 : 0)};
}

struct Spike {
  const char *scheme, *stabilizer, *t_end, *quantity, *path, *found, *note;
};

constexpr const char* spike =
    "the start by one Euler step is the spike: the largest drift of the run is that of the first step";
constexpr const char* exceeded = "a later step exceeds the spike of the start a little";

constexpr std::array<Spike, 4> spikes = {
    {{"(4.8)", "post:F=split", "0.1", "position drift of step 1", "/final/drift/position", "2.2181e-7",
      spike},
     {"(4.8)", "post:F=split", "0.1", "velocity drift of step 1", "/final/drift/velocity", "7.4759e-4",
      spike},
     {"position only", "post:F=position", "0.1", "position drift of step 1", "/final/drift/position",
      "2.22e-7", exceeded},
     {"position only", "post:F=position", "1.1", "position drift of step 11", "/final/drift/position",
      "2.3737e-7", exceeded}}};

}  // namespace

std::vector<Entry> slider_crank_states() {
  std::vector<Entry> entries;
  for (const StateRow& row : states)
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool exact = row.stabilizer == std::string();
      entries.push_back(
          {.item = "Example 4, states",
           .quantity = names[i],
           .parameters = {{"scheme", row.name}, {"t", row.t_end}},
           .expected = digits(row.z[i]),
           .command = exact ? exact_slider_crank(row.t_end) : slider_crank_command(row.stabilizer, row.t_end),
           .reading = pointer(fmt::format("/final/{}/{}", i < 4 ? "q" : "v", i % 4))});
    }
  return entries;
}

std::vector<Entry> slider_crank_claims() {
  std::vector<Entry> entries;
  for (const Claim& claim : claims) entries.push_back(entry_of(claim));
  for (const Spike& row : spikes)
    entries.push_back({.item = "Example 4, start and reference",
                       .quantity = row.quantity,
                       .parameters = {{"scheme", row.scheme}},
                       .expected = digits(row.found),
                       .note = row.note,
                       .command = slider_crank_command(row.stabilizer, row.t_end),
                       .reading = pointer(row.path)});
  entries.push_back(
      {.item = "Example 4, start and reference",
       .quantity = "slider error of the reference",
       .parameters = {{"scheme", "(4.8)"}, {"h", "0.01"}},
       .expected = digits("2.5e-4"),
       .note = "what the run that errors are measured against is worth itself",
       .command = exact_slider_crank("100"),
       .reference_command = slider_crank_command("post:F=split", "100", "0.01"),
       .reading = largest_difference("largest difference of cos theta + 3 cos psi of the two runs",
                                     slider(Slider::angles))});
  return entries;
}

}  // namespace driftless::experiments::paper001
