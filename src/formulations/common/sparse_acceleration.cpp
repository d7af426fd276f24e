#include "sparse_acceleration.hpp"

#include <algorithm>

#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::formulations {

SparseAcceleration::SparseAcceleration(const Problem& problem, std::optional<SparsePull> pull,
                                       Unknowns unknowns)
    : problem_(problem),
      shape_(problem.shape()),
      pull_(pull),
      coupled_(unknowns == Unknowns::levels_and_multipliers),
      quaternions_(sparse_dynamics(problem)->branches().quaternions),
      at_(Storage::sparse),
      still_(Storage::sparse),
      v_(Vector::Zero(shape_.nv)),
      place_(problem) {
  const SparseParts parts = problem.sparse_pattern();
  const linalg::Fields fields =
      pull_ ? linalg::Fields{.velocities = 5, .rows = 2, .positions = 1} : linalg::Fields{.velocities = 3};
  pattern_ = std::make_shared<const linalg::FieldPattern>(sparse_dynamics(problem)->branches().sizes,
                                                          parts.Bl_x, parts.C, shape_.ng, fields);
  using F = SparsePull::F;
  if (pull_ && pull_->answer != F::transpose && pull_->answer != F::input)
    pull_metric_ = problem.scales(0, Vector::Zero(shape_.nq)).levers.cwiseAbs2().cwiseInverse();
}

// (C a + c)_z less c_z, which is what it is for a = 0.
void SparseAcceleration::leave_out_curvature(double t, VectorIn z) {
  if (shape_.multipliers() == 0) return;
  problem_.evaluate(Part::curvature_jacobian, Point(t, z), still_);
  for (const auto part : {&SparseParts::c_x, &SparseParts::c_v})
    for (std::size_t i = 0; i < (at_.sparse.*part).value.size(); ++i)
      (at_.sparse.*part).value[i] -= (still_.sparse.*part).value[i];
}

void SparseAcceleration::set_pull(double gamma, double tau, const Matrix& gradients) {
  gamma_ = gamma;
  tau_ = tau;
  gradients_ = gradients;
}

Status SparseAcceleration::linearize(double t, VectorIn z, VectorIn a, VectorIn multipliers,
                                     const std::vector<int>& left_out, const std::vector<double>& gains,
                                     double velocity_gain, const Vector& softness) {
  const int nq = shape_.nq, nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  gains_ = gains;
  velocity_gain_ = velocity_gain;
  softness_ = softness;
  Parts parts = Part::mass | Part::jacobian | Part::force_jacobian | Part::multiplier_jacobian;
  if (ng + nk > 0) parts = parts | Part::curvature_jacobian;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  if ((!gains_.empty() || pull_) && ng > 0) parts = parts | Part::rate_jacobian;
  if ((velocity_gain_ != 0 || pull_) && nk > 0) parts = parts | Part::velocity_drift;
  problem_.evaluate(parts, Point(t, z, a, multipliers.head(ng), multipliers.tail(nk)), at_);
  place_.set(t, z.head(nq));
  v_ = z.segment(nq, nv);
  left_out_ = left_out;
  const auto rows = static_cast<std::size_t>(ng + nk);
  not_of_g_.assign(rows, 0);
  not_of_w_.assign(rows, 1);
  std::fill(not_of_g_.begin() + ng, not_of_g_.end(), 1);
  std::fill(not_of_w_.begin() + ng, not_of_w_.end(), 0);
  left_out_rows_.assign(rows, 0);
  for (const int row : left_out_) {
    const auto i = static_cast<std::size_t>(row);
    left_out_rows_[i] = 1;
    if (!pull_ || pull_->answer != SparsePull::F::transpose) not_of_g_[i] = not_of_w_[i] = 1;
  }
  return Status::ok;
}

template <class Scalar>
class SparseAccelerationMatrix final : public FieldIteration<Scalar> {
  using Base = FieldIteration<Scalar>;
  using Base::displacements, Base::velocities, Base::matrix_, Base::x_, Base::border_;
  using typename Base::Border;
  using typename Base::Columns;
  using typename Base::Values;
  enum { accelerations = Base::velocities + 1, pushes };  // fields of velocities: two of pushes
  enum { of_velocities = 1, of_positions };               // and of rows: x_1, x_0

 public:
  SparseAccelerationMatrix(const SparseAcceleration& at, Work& work)
      : Base(at.pattern_, at.shape_, at.place_), at_(at), work_(work) {
    this->levels_are_rates_ = true;
    border_.setZero(at.pull_ ? at.pull_->invariants : 0);
  }

