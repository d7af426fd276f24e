#include "block_mass.hpp"

#include <algorithm>

namespace driftless::formulations {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

BlockMass::BlockMass(const std::vector<int>& sizes, const linalg::SparseRows& C) : segments_(C, sizes) {
  int first = 0, start = 0, largest = 0;
  for (const int size : sizes) {
    blocks_.push_back({first, size, start, &linalg::cholesky_kernel(size)});
    first += size;
    start += size * size;
    largest = std::max(largest, size);
  }
  L_.resize(index(start));
  work_.resize(index(largest));
}

bool BlockMass::factor(const std::vector<double>& M, double limit) {
  L_ = M;
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [&](const Block& b) { return b.kernel->factor(b.size, L_.data() + b.start, limit); });
}

void BlockMass::divide(double* x) const {
  for (const Block& b : blocks_) {
    b.kernel->forward(b.size, L_.data() + b.start, x + b.first);
    b.kernel->backward(b.size, L_.data() + b.start, x + b.first);
  }
}

double BlockMass::square(const linalg::SparseRows& C, int row) const {
  double sum = 0;
  const int last = segments_.start[index(row) + 1];
  for (int s = segments_.start[index(row)]; s < last;) {
    const Block& b = blocks_[index(segments_.all[index(s)].block)];
    std::fill_n(work_.begin(), b.size, 0.0);
    for (const int block = segments_.all[index(s)].block; s < last && segments_.all[index(s)].block == block;
         ++s) {
      const RowSegment& part = segments_.all[index(s)];
      std::copy_n(C.value.begin() + part.entry, part.count, work_.begin() + part.own);
    }
    b.kernel->forward(b.size, L_.data() + b.start, work_.data());
    for (int k = 0; k < b.size; ++k) sum += work_[index(k)] * work_[index(k)];
  }
  return sum;
}

void BlockMass::add_times(const std::vector<double>& M, const double* x, double* y) const {
  for (const Block& b : blocks_)
    Eigen::Map<Vector>(y + b.first, b.size).noalias() +=
        Eigen::Map<const Matrix>(M.data() + b.start, b.size, b.size)
            .lazyProduct(Eigen::Map<const Vector>(x + b.first, b.size));
}

void BlockMass::add_inverse(double factor, std::vector<double>& M) const {
  for (const Block& b : blocks_)
    for (int j = 0; j < b.size; ++j) {
      std::fill_n(work_.begin(), b.size, 0.0);
      work_[index(j)] = 1;
      b.kernel->forward(b.size, L_.data() + b.start, work_.data());
      b.kernel->backward(b.size, L_.data() + b.start, work_.data());
      for (int i = 0; i < b.size; ++i) M[index(b.start + i + j * b.size)] += factor * work_[index(i)];
    }
}

}  // namespace driftless::formulations
