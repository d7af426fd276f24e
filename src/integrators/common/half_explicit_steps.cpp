#include "half_explicit_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "columns.hpp"
#include "hermite.hpp"
#include "mass_matrix.hpp"
#include "rate_of_approach.hpp"

namespace driftless::integrators {

namespace {

// Newton's method for order 1 converges quadratically: after a change this small, relative, it is exact.
constexpr double last_change = 1e-9;
constexpr int most_iterations = 12;

class HalfExplicit final : public Integrator {
 public:
  explicit HalfExplicit(const HalfExplicitTable& table)
      : table_(table), stages_(static_cast<int>(table.b.size())), e_(table.e) {
    for (int i = 0; i < stages_; ++i) {
      std::vector<double> weights = i + 1 < stages_ ? table.a[static_cast<std::size_t>(i)] : table.b;
      weights.resize(static_cast<std::size_t>(i) + 1);
      own_weight_.push_back(weights.back());
      weights.back() = 0;
      weights.insert(weights.begin(), 0.0);  // f_0
      others_.emplace_back(weights);
    }
  }

  Status start(System& system, State& state) override;
  Step attempt(double h) override;
  Status accept(State& state, const Vector* move) override;
  Status interpolate(double t, State& state) override;

  StabilityUse stability_use() const override {
    if (table_.stable_to == 0) return {};
    return approach_.use(std::abs(h_last_), table_.stable_to);
  }

  // The rates at the base, which may be those of a time that differs from the state's by roundoff.
  std::vector<double> memory() const override {
    const auto f = columns_[accepted_ ? f_1() : 0];
    return {f.begin(), f.end()};
  }
  bool remember(const std::vector<double>& memory) override {
    std::copy(memory.begin(), memory.end(), columns_[f_1()].begin());
    return true;
  }

 private:
  // Columns: f_0, k_1, .., k_s, f_1, D, zeros, and points.
  int f_1() const { return stages_ + 1; }
  int quartic() const { return stages_ + 2; }
  int zero() const { return stages_ + 3; }

  Status rates(double t, int z, int f);  // of the motion through column z, and multipliers_
  void lower_rates(double t, int z, int k);
  Status find_multipliers(int stage, double h, double t, int z, int next);
  Status set_rows(double t_next, int next);  // rows_ and residual_ there
  Status factor(double t_next, VectorIn point);
  void solve(VectorIn force, VectorIn right, VectorOut a, VectorOut multipliers);
  void judge(double h);
  Step failed(Status status, double t, int z) {
    failed_z_ = columns_[z];
    return {.status = status, .failed_t = t, .failed_y = &failed_z_};
  }

  const HalfExplicitTable table_;
  const int stages_;
  const ColumnSum e_;
  std::vector<ColumnSum> others_;   // weights of Z_{i+1} but for k_i's own
  std::vector<double> own_weight_;  // and that one

