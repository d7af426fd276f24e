#include "runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "columns.hpp"
#include "hermite.hpp"
#include "rate_of_approach.hpp"

namespace driftless::integrators {

namespace {

std::vector<ColumnSum> sums_of(const std::vector<std::vector<double>>& rows) {
  return {rows.begin(), rows.end()};
}

// moments_k = b^T A^(k-1) 1; a single stage is forward Euler, a multistep method with one step.
Discretization discretization_of(const Tableau& t) {
  if (t.b.size() == 1) return {.weights = {1}};
  Discretization by;
  std::vector<double> powers(t.b.size(), 1), next = powers;  // A^(k-1) 1
  while (by.moments.size() < Discretization::enough) {
    double sum = 0;
    for (std::size_t i = 0; i < powers.size(); ++i) {
      sum += t.b[i] * powers[i];
      next[i] = 0;
      for (std::size_t j = 0; j < i; ++j) next[i] += t.a[i - 1][j] * powers[j];
    }
    by.moments.push_back(sum);
    powers.swap(next);
  }
  return by;
}

// Until the next attempt the columns hold the last accepted step: all stages, and y and f at both ends.
class RungeKutta final : public Integrator {
 public:
  explicit RungeKutta(const Tableau& t)
      : a_(sums_of(t.a)),
        b_(t.b),
        e_(t.e),
        e_second_(t.e_second),
        dense_a_(sums_of(t.dense.a)),
        dense_d_(sums_of(t.dense.d)),
        c_(t.c),
        dense_c_(t.dense.c),
        stages_(static_cast<int>(t.b.size())),
        error_order_(t.error_order),
        own_(discretization_of(t)),
        told_(own_),
        last_is_end_(t.first_same_as_last),
        stable_to_(t.stable_to),
        end_(last_is_end_ ? stages_ - 1 : stages_),
        dense_(end_ + 1 + static_cast<int>(dense_c_.size())),
        zero_(dense_ + static_cast<int>(dense_d_.size())) {}

  Status start(System& system, State& state) override {
    system_ = &system;
    ode_ = system.ode();
    columns_.reset(system.size(), zero_ + 6);
    sum_ = zero_ + 1;
    stage_ = zero_ + 2;
    y_new_ = zero_ + 3;
    y_last_ = zero_ + 4;
    y_ = zero_ + 5;
    failed_y_.setZero(system.size());
    error_.setZero(state.z.size());
    error_second_.setZero(state.z.size());
    candidate_ = state;
    t_ = state.t;
    h_last_ = 0;
    approach_ = {};
    velocities_ = first_of_velocities(state, static_cast<Eigen::Index>(system.size()));
    accepted_ = dense_ready_ = true;
    system.pack(state, columns_[y_]);
    system.begin_step(step_from(t_, 0), columns_[y_]);
    return ode_->rhs(t_, columns_[y_], columns_[end_], &state);
  }

  Discretization discretization() const override { return own_; }
  void starts(const Discretization& multistep) override {
    told_ = multistep;
    starting_ = true;
  }

  Step attempt(double h) override {
    if (std::exchange(accepted_, false)) columns_[0] = columns_[end_];
    if (system_->begin_step(step_from(t_, h), columns_[y_])) {
      const Status status = ode_->rhs(t_, columns_[y_], columns_[0]);
      if (status != Status::ok) return failed(status, t_, y_);
    }
    for (int i = 1; i < stages_; ++i) {
      const auto s = static_cast<std::size_t>(i);
      const bool at_end = last_is_end_ && i == end_;
      const int y = at_end ? y_new_ : stage_;
      columns_.add(a_[s - 1], h, y_, y);
      const double t = t_ + c_[s] * h;
      const Status status = ode_->rhs(t, columns_[y], columns_[i], at_end ? &candidate_ : nullptr);
      if (status != Status::ok) return failed(status, t, y);
    }
    if (!last_is_end_) columns_.add(b_, h, y_, y_new_);
    system_->unpack(t_ + h, columns_[y_new_], candidate_);
    if (!columns_[y_new_].allFinite() || !candidate_.z.allFinite())
      return failed(Status::not_finite, t_ + h, y_new_);
    return {.state = &candidate_,
            .error = estimate(e_, h, error_),
            .second_error = estimate(e_second_, h, error_second_),
            .error_order = error_order_};
  }

  Status accept(State& state, const Vector* move) override {
    // Also where it was just unpacked: so the base is a function of the state, and a restart begins at the same.
    if (last_is_end_) compare_ends();
    system_->pack(state, columns_[y_new_]);
    if (move || !last_is_end_) {
      const Status status = ode_->rhs(state.t, columns_[y_new_], columns_[end_], &state);
      if (status != Status::ok) return status;
    }
    if (!last_is_end_) compare_ends();
    std::swap(y_last_, y_);
    std::swap(y_, y_new_);
    h_last_ = state.t - t_;
    t_ = state.t;
    accepted_ = true;
    dense_ready_ = false;
    return Status::ok;
  }

