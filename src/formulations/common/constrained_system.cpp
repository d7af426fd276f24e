#include "constrained_system.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/invariants_option.hpp>

#include <driftless/linalg/blocks.hpp>
#include <driftless/linalg/kernels.hpp>
#include <driftless/linalg/loops.hpp>

#include "acceleration_jacobian.hpp"
#include "imposed_rows.hpp"
#include "level_elimination.hpp"
#include "pushes.hpp"

namespace driftless::formulations {

namespace {

using Top = ConstrainedForm::Top;

// A block of multipliers among the unknowns, and the extra of State that shows it.
struct Block {
  std::string name;
  int first;
  int count;
};

std::string name_of_level(int level) {
  return level == 0 ? "mu" : level == 1 ? "eta" : fmt::format("eta{}", level);
}

class ConstrainedSystem final : public System, public DaeSystem {
 public:
  ConstrainedSystem(const Problem& problem, const ConstrainedForm& form)
      : problem_(problem),
        shape_(problem.shape()),
        layout_(shape_.layout()),
        form_(form),
        forces_(form.top == Top::forces),
        nz_(layout_.size()),
        rows_(problem, form),
        ns_(rows_.count()),
        pushes_(problem, form, forces_ ? shape_.multipliers() : 0),
        acceleration_jacobian_(problem),
        kernel_(linalg::cholesky_kernel(shape_.ng)),
        mass_kernel_(linalg::cholesky_kernel(shape_.nv)),
        linear_(shape_, forces_, ns_),
        no_r_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        multipliers_(no_r_),
        minus_lambda_(Vector::Zero(shape_.ng)),
        minus_push_(Vector::Zero(linalg::blocks::up(layout_.tangent_size()))),
        speed_(Vector::Zero(shape_.nv)),
        z_(Vector::Zero(nz_)) {
    lay_out();
  }

  // System
  int size() const override { return nz_ + ns_; }
  void pack(const State& state, VectorOut y) const override {
    y.head(nz_) = state.z;
    if (forces_) {
      y.segment(nz_, shape_.ng) = state.lambda;
      y.segment(nz_ + shape_.ng, shape_.nk) = state.kappa;
    }
    for (const Block& block : blocks_) {
      const Vector* value = state.extra(block.name);
      if (value && value->size() == block.count)
        y.segment(block.first, block.count) = *value;
      else
        y.segment(block.first, block.count).setZero();
    }
  }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y.head(nz_);
    if (forces_) {
      state.lambda = y.segment(nz_, shape_.ng);
      state.kappa = y.segment(nz_ + shape_.ng, shape_.nk);
    }
    for (const Block& block : blocks_)
      if (Vector* value = state.extra(block.name)) *value = y.segment(block.first, block.count);
  }
  void prepare(State& state) const override {
    for (const Block& block : blocks_)
      if (!state.extra(block.name)) state.extras.push_back({block.name, Vector::Zero(block.count)});
  }
  Status multipliers(State& state) override {
    ++work().rhs;
    const Status status = problem_.acceleration(state.t, state.z, no_r_, a_, multipliers_, workspace_);
    state.lambda = multipliers_.head(shape_.ng);
    state.kappa = multipliers_.tail(shape_.nk);
    return status;
  }
  Status rates(const State& state, VectorOut yp) override;
  Status complete(State& state) override { return forces_ ? Status::ok : multipliers(state); }
  void anchor(const State& state) override {
    rows_.manifold().anchor(state.t, state.z);
    step_ = step_before_ = 0;
    step_t_ = -std::numeric_limits<double>::infinity();
  }
  // The values of the invariants, and the last step.
  std::vector<double> anchored() const override {
    std::vector<double> values = rows_.manifold().anchored();
    values.push_back(step_);
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    rows_.manifold().anchor({values.begin(), values.end() - 1});
    step_ = values.back();
  }
  std::string explain(Status status, double t, VectorIn y) const override;
  bool begin_step(double t, VectorIn y, double h) override;
  void discretized_by(const Discretization& by) override { one_step_ = by.decay == 0; }
  std::vector<std::string> notes() const override;
  DaeSystem* dae() override { return this; }

  // DaeSystem
  int equations() const override { return nz_ + ns_; }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override { linear_.assemble(F_y, F_yp); }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return nz_; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override {
    return std::make_unique<LevelElimination<double>>(linear_, work());
  }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return std::make_unique<LevelElimination<std::complex<double>>>(linear_, work());
  }

 private:
  void lay_out();
  Status evaluate(Parts parts, const Point& at);  // parts_, rows_ and pushes_ there
  Status set_kinematics();                        // N and N^+ there
  Status push(VectorIn s);                        // minus_push_ = -U s, where all was evaluated last
  Point::View place(VectorIn y);  // z with its norms, where everything but the norms themselves is evaluated
  void level_rows(VectorIn z, VectorIn y, VectorIn yp, VectorOut r);  // with minus_push_
  Status top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r);

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  const ConstrainedForm form_;
  const bool forces_;
  const int nz_;
  ImposedRows rows_;
  const int ns_;  // multipliers, as many as rows
  Pushes pushes_;
  double largest_push_ = 0, largest_speed_ = 0;
  bool one_step_ = true;  // the method that integrates it
  // For notes(): the last two steps, and where the last began.
  double step_ = 0, step_before_ = 0, step_t_ = -std::numeric_limits<double>::infinity();
  std::vector<Block> blocks_;
  std::vector<int> index_;
  AccelerationJacobian acceleration_jacobian_;
  Parts residual_parts_, linear_parts_;
  Evaluation parts_;
  bool evaluated_ = false;
  Workspace workspace_;
  const linalg::CholeskyKernel& kernel_;       // for matrices of ng rows
  const linalg::CholeskyKernel& mass_kernel_;  // and of nv rows
  Linearization linear_;
  const Matrix no_feedback_;
  Vector no_r_, a_, multipliers_, minus_lambda_;
  Vector minus_push_;  // with zeros up to whole blocks
  Vector speed_, z_;
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
  const bool divides = form_.mass_metric || (form_.stabilized > 0 && form_.D.kind == Direction::input);
  if (status == Status::singular_mass && divides)
    return fmt::format(
        "the mass matrix is singular at t = {:.10g}, and this formulation divides by it; use ggl or "
        "projected-invariants with "
        "D=transpose",
        t);
  return problem_.explain(status, t, y.head(nz_));
}