  MechanicalSystem* mechanical_ = nullptr;
  const Problem* problem_ = nullptr;
  Shape shape_;
  Layout layout_;
  Parts point_parts_, next_parts_;
  Columns columns_;
  int z_ = 0, z_new_ = 0, z_last_ = 0, stage_ = 0, next_ = 0;
  MassMatrix mass_;
  Evaluation at_, beyond_;
  std::unique_ptr<ConstraintSolver> solver_;  // [B, K^T] at a stage, [G; K] at the next point
  Vector residual_, right_, multipliers_, change_, force_;
  Workspace workspace_;
  double t_ = 0, h_last_ = 0;
  Approach approach_;         // of neighbouring motions
  bool accepted_ = false;     // f at the base stands at f_1, not yet at 0
  bool dense_ready_ = false;  // D belongs to the last accepted step
  Vector failed_z_, error_;
  State candidate_;
};

Status HalfExplicit::start(System& system, State& state) {
  mechanical_ = system.mechanical();
  problem_ = &mechanical_->problem();
  shape_ = problem_->shape();
  layout_ = shape_.layout();
  const int nv = shape_.nv, rows = shape_.multipliers();
  point_parts_ = Part::mass | Part::force | (shape_.given_input ? Part::input : Part::jacobian);
  next_parts_ = Part::jacobian | (shape_.order > 1 ? Part::rates : Part::position);
  if (shape_.nk > 0) {
    point_parts_ = point_parts_ | Part::velocity_jacobian;
    next_parts_ = next_parts_ | Part::velocity | Part::velocity_jacobian;
  }
  columns_.reset(layout_.size(), zero() + 6);
  stage_ = zero() + 1;
  next_ = zero() + 2;
  z_new_ = zero() + 3;
  z_last_ = zero() + 4;
  z_ = zero() + 5;
  mass_ = MassMatrix(*problem_);
  at_ = beyond_ = Evaluation(mass_.storage());
  solver_ = make_dynamics_solver(*problem_, ConstraintSolver::For::steps);
  residual_.setZero(rows);
  right_.setZero(rows);
  multipliers_.setZero(rows);
  change_.setZero(nv);
  force_.setZero(nv);
  failed_z_.setZero(layout_.size());
  error_.setZero(layout_.size());
  candidate_ = state;
  t_ = state.t;
  h_last_ = 0;
  accepted_ = dense_ready_ = true;
  system.begin_step({.discretization = discretization(), .t = t_}, state.z);
  columns_[z_] = state.z;
  const Status status = rates(t_, z_, f_1());
  state.lambda = multipliers_.head(shape_.ng);
  state.kappa = multipliers_.tail(shape_.nk);
  return status;
}

void HalfExplicit::lower_rates(double t, int z, int k) {
  if (layout_.order == 1) return;
  const int nv = shape_.nv, higher = (layout_.order - 2) * nv;
  const auto from = columns_[z];
  auto to = columns_[k];
  to.segment(layout_.nq, higher) = from.tail(higher);
  if (shape_.own_kinematics)
    problem_->coordinate_rates(t, from.head(layout_.nq), from.segment(layout_.nq, nv), to.head(layout_.nq),
                               workspace_);
  else
    to.head(nv) = from.segment(layout_.nq, nv);
}

Status HalfExplicit::rates(double t, int z, int f) {
  lower_rates(t, z, f);
  return mechanical_->acceleration(t, columns_[z], columns_[f].tail(shape_.nv), multipliers_);
}

Status HalfExplicit::set_rows(double t_next, int next) {
  const int ng = shape_.ng, nk = shape_.nk;
  const Status status = mechanical_->evaluate(next_parts_, Point(t_next, columns_[next]), beyond_);
  if (status != Status::ok) return status;
  if (layout_.order > 1)
    residual_.head(ng) = beyond_.rates.col(layout_.order - 2);
  else
    residual_.head(ng) = beyond_.g;
  if (nk > 0) residual_.tail(nk) = beyond_.w;
  return beyond_.rows().all_finite() ? Status::ok : Status::not_finite;
}

// [M pushes; rows 0] of the stage at hand and the next point.
Status HalfExplicit::factor(double t_next, VectorIn point) {
  return solver_->factor(*problem_, t_next, point, at_, beyond_);
}

void HalfExplicit::solve(VectorIn force, VectorIn right, VectorOut a, VectorOut multipliers) {
  solver_->solve(beyond_, force, right, a, multipliers);
}

// k of that stage at the point z, such that the next point satisfies the constraints; the next point is left in its column. Begins with the
// top rates of the column before.
Status HalfExplicit::find_multipliers(int stage, double h, double t, int z, int next) {
  const int nv = shape_.nv;
  const auto i = static_cast<std::size_t>(stage);
  const bool last = stage + 1 == stages_;
  const int k = stage + 1;
  lower_rates(t, z, k);
  auto a = columns_[k].tail(nv);
  a = columns_[k - 1].tail(nv);
  if (const Status status = mechanical_->evaluate(point_parts_, Point(t, columns_[z]), at_);
      status != Status::ok)
    return status;
  const double t_next = last ? t_ + h : t_ + table_.c[i + 1] * h, weight = h * own_weight_[i];
  columns_.add(others_[i], h, z_, next);
  auto point = columns_[next];
  point += weight * columns_[k];
  if (last && shape_.normalized) problem_->normalize(point.head(layout_.nq));
  for (int iteration = 1;; ++iteration) {
    if (const Status status = set_rows(t_next, next); status != Status::ok) return status;
    right_.setZero();
    beyond_.rows().add_times(1, a.data(), right_.data());
    right_ -= residual_ / weight;
    if (const Status status = factor(t_next, point); status != Status::ok) return status;
    change_ = -a;
    solve(at_.f, right_, a, multipliers_);
    if (!a.allFinite()) return Status::not_finite;
    change_ += a;
    point.tail(nv) += weight * change_;
    if (layout_.order > 1 || shape_.multipliers() == 0) return Status::ok;
    if (std::abs(weight) * change_.lpNorm<Eigen::Infinity>() <= last_change * point.lpNorm<Eigen::Infinity>())
      return Status::ok;
    if (iteration == most_iterations) return Status::no_convergence;
  }
}

Step HalfExplicit::attempt(double h) {
  if (std::exchange(accepted_, false)) columns_[0] = columns_[f_1()];
  int z = z_, last = z_;  // the last stage's point
  for (int i = 0; i < stages_; ++i) {
    const double t = t_ + table_.c[static_cast<std::size_t>(i)] * h;
    last = z;
    const int next = i + 1 == stages_ ? z_new_ : z == stage_ ? next_ : stage_;
    if (i == 0 && table_.explicit_first) {
      columns_[1] = columns_[0];
      columns_.add(others_[0], h, z_, next);
      columns_[next] += h * own_weight_[0] * columns_[1];
    } else if (const Status status = find_multipliers(i, h, t, z, next); status != Status::ok) {
      return failed(status, t, z);
    }
    z = next;
  }
  if (!columns_[z_new_].allFinite()) return failed(Status::not_finite, t_ + h, z_new_);
  if (const Status status = rates(t_ + h, z_new_, f_1()); status != Status::ok)
    return failed(status, t_ + h, z_new_);
  if (table_.stable_to > 0) {
    approach_ = approach(columns_[f_1()] - columns_[stages_], columns_[z_new_] - columns_[last],
                         columns_[z_new_], first_of_velocities(candidate_, candidate_.z.size()));
  }
  judge(h);
  candidate_.t = t_ + h;
  candidate_.z = columns_[z_new_];
  return {.state = &candidate_, .error = &error_, .error_order = table_.error_order, .order = table_.order};
}

// With the saddle-point matrix of the last stage.
void HalfExplicit::judge(double h) {
  const int nv = shape_.nv;
  columns_.add(e_, h, zero(), zero());
  error_ = columns_[zero()];
  columns_[zero()].setZero();
  mass_.times(at_, error_.tail(nv), force_);
  right_.setZero();
  solve(force_, right_, change_, residual_);
  error_.tail(nv) = change_;
}

Status HalfExplicit::accept(State& state, const Vector* move) {
  columns_[z_new_] = state.z;
  if (move)
    if (const Status status = rates(state.t, z_new_, f_1()); status != Status::ok) return status;
  state.lambda = multipliers_.head(shape_.ng);
  state.kappa = multipliers_.tail(shape_.nk);
  std::swap(z_last_, z_);
  std::swap(z_, z_new_);
  h_last_ = state.t - t_;
  t_ = state.t;
  accepted_ = true;
  dense_ready_ = false;
  return Status::ok;
}

Status HalfExplicit::interpolate(double t, State& state) {
  const double h = h_last_;
  const auto cubic = [&](double theta, int to) {
    const HermiteCubic c(theta, h);
    columns_[to] = c.from * columns_[z_last_] + c.to * columns_[z_] + c.slope_from * columns_[0] +
                   c.slope_to * columns_[f_1()];
  };
  if (!std::exchange(dense_ready_, true)) {
    columns_[quartic()].setZero();
    if (table_.quartic) {
      const double theta = (3 - std::sqrt(3.0)) / 6, rest = 1 - theta, t_inside = t_ - rest * h;
      cubic(theta, stage_);
      if (const Status status = rates(t_inside, stage_, next_); status != Status::ok) {
        dense_ready_ = false;
        state.t = t_inside;
        state.z = columns_[stage_];
        return status;
      }
      // The slope there, less that of the cubic, over that of theta^2 (1 - theta)^2.
      columns_[quartic()] =
          (h * columns_[next_] - 6 * theta * rest * (columns_[z_] - columns_[z_last_]) -
           h * rest * (1 - 3 * theta) * columns_[0] - h * theta * (3 * theta - 2) * columns_[f_1()]) /
          (2 * theta * rest * (1 - 2 * theta));
    }
  }
  const double theta = h == 0 ? 1 : 1 - (t_ - t) / h, rest = 1 - theta;
  cubic(theta, stage_);
  columns_[stage_] += theta * theta * rest * rest * columns_[quartic()];
  state.t = t;
  state.z = columns_[stage_];
  return Status::ok;
}

}  // namespace

std::unique_ptr<Integrator> half_explicit_steps(const HalfExplicitTable& table) {
  return std::make_unique<HalfExplicit>(table);
}

}  // namespace driftless::integrators
