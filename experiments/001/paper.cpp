#include "experiments/001/paper.hpp"

#include "experiments/001/tables.hpp"

namespace driftless::experiments::paper001 {

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& table :
       {table11, table11_over_time, example1_schemes, example2, continuation, small_models, table31,
        kepler_claims, slider_crank, slider_crank_states, slider_crank_claims, orders, sizes, theorems})
    for (Entry& entry : table()) {
      entry.paper = "001";
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace driftless::experiments::paper001
