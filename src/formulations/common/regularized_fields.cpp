#include "regularized_fields.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/core/sparse_dynamics.hpp>

namespace driftless::formulations {

RegularizedFields::RegularizedFields(const Problem& problem, SparseRegularizedForces& forces,
                                     bool with_multipliers)
    : problem_(problem),
      shape_(problem.shape()),
      forces_(forces),
      with_multipliers_(with_multipliers),
      least_squares_(forces.how().kind == linalg::Damping::least_squares),
      quaternions_(sparse_dynamics(problem)->branches().quaternions),
      at_(Storage::sparse),
      along_(Storage::sparse),
      still_(Storage::sparse),
      v_(Vector::Zero(shape_.nv)),
      p_(v_),
      zero_(v_),
      no_l_(Vector::Zero(shape_.multipliers())),
      place_(problem) {
  const SparseParts parts = problem.sparse_pattern();
  const int more = least_squares_ ? 1 : 0;
  pattern_ = std::make_shared<const linalg::FieldPattern>(
      sparse_dynamics(problem)->branches().sizes, parts.Bl_x, parts.C, shape_.ng,
      linalg::Fields{.velocities = 3 + more, .rows = 1 + more});
  const auto rows = static_cast<std::size_t>(shape_.multipliers());
  all_count_.assign(rows, 0);
  not_of_g_ = not_of_w_ = all_count_;
  std::fill(not_of_g_.begin() + shape_.ng, not_of_g_.end(), 1);
  std::fill(not_of_w_.begin(), not_of_w_.begin() + shape_.ng, 1);
  rotation_ = parts.Bl_x;
  Cp_x_ = parts.C;
}

Status RegularizedFields::linearize(double t, VectorIn z, VectorIn y, const std::vector<double>& gains,
                                    double velocity_gain) {
  const int nq = shape_.nq, nv = shape_.nv, ng = shape_.ng, nk = shape_.nk;
  gains_ = gains;
  velocity_gain_ = velocity_gain;
  bounded_ = forces_.bounded();
  M_ = forces_.mass();
  const Vector multipliers = forces_.how().epsilon ? Vector(y) : forces_.y();
  forces_.at(multipliers, there_);
  Parts parts = Part::jacobian | Part::force_jacobian | Part::multiplier_jacobian | Part::curvature_jacobian;
  if (nk > 0) parts = parts | Part::velocity_jacobian;
  if (!gains_.empty() && ng > 0) parts = parts | Part::rate_jacobian;
  if (velocity_gain_ != 0 && nk > 0) parts = parts | Part::velocity_drift;
  problem_.evaluate(parts, Point(t, z, there_.a, there_.u.head(ng), there_.u.tail(nk)), at_);
  rotates_ = least_squares_ && (bounded_ || forces_.how().epsilon);
  if (rotates_ || !forces_.how().curvature)
    problem_.evaluate(Part::multiplier_jacobian | Part::curvature_jacobian,
                      Point(t, z, zero_, no_l_.head(ng), no_l_.tail(nk)), still_);
  if (!forces_.how().curvature)
    for (const auto part : {&SparseParts::c_x, &SparseParts::c_v})
      for (std::size_t k = 0; k < (at_.sparse.*part).value.size(); ++k)
        (at_.sparse.*part).value[k] -= (still_.sparse.*part).value[k];
  place_.set(t, z.head(nq));
  v_ = z.segment(nq, nv);
  relate(multipliers);
  if (rotates_) rotate(t, z);
  return Status::ok;
}

// With x for Z y e, k = rho s Z:   dy = (du - k (dv + rho x))/(1 + k^2),   dw' = (k du + dv + rho x)/(1 + k^2)
// shifted, k = rho eps Z:          dy = (du - rho x)/(1 + k),              dw = (eps Z du + x)/(1 + k)
void RegularizedFields::relate(VectorIn y) {
  const double rho = forces_.rho(), epsilon = forces_.how().epsilon.value_or(forces_.epsilon());
  const Vector Z = forces_.scales().cwiseAbs2().cwiseInverse();
  Zy_ = Z.cwiseProduct(y);
  root_ = std::sqrt(epsilon);
  if (!least_squares_) {
    const Vector by = (1 + rho * epsilon * Z.array()).inverse();
    w_by_u_ = epsilon * Z.cwiseProduct(by);
    w_by_x_ = by;
    y_by_u_ = by;
    y_by_x_ = -rho * by;
    return;
  }
  const Vector k = rho * root_ * Z, by = (1 + k.array().square()).inverse(), sZ = root_ * Z;
  w_by_u_ = sZ.cwiseProduct(k).cwiseProduct(by);
  w_by_v_ = sZ.cwiseProduct(by);
  y_by_u_ = by;
  y_by_v_ = -k.cwiseProduct(by);
  w_by_x_ = k.cwiseProduct(by);
  last_by_x_ = by;
  y_by_x_ = -rho * w_by_x_;
}

// What p' and v add where C turns.
void RegularizedFields::rotate(double t, VectorIn z) {
  const int ng = shape_.ng, nk = shape_.nk;
  Vector v = there_.w.cwiseProduct(forces_.scales().cwiseAbs2()) / root_;
  p_.setZero();
  at_.sparse.C.add_transposed_times(ng + nk, 1, v.data(), p_.data());
  forces_.divide(p_);
  v = -v;
  at_.sparse.C.add_times(ng + nk, forces_.rho(), p_.data(), v.data());
  problem_.evaluate(Part::multiplier_jacobian | Part::curvature_jacobian,
                    Point(t, z, p_, v.head(ng), v.tail(nk)), along_);
  for (std::size_t k = 0; k < rotation_.value.size(); ++k)
    rotation_.value[k] = along_.sparse.Bl_x.value[k] - still_.sparse.Bl_x.value[k];
  for (std::size_t k = 0; k < Cp_x_.value.size(); ++k)
    Cp_x_.value[k] = along_.sparse.c_x.value[k] - still_.sparse.c_x.value[k];
}

template <class Scalar>
class RegularizedMatrix final : public FieldIteration<Scalar> {
  using Base = FieldIteration<Scalar>;
  using Base::displacements, Base::velocities, Base::matrix_, Base::x_;
  using typename Base::Values;
  enum { accelerations = Base::velocities + 1, pulls };  // pulls: p'
  enum { of_w, last };                                   // fields of rows, by their equations

