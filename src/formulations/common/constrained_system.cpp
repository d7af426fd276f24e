#include "constrained_system.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/invariants_option.hpp>
#include <driftless/core/kept_offsets.hpp>
#include <driftless/core/unit_of_time.hpp>
#include <driftless/core/whole_matrices.hpp>
#include <driftless/linalg/blocks.hpp>
#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/loops.hpp>

#include "acceleration_jacobian.hpp"
#include "acceleration_rows.hpp"
#include "generalized_matrix.hpp"
#include "imposed_rows.hpp"
#include "level_elimination.hpp"
#include "multiplier_blocks.hpp"
#include "pushes.hpp"
#include "redundant_rows.hpp"
#include "sparse_constrained_system.hpp"
#include "ssf_matrix.hpp"
#include "step_notes.hpp"

namespace driftless::formulations {

namespace {

using Top = ConstrainedForm::Top;

std::string name_of_level(int level) {
  return level == 0 ? "mu" : level == 1 ? "eta" : fmt::format("eta{}", level);
}

// The rows beside, as a form of their own.
ConstrainedForm beside(const Problem& problem, const ConstrainedForm& form) {
  const int m = problem.shape().order;
  ConstrainedForm rows{.velocities = form.beside == m};
  for (int level = 0; level < form.beside; ++level) rows.imposed.push_back(only(level, m));
  return rows;
}

class ConstrainedSystem final : public System,
                                public DaeSystem,
                                public CarriedMultipliers,
                                public KeptOffsets {
 public:
  ConstrainedSystem(const Problem& problem, const ConstrainedForm& form)
      : problem_(problem),
        shape_(problem.shape()),
        layout_(shape_.layout()),
        form_(form),
        forces_(form.top == Top::forces),
        keeps_offsets_(imposes_positions_alone(form, problem.shape())),
        nz_(layout_.size()),
        rows_(problem, form),
        beside_(problem, beside(problem, form)),
        acceleration_rows_(problem),
        ns_(form.differentiated ? shape_.multipliers() : rows_.count()),
        nb_(form.beside > 0 ? beside_.count() : 0),
        pushes_(problem, form, forces_ ? shape_.multipliers() : 0),
        acceleration_jacobian_(problem),
        redundant_(problem, form_),
        kernel_(linalg::cholesky_kernel(shape_.ng)),
        mass_kernel_(linalg::cholesky_kernel(shape_.nv)),
        linear_(problem, forces_, ns_, nb_),
        no_r_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        multipliers_(no_r_),
        minus_lambda_(Vector::Zero(shape_.ng)),
        minus_push_(Vector::Zero(linalg::blocks::up(layout_.tangent_size()))),
        speed_(Vector::Zero(shape_.nv)),
        across_(Vector::Zero(shape_.nq)),
        z_(Vector::Zero(nz_)) {
    compares_levels_ = layout_.order > 1 && (form_.coupled || form_.beside > 1 || !form_.invariants.empty());
    if (form_.differentiated) linear_.E.setZero(ns_, ns_);
    lay_out();
    if (form_.mechanical)
      mechanical_ = mechanical_view(problem, work(), *form_.mechanical,
                                    [this](auto... at) { return directions(at...); });
  }

  // System
  int size() const override { return nz_ + ns_; }
  void pack(const State& state, VectorOut y) const override {
    y.head(nz_) = state.z;
    if (forces_) {
      y.segment(nz_, shape_.ng) = state.lambda;
      y.segment(nz_ + shape_.ng, shape_.nk) = state.kappa;
    }
    blocks_.pack(state, y);
  }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y.head(nz_);
    if (forces_) {
      state.lambda = y.segment(nz_, shape_.ng);
      state.kappa = y.segment(nz_ + shape_.ng, shape_.nk);
    }
    blocks_.unpack(y, state);
  }
  void prepare(State& state) const override { blocks_.prepare(state); }
  Status multipliers(State& state) override {
    ++work().rhs;
    const Status status = problem_.acceleration(state.t, state.z, no_r_, a_, multipliers_, workspace_);
    state.lambda = multipliers_.head(shape_.ng);
    state.kappa = multipliers_.tail(shape_.nk);
    return status;
  }
  Status rates(const State& state, VectorOut yp) override;
  // lambda of differentiated rows is determined by the state, and no other unknown feels what the corrector leaves of it.
  Status complete(State& state) override {
    const bool own = form_.differentiated ? form_.generalized.own_lambda : forces_;
    if (!own) return multipliers(state);
    if (redundant_.full()) return Status::ok;
    problem_.evaluate(residual_parts_, Point(state.t, state.z), parts_);
    evaluated_ = false;
    redundant_.least_norm(parts_, state);
    ++work().rhs;  // rows left out are looked at here only: do they demand what the others do?
    return problem_.acceleration(state.t, state.z, no_r_, a_, multipliers_, workspace_);
  }
  Multipliers carried_multipliers() const override {
    if (!forces_) return Multipliers::evaluated;
    return form_.generalized.own_lambda ? Multipliers::asked_for : Multipliers::of_step;
  }
  void anchor(const State& state) override {
    rows_.manifold().anchor(state.t, state.z);
    unit_of_time_.jumped();
    if (keeps_offsets_) offsets_ = offsets_at_start(problem_, state.t, state.z);
  }
  Vector& kept_offsets() override { return offsets_; }
  // The values of the invariants, offsets, and units of time: that of the last linearization, which an iteration matrix may still
  // have, and what those to come follow from.
  std::vector<double> anchored() const override {
    std::vector<double> values = rows_.manifold().anchored();
    if (keeps_offsets_) append_offsets(offsets_, shape_.ng, values);
    values.push_back(linearized_by_);
    for (const double value : unit_of_time_.memory(layout_)) values.push_back(value);
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    const auto own = values.end() - 1 - static_cast<std::ptrdiff_t>(UnitOfTime::memory_size(layout_));
    const auto offsets = own - (keeps_offsets_ ? shape_.ng : 0);
    rows_.manifold().anchor({values.begin(), offsets});
    if (keeps_offsets_) offsets_ = offsets_from(&*offsets, shape_.ng);
    measure_time_by(own[0]);
    unit_of_time_.remember(&own[1], layout_);
  }
  std::string explain(Status status, double t, VectorIn y) const override;
  bool begin_step(const StepContext& step, VectorIn y) override;
  std::vector<std::string> notes() const override { return notes_.notes(); }
  const Matrix* constraint_rows() const override {
    return evaluated_ && shape_.nk == 0 && residual_parts_.has(Part::jacobian) ? &parts_.G : nullptr;
  }
  DaeSystem* dae() override { return this; }
  MechanicalSystem* mechanical() override { return mechanical_.get(); }

