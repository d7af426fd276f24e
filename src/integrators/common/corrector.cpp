#include "corrector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pieces.hpp"

namespace driftless::integrators {

namespace {

constexpr double largest_rate = 0.9;
constexpr double slow_rate = 0.3;
constexpr int persistent_iterations = 30;
constexpr double unknown_trust = 100;
constexpr double least_trust = 0.1;  // in a rate of earlier steps
constexpr double roundoff = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

Corrector::Corrector(DaeSystem& system, Work& work, const CorrectorSettings& settings)
    : system_(system),
      work_(work),
      settings_(settings),
      constant_(settings.constant),
      matrix_(system),
      residual_(Vector::Zero(system.equations())) {
  const auto unknowns = static_cast<Eigen::Index>(system.index_of_unknowns().size());
  for (Vector* v : {&yp_, &increment_, &predicted_, &inherits_, &weighted_}) v->setZero(unknowns);
  for (int i = 0; i < system.differential_unknowns(); ++i)
    if (system.index_of_unknowns()[static_cast<std::size_t>(i)] > 1) inherits_[i] = 1;
}

void Corrector::begin(int repetition) {
  constant_ = settings_.constant * std::pow(0.1, std::min(repetition, 4));
  if (repetition > 0 && changed_) stale_ = true;
}

Status Corrector::solve(double t, double c, VectorIn yp_predicted, VectorIn weights, Vector& y) {
  predicted_ = y;
  if (!stale_ && settings_.jacobian == CorrectorSettings::Renewal::kept) {
    Status status = Status::ok;
    const double ratio = matrix_.factored() / c;
    if (!(ratio >= settings_.ratio && ratio <= 1 / settings_.ratio)) {
      status = matrix_.factor(c);
      trust_ = unknown_trust;
      changed_ = true;
    }
    if (status == Status::ok) status = iterate(t, c, yp_predicted, weights, y, Mode::modified);
    if (status == Status::ok) return status;
    y = predicted_;
  }
  yp_ = yp_predicted;
  Status status = renew(t, c, y);
  if (status == Status::ok) {
    const bool every_time = settings_.jacobian == CorrectorSettings::Renewal::iteration;
    status = iterate(t, c, yp_predicted, weights, y, every_time ? Mode::full : Mode::modified);
  }
  if (status != Status::no_convergence || !settings_.persistent) return status;
  y = predicted_;
  yp_ = yp_predicted;
  status = renew(t, c, y);
  return status == Status::ok ? iterate(t, c, yp_predicted, weights, y, Mode::full) : status;
}

Status Corrector::renew(double t, double c, VectorIn y) {
  stale_ = changed_ = true;
  if (const Status status = matrix_.linearize(t, y, yp_); status != Status::ok) return status;
  if (const Status status = matrix_.factor(c); status != Status::ok) return status;
  stale_ = false;
  fresh_ = true;
  trust_ = unknown_trust;
  return Status::ok;
}

Status Corrector::iterate(double t, double c, VectorIn yp_predicted, VectorIn weights, Vector& y, Mode mode) {
  const int most = mode == Mode::full && settings_.persistent
                       ? std::max(settings_.iterations, persistent_iterations)
                       : settings_.iterations;
  const double scale = 2 / (1 + c / matrix_.factored());
  double first = 0, last = 0;
  bool shrinks = true;
  yp_ = yp_predicted;
  rate_ = 0;
  for (int m = 0; m < most; ++m) {
    if (m > 0 && mode == Mode::full)
      if (const Status status = renew(t, c, y); status != Status::ok) return status;
    if (const Status status = system_.residual(t, y, yp_, residual_); status != Status::ok) return status;
    matrix_.solve(residual_, increment_);
    ++work_.newton;
    by_pieces(y.size(), [&](Eigen::Index begin, Eigen::Index count) {
      auto piece = increment_.segment(begin, count);
      piece *= scale;
      y.segment(begin, count) -= piece;
      yp_.segment(begin, count) -= c * piece;
      weighted_.segment(begin, count) = piece.cwiseProduct(weights.segment(begin, count));
    });
    const double size = weighted_.norm();
    if (!std::isfinite(size)) {
      y = predicted_;  // shows where
      return Status::not_finite;
    }
    if (m == 0) {
      first = size;
    } else {
      rate_ = m == 1 ? size / first : std::pow(size / first, 1.0 / m);
      shrinks = size < 0.5 * last;
      const bool wanders =
          settings_.persistent && mode == Mode::full && m < most / 2;  // far from the solution
      if (!(rate_ < largest_rate) && !wanders) return stalled(c, shrinks, weights, y);
      trust_ = rate_ < 1 ? rate_ / (1 - rate_) : unknown_trust;
    }
    const double trusted = m == 0 ? std::max(trust_, least_trust) : trust_;
    if (trusted * size <= constant_) return Status::ok;
    const int left = most - 1 - m;
    if (m > 0 && mode == Mode::modified && trust_ * size * std::pow(rate_, left) > constant_ &&
        stalled(c, shrinks, weights, y) != Status::ok)
      return Status::no_convergence;
    last = size;
  }
  return stalled(c, shrinks, weights, y);
}

// Whether the last increment is as small as roundoff lets it be: a few units of it; or no longer shrinking with a matrix of this step, and
// small against the tolerance; or small in positions, whose roundoff velocities of index 3 get divided by h.
Status Corrector::stalled(double c, bool shrinks, VectorIn weights, const Vector& y) const {
  const double size = weighted_.norm();
  if (fresh_ && !shrinks && size <= settings_.acceptable) return Status::ok;
  const double inherited = weighted_.cwiseProduct(inherits_).squaredNorm(), by_index = std::min(1.0, 1 / c);
  if (inherited > 0 && size * size - (1 - by_index * by_index) * inherited <= constant_ * constant_)
    return Status::ok;
  for (Eigen::Index i = 0; i < y.size(); ++i)
    if (weights[i] > 0 && std::abs(increment_[i]) > roundoff * std::abs(y[i])) return Status::no_convergence;
  return Status::ok;
}

void Corrector::accepted() {
  if (rate_ > slow_rate && !fresh_) stale_ = true;
  changed_ = fresh_ = false;
}

std::vector<double> Corrector::memory() const {
  std::vector<double> memory = matrix_.memory();
  memory.insert(memory.begin(), {stale_ ? 1.0 : 0.0, changed_ ? 1.0 : 0.0, fresh_ ? 1.0 : 0.0, trust_});
  return memory;
}

bool Corrector::remember(const double* memory) {
  changed_ = memory[1] != 0;
  fresh_ = memory[2] != 0;
  trust_ = memory[3];
  const Status status = matrix_.remember(memory + 4);
  stale_ = memory[0] != 0 || matrix_.factored() == 0;
  return status == Status::ok && trust_ >= 0;
}

}  // namespace driftless::integrators
