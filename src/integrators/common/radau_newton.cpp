#include "radau_newton.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "radau_table.hpp"

namespace driftless::integrators {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double largest_rate = 0.99;
constexpr double least_trust = 0.01;  // in the rate of earlier steps
// Steps of equal length differ by the roundoff of t; the rate of convergence does not notice.
constexpr double same_h = 1e-6;
constexpr int coupled_steps =
    10;  // after one that needed it, before the transformed iteration is tried again

}  // namespace

RadauNewton::RadauNewton(DaeSystem& system, Work& work, const RadauNewtonSettings& settings)
    : system_(system),
      work_(work),
      settings_(settings),
      real_(system),
      complex_(system.complex_matrix()),
      F_(Matrix::Zero(system.equations(), 3)),
      right_(Vector::Zero(system.equations())),
      complex_right_(Eigen::VectorXcd::Zero(system.equations())) {
  const auto unknowns = static_cast<Eigen::Index>(system.index_of_unknowns().size());
  for (Matrix* m : {&W_, &start_}) m->setZero(unknowns, 3);
  for (Vector* v : {&y_, &yp_, &increment_}) v->setZero(unknowns);
  complex_increment_.setZero(unknowns);
}

Status RadauNewton::linearize(const RadauBase& base, double h, const Matrix& Z, bool continued) {
  constexpr int stage = 1;
  h_ = 0;
  kept_ = false;
  failed_t_ = base.t;
  y_ = base.y;
  yp_ = base.yp;
  if (continued) {
    failed_t_ += radau_table().c[stage] * h;
    y_ += Z.col(stage);
    stage_rate(Z, h, stage, yp_);
  }
  if (const Status status = real_.linearize(failed_t_, y_, yp_); status != Status::ok) return status;
  kept_ = fresh_ = true;
  return Status::ok;
}

Status RadauNewton::factor(double h) {
  const RadauTable& table = radau_table();
  h_ = 0;
  Status status = real_.factor(table.gamma / h);
  if (status == Status::ok) status = complex_->factor({table.alpha / h, table.beta / h});
  if (status == Status::ok) h_ = h;
  return status;
}

Status RadauNewton::solve(const RadauBase& base, double h, VectorIn weights, double limit, bool continued,
                          Matrix& Z) {
  start_ = Z;
  by_coupled_ = false;
  if (coupled_steps_ == 0) {
    const Status status = solve_transformed(base, h, weights, limit, continued, Z);
    if (status == Status::ok) return status;
    const bool often = ++failures_ > 1 || settings_.persistent;
    if (status != Status::no_convergence || !often || !coupled_possible()) return status;
    Z = start_;
  }
  if (!coupled_) coupled_.emplace(system_, work_);
  by_coupled_ = true;
  kept_ = false;
  Status status = coupled_->solve(base.t, base.y, h, weights, limit, settings_.iterations, Z, failed_t_, y_);
  if (status != Status::ok) return status;
  status = linearize(base, h, Z, false);
  kept_ = false;
  return status == Status::ok ? real_.factor(radau_table().gamma / h) : status;
}

Status RadauNewton::solve_transformed(const RadauBase& base, double h, VectorIn weights, double limit,
                                      bool continued, Matrix& Z) {
  if (kept_) {
    const bool own = fresh_;
    Status status = std::abs(h - h_) <= same_h * h ? Status::ok : factor(h);
    if (status == Status::ok) status = iterate(base, h, weights, limit, Z);
    if (status == Status::ok) return status;
    kept_ = false;
    if (own) return status;
    Z = start_;
  }
  Status status = linearize(base, h, Z, continued);
  if (status == Status::ok) status = factor(h);
  if (status == Status::ok) status = iterate(base, h, weights, limit, Z);
  kept_ = status == Status::ok;
  return status;
}

bool RadauNewton::coupled_possible() const {
  return system_.assembles() && system_.equations() == y_.size() && y_.size() <= RadauCoupled::most_unknowns;
}

void RadauNewton::stage_rate(const Matrix& Z, double h, int stage, VectorOut yp) const {
  const auto row = radau_table().A_inverse.row(stage);
  yp = (row[0] / h) * Z.col(0) + (row[1] / h) * Z.col(1) + (row[2] / h) * Z.col(2);
}

Status RadauNewton::residuals(const RadauBase& base, double h, const Matrix& Z) {
  for (int i = 0; i < 3; ++i) {
    failed_t_ = base.t + radau_table().c[i] * h;
    y_ = base.y + Z.col(i);
    stage_rate(Z, h, i, yp_);
    if (const Status status = system_.residual(failed_t_, y_, yp_, F_.col(i)); status != Status::ok)
      return status;
  }
  return Status::ok;
}