  // DaeSystem
  int equations() const override { return nz_ + ns_ + nb_; }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override { linear_.assemble(F_y, F_yp); }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return nz_; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override {
    if (nb_ == 0) return std::make_unique<LevelElimination<double>>(linear_, work());
    const auto& definition = form_.generalized.definition;
    return definition ? generalized_matrix(linear_, *definition, work())
                      : ssf_matrix(linear_, form_.beside, work());
  }
  // Of the square part: stages of a Runge-Kutta method have no common rows beside.
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return std::make_unique<LevelElimination<std::complex<double>>>(linear_, work());
  }

 private:
  void lay_out();
  double unit_of_time(double t, VectorIn y, double h);
  void measure_time_by(double tau);
  Status directions(double t, VectorIn z, MatrixOut D);
  Status evaluate(Parts parts, const Point& at);  // parts_, rows_ and pushes_ there
  Status set_kinematics();                        // N and N^+ there, or of the step's frame
  void set_beside();                              // the derivatives of the rows beside
  Status push(VectorIn s);                        // minus_push_ = -U s, where all was evaluated last
  Point::View place(VectorIn y);  // z with its norms, where everything but the norms themselves is evaluated
  void level_rows(VectorIn z, VectorIn y, VectorIn yp, VectorOut r);  // with minus_push_
  Status top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r);

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  const ConstrainedForm form_;
  const bool forces_;
  const bool keeps_offsets_;
  const int nz_;
  ImposedRows rows_;
  ImposedRows beside_;
  AccelerationRows acceleration_rows_;
  const int ns_;  // multipliers, as many as rows
  const int nb_;  // rows beside
  Pushes pushes_;
  StepNotes notes_;
  double size_ = -1;      // of the mechanism; negative: not asked for yet
  bool stages_ = false;   // of the method that integrates it
  bool compares_levels_;  // pushes move more than one level at once
  Vector offsets_;        // that rows keep; empty: none
  UnitOfTime unit_of_time_;
  double tau_ = 1, linearized_by_ = 1;  // now, and at the last linearization
  bool framed_ = false;                 // N and N^+ stay as they are until the next step or linearization
  MultiplierBlocks blocks_;
  std::vector<int> index_;
  AccelerationJacobian acceleration_jacobian_;
  Parts residual_parts_, linear_parts_;
  Evaluation parts_;
  bool evaluated_ = false;
  Workspace workspace_;
  RedundantRows redundant_;
  const linalg::CholeskyKernel& kernel_;       // for matrices of ng rows
  const linalg::CholeskyKernel& mass_kernel_;  // and of nv rows
  Linearization linear_;
  const Matrix no_feedback_;
  Vector no_r_, a_, multipliers_, minus_lambda_;
  Vector minus_push_;  // with zeros up to whole blocks
  Vector speed_, across_, z_;
  std::unique_ptr<MechanicalSystem> mechanical_;
};

