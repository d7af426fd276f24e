#include "experiments/002/paper.hpp"

#include "experiments/002/tables.hpp"

namespace driftless::experiments::paper002 {

std::vector<Entry> entries() {
  std::vector<Entry> all;
  for (const auto& table :
       {table1, table1_fits, table2, table3, averages, proportions, other_inverses, equivalence_theorems})
    for (Entry& entry : table()) {
      entry.paper = "002";
      all.push_back(std::move(entry));
    }
  return all;
}

}  // namespace driftless::experiments::paper002
