#include "bdf_history.hpp"

#include <algorithm>
#include <cmath>

#include "pieces.hpp"

namespace driftless::integrators {

namespace {

constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

void BdfHistory::reset(VectorIn y) {
  phi_.setZero(y.size(), columns);
  phi_.col(0) = y;
  yp_start_.setZero(y.size());
  steps_.fill(0);
  known_ = real_ = 1;
  last_order_ = 0;
}

void BdfHistory::start(VectorIn y, VectorIn yp) {
  reset(y);
  yp_start_ = yp;
  known_ = 2;
}

void BdfHistory::start(const std::vector<Vector>& values, std::size_t count,
                       const std::vector<double>& steps) {
  const int order = last_order_;
  reset(values[0]);
  for (std::size_t i = 1; i < count; ++i) {
    prepare(steps[count - 1 - i], 1);
    accept(values[i]);
  }
  last_order_ = std::min(std::max(order, 1), static_cast<int>(count) - 1);
}

void BdfHistory::prepare(double h, int order) {
  h_ = h;
  order_ = order;
  if (!begun()) {  // the made-up value lies one step back
    steps_[0] = h;
    if (known_ > 1) phi_.col(1) = h * yp_start_;
  }
  double psi = h, psi_old = 0, inverse = 0;
  beta_[0] = sigma_[0] = 1;
  gamma_[0] = 0;
  double harmonic = 0, alpha = 1, excess = 0;  // alpha_i, sum of alpha_j - 1/j
  for (int i = 1; i < columns; ++i) {
    // psi = psi_i, psi_old = psi_i^old
    psi_old += steps_[at(i - 1)];
    inverse += 1 / psi;
    gamma_[at(i)] = inverse;
    beta_[at(i)] = psi_old > 0 ? beta_[at(i - 1)] * psi / psi_old : 0;
    if (i <= order) {
      harmonic += 1.0 / i;
      excess += h / psi - 1.0 / i;
    }
    psi = h + psi_old;
    alpha = h / psi;  // of i + 1
    sigma_[at(i)] = i * sigma_[at(i - 1)] * alpha;
    if (i == order) judged_ = std::max(alpha, std::abs(alpha + excess));
  }
  c_ = harmonic / h;
}

void BdfHistory::predict(VectorOut y, VectorOut yp) const {
  by_pieces(y.size(), [&](Eigen::Index first, Eigen::Index count) {
    auto value = y.segment(first, count), rate = yp.segment(first, count);
    value = phi_.col(0).segment(first, count);
    rate.setZero();
    for (int i = 1; i <= order_; ++i) {
      const auto difference = phi_.col(i).segment(first, count);
      value += beta_[at(i)] * difference;
      rate += (beta_[at(i)] * gamma_[at(i)]) * difference;
    }
  });
}

bool BdfHistory::knows_error(int order) const {
  return order >= 1 && order <= largest_order && order <= order_ + 1 && order >= order_ - 2 &&
         order + 1 <= known_;
}

void BdfHistory::local_error(int order, VectorIn difference, VectorOut error) const {
  by_pieces(error.size(), [&](Eigen::Index first, Eigen::Index count) {
    auto piece = error.segment(first, count);
    piece = difference.segment(first, count);
    for (int i = order_; i > order; --i) piece += beta_[at(i)] * phi_.col(i).segment(first, count);
    if (order > order_) piece -= beta_[at(order)] * phi_.col(order).segment(first, count);
    piece *= sigma_[at(order)];
  });
}

void BdfHistory::accept(VectorIn y) {
  known_ = std::min(known_ + 1, columns);
  real_ = std::min(real_ + 1, columns);
  // Each new difference needs the new one before it and the old one: from a copy that is handed on.
  auto fresh = phi_.col(columns - 1);  // the oldest difference is no longer needed
  fresh = y;
  by_pieces(y.size(), [&](Eigen::Index first, Eigen::Index count) {
    for (int i = 0; i < columns - 1; ++i)
      for (Eigen::Index row = first; row < first + count; ++row) {
        const double next = fresh(row) - beta_[at(i)] * phi_(row, i);
        phi_(row, i) = fresh(row);
        fresh(row) = next;
      }
  });
  for (int i = columns - 1; i > 0; --i) steps_[at(i)] = steps_[at(i - 1)];
  steps_[0] = h_;
  last_order_ = order_;
}

void BdfHistory::interpolate(double back, VectorOut y) const {
  y = phi_.col(0);
  double factor = 1, distance = -back, psi = 0;  // t - t_n, then t - t_{n-1}, ..
  for (int i = 1; i <= last_order_; ++i) {
    psi += steps_[at(i - 1)];
    factor *= distance / psi;
    y += factor * phi_.col(i);
    distance = psi - back;
  }
}

std::vector<double> BdfHistory::memory() const {
  std::vector<double> memory = {static_cast<double>(known_), static_cast<double>(real_),
                                static_cast<double>(last_order_)};
  memory.insert(memory.end(), steps_.begin(), steps_.end());
  memory.insert(memory.end(), yp_start_.begin(), yp_start_.end());
  memory.insert(memory.end(), phi_.data(), phi_.data() + phi_.size());
  return memory;
}

const double* BdfHistory::remember(const double* memory) {
  const auto within = [](double value, int from, int to) { return value >= from && value <= to; };
  if (!within(memory[0], 1, columns) || !within(memory[1], 1, columns) ||
      !within(memory[2], 0, largest_order))
    return nullptr;
  known_ = static_cast<int>(memory[0]);
  real_ = static_cast<int>(memory[1]);
  last_order_ = static_cast<int>(memory[2]);
  memory += 3;
  std::copy_n(memory, steps_.size(), steps_.begin());
  for (int i = 0; i < known_ - 1 && begun(); ++i)
    if (!(steps_[at(i)] > 0)) return nullptr;
  memory += steps_.size();
  std::copy_n(memory, yp_start_.size(), yp_start_.begin());
  memory += yp_start_.size();
  std::copy_n(memory, phi_.size(), phi_.data());
  return memory + phi_.size();
}

}  // namespace driftless::integrators
