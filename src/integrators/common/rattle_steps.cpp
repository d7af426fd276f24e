#include "rattle_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <driftless/core/kept_offsets.hpp>

#include "hamiltonian_check.hpp"
#include "hermite.hpp"
#include "mass_matrix.hpp"

namespace driftless::integrators {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double slow = 0.1;             // rate of convergence from which G_1 is renewed
constexpr double near_roundoff = 1e-10;  // of q: increments that have become so small may cease to decrease

// sum + rest = base + (increment + rest), where rest is what the sum has no digits for (Knuth's two-sum).
void add(VectorIn base, VectorIn increment, VectorOut rest, VectorOut sum) {
  for (Eigen::Index i = 0; i < base.size(); ++i) {
    const double a = base(i), b = increment(i) + rest(i), s = a + b, part = s - a;
    rest(i) = (a - (s - part)) + (b - part);
    sum(i) = s;
  }
}

class Rattle final : public Integrator {
 public:
  explicit Rattle(const RattleSettings& settings) : settings_(settings) {}

  Status start(System& system, State& state) override;
  Step attempt(double h) override;
  Status accept(State& state, const Vector* move) override;
  Status interpolate(double t, State& state) override;

  std::vector<double> memory() const override { return {rest_.begin(), rest_.end()}; }
  bool remember(const std::vector<double>& memory) override {
    std::copy(memory.begin(), memory.end(), rest_.begin());
    return true;
  }

 private:
  Status force(Parts beside, double t, VectorIn z, Evaluation& at);  // F_, and what else is wanted
  Status first_half(double h);
  Status second_half(double h);
  Status both_halves(double h) {
    const Status status = first_half(h);
    return status == Status::ok ? second_half(h) : status;
  }
  Status iterate(double h, bool renew);
  Step failed(Status status, double t, const Vector& z) {
    return {.status = status, .failed_t = t, .failed_y = &z};
  }

