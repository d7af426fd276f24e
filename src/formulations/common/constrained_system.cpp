#include "constrained_system.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/whole_matrices.hpp>
#include <driftless/linalg/blocks.hpp>
#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/loops.hpp>

#include "acceleration_jacobian.hpp"
#include "acceleration_rows.hpp"
#include "constrained_base.hpp"
#include "generalized_matrix.hpp"
#include "imposed_rows.hpp"
#include "level_elimination.hpp"
#include "pushes.hpp"
#include "redundant_rows.hpp"
#include "sparse_constrained_system.hpp"
#include "ssf_matrix.hpp"

namespace driftless::formulations {

namespace {

using Top = ConstrainedForm::Top;

// The rows beside, as a form of their own.
ConstrainedForm beside(const Problem& problem, const ConstrainedForm& form) {
  const int m = problem.shape().order;
  ConstrainedForm rows{.velocities = form.beside == m};
  for (int level = 0; level < form.beside; ++level) rows.imposed.push_back(only(level, m));
  return rows;
}

class ConstrainedSystem final : public ConstrainedBase {
 public:
  ConstrainedSystem(const Problem& problem, const ConstrainedForm& form)
      : ConstrainedBase(problem, form),
        rows_(problem, form),
        beside_(problem, beside(problem, form)),
        acceleration_rows_(problem),
        pushes_(problem, form, forces_ ? shape_.multipliers() : 0),
        acceleration_jacobian_(problem),
        redundant_(problem, form_),
        kernel_(linalg::cholesky_kernel(shape_.ng)),
        mass_kernel_(linalg::cholesky_kernel(shape_.nv)),
        linear_(problem, forces_, ns_, nb_),
        minus_lambda_(Vector::Zero(shape_.ng)),
        minus_push_(Vector::Zero(linalg::blocks::up(layout_.tangent_size()))),
        speed_(Vector::Zero(shape_.nv)),
        across_(Vector::Zero(shape_.nq)) {
    if (form_.differentiated) linear_.E.setZero(ns_, ns_);
    choose_parts();
    if (form_.mechanical)
      mechanical_ = mechanical_view(problem, work(), *form_.mechanical,
                                    [this](auto... at) { return directions(at...); });
  }

  // System
  // lambda of differentiated rows is determined by the state, and no other unknown feels what the corrector leaves of it.
  Status complete(State& state) override {
    if (!keeps_multipliers()) return multipliers(state);
    if (redundant_.full()) return Status::ok;
    problem_.evaluate(residual_parts_, Point(state.t, state.z), parts_);
    evaluated_ = false;
    redundant_.least_norm(parts_, state);
    ++work().rhs;  // rows left out are looked at here only: do they demand what the others do?
    return problem_.acceleration(state.t, state.z, no_r_, a_, multipliers_, workspace_);
  }
  const Matrix* constraint_rows() const override {
    return evaluated_ && shape_.nk == 0 && residual_parts_.has(Part::jacobian) ? &parts_.G : nullptr;
  }

  // DaeSystem
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override { linear_.assemble(F_y, F_yp); }
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
  Manifold& manifold() override { return rows_.manifold(); }
  const Manifold& manifold() const override { return rows_.manifold(); }
  const std::vector<int>& left_out() const override { return redundant_.left_out(); }
  void start_step(double t, VectorIn y) override { pushes_.directions().begin(t, y.head(nz_)); }
  double pushed_speed(VectorIn y) override {
    const bool known = evaluated_ && push(y.tail(ns_)) == Status::ok;
    return known ? minus_push_.head(shape_.nv).lpNorm<Eigen::Infinity>() : 0;
  }
  void keep_frame(double t, VectorIn y) override {
    problem_.evaluate(Part::kinematics, Point(t, place(y)), parts_);
    framed_ = linear_.set_kinematics(parts_.N);
  }
  double mean_mass(double t, VectorIn y) override {
    problem_.evaluate(Part::mass, Point(t, place(y)), parts_);
    evaluated_ = false;
    return parts_.M.trace() / shape_.nv;
  }
  std::string explain_singular(double t) const override;
  void measure_time_by(double tau) override;

  void choose_parts();
  Status directions(double t, VectorIn z, MatrixOut D);
  Status evaluate(Parts parts, const Point& at);  // parts_, rows_ and pushes_ there
  Status set_kinematics();                        // N and N^+ there, or of the step's frame
  void set_beside();                              // the derivatives of the rows beside
  Status push(VectorIn s);                        // minus_push_ = -U s, where all was evaluated last
  void level_rows(VectorIn z, VectorIn y, VectorIn yp, VectorOut r);  // with minus_push_
  Status top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r);

  ImposedRows rows_;
  ImposedRows beside_;
  AccelerationRows acceleration_rows_;
  Pushes pushes_;
  AccelerationJacobian acceleration_jacobian_;
  Parts residual_parts_, linear_parts_;
  Evaluation parts_;
  bool evaluated_ = false;
  RedundantRows redundant_;
  const linalg::CholeskyKernel& kernel_;       // for matrices of ng rows
  const linalg::CholeskyKernel& mass_kernel_;  // and of nv rows
  Linearization linear_;
  const Matrix no_feedback_;
  Vector minus_lambda_;
  Vector minus_push_;  // with zeros up to whole blocks
  Vector speed_, across_;
};

std::string ConstrainedSystem::explain_singular(double t) const {
  if (pushes_.directions().lost())
    return fmt::format(
        "the constraints do not change along D near t = {:.10g} (G D is singular), so that multipliers "
        "cannot impose them; use "
        "another D, for instance D=transpose",
        t);
  if (nb_ > 0 && !form_.generalized.definition)
    return fmt::format(
        "the matrix of the step at t = {:.10g} is singular without the equations too many, and "
        "solution=schur "
        "needs it; use "
        "solution=extended, or another step",
        t);
  return {};
}

void ConstrainedSystem::measure_time_by(double tau) {
  ConstrainedBase::measure_time_by(tau);
  pushes_.measure_time_by(tau);
  linear_.tau = tau;
}

Status ConstrainedSystem::directions(double t, VectorIn z, MatrixOut D) {
  DirectionMap& map = pushes_.directions();
  problem_.evaluate(map.parts(), Point(t, z), parts_);
  evaluated_ = false;
  map.begin(t, z);
  return map.compute(t, z, parts_, D);
}

void ConstrainedSystem::choose_parts() {
  const int nk = shape_.nk;
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
