// What the tables do not say: Table 4.1 by components, over all steps and with nu a little different; mu of
// Table 4.3 over time; the steps at which the direct method is singular; why it blows up in Example 2.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "experiments/000/runs.hpp"
#include "experiments/000/tables.hpp"

namespace driftless::experiments::paper000 {

namespace {

const Reading error_x1 = {
    "|/final/q/0 - e|", [](const RunRecord& run, const RunRecord&) {
      return std::abs(run.json.at("final").at("q").at(0).get<double>() - std::numbers::e);
    }};

const Reading largest_error =
    from_table("largest |x1 - e^t| and |x2 - e^t| of all rows", [](const Table& table) {
      double largest = 0;
      for (const char* name : {"x1", "x2"})
        for (std::size_t i = 0; i < table.column("t").size(); ++i)
          largest = std::max(largest, std::abs(table.column(name)[i] - std::exp(table.column("t")[i])));
      return largest;
    });

const Reading largest_mu = from_table("largest |mu[0]| of all rows", [](const Table& table) {
  double largest = 0;
  for (const double value : table.column("mu[0]")) largest = std::max(largest, std::abs(value));
  return largest;
});

// Where the solution has blown up, e^t is nothing beside it, and quotients are those of the homogeneous
// equation.
Reading last_quotient(const std::string& column) {
  return from_table(fmt::format("{0} at t = 1 over {0} of the row before", column), [=](const Table& table) {
    const auto& x = table.column(column);
    return x.back() / x[x.size() - 2];
  });
}

// From where the truncation error is less than roundoff of the solution.
const Reading distance_from_euler = from_table(
    "largest |(x1_n/x1_n-1)/(1 - nu h/(2 - t_n-1)) - 1| of the rows with t >= 0.5", [](const Table& table) {
      const auto &t = table.column("t"), &x = table.column("x1");
      double largest = 0;
      for (std::size_t n = 1; n < t.size(); ++n) {
        if (t[n] < 0.5) continue;
        const double euler = 1 - 1000 * (t[n] - t[n - 1]) / (2 - t[n - 1]);
        largest = std::max(largest, std::abs(x[n] / x[n - 1] / euler - 1));
      }
      return largest;
    });

}  // namespace

std::vector<Entry> other_readings() {
  std::vector<Entry> entries;
  const auto add = [&](Entry entry, const Run& run) {
    entry.command = command(run);
    entries.push_back(std::move(entry));
  };
  const std::string of_41 = "Table 4.1, what else the runs have", item_nu = "Table 4.1, nu changed by 1e-5";
  add({.item = of_41,
       .quantity = "error of x1",
       .parameters = {{"method", "Baumgarte"}, {"gamma", "1000"}},
       .expected = digits(".2747e+8"),
       .note = "what Table 4.1 prints as Error",
       .reading = error_x1},
      {.problem = example1("1000"), .formulation = "baumgarte:gamma=1000"});
  add({.item = of_41,
       .quantity = "error of x1",
       .parameters = {{"method", "state-space"}},
       .expected = digits(".8415e-5"),
       .reading = error_x1},
      {.problem = example1("1000"), .formulation = state_space});
  add({.item = of_41,
       .quantity = "largest error of all steps",
       .parameters = {{"method", "state-space"}},
       .expected = digits(".5680e-3"),
       .note = "far from .42e-1, which Table 4.1 prints as Error",
       .reading = largest_error},
      {.problem = example1("1000"), .formulation = state_space});
  for (const auto& [gamma, error, drift] :
       {std::array{"10", ".3699e+75", ".4832e+75"}, std::array{"100", ".6129e+53", ".8525e+53"}})
    for (const bool is_error : {true, false})
      add({.item = item_nu,
           .quantity = is_error ? "Error" : "Drift",
           .parameters = {{"nu", "999.99"}, {"gamma", gamma}},
           .expected = digits(is_error ? error : drift),
           .note = "1 to 2 percent less than with nu = 1000: so sensitive these rows of Table 4.1 are",
           .reading = is_error ? error_p : drift_p},
          {.problem = example1("999.99"), .formulation = std::string("baumgarte:gamma=") + gamma});
  add({.item = "Table 4.3, largest over time instead of at t = 1",
       .quantity = "mu",
       .parameters = {{"eps", "1"}, {"D", "unit"}, {"nu", "1"}},
       .expected = digits(".3260e-2"),
       .note = "not what Table 4.3 prints, hence mu is that at t = 1",
       .reading = largest_mu},
      {.problem = example3("1", "1"), .formulation = projected("unit")});
  add({.item = "Table 4.7, other singular steps",
       .quantity = "Error(v)",
       .parameters = {{"eps", "2"}, {"D", "d-2"}, {"nu", "99"}},
       .expected = above_or_none(1e6, {}),
       .note =
           "2 - t = h ((eps - 1) nu + 1) at t = 1; with eps = 2 and h = .01 every integer nu from 99 to 198 "
           "has such a step",
       .reading = error_v},
      {.problem = example3("99", "2"), .formulation = direct});
  return entries;
}

std::vector<Entry> euler_factor() {
  const std::string item = "Example 2, the direct method is forward Euler",
                    note = "1 - nu h/(2 - t) of forward Euler for u' = -nu u/(2 - t), t = 1 - h";
  std::vector<Entry> entries;
  const auto add = [&](const std::string& quantity, const char* h, const Expected& expected,
                       const Reading& reading, const std::string& why) {
    entries.push_back(
        {.item = item,
         .quantity = quantity,
         .parameters = {{"h", h}},
         .expected = expected,
         .note = why,
         .command = command({.problem = example2(), .formulation = direct, .step = std::string("0") + h}),
         .reading = reading});
  };
  add("last factor", ".01", digits("-8.900990"), last_quotient("x1"), note);
  add("last factor", ".005", digits("-3.975124"), last_quotient("x1"), note);
  add("distance of the factors", ".01", below(1e-9, "0"), distance_from_euler,
      "exactly forward Euler, up to roundoff");
  add("Error", ".005", digits(".2815e+73"), error_p, "nu h = 5 > 2 (2 - t) at all t");
  add("Error", ".0025", below(1e-2, ".170e-5"), error_p,
      "nu h > 2 (2 - t) from t = .75 on: roundoff grows by 5e8 until t = 1 and is what this number is made "
      "of; "
      "with 50 digits it is .170e-5");
  add("Error", ".001", digits(".1361e-5"), error_p, "nu h <= 2 (2 - t) up to t = 1");
  entries.push_back({.item = "Example 3, (4.14) with D = B is forward Euler in p",
                     .quantity = "last factor",
                     .parameters = {{"eps", "1"}, {"nu", "1000"}, {"h", ".01"}},
                     .expected = digits("-8.900990"),
                     .note = "as in Example 2, whatever eps is: hence .93e+74 in Tables 4.3, 4.5 and 4.7",
                     .command = command({.problem = example3("1000", "1"), .formulation = projected("B")}),
                     .reading = last_quotient("p1")});
  for (const bool is_error : {true, false})
    entries.push_back({.item = "Example 2, Baumgarte with a gamma that serves Example 1",
                       .quantity = is_error ? "Error" : "Drift",
                       .parameters = {{"gamma", "10000"}},
                       .expected = digits(is_error ? ".9114e+70" : ".3042e+67"),
                       .note = "no gamma serves both examples",
                       .command = command({.problem = example2(), .formulation = "baumgarte:gamma=10000"}),
                       .reading = is_error ? error_p : drift_p});
  return entries;
}

}  // namespace driftless::experiments::paper000
