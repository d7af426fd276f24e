#include "sparse_acceleration.hpp"

#include <algorithm>

#include "offered_blocks.hpp"

namespace driftless::formulations {

SparseAcceleration::SparseAcceleration(const Problem& problem)
    : problem_(problem),
      shape_(problem.shape()),
      quaternions_(branches_of(problem).quaternions),
      at_(Storage::sparse),
      v_(Vector::Zero(shape_.nv)),
      place_(problem) {
  const SparseParts parts = problem.sparse_pattern();
  pattern_ = std::make_shared<const linalg::FieldPattern>(branches_of(problem).sizes, parts.Bl_x, parts.C,
                                                          shape_.ng, linalg::Fields{.velocities = 3});
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
  if (!gains_.empty() && ng > 0) parts = parts | Part::rate_jacobian;
  if (velocity_gain_ != 0 && nk > 0) parts = parts | Part::velocity_drift;
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
    not_of_g_[i] = not_of_w_[i] = left_out_rows_[i] = 1;
  }
  return Status::ok;
}

template <class Scalar>
class SparseAccelerationMatrix final : public FieldIteration<Scalar> {
  using Base = FieldIteration<Scalar>;
  using Base::displacements, Base::velocities, Base::matrix_, Base::x_;
  using typename Base::Values;
  enum { accelerations = Base::velocities + 1 };

 public:
  SparseAccelerationMatrix(const SparseAcceleration& at, Work& work)
      : Base(at.pattern_, at.shape_, at.place_), at_(at), work_(work) {
    this->levels_are_rates_ = true;
  }

  Status factor(Scalar c) override {
    ++work_.factorizations;
    c_ = c;
    const SparseParts& parts = at_.at_.sparse;
    matrix_.clear();
    this->put_displacements(c, at_.quaternions_, at_.v_);
    matrix_.add_identity(velocities, velocities, c);
    matrix_.add_identity(velocities, accelerations, -1.0);
    matrix_.add_mass(accelerations, accelerations, parts.M, 1.0);
    matrix_.add_pairs(accelerations, displacements, parts.Bl_x, 1.0);
    matrix_.add_pairs(accelerations, displacements, parts.by_x, -1.0);
    matrix_.add_pairs(accelerations, velocities, parts.by_v, -1.0);
    if (at_.shape_.multipliers() > 0) put_rows(parts);
    for (const int row : at_.left_out_) matrix_.add_to_row(0, 0, row, 1.0);
    for (int row = 0; row < at_.softness_.size(); ++row) matrix_.add_to_row(0, 0, row, -at_.softness_(row));
    return matrix_.factor() ? Status::ok : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    this->take_levels(residual, c_);
    x_.tail(x_.size() - 2 * at_.shape_.nv).setZero();
    matrix_.solve(x_);
    this->give_levels(increment);
  }

 private:
  void put_rows(const SparseParts& parts) {
    matrix_.add_transposed(accelerations, 0, parts.C, 1.0);
    matrix_.add_rows(0, accelerations, parts.C, 1.0, at_.left_out_rows_);
    matrix_.add_rows(0, displacements, parts.c_x, 1.0, at_.left_out_rows_);
    matrix_.add_rows(0, velocities, parts.c_v, 1.0, at_.left_out_rows_);
    if (!at_.gains_.empty() && at_.shape_.ng > 0) {
      matrix_.add_rows(0, displacements, parts.C, at_.gains_[0], at_.not_of_g_);
      matrix_.add_rows(0, displacements, parts.L, at_.gains_[1], at_.not_of_g_);
      matrix_.add_rows(0, velocities, parts.C, at_.gains_[1], at_.not_of_g_);
    }
    if (at_.velocity_gain_ != 0 && at_.shape_.nk > 0) {
      matrix_.add_rows(0, displacements, parts.L, at_.velocity_gain_, at_.not_of_w_);
      matrix_.add_rows(0, velocities, parts.C, at_.velocity_gain_, at_.not_of_w_);
    }
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
