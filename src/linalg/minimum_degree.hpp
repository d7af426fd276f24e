// The order in which the nodes of a graph are eliminated with little fill: minimum degree, approximate as in AMD (Amestoy, Davis, Duff
// 1996), by the sizes of the nodes. Private to linalg.
//
// The next node is one with the fewest neighbours in what is left of the graph; its neighbours become neighbours of each other. A node waits for
// its neighbours of smaller groups (joints for their bodies), and nodes with very many neighbours come last.
#pragma once

#include <vector>

namespace driftless::linalg {

// graph: the neighbours of every node, each once; groups: empty, or one per node.
std::vector<int> minimum_degree_order(const std::vector<int>& sizes, std::vector<std::vector<int>> graph,
                                      const std::vector<int>& groups);

}  // namespace driftless::linalg
