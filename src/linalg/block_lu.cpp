#include <driftless/linalg/block_lu.hpp>

#include <algorithm>
#include <utility>

namespace driftless::linalg {

namespace {

using Panel = BlockPattern::Panel;
using Run = BlockPattern::Run;
using lu_detail::inverse_power;
using lu_detail::product;
using lu_detail::size_of;
using panels::subtract;
using panels::with_columns;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// A panel of factors. L: the square and what is below it, `rows` high. U: transposed, what is right of the square, `height` high.
template <class Scalar>
struct Factors {
  Scalar *L, *U;
  int rows, height;

  Factors(Scalar* values, const Panel& panel)
      : L(values + panel.unsymmetric),
        U(L + at(panel.columns) * at(panel.rows)),
        rows(panel.rows),
        height(panel.rows - panel.columns) {}
};

// The square, rows swapped; then what is below and right of it. False at a pivot that is not above the limit.
template <class Columns, class Scalar>
bool factor_panel(Columns columns, const Factors<Scalar>& own, int* row_swap, const double* most,
                  double limit) {
  const int n = columns, rows = own.rows, height = own.height;
  for (int k = 0; k < n; ++k) {
    Scalar* column = own.L + k * rows;
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (size_of(column[i]) > size_of(column[pivot])) pivot = i;
    row_swap[k] = pivot;
    if (!(size_of(column[pivot]) > limit * most[k])) return false;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) std::swap(own.L[k + j * rows], own.L[pivot + j * rows]);
      std::swap_ranges(own.U + k * height, own.U + (k + 1) * height, own.U + pivot * height);
    }
    const Scalar inverse = Scalar(1) / column[k];
    column[k] = inverse;
    for (int i = k + 1; i < n; ++i) column[i] = product(column[i], inverse);
    for (int j = k + 1; j < n; ++j) {
      Scalar* y = own.L + j * rows;
      const Scalar u = y[k];
      for (int i = k + 1; i < n; ++i) y[i] -= product(column[i], u);
    }
  }
  if (height == 0) return true;
  loops::each(columns, [&](auto k) {
    Scalar* column = own.L + n + k * rows;
    subtract(height, column, k, own.L + n, rows, own.L + k * rows, 1);
    panels::scale(height, column, own.L[k + k * rows]);
    subtract(height, own.U + k * height, k, own.U, height, own.L + k, rows);
  });
  return true;
}

// What the elimination of a panel changes in others: their squares and what is below with L U, what is right of them, transposed, likewise.
template <class Columns, class Scalar>
void update_others(Columns columns, const BlockPattern& pattern, const Panel& panel, Scalar* values,
                   double* most) {
  const Factors<Scalar> own(values, panel);
  const Run* runs = pattern.runs().data();
  const BlockPattern::Update* update = pattern.updates().data() + panel.update;
  for (const auto* end = update + panel.updates; update != end; ++update) {
    const Panel& changed = pattern.panels()[at(update->panel)];
    const Factors<Scalar> other(values, changed);
    const Run *first = runs + update->run, *square = first + update->square, *last = first + update->runs;
    const Scalar* U = own.U - panel.columns;  // so that rows count from the top of the square
    Scalar* right = other.U - changed.columns;
    for (const Run* across = first; across != square; ++across)
      for (int c = 0; c < across->count; ++c) {
        const int from = across->from + c, to = across->to + c;
        Scalar* column = other.L + at(to) * at(other.rows);
        for (const Run* down = first; down != last; ++down)
          subtract(down->count, column + down->to, columns, own.L + down->from, own.rows, U + from,
                   own.height);
        double& largest = most[changed.first + to];
        for (const Run* down = first; down != square; ++down)
          for (int i = 0; i < down->count; ++i) largest = std::max(largest, size_of(column[down->to + i]));
        column = right + at(to) * at(other.height);
        for (const Run* down = square; down != last; ++down)
          subtract(down->count, column + down->to, columns, U + down->from, own.height, own.L + from,
                   own.rows);
      }
  }
}

