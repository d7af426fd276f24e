// Every integrator of the catalog has the order that its entry promises, for q, v and the multipliers
// separately, on problems of every shape that have exact solutions: two-sided, within 0.2.
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "convergence/order_table.hpp"

namespace driftless::tests {
namespace {

class OrderTable : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(OrderTable, MatchesTheory) {
  const auto [row, problem] = GetParam();
  const OrderCase c = order_case(order_rows()[row], problem);
  const MeasuredOrders measured = measure_orders(c.run);
  EXPECT_NEAR(measured.q(), c.order, 0.2) << measured.coarse.q << " " << measured.fine.q;
  EXPECT_NEAR(measured.v(), c.order, 0.2) << measured.coarse.v << " " << measured.fine.v;
  EXPECT_NEAR(measured.multipliers(), c.multiplier_order, 0.2)
      << measured.coarse.multipliers << " " << measured.fine.multipliers;
}

std::string case_name(const testing::TestParamInfo<OrderTable::ParamType>& info) {
  const auto [row, problem] = info.param;
  std::string name = parse_choice(order_rows()[row].integrator).name + "_" + order_problems()[problem].name;
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, OrderTable,
                         testing::Combine(testing::Range(std::size_t{0}, order_rows().size()),
                                          testing::Range(std::size_t{0}, order_problems().size())),
                         case_name);

TEST(OrderTableRows, AreTheCatalogsIntegratorsWithEveryProblem) {
  std::multiset<std::string> rows, catalog_names;
  for (const OrderRow& row : order_rows()) {
    rows.insert(parse_choice(row.integrator).name);
    EXPECT_EQ(row.steps.size(), order_problems().size()) << row.integrator;
  }
  for (const auto& [name, entry] :
       catalog::integrator_table())  // those without index1 have a table of their own
    if (entry.shapes.front() == SystemShape::ode) catalog_names.insert(name);
  EXPECT_EQ(rows, catalog_names) << "a new integrator needs a row in tests/convergence/order_table.cpp";
}

TEST(OrderTableRows, HaveExactSolutions) {
  for (const OrderProblem& p : order_problems())
    EXPECT_TRUE(catalog::make_problem(p.name, p.set).reference.source.starts_with("exact")) << p.name;
}

}  // namespace
}  // namespace driftless::tests
