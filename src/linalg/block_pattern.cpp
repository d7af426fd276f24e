#include <driftless/linalg/block_pattern.hpp>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "minimum_degree.hpp"

namespace driftless::linalg {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// The neighbours of every node, each once.
std::vector<std::vector<int>> neighbours(int nodes, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<std::vector<int>> all(at(nodes));
  for (const auto& [i, j] : pairs) {
    if (i < 0 || j < 0 || i >= nodes || j >= nodes)
      throw std::invalid_argument("pair (" + std::to_string(i) + ", " + std::to_string(j) +
                                  ") of a block pattern with " + std::to_string(nodes) +
                                  " nodes; nodes are numbered from 0");
    if (i == j) continue;
    all[at(i)].push_back(j);
    all[at(j)].push_back(i);
  }
  for (auto& list : all) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return all;
}

}  // namespace

// Of every panel its own nodes and those it reaches.
struct BlockPattern::Members {
  std::vector<std::vector<int>> own, reached;
};

BlockPattern::BlockPattern(std::vector<int> sizes, const std::vector<std::pair<int, int>>& pairs,
                           const std::vector<int>& groups)
    : sizes_(std::move(sizes)) {
  if (!groups.empty() && groups.size() != sizes_.size())
    throw std::invalid_argument("block pattern has " + std::to_string(groups.size()) + " groups (" +
                                std::to_string(sizes_.size()) + " nodes; give one per node, or none)");
  int row = 0;
  for (const int size : sizes_) {
    if (size < 0) throw std::invalid_argument("node of size " + std::to_string(size) + " in a block pattern");
    offset_.push_back(row);
    node_of_.insert(node_of_.end(), at(size), static_cast<int>(offset_.size()) - 1);
    row += size;
  }
  Members members = share_panels(pairs, groups);
  lay_out(members);
  find_updates(members);
}

// Goes through the nodes in the order of elimination: a node reaches its later neighbours and whatever its children in the tree of
// elimination reach; its parent is the first of them.
BlockPattern::Members BlockPattern::share_panels(const std::vector<std::pair<int, int>>& pairs,
                                                 const std::vector<int>& groups) {
  const int n = nodes();
  const auto graph = neighbours(n, pairs);
  const std::vector<int> sequence = minimum_degree_order(sizes_, graph, groups);
  std::vector<int> position(at(n));
  for (int k = 0; k < n; ++k) position[at(sequence[at(k)])] = k;
  std::vector<std::vector<int>> own(at(n)), reached(at(n)), children(at(n));  // by the last node of a panel
  std::vector<int> columns(at(n)), below(at(n)), seen(at(n), -1);
  for (const int node : sequence) {
    auto& list = reached[at(node)];
    seen[at(node)] = node;
    const auto add = [&](const std::vector<int>& others) {
      for (const int i : others)
        if (seen[at(i)] != node && position[at(i)] > position[at(node)]) {
          seen[at(i)] = node;
          list.push_back(i);
          below[at(node)] += sizes_[at(i)];
        }
    };
    add(graph[at(node)]);
    for (const int child : children[at(node)]) add(reached[at(child)]);
    columns[at(node)] = sizes_[at(node)];
    std::vector<int>& together = own[at(node)];
    together = {node};
    for (const int child : children[at(node)]) {
      // Only where no zeros have to be stored: more would cost more than fewer panels save.
      if (below[at(child)] != columns[at(node)] + below[at(node)]) continue;
      if (own[at(child)].size() > together.size()) std::swap(together, own[at(child)]);
      together.insert(together.end(), own[at(child)].begin(), own[at(child)].end());
      columns[at(node)] += columns[at(child)];
      own[at(child)] = {};
      reached[at(child)] = {};
    }
    blocks_ += 1 + list.size();
    if (list.empty()) continue;
    const int parent = *std::min_element(list.begin(), list.end(),
                                         [&](int i, int j) { return position[at(i)] < position[at(j)]; });
    children[at(parent)].push_back(node);
  }
  Members members;
  for (const int node : sequence) {
    auto& together = own[at(node)];
    if (together.empty()) continue;
    std::sort(together.begin(), together.end(),
              [&](int i, int j) { return position[at(i)] < position[at(j)]; });
    members.own.push_back(std::move(together));
    members.reached.push_back(std::move(reached[at(node)]));
  }
  return members;
}

void BlockPattern::lay_out(const Members& members) {
  panel_of_.resize(sizes_.size());
  node_place_.resize(sizes_.size());
  place_.resize(node_of_.size());
  for (std::size_t p = 0; p < members.own.size(); ++p) {
    Panel panel{};
    panel.offset = entries_;
    panel.unsymmetric = unsymmetric_entries_;
    panel.first = static_cast<int>(order_.size());
    for (const int node : members.own[p]) {
      panel_of_[at(node)] = static_cast<int>(p);
      node_place_[at(node)] = static_cast<int>(order_.size());
      for (int r = 0; r < size(node); ++r) {
        place_[at(offset(node) + r)] = static_cast<int>(order_.size());
        order_.push_back(offset(node) + r);
      }
    }
    panel.columns = panel.rows = static_cast<int>(order_.size()) - panel.first;
    for (const int node : members.reached[p]) panel.rows += size(node);
    const std::size_t own = at(panel.columns), all = at(panel.rows);
    entries_ += own * all;
    unsymmetric_entries_ += own * all + own * (all - own);
    panels_.push_back(panel);
  }
}

