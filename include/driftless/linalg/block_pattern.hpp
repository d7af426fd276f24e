// BlockPattern: what is known of the factors of a matrix before its numbers are. The matrix consists of blocks: node i (a body, a joint) has
// sizes[i] rows and columns, and the block (i, j) is not zero only where i = j or the pair (i, j) is given, in either order. From that
// follow, once per structure,
//
//     an order of elimination    minimum degree, approximate as in AMD (Amestoy, Davis, Duff 1996), weighted by the sizes; a node waits
//                                for its neighbours of smaller groups (joints for their bodies)
//     the fill                   node j reaches, after its elimination, the nodes of column j of L
//     panels                     a node and its parent, the first node it reaches, share a dense panel if they reach the same ones beyond
//     updates                    where the products of the rows of a panel are to be subtracted
//
// A panel is column-major: above the square of its own nodes, below it the rows of the nodes reached, in the order of elimination. In a row
// of loops every node reaches a few others, so that storage and work grow linearly with the number of nodes.
//
// Immutable, and shared by all factorisations with the same structure. "Place" is a number in the order of elimination, of a scalar row if
// nothing else is said.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <driftless/linalg/loops.hpp>
#include <driftless/linalg/lu.hpp>

namespace driftless::linalg {

class BlockPattern {
 public:
  /// The entry (r, c) of a block is values[offset + r * row_step + c * column_step].
  struct Slot {
    std::size_t offset = 0;
    std::ptrdiff_t row_step = 1, column_step = 1;
  };

  struct Panel {
    std::size_t offset;       // of its values
    std::size_t unsymmetric;  // the same where unsymmetric matrices are stored
    int first;                // place of its first column
    int columns, rows;        // rows: those of the square included
    int update, updates;  // first and number: what it changes, its parent in the tree of elimination first
    int run, runs;        // its rows below the square, `to` being their places
  };

  /// Rows `from` .. from + count - 1 of a panel, and where they lie elsewhere. Rows are counted from the top of the square.
  struct Run {
    int from, to, count;
  };

  /// One panel changes another: with all pairs of the runs, of which the first `square` lie in the square of the other one. These are the
  /// columns that change. Run::to is a row of the other panel.
  struct Update {
    int panel;
    int run, square, runs;  // first; of the columns; of all
  };

  /// A node's rows in a panel other than its own.
  struct Reach {
    int panel, row;
  };

  BlockPattern() = default;

  /// Pairs may repeat, and may have equal members. `groups` is empty or has an entry per node.
  BlockPattern(std::vector<int> sizes, const std::vector<std::pair<int, int>>& pairs,
               const std::vector<int>& groups = {});

  int nodes() const { return static_cast<int>(sizes_.size()); }
  int rows() const { return static_cast<int>(order_.size()); }
  int size(int node) const { return sizes_[at(node)]; }
  int offset(int node) const { return offset_[at(node)]; }  // of its first row among all rows
  std::size_t entries() const { return entries_; }          // of one set of panels
  std::size_t blocks() const { return blocks_; }            // of L with its diagonal

  /// Where a symmetric matrix, of which the lower triangle is stored, has the block (i, j): for (j, i) the same place with the steps
  /// exchanged. Of a diagonal block the lower triangle is used. Throws std::out_of_range where there is no such block.
  Slot slot(int i, int j) const;

  /// The same for unsymmetric matrices: twice the storage, of every panel first the columns as above, then the transposed rows right of the
  /// square, rows - columns high.
  Slot unsymmetric_slot(int i, int j) const;
  std::size_t unsymmetric_entries() const { return unsymmetric_entries_; }

  int place(int row) const { return place_[at(row)]; }
  const std::vector<int>& order() const { return order_; }  // the row of every place
  int node_of(int row) const { return node_of_[at(row)]; }
  int panel_of(int node) const { return panel_of_[at(node)]; }

  /// Where else the rows of a node lie.
  std::span<const Reach> reaches(int node) const {
    return {reach_.data() + first_reach_[at(node)], reach_.data() + first_reach_[at(node) + 1]};
  }

  const std::vector<Panel>& panels() const { return panels_; }
  const std::vector<Update>& updates() const { return updates_; }
  const std::vector<Run>& runs() const { return runs_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  struct Members;  // of the panels: nodes
  Members share_panels(const std::vector<std::pair<int, int>>& pairs, const std::vector<int>& groups);
  void lay_out(const Members& members);
  void find_updates(Members& members);
  int row_in_panel(int node, int panel) const;  // -1: has none

  std::vector<int> sizes_, offset_, node_of_;  // of nodes, of nodes, of rows
  std::vector<int> order_, place_;
  std::vector<int> panel_of_, node_place_;  // of nodes; the place of the first row
  std::vector<Panel> panels_;
  std::vector<Update> updates_;
  std::vector<Run> runs_;
  std::vector<Reach> reach_;  // of one node after the other, panels ascending
  std::vector<std::size_t> first_reach_ = {0};
  std::size_t entries_ = 0, unsymmetric_entries_ = 0, blocks_ = 0;
};

/// The loops over panels that all factorisations share; the number of columns is Fixed<K>{} (loops unroll) or an int, as in loops.hpp.
namespace panels {

/// Calls body with the number of columns, Fixed if it is a common one.
template <class Body>
[[gnu::always_inline]] inline void with_columns(int columns, Body body) {
  switch (columns) {
    case 1:
      return body(loops::Fixed<1>{});
    case 2:
      return body(loops::Fixed<2>{});
    case 3:
      return body(loops::Fixed<3>{});
    case 4:
      return body(loops::Fixed<4>{});
    case 5:
      return body(loops::Fixed<5>{});
    case 6:
      return body(loops::Fixed<6>{});
    default:
      return body(columns);
  }
}

/// y[0 .. length) *= factor
template <class Scalar>
[[gnu::always_inline]] inline void scale(int length, Scalar* y, Scalar factor) {
  for (int i = 0; i < length; ++i) y[i] = lu_detail::product(y[i], factor);
}

/// y[0 .. length) -= X c with `columns` columns X (leading dimension ld) and c[0], c[step], c[2 step], ..
template <class Columns, class Scalar>
[[gnu::always_inline]] inline void subtract(int length, Scalar* y, Columns columns, const Scalar* X, int ld,
                                            const Scalar* c, int step) {
  if constexpr (std::is_same_v<Columns, int>) {
    int k = 0;
    for (; k + 4 <= columns; k += 4)
      subtract(length, y, loops::Fixed<4>{}, X + k * ld, ld, c + k * step, step);
    for (; k < columns; ++k) subtract(length, y, loops::Fixed<1>{}, X + k * ld, ld, c + k * step, step);
  } else if constexpr (Columns::value > 0) {
    [&]<int... K>(std::integer_sequence<int, K...>) {
      const Scalar factor[] = {c[K * step]...};
      for (int i = 0; i < length; ++i) y[i] -= (lu_detail::product(X[i + K * ld], factor[K]) + ...);
    }
    (std::make_integer_sequence<int, Columns::value>{});
  }
}

}  // namespace panels

}  // namespace driftless::linalg
