#include "runge_kutta.hpp"

#include <cmath>
#include <stdexcept>

namespace driftless::integrators {

namespace {

class RungeKutta final : public Integrator {
 public:
  explicit RungeKutta(const Tableau& tableau)
      : tableau_(tableau), stages_(static_cast<int>(tableau.b.size())) {}

  Status start(System& system, State& state) override {
    system_ = &system;
    ode_ = system.ode();
    const int n = system.size();
    for (Vector* v : {&y_, &f_, &y_last_, &f_last_, &y_stage_, &y_new_, &f_new_, &error_y_}) v->setZero(n);
    k_.assign(static_cast<std::size_t>(stages_), Vector::Zero(n));
    error_.setZero(state.z.size());
    candidate_ = state;
    t_ = state.t;
    h_last_ = 0;
    system.pack(state, y_);
    return ode_->rhs(t_, y_, f_, &state);
  }

  Step attempt(double h) override {
    h_ = h;
    k_[0] = f_;
    for (int i = 1; i < stages_; ++i) {
      const auto s = static_cast<std::size_t>(i);
      const bool at_end = tableau_.first_same_as_last && i == stages_ - 1;
      Vector& y = at_end ? y_new_ : y_stage_;
      combine(tableau_.a[s - 1], h, y_, y);
      const double t = t_ + tableau_.c[s] * h;
      const Status status = ode_->rhs(t, y, k_[s], at_end ? &candidate_ : nullptr);
      if (status != Status::ok) return failed(status, t, y);
    }
    if (!tableau_.first_same_as_last) combine(tableau_.b, h, y_, y_new_);
    system_->unpack(t_ + h, y_new_, candidate_);
    if (!y_new_.allFinite()) return failed(Status::not_finite, t_ + h, y_new_);
    Step step{.state = &candidate_, .error_order = tableau_.error_order};
    if (!tableau_.e.empty()) {
      error_y_.setZero();
      combine(tableau_.e, h, error_y_, error_y_);
      system_->unpack_error(error_y_, error_);
      step.error = &error_;
    }
    return step;
  }

  Status accept(State& state, const Vector* move) override {
    if (move || !tableau_.first_same_as_last) {
      system_->pack(state, y_new_);
      const Status status = ode_->rhs(state.t, y_new_, f_new_, &state);
      if (status != Status::ok) return status;
    } else {
      f_new_ = k_.back();
    }
    y_last_.swap(y_);
    f_last_.swap(f_);
    y_ = y_new_;
    f_ = f_new_;
    h_last_ = state.t - t_;
    t_ = state.t;
    return Status::ok;
  }

  Status interpolate(double t, State& state) override {
    const double theta = h_last_ == 0 ? 1 : 1 - (t_ - t) / h_last_, rest = 1 - theta;
    const double h = h_last_;
    y_stage_ = rest * rest * (1 + 2 * theta) * y_last_ + theta * theta * (3 - 2 * theta) * y_ +
               (theta * rest * rest * h) * f_last_ - (theta * theta * rest * h) * f_;
    if (!tableau_.d.empty()) combine(tableau_.d, theta * theta * rest * rest * h, y_stage_, y_stage_);
    system_->unpack(t, y_stage_, state);
    return Status::ok;
  }

 private:
  // result = base + h sum w_i k_i; base and result may be the same.
  void combine(const std::vector<double>& weights, double h, const Vector& base, Vector& result) const {
    if (&base != &result) result = base;
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0) result += (h * weights[i]) * k_[i];
  }

  Step failed(Status status, double t, const Vector& y) const {
    return {.status = status, .failed_t = t, .failed_y = &y};
  }

  const Tableau tableau_;
  const int stages_;
  System* system_ = nullptr;
  OdeSystem* ode_ = nullptr;
  double t_ = 0, h_ = 0, h_last_ = 0;
  Vector y_, f_;            // the base and its derivative
  Vector y_last_, f_last_;  // the base before the last accepted step
  Vector y_stage_, y_new_, f_new_, error_y_, error_;
  std::vector<Vector> k_;
  State candidate_;
};

void check(const Tableau& tableau) {
  const std::size_t s = tableau.b.size();
  const auto fits = [&](const std::vector<double>& w) { return w.empty() || w.size() == s; };
  bool good = tableau.a.size() + 1 == s && tableau.c.size() == s && fits(tableau.e) && fits(tableau.d);
  for (std::size_t i = 0; good && i + 1 < s; ++i) {
    double sum = 0;
    for (const double a : tableau.a[i]) sum += a;
    good = tableau.a[i].size() == i + 1 && std::abs(sum - tableau.c[i + 1]) < 1e-14;
  }
  if (!good) throw std::logic_error("a Runge-Kutta table contradicts itself: sizes or row sums are wrong");
}

}  // namespace

std::unique_ptr<Integrator> runge_kutta(const Tableau& tableau) {
  check(tableau);
  return std::make_unique<RungeKutta>(tableau);
}

}  // namespace driftless::integrators
