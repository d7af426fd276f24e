// Energy controls (7) and (10) beyond the circle. A pendulum that turns, Phi = (x^2 + y^2 - 1)/2, E = |v|^2/2
// + 9.81 y, from (0, -1) with speed 7, friction -c v, step 0.01, to t = 5; and the slider-crank of paper 001.
// psi = E - E(start) - W with the W that the control integrates; where friction works and no control is
// wanted, one with mu_v = 0 integrates it.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "experiments/004/tables.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper004 {

namespace {

struct Row {
  const char *c, *method, *control;  // for the reader; (7) and (10) stand beside Baumgarte's feedback
  const char *integrator, *formulation, *flag;
  const char *Phi, *psi, *last_psi, *error;  // empty: overflow
  const char* quotient = "";                 // of the error with Baumgarte alone over this one
};

constexpr const char *euler = "forward-euler", *ab2 = "ab2:start=forward-euler";
constexpr const char *deadbeat = "baumgarte:alpha=200,beta=10000",
                     *by_ab2 = "baumgarte:alpha=133.33333333333334,beta=6666.666666666667", *off = "index1";
constexpr const char *only_work = "energy-descent:mu_v=0", *row7 = "energy-baumgarte:eta=20,limit=0",
                     *descent = "energy-descent:mu_v=0.1";

// clang-format off
constexpr std::array<Row, 13> rows = {{
    {"0", "Euler", "none", euler, off, "", "3.363", "2.194e2", "2.194e2", "3.443"},
    {"0", "Euler", "Baumgarte", euler, deadbeat, "", "", "", "", ""},
    {"0", "Euler", "(10) mu_v=.3", euler, deadbeat, "energy-descent:mu_v=0.3",
     "5.091e-3", "9.148e-1", "7.710e-1", "4.076e-1"},
    {"0", "Euler", "(7) eta=20", euler, deadbeat, row7,
     "5.015e-3", "6.085e-1", "3.577e-1", "1.302e-1"},
    {"0", "AB-2", "none", ab2, off, "", "3.116e-3", "1.780e-1", "1.778e-1", "2.315e-1"},
    {"0", "AB-2", "Baumgarte", ab2, by_ab2, "", "2.477e-3", "4.119e-1", "3.878e-1", "2.900e-1"},
    {"0", "AB-2", "(10) mu_v=.1", ab2, by_ab2, descent,
     "2.477e-3", "2.541e-1", "6.236e-2", "2.093e-2", "13.86"},
    {"0", "AB-2", "(10) mu_v=.1 mu_q=.01", ab2, by_ab2, "energy-descent:mu_v=0.1,mu_q=0.01",
     "2.828e-3", "2.507e-1", "6.591e-2", "3.463e-2", "8.374"},
    {"0", "AB-2", "(7) eta=20", ab2, by_ab2, row7,
     "2.477e-3", "2.359e-1", "2.221e-2", "2.610e-2", "11.11"},
    {"0.1", "AB-2", "none", ab2, off, only_work, "4.679e-3", "1.214e-1", "1.102e-1", "4.429e-1"},
    {"0.1", "AB-2", "Baumgarte", ab2, by_ab2, only_work, "2.462e-3", "2.706e-1", "2.141e-1", "3.763e-1"},
    {"0.1", "AB-2", "(10) mu_v=.1", ab2, by_ab2, descent,
     "2.462e-3", "2.530e-1", "2.314e-2", "1.832e-1", "2.054"},
    {"0.1", "AB-2", "(7) eta=20", ab2, by_ab2, row7,
     "2.462e-3", "2.342e-1", "1.066e-2", "3.242e-2", "11.61"},
}};
// clang-format on

std::string flags(const std::string& formulation, const std::string& integrator, const std::string& control) {
  return fmt::format("--formulation {} --integrator {} --stabilizer none{}{}", formulation, integrator,
                     control.empty() ? "" : " --control ", control);
}

std::string pendulum_command(const char* c, const std::string& rest) {
  return fmt::format(
      "driftless run pendulum --set gravity=9.81 --set x=0 --set y=-1 --set vx=7 --set vy=0 --set c={} {} "
      "--t-end 5",
      c, rest);
}

std::string command(const Row& row) {
  return pendulum_command(row.c, flags(row.formulation, row.integrator, row.flag) + " --step 0.01");
}

std::string exact_command(const Row& row) {
  return pendulum_command(row.c,
                          "--integrator dop853 --stabilizer projection --step 0.0025 --output every=0.01");
}

std::vector<double> psi_of(const Table& table) {
  const auto &y = table.column("y"), &vx = table.column("vx"), &vy = table.column("vy");
  const bool works = std::find(table.names.begin(), table.names.end(), "work[0]") != table.names.end();
  std::vector<double> values;
  for (std::size_t i = 0; i < y.size(); ++i)
    values.push_back((vx[i] * vx[i] + vy[i] * vy[i]) / 2 + 9.81 * y[i] - (24.5 - 9.81) -
                     (works ? table.column("work[0]")[i] : 0));
  return values;
}

const char* const psi_text = "psi = (vx^2 + vy^2)/2 + 9.81 y - 14.69 - work[0]";

Reading largest_psi() {
  return from_table(fmt::format("largest |psi| of all rows, {}", psi_text), [](const Table& table) {
    double largest = 0;
    for (const double psi : psi_of(table)) largest = std::max(largest, std::abs(psi));
    return largest;
  });
}

Reading last_psi() {
  return from_table(fmt::format("psi of the last row, {}", psi_text),
                    [](const Table& table) { return psi_of(table).back(); });
}

// The largest distance of x and of y from the reference run.
Reading position_error() {
  const auto of = [](const char* name) {
    return largest_difference(
        "", [name](const Table& table, std::size_t row) { return table.column(name)[row]; });
  };
  return {"largest difference of x and of y of the two runs",
          [x = of("x"), y = of("y")](const RunRecord& run, const RunRecord& reference) {
            return std::max(x.value(run, reference), y.value(run, reference));
          }};
}

struct Crank {
  const char *control, *formulation, *flag, *t, *found;
};

constexpr const char* gains = "baumgarte:alpha=66.66666666666667,beta=1666.6666666666667";
constexpr const char *mass = "energy-descent:mu_v=0.5,metric=mass", *row5 = "energy-baumgarte:eta=5,limit=0";

constexpr std::array<Crank, 7> cranks = {
    {{"none", off, "", "8", "3.98e-4"},
     {"Baumgarte", gains, "", "8", "2.62e-4"},
     {"(10) mu_v=.05", gains, "energy-descent:mu_v=0.05", "8", "2.68e-5"},
     {"(10) mu_v=.5 metric=mass", gains, mass, "8", "2.41e-5"},
     {"(7) eta=5", gains, row5, "8", "2.82e-4"},
     {"(10) mu_v=.5 metric=mass", gains, mass, "3", "3.3e-5"},
     {"(7) eta=5", gains, row5, "3", "4.2e-5"}}};

}  // namespace

