#include "radau_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/step_controller.hpp>

#include "radau_table.hpp"

namespace driftless::integrators {

namespace {

// Beyond this growth of the step the last one's polynomial is no guide to a Jacobian.
constexpr double largest_growth = 3;

// The estimate behaves like h^4, the error of a run like h^5: with steps judged by tol^(4/5) instead of tol the errors of runs are
// proportional to tol. The factor in front makes them as large as tol on Andrews' mechanism.
double scale_of_estimate(double tolerance) {
  return 8 * std::pow(tolerance, 0.2);
}

// b^T A^(k-1) 1, b the last row of A
Discretization discretization_of_radau() {
  Discretization by;
  Eigen::Vector3d powers = Eigen::Vector3d::Ones();
  while (by.moments.size() < Discretization::enough) {
    powers = radau_table().A * powers;
    by.moments.push_back(powers[2]);
  }
  return by;
}

class RadauSteps final : public Integrator, public CarriedMultipliers {
 public:
  explicit RadauSteps(const RadauSettings& settings) : settings_(settings) {}

  void judged_by(const Tolerance& tolerance) override { judged_ = tolerance; }

  Status start(System& system, State& state) override {
    if (judged_ && settings_.tolerance_given)
      throw InputError(
          "tolerance of radau5 belongs to fixed steps and would be ignored: with `rtol` and `atol` Newton's "
          "method follows them; leave it out");
    system_ = &system;
    newton_.reset();
    own_ = system.ode() ? ode_as_dae(system) : nullptr;
    dae_ = own_ ? own_.get() : system.dae();
    RadauNewtonSettings newton = settings_.newton;
    newton.persistent = !judged_;
    newton_.emplace(*dae_, system.work(), newton);
    const auto n = static_cast<Eigen::Index>(system.size());
    in_z_ = dae_->differential_unknowns() >= state.z.size();
    if (settings_.own_multipliers && n == dae_->differential_unknowns())
      throw InputError(
          "lambda=own of radau5 keeps multipliers of the last stage, and lambda is no unknown of this "
          "formulation; "
          "leave it out");
    counted_ = settings_.own_multipliers ? n - dae_->differential_unknowns() : 0;
    for (Vector* v : {&base_.y, &base_.yp, &y_last_, &move_, &y_, &rate_, &local_, &weights_}) v->setZero(n);
    residual_.setZero(dae_->equations());
    for (Matrix* m : {&Z_, &Z_last_}) m->setZero(n, 3);
    for (Vector* v : {&error_, &sizes_}) v->setZero(state.z.size() + counted_);
    candidate_ = state;
    base_.t = state.t;
    h_last_ = 0;
    attempts_ = 0;
    system.begin_step({.discretization = by_, .t = base_.t}, base_.y);
    if (const Status status = system.multipliers(state); status != Status::ok) return status;
    if (const Status status = system.rates(state, base_.yp); status != Status::ok) return status;
    system.pack(state, base_.y);
    z_ = state.z;
    return Status::ok;
  }

  Discretization discretization() const override { return by_; }

  Step attempt(double h) override {
    if (system_->begin_step({.discretization = by_, .t = base_.t, .h = h}, base_.y)) newton_->renew();
    const bool repeated = attempts_++ > 0;
    set_weights(h);
    start_values(h);
    const bool continued = h_last_ > 0 && h <= largest_growth * h_last_;
    Status status = newton_->solve(base_, h, weights_, limit_, continued, Z_);
    if (status != Status::ok && !judged_ && h_last_ > 0) {  // the step cannot be made smaller
      Z_.setZero();
      status = newton_->solve(base_, h, weights_, limit_, false, Z_);
    }
    if (status != Status::ok) return failed(status, newton_->failed_t(), newton_->failed_y());
    y_ = base_.y + Z_.col(2);
    system_->unpack(base_.t + h, y_, candidate_);
    if (!candidate_.z.allFinite()) return failed(Status::not_finite, base_.t + h, y_);
    return assessed(h, repeated || h_last_ == 0);
  }

