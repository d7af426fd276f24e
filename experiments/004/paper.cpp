#include "experiments/004/paper.hpp"

#include "experiments/004/tables.hpp"

namespace driftless::experiments::paper004 {

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& table :
       {gain_convention, coefficients, examples, claims, third_order, pendulum, pendulum_gain, slider_crank})
    for (Entry& entry : table()) {
      entry.paper = "004";
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace driftless::experiments::paper004
