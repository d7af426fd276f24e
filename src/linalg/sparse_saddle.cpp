#include <driftless/linalg/sparse_saddle.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace driftless::linalg {

namespace {

constexpr int most_rows_together = 8;
constexpr double refined_below = 1e-5;  // pivots by their squares
constexpr double left_out = 1e30;       // a pivot so large that its row has no part in anything
constexpr int most_refinements = 8;
constexpr double refined_to =
    1e-15;  // of the terms of a row; a pass that does not halve what is missing was the last one

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

bool same_columns(const SparseRows& A, int i, int j) {
  return std::equal(A.column.begin() + A.first(i), A.column.begin() + A.last(i),
                    A.column.begin() + A.first(j), A.column.begin() + A.last(j));
}

// Rows that follow each other and have the same columns, as most joints have, are one node.
std::vector<int> nodes_of(const SparseRows& A, int rows) {
  std::vector<int> sizes;
  for (int i = 0; i < rows; ++i)
    if (!sizes.empty() && sizes.back() < most_rows_together && same_columns(A, i - 1, i))
      ++sizes.back();
    else
      sizes.push_back(1);
  return sizes;
}

template <int RowsA, int RowsB, int Size>
void add_product(const double* a, int step_a, const double* b, int step_b, double* to,
                 std::ptrdiff_t row_step, std::ptrdiff_t column_step) {
  for (int j = 0; j < RowsB; ++j)
    for (int i = 0; i < RowsA; ++i) {
      double sum = 0;
      for (int k = 0; k < Size; ++k) sum += a[i * step_a + k] * b[j * step_b + k];
      to[i * row_step + j * column_step] += sum;
    }
}

}  // namespace

SparseSaddle::SparseSaddle(const SparseRows& pattern, int rows, const std::vector<int>& blocks)
    : rows_(rows), columns_(pattern.columns), X_(pattern) {
  X_.rows = rows;
  std::vector<int> block_of(index(columns_));
  int first = 0, start = 0;
  for (const int size : blocks) {
    for (int k = 0; k < size; ++k) block_of[index(first + k)] = static_cast<int>(blocks_.size());
    blocks_.push_back({first, size, start});
    first += size;
    start += size * size;
  }
  L_.resize(index(start));
  diagonal_.assign(blocks_.size(), 1);
  y_.resize(index(columns_));
  left_.resize(index(rows));

  const std::vector<int> sizes = nodes_of(pattern, rows);
  struct Part {
    int node, entry, rows, step;
  };
  std::vector<std::vector<Part>> parts(blocks_.size());  // of the nodes that touch a block
  segment_start_.push_back(0);
  for (int node = 0, row = 0; node < static_cast<int>(sizes.size()); row += sizes[index(node)], ++node) {
    for (int i = row; i < row + sizes[index(node)]; ++i) {
      for (int k = pattern.first(i); k < pattern.last(i);) {
        const int block = block_of[index(pattern.column_of(k))];
        segments_.push_back({block, k});
        if (i == row)
          parts[index(block)].push_back({node, k, sizes[index(node)], pattern.last(i) - pattern.first(i)});
        k += blocks_[index(block)].size;
      }
      segment_start_.push_back(static_cast<int>(segments_.size()));
    }
  }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& touching : parts)
    for (std::size_t j = 0; j < touching.size(); ++j)
      for (std::size_t i = j + 1; i < touching.size(); ++i)
        pairs.emplace_back(touching[i].node, touching[j].node);
  order_ = std::make_shared<const BlockPattern>(sizes, pairs);
  left_out_.assign(index(rows), 0);
  idle_ = left_out_;
  S_.emplace(order_);
  for (int node = 0; node < static_cast<int>(sizes.size()); ++node) {
    const BlockPattern::Slot slot = order_->slot(node, node);
    for (int i = 0; i < sizes[index(node)]; ++i)
      diagonal_entries_.push_back(slot.offset +
                                  static_cast<std::size_t>(i * (slot.row_step + slot.column_step)));
  }
  for (std::size_t b = 0; b < parts.size(); ++b)
    for (std::size_t j = 0; j < parts[b].size(); ++j)
      for (std::size_t i = j; i < parts[b].size(); ++i) {
        const Part &p = parts[b][i], &q = parts[b][j];
        products_.push_back({p.entry, q.entry, p.rows, q.rows, p.step, q.step, blocks_[b].size,
                             order_->slot(p.node, q.node), order_->offset(p.node), order_->offset(q.node)});
      }
}

void SparseSaddle::leave_out(const std::vector<int>& rows) {
  S_->leave_out(rows);
  std::fill(left_out_.begin(), left_out_.end(), 0);
  for (const int row : rows) left_out_[index(row)] = 1;
}