  Status accept(State& state, const Vector* move) override {
    const bool recompute = move || !settings_.own_multipliers;
    const Status status = recompute ? system_->multipliers(state) : system_->complete(state);
    if (status != Status::ok) return status;
    h_last_ = state.t - base_.t;
    y_last_.swap(base_.y);
    Z_last_.swap(Z_);
    system_->pack(state, base_.y);
    move_ = base_.y - y_last_ - Z_last_.col(2);
    newton_->stage_rate(Z_last_, h_last_, 2, base_.yp);
    base_.t = state.t;
    z_ = state.z;
    attempts_ = 0;
    newton_->accepted();
    return Status::ok;
  }

  // Where the end was moved, a chord makes the collocation polynomial meet it.
  Status interpolate(double t, State& state) override {
    const double s = h_last_ == 0 ? 1 : 1 - (base_.t - t) / h_last_;
    polynomial(s, y_);
    // Multipliers of the stages meet those that were evaluated at the end nowhere: they remain a curve of their own.
    const Eigen::Index met = settings_.own_multipliers ? y_.size() : dae_->differential_unknowns();
    if (h_last_ != 0) y_.head(met) += s * move_.head(met);
    system_->unpack(t, y_, state);
    return Status::ok;
  }
  Multipliers carried_multipliers() const override {
    return settings_.own_multipliers ? Multipliers::asked_for : Multipliers::evaluated;
  }

  std::vector<double> memory() const override;
  bool remember(const std::vector<double>& memory) override;

 private:
  static Step failed(Status status, double t, const Vector& y) {
    return {.status = status, .failed_t = t, .failed_y = &y};
  }
  void set_weights(double h);
  double by_index(Eigen::Index unknown, double h) const;
  void start_values(double h);
  void polynomial(double s, Vector& y) const;  // of the last step
  bool estimate(const Vector& y, double h);    // local_, then error_
  Step assessed(double h, bool carefully);