std::string ConstrainedSystem::explain(Status status, double t, VectorIn y) const {
  if (status == Status::singular_step && pushes_.directions().lost())
    return fmt::format(
        "the constraints do not change along D near t = {:.10g} (G D is singular), so that multipliers "
        "cannot impose them; use "
        "another D, for instance D=transpose",
        t);
  if (status == Status::singular_step && rows_.invariants() > 0)
    if (const std::string which = Manifold(problem_, choose_invariants(problem_, form_.invariants))
                                      .dependent_invariants(t, y.head(nz_));
        !which.empty())
      return fmt::format(
          "the invariants of this formulation are not independent at t = {:.10g}: {}; leave it out of "
          "`invariants`",
          t, which);
  if (status == Status::singular_step && nb_ > 0 && !form_.generalized.definition)
    return fmt::format(
        "the matrix of the step at t = {:.10g} is singular without the equations too many, and "
        "solution=schur "
        "needs it; use "
        "solution=extended, or another step",
        t);
  const bool divides =
      form_.mass_metric || form_.differentiated || (form_.stabilized > 0 && form_.D.kind == Direction::input);
  if (status == Status::singular_mass && divides)
    return fmt::format(
        "the mass matrix is singular at t = {:.10g}, and this formulation divides by it; use ggl or "
        "projected-invariants with "
        "D=transpose",
        t);
  return problem_.explain(status, t, y.head(nz_));
}

bool ConstrainedSystem::begin_step(const StepContext& step, VectorIn y) {
  stages_ = has_stages(step.discretization);
  if (step.h == 0) {
    framed_ = false;
    return false;
  }
  const double t = step.t, h = step.h;
  if (size_ < 0) size_ = problem_.scales(t, y.head(shape_.nq)).length;
  pushes_.directions().begin(t, y.head(nz_));
  if (offsets_.size() > 0) follow_rows_left_out(problem_, t, y.head(nz_), redundant_.left_out(), offsets_);
  if (layout_.order > 1 && form_.stabilized > 0) {
    const bool known = evaluated_ && push(y.tail(ns_)) == Status::ok;
    notes_.pushed(known ? minus_push_.head(shape_.nv).lpNorm<Eigen::Infinity>() : 0,
                  y.segment(layout_.offset(1), shape_.nv).lpNorm<Eigen::Infinity>(), h, size_);
  }
  if (stages_ && shape_.norms() > 0) {
    problem_.evaluate(Part::kinematics, Point(t, place(y)), parts_);
    framed_ = linear_.set_kinematics(parts_.N);
  }
  if (compares_levels_ && !form_.model_time) measure_time_by(unit_of_time(t, y, h));
  return false;
}

