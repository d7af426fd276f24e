// The part of docs/orders.md about radau5.
#pragma once

#include <string>

namespace driftless::tests {

std::string radau5_orders_text();

}  // namespace driftless::tests
