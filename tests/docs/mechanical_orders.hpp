// The part of docs/orders.md about half-explicit, rattle and generalized-alpha.
#pragma once

#include <string>

namespace driftless::tests {

std::string mechanical_orders_text();

}  // namespace driftless::tests
