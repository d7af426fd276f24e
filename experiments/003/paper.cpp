#include "experiments/003/paper.hpp"

#include "experiments/003/tables.hpp"

namespace driftless::experiments::paper003 {

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& table : {example51_errors, example51_robustness, orders_in_epsilon, constant_rank,
                            example52_counts, example52_crossings, example52_further, drift_maps,
                            many_crossings, curvature_offsets, stability_limits, singular_masses})
    for (Entry& entry : table()) {
      entry.paper = "003";
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace driftless::experiments::paper003
