// Orders in eps. Theorem 3.2 bounds the errors of Example 5.1, where G B = t^2 has a zero of multiplicity m = 2, by
// eps^(1/2) left of it and eps^(1/(2m)) at and right of it for the direct method, and by eps^(1/4) and eps^(1/(4m)) for
// trust regions. Theorem 3.1: O(eps) where the rank is constant.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>

#include "experiments/003/error_equation.hpp"
#include "experiments/003/tables.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper003 {

namespace {

struct Order {
  const char* where;
  double ErrorOfExample51::*error;
  double gamma, from, to;  // between these eps
  Method method;
  const char *theorem, *found;
};

constexpr std::array<Order, 10> measured = {
    {{"left, t = -0.5", &ErrorOfExample51::left, 1, 1e-8, 1e-12, Method::direct, "0.5", "1.00"},
     {"left, t = -0.5", &ErrorOfExample51::left, 1, 1e-8, 1e-12, Method::trust, "0.25", "1.00"},
     {"largest", &ErrorOfExample51::largest, 1, 1e-11, 1e-12, Method::direct, "0.25", "0.46"},
     {"largest", &ErrorOfExample51::largest, 1, 1e-11, 1e-12, Method::trust, "0.125", "0.25"},
     {"largest", &ErrorOfExample51::largest, 1000, 1e-11, 1e-12, Method::direct, "0.25", "0.42"},
     {"largest", &ErrorOfExample51::largest, 1000, 1e-11, 1e-12, Method::trust, "0.125", "0.22"},
     {"right, t = 1", &ErrorOfExample51::right, 1, 1e-11, 1e-12, Method::direct, "0.25", "0.96"},
     {"right, t = 1", &ErrorOfExample51::right, 1, 1e-11, 1e-12, Method::trust, "0.125", "0.50"},
     {"right, t = 1", &ErrorOfExample51::right, 1000, 1e-11, 1e-12, Method::direct, "0.25", "1.00"},
     {"right, t = 1", &ErrorOfExample51::right, 1000, 1e-11, 1e-12, Method::trust, "0.125", "1.00"}}};

double order_of(const Order& row) {
  const auto error = [&](double epsilon) {
    return std::abs(error_of_example51(row.method, epsilon, row.gamma).*row.error);
  };
  return std::log(error(row.from) / error(row.to)) / std::log(row.from / row.to);
}

struct Rank {
  const char *method, *formulation, *rho, *found;  // of eps = 1e-2
};

constexpr std::array<Rank, 4> ranks = {{{"direct", "direct-regularization", "0", "1.9e-3"},
                                        {"direct", "direct-regularization", "1", "1.1e-3"},
                                        {"trust", "trust-region", "0", "1.05e-3"},
                                        {"trust", "trust-region", "1", "6.3e-4"}}};

// In all lines and coordinates, against two coordinates without constraints.
Reading error_of_rank(const Rank& rank) {
  return from_table(
      "largest difference of x1, x2, x3 of trajectory.csv from the exact motion", [rank](const Table& table) {
        const Reference reference =
            catalog::make_problem("003-rank-deficient", {{"rho", rank.rho}, {"input", rank.method}})
                .reference;
        const std::vector<double>& t = table.column("t");
        double largest = 0;
        for (std::size_t i = 0; i < t.size(); ++i) {
          const Vector exact = reference.at(t[i])->z;
          for (const int k : {0, 1, 2})
            largest = std::max(largest, std::abs(table.column(fmt::format("x{}", k + 1))[i] - exact(k)));
        }
        return largest;
      });
}

}  // namespace

std::vector<Entry> orders_in_epsilon() {
  std::vector<Entry> entries;
  for (const Order& row : measured)
    entries.push_back(
        {.item = "Theorem 3.2, order in eps",
         .quantity = row.where,
         .parameters = {{"method", row.method == Method::trust ? "trust region" : "direct"},
                        {"gamma", text_of(row.gamma)},
                        {"between", fmt::format("{:g} and {:g}", row.from, row.to)}},
         .printed = row.theorem,
         .expected = absolute(row.found, 0.01),
         .note =
             "the theorem's exponent is that of a bound, which holds and is not sharp; the error equation is "
             "integrated in C++, no run",
         .reading = formula("order between two eps of the error equation", [row] { return order_of(row); })});
  return entries;
}

std::vector<Entry> constant_rank() {
  std::vector<Entry> entries;
  for (const Rank& rank : ranks) {
    const Reading error = error_of_rank(rank);
    const auto command = [&](const char* epsilon, const char* gamma) {
      return fmt::format(
          "driftless run 003-rank-deficient --set rho={} --set input={} --formulation {}:epsilon={},gamma={} "
          "--integrator dopri5 --stabilizer none --rtol 1e-11 --atol 1e-12 --output every=0.05",
          rank.rho, rank.method, rank.formulation, epsilon, gamma);
    };
    const auto parameters = [&](const char* epsilon, const char* gamma) {
      return Parameters{{"method", rank.method}, {"rho", rank.rho}, {"gamma", gamma}, {"epsilon", epsilon}};
    };
    const double found = std::stod(rank.found);
    for (const auto& [epsilon, factor] :
         {std::pair("1e-2", 1.), std::pair("1e-3", .1), std::pair("1e-4", .01), std::pair("1e-5", 1e-3)})
      entries.push_back({.item = "Theorem 3.1, constant rank",
                         .quantity = "largest error",
                         .parameters = parameters(epsilon, "10"),
                         .expected = relative(fmt::format("{:.3g}", found * factor), 0.03),
                         .command = command(epsilon, "10"),
                         .reading = error});
    Reading slope{"log10 of " + ratio(error).text,
                  [value = ratio(error).value](const RunRecord& run, const RunRecord& reference) {
                    return std::log10(value(run, reference));
                  }};
    entries.push_back({.item = "Theorem 3.1, constant rank",
                       .quantity = "order in eps",
                       .parameters = parameters("to 1e-5", "10"),
                       .printed = "1",
                       .expected = absolute("1.00", 0.005),
                       .note = "the paper prints O(eps)",
                       .command = command("1e-5", "10"),
                       .reference_command = command("1e-4", "10"),
                       .reading = slope});
    entries.push_back({.item = "Theorem 3.1, constant rank",
                       .quantity = "gamma 10 over 100",
                       .parameters = parameters("1e-3", "100"),
                       .expected = relative("10", 0.05),
                       .note = "the error is O(eps/gamma)",
                       .command = command("1e-3", "100"),
                       .reference_command = command("1e-3", "10"),
                       .reading = ratio(error)});
  }
  return entries;
}

}  // namespace driftless::experiments::paper003