 public:
  RegularizedMatrix(const RegularizedFields& at, Work& work)
      : Base(at.pattern_, at.shape_, at.place_),
        at_(at),
        work_(work),
        by_e_(x_),
        dy_(rows()),
        beside_(rows()) {
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
    matrix_.add_mass(accelerations, accelerations, at_.M_, 1.0);
    matrix_.add_pairs(accelerations, displacements, parts.Bl_x, 1.0);
    matrix_.add_pairs(accelerations, displacements, parts.by_x, -1.0);
    matrix_.add_pairs(accelerations, velocities, parts.by_v, -1.0);
    matrix_.add_transposed(accelerations, of_w, parts.C, 1.0);
    put_rows(parts);
    if (at_.least_squares_) put_squares(parts);
    // Where rows are redundant a pivot is as small as s beside large gains, and yet no roundoff.
    if (!matrix_.factor(0)) return Status::singular_step;
    if (at_.bounded_) solve_by_e();
    return Status::ok;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    const bool given = at_.forces_.how().epsilon.has_value();
    this->take_levels(residual, c_);
    x_.tail(x_.size() - 2 * at_.shape_.nv).setZero();
    const bool rest = at_.with_multipliers_ && given;
    if (rest) {
      beside_ = residual.tail(rows());
      beside_ /= at_.least_squares_ ? -at_.root_ : -1.0;
      put_beside();
    }
    matrix_.solve(x_);
    read_multipliers(x_);
    if (rest) dy_ += at_.y_by_x_.cwiseProduct(beside_);
    if (at_.bounded_) {
      const Scalar e = -weigh(dy_) / e_weight_;
      x_ += e * by_e_;
      read_multipliers(x_);
      dy_ += e * at_.y_by_x_.cwiseProduct(at_.Zy_);
    }
    this->give_levels(increment);
    if (!at_.with_multipliers_) return;
    increment.tail(rows()) = dy_;
    if (!given) increment.tail(rows()) += residual.tail(rows());
  }