bool ConstrainedSystem::begin_step(double t, VectorIn y, double h) {
  pushes_.directions().begin(t, y.head(nz_));
  if (layout_.order > 1 && form_.stabilized > 0) {
    if (evaluated_ && push(y.tail(ns_)) == Status::ok)
      largest_push_ = std::max(largest_push_, minus_push_.head(shape_.nv).lpNorm<Eigen::Infinity>());
    largest_speed_ =
        std::max(largest_speed_, y.segment(layout_.offset(1), shape_.nv).lpNorm<Eigen::Infinity>());
  }
  step_before_ = t > step_t_ ? step_ : step_before_;
  step_ = h;
  step_t_ = t;
  return false;
}

std::vector<std::string> ConstrainedSystem::notes() const {
  std::vector<std::string> notes;
  if (largest_push_ > 0.3 * largest_speed_)  // it vanishes on the exact solution
    notes.push_back(
        fmt::format("stabilizing multipliers moved positions at a rate of {:.2g}, as fast as the motion "
                    "itself ({:.2g}): the result may be "
                    "wrong; use a smaller step, or another D",
                    largest_push_, largest_speed_));
  // lambda of index 3 is a second difference of positions: a one-step method has it right only if the last two steps were equal.
  const bool unequal = std::abs(step_ - step_before_) > 1e-6 * step_;
  if (form_.lambda_index == 3 && shape_.ng > 0 && unequal && one_step_)
    notes.push_back(fmt::format(
        "lambda of index3 at the end has an error that does not get smaller with the step: the last step, "
        "{:.3g}, {}; choose a step "
        "of which the whole time is a multiple, or another formulation",
        step_, step_before_ == 0 ? "was the first" : fmt::format("followed one of {:.3g}", step_before_)));
  return notes;
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

void ConstrainedSystem::lay_out() {
  const int ng = shape_.ng, nk = shape_.nk;
  int first = nz_ + (forces_ ? ng + nk : 0);
  const auto add = [&](const std::string& name, int count) {
    if (count > 0) blocks_.push_back({name, first, count});
    first += count;
  };
  for (int level = 0; level < form_.stabilized; ++level) add(name_of_level(level), ng);
  if (!forces_ && form_.velocities) add("eta_w", nk);
  add("mu_i", rows_.invariants());

  index_.assign(static_cast<std::size_t>(nz_ + ns_), 2);
  for (int i = 0; i < nz_; ++i)
    index_[static_cast<std::size_t>(i)] = i < layout_.offset(layout_.order - 1) ? 0 : form_.velocity_index;
  if (forces_)
    for (int i = 0; i < ng; ++i) index_[static_cast<std::size_t>(nz_ + i)] = form_.lambda_index;

  residual_parts_ = rows_.parts() | pushes_.parts();
  if (forces_) residual_parts_ = residual_parts_ | Part::mass | Part::force | Part::jacobian;
  if (forces_ && shape_.given_input) residual_parts_ = residual_parts_ | Part::input;
  if (forces_ && nk > 0) residual_parts_ = residual_parts_ | Part::velocity_jacobian;
  if (shape_.own_kinematics) residual_parts_ = residual_parts_ | Part::kinematics;
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
    if (shape_.norms() > 0) {
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
  return !shape_.own_kinematics || linear_.set_kinematics(parts_.N) ? Status::ok : Status::singular_step;
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
  rows_.residual(parts_, r.tail(ns_));
  return top_rows(t, z, y, yp, r);
}

Status ConstrainedSystem::linearize(double t, VectorIn y, VectorIn yp) {
  ++work().jacobians;
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  const auto rate = yp.segment(nz_ - nv, nv);
  const Point at = forces_ ? Point(t, z, rate, y.segment(nz_, ng), y.segment(nz_ + ng, nk)) : Point(t, z);
  if (const Status status = evaluate(linear_parts_, at); status != Status::ok) return status;
  pushes_.matrix(parts_, rows_, linear_.U);
  if (!linear_.U.allFinite()) return Status::not_finite;
  if (const Status status = set_kinematics(); status != Status::ok) return status;
  if (shape_.own_kinematics) linear_.set_kinematics_jacobian(parts_.Nv_q);
  rows_.jacobian(parts_, linear_.C);
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
    return Status::ok;
  }
  Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, workspace_);
  if (status == Status::ok) status = acceleration_jacobian_.compute(t, z, a_, multipliers_, no_feedback_);
  if (status != Status::ok) return status;
  linear_.A = -acceleration_jacobian_.a_z();
  linear_.S = -linear_.U.bottomRows(nv);
  return Status::ok;
}

}  // namespace

std::vector<double> only(int level, int order) {
  std::vector<double> coefficients(static_cast<std::size_t>(order), 0);
  coefficients[static_cast<std::size_t>(level)] = 1;
  return coefficients;
}

std::unique_ptr<System> constrained_system(const Problem& problem, const ConstrainedForm& form) {
  return std::make_unique<ConstrainedSystem>(problem, form);
}

}  // namespace driftless::formulations
