#include "adams_bashforth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace driftless::integrators {

namespace {

constexpr AdamsValues equal_steps = {0, -1, -2, -3, -4};

class AdamsBashforth final : public Integrator {
 public:
  AdamsBashforth(int k, std::unique_ptr<Integrator> starter)
      : k_(k),
        equal_weights_(integration_weights(equal_steps, k, 1)),
        by_{.weights = {equal_weights_.begin(), equal_weights_.begin() + k}},
        starter_(std::move(starter)),
        f_(static_cast<std::size_t>(k)) {
    starter_->starts(by_);
  }

  Status start(System& system, State& state) override {
    system_ = &system;
    ode_ = system.ode();
    const int n = system.size();
    for (Vector* v : {&y_, &y_last_, &y_new_, &f_new_}) v->setZero(n);
    for (Vector& f : f_) f.setZero(n);
    candidate_ = state;
    t_.fill(state.t);
    known_ = 1;
    starter_made_last_step_ = true;
    system.pack(state, y_);
    const Status status = starter_->start(system, state);
    return status == Status::ok ? ode_->rhs(state.t, y_, f_[0], &state) : status;
  }

  Discretization discretization() const override { return by_; }

  Step attempt(double h) override {
    if (starting()) return first_step(h);
    if (system_->begin_step({.discretization = by_, .t = t_[0], .h = h}, y_))
      if (const Status status = ode_->rhs(t_[0], y_, f_[0]); status != Status::ok) return failed(status);
    const AdamsValues w = weights(h);
    y_new_ = y_;
    for (std::size_t i = 0; i < f_.size(); ++i) y_new_ += (h * w[i]) * f_[i];
    system_->unpack(t_[0] + h, y_new_, candidate_);
    if (!y_new_.allFinite() || !candidate_.z.allFinite())
      return {.status = Status::not_finite, .failed_t = t_[0] + h, .failed_y = &y_new_};
    return {.state = &candidate_};
  }

  // Everything that may fail comes first, so that a failure leaves base and history as they were.
  Status accept(State& state, const Vector* move) override {
    system_->pack(state, y_new_);
    Status status = ode_->rhs(state.t, y_new_, f_new_, &state);
    if (status == Status::ok && starting()) status = starter_->accept(state, move);
    if (status != Status::ok) return status;
    starter_made_last_step_ = starting();
    if (starting()) ++known_;
    y_last_.swap(y_);
    y_.swap(y_new_);
    for (std::size_t i = f_.size() - 1; i > 0; --i) {
      f_[i].swap(f_[i - 1]);
      t_[i] = t_[i - 1];
    }
    f_[0].swap(f_new_);
    t_[0] = state.t;
    return Status::ok;
  }

  Status interpolate(double t, State& state) override {
    if (starter_made_last_step_) return starter_->interpolate(t, state);
    const double h = t_[0] - t_[1], theta = 1 - (t_[0] - t) / h, b = theta * theta * (3 - 2 * theta);
    AdamsValues nodes{};
    for (std::size_t i = 0; i < f_.size(); ++i) nodes[i] = (t_[i] - t_[1]) / h;
    const AdamsValues here = integration_weights(nodes, k_, theta), end = integration_weights(nodes, k_, 1);
    y_new_ = (1 - b) * y_last_ + b * y_;
    for (std::size_t i = 0; i < f_.size(); ++i) y_new_ += (h * (here[i] - b * end[i])) * f_[i];
    system_->unpack(t, y_new_, state);
    return Status::ok;
  }

  // How many values are known, their times, the values, and what the starter keeps.
  std::vector<double> memory() const override {
    std::vector<double> memory = {static_cast<double>(known_)};
    memory.insert(memory.end(), t_.begin(), t_.end());
    for (const Vector& f : f_) memory.insert(memory.end(), f.begin(), f.end());
    const std::vector<double> of_starter = starter_->memory();
    memory.insert(memory.end(), of_starter.begin(), of_starter.end());
    return memory;
  }
  bool remember(const std::vector<double>& memory) override {
    if (!(memory[0] >= 1 && memory[0] <= k_)) return false;
    known_ = static_cast<int>(memory[0]);
    auto next = memory.begin() + 1;
    std::copy_n(next, t_.size(), t_.begin());
    next += static_cast<std::ptrdiff_t>(t_.size());
    for (Vector& f : f_) {
      std::copy_n(next, f.size(), f.begin());
      next += f.size();
    }
    return starter_->remember({next, memory.end()});
  }

 private:
  bool starting() const { return known_ < k_; }

  // A starter may estimate its error; later steps have no such estimate, so nobody is to rely on it.
  Step first_step(double h) {
    Step step = starter_->attempt(h);  // begins the step
    if (step.status == Status::ok)
      if (const Status status = ode_->rhs(t_[0], y_, f_[0]); status != Status::ok) return failed(status);
    step.error = step.second_error = nullptr;
    step.error_order = 0;
    return step;
  }

  Step failed(Status status) const { return {.status = status, .failed_t = t_[0], .failed_y = &y_}; }

  // In units of h, with t_n at 0. Steps that differ only by the rounding of the times count as equal: they
  // are the usual case, and their weights need no computing.
  AdamsValues weights(double h) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double rounding = 16 * epsilon * (std::abs(t_[0] / h) + k_);
    AdamsValues nodes{};
    bool equal = true;
    for (std::size_t i = 0; i < f_.size(); ++i) {
      nodes[i] = (t_[i] - t_[0]) / h;
      equal = equal && std::abs(nodes[i] - equal_steps[i]) <= rounding;
    }
    return equal ? equal_weights_ : integration_weights(nodes, k_, 1);
  }

  const int k_;
  const AdamsValues equal_weights_;
  const Discretization by_;
  const std::unique_ptr<Integrator> starter_;
  System* system_ = nullptr;
  OdeSystem* ode_ = nullptr;
  int known_ = 0;  // how many f of the history are filled in
  bool starter_made_last_step_ = true;
  Vector y_, y_last_;      // the base, and the one before the last accepted step
  std::vector<Vector> f_;  // at the last accepted states, newest first
  AdamsValues t_{};        // and their times
  Vector y_new_, f_new_;
  State candidate_;
};

}  // namespace

// Each Lagrange polynomial as coefficients of powers, integrated term by term. Nodes at or below 0 give no
// term of the other sign: nothing cancels.
AdamsValues integration_weights(const AdamsValues& nodes, int count, double x) {
  AdamsValues weights{};
  const auto n = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < n; ++i) {
    AdamsValues power{1};  // product of (s - node) over the other nodes
    double scale = 1;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      for (std::size_t m = n - 1; m > 0; --m) power[m] = power[m - 1] - nodes[j] * power[m];
      power[0] *= -nodes[j];
      scale *= nodes[i] - nodes[j];
    }
    double integral = 0;
    for (std::size_t m = n; m > 0; --m) integral = x * (integral + power[m - 1] / static_cast<double>(m));
    weights[i] = integral / scale;
  }
  return weights;
}

std::unique_ptr<Integrator> adams_bashforth(int k, std::unique_ptr<Integrator> starter) {
  if (k < 2 || k > adams_steps_max)
    throw std::logic_error("Adams-Bashforth methods have 2 to 5 steps here, not " + std::to_string(k));
  return std::make_unique<AdamsBashforth>(k, std::move(starter));
}

}  // namespace driftless::integrators
