#include "kept_matrix.hpp"

#include <algorithm>

namespace driftless::integrators {

KeptMatrix::KeptMatrix(DaeSystem& system) : system_(system), matrix_(system.real_matrix()) {
  const auto unknowns = static_cast<Eigen::Index>(system.index_of_unknowns().size());
  y_.setZero(unknowns);
  yp_.setZero(unknowns);
  product_.setZero(system.equations());
}

Status KeptMatrix::linearize(double t, VectorIn y, VectorIn yp) {
  c_ = 0;
  t_ = t;
  y_ = y;
  yp_ = yp;
  return system_.linearize(t, y, yp);
}

Status KeptMatrix::factor(double c) {
  c_ = 0;
  const Status status = matrix_->factor(c);
  if (status == Status::ok) c_ = c;
  return status;
}

void KeptMatrix::smooth(VectorIn x, VectorOut smoothed) {
  if (!system_.assembles()) {
    system_.times_rate_matrix(x, product_);
    product_ *= c_;
  } else {
    if (F_yp_.size() == 0) F_y_ = F_yp_ = Matrix::Zero(product_.size(), x.size());
    system_.assemble(F_y_, F_yp_);
    product_.noalias() = c_ * F_yp_.lazyProduct(x);
  }
  matrix_->solve(product_, smoothed);
}

std::vector<double> KeptMatrix::memory() const {
  std::vector<double> memory = {c_, t_};
  memory.insert(memory.end(), y_.begin(), y_.end());
  memory.insert(memory.end(), yp_.begin(), yp_.end());
  return memory;
}

Status KeptMatrix::remember(const double* memory) {
  const double c = memory[0];
  const auto n = y_.size();
  t_ = memory[1];
  std::copy_n(memory + 2, n, y_.begin());
  std::copy_n(memory + 2 + n, n, yp_.begin());
  if (c == 0) return Status::ok;
  const Status status = system_.linearize(t_, y_, yp_);
  return status == Status::ok ? factor(c) : status;
}

}  // namespace driftless::integrators
