// A table of words, for a terminal and for a page in Markdown.
#pragma once

#include <string>
#include <vector>

namespace driftless::benchmarks::scaling {

struct Table {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;

  std::string text() const;  // the first column is aligned to the left, the others to the right
  std::string markdown() const;
};

// "-" where it is not a number; three digits that count.
std::string shown(double x);
// A sentence that names hundreds of constraints, cut; JSON has all of it.
std::string in_short(const std::string& sentence);

}  // namespace driftless::benchmarks::scaling