  const RadauSettings settings_;
  const Discretization by_ = discretization_of_radau();
  std::optional<Tolerance> judged_;
  System* system_ = nullptr;
  std::unique_ptr<DaeSystem> own_;  // of an ordinary differential equation
  DaeSystem* dae_ = nullptr;
  std::optional<RadauNewton> newton_;
  Eigen::Index counted_ = 0;  // multipliers in the tests: all among the unknowns, or none
  RadauBase base_;
  Vector z_;           // of the base
  int attempts_ = 0;   // since the last accepted step
  double h_last_ = 0;  // of the last accepted step, 0: there is none; with its stages:
  Vector y_last_, move_;
  Matrix Z_last_, Z_;
  Vector weights_;
  bool in_z_ = true;  // unknowns are the entries of State::z, and not coordinates of their own
  double limit_ = 0;  // of what Newton's method leaves, in these weights
  double scale_ = 1;  // of the error estimate
  Vector y_, rate_, residual_, local_, error_, sizes_;
  State candidate_;
};

void RadauSteps::set_weights(double h) {
  limit_ = settings_.tolerance;
  if (judged_) {
    const double tolerance = std::max(judged_->rtol, std::min(judged_->atol, 1e-3));
    scale_ = scale_of_estimate(tolerance);
    const double judged = tolerance / scale_;
    limit_ =
        std::max(10 * std::numeric_limits<double>::epsilon() / judged, std::min(0.03, std::sqrt(judged)));
  }
  // Velocities of index 3 count in full: the next step begins with what Newton's method leaves of them.
  const Eigen::Index count = dae_->differential_unknowns() + counted_;
  const double mean = 1 / std::sqrt(static_cast<double>(count));
  for (Eigen::Index i = 0; i < count; ++i)
    weights_[i] = mean * (i < dae_->differential_unknowns() ? 1 : by_index(i, h)) /
                  (!judged_ ? 1 + std::abs(base_.y[i])
                   : in_z_  ? judged_->allowed(i, std::abs(base_.y[i])) / scale_
                            : (judged_->atol + judged_->rtol * std::abs(base_.y[i])) / scale_);
}

// Unknowns of index 2 and 3 inherit errors of others divided by h and h^2.
double RadauSteps::by_index(Eigen::Index unknown, double h) const {
  const int index = dae_->index_of_unknowns()[static_cast<std::size_t>(unknown)];
  const double step = std::min(1.0, h);
  return index < 2 ? 1 : index == 2 ? step : step * step;
}

// The last step's polynomial, continued.
void RadauSteps::start_values(double h) {
  if (h_last_ == 0) {
    Z_.setZero();
    return;
  }
  for (int i = 0; i < 3; ++i) {
    polynomial(1 + radau_table().c[i] * h / h_last_, y_);
    Z_.col(i) = y_ - base_.y;
  }
}

void RadauSteps::polynomial(double s, Vector& y) const {
  const Eigen::Vector3d l = radau_table().weights(s);
  y = y_last_ + l[0] * Z_last_.col(0) + l[1] * Z_last_.col(1) + l[2] * Z_last_.col(2);
}

// -(gamma/h F_y' + F_y)^-1 F(t_0, y, u'(t_0))
bool RadauSteps::estimate(const Vector& y, double h) {
  const auto& e = radau_table().slope;
  rate_ = (e[0] / h) * Z_.col(0) + (e[1] / h) * Z_.col(1) + (e[2] / h) * Z_.col(2);
  if (dae_->residual(base_.t, y, rate_, residual_) != Status::ok) return false;
  newton_->solve_real(residual_, local_);
  local_ *= -scale_;
  const auto nz = candidate_.z.size();
  system_->unpack_error(local_, error_.head(nz));
  error_.tail(counted_) = local_.tail(counted_);
  if (!own_)
    for (Eigen::Index i = 0; i < error_.size(); ++i) error_[i] *= by_index(i, h);
  return true;
}

Step RadauSteps::assessed(double h, bool carefully) {
  if (!estimate(base_.y, h)) return failed(Status::not_finite, base_.t, base_.y);
  Step step{.state = &candidate_, .error = &error_, .error_order = 3};
  if (counted_ > 0) {
    const auto nz = candidate_.z.size();
    sizes_.head(nz) = z_.cwiseAbs().cwiseMax(candidate_.z.cwiseAbs());
    sizes_.tail(counted_) = base_.y.tail(counted_).cwiseAbs().cwiseMax(y_.tail(counted_).cwiseAbs());
    step.sizes = &sizes_;
  }
  if (carefully && judged_ && !(error_size(step, *judged_, z_) < 1)) {
    y_ = base_.y + local_ / scale_;
    estimate(y_, h);
  }
  return step;
}

std::vector<double> RadauSteps::memory() const {
  std::vector<double> memory = {static_cast<double>(attempts_), h_last_};
  const auto append = [&](const auto& values) {
    memory.insert(memory.end(), values.data(), values.data() + values.size());
  };
  append(newton_->memory());
  append(base_.y);
  append(base_.yp);
  append(y_last_);
  append(Z_last_);
  return memory;
}

bool RadauSteps::remember(const std::vector<double>& memory) {
  if (!(memory[0] >= 0 && memory[0] < 1e6 && memory[1] >= 0)) return false;
  attempts_ = static_cast<int>(memory[0]);
  h_last_ = memory[1];
  const double* next = memory.data() + 2;
  if (!newton_->remember(next)) return false;
  next += newton_->memory_size();
  const auto take = [&](auto& values) {
    std::copy_n(next, values.size(), values.data());
    next += values.size();
  };
  take(base_.y);
  take(base_.yp);
  take(y_last_);
  take(Z_last_);
  return true;
}

}  // namespace

std::unique_ptr<Integrator> radau_steps(const RadauSettings& settings) {
  return std::make_unique<RadauSteps>(settings);
}

}  // namespace driftless::integrators
