#include <driftless/linalg/column_groups.hpp>

#include <algorithm>

namespace driftless::linalg {

ColumnGroups column_groups(const SparseRows& pattern) {
  std::vector<std::vector<int>> rows_of(static_cast<std::size_t>(pattern.columns));
  for (int i = 0; i < pattern.rows; ++i)
    for (int k = pattern.first(i); k < pattern.last(i); ++k)
      rows_of[static_cast<std::size_t>(pattern.column_of(k))].push_back(i);
  ColumnGroups groups{.count = 0,
                      .of_column = std::vector<int>(static_cast<std::size_t>(pattern.columns), -1)};
  std::vector<int> taken_for;  // by group: the last column that may not join it
  for (int j = 0; j < pattern.columns; ++j) {
    for (const int i : rows_of[static_cast<std::size_t>(j)])
      for (int k = pattern.first(i); k < pattern.last(i); ++k) {
        const int group = groups.of_column[static_cast<std::size_t>(pattern.column_of(k))];
        if (group >= 0) taken_for[static_cast<std::size_t>(group)] = j;
      }
    const auto free =
        std::find_if(taken_for.begin(), taken_for.end(), [j](int column) { return column != j; });
    const int group = static_cast<int>(free - taken_for.begin());
    if (free == taken_for.end()) taken_for.push_back(-1);
    groups.of_column[static_cast<std::size_t>(j)] = group;
  }
  groups.count = static_cast<int>(taken_for.size());
  return groups;
}

}  // namespace driftless::linalg
