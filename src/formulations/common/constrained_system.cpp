#include "constrained_system.hpp"

#include <fmt/format.h>

#include <driftless/core/invariants_option.hpp>
#include <driftless/core/manifold.hpp>

#include "acceleration_jacobian.hpp"
#include "direction_map.hpp"
#include "level_elimination.hpp"

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
        manifold_(problem, choose_invariants(problem, form.invariants)),
        directions_(problem, form.D),
        acceleration_jacobian_(problem),
        D_(Matrix::Zero(shape_.nv, shape_.ng)),
        no_r_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        multipliers_(no_r_),
        displacement_(Vector::Zero(layout_.tangent_size())) {
    lay_out();
    prepare_linearization();
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
  Status complete(State& state) override { return forces_ ? Status::ok : multipliers(state); }
  void anchor(const State& state) override { manifold_.anchor(state.t, state.z); }
  std::vector<double> anchored() const override { return manifold_.anchored(); }
  void restore_anchor(const std::vector<double>& values) override { manifold_.anchor(values); }
  std::string explain(Status status, double t, VectorIn y) const override;
  DaeSystem* dae() override { return this; }

  // DaeSystem
  int equations() const override { return nz_ + ns_; }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override;
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override {
    return std::make_unique<LevelElimination<double>>(linear_, work());
  }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return std::make_unique<LevelElimination<std::complex<double>>>(linear_, work());
  }

 private:
  void lay_out();
  void prepare_linearization();
  Status push_directions(double t, VectorIn z);  // U from the parts evaluated there
  Point::View place(VectorIn y);  // z with its norms, where everything but the norms themselves is evaluated
  void level_rows(VectorIn z, VectorIn y, VectorIn yp, VectorOut r);
  Status top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r);
  void constraint_rows(VectorOut r) const;
  void constraint_jacobian(MatrixOut C) const;
  bool invert_kinematics();

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  const ConstrainedForm form_;
  const bool forces_;
  const int nz_;
  int ns_ = 0;
  int stabilizing_ = 0;  // where stabilizing multipliers begin among s
  std::vector<Block> blocks_;
  std::vector<int> index_;
  Manifold manifold_;  // for invariants and kinematics
  DirectionMap directions_;
  AccelerationJacobian acceleration_jacobian_;
  Parts residual_parts_, linear_parts_;
  Evaluation parts_;
  Workspace workspace_;
  Linearization linear_;
  linalg::DenseLu<double> normal_;  // N^T N
  Matrix D_, U_, H_, NtN_, Nv_qN_;
  const Matrix no_feedback_;
  Vector no_r_, a_, multipliers_, displacement_, rates_, speed_, z_;
};

std::string ConstrainedSystem::explain(Status status, double t, VectorIn y) const {
  if (status == Status::singular_step && form_.stabilized > 0) {
    DirectionMap directions(problem_, form_.D);
    Evaluation parts;
    problem_.evaluate(directions.parts() | Part::jacobian, Point(t, y.head(nz_)), parts);
    Matrix D = Matrix::Zero(shape_.nv, shape_.ng);
    if (directions.compute(t, y.head(nz_), parts, D) == Status::ok && linalg::rank(parts.G * D) < shape_.ng)
      return fmt::format(
          "the constraints do not change along D at t = {:.10g} (G D is singular), so that multipliers "
          "cannot impose them; use "
          "another D, for instance D=transpose",
          t);
  }
  return problem_.explain(status, t, y.head(nz_));
}

