#include "experiments/000/paper.hpp"

#include "experiments/000/tables.hpp"

namespace driftless::experiments::paper000 {

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& table : {table41, table42, tables43_to_48, table49, other_readings, euler_factor,
                            first_order, velocity_projection, other_variants})
    for (Entry& entry : table()) {
      entry.paper = "000";
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace driftless::experiments::paper000
