// The part of docs/orders.md about formulations.
#pragma once

#include <string>

namespace driftless::tests {

std::string formulation_orders();

}  // namespace driftless::tests