// body(run) for all rows of a panel, Run::to being places.
template <class Body>
[[gnu::always_inline]] inline void each_run(const BlockPattern& pattern, const Panel& panel, Body body) {
  const Run* run = pattern.runs().data() + panel.run;
  for (const Run* end = run + panel.runs; run != end; ++run) body(*run);
}

}  // namespace

template <class Scalar>
BlockLu<Scalar>::BlockLu(std::shared_ptr<const BlockPattern> pattern, const std::vector<int>& scaled_first)
    : pattern_(std::move(pattern)),
      values_(pattern_->unsymmetric_entries()),
      work_(at(pattern_->rows())),
      row_swap_(work_.size()),
      row_scale_(work_.size()),
      column_scale_(work_.size()),
      most_(work_.size()),
      scaled_first_(scaled_first.empty() ? 0 : work_.size()) {
  for (const int node : scaled_first)
    for (int r = 0; r < pattern_->size(node); ++r)
      scaled_first_[at(pattern_->place(pattern_->offset(node) + r))] = 1;
}

template <class Scalar>
void BlockLu<Scalar>::clear() {
  std::fill(values_.begin(), values_.end(), Scalar(0));
}

// row_scale_ := the largest entry of every row, the columns being multiplied by column_scale_.
template <class Scalar>
void BlockLu<Scalar>::measure_rows() {
  std::fill(row_scale_.begin(), row_scale_.end(), 0.0);
  for (const Panel& panel : pattern_->panels()) {
    const Factors<Scalar> own(values_.data(), panel);
    for (int c = 0; c < panel.columns; ++c) {
      const double factor = column_scale_[at(panel.first + c)];
      const Scalar *below = own.L + c * own.rows, *right = own.U + c * own.height - panel.columns;
      double* largest = row_scale_.data() + panel.first;
      for (int i = 0; i < panel.columns; ++i) largest[i] = std::max(largest[i], size_of(below[i]) * factor);
      double& own_largest = largest[c];
      each_run(*pattern_, panel, [&](const Run& run) {
        double* there = row_scale_.data() + run.to;
        const double* factors = column_scale_.data() + run.to;
        for (int i = 0; i < run.count; ++i) {
          there[i] = std::max(there[i], size_of(below[run.from + i]) * factor);
          own_largest = std::max(own_largest, size_of(right[run.from + i]) * factors[i]);
        }
      });
    }
  }
}

// most_ := the largest entry of every column, the rows being multiplied by row_scale_.
template <class Scalar>
void BlockLu<Scalar>::measure_columns() {
  std::fill(most_.begin(), most_.end(), 0.0);
  for (const Panel& panel : pattern_->panels()) {
    const Factors<Scalar> own(values_.data(), panel);
    const double* factors = row_scale_.data() + panel.first;
    for (int c = 0; c < panel.columns; ++c) {
      const Scalar *below = own.L + c * own.rows, *right = own.U + c * own.height - panel.columns;
      double& own_largest = most_[at(panel.first + c)];
      for (int i = 0; i < panel.columns; ++i)
        own_largest = std::max(own_largest, size_of(below[i]) * factors[i]);
      each_run(*pattern_, panel, [&](const Run& run) {
        double* there = most_.data() + run.to;
        const double* others = row_scale_.data() + run.to;
        for (int i = 0; i < run.count; ++i) {
          own_largest = std::max(own_largest, size_of(below[run.from + i]) * others[i]);
          there[i] = std::max(there[i], size_of(right[run.from + i]) * factors[c]);
        }
      });
    }
  }
}