// Where eta is an impulse, a displacement of velocities is that impulse divided by a mass.
double ConstrainedSystem::unit_of_time(double t, VectorIn y, double h) {
  const double tau = unit_of_time_.begin(problem_, t, y.head(nz_), h);
  const bool by_mass = form_.mass_metric || form_.beside == layout_.order || pushes_.along_forces();
  if (!by_mass) return tau;
  problem_.evaluate(Part::mass, Point(t, place(y)), parts_);
  evaluated_ = false;
  const double mass = parts_.M.trace() / shape_.nv;
  return mass > 0 ? tau / std::sqrt(mass) : tau;
}

void ConstrainedSystem::measure_time_by(double tau) {
  tau_ = tau;
  pushes_.measure_time_by(tau);
  linear_.tau = tau;
}

Status ConstrainedSystem::rates(const State& state, VectorOut yp) {
  ++work().rhs;
  const int nv = shape_.nv;
  yp.setZero();
  if (layout_.order > 1) {
    const int higher = (layout_.order - 2) * nv;
    yp.segment(layout_.nq, higher) = state.z.tail(higher);
    if (shape_.own_kinematics)
      problem_.coordinate_rates(state.t, state.q(), state.v(), yp.head(layout_.nq), workspace_);
    else
      yp.head(nv) = state.v();
  }
  return problem_.acceleration(state.t, state.z, no_r_, yp.segment(nz_ - nv, nv), multipliers_, workspace_);
}

Status ConstrainedSystem::directions(double t, VectorIn z, MatrixOut D) {
  DirectionMap& map = pushes_.directions();
  problem_.evaluate(map.parts(), Point(t, z), parts_);
  evaluated_ = false;
  map.begin(t, z);
  return map.compute(t, z, parts_, D);
}

void ConstrainedSystem::lay_out() {
  const int ng = shape_.ng, nk = shape_.nk;
  int first = nz_ + (forces_ ? ng + nk : 0);
  const auto add = [&](const std::string& name, int count) {
    blocks_.add(name, first, count);
    first += count;
  };
  for (int level = 0; level < form_.stabilized; ++level) add(name_of_level(level), ng);
  if (!forces_ && form_.velocities) add("eta_w", nk);
  add("mu_i", rows_.invariants());

  index_.assign(static_cast<std::size_t>(nz_ + ns_), 2);
  for (int i = 0; i < nz_; ++i)
    index_[static_cast<std::size_t>(i)] =
        i < layout_.offset(layout_.order - 1) || ng == 0 ? 0 : form_.velocity_index;
  if (forces_)
    for (int i = 0; i < ng; ++i) index_[static_cast<std::size_t>(nz_ + i)] = form_.lambda_index;
  if (form_.differentiated) std::fill(index_.begin() + nz_, index_.end(), 1);

  residual_parts_ = rows_.parts() | pushes_.parts();
  if (forces_) residual_parts_ = residual_parts_ | Part::mass | Part::force | Part::jacobian;
  if (forces_ && shape_.given_input) residual_parts_ = residual_parts_ | Part::input;
  if (forces_ && nk > 0) residual_parts_ = residual_parts_ | Part::velocity_jacobian;
  if (shape_.own_kinematics) residual_parts_ = residual_parts_ | Part::kinematics;
  if (form_.differentiated) residual_parts_ = residual_parts_ | acceleration_rows_.parts();
  if (nb_ > 0) residual_parts_ = residual_parts_ | beside_.parts() | beside_.jacobian_parts();
  linear_parts_ = residual_parts_ | rows_.jacobian_parts();
  if (forces_)
    linear_parts_ =
        linear_parts_ | Part::force_jacobian | Part::mass_product_jacobian | Part::multiplier_jacobian;
  if (shape_.own_kinematics) linear_parts_ = linear_parts_ | Part::kinematics_jacobian;
}

Point::View ConstrainedSystem::place(VectorIn y) {
  if (shape_.norms() == 0) return {y.data(), nz_};
  z_ = y.head(nz_);
  problem_.normalize(z_.head(layout_.nq));
  return {z_.data(), nz_};
}