void ConstrainedSystem::lay_out() {
  const int ng = shape_.ng, nk = shape_.nk;
  const int invariants = manifold_.rows() - manifold_.constraint_rows();
  const auto add = [&](const std::string& name, int count) {
    if (count > 0) blocks_.push_back({name, nz_ + ns_, count});
    ns_ += count;
  };
  if (forces_) ns_ = stabilizing_ = ng + nk;
  for (int level = 0; level < form_.stabilized; ++level) add(name_of_level(level), ng);
  if (!forces_ && form_.velocities) add("eta_w", nk);
  add("mu_i", invariants);

  index_.assign(static_cast<std::size_t>(nz_ + ns_), 2);
  for (int i = 0; i < nz_; ++i)
    index_[static_cast<std::size_t>(i)] = i < layout_.nq ? 0 : form_.velocity_index;
  if (forces_)
    for (int i = 0; i < ng; ++i) index_[static_cast<std::size_t>(nz_ + i)] = form_.lambda_index;

  residual_parts_ = directions_.parts() | Part::position;
  if (form_.stabilized == 0) residual_parts_ = Part::position;
  if (shape_.order > 1) residual_parts_ = residual_parts_ | Part::rates;
  if (forces_) residual_parts_ = residual_parts_ | Part::mass | Part::force | Part::input;
  if (form_.mass_metric) residual_parts_ = residual_parts_ | Part::mass;
  if (form_.velocities && nk > 0)
    residual_parts_ = residual_parts_ | Part::velocity | Part::velocity_jacobian;
  if (form_.coupled && shape_.order > 1) residual_parts_ = residual_parts_ | Part::rate_jacobian;
  if (form_.coupled && nk > 0) residual_parts_ = residual_parts_ | Part::velocity_drift;

  if (shape_.own_kinematics) residual_parts_ = residual_parts_ | Part::kinematics;

  linear_parts_ = residual_parts_ | Part::jacobian;
  if (shape_.order > 1) linear_parts_ = linear_parts_ | Part::rate_jacobian;
  if (nk > 0) linear_parts_ = linear_parts_ | Part::velocity_jacobian | Part::velocity_drift;
  if (forces_)
    linear_parts_ =
        linear_parts_ | Part::force_jacobian | Part::mass_product_jacobian | Part::multiplier_jacobian;
  if (shape_.own_kinematics) linear_parts_ = linear_parts_ | Part::kinematics_jacobian;
}

void ConstrainedSystem::prepare_linearization() {
  const int nv = shape_.nv, tangent = layout_.tangent_size();
  Linearization& at = linear_;
  at.layout = layout_;
  at.own_kinematics = shape_.own_kinematics;
  at.normalized = shape_.norms() > 0;
  at.forces = forces_;
  at.M.setZero(nv, nv);
  at.A.setZero(nv, tangent);
  at.S.setZero(nv, ns_);
  at.C.setZero(ns_, tangent);
  U_.setZero(tangent, ns_);
  at.U = U_;
  at.constraints.setZero(shape_.multipliers(), nv);
  if (shape_.own_kinematics) {
    at.N.setZero(layout_.nq, nv);
    at.N_plus.setZero(nv, layout_.nq);
    at.W.setZero(nv, nv);
    Nv_qN_.setZero(layout_.nq, nv);
    rates_.setZero(layout_.nq);
    speed_.setZero(nv);
    z_.setZero(nz_);
    NtN_.setZero(nv, nv);
    normal_ = linalg::DenseLu<double>(nv);
  }
  H_.setZero(manifold_.rows(), tangent);
}

