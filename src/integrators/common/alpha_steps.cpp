#include "alpha_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/kept_offsets.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "alpha_equations.hpp"
#include "hermite.hpp"

namespace driftless::integrators {

AlphaCoefficients::AlphaCoefficients(double rho)
    : alpha_m((2 * rho - 1) / (rho + 1)),
      alpha_f(rho / (rho + 1)),
      gamma(0.5 + alpha_f - alpha_m),
      beta((gamma + 0.5) * (gamma + 0.5) / 4),
      delta(alpha_m - alpha_f),
      b1(gamma * (1 - alpha_f) / (1 - alpha_m)),
      b2(beta * (1 - alpha_f) / (1 - alpha_m)),
      C_q(1.0 / 6 - beta - delta / 2),
      C_v(1.0 / 6 - ((1 - alpha_f) / 2 - (1 - alpha_m) * (0.5 + delta)) - gamma * (0.5 + delta)) {}

namespace {

constexpr double largest_violation = 1e-4;  // of the start; the first step would turn it into velocities
constexpr double look_ahead = 1. / 64;      // part of the first step, for a'
constexpr double left_by_newton = 100;      // times a thousandth of what is judged

// h^3 C is judged, and a run of length T makes T h^2 C of it. Compared with tol^(3/2) instead of tol, steps are of the size tol^(1/2)
// and errors of runs of the size tol.
double scale_of_estimate(const Tolerance& tolerance) {
  return std::max(1.0, 0.1 / std::sqrt(std::max(tolerance.rtol, std::min(tolerance.atol, 1e-3))));
}

// Of mechanisms much larger than their links, angles have the roundoff of places by the arms at which these lie. In coordinates of joints places are
// sums along branches, and rows say how far a turn moves them.
double roundoff_of_positions(const Problem& problem, const State& state) {
  constexpr double roundoff = 16 * std::numeric_limits<double>::epsilon(), largest = 1e6;
  const Shape& shape = problem.shape();
  if (!shape.sparse() || shape.ng == 0) return roundoff;
  double magnified = 1;
  if (shape.mass_by_bodies) {
    const double arm = problem.scales(state.t, state.q()).levers.minCoeff();
    magnified = state.q().lpNorm<Eigen::Infinity>() / arm;
  } else {
    magnified = 1 / row_sizes(problem, state.t, state.z).sizes.head(shape.ng).minCoeff();
  }
  return roundoff * std::clamp(magnified, 1.0, largest);
}

// What a step begins with and leaves behind.
struct AlphaState {
  Vector z, a, alpha, rates;  // rates: z', for the interpolant
  Vector lambda, kappa;
};

class AlphaSteps final : public Integrator, public CarriedMultipliers {
 public:
  explicit AlphaSteps(const AlphaSettings& settings) : method_(settings.rho), settings_(settings) {}

  void judged_by(const Tolerance& tolerance) override { tolerance_ = tolerance; }
  Status start(System& system, State& state) override;
  Step attempt(double h) override;
  Status accept(State& state, const Vector* move) override;
  Status interpolate(double t, State& state) override;
  Multipliers carried_multipliers() const override {
    return h_last_ == 0 || moved_ ? Multipliers::evaluated : Multipliers::of_step;
  }
  std::vector<double> memory() const override;
  bool remember(const std::vector<double>& memory) override;

 private:
  void check(const State& state);  // throws where this method has no theory
  Status set_start(double h);      // v_ and alpha_ for a step of this size
  Status find_jerk(double h);
  Status project_velocities();
  void rescale_velocities(double h);
  Status leave_constraints(double h);
  void set_step(double h);
  void judge(double h);
  void set_rates(double t, AlphaState& at);
  Step failed(Status status, double t, const Vector& z) {
    failed_z_ = z;
    return {.status = status, .failed_t = t, .failed_y = &failed_z_};
  }

  const AlphaCoefficients method_;
  const AlphaSettings settings_;
  std::optional<Tolerance> tolerance_;
  MechanicalSystem* mechanical_ = nullptr;
  const Problem* problem_ = nullptr;
  Shape shape_;
  std::optional<AlphaEquations> equations_;
  Vector* offsets_ = nullptr;  // that rows of g keep; null: none
  std::optional<LongDisplacement> displacement_;
  std::unique_ptr<ConstraintSolver> solver_;
  Evaluation at_;
  Workspace workspace_;