// Where M is what it was, so is L.
bool SparseSaddle::factor_mass(const double* mass) {
  identity_ = !mass;
  if (identity_ || (mass_.size() == L_.size() && std::equal(mass_.begin(), mass_.end(), mass))) return true;
  mass_.clear();
  std::copy_n(mass, L_.size(), L_.begin());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const int n = blocks_[b].size;
    double* L = L_.data() + blocks_[b].start;
    bool diagonal = true;
    for (int j = 0; j < n; ++j)
      for (int i = j + 1; i < n; ++i) diagonal = diagonal && L[i + j * n] == 0;
    diagonal_[b] = diagonal;
    for (int j = 0; j < n; ++j) {  // 1/L_jj in place of L_jj
      for (int k = 0; k < j; ++k) L[j + j * n] -= L[j + k * n] * L[j + k * n];
      const double pivot = L[j + j * n];
      if (!(pivot > mass_pivot_limit * mass[blocks_[b].start + j + j * n]) || !std::isfinite(pivot))
        return false;
      const double inverse = L[j + j * n] = 1 / std::sqrt(pivot);
      for (int i = j + 1; i < n; ++i) {
        for (int k = 0; k < j; ++k) L[i + j * n] -= L[i + k * n] * L[j + k * n];
        L[i + j * n] *= inverse;
      }
    }
  }
  mass_.assign(mass, mass + L_.size());
  return true;
}

// X = C L^-T.
void SparseSaddle::set_panel(const SparseRows& C, SparseRows& panel) const {
  std::copy_n(C.value.begin(), panel.value.size(), panel.value.begin());
  if (identity_) return;
  double* X = panel.value.data();
  for (const Segment& segment : segments_) {
    if (segment.entry >= X_.last(rows_ - 1)) break;
    const Block& block = blocks_[index(segment.block)];
    const double* L = L_.data() + block.start;
    double* x = X + segment.entry;
    const int n = block.size;
    if (diagonal_[index(segment.block)]) {
      for (int j = 0; j < n; ++j) x[j] *= L[j + j * n];
      continue;
    }
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k) x[j] -= L[j + k * n] * x[k];
      x[j] *= L[j + j * n];
    }
  }
}

void SparseSaddle::multiply() {
  S_->clear();
  double* values = S_->values();
  const double* X = X_.value.data();
  for (const Product& p : products_) {
    const double *a = X + p.a, *b = X + p.b;
    double* to = values + p.to.offset;
    const std::ptrdiff_t row_step = p.to.row_step, column_step = p.to.column_step;
    if (p.size == 3 && p.rows_a == 2 && p.rows_b == 2) {
      add_product<2, 2, 3>(a, p.step_a, b, p.step_b, to, row_step, column_step);
    } else if (p.size == 6 && p.rows_a == 5 && p.rows_b == 5) {
      add_product<5, 5, 6>(a, p.step_a, b, p.step_b, to, row_step, column_step);
    } else if (p.size == 6 && p.rows_a == 3 && p.rows_b == 3) {
      add_product<3, 3, 6>(a, p.step_a, b, p.step_b, to, row_step, column_step);
    } else {
      for (int j = 0; j < p.rows_b; ++j)
        for (int i = 0; i < p.rows_a; ++i) {
          double sum = 0;
          for (int k = 0; k < p.size; ++k) sum += a[i * p.step_a + k] * b[j * p.step_b + k];
          to[i * row_step + j * column_step] += sum;
        }
    }
  }
}

FactorStatus SparseSaddle::factor(const double* mass, const SparseRows& C, double limit, double shift) {
  weakest_ = 1;
  if (!factor_mass(mass)) return FactorStatus::singular_mass;
  if (rows_ == 0) return FactorStatus::ok;
  unsymmetric_ = false;
  set_panel(C, X_);
  multiply();
  if (shift != 0)
    for (const std::size_t entry : diagonal_entries_) S_->values()[entry] += shift;
  if (S_->factor(limit, left_out) < 0) return FactorStatus::not_finite;
  std::copy(left_out_.begin(), left_out_.end(), idle_.begin());
  for (const int row : S_->dependent()) idle_[index(row)] = 1;
  const auto &squares = S_->squares(), &pivots = S_->pivots();
  for (std::size_t i = 0; i < squares.size(); ++i)
    if (pivots[i] > limit * squares[i]) weakest_ = std::min(weakest_, pivots[i] / squares[i]);
  return FactorStatus::ok;
}

void SparseSaddle::start_unsymmetric() {
  Y_ = X_;
  lu_.emplace(order_);
  for (const Product& p : products_) {
    const int a = order_->node_of(p.row_a), b = order_->node_of(p.row_b);
    lower_.push_back(lu_->slot(a, b));
    upper_.push_back(lu_->slot(b, a));
  }
}