Status ConstrainedSystem::push_directions(double t, VectorIn z) {
  if (ns_ == stabilizing_) return Status::ok;
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv, m = shape_.order;
  int column = stabilizing_;
  if (form_.stabilized > 0)
    if (const Status status = directions_.compute(t, z, parts_, D_); status != Status::ok) return status;
  for (int j = 0; j < form_.stabilized; ++j, column += ng) {
    auto own = U_.block(j * nv, column, nv, ng);
    own = D_;
    if (form_.mass_metric && j == m - 1)
      if (const Status status = directions_.divide_by_mass(parts_, own); status != Status::ok) return status;
    if (form_.coupled)
      for (int i = 0; i < j; ++i)
        U_.block(i * nv, column, nv, ng) =
            binomial(j, i) * parts_.L[static_cast<std::size_t>(j - i - 1)].transpose();
  }
  if (!forces_ && form_.velocities && nk > 0) {
    auto own = U_.block(nv, column, nv, nk);
    own = parts_.K.transpose();
    const bool by_mass = form_.mass_metric || form_.D.kind == Direction::input;
    if (by_mass)
      if (const Status status = directions_.divide_by_mass(parts_, own); status != Status::ok) return status;
    if (form_.coupled) U_.block(0, column, nv, nk) = parts_.w_x.transpose();
    column += nk;
  }
  if (column < ns_) {
    if (const Status status = manifold_.linearize(t, z); status != Status::ok) return status;
    manifold_.jacobian(H_);
    U_.rightCols(ns_ - column) = H_.bottomRows(ns_ - column).transpose();
  }
  return Status::ok;
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
    auto speed = displacement_.segment(j * nv, nv);
    speed = y.segment(layout_.offset(j + 1), nv);
    speed.noalias() += U_.middleRows(j * nv, nv).lazyProduct(y.tail(ns_));
    if (j > 0 || !shape_.own_kinematics) {
      r.segment(at, nv) = yp.segment(at, nv) - speed;
      continue;
    }
    if (shape_.norms() > 0) {
      speed_.noalias() = linear_.N_plus.lazyProduct(yp.head(nq));
      speed_ -= speed;
      r.head(nq).noalias() = linear_.N.lazyProduct(speed_);
      r.head(nq) += y.head(nq) - z.head(nq);
    } else {
      rates_.noalias() = linear_.N.lazyProduct(speed);
      r.head(nq) = yp.head(nq) - rates_;
    }
  }
}

Status ConstrainedSystem::top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  auto top = r.segment(nz_ - nv, nv);
  const auto rate = yp.segment(nz_ - nv, nv);
  if (!forces_) {
    const Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, workspace_);
    if (status != Status::ok) return status;
    top = rate - a_;
    top.noalias() -= U_.bottomRows(nv).lazyProduct(y.tail(ns_));
    return Status::ok;
  }
  top.noalias() = parts_.M.lazyProduct(rate);
  top -= parts_.f;
  top.noalias() += parts_.B.lazyProduct(y.segment(nz_, ng));
  if (nk > 0) top.noalias() += parts_.K.transpose().lazyProduct(y.segment(nz_ + ng, nk));
  return Status::ok;
}

void ConstrainedSystem::constraint_rows(VectorOut r) const {
  const int ng = shape_.ng;
  int row = nz_;
  for (const std::vector<double>& coefficients : form_.imposed) {
    auto block = r.segment(row, ng);
    block = coefficients[0] * parts_.g;
    for (int j = 1; j < shape_.order; ++j)
      block += coefficients[static_cast<std::size_t>(j)] * parts_.rates.col(j - 1);
    row += ng;
  }
  if (form_.velocities && shape_.nk > 0) {
    r.segment(row, shape_.nk) = parts_.w;
    row += shape_.nk;
  }
  const auto rest = nz_ + ns_ - row;
  if (rest > 0) r.tail(rest) = manifold_.h().tail(rest);
}

Status ConstrainedSystem::residual(double t, VectorIn y, VectorIn yp, VectorOut r) {
  ++work().rhs;
  const Point::View z = place(y);
  problem_.evaluate(residual_parts_, Point(t, z), parts_);
  if (const Status status = push_directions(t, z); status != Status::ok) return status;
  if (shape_.own_kinematics && !invert_kinematics()) return Status::singular_step;
  level_rows(z, y, yp, r);
  constraint_rows(r);
  return top_rows(t, z, y, yp, r);
}

// d g^(j) / d x_i = binomial(j, i) L_{j-i}
void ConstrainedSystem::constraint_jacobian(MatrixOut C) const {
  const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
  int row = 0;
  C.setZero();
  for (const std::vector<double>& coefficients : form_.imposed) {
    for (int j = 0; j < shape_.order; ++j) {
      const double coefficient = coefficients[static_cast<std::size_t>(j)];
      if (coefficient == 0) continue;
      for (int i = 0; i <= j; ++i) {
        const Matrix& block = i == j ? parts_.G : parts_.L[static_cast<std::size_t>(j - i - 1)];
        C.block(row, i * nv, ng, nv) += coefficient * binomial(j, i) * block;
      }
    }
    row += ng;
  }
  if (form_.velocities && nk > 0) {
    C.block(row, 0, nk, nv) = parts_.w_x;
    C.block(row, nv, nk, nv) = parts_.K;
    row += nk;
  }
  if (row < ns_) C.bottomRows(ns_ - row) = H_.bottomRows(ns_ - row);
}