void BlockPattern::find_updates(Members& members) {
  for (auto& list : members.reached)
    std::sort(list.begin(), list.end(), [&](int i, int j) {
      return std::pair(panel_of(i), node_place_[at(i)]) < std::pair(panel_of(j), node_place_[at(j)]);
    });
  first_reach_.assign(sizes_.size() + 1, 0);
  for (const auto& list : members.reached)
    for (const int node : list) ++first_reach_[at(node) + 1];
  std::partial_sum(first_reach_.begin(), first_reach_.end(), first_reach_.begin());
  reach_.resize(first_reach_.back());
  auto next = first_reach_;
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    int row = panels_[p].columns;
    for (const int node : members.reached[p]) {
      reach_[next[at(node)]++] = {static_cast<int>(p), row};
      row += size(node);
    }
  }
  // Rows that follow each other here and there make one run.
  const auto add_run = [&](int first, int from, int to, int count) {
    if (static_cast<int>(runs_.size()) > first && runs_.back().to + runs_.back().count == to)
      runs_.back().count += count;
    else
      runs_.push_back({from, to, count});
  };
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    Panel& panel = panels_[p];
    const auto& list = members.reached[p];
    panel.run = static_cast<int>(runs_.size());
    int row = panel.columns;
    for (const int node : list) {
      add_run(panel.run, row, node_place_[at(node)], size(node));
      row += size(node);
    }
    panel.runs = static_cast<int>(runs_.size()) - panel.run;
    panel.update = static_cast<int>(updates_.size());
    row = panel.columns;
    for (std::size_t k = 0; k < list.size();) {
      Update update{};
      update.panel = panel_of(list[k]);
      update.run = static_cast<int>(runs_.size());
      for (; k < list.size() && panel_of(list[k]) == update.panel; ++k) {
        add_run(update.run, row, node_place_[at(list[k])] - panels_[at(update.panel)].first, size(list[k]));
        row += size(list[k]);
      }
      update.square = static_cast<int>(runs_.size()) - update.run;
      int later = row;
      const int below = static_cast<int>(runs_.size());
      for (std::size_t m = k; m < list.size(); ++m) {
        add_run(below, later, row_in_panel(list[m], update.panel), size(list[m]));
        later += size(list[m]);
      }
      update.runs = static_cast<int>(runs_.size()) - update.run;
      updates_.push_back(update);
    }
    panel.updates = static_cast<int>(updates_.size()) - panel.update;
  }
}

int BlockPattern::row_in_panel(int node, int panel) const {
  if (panel_of(node) == panel) return node_place_[at(node)] - panels_[at(panel)].first;
  const auto list = reaches(node);
  const auto found = std::lower_bound(list.begin(), list.end(), panel,
                                      [](const Reach& reach, int wanted) { return reach.panel < wanted; });
  return found == list.end() || found->panel != panel ? -1 : found->row;
}

namespace {

[[noreturn]] void no_block(int i, int j) {
  throw std::out_of_range("block (" + std::to_string(i) + ", " + std::to_string(j) +
                          ") is not in the pattern; give the pair when the pattern is made");
}

}  // namespace

BlockPattern::Slot BlockPattern::slot(int i, int j) const {
  if (i < 0 || j < 0 || i >= nodes() || j >= nodes()) no_block(i, j);
  const auto order = [&](int node) { return std::pair(panel_of(node), node_place_[at(node)]); };
  const bool exchanged = order(i) < order(j);
  if (exchanged) std::swap(i, j);
  const Panel& panel = panels_[at(panel_of(j))];
  const int row = row_in_panel(i, panel_of(j)), column = node_place_[at(j)] - panel.first;
  if (row < 0) no_block(i, j);
  const std::size_t offset = panel.offset + at(row) + at(column) * at(panel.rows);
  return exchanged ? Slot{offset, panel.rows, 1} : Slot{offset, 1, panel.rows};
}

BlockPattern::Slot BlockPattern::unsymmetric_slot(int i, int j) const {
  if (i < 0 || j < 0 || i >= nodes() || j >= nodes()) no_block(i, j);
  const bool upper = panel_of(i) < panel_of(j);
  if (upper) std::swap(i, j);
  const Panel& panel = panels_[at(panel_of(j))];
  const int row = row_in_panel(i, panel_of(j)), column = node_place_[at(j)] - panel.first;
  if (row < 0) no_block(i, j);
  if (!upper) return {panel.unsymmetric + at(row) + at(column) * at(panel.rows), 1, panel.rows};
  const int height = panel.rows - panel.columns;
  const std::size_t start = panel.unsymmetric + at(panel.columns) * at(panel.rows);
  return {start + at(row - panel.columns) + at(column) * at(height), height, 1};
}

}  // namespace driftless::linalg