  const RattleSettings settings_;
  const Discretization by_ = discretization();
  System* system_ = nullptr;
  MechanicalSystem* mechanical_ = nullptr;
  int n_ = 0, ng_ = 0;
  bool constant_mass_ = false, constant_force_ = false;  // as far as seen: M on all steps, F on this one
  std::unique_ptr<ConstraintSolver> solver_;
  MassMatrix mass_;
  Evaluation base_, stage_,
      ahead_;         // at (q_0, V), the same again, at q_1, with the G_1 of the saddle-point matrix
  Evaluation later_;  // at (q_0, t_0 + h)
  bool mass_may_move_ = false;      // with t
  double ordinary_ = 0;             // displacements of a mechanism, near the zero of its joints too
  Vector F_, kick_, shift_, move_;  // V - v_0, V_1 - V, q_1 - q_0
  Vector before_, after_;           // (q_0, V), (q_1, V_1)
  Vector* offsets_ = nullptr;       // that rows of g keep; null: none
  Vector force_, change_, gap_, right_, multipliers_, none_;
  double t_ = 0, h_last_ = 0;
  Vector z_, a_, z_last_, a_last_, a_new_;
  Vector rest_, rest_new_;  // of the sums z
  State candidate_;
};

Status Rattle::start(System& system, State& state) {
  system_ = &system;
  mechanical_ = system.mechanical();
  offsets_ = kept_offsets(system);
  const Problem& problem = mechanical_->problem();
  const Shape& shape = problem.shape();
  n_ = shape.nv;
  ng_ = shape.ng;
  check_mass_of_time(problem, state.t, state.z);
  if (!settings_.any_forces) check_conservative(problem, state.t, state.z);
  constant_mass_ = !mass_changes_at(problem, state.t, state.z);
  mass_may_move_ = problem.shape().moving && problem.shape().mass != linalg::MassStructure::identity;
  solver_ = make_dynamics_solver(problem, ConstraintSolver::For::steps);
  mass_ = MassMatrix(problem);
  base_ = stage_ = ahead_ = later_ = Evaluation(mass_.storage());
  problem.evaluate(Part::jacobian, Point(state.t, state.z), ahead_);  // without constraints the only time
  for (Vector* v : {&F_, &kick_, &shift_, &move_, &force_, &change_, &gap_, &a_, &a_last_, &a_new_})
    v->setZero(n_);
  right_.setZero(ng_);
  multipliers_.setZero(ng_);
  none_.setZero(0);
  z_ = z_last_ = before_ = after_ = state.z;
  rest_.setZero(2 * n_);
  rest_new_.setZero(2 * n_);
  candidate_ = state;
  t_ = state.t;
  h_last_ = 0;
  const Scales scales = problem.scales(t_, z_.head(n_));
  ordinary_ = scales.levers.size() > 0 ? scales.length / scales.levers.maxCoeff() : 0;
  system.begin_step({.discretization = by_, .t = t_}, z_);
  const Status status = mechanical_->acceleration(t_, z_, a_, multipliers_);
  state.lambda = multipliers_;
  return status;
}

Status Rattle::force(Parts beside, double t, VectorIn z, Evaluation& at) {
  const auto v = z.tail(n_);
  Parts parts = beside | Part::force;
  if (!constant_mass_) parts = parts | mass_.parts_of_rate();
  const Point point(t, z, v, none_, none_);
  const Status status = mechanical_->evaluate(parts, point, at);
  F_ = at.f;
  if (!constant_mass_) mass_.add_rate(point, at, F_);
  return status;
}

// One iteration for kick_, shift_ and move_; change_ and gap_ are what it has added to kick_ and move_.
Status Rattle::iterate(double h, bool renew) {
  Parts parts = Part::position;
  if (renew) parts = parts | Part::jacobian;
  if (!constant_mass_) parts = parts | Part::mass;
  if (ng_ > 0 || !constant_mass_)
    if (const Status status = mechanical_->evaluate(parts, Point(t_ + h, after_), ahead_);
        status != Status::ok)
      return status;
  if (renew) {
    if (!ahead_.rows().all_finite()) return Status::not_finite;
    if (const Status status = solver_->factor(mechanical_->problem(), t_ + h, after_, base_, ahead_);
        status != Status::ok)
      return status;
    ++system_->work().factorizations;
  }
  if (!constant_mass_) {
    if (const Status status = mass_.factor(ahead_); status != Status::ok) return status;
    mass_.times_loss(base_, ahead_, before_.tail(n_), force_);
    mass_.solve(force_, shift_);
  }
  gap_ = h * (before_.tail(n_) + 0.5 * shift_) - move_;
  // G_1 (move + gap + h change) + g = G_1 move, up to terms that the next iteration sees.
  force_ = kick_ - gap_ / h;
  if (ng_ > 0) {
    right_.setZero();
    ahead_.rows().add_times(1, force_.data(), right_.data());
    if (offsets_) ahead_.g -= *offsets_;
    right_ -= ahead_.g / h;
  }
  force_ = 0.5 * h * F_;
  change_ = kick_;
  solver_->solve(ahead_, force_, right_, kick_, multipliers_);
  change_ = kick_ - change_;
  gap_ += h * change_;
  move_ += gap_;
  before_.tail(n_) = z_.tail(n_) + kick_;
  after_.head(n_) = z_.head(n_) + (move_ + rest_.head(n_));
  ++system_->work().newton;
  return kick_.allFinite() && after_.head(n_).allFinite() ? Status::ok : Status::not_finite;
}

Status Rattle::first_half(double h) {
  const auto q = z_.head(n_), v = z_.tail(n_);
  kick_ = 0.5 * h * a_;
  shift_.setZero();
  move_ = h * (v + kick_);
  before_.head(n_) = q;
  before_.tail(n_) = v + kick_;
  after_.head(n_) = q + (move_ + rest_.head(n_));
  after_.tail(n_) = before_.tail(n_);
  if (!after_.allFinite()) return Status::not_finite;
  if (const Status status = force(Part::mass | Part::jacobian, t_, before_, base_); status != Status::ok)
    return status;
  constant_force_ = false;
  double last = std::numeric_limits<double>::infinity(), rate = 0;
  for (int iteration = 1; iteration <= settings_.iterations; ++iteration) {
    Status status = Status::ok;
    if (iteration > 1 && !constant_force_) {
      force_ = F_;
      status = force({}, t_, before_, stage_);
      constant_force_ = F_ == force_;
    }
    if (status == Status::ok) status = iterate(h, iteration == 1 || rate > slow);
    if (status == Status::not_finite && iteration > 1) return Status::no_convergence;  // iterates run away
    if (status != Status::ok) return status;
    const double size =
        std::max(change_.lpNorm<Eigen::Infinity>(), gap_.lpNorm<Eigen::Infinity>() / std::abs(h));
    rate = iteration == 1 ? 0 : size / last;
    const double speed = before_.tail(n_).lpNorm<Eigen::Infinity>(),
                 extent = after_.head(n_).lpNorm<Eigen::Infinity>();
    const double negligible = eps * (speed / 8 + 1e-6 * extent / std::abs(h));  // the latter near rest
    const bool done = iteration > 1 && rate < 1 && size * rate <= (1 - rate) * negligible;
    const bool stalled = size >= last && size * std::abs(h) <= near_roundoff * std::max(extent, ordinary_);
    if (size == 0 || done || stalled) return Status::ok;
    last = size;
  }
  return Status::no_convergence;
}

Status Rattle::second_half(double h) {
  after_.tail(n_) = before_.tail(n_) + shift_;
  if (const Status status = force(Part::mass | Part::jacobian | Part::rates, t_ + h, after_, ahead_);
      status != Status::ok)
    return status;
  if (!ahead_.rows().all_finite()) return Status::not_finite;
  if (const Status status = solver_->factor(mechanical_->problem(), t_ + h, after_, ahead_);
      status != Status::ok)
    return status;
  ++system_->work().factorizations;
  force_ = 0.5 * h * F_;
  if (ng_ > 0) right_ = -ahead_.rates.col(0);
  solver_->solve(ahead_, force_, right_, change_, multipliers_);
  kick_ += shift_ + change_;  // all of v_1 - v_0
  return kick_.allFinite() ? Status::ok : Status::not_finite;
}

Step Rattle::attempt(double h) {
  system_->begin_step({.discretization = by_, .t = t_, .h = h}, z_);
  if (offsets_) follow_rows_left_out(mechanical_->problem(), t_, z_, solver_->left_out(), *offsets_);
  Status status = both_halves(h);
  if (status == Status::ok && constant_mass_ && mass_.entries(ahead_) != mass_.entries(base_)) {
    constant_mass_ = false;
    status = both_halves(h);
  }
  if (status != Status::ok) return failed(status, t_ + h, after_);
  if (mass_may_move_) {
    mechanical_->problem().evaluate(Part::mass, Point(t_ + h, z_), later_);
    compare_masses(mass_.entries(base_), t_, mass_.entries(later_), t_ + h);
  }
  candidate_.t = t_ + h;
  rest_new_ = rest_;
  add(z_.head(n_), move_, rest_new_.head(n_), candidate_.z.head(n_));
  add(z_.tail(n_), kick_, rest_new_.tail(n_), candidate_.z.tail(n_));
  return {.state = &candidate_};
}

Status Rattle::accept(State& state, const Vector* move) {
  if (const Status status = mechanical_->acceleration(state.t, state.z, a_new_, multipliers_);
      status != Status::ok)
    return status;
  state.lambda = multipliers_;
  std::swap(z_last_, z_);
  std::swap(a_last_, a_);
  z_ = state.z;
  std::swap(a_, a_new_);
  if (move)
    rest_.setZero();
  else
    rest_ = rest_new_;
  h_last_ = state.t - t_;
  t_ = state.t;
  return Status::ok;
}

// Hermite's cubics of (q, v) and of (v, a) at both ends.
Status Rattle::interpolate(double t, State& state) {
  const HermiteCubic cubic(h_last_ == 0 ? 1 : 1 - (t_ - t) / h_last_, h_last_);
  state.t = t;
  state.z = cubic.from * z_last_ + cubic.to * z_;
  state.z.head(n_) += cubic.slope_from * z_last_.tail(n_) + cubic.slope_to * z_.tail(n_);
  state.z.tail(n_) += cubic.slope_from * a_last_ + cubic.slope_to * a_;
  return Status::ok;
}

}  // namespace

std::unique_ptr<Integrator> rattle_steps(const RattleSettings& settings) {
  return std::make_unique<Rattle>(settings);
}

}  // namespace driftless::integrators
