// The part of docs/orders.md about bdf.
#pragma once

#include <string>

namespace driftless::tests {

std::string bdf_orders_text();

}  // namespace driftless::tests