double RadauNewton::improve(VectorIn weights, Matrix& Z) {
  const RadauTable& table = radau_table();
  const auto &T = table.T, &R = table.T_inverse;
  right_ = R(0, 0) * F_.col(0) + R(0, 1) * F_.col(1) + R(0, 2) * F_.col(2);
  complex_right_.real() = R(1, 0) * F_.col(0) + R(1, 1) * F_.col(1) + R(1, 2) * F_.col(2);
  complex_right_.imag() = R(2, 0) * F_.col(0) + R(2, 1) * F_.col(1) + R(2, 2) * F_.col(2);
  real_.solve(right_, increment_);
  complex_->solve(complex_right_, complex_increment_);
  ++work_.newton;
  double sum = 0;
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    const double d1 = increment_[i], d2 = complex_increment_[i].real(), d3 = complex_increment_[i].imag();
    sum += weights[i] * weights[i] * (d1 * d1 + d2 * d2 + d3 * d3);
    const double w1 = W_(i, 0) -= d1, w2 = W_(i, 1) -= d2, w3 = W_(i, 2) -= d3;
    Z(i, 0) = T(0, 0) * w1 + T(0, 1) * w2 + T(0, 2) * w3;
    Z(i, 1) = T(1, 0) * w1 + T(1, 1) * w2 + T(1, 2) * w3;
    Z(i, 2) = w1 + w2;
  }
  return std::sqrt(sum / 3);
}

Status RadauNewton::iterate(const RadauBase& base, double h, VectorIn weights, double limit, Matrix& Z) {
  const auto& R = radau_table().T_inverse;
  for (int k = 0; k < 3; ++k) W_.col(k) = R(k, 0) * Z.col(0) + R(k, 1) * Z.col(1) + R(k, 2) * Z.col(2);
  double last = 0, last_ratio = 0;
  rate_ = 0;
  last_trust_ = std::max(std::pow(trust_, 0.8), least_trust);
  for (int k = 1; k <= settings_.iterations; ++k) {
    if (const Status status = residuals(base, h, Z); status != Status::ok) return status;
    const double size = improve(weights, Z);
    if (!std::isfinite(size)) return Status::not_finite;
    bool hopeless = false;
    if (k > 1) {
      const double ratio = size / last;
      rate_ = k == 2 ? ratio : std::sqrt(ratio * last_ratio);
      last_ratio = ratio;
      const bool diverges = !(rate_ < largest_rate);
      last_trust_ = diverges ? 1 : rate_ / (1 - rate_);
      const int left = settings_.iterations - k;
      hopeless = k > 2 && (diverges || last_trust_ * size * std::pow(rate_, left) > limit);
    }
    if (!hopeless && last_trust_ * size <= limit) return Status::ok;
    if ((hopeless || k == settings_.iterations) && roundoff(weights, Z, base.y, h, size, size < 0.5 * last))
      return Status::ok;
    if (hopeless) return Status::no_convergence;
    last = size;
  }
  return Status::no_convergence;
}

// Whether increments of that size are as small as roundoff lets them be: a few units of it, or some more and no longer shrinking. Unknowns
// of index 2 and 3 inherit that of positions, divided by h and h^2 and magnified by A^-1.
bool RadauNewton::roundoff(VectorIn weights, const Matrix& Z, VectorIn y, double h, double size,
                           bool shrinks) const {
  const std::vector<int>& index = system_.index_of_unknowns();
  const auto size_of = [&](Eigen::Index i) { return std::abs(y[i]) + std::abs(Z(i, 2)); };
  const double rates = radau_table().A_inverse.cwiseAbs().maxCoeff() / h;  // of positions
  double largest = 0, sum = 0;
  for (Eigen::Index i = 0; i < weights.size(); ++i)
    if (index[static_cast<std::size_t>(i)] == 0) largest = std::max(largest, size_of(i));
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    const int k = index[static_cast<std::size_t>(i)];
    const double inherited = k < 2 ? 0 : k == 2 ? largest * rates : largest * rates * rates;
    const double entry = weights[i] * (size_of(i) + inherited);
    sum += entry * entry;
  }
  return size <= (shrinks ? 4 : 30) * epsilon * std::sqrt(sum);
}

void RadauNewton::accepted() {
  if (by_coupled_) {
    coupled_steps_ = coupled_steps_ > 0 ? coupled_steps_ - 1 : coupled_steps;
  } else {
    kept_ = kept_ && rate_ <= settings_.keep;
    trust_ = last_trust_;
    if (failures_ == failures_before_) failures_ = std::max(failures_ - 1, 0);
  }
  failures_before_ = failures_;
  fresh_ = false;
}

std::vector<double> RadauNewton::memory() const {
  std::vector<double> memory = real_.memory();
  const double numbers[] = {h_,
                            kept_ ? 1.0 : 0.0,
                            fresh_ ? 1.0 : 0.0,
                            trust_,
                            static_cast<double>(failures_),
                            static_cast<double>(failures_before_),
                            static_cast<double>(coupled_steps_)};
  memory.insert(memory.begin(), std::begin(numbers), std::end(numbers));
  return memory;
}

bool RadauNewton::remember(const double* memory) {
  const double h = memory[0];
  kept_ = memory[1] != 0;
  fresh_ = memory[2] != 0;
  trust_ = memory[3];
  for (int i = 4; i < own_numbers; ++i)
    if (!(memory[i] >= 0 && memory[i] < 1e6)) return false;
  failures_ = static_cast<int>(memory[4]);
  failures_before_ = static_cast<int>(memory[5]);
  coupled_steps_ = static_cast<int>(memory[6]);
  if (!(trust_ >= 0)) return false;
  h_ = 0;
  if (!kept_) return true;
  return real_.remember(memory + own_numbers) == Status::ok && (h == 0 || factor(h) == Status::ok);
}

}  // namespace driftless::integrators
