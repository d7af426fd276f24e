#include "sparse_penalty_matrix.hpp"

#include <algorithm>
#include <utility>

#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::formulations {

using linalg::BlockPattern;

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

SparsePenaltyMatrix::SparsePenaltyMatrix(const Problem& problem)
    : sizes_(sparse_dynamics(problem)->branches().sizes),
      C_(problem.sparse_pattern().C),
      X_(C_),
      segments_(C_, sizes_),
      diagonal_(Vector::Ones(problem.shape().nv)) {
  std::vector<std::pair<int, int>> coupled;
  for (int i = 0; i < C_.rows; ++i)
    for (int a = segments_.start[index(i)]; a < segments_.start[index(i) + 1]; ++a)
      for (int b = segments_.start[index(i)]; b <= a; ++b) {
        products_.push_back({segments_.all[index(a)], segments_.all[index(b)], {}});
        coupled.emplace_back(products_.back().a.block, products_.back().b.block);
      }
  const auto pattern = std::make_shared<const BlockPattern>(sizes_, coupled);
  for (int block = 0; block < static_cast<int>(sizes_.size()); ++block)
    own_.push_back(pattern->slot(block, block));
  for (Product& p : products_) p.to = pattern->slot(p.a.block, p.b.block);
  H_ = linalg::BlockCholesky(pattern);
}

void SparsePenaltyMatrix::take(const Evaluation& at) {
  C_.value = at.sparse.C.value;
  M_ = at.sparse.M;
  int row = 0;
  const double* block = M_.data();
  for (const int size : sizes_) {
    for (int k = 0; k < size; ++k) diagonal_(row++) = block[k * (size + 1)];
    block += size * size;
  }
}

Status SparsePenaltyMatrix::factor(const Vector& root) {
  for (int i = 0; i < C_.rows; ++i)
    for (int k = C_.first(i); k < C_.last(i); ++k) X_.value[index(k)] = root(i) * C_.at(k);
  H_.clear();
  add_mass();
  add_products();
  const int dependent = H_.factor(linalg::lu_pivot_limit(static_cast<int>(diagonal_.size())), 1);
  if (dependent < 0) return Status::not_finite;
  return dependent == 0 ? Status::ok : Status::singular_mass;
}

void SparsePenaltyMatrix::add_mass() {
  const double* block = M_.data();
  for (std::size_t b = 0; b < own_.size(); ++b) {
    const int n = sizes_[b];
    double* to = H_.values() + own_[b].offset;
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i) to[i * own_[b].row_step + j * own_[b].column_step] = block[i + j * n];
    block += n * n;
  }
}

// In one block the products of two segments are both in it, but only its lower triangle is used.
void SparsePenaltyMatrix::add_products() {
  const double* x = X_.value.data();
  for (const Product& p : products_) {
    const RowSegment &a = p.a, &b = p.b;
    double* to = H_.values() + p.to.offset + a.own * p.to.row_step + b.own * p.to.column_step;
    for (int j = 0; j < b.count; ++j)
      for (int i = 0; i < a.count; ++i)
        to[i * p.to.row_step + j * p.to.column_step] += x[a.entry + i] * x[b.entry + j];
  }
}

void SparsePenaltyMatrix::subtract_mass_times(VectorIn x, Vector& y) const {
  const double* block = M_.data();
  int first = 0;
  for (const int n : sizes_) {
    y.segment(first, n).noalias() -= Eigen::Map<const Matrix>(block, n, n).lazyProduct(x.segment(first, n));
    block += n * n;
    first += n;
  }
}

}  // namespace driftless::formulations
