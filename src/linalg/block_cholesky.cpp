#include <driftless/linalg/block_cholesky.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless::linalg {

namespace {

using Panel = BlockPattern::Panel;
using Run = BlockPattern::Run;
using panels::subtract;
using panels::with_columns;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

struct Elimination {
  const BlockPattern& pattern;
  double* values;
  double limit, floor;
  const double* squares;
  double* pivots;
  std::vector<int>& dependent;

  // 1 / L_kk.
  [[gnu::always_inline]] double inverse_root(int place, double pivot) {
    const int row = pattern.order()[at(place)];
    const double square = squares[row];
    pivots[row] = pivot;
    if (!(pivot > limit * square)) [[unlikely]] {
      dependent.push_back(row);
      pivot = square > 0.0 ? floor * square : 1.0;
    }
    return 1.0 / std::sqrt(pivot);
  }

  template <class Columns>
  void factor_panel(Columns columns, const Panel& panel) {
    double* A = values + panel.offset;
    const int ld = panel.rows;
    loops::each(columns, [&](auto j) {
      double* column = A + j * ld;
      subtract(ld - j, column + j, j, A + j, ld, A + j, ld);
      const double inverse = inverse_root(panel.first + j, column[j]);
      column[j] = inverse;
      panels::scale(ld - j - 1, column + j + 1, inverse);
    });
    const Run* runs = pattern.runs().data();
    const BlockPattern::Update* update = pattern.updates().data() + panel.update;
    for (const auto* end = update + panel.updates; update != end; ++update) {
      const Panel& other = pattern.panels()[at(update->panel)];
      const Run *first = runs + update->run, *square = first + update->square, *last = first + update->runs;
      for (const Run* across = first; across != square; ++across)
        for (int c = 0; c < across->count; ++c) {
          const double* row = A + across->from + c;
          double* column = values + other.offset + at(across->to + c) * at(other.rows);
          subtract(across->count - c, column + across->to + c, columns, row, ld, row, ld);
          for (const Run* down = across + 1; down != last; ++down)
            subtract(down->count, column + down->to, columns, A + down->from, ld, row, ld);
        }
    }
  }
};

}  // namespace