void ConstrainedSystem::level_rows(VectorIn z, VectorIn y, VectorIn yp, VectorOut r) {
  const int nv = shape_.nv, nq = layout_.nq;
  for (int j = 0; j + 1 < layout_.order; ++j) {
    const int at = layout_.offset(j);
    const auto next = y.segment(layout_.offset(j + 1), nv);
    const auto minus_push = minus_push_.segment(j * nv, nv);
    if (j > 0 || !shape_.own_kinematics) {
      r.segment(at, nv) = yp.segment(at, nv) - next + minus_push;
      continue;
    }
    speed_ = minus_push - next;
    if (framed_) {
      across_ = yp.head(nq);
      across_.noalias() += parts_.N.lazyProduct(speed_);
      speed_.noalias() = linear_.N_plus.lazyProduct(across_);
      across_ = y.head(nq) - z.head(nq);
      speed_.noalias() -= linear_.N_plus.lazyProduct(across_);
      r.head(nq) = across_;
    } else if (shape_.norms() > 0) {
      speed_.noalias() += linear_.N_plus.lazyProduct(yp.head(nq));
      r.head(nq) = y.head(nq) - z.head(nq);
    } else {
      r.head(nq) = yp.head(nq);
    }
    r.head(nq).noalias() += linear_.N.lazyProduct(speed_);
  }
}

Status ConstrainedSystem::top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  auto top = r.segment(nz_ - nv, nv);
  const auto rate = yp.segment(nz_ - nv, nv);
  if (!forces_) {
    const Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, workspace_);
    if (status != Status::ok) return status;
    top = rate - a_ + minus_push_.segment(layout_.tangent_size() - nv, nv);
    return Status::ok;
  }
  top = parts_.f;
  mass_kernel_.times_minus(nv, nv, parts_.M.data(), rate.data(), top.data());
  minus_lambda_ = -y.segment(nz_, ng);
  if (shape_.given_input)
    linalg::loops::subtract_product(nv, top.data(), ng, parts_.B.data(), nv, minus_lambda_.data(), 1);
  else
    kernel_.minus_transposed_times(ng, nv, parts_.G.data(), minus_lambda_.data(), top.data());
  if (nk > 0) top.noalias() += parts_.K.transpose().lazyProduct(y.segment(nz_ + ng, nk));
  if (!redundant_.none()) redundant_.add_to_forces(parts_, y.segment(nz_, ng + nk), top);
  return Status::ok;
}

Status ConstrainedSystem::evaluate(Parts parts, const Point& at) {
  evaluated_ = false;
  problem_.evaluate(parts, at, parts_);
  Status status = rows_.evaluate(at.t, at.z);
  if (status == Status::ok) status = pushes_.prepare(at.t, at.z, parts_);
  evaluated_ = status == Status::ok;
  return status;
}

Status ConstrainedSystem::set_kinematics() {
  const bool as_is = !shape_.own_kinematics || framed_;
  return as_is || linear_.set_kinematics(parts_.N) ? Status::ok : Status::singular_step;
}

void ConstrainedSystem::set_beside() {
  if (form_.beside == 1)  // G alone, in every iteration
    std::copy_n(parts_.G.data(), parts_.G.size(), linear_.A2.data());
  else
    beside_.jacobian(parts_, linear_.A2);
}

Status ConstrainedSystem::push(VectorIn s) {
  if (pushes_.none()) return Status::ok;
  pushes_.minus_push(parts_, rows_, s, minus_push_.head(layout_.tangent_size()));
  const int count = static_cast<int>(minus_push_.size());
  return linalg::blocks::all_finite(count, minus_push_.data()) ? Status::ok : Status::not_finite;
}

