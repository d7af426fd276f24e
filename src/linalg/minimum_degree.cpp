#include "minimum_degree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace driftless::linalg {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Nodes by degree, first come first served: the two ends of a chain take turns, and their eliminations, which do not depend on each
// other, overlap in the processor.
class Queue {
 public:
  Queue(int nodes, int largest)
      : head_(at(largest) + 1, -1),
        tail_(head_),
        next_(at(nodes), -1),
        previous_(next_),
        degree_(next_),
        least_(largest) {}

  void put(int node, int degree) {
    const int last = tail_[at(degree)];
    degree_[at(node)] = degree;
    previous_[at(node)] = last;
    next_[at(node)] = -1;
    (last < 0 ? head_[at(degree)] : next_[at(last)]) = node;
    tail_[at(degree)] = node;
    least_ = std::min(least_, degree);
  }

  void remove(int node) {
    const int degree = degree_[at(node)], next = next_[at(node)], previous = previous_[at(node)];
    (previous < 0 ? head_[at(degree)] : next_[at(previous)]) = next;
    (next < 0 ? tail_[at(degree)] : previous_[at(next)]) = previous;
  }

  /// -1: empty.
  int take() {
    for (; at(least_) < head_.size(); ++least_)
      if (const int node = head_[at(least_)]; node >= 0) {
        remove(node);
        return node;
      }
    --least_;
    return -1;
  }

 private:
  std::vector<int> head_, tail_, next_, previous_, degree_;
  int least_;
};

// The graph of what is left is kept as a quotient: an eliminated node is an element, whose members are pairwise neighbours.
class MinimumDegree {
 public:
  MinimumDegree(const std::vector<int>& sizes, std::vector<std::vector<int>> graph,
                const std::vector<int>& groups)
      : nodes_(static_cast<int>(sizes.size())),
        groups_(groups),
        neighbours_(std::move(graph)),
        elements_(sizes.size()),
        members_(sizes.size()),
        weight_(sizes.size()),
        member_weight_(sizes.size()),
        outside_(sizes.size()),
        degree_(sizes.size()),
        state_(sizes.size(), State::waiting),
        seen_(sizes.size(), -1),
        touched_(sizes.size(), -1) {
    for (std::size_t i = 0; i < sizes.size(); ++i) weight_[i] = std::max(sizes[i], 1);
    left_ = std::accumulate(weight_.begin(), weight_.end(), 0);
  }

  std::vector<int> order() {
    find_waits();
    set_hubs_apart();
    for (int i = 0; i < nodes_; ++i) degree_[at(i)] = weight_of(neighbours_[at(i)]);
    std::vector<int> hubs;
    Queue queue(nodes_, left_);
    for (int i = 0; i < nodes_; ++i) {
      if (state_[at(i)] == State::hub) hubs.push_back(i);
      if (open(i)) queue.put(i, std::min(degree_[at(i)], left_));
    }
    std::stable_sort(hubs.begin(), hubs.end(), [&](int i, int j) { return group(i) < group(j); });
    for (std::size_t next = 0;;) {
      for (int node = queue.take(); node >= 0; node = queue.take()) eliminate(node, queue);
      if (next == hubs.size()) break;
      order_.push_back(hubs[next]);
      let_go(hubs[next++], queue);
    }
    return std::move(order_);
  }

 private:
  enum class State : char { waiting, element, gone, hub };

  int group(int node) const { return groups_.empty() ? 0 : groups_[at(node)]; }

  int weight_of(const std::vector<int>& list) const {
    int sum = 0;
    for (const int i : list) sum += weight_[at(i)];
    return sum;
  }

  // A node waits for its neighbours of smaller groups.
  void find_waits() {
    waits_.assign(at(nodes_), 0);
    later_.resize(at(nodes_));
    for (int i = 0; i < nodes_; ++i)
      for (const int j : neighbours_[at(i)])
        if (group(j) < group(i)) {
          ++waits_[at(i)];
          later_[at(j)].push_back(i);
        }
  }
  bool open(int i) const { return waits_[at(i)] == 0 && state_[at(i)] == State::waiting; }
  // Those that waited for nobody else may be eliminated now.
  void let_go(int node, Queue& queue) {
    for (const int i : later_[at(node)])
      if (--waits_[at(i)] == 0 && state_[at(i)] == State::waiting)
        queue.put(i, std::min(degree_[at(i)], left_));
    later_[at(node)] = {};
  }