void SparseSaddle::multiply_unsymmetric() {
  lu_->clear();
  double* values = lu_->values();
  const double *X = X_.value.data(), *Y = Y_.value.data();
  const auto add = [&](int a, int b, int rows_a, int rows_b, int step_a, int step_b, int size, int row_a,
                       int row_b, const BlockPattern::Slot& to) {
    for (int j = 0; j < rows_b; ++j)
      for (int i = 0; i < rows_a; ++i) {
        if (left_out_[index(row_a + i)] || left_out_[index(row_b + j)]) continue;
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += X[a + i * step_a + k] * Y[b + j * step_b + k];
        values[static_cast<std::ptrdiff_t>(to.offset) + i * to.row_step + j * to.column_step] += sum;
      }
  };
  for (std::size_t n = 0; n < products_.size(); ++n) {
    const Product& p = products_[n];
    add(p.a, p.b, p.rows_a, p.rows_b, p.step_a, p.step_b, p.size, p.row_a, p.row_b, lower_[n]);
    if (p.row_a != p.row_b)
      add(p.b, p.a, p.rows_b, p.rows_a, p.step_b, p.step_a, p.size, p.row_b, p.row_a, upper_[n]);
  }
  for (int node = 0; node < order_->nodes(); ++node) {
    const BlockPattern::Slot own = lu_->slot(node, node);
    for (int i = 0; i < order_->size(node); ++i)
      if (left_out_[index(order_->offset(node) + i)])
        values[static_cast<std::ptrdiff_t>(own.offset) + i * (own.row_step + own.column_step)] = 1;
  }
}

FactorStatus SparseSaddle::factor(const double* mass, const SparseRows& B, const SparseRows& C) {
  weakest_ = 1;
  if (!factor_mass(mass)) return FactorStatus::singular_mass;
  if (rows_ == 0) return FactorStatus::ok;
  if (!lu_) start_unsymmetric();
  unsymmetric_ = true;
  std::copy(left_out_.begin(), left_out_.end(), idle_.begin());
  set_panel(C, X_);
  set_panel(B, Y_);
  multiply_unsymmetric();
  if (lu_->factor()) return FactorStatus::ok;
  return X_.all_finite() && Y_.all_finite() ? FactorStatus::rank_loss : FactorStatus::not_finite;
}

void SparseSaddle::lower_solve(double* x) const {
  if (identity_) return;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const double* L = L_.data() + block.start;
    double* y = x + block.first;
    const int n = block.size;
    for (int j = 0; j < n; ++j) {
      y[j] *= L[j + j * n];
      if (diagonal_[b]) continue;
      for (int i = j + 1; i < n; ++i) y[i] -= L[i + j * n] * y[j];
    }
  }
}

void SparseSaddle::upper_solve(double* x) const {
  if (identity_) return;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const double* L = L_.data() + block.start;
    double* y = x + block.first;
    const int n = block.size;
    for (int j = n - 1; j >= 0; --j) {
      if (!diagonal_[b])
        for (int i = j + 1; i < n; ++i) y[j] -= L[i + j * n] * y[i];
      y[j] *= L[j + j * n];
    }
  }
}

void SparseSaddle::solve(const SparseRows& C, VectorIn f, VectorIn r, VectorOut a, VectorOut l) {
  double* y = y_.data();
  std::copy_n(f.data(), columns_, y);
  lower_solve(y);
  for (int i = 0; i < rows_; ++i) left_[index(i)] = X_.product(i, y) - r(i);
  const int passes = rows_ > 0 && weakest_ < refined_below ? 1 + most_refinements : 1;
  if (passes > 1) wanted_.assign(r.data(), r.data() + rows_);
  double missing = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < passes; ++pass) {
    if (unsymmetric_) {
      for (int i = 0; i < rows_; ++i)
        if (left_out_[index(i)]) left_[index(i)] = 0;
      if (rows_ > 0) lu_->solve(left_.data());
    } else if (rows_ > 0) {
      S_->solve(left_.data());
    }
    (unsymmetric_ ? Y_ : X_).add_transposed_times(rows_, -1, left_.data(), y);
    for (int i = 0; i < rows_; ++i) l(i) = (pass == 0 ? 0 : l(i)) + left_[index(i)];
    std::copy_n(y, columns_, a.data());
    upper_solve(a.data());
    if (pass + 1 == passes) break;
    const double now = residual(C, a);
    if (!(now > refined_to) || !(now < 0.5 * missing)) break;
    missing = now;
  }
}

// C a - r in left_, and how large that is by the terms of its rows; rows left out have no part in it.
double SparseSaddle::residual(const SparseRows& C, VectorIn a) {
  double largest = 0;
  for (int i = 0; i < rows_; ++i) {
    double sum = -wanted_[index(i)], terms = std::abs(wanted_[index(i)]);
    for (int k = C.first(i); k < C.last(i); ++k) {
      const double term = C.at(k) * a(C.column_of(k));
      sum += term;
      terms += std::abs(term);
    }
    left_[index(i)] = sum;
    if (!idle_[index(i)] && terms > 0) largest = std::max(largest, std::abs(sum) / terms);
  }
  return largest;
}

void SparseSaddle::shares(int row, std::vector<double>& y) {
  y.assign(index(rows_), 0.0);
  S_->rest_shares(row, y.data());
}

}  // namespace driftless::linalg