BlockCholesky::BlockCholesky(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
      values_(pattern_->entries()),
      squares_(at(pattern_->rows())),
      pivots_(squares_),
      work_(squares_),
      active_(pattern_->panels().size()) {
  dependent_.reserve(squares_.size());
  left_out_.reserve(squares_.size());
}

void BlockCholesky::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

void BlockCholesky::leave_out(std::span<const int> rows) {
  left_out_.assign(rows.begin(), rows.end());
}

void BlockCholesky::apply_left_out() {
  for (const int row : left_out_) {
    const int node = pattern_->node_of(row), inside = row - pattern_->offset(node);
    for (const auto& reach : pattern_->reaches(node)) {
      const Panel& panel = pattern_->panels()[at(reach.panel)];
      double* entry = values_.data() + panel.offset + at(reach.row + inside);
      for (int c = 0; c < panel.columns; ++c) entry[at(c) * at(panel.rows)] = 0.0;
    }
    const Panel& panel = pattern_->panels()[at(pattern_->panel_of(node))];
    double* A = values_.data() + panel.offset;
    const int k = place(row) - panel.first;
    for (int c = 0; c < k; ++c) A[at(k) + at(c) * at(panel.rows)] = 0.0;
    double* column = A + at(k) * at(panel.rows);
    std::fill(column + k, column + panel.rows, 0.0);
    column[k] = 1.0;
  }
}

void BlockCholesky::take_diagonal() {
  const int* order = pattern_->order().data();
  for (const Panel& panel : pattern_->panels()) {
    const double* entry = values_.data() + panel.offset;
    for (int k = 0; k < panel.columns; ++k, entry += panel.rows + 1)
      squares_[at(order[panel.first + k])] = *entry;
  }
}

int BlockCholesky::factor(double limit, double floor) {
  apply_left_out();
  take_diagonal();
  dependent_.clear();
  Elimination elimination{*pattern_,       values_.data(), limit,     floor,
                          squares_.data(), pivots_.data(), dependent_};
  for (const Panel& panel : pattern_->panels())
    with_columns(panel.columns, [&](auto columns) { elimination.factor_panel(columns, panel); });
  // What is not finite, anywhere in a row, makes its pivot so.
  double sum = 0.0;
  for (const double pivot : pivots_) sum += 0.0 * pivot;
  return sum == 0.0 ? static_cast<int>(dependent_.size()) : -1;
}

void BlockCholesky::solve(double* x) {
  const int n = pattern_->rows();
  const int* order = pattern_->order().data();
  const Run* runs = pattern_->runs().data();
  double* y = work_.data();
  for (int k = 0; k < n; ++k) y[k] = x[order[k]];
  for (const int row : left_out_) y[place(row)] = 0.0;
  for (const Panel& panel : pattern_->panels())
    with_columns(panel.columns, [&](auto columns) {
      const double* L = values_.data() + panel.offset;
      const int ld = panel.rows;
      double* z = y + panel.first;
      loops::each(columns, [&](auto j) {
        const double zj = z[j] *= L[j + j * ld];
        for (int i = j + 1; i < columns; ++i) z[i] -= L[i + j * ld] * zj;
      });
      for (const Run *run = runs + panel.run, *end = run + panel.runs; run != end; ++run)
        subtract(run->count, y + run->to, columns, L + run->from, ld, z, 1);
    });
  for (auto next = pattern_->panels().rbegin(); next != pattern_->panels().rend(); ++next)
    with_columns(next->columns, [&, &panel = *next](auto columns) {
      const double* L = values_.data() + panel.offset;
      const int ld = panel.rows;
      double* z = y + panel.first;
      for (const Run *run = runs + panel.run, *end = run + panel.runs; run != end; ++run)
        loops::each(columns, [&](auto j) {
          const double *l = L + run->from + j * ld, *from = y + run->to;
          double sum = 0.0;
          for (int i = 0; i < run->count; ++i) sum += l[i] * from[i];
          z[j] -= sum;
        });
      loops::each(columns, [&](auto index) {
        const int j = columns - 1 - index;
        double sum = z[j];
        for (int i = j + 1; i < columns; ++i) sum -= L[i + j * ld] * z[i];
        z[j] = sum * L[j + j * ld];
      });
    });
  for (int k = 0; k < n; ++k) x[order[k]] = y[k];
}

void BlockCholesky::rest_shares(int row, double* y) {
  const auto& panels = pattern_->panels();
  const int node = pattern_->node_of(row), inside = row - pattern_->offset(node);
  const int own = pattern_->panel_of(node);
  double* z = work_.data();
  std::fill(work_.begin(), work_.end(), 0.0);
  std::fill(active_.begin(), active_.begin() + own, char{0});
  // The row of L, on the left of its diagonal.
  for (const auto& reach : pattern_->reaches(node)) {
    const Panel& panel = panels[at(reach.panel)];
    const double* entry = values_.data() + panel.offset + at(reach.row + inside);
    for (int c = 0; c < panel.columns; ++c) z[panel.first + c] = entry[at(c) * at(panel.rows)];
  }
  const int before = place(row) - panels[at(own)].first;  // columns of its own panel
  {
    const Panel& panel = panels[at(own)];
    const double* L = values_.data() + panel.offset;
    for (int c = 0; c < before; ++c) z[panel.first + c] = L[at(before) + at(c) * at(panel.rows)];
    for (int j = before - 1; j >= 0; --j) {
      const double* l = L + at(j) * at(panel.rows);
      double sum = z[panel.first + j];
      for (int i = j + 1; i < before; ++i) sum -= l[i] * z[panel.first + i];
      z[panel.first + j] = sum * l[j];
    }
    active_[at(own)] = 1;
  }
  // Below it in the tree of elimination; z is zero elsewhere, and from `row` on.
  for (int p = own - 1; p >= 0; --p) {
    const Panel& panel = panels[at(p)];
    if (panel.updates == 0 || !active_[at(pattern_->updates()[at(panel.update)].panel)]) continue;
    active_[at(p)] = 1;
    const double* L = values_.data() + panel.offset;
    for (int j = panel.columns - 1; j >= 0; --j) {
      const double* l = L + at(j) * at(panel.rows);
      double sum = z[panel.first + j];
      for (int i = j + 1; i < panel.columns; ++i) sum -= l[i] * z[panel.first + i];
      for (int r = panel.run; r < panel.run + panel.runs; ++r) {
        const Run& run = pattern_->runs()[at(r)];
        for (int i = 0; i < run.count; ++i) sum -= l[run.from + i] * z[run.to + i];
      }
      z[panel.first + j] = sum * l[j];
    }
  }
  const int* order = pattern_->order().data();
  for (int k = 0; k < pattern_->rows(); ++k) y[order[k]] = z[k];
}

}  // namespace driftless::linalg