 private:
  int rows() const { return at_.shape_.multipliers(); }
  auto field(Values& x, int k) { return x.segment(at_.pattern_->row_field(k), rows()); }

  void put_rows(const SparseParts& parts) {
    const auto& all = at_.all_count_;
    matrix_.add_rows(of_w, accelerations, parts.C, 1.0, all);
    matrix_.add_rows(of_w, displacements, parts.c_x, 1.0, all);
    matrix_.add_rows(of_w, velocities, parts.c_v, 1.0, all);
    if (!at_.gains_.empty() && at_.shape_.ng > 0) {
      matrix_.add_rows(of_w, displacements, parts.C, at_.gains_[0], at_.not_of_g_);
      matrix_.add_rows(of_w, displacements, parts.L, at_.gains_[1], at_.not_of_g_);
      matrix_.add_rows(of_w, velocities, parts.C, at_.gains_[1], at_.not_of_g_);
    }
    if (at_.velocity_gain_ != 0 && at_.shape_.nk > 0) {
      matrix_.add_rows(of_w, displacements, parts.L, at_.velocity_gain_, at_.not_of_w_);
      matrix_.add_rows(of_w, velocities, parts.C, at_.velocity_gain_, at_.not_of_w_);
    }
    for (int i = 0; i < rows(); ++i) matrix_.add_to_row(of_w, of_w, i, -at_.w_by_u_(i));
  }

  void put_squares(const SparseParts& parts) {
    matrix_.add_mass(pulls, pulls, at_.M_, 1.0);
    matrix_.add_transposed(pulls, last, parts.C, -1.0);
    matrix_.add_rows(last, pulls, parts.C, 1.0, at_.all_count_);
    if (at_.rotates_) {
      matrix_.add_pairs(pulls, displacements, at_.rotation_, 1.0);
      matrix_.add_rows(last, displacements, at_.Cp_x_, 1.0, at_.all_count_);
    }
    for (int i = 0; i < rows(); ++i) {
      matrix_.add_to_row(of_w, last, i, -at_.w_by_v_(i));
      matrix_.add_to_row(last, of_w, i, -at_.w_by_v_(i));  // s Z dy by u is what s Z dw' is by v
      matrix_.add_to_row(last, last, i, at_.w_by_u_(i));
    }
  }

  void solve_by_e() {
    x_.setZero();
    beside_ = at_.Zy_.template cast<Scalar>();
    put_beside();
    matrix_.solve(x_);
    by_e_ = x_;
    read_multipliers(by_e_);
    dy_ += at_.y_by_x_.cwiseProduct(at_.Zy_);
    e_weight_ = weigh(dy_);
  }

  void put_beside() {
    field(x_, of_w) = at_.w_by_x_.cwiseProduct(beside_);
    if (at_.least_squares_) field(x_, last) = at_.last_by_x_.cwiseProduct(beside_);
  }

  void read_multipliers(Values& x) {  // dy, but for e
    dy_ = at_.y_by_u_.cwiseProduct(field(x, of_w));
    if (at_.least_squares_) dy_ += at_.y_by_v_.cwiseProduct(field(x, last));
  }
  Scalar weigh(const Values& dy) const { return (at_.Zy_.array() * dy.array()).sum(); }

  const RegularizedFields& at_;
  Work& work_;
  Values by_e_, dy_, beside_;  // beside_: x
  Scalar c_ = 0, e_weight_ = 1;
};

std::unique_ptr<IterationMatrix<double>> RegularizedFields::real_matrix(Work& work) const {
  return std::make_unique<RegularizedMatrix<double>>(*this, work);
}

std::unique_ptr<IterationMatrix<std::complex<double>>> RegularizedFields::complex_matrix(Work& work) const {
  return std::make_unique<RegularizedMatrix<std::complex<double>>>(*this, work);
}

}  // namespace driftless::formulations
