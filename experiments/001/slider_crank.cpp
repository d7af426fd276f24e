// Example 4, Figures 4.2 to 4.13: the slider-crank, AB2 with step 0.1 started by forward Euler, then (3.9)
// with alpha = 1. Error of the slider's position against the run with (4.8) and step 0.01, from the angles, s
// = r cos theta + l cos psi, and from the centre of the rod, s = x2 + (l - l1) cos psi: equal on the
// manifold. The paper states neither the time span nor which of the two; its figures are lost, so that
// nothing is printed.
#include "experiments/001/slider_crank.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiments/001/tables.hpp"

namespace driftless::experiments::paper001 {

std::string slider_crank_command(const std::string& stabilizer, const std::string& t_end,
                                 const std::string& step, const std::string& start) {
  return fmt::format(
      "driftless run 001-slider-crank --integrator ab2:start={} --stabilizer {} --step {} --t-end {}", start,
      stabilizer, step, t_end);
}

std::string exact_slider_crank(const std::string& t_end) {
  return fmt::format(
      "driftless run 001-slider-crank --integrator dop853 --stabilizer projection --rtol 1e-12 --atol 1e-12 "
      "--t-end {} "
      "--output every=0.1",
      t_end);
}

RowFunction slider(Slider formula) {
  const bool angles = formula == Slider::angles;
  return [angles](const Table& table, std::size_t row) {
    const double rod = std::cos(table.column("psi")[row]);
    return angles ? std::cos(table.column("theta")[row]) + 3 * rod : table.column("x2")[row] + rod;
  };
}

const char* text_of(Slider formula) {
  return formula == Slider::angles ? "cos theta + 3 cos psi" : "x2 + cos psi";
}

namespace {

struct Row {
  const char *scheme, *stabilizer, *t_end;
  const char *angles, *rod, *position, *velocity;
};

constexpr const char* roundoff = "2.2e-16";

constexpr std::array<Row, 16> rows = {{
    {"(4.8)", "post:F=split", "10", "1.9415e-2", "1.9415e-2", "2.2181e-7", "7.4759e-4"},
    {"(4.8)", "post:F=split", "20", "2.0641e-2", "2.0641e-2", "2.2181e-7", "7.4759e-4"},
    {"(4.8)", "post:F=split", "50", "2.0641e-2", "2.0641e-2", "2.2181e-7", "7.4759e-4"},
    {"(4.8)", "post:F=split", "100", "2.0641e-2", "2.0641e-2", "2.2181e-7", "7.4759e-4"},
    {"none", "none", "10", "5.4698e-3", "1.2271e-2", "1.1102e-2", "7.1141e-3"},
    {"none", "none", "20", "1.0928e-2", "2.5176e-2", "1.8584e-2", "7.1141e-3"},
    {"none", "none", "50", "1.7599e-2", "5.6583e-2", "3.8984e-2", "7.1141e-3"},
    {"none", "none", "100", "2.6029e-2", "9.6908e-2", "7.3454e-2", "7.1141e-3"},
    {"velocity only", "post:F=velocity", "10", "1.6050e-2", "1.8354e-2", "6.6121e-3", roundoff},
    {"velocity only", "post:F=velocity", "100", "1.8045e-2", "1.8354e-2", "6.6121e-3", roundoff},
    {"position only", "post:F=position", "10", "1.6882e-2", "1.6882e-2", "2.3737e-7", "1.1026e-2"},
    {"position only", "post:F=position", "20", "2.5334e-2", "2.5334e-2", "2.3737e-7", "1.2689e-2"},
    {"position only", "post:F=position", "50", "2.6907e-2", "2.6907e-2", "2.3737e-7", "1.2739e-2"},
    {"position only", "post:F=position", "100", "2.6907e-2", "2.6907e-2", "2.3737e-7", "1.2858e-2"},
    {"F = H^+", "post:F=full,time=model", "100", "2.5116e-2", "2.5116e-2", "1.2458e-6", "6.9674e-7"},
    {"(4.7)", "post:F=block", "100", "2.0664e-2", "2.0664e-2", "2.2181e-7", "1.9864e-7"},
}};

}  // namespace

std::vector<Entry> slider_crank() {
  std::vector<Entry> entries;
  const std::string reference = slider_crank_command("post:F=split", "100", "0.01");
  for (const Row& row : rows) {
    const auto add = [&](const char* quantity, const Expected& found, const Reading& reading,
                         const std::string& other, const char* note) {
      entries.push_back({.item = "Example 4, Figures 4.2 to 4.13",
                         .quantity = quantity,
                         .parameters = {{"scheme", row.scheme}, {"T", row.t_end}},
                         .expected = found,
                         .note = note,
                         .command = slider_crank_command(row.stabilizer, row.t_end),
                         .reference_command = other,
                         .reading = reading});
    };
    for (const auto& [formula, found] :
         {std::pair{Slider::angles, row.angles}, std::pair{Slider::rod, row.rod}})
      add(formula == Slider::angles ? "slider error, angles" : "slider error, rod centre", digits(found),
          largest_difference(fmt::format("largest difference of {} of the two runs", text_of(formula)),
                             slider(formula)),
          reference, "");
    add("position drift", digits(row.position), pointer("/drift/position"), "", "");
    const bool zero = row.velocity == roundoff;
    add("velocity drift", zero ? below(1e-14, roundoff) : digits(row.velocity), pointer("/drift/velocity"),
        "", zero ? "roundoff" : "");
  }
  return entries;
}

}  // namespace driftless::experiments::paper001