  // A node that touches very many others comes when there is nobody else, whatever its degree, and makes neighbours of all that come later: it says
  // nothing about the order of the others, but would be looked at in each of their eliminations.
  void set_hubs_apart() {
    const double limit = std::max(16.0, 10.0 * std::sqrt(nodes_));
    for (int i = 0; i < nodes_; ++i)
      if (static_cast<double>(neighbours_[at(i)].size()) > limit) {
        state_[at(i)] = State::hub;
        left_ -= weight_[at(i)];
      }
    for (int i = 0; i < nodes_; ++i)
      if (state_[at(i)] == State::hub)
        neighbours_[at(i)].clear();
      else
        std::erase_if(neighbours_[at(i)], [&](int j) { return state_[at(j)] == State::hub; });
  }

  void eliminate(int node, Queue& queue) {
    order_.push_back(node);
    state_[at(node)] = State::element;
    left_ -= weight_[at(node)];
    gather(node);
    measure_elements(node);
    auto& members = members_[at(node)];
    for (const int i : members) {
      if (open(i)) queue.remove(i);
      tidy(node, i);
    }
    // What is left with this element alone for a neighbour is eliminated along with it: that adds nothing.
    std::vector<int> along;
    std::erase_if(members, [&](int i) {
      if (!open(i) || !neighbours_[at(i)].empty() || elements_[at(i)].size() != 1) return false;
      order_.push_back(i);
      along.push_back(i);
      state_[at(i)] = State::gone;
      left_ -= weight_[at(i)];
      member_weight_[at(node)] -= weight_[at(i)];
      return true;
    });
    for (const int i : members) {
      const int others = member_weight_[at(node)] - weight_[at(i)];
      int degree = weight_of(neighbours_[at(i)]) + others;
      for (const int e : elements_[at(i)])
        if (e != node) degree += outside_[at(e)];
      degree_[at(i)] = std::min({degree, degree_[at(i)] + others, left_ - weight_[at(i)]});
      if (open(i)) queue.put(i, degree_[at(i)]);
    }
    let_go(node, queue);
    for (const int i : along) let_go(i, queue);
  }

  // The members of the new element: the neighbours of its node, directly and by elements, which it replaces.
  void gather(int node) {
    auto& members = members_[at(node)];
    seen_[at(node)] = node;
    const auto add = [&](const std::vector<int>& list) {
      for (const int i : list)
        if (seen_[at(i)] != node && state_[at(i)] == State::waiting) {
          seen_[at(i)] = node;
          members.push_back(i);
        }
    };
    add(neighbours_[at(node)]);
    for (const int e : elements_[at(node)]) {
      add(members_[at(e)]);
      state_[at(e)] = State::gone;
      members_[at(e)] = {};
    }
    neighbours_[at(node)] = {};
    elements_[at(node)] = {};
    member_weight_[at(node)] = weight_of(members);
  }

  // outside_[e]: the weight of the members of e that are not members of the new element.
  void measure_elements(int node) {
    for (const int i : members_[at(node)])
      for (const int e : elements_[at(i)]) {
        if (state_[at(e)] != State::element) continue;
        if (touched_[at(e)] != node) {
          touched_[at(e)] = node;
          outside_[at(e)] = member_weight_[at(e)];
        }
        outside_[at(e)] -= weight_[at(i)];
      }
  }

  // A member has the new element in place of those inside it, and of the neighbours in it.
  void tidy(int node, int i) {
    std::erase_if(elements_[at(i)], [&](int e) {
      if (state_[at(e)] == State::element && outside_[at(e)] > 0) return false;
      state_[at(e)] = State::gone;
      members_[at(e)] = {};
      return true;
    });
    elements_[at(i)].push_back(node);
    std::erase_if(neighbours_[at(i)],
                  [&](int j) { return seen_[at(j)] == node || state_[at(j)] != State::waiting; });
  }

  int nodes_;
  const std::vector<int>& groups_;
  std::vector<std::vector<int>> neighbours_, elements_, members_;  // of nodes, of nodes, of elements
  std::vector<int> weight_, member_weight_, outside_, degree_;
  std::vector<State> state_;
  std::vector<int> seen_, touched_;  // by the elimination of which node
  std::vector<int> order_;
  std::vector<int> waits_;               // for how many nodes
  std::vector<std::vector<int>> later_;  // those that wait for a node
  int left_ = 0;                         // weight of the nodes left
};

}  // namespace

std::vector<int> minimum_degree_order(const std::vector<int>& sizes, std::vector<std::vector<int>> graph,
                                      const std::vector<int>& groups) {
  return MinimumDegree(sizes, std::move(graph), groups).order();
}

}  // namespace driftless::linalg