// Applies the factors; most_ := the largest entry of every column in its square.
template <class Scalar>
void BlockLu<Scalar>::scale() {
  for (const Panel& panel : pattern_->panels()) {
    const Factors<Scalar> own(values_.data(), panel);
    const double *r = row_scale_.data() + panel.first, *s = column_scale_.data() + panel.first;
    for (int c = 0; c < panel.columns; ++c) {
      Scalar *below = own.L + c * own.rows, *right = own.U + c * own.height - panel.columns;
      double largest = 0.0;
      for (int i = 0; i < panel.columns; ++i) {
        below[i] = below[i] * r[i] * s[c];
        largest = std::max(largest, size_of(below[i]));
      }
      most_[at(panel.first + c)] = largest;
      each_run(*pattern_, panel, [&](const Run& run) {
        const double *rows = row_scale_.data() + run.to, *columns = column_scale_.data() + run.to;
        for (int i = 0; i < run.count; ++i) {
          below[run.from + i] = below[run.from + i] * rows[i] * s[c];
          right[run.from + i] = right[run.from + i] * r[c] * columns[i];
        }
      });
    }
  }
}

template <class Scalar>
void BlockLu<Scalar>::equilibrate() {
  const std::size_t n = work_.size();
  std::fill(column_scale_.begin(), column_scale_.end(), 1.0);
  if (!scaled_first_.empty()) {
    std::fill(row_scale_.begin(), row_scale_.end(), 1.0);
    measure_columns();
    for (std::size_t k = 0; k < n; ++k)
      if (scaled_first_[k]) column_scale_[k] = inverse_power(most_[k]);
  }
  measure_rows();
  for (std::size_t k = 0; k < n; ++k) row_scale_[k] = inverse_power(row_scale_[k]);
  measure_columns();
  for (std::size_t k = 0; k < n; ++k) column_scale_[k] = inverse_power(most_[k]);
  scale();
}

template <class Scalar>
bool BlockLu<Scalar>::factor(double limit) {
  equilibrate();
  bool regular = true;
  for (const Panel& panel : pattern_->panels()) {
    with_columns(panel.columns, [&](auto columns) {
      const Factors<Scalar> own(values_.data(), panel);
      regular = factor_panel(columns, own, row_swap_.data() + panel.first, most_.data() + panel.first, limit);
      if (regular) update_others(columns, *pattern_, panel, values_.data(), most_.data());
    });
    if (!regular) return false;
  }
  return true;
}

template <class Scalar>
void BlockLu<Scalar>::solve(Scalar* x) {
  const std::size_t n = work_.size();
  const int* order = pattern_->order().data();
  Scalar* y = work_.data();
  for (std::size_t k = 0; k < n; ++k) y[k] = x[order[k]] * row_scale_[k];
  for (const Panel& panel : pattern_->panels())
    with_columns(panel.columns, [&](auto columns) {
      const Factors<Scalar> own(values_.data(), panel);
      const int* swap = row_swap_.data() + panel.first;
      Scalar* z = y + panel.first;
      for (int k = 0; k < columns; ++k) std::swap(z[k], z[swap[k]]);
      for (int k = 0; k < columns; ++k)
        for (int i = k + 1; i < columns; ++i) z[i] -= product(own.L[i + k * own.rows], z[k]);
      each_run(*pattern_, panel, [&](const Run& run) {
        subtract(run.count, y + run.to, columns, own.L + run.from, own.rows, z, 1);
      });
    });
  for (auto next = pattern_->panels().rbegin(); next != pattern_->panels().rend(); ++next)
    with_columns(next->columns, [&, &panel = *next](auto columns) {
      const Factors<Scalar> own(values_.data(), panel);
      Scalar* z = y + panel.first;
      each_run(*pattern_, panel, [&](const Run& run) {
        for (int c = 0; c < columns; ++c) {
          const Scalar *u = own.U + c * own.height + run.from - columns, *from = y + run.to;
          Scalar sum(0);
          for (int i = 0; i < run.count; ++i) sum += product(u[i], from[i]);
          z[c] -= sum;
        }
      });
      for (int k = columns - 1; k >= 0; --k) {
        z[k] = product(z[k], own.L[k + k * own.rows]);
        for (int i = 0; i < k; ++i) z[i] -= product(own.L[i + k * own.rows], z[k]);
      }
    });
  for (std::size_t k = 0; k < n; ++k) x[order[k]] = y[k] * column_scale_[k];
}

template class BlockLu<double>;
template class BlockLu<std::complex<double>>;

}  // namespace driftless::linalg