  Status factor(Scalar c) override {
    ++work_.factorizations;
    c_ = c;
    const SparseParts& parts = at_.at_.sparse;
    matrix_.clear();
    this->put_displacements(c, at_.quaternions_, at_.v_);
    matrix_.add_identity(velocities, velocities, c);
    matrix_.add_identity(velocities, accelerations, -1.0);
    this->put_accelerations(accelerations, {parts, parts.C, parts.M, at_.left_out_rows_});
    if (at_.shape_.multipliers() > 0) put_feedback(parts);
    if (at_.pull_) put_pull(parts);
    for (const int row : at_.left_out_)
      for (int k = 0; k < (at_.pull_ ? 3 : 1); ++k)
        if (k == 0 || at_.pull_->answer != SparsePull::F::transpose) matrix_.add_to_row(k, k, row, 1.0);
    for (int row = 0; row < at_.softness_.size(); ++row) matrix_.add_to_row(0, 0, row, -at_.softness_(row));
    return this->factor_fields(border()) ? Status::ok : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    const int nv = at_.shape_.nv, ns = at_.shape_.multipliers(), nz = at_.shape_.layout().size(),
              first = at_.pattern_->row_field(0);
    this->take_levels(residual, c_);
    x_.tail(x_.size() - 2 * nv).setZero();
    if (at_.coupled_) {
      x_.segment(accelerations * nv, nv) = x_.segment(velocities * nv, nv);
      x_.segment(velocities * nv, nv).setZero();
      x_.segment(first, ns) = residual.segment(nz, ns);
    }
    border_.setZero();
    this->solve_fields(border_);
    this->give_levels(increment);
    if (at_.coupled_) increment.segment(nz, ns) = x_.segment(first, ns);
  }

 private:
  void put_feedback(const SparseParts& parts) {
    if (!at_.gains_.empty() && at_.shape_.ng > 0)
      this->put_rates(0, at_.gains_[0], at_.gains_[1], parts.C, parts.L, at_.not_of_g_);
    if (at_.velocity_gain_ != 0 && at_.shape_.nk > 0)
      this->put_rates(0, 0, at_.velocity_gain_, parts.C, parts.L, at_.not_of_w_);
  }

  void put_pull(const SparseParts& parts) {
    using F = SparsePull::F;
    const SparsePull& pull = *at_.pull_;
    const std::vector<char>&g = at_.not_of_g_, &w = at_.not_of_w_, &all = at_.left_out_rows_;
    for (const int level : {displacements, velocities}) {
      const int push = pushes + level;
      matrix_.add_identity(level, push, c_);
      if (pull.answer == F::input)
        matrix_.add_mass(push, push, parts.M, c_);
      else
        matrix_.add_identity(push, push, c_);
    }
    matrix_.add_transposed(pushes, of_positions, parts.C, -1.0, at_.pull_metric_);
    matrix_.add_transposed(pushes + 1, of_velocities, parts.C, -1.0, at_.pull_metric_);
    if (pull.one_for_all_levels())
      matrix_.add_transposed(pushes, of_velocities, parts.L, -at_.tau_ * at_.tau_, at_.pull_metric_);
    if (pull.answer == F::transpose) {
      for (int row = 0; row < at_.shape_.multipliers(); ++row)
        for (const int field : {of_velocities, of_positions}) matrix_.add_to_row(field, field, row, 1.0);
    } else {
      matrix_.add_rows(of_positions, pushes, parts.C, c_, g);
      matrix_.add_rows(of_velocities, pushes + 1, parts.C, c_, all);
      if (pull.answer != F::split) matrix_.add_rows(of_velocities, pushes, parts.L, c_, all);
    }
    this->put_rates(of_positions, -at_.gamma_, pull.integral ? -1 : 0, parts.C, parts.L, g);
    this->put_rates(of_velocities, 0, -at_.gamma_, parts.C, parts.L, g);
    if (at_.shape_.nk > 0) this->put_rates(of_velocities, 0, -at_.gamma_, parts.C, parts.L, w);
  }

  Border border() const {
    const int count = static_cast<int>(border_.size()), nv = at_.shape_.nv;
    if (count == 0) return {};
    const bool given = at_.pull_->answer == SparsePull::F::transpose;  // n = r
    Matrix across = at_.gradients_.transpose();
    across.topRows(nv) *= at_.tau_ * at_.tau_;
    for (int level = 0; level < 2 && at_.pull_metric_.size() > 0; ++level)
      across.middleRows(level * nv, nv).array().colwise() *= at_.pull_metric_.array();
    Border border{.columns = Columns::Zero(x_.size(), count),
                  .rows = Columns::Zero(count, x_.size()),
                  .corner = Columns::Identity(count, count) * (given ? 1 : 0)};
    border.columns.middleRows(pushes * nv, 2 * nv) = -across.template cast<Scalar>();
    border.rows.leftCols(2 * nv) = (-at_.gamma_ * at_.gradients_).template cast<Scalar>();
    if (!given) border.rows.middleCols(pushes * nv, 2 * nv) = c_ * at_.gradients_.template cast<Scalar>();
    return border;
  }

  const SparseAcceleration& at_;
  Work& work_;
  Scalar c_ = 0;
};

std::unique_ptr<IterationMatrix<double>> SparseAcceleration::real_matrix(Work& work) const {
  return std::make_unique<SparseAccelerationMatrix<double>>(*this, work);
}

std::unique_ptr<IterationMatrix<std::complex<double>>> SparseAcceleration::complex_matrix(Work& work) const {
  return std::make_unique<SparseAccelerationMatrix<std::complex<double>>>(*this, work);
}

}  // namespace driftless::formulations
