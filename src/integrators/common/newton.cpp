#include "newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contraction.hpp"

namespace driftless::integrators {

namespace {

constexpr double roundoff = 16 * std::numeric_limits<double>::epsilon();
constexpr double slow_rate = 0.1;  // beyond it a new Jacobian costs less than the iterations it saves
// Steps of equal length differ by the roundoff of t; the rate of convergence does not notice.
constexpr double same_c = 1e-6;

}  // namespace

std::vector<OptionSpec> newton_options() {
  return {{.name = "tolerance",
           .fallback = "1e-10",
           .help = "error left by Newton's method, relative to 1 + |y|",
           .above = 0,
           .below = 1},
          {.name = "iterations",
           .fallback = "10",
           .help = "at most so many Newton iterations",
           .at_least = 1,
           .at_most = 1000,
           .integer = true},
          {.name = "jacobian",
           .fallback = "kept",
           .help = "kept from step to step while it serves, or fresh in every iteration",
           .choices = {"kept", "fresh"}}};
}

NewtonSettings newton_settings(const OptionValues& options) {
  return {.tolerance = options.number("tolerance"),
          .iterations = options.integer("iterations"),
          .fresh = options.word("jacobian") == "fresh"};
}

Newton::Newton(DaeSystem& system, Work& work, const NewtonSettings& settings)
    : system_(system),
      work_(work),
      settings_(settings),
      matrix_(system),
      residual_(Vector::Zero(system.equations())) {
  const auto unknowns = static_cast<Eigen::Index>(system.index_of_unknowns().size());
  for (Vector* v : {&yp_, &increment_, &start_}) v->setZero(unknowns);
}

Status Newton::solve(double t, double c, VectorIn anchor, Vector& y) {
  start_ = y;
  if (jacobian_ == Jacobian::kept) {
    const bool same = std::abs(c - matrix_.factored()) <= same_c * std::abs(c);
    Status status = same ? Status::ok : matrix_.factor(c);
    if (status == Status::ok) status = iterate(t, c, anchor, y, Mode::modified);
    if (status == Status::ok) return status;
    y = start_;
  }
  if (const Status status = renew(t, c, anchor, y); status != Status::ok) return status;
  if (!settings_.fresh) {
    const Status status = iterate(t, c, anchor, y, Mode::modified);
    if (status != Status::no_convergence) return status;
    y = start_;
  }
  return iterate(t, c, anchor, y, Mode::full);
}

void Newton::accepted() {
  const bool serves = !settings_.fresh && jacobian_ != Jacobian::none && rate_ <= slow_rate;
  jacobian_ = serves ? Jacobian::kept : Jacobian::none;
}

void Newton::smooth(VectorIn values, VectorOut smoothed) {
  matrix_.smooth(values, smoothed);
}

Status Newton::renew(double t, double c, VectorIn anchor, VectorIn y) {
  yp_ = c * (y - anchor);
  jacobian_ = Jacobian::none;
  if (const Status status = matrix_.linearize(t, y, yp_); status != Status::ok) return status;
  jacobian_ = Jacobian::tried;
  return matrix_.factor(c);
}

std::vector<double> Newton::memory() const {
  std::vector<double> memory = matrix_.memory();
  memory.insert(memory.begin(), {jacobian_ == Jacobian::kept ? 1.0 : 0.0, rate_});
  return memory;
}

bool Newton::remember(const std::vector<double>& memory) {
  if (memory[0] == 0) return true;
  rate_ = memory[1];
  const Status status = matrix_.remember(memory.data() + 2);
  jacobian_ = matrix_.factored() != 0 ? Jacobian::kept : Jacobian::none;
  return status == Status::ok;
}

// With the matrix at hand, in full mode that of the start value.
Status Newton::iterate(double t, double c, VectorIn anchor, Vector& y, Mode mode) {
  Contraction contraction(settings_.iterations,
                          mode == Mode::full ? Contraction::Matrix::fresh : Contraction::Matrix::kept);
  rate_ = 0;
  for (int k = 1; k <= settings_.iterations; ++k) {
    if (mode == Mode::full && k > 1)
      if (const Status status = renew(t, c, anchor, y); status != Status::ok) return status;
    yp_ = c * (y - anchor);
    if (const Status status = system_.residual(t, y, yp_, residual_); status != Status::ok) return status;
    if (!residual_.allFinite()) return Status::not_finite;
    matrix_.solve(residual_, increment_);
    ++work_.newton;
    if (!increment_.allFinite()) return mode == Mode::modified ? Status::no_convergence : Status::not_finite;
    y -= increment_;

    const auto [weighted, size] = size_of_increment(c, y);
    if (weighted <= roundoff) return Status::ok;
    if (contraction.ratio(weighted) >= 1 && weighted <= std::clamp(settings_.tolerance, 1e-12, 1e-8))
      return Status::ok;  // roundoff
    const auto verdict = contraction.observe(weighted, size / settings_.tolerance);
    rate_ = contraction.rate();
    if (verdict == Contraction::Verdict::converged) return Status::ok;
    if (verdict == Contraction::Verdict::hopeless) return Status::no_convergence;
  }
  return Status::no_convergence;
}

Newton::Size Newton::size_of_increment(double c, VectorIn y) const {
  const std::vector<int>& index = system_.index_of_unknowns();
  const int differential = system_.differential_unknowns();
  const double h = std::min(1.0, 1 / std::abs(c));
  Size largest;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double size = std::abs(increment_[i]) / (1 + std::abs(y[i]));
    double weighted = size;
    for (int k = index[static_cast<std::size_t>(i)]; k > 1; --k) weighted *= h;
    largest.remembered = std::max(largest.remembered, i < differential ? size : weighted);
    largest.weighted = std::max(largest.weighted, weighted);
  }
  return largest;
}

}  // namespace driftless::integrators