// N^+ = (N^T N)^-1 N^T; false where coordinates stand still whatever the velocities.
bool ConstrainedSystem::invert_kinematics() {
  linear_.N = parts_.N;
  NtN_.noalias() = parts_.N.transpose().lazyProduct(parts_.N);
  if (!normal_.factor(NtN_)) return false;
  for (int i = 0; i < layout_.nq; ++i) {
    linear_.N_plus.col(i) = parts_.N.row(i).transpose();
    normal_.solve(linear_.N_plus.col(i), linear_.N_plus.col(i));
  }
  return true;
}

Status ConstrainedSystem::linearize(double t, VectorIn y, VectorIn yp) {
  ++work().jacobians;
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  const auto rate = yp.segment(nz_ - nv, nv);
  if (forces_)
    problem_.evaluate(linear_parts_, Point(t, z, rate, y.segment(nz_, ng), y.segment(nz_ + ng, nk)), parts_);
  else
    problem_.evaluate(linear_parts_, Point(t, z), parts_);
  if (const Status status = push_directions(t, z); status != Status::ok) return status;
  linear_.U = U_;
  if (shape_.own_kinematics) {
    if (!invert_kinematics()) return Status::singular_step;
    Nv_qN_.noalias() = parts_.Nv_q.lazyProduct(parts_.N);
    linear_.W.noalias() = linear_.N_plus.lazyProduct(Nv_qN_);
  }
  constraint_jacobian(linear_.C);
  linear_.constraints.topRows(ng) = parts_.G;
  if (nk > 0) linear_.constraints.bottomRows(nk) = parts_.K;
  if (forces_) {
    linear_.M = parts_.M;
    linear_.A = -parts_.f_z;
    linear_.A.leftCols(nv) += parts_.Ma_x + parts_.Bl_x;
    linear_.S.leftCols(ng) = parts_.B;
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

void ConstrainedSystem::assemble(MatrixOut F_y, MatrixOut F_yp) const {
  const int nv = shape_.nv, nq = layout_.nq, m = layout_.order;
  const Linearization& at = linear_;
  // Rows of derivatives along displacements, by the entries of z.
  const auto by_entries = [&](const Matrix& along, auto by) {
    by.rightCols(nz_ - nq) = along.rightCols(nz_ - nq);
    if (shape_.own_kinematics)
      by.leftCols(nq) = along.leftCols(nv) * at.N_plus;
    else
      by.leftCols(nq) = along.leftCols(nv);
  };
  F_y.setZero();
  F_yp.setZero();
  F_yp.topLeftCorner(nz_ - nv, nz_ - nv).setIdentity();
  for (int j = 0; j + 1 < m; ++j) {
    const Matrix N = j == 0 && shape_.own_kinematics ? at.N : Matrix::Identity(nv, nv);
    F_y.block(layout_.offset(j), layout_.offset(j + 1), N.rows(), nv) = -N;
    F_y.block(layout_.offset(j), nz_, N.rows(), ns_) = -N * at.U.middleRows(j * nv, nv);
  }
  if (shape_.own_kinematics) {
    const Matrix in_range = at.normalized ? Matrix(at.N * at.N_plus) : Matrix::Identity(nq, nq);
    F_yp.topLeftCorner(nq, nq) = in_range;
    F_y.topLeftCorner(nq, nq) = Matrix::Identity(nq, nq) - in_range - at.N * at.W * at.N_plus;
  }
  F_yp.block(nz_ - nv, nz_ - nv, nv, nv) = forces_ ? at.M : Matrix::Identity(nv, nv);
  by_entries(at.A, F_y.block(nz_ - nv, 0, nv, nz_));
  F_y.block(nz_ - nv, nz_, nv, ns_) = at.S;
  by_entries(at.C, F_y.block(nz_, 0, ns_, nz_));
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
