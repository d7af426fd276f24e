// Prints docs/stiffness.md: steps and errors of bdf in every formulation, and of radau5, on problems whose stiffness is a parameter.
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include <driftless/driftless.hpp>

#include "docs/stiffness_text.hpp"
#include "support/shaken_pendulum.hpp"

namespace driftless::tests {
namespace {

using Set = std::vector<std::pair<std::string, std::string>>;
constexpr long largest = 10000;

struct Row {
  std::string formulation;
  std::string integrator = "bdf";
  std::string stabilizer = "";
  std::string text() const {
    std::string words = "`" + formulation + "`";
    if (integrator != "bdf") words += " `" + integrator + "`";
    if (!stabilizer.empty()) words += ", stabilizer `" + stabilizer + "`";
    return words;
  }
};

struct Column {
  std::string head;
  Set set;
};

struct Table {
  std::string problem;
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool velocities = false;  // their error too
  double t_end = 1;
  double tolerance = 1e-6;
};

double largest_of(const Vector& a, const Vector& b) {
  double largest_difference = 0;
  for (Eigen::Index i = 0; i < b.size(); ++i)
    if (std::isfinite(b(i))) largest_difference = std::max(largest_difference, std::abs(a(i) - b(i)));
  return largest_difference;
}

std::string cell(const Table& table, const Row& row, const Column& column) {
  const ProblemInstance instance = catalog::make_problem(table.problem, column.set);
  const Solution s =
      solve(*instance.problem, instance.start,
            {.formulation = row.formulation, .integrator = row.integrator, .stabilizer = row.stabilizer},
            {.t_end = table.t_end, .rtol = table.tolerance, .atol = table.tolerance, .max_steps = largest});
  if (s.end == EndReason::max_steps) return fmt::format("> {}", largest);
  if (!s.complete()) return name_of(s.end);
  std::string text = fmt::format("{}", s.work.steps);
  if (!instance.reference.at) return text;
  const auto exact = instance.reference.at(table.t_end);
  if (!exact) return text;
  text += fmt::format(", {:.2e}", largest_of(s.final.q(), exact->q()));
  if (table.velocities) text += fmt::format(", {:.2e}", largest_of(s.final.v(), exact->v()));
  return text;
}

void print(const Table& table) {
  std::string head = "| |", rule = "|---|";
  for (const Column& column : table.columns) {
    head += " " + column.head + " |";
    rule += "---|";
  }
  fmt::print("{}\n{}\n", head, rule);
  for (const Row& row : table.rows) {
    fmt::print("| {} |", row.text());
    for (const Column& column : table.columns) fmt::print(" {} |", cell(table, row, column));
    fmt::print("\n");
  }
}

std::vector<Column> over(const std::string& name, const std::vector<std::string>& values,
                         const Set& more = {}) {
  std::vector<Column> columns;
  for (const std::string& value : values) {
    Set set = more;
    set.emplace_back(name, value);
    columns.push_back({name + " = " + value, set});
  }
  return columns;
}

const std::vector<std::string> stiffnesses = {"1e3", "1e6", "1e9", "1e12"},
                               rates = {"1", "100", "1000", "1e4"};

const std::vector<Row> mechanisms = {{"index3"},
                                     {"index2"},
                                     {"index2-baumgarte"},
                                     {"ggl"},
                                     {"ggl:D=unit"},
                                     {"ggl:D=input"},
                                     {"index1"},
                                     {"index1", "bdf", "none"},
                                     {"baumgarte"},
                                     {"invariant-stabilized"},
                                     {"stabilized-index1"},
                                     {"projected-invariants:variant=a"},
                                     {"projected-invariants:variant=b"},
                                     {"projected-invariants:variant=c"},
                                     {"projected-invariants:D=input"},
                                     {"state-space"},
                                     {"index1", "dopri5"}};

const std::vector<Row> order_1 = {{"index2"},
                                  {"index1"},
                                  {"index1", "bdf", "none"},
                                  {"baumgarte"},
                                  {"baumgarte:gamma=100"},
                                  {"baumgarte:gamma=1e4"},
                                  {"stabilized-index1"},
                                  {"projected-invariants"},
                                  {"projected-invariants:D=input"},
                                  {"state-space"},
                                  {"index1", "dopri5"}};

const std::vector<Row> order_2 = {{"index3"},
                                  {"index2"},
                                  {"index2-baumgarte"},
                                  {"ggl"},
                                  {"ggl:D=input"},
                                  {"index1"},
                                  {"baumgarte"},
                                  {"baumgarte:gamma=100"},
                                  {"invariant-stabilized"},
                                  {"stabilized-index1"},
                                  {"projected-invariants:variant=a"},
                                  {"projected-invariants:variant=b"},
                                  {"projected-invariants:variant=c"},
                                  {"projected-invariants:D=input"},
                                  {"state-space"},
                                  {"index1", "dopri5"}};

std::vector<Column> example3() {
  std::vector<Column> columns = over("nu", rates, {{"eps", "1"}});
  columns.push_back({"nu = 1000, eps = 0", {{"nu", "1000"}, {"eps", "0"}}});
  columns.push_back({"nu = 1000, eps = 2", {{"nu", "1000"}, {"eps", "2"}}});
  return columns;
}

std::vector<Row> orders(const std::string& formulation) {
  std::vector<Row> rows = {{formulation}};
  for (const char* order : {"4", "3", "2"})
    rows.push_back({formulation, std::string("bdf:max_order=") + order});
  return rows;
}

std::vector<Row> by_radau5(const std::vector<std::string>& formulations) {
  std::vector<Row> rows;
  for (const std::string& formulation : formulations) rows.push_back({formulation, "radau5"});
  return rows;
}

void print_radau5() {
  std::vector<Column> springs = over("k", stiffnesses);
  for (const char* k : {"1e3", "1e5", "1e9"})
    springs.push_back({std::string("k = ") + k + ", damping = 0", {{"k", k}, {"damping", "0"}}});
  fmt::print("{}", text_radau5);
  print({"stiff-pendulum", springs,
         by_radau5({"index3", "index2", "ggl", "index1", "projected-invariants", "state-space"}), false, 2});
  fmt::print("{}", text_radau5_examples);
  for (const char* number : {"1", "2", "3", "4"}) {
    const bool order_one = number[0] < '3';
    fmt::print("{}Example {}:\n\n", number[0] == '1' ? "" : "\n", number);
    const Set eps = number[0] == '3' ? Set{{"eps", "1"}} : Set{};
    print({std::string("000-example") + number, over("nu", rates, eps),
           order_one ? by_radau5({"index2", "index1", "stabilized-index1", "projected-invariants"})
                     : by_radau5({"index3", "index2", "ggl", "index1", "stabilized-index1",
                                  "projected-invariants", "state-space"}),
           number[0] == '4'});
  }
}

// Steps, and the error of the angle over the tolerance 1e-6 (1 + |angle|).
void print_shaken() {
  constexpr double t_end = 0.2;
  const std::vector<Row> rows = {{"ggl"},
                                 {"index2"},
                                 {"index1"},
                                 {"index1", "bdf", "post:F=full"},
                                 {"projected-invariants"},
                                 {"projected-invariants:variant=b"},
                                 {"projected-invariants:D=input"},
                                 {"projected-invariants:time=model"},
                                 {"stabilized-index1"},
                                 {"stabilized-index1:time=model"},
                                 {"overdetermined-index1"},
                                 {"overdetermined-index2"},
                                 {"state-space"},
                                 {"ggl", "radau5"},
                                 {"projected-invariants", "radau5"},
                                 {"index1", "dopri5"},
                                 {"index1", "dopri5", "post:F=full"},
                                 {"index1", "dopri5", "post:F=full,time=model"}};
  const std::vector<double> shaken_rates = {1, 100, 1000, 1e4};
  fmt::print("| | 1 | 100 | 1000 | 1e4 rad/s |\n|---|---|---|---|---|\n");
  for (const Row& row : rows) {
    fmt::print("| {} |", row.text());
    for (const double rate : shaken_rates) {
      const ShakenPendulum shaken(rate);
      const double exact = shaken_angle(rate, t_end);
      const Solution s =
          solve(*shaken.problem, shaken.start,
                {.formulation = row.formulation, .integrator = row.integrator, .stabilizer = row.stabilizer},
                {.t_end = t_end, .rtol = 1e-6, .atol = 1e-6});
      const double error = std::abs(shaken.angle(s.final) - exact) / (1e-6 * (1 + std::abs(exact)));
      fmt::print(" {}, {:.2g} |", s.complete() ? fmt::format("{}", s.work.steps) : name_of(s.end), error);
    }
    fmt::print("\n");
  }
}

void print_page() {
  const std::string pendulum = "stiff-pendulum";
  fmt::print("{}", text_meaning);
  print({pendulum, over("k", stiffnesses), mechanisms, false, 2});
  fmt::print("{}", text_transient);
  print({pendulum,
         over("k", stiffnesses, {{"stretch", "1e-6"}}),
         {{"index3"}, {"ggl"}, {"index1"}, {"projected-invariants"}, {"state-space"}, {"index1", "dopri5"}},
         false,
         2});
  fmt::print("{}", text_flyball);
  print({"flyball", {{"steps, error of q", {}}}, {{"index1"}, {"index3"}, {"index1", "dopri5"}}, false, 10});
  fmt::print("{}", text_absolute);
  print({pendulum, over("k", stiffnesses, {{"coordinates", "absolute"}}), mechanisms, false, 2});
  fmt::print("{}", text_example2);
  print({"000-example2", over("nu", rates), order_1});
  fmt::print("{}", text_stability);
  print({"000-example2",
         over("nu", {"100", "1000", "1e4"}),
         {{"index2"}, {"projected-invariants"}},
         false,
         1,
         1e-2});
  fmt::print("{}", text_example3);
  print({"000-example3", example3(), order_2});
  fmt::print("{}", text_example1);
  print({"000-example1", over("nu", rates), order_1});
  fmt::print("{}", text_example4);
  print({"000-example4", over("nu", rates), order_2, true});
  fmt::print("{}", text_shaken);
  print_shaken();
  fmt::print("{}", text_oscillation);
  print({pendulum, over("k", {"1e3", "1e4", "1e5", "3e5", "1e6", "1e9"}, {{"damping", "0"}}), orders("ggl"),
         false, 2});
  fmt::print("{}", text_small);
  std::vector<Row> small = orders("ggl");
  small.push_back({"index1", "dopri5"});
  print({pendulum,
         over("k", {"1e3", "1e4", "1e5", "1e6", "1e7", "1e8"}, {{"damping", "0"}, {"stretch", "1e-6"}}),
         small, false, 2, 1e-5});
  fmt::print("{}", text_swinging);
  print({pendulum,
         over("k", {"1e3", "1e4", "1e5", "1e6"}, {{"damping", "0"}, {"stretch", "1e-5"}}),
         {{"ggl"}, {"ggl", "bdf:max_order=2"}, {"index1", "dopri5"}},
         false,
         2});
  print_radau5();
  fmt::print("{}", text_recommendations);
}

}  // namespace
}  // namespace driftless::tests

int main() {
  driftless::tests::print_page();
}