  double t_ = 0;
  AlphaState base_, last_, new_;
  double h_alpha_ = 0;   // the step that base_.alpha belongs to; 0: to none yet
  bool moved_ = false;   // by a stabilizer
  Vector a_before_;      // a step before base_.a
  double h_before_ = 0;  // 0: there is none
  Vector v_, alpha_, jerk_, slope_, multipliers_, right_, z_inside_, change_;
  AlphaStep step_;
  AlphaUnknowns x_;
  double scale_ = 1;  // of the error estimate
  Vector failed_z_, error_;
  double h_last_ = 0;
  State candidate_;
};

void AlphaSteps::check(const State& state) {
  if (tolerance_ && settings_.tolerance_given)
    throw InputError(
        "tolerance of generalized-alpha belongs to fixed steps and would be ignored: with `rtol` and `atol` "
        "Newton's "
        "method follows them; leave it out");
  if (shape_.ng == 0) return;
  if (settings_.rho == 1 && mechanical_->imposed() == Imposed::positions)
    throw InputError(
        "generalized-alpha: rho is 1, and with g = 0 alone imposed multipliers then grow without bound; use "
        "rho "
        "below 1, or `formulation = ggl`");
  problem_->evaluate(Part::position, Point(state.t, state.z), at_);
  if (offsets_) at_.g -= *offsets_;
  const double violation = at_.g.lpNorm<Eigen::Infinity>();
  if (violation > largest_violation)
    throw InputError(fmt::format(
        "generalized-alpha imposes g = 0 at once, and the start is off by {:.2g} (limit {:.0e}); use "
        "`formulation = index1` or baumgarte",
        violation, largest_violation));
}

Status AlphaSteps::start(System& system, State& state) {
  mechanical_ = system.mechanical();
  problem_ = &mechanical_->problem();
  shape_ = problem_->shape();
  offsets_ = kept_offsets(system);
  at_ = Evaluation(storage_of_dynamics(*problem_));
  check(state);
  const int nq = shape_.nq, nv = shape_.nv, rows = shape_.multipliers();
  scale_ = tolerance_ ? scale_of_estimate(*tolerance_) : 1;
  std::optional<Tolerance> newton;
  if (tolerance_) newton = tolerance_->times(std::min(1.0, left_by_newton / scale_));
  equations_.emplace(*mechanical_, alpha_matrices(*mechanical_, sparse_directions_of(system)), system.work(),
                     settings_.newton, newton, offsets_);
  equations_->allow_roundoff(roundoff_of_positions(*problem_, state));
  displacement_.emplace(*problem_);
  solver_ = make_dynamics_solver(*problem_, ConstraintSolver::For::steps);
  for (Vector* v : {&a_before_, &v_, &alpha_, &jerk_, &slope_, &change_, &step_.p, &step_.u, &x_.a})
    v->setZero(nv);
  for (Vector* v : {&multipliers_, &right_}) v->setZero(rows);
  for (Vector* v : {&z_inside_, &failed_z_, &error_}) v->setZero(nq + nv);
  step_.q0.setZero(nq);
  x_.nu.setZero(imposes_both(*mechanical_) ? shape_.ng : 0);
  candidate_ = state;
  t_ = state.t;
  h_last_ = h_alpha_ = h_before_ = 0;
  moved_ = false;
  system.begin_step({.discretization = discretization(), .t = t_}, state.z);
  base_.z = state.z;
  base_.a.setZero(nv);
  const Status status = mechanical_->acceleration(t_, state.z, base_.a, multipliers_);
  state.lambda = base_.lambda = multipliers_.head(shape_.ng);
  state.kappa = base_.kappa = multipliers_.tail(shape_.nk);
  base_.alpha = base_.a;
  base_.rates.setZero(nq + nv);
  if (status == Status::ok) set_rates(t_, base_);
  last_ = new_ = base_;
  return status;
}

void AlphaSteps::set_rates(double t, AlphaState& at) {
  const int nq = shape_.nq, nv = shape_.nv;
  problem_->coordinate_rates(t, at.z.head(nq), at.z.tail(nv), at.rates.head(nq), workspace_);
  at.rates.tail(nv) = at.a;
}

// a' at the base: from the step before, else from the equations a little further on.
Status AlphaSteps::find_jerk(double h) {
  if (h_before_ > 0) {
    jerk_ = (base_.a - a_before_) / h_before_;
    return Status::ok;
  }
  const int nq = shape_.nq, nv = shape_.nv;
  const double ahead = look_ahead * h;
  slope_ = ahead * base_.z.tail(nv) + (ahead * ahead / 2) * base_.a;
  displacement_->move(t_, base_.z.head(nq), slope_, z_inside_.head(nq));
  z_inside_.tail(nv) = base_.z.tail(nv) + ahead * base_.a;
  const Status status = mechanical_->acceleration(t_ + ahead, z_inside_, jerk_, multipliers_);
  if (status != Status::ok) return status;
  jerk_ = (jerk_ - base_.a) / ahead;
  // Of a stiff transient only what such a step can follow.
  v_ = base_.z.tail(nv);
  alpha_ = base_.a;
  set_step(h);
  x_.a = base_.a;
  if (const Status made = equations_->prepare(step_, x_); made != Status::ok) return made;
  equations_->smooth(jerk_, AlphaEquations::Across::keep, jerk_);
  return Status::ok;
}

Status AlphaSteps::set_start(double h) {
  const int nv = shape_.nv;
  v_ = base_.z.tail(nv);
  alpha_ = base_.alpha;
  if (std::abs(h - h_alpha_) <= same_step * h && !moved_) return Status::ok;
  const bool anew = h_alpha_ == 0 || moved_;
  if (anew) {
    if (const Status status = find_jerk(h); status != Status::ok) return status;
    v_ = base_.z.tail(nv);
    alpha_ = base_.a + method_.delta * h * jerk_;
  } else {
    alpha_ = base_.a + (h / h_alpha_) * (base_.alpha - base_.a);
  }
  if (mechanical_->imposed() != Imposed::positions || shape_.ng == 0) return Status::ok;
  if (const Status status = project_velocities(); status != Status::ok) return status;
  if (anew) return leave_constraints(h);
  rescale_velocities(h);
  return Status::ok;
}

// v_ onto the constraints, along the forces of constraint.
Status AlphaSteps::project_velocities() {
  const int ng = shape_.ng, nk = shape_.nk;
  Parts parts = Part::mass | Part::jacobian | Part::rates;
  if (shape_.given_input) parts = parts | Part::input;
  if (nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian;
  if (const Status status = mechanical_->evaluate(parts, Point(t_, base_.z), at_); status != Status::ok)
    return status;
  right_.head(ng) = -at_.rates.col(0);
  if (nk > 0) right_.tail(nk) = -at_.w;
  if (const Status status = solver_->factor(*problem_, t_, base_.z, at_); status != Status::ok) return status;
  slope_.setZero();
  solver_->solve(at_, slope_, right_, change_, multipliers_);
  v_ += change_;
  return Status::ok;
}

// What velocities have across the constraints is of the size h^2 in smooth motion, and follows the step. (Computed anew from differences of a it
// would feed back into them, and grow from step to step.)
void AlphaSteps::rescale_velocities(double h) {
  const double ratio = h / h_alpha_;
  v_ -= (ratio * ratio) * change_;
}

Status AlphaSteps::leave_constraints(double h) {
  const int nq = shape_.nq, nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  slope_ = h * v_ + (h * h / 2) * alpha_ + (h * h * h * method_.beta) * jerk_;
  displacement_->move(t_, base_.z.head(nq), slope_, z_inside_.head(nq));
  z_inside_.tail(nv) = v_;
  if (const Status status = mechanical_->evaluate(Part::position, Point(t_ + h, z_inside_), at_);
      status != Status::ok)
    return status;
  if (offsets_) at_.g -= *offsets_;
  right_.head(ng) = -at_.g / h;
  right_.tail(nk).setZero();
  slope_.setZero();
  solver_->solve(at_, slope_, right_, change_, multipliers_);
  v_ += change_;
  return Status::ok;
}

void AlphaSteps::set_step(double h) {
  const AlphaCoefficients& c = method_;
  step_.t = t_ + h;
  step_.b1 = h * c.b1;
  step_.b2 = h * h * c.b2;
  step_.q0 = base_.z.head(shape_.nq);
  // alpha_1 less its part of a_1.
  slope_ = (c.alpha_f * base_.a - c.alpha_m * alpha_) / (1 - c.alpha_m);
  step_.u = v_ + (h * (1 - c.gamma)) * alpha_ + (h * c.gamma) * slope_;
  step_.p = h * v_ + (h * h * (0.5 - c.beta)) * alpha_ + (h * h * c.beta) * slope_;
}

Step AlphaSteps::attempt(double h) {
  const AlphaCoefficients& c = method_;
  equations_->follow_rows_left_out(t_, base_.z);
  x_.lambda = base_.lambda;
  x_.kappa = base_.kappa;
  x_.nu.setZero();
  if (imposes_both(*mechanical_))
    if (const Status status = equations_->directions(t_, base_.z, step_.D); status != Status::ok)
      return failed(status, t_, base_.z);
  if (const Status status = set_start(h); status != Status::ok) return failed(status, t_, base_.z);
  set_step(h);
  x_.a = base_.a;
  if (h_before_ > 0) {
    x_.a += (h / h_before_) * (base_.a - a_before_);
    x_.lambda += (h / h_before_) * (base_.lambda - last_.lambda);
    x_.kappa += (h / h_before_) * (base_.kappa - last_.kappa);
  }
  if (const Status status = equations_->solve(step_, x_, new_.z); status != Status::ok)
    return failed(status, t_ + h, new_.z);
  if (!new_.z.allFinite()) return failed(Status::not_finite, t_ + h, new_.z);
  if (equations_->rows_left_out())  // do these demand what the others do?
    if (const Status status = mechanical_->acceleration(t_ + h, new_.z, change_, multipliers_);
        status != Status::ok)
      return failed(status, t_ + h, new_.z);
  new_.a = x_.a;
  new_.alpha = ((1 - c.alpha_f) * x_.a + c.alpha_f * base_.a - c.alpha_m * alpha_) / (1 - c.alpha_m);
  judge(h);
  candidate_.t = t_ + h;
  candidate_.z = new_.z;
  candidate_.lambda = new_.lambda = x_.lambda;
  candidate_.kappa = new_.kappa = x_.kappa;
  if (Vector* mu = candidate_.extra("mu")) *mu = (h * c.b2) * x_.nu;
  return {.state = &candidate_, .error = &error_, .error_order = 2};
}

// Local errors. That of velocities less what it has across the constraints: where g' = 0 is imposed there is none, else it is of the size h^2 by
// design. That of positions has all: it is what drives mechanisms whose motion is prescribed.
void AlphaSteps::judge(double h) {
  const int nq = shape_.nq, nv = shape_.nv;
  slope_ = (method_.C_q * h * h) * (new_.alpha - alpha_);
  equations_->smooth(slope_, AlphaEquations::Across::keep, change_);
  problem_->coordinate_rates(t_ + h, new_.z.head(nq), change_, error_.head(nq), workspace_);
  if (h_before_ > 0)
    slope_ = (new_.a - base_.a) / h - (base_.a - a_before_) / h_before_;
  else
    slope_ = (new_.a - base_.a) / h - jerk_;
  slope_ *= method_.C_v * h * h * h * 2 / (h + h_before_);
  equations_->smooth(slope_, AlphaEquations::Across::drop, change_);
  error_.tail(nv) = change_;
  error_ *= scale_;
}

Status AlphaSteps::accept(State& state, const Vector* move) {
  const double h = state.t - t_;
  if (move) {
    if (const Status status = mechanical_->acceleration(state.t, state.z, new_.a, multipliers_);
        status != Status::ok)
      return status;
    state.lambda = new_.lambda = multipliers_.head(shape_.ng);
    state.kappa = new_.kappa = multipliers_.tail(shape_.nk);
  }
  new_.z = state.z;
  set_rates(state.t, new_);
  a_before_ = base_.a;
  h_before_ = h_last_ = h;
  h_alpha_ = step_.b1 / method_.b1;
  moved_ = move != nullptr;
  t_ = state.t;
  std::swap(last_, base_);
  std::swap(base_, new_);
  equations_->accepted();
  return Status::ok;
}

Status AlphaSteps::interpolate(double t, State& state) {
  const double h = h_last_, theta = h == 0 ? 1 : 1 - (t_ - t) / h, rest = 1 - theta;
  state.t = t;
  const HermiteCubic cubic(theta, h);
  state.z = cubic.from * last_.z + cubic.to * base_.z + cubic.slope_from * last_.rates +
            cubic.slope_to * base_.rates;
  state.lambda = rest * last_.lambda + theta * base_.lambda;
  state.kappa = rest * last_.kappa + theta * base_.kappa;
  return Status::ok;
}

std::vector<double> AlphaSteps::memory() const {
  std::vector<double> memory = equations_->memory();
  memory.insert(memory.end(), {h_alpha_, moved_ ? 1.0 : 0.0, h_before_});
  for (const Vector* v :
       {&base_.a, &base_.alpha, &a_before_, &base_.lambda, &base_.kappa, &last_.lambda, &last_.kappa})
    memory.insert(memory.end(), v->begin(), v->end());
  return memory;
}

bool AlphaSteps::remember(const std::vector<double>& memory) {
  const double* from = memory.data() + equations_->memory_size();
  h_alpha_ = from[0];
  moved_ = from[1] != 0;
  h_before_ = from[2];
  from += 3;
  for (Vector* v :
       {&base_.a, &base_.alpha, &a_before_, &base_.lambda, &base_.kappa, &last_.lambda, &last_.kappa}) {
    std::copy_n(from, v->size(), v->data());
    from += v->size();
  }
  set_rates(t_, base_);
  return equations_->remember(memory.data()) == Status::ok;
}

}  // namespace

std::unique_ptr<Integrator> alpha_steps(const AlphaSettings& settings) {
  return std::make_unique<AlphaSteps>(settings);
}

}  // namespace driftless::integrators
