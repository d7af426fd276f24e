// The table of orders: every integrator on problems of different shapes that have exact solutions. Its data
// serve the test that holds the measured orders against theory and the program that writes docs/orders.md.
#pragma once

#include "convergence/measured_orders.hpp"

namespace driftless::tests {

struct OrderProblem {
  std::string name;
  std::string shape;  // in words, for the page
  std::vector<std::pair<std::string, std::string>> set;
  double span;
};
const std::vector<OrderProblem>& order_problems();

struct OrderRow {
  std::string integrator;  // with options, as on the command line
  std::vector<int> steps;  // n on each of the problems
};
const std::vector<OrderRow>& order_rows();

struct OrderCase {
  OrderRun run;
  int order;             // by theory, of q and v
  int multiplier_order;  // by theory, of lambda and kappa
};
OrderCase order_case(const OrderRow& row, std::size_t problem);

}  // namespace driftless::tests