  Status interpolate(double t, State& state) override {
    if (!dense_ready_) {
      const Status status = prepare_dense(state);
      if (status != Status::ok) return status;
    }
    const double h = h_last_, theta = h == 0 ? 1 : 1 - (t_ - t) / h, rest = 1 - theta;
    auto y = columns_[stage_];
    const HermiteCubic cubic(theta, h);
    y = cubic.from * columns_[y_last_] + cubic.to * columns_[y_] + cubic.slope_from * columns_[0] +
        cubic.slope_to * columns_[end_];
    double weight = theta * theta * rest * rest;
    for (int j = dense_; j < zero_; ++j) {
      y += weight * columns_[j];
      weight *= (j - dense_) % 2 == 0 ? theta : rest;
    }
    system_->unpack(t, y, state);
    return Status::ok;
  }

  StabilityUse stability_use() const override {
    if (stable_to_ == 0) return {};
    return approach_.use(std::abs(h_last_), stable_to_);
  }

  // The slope at the base, which may be that of a last stage at a time that differs from the state's by roundoff.
  std::vector<double> memory() const override {
    const auto f = columns_[accepted_ ? end_ : 0];
    return {f.begin(), f.end()};
  }
  bool remember(const std::vector<double>& memory) override {
    auto f = columns_[end_];
    std::copy(memory.begin(), memory.end(), f.begin());
    return true;
  }

 private:
  // Two points at the end of the step, and the rates there: how fast their difference changes (Hairer, Wanner II, (IV.2.7)).
  void compare_ends() {
    if (stable_to_ == 0) return;
    approach_ = approach(columns_[end_] - columns_[last_is_end_ ? end_ - 1 : stages_ - 1],
                         columns_[y_new_] - columns_[stage_], columns_[y_new_], velocities_);
  }

  const Vector* estimate(const ColumnSum& weights, double h, Vector& error) {
    if (weights.terms().empty()) return nullptr;
    columns_.add(weights, h, zero_, sum_);
    system_->unpack_error(columns_[sum_], error);
    return &error;
  }

  // The further stages and the D_j. A stage that fails is left in `state`.
  Status prepare_dense(State& state) {
    for (std::size_t i = 0; i < dense_a_.size(); ++i) {
      columns_.add(dense_a_[i], h_last_, y_last_, stage_);
      const double t = t_ - (1 - dense_c_[i]) * h_last_;
      const Status status = ode_->rhs(t, columns_[stage_], columns_[end_ + 1 + static_cast<int>(i)]);
      if (status != Status::ok) {
        system_->unpack(t, columns_[stage_], state);
        return status;
      }
    }
    for (std::size_t j = 0; j < dense_d_.size(); ++j)
      columns_.add(dense_d_[j], h_last_, zero_, dense_ + static_cast<int>(j));
    dense_ready_ = true;
    return Status::ok;
  }

  StepContext step_from(double t, double h) const {
    return {.discretization = told_, .t = t, .h = h, .starting = starting_};
  }

  Step failed(Status status, double t, int y) {
    failed_y_ = columns_[y];
    return {.status = status, .failed_t = t, .failed_y = &failed_y_};
  }

  const std::vector<ColumnSum> a_;
  const ColumnSum b_, e_, e_second_;
  const std::vector<ColumnSum> dense_a_, dense_d_;
  const std::vector<double> c_, dense_c_;
  const int stages_, error_order_;
  const Discretization own_;
  Discretization told_;  // that of the method whose steps these are
  bool starting_ = false;
  const bool last_is_end_;
  const double stable_to_;

  // Columns: k_1 .. (the first is f_0), f_1, further stages, the D_j, zeros, and those below.
  const int end_, dense_, zero_;
  int sum_ = 0, stage_ = 0, y_new_ = 0, y_last_ = 0, y_ = 0;
  Columns columns_;

  System* system_ = nullptr;
  OdeSystem* ode_ = nullptr;
  double t_ = 0, h_last_ = 0;
  Approach approach_;            // of neighbouring motions
  Eigen::Index velocities_ = 0;  // where they begin in y
  bool accepted_ = false;        // f at the base stands at end_, not yet at 0
  bool dense_ready_ = false;     // further stages and D_j belong to the last accepted step
  Vector failed_y_, error_, error_second_;
  State candidate_;
};

// As many weights as there are columns, and what they must sum to for a constant right-hand side.
bool sums_to(double expected, const std::vector<double>& weights, std::size_t columns) {
  double sum = 0, size = 1;
  for (const double w : weights) {
    sum += w;
    size += std::abs(w);
  }
  return weights.size() == columns && std::abs(sum - expected) < 1e-15 * size;
}

void check(const Tableau& t) {
  const std::size_t stages = t.b.size();
  std::size_t columns = stages + (t.first_same_as_last ? 0 : 1);
  bool good = t.a.size() + 1 == stages && t.c.size() == stages && t.dense.a.size() == t.dense.c.size() &&
              sums_to(1, t.b, stages);
  for (const auto* e : {&t.e, &t.e_second}) good = good && (e->empty() || sums_to(0, *e, stages));
  for (std::size_t i = 0; good && i + 1 < stages; ++i) good = sums_to(t.c[i + 1], t.a[i], i + 1);
  for (std::size_t i = 0; good && i < t.dense.a.size(); ++i)
    good = sums_to(t.dense.c[i], t.dense.a[i], columns++);
  for (const auto& d : t.dense.d) good = good && sums_to(0, d, columns);
  if (!good) throw std::logic_error("a Runge-Kutta table contradicts itself: sizes or row sums are wrong");
}

}  // namespace

std::unique_ptr<Integrator> runge_kutta(const Tableau& tableau) {
  check(tableau);
  return std::make_unique<RungeKutta>(tableau);
}

}  // namespace driftless::integrators