std::vector<Entry> pendulum() {
  std::vector<Entry> entries;
  for (const Row& row : rows) {
    const auto add = [&](const char* quantity, const char* found, const Reading& reading,
                         const std::string& reference = "") {
      entries.push_back(
          {.item = "Pendulum, controls (7) and (10)",
           .quantity = quantity,
           .parameters = {{"c", row.c}, {"method", row.method}, {"control", row.control}},
           .expected = *found == '\0' ? overflow() : digits(found),
           .note = *found == '\0'          ? "Baumgarte's feedback alone makes the energy grow without end"
                   : row.flag == only_work ? "mu_v = 0: the control does nothing but integrate the work"
                                           : "",
           .command = command(row),
           .reference_command = reference,
           .reading = reading});
    };
    add("largest |Phi|", row.Phi, pointer("/drift/position"));
    add("largest |psi|", row.psi, largest_psi());
    add("final psi", row.last_psi, row.c == std::string("0") ? pointer("/energy/balance") : last_psi());
    add("position error", row.error, position_error(), exact_command(row));
  }
  return entries;
}

// What energy control does for the positions: their error with Baumgarte's feedback alone over that with
// both.
std::vector<Entry> pendulum_gain() {
  std::vector<Entry> entries;
  for (const Row& row : rows) {
    if (*row.quotient == '\0') continue;
    const Row& alone = *std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
      return other.c == std::string(row.c) && other.method == std::string(row.method) &&
             other.control == std::string("Baumgarte");
    });
    Reading reading = position_error();
    reading.text += ", that of the baseline over that of the command";
    entries.push_back({.item = "Pendulum, position error with Baumgarte alone over that with control",
                       .quantity = "quotient",
                       .parameters = {{"c", row.c}, {"method", row.method}, {"control", row.control}},
                       .expected = relative(row.quotient, 5e-4),  // of numbers with four digits
                       .note = "with either energy control the position error drops, by 2 to 14 times",
                       .command = command(row),
                       .reference_command = exact_command(row),
                       .baseline_command = command(alone),
                       .reading = reading});
  }
  return entries;
}

std::vector<Entry> slider_crank() {
  std::vector<Entry> entries;
  for (const Crank& row : cranks) {
    const bool by_row = row.flag == row5;
    entries.push_back(
        {.item = "Slider-crank, controls (7) and (10)",
         .quantity = "position error",
         .parameters = {{"control", row.control}, {"t", row.t}},
         .expected = digits(row.found),
         .note =
             by_row
                 ? "as good as (10) up to t = 3; theta' = 0 is passed at t = 5, where (7) is nearly singular"
                 : "",
         .command = fmt::format("driftless run 001-slider-crank {} --step 0.02 --t-end {}",
                                flags(row.formulation, ab2, row.flag), row.t),
         .reading = pointer("/error/q")});
  }
  return entries;
}

}  // namespace driftless::experiments::paper004