Status ConstrainedSystem::residual(double t, VectorIn y, VectorIn yp, VectorOut r) {
  ++work().rhs;
  const Point::View z = place(y);
  if (const Status status = evaluate(residual_parts_, Point(t, z)); status != Status::ok) return status;
  if (const Status status = push(y.tail(ns_)); status != Status::ok) return status;
  if (const Status status = set_kinematics(); status != Status::ok) return status;
  level_rows(z, y, yp, r);
  if (const Status status = top_rows(t, z, y, yp, r); status != Status::ok) return status;
  if (nb_ > 0) {
    if (form_.beside == 1)
      std::copy_n(parts_.g.data(), nb_, r.data() + nz_ + ns_);
    else
      beside_.residual(parts_, r.tail(nb_));
    if (!form_.generalized.frozen) set_beside();
  }
  if (!form_.differentiated) {
    rows_.residual(parts_, r.segment(nz_, ns_));
    if (offsets_.size() > 0) r.segment(nz_, shape_.ng) -= offsets_;
  } else {
    const int nv = shape_.nv, at = nz_ - nv;
    const Status status =
        acceleration_rows_.residual(parts_, yp.segment(at, nv), r.segment(at, nv), r.segment(nz_, ns_));
    if (status != Status::ok) return status;
  }
  if (!redundant_.none()) redundant_.replace(parts_, y.tail(ns_), r.segment(nz_, ns_));
  return Status::ok;
}

Status ConstrainedSystem::linearize(double t, VectorIn y, VectorIn yp) {
  ++work().jacobians;
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  const auto rate = yp.segment(nz_ - nv, nv);
  const Point at = forces_ ? Point(t, z, rate, y.segment(nz_, ng), y.segment(nz_ + ng, nk)) : Point(t, z);
  if (const Status status = evaluate(linear_parts_, at); status != Status::ok) return status;
  pushes_.matrix(parts_, rows_, linear_.U);
  linearized_by_ = tau_;
  if (!linear_.U.allFinite()) return Status::not_finite;
  if (shape_.own_kinematics) {
    if (!linear_.set_kinematics(parts_.N)) return Status::singular_step;
    linear_.set_kinematics_jacobian(parts_.Nv_q);
    framed_ = stages_ && shape_.norms() > 0;
  }
  if (form_.differentiated) {
    const Status status =
        acceleration_rows_.jacobian(t, z, y.segment(nz_, ng), y.segment(nz_ + ng, nk), linear_.C, linear_.E);
    if (status != Status::ok) return status;
  } else {
    rows_.jacobian(parts_, linear_.C);
  }
  if (nb_ > 0) set_beside();
  linear_.constraints.topRows(ng) = parts_.G;
  if (nk > 0) linear_.constraints.bottomRows(nk) = parts_.K;
  if (forces_) {
    linear_.M = parts_.M;
    linear_.A = -parts_.f_z;
    linear_.A.leftCols(nv) += parts_.Ma_x + parts_.Bl_x;
    if (shape_.given_input)
      linear_.S.leftCols(ng) = parts_.B;
    else
      linear_.S.leftCols(ng) = parts_.G.transpose();
    if (nk > 0) linear_.S.middleCols(ng, nk) = parts_.K.transpose();
    redundant_.leave_out(t, z, parts_, linear_);
    return Status::ok;
  }
  Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, workspace_);
  if (status == Status::ok) status = acceleration_jacobian_.compute(t, z, a_, multipliers_, no_feedback_);
  if (status != Status::ok) return status;
  linear_.A = -acceleration_jacobian_.a_z();
  linear_.S = -linear_.U.bottomRows(nv);
  redundant_.leave_out(t, z, parts_, linear_);
  return Status::ok;
}

}  // namespace

bool imposes_positions_alone(const ConstrainedForm& form, const Shape& shape) {
  return shape.order == 2 && form.stabilized == 0 && form.beside == 0 && !form.differentiated &&
         form.imposed.size() == 1 && form.imposed[0] == only(0, 2);
}

std::vector<double> only(int level, int order) {
  std::vector<double> coefficients(static_cast<std::size_t>(order), 0);
  coefficients[static_cast<std::size_t>(level)] = 1;
  return coefficients;
}

bool has_stages(const Discretization& by) {
  const bool one_step = by.decay == 0, first_order = by.moments.size() > 1 && by.moments[1] != 0.5;
  return one_step && !first_order;
}

std::unique_ptr<System> constrained_system(const Problem& problem, const ConstrainedForm& form) {
  if (has_sparse_system(problem, form)) return sparse_constrained_system(problem, form);
  check_whole_matrices(problem.shape());
  return std::make_unique<ConstrainedSystem>(problem, form);
}

}  // namespace driftless::formulations
