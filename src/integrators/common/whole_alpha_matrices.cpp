// With whole matrices:
//   [ M + b2 X P - b1 f_v    B  K^T ]
//   [ rows of constraints    0   0  ]      G;  or  G + (b2/b1) L P  where both are imposed;  and  K + (b2/b1) w_x P
// nu is eliminated by the rows of g: P = I - D (G D)^-1 G, where both are imposed, else I. Where N is not I, derivatives by
// positions (X, L, w_x, and G in the rows of g) are multiplied by T = N^+ d(q (+) d)/dd.
// Instead of rows that others imply, the multipliers are those of least norm, and their nu is zero.
#include <algorithm>

#include <driftless/core/idle_multipliers.hpp>
#include <driftless/linalg/bordered_lu.hpp>
#include <driftless/linalg/dense_lu.hpp>

#include "alpha_matrices.hpp"
#include "long_displacement.hpp"

namespace driftless::integrators {

namespace {

Parts residual_parts(const Shape& shape, bool both) {
  Parts parts = Part::mass | Part::force | Part::input | Part::position;
  if (both) parts = parts | Part::rates;
  if (shape.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian;
  return parts;
}

Parts matrix_parts(const Shape& shape, bool both) {
  Parts parts = Part::mass | Part::input | Part::jacobian | Part::force_jacobian |
                Part::mass_product_jacobian | Part::multiplier_jacobian;
  if (both) parts = parts | Part::rate_jacobian;
  if (shape.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  return parts;
}

class WholeAlphaMatrices final : public AlphaMatrices {
 public:
  explicit WholeAlphaMatrices(MechanicalSystem& system)
      : AlphaMatrices(system, residual_parts(system.problem().shape(), imposes_both(system))),
        linear_parts_(matrix_parts(shape_, both_)),
        lu_(shape_.nv, shape_.multipliers()),
        GD_lu_(both_ ? shape_.ng : 0),
        displacement_(problem_) {
    const int nv = shape_.nv, ng = both_ ? shape_.ng : 0, rows = shape_.multipliers();
    X_.setZero(nv, nv);
    T_.setIdentity(nv, nv);
    DG_.setZero(nv, nv);
    GD_.setZero(ng, ng);
    D_.setZero(nv, ng);
    rows_.setZero(rows, nv);
    matrix_.setZero(nv + rows, nv + rows);
    right_.setZero(nv + rows);
    column_.setZero(ng);
    push_.setZero(nv);
    row_.setZero(nv);
  }

  Storage storage() const override { return Storage::whole; }
  Status directions(double t, VectorIn z, PushDirections& D) override {
    D.whole.resize(shape_.nv, shape_.ng);
    return system_.directions(t, z, D.whole);
  }
  void add_pushes(const PushDirections& D, VectorIn nu, VectorOut sum) const override {
    sum.noalias() += D.whole.lazyProduct(nu);
  }
  void subtract(const Evaluation& at, const AlphaUnknowns& x, VectorOut force) const override {
    force.noalias() -= at.M.lazyProduct(x.a);
    force.noalias() -= at.B.lazyProduct(x.lambda);
    if (shape_.nk > 0) force.noalias() -= at.K.transpose().lazyProduct(x.kappa);
  }
  void replace_rows(const Evaluation& at, const AlphaUnknowns& x, VectorOut right,
                    VectorOut r_g) const override;
  void least_norm(const Evaluation&, AlphaUnknowns&) override {}  // they are

  bool set_displacement(double t, VectorIn q, VectorIn d) override { return displacement_.at(t, q, d, T_); }
  Status linearize(double t, VectorIn z, const AlphaUnknowns& x) override;
  Status factor(double b1, double b2, const PushDirections& D) override;
  void solve(VectorOut right, VectorOut r_g, VectorOut q_increment) override;
  void pull(VectorIn multipliers, VectorOut forces) const override {
    forces.noalias() = linear_.B.lazyProduct(multipliers.head(shape_.ng));
    if (shape_.nk > 0) forces.noalias() += linear_.K.transpose().lazyProduct(multipliers.tail(shape_.nk));
  }
  void smooth(VectorIn values, bool keep, VectorOut smoothed) override {
    const int nv = shape_.nv, rows = shape_.multipliers();
    right_.head(nv).noalias() = linear_.M.lazyProduct(values);
    if (keep)
      right_.tail(rows).noalias() = rows_.lazyProduct(values);
    else
      right_.tail(rows).setZero();
    lu_.solve(right_);
    smoothed = right_.head(nv);
  }
  const std::vector<int>& left_out() const override { return rank_.left_out(); }

  std::vector<double> memory() const override {
    std::vector<double> memory(D_.data(), D_.data() + D_.size());
    memory.insert(memory.end(), T_.data(), T_.data() + T_.size());
    return memory;
  }
  std::size_t memory_size() const override { return static_cast<std::size_t>(D_.size() + T_.size()); }
  void remember(const double* memory, PushDirections& D) override {
    D.whole = Eigen::Map<const Matrix>(memory, D_.rows(), D_.cols());
    std::copy_n(memory + D_.size(), T_.size(), T_.data());
  }

 private:
  Matrix forces_matrix(const Evaluation& at) const;  // [B, K^T]
  void leave_out_rows();
  void leave_out_pushes();  // of those that others imply

  const Parts linear_parts_;
  Evaluation linear_;
  RankDecision rank_;
  Matrix idle_;  // multipliers without forces, where rows depend on each other
  linalg::BorderedLu<double> lu_;
  linalg::DenseLu<double> GD_lu_;
  Matrix T_, X_, G_, L_, w_x_;          // the last four times T
  Matrix DG_, rows_, matrix_, GD_, D_;  // DG_ = D (G D)^-1 G
  Eigen::RowVectorXd row_;
  Vector right_, column_, push_;
  DisplacementDerivative displacement_;
  double b1_ = 0, b2_ = 0;
};

Status WholeAlphaMatrices::linearize(double t, VectorIn z, const AlphaUnknowns& x) {
  const Status status = system_.evaluate(linear_parts_, Point(t, z, x.a, x.lambda, x.kappa), linear_);
  if (status != Status::ok) return status;
  X_ = linear_.Ma_x + linear_.Bl_x - linear_.f_z.leftCols(shape_.nv);
  G_ = linear_.G;
  if (both_) L_ = linear_.L[0];
  if (shape_.nk > 0) w_x_ = linear_.w_x;
  if (shape_.own_kinematics)
    for (Matrix* by_position : {&X_, &G_, &L_, &w_x_})
      for (Eigen::Index i = 0; i < by_position->rows(); ++i) {
        row_.noalias() = by_position->row(i).lazyProduct(T_);
        by_position->row(i) = row_;
      }
  if (shape_.mass != linalg::MassStructure::identity) masses_ = linear_.M.diagonal();
  if (rank_.pending()) rank_.decide(problem_, t, z);
  if (!rank_.full() && both_)
    for (const int i : rank_.left_out())
      if (i < shape_.ng) G_.row(i).setZero();
  return X_.allFinite() && linear_.f_z.allFinite() ? Status::ok : Status::not_finite;
}

Matrix WholeAlphaMatrices::forces_matrix(const Evaluation& at) const {
  Matrix B(shape_.nv, shape_.multipliers());
  B.leftCols(shape_.ng) = at.B;
  if (shape_.nk > 0) B.rightCols(shape_.nk) = at.K.transpose();
  return B;
}

void WholeAlphaMatrices::leave_out_rows() {
  const int nv = shape_.nv, rows = shape_.multipliers();
  const Matrix B = forces_matrix(linear_);
  idle_ = idle_multipliers(B, idle_columns(B, rank_.left_out().size()));
  Eigen::Index next = 0;
  for (const int i : rank_.left_out()) {
    rows_.row(i).setZero();
    matrix_.row(nv + i).setZero();
    matrix_.row(nv + i).tail(rows) = idle_.col(next++).transpose();
  }
}

void WholeAlphaMatrices::leave_out_pushes() {
  std::size_t positions = 0;
  for (const int i : rank_.left_out()) positions += i < shape_.ng;
  const std::vector<int> pushes = idle_columns(D_, positions);
  for (std::size_t k = 0; k < positions; ++k) {
    D_.col(pushes[k]).setZero();
    GD_.col(pushes[k]).setZero();
    GD_(rank_.left_out()[k], pushes[k]) = 1;
  }
}

void WholeAlphaMatrices::replace_rows(const Evaluation& at, const AlphaUnknowns& x, VectorOut right,
                                      VectorOut r_g) const {
  Vector all(shape_.multipliers());
  all << x.lambda, x.kappa;
  const Vector idle = idle_.transpose() * (rank_.least_norm(forces_matrix(at), all) - all);
  Eigen::Index next = 0;
  for (const int i : rank_.left_out()) {
    right(shape_.nv + i) = idle(next++);
    if (both_ && i < shape_.ng) r_g(i) = 0;
  }
}

Status WholeAlphaMatrices::factor(double b1, double b2, const PushDirections& D) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  const Evaluation& e = linear_;
  b1_ = b1;
  b2_ = b2;
  auto dynamics = matrix_.topLeftCorner(nv, nv);
  dynamics = e.M + b2 * X_ - b1 * e.f_z.rightCols(nv);
  rows_.topRows(ng) = both_ ? e.G : G_;
  if (nk > 0) rows_.bottomRows(nk) = e.K + (b2 / b1) * w_x_;
  if (both_) {
    D_ = D.whole;
    GD_.noalias() = G_.lazyProduct(D_);
    if (!rank_.full()) leave_out_pushes();
    if (!GD_lu_.factor(GD_)) return Status::singular_step;
    for (int j = 0; j < nv; ++j) {  // D (G D)^-1 G by columns
      column_ = G_.col(j);
      GD_lu_.solve(column_, column_);
      DG_.col(j).noalias() = D_.lazyProduct(column_);
    }
    dynamics.noalias() -= b2 * X_.lazyProduct(DG_);
    rows_.topRows(ng) += (b2 / b1) * L_;
    rows_.topRows(ng).noalias() -= (b2 / b1) * L_.lazyProduct(DG_);
    if (nk > 0) rows_.bottomRows(nk).noalias() -= (b2 / b1) * w_x_.lazyProduct(DG_);
  }
  matrix_.block(0, nv, nv, ng) = e.B;
  if (nk > 0) matrix_.topRightCorner(nv, nk) = e.K.transpose();
  matrix_.bottomRightCorner(ng + nk, ng + nk).setZero();
  matrix_.bottomLeftCorner(ng + nk, nv) = rows_;
  if (!rank_.full()) leave_out_rows();
  return lu_.factor(matrix_) ? Status::ok : Status::singular_step;
}

void WholeAlphaMatrices::solve(VectorOut right, VectorOut r_g, VectorOut q_increment) {
  const int nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  if (both_) {
    GD_lu_.solve(r_g, r_g);
    push_.noalias() = D_.lazyProduct(r_g);
    right.head(nv).noalias() -= b2_ * X_.lazyProduct(push_);
    right.segment(nv, ng).noalias() -= (b2_ / b1_) * L_.lazyProduct(push_);
    if (nk > 0) right.tail(nk).noalias() -= (b2_ / b1_) * w_x_.lazyProduct(push_);
  }
  lu_.solve(right);
  q_increment = right.head(nv);
  if (!both_) return;
  column_.noalias() = G_.lazyProduct(right.head(nv));
  GD_lu_.solve(column_, column_);
  r_g -= column_;
  q_increment.noalias() += D_.lazyProduct(r_g);
}

}  // namespace

std::unique_ptr<AlphaMatrices> whole_alpha_matrices(MechanicalSystem& system) {
  return std::make_unique<WholeAlphaMatrices>(system);
}

}  // namespace driftless::integrators
