// Without zeros, as a matrix of fields (linalg/field_matrix.hpp). Nothing is eliminated: where N is not I, or both are imposed, the change of
// positions u is an unknown of its own,
//   (M - b1 f_v) a + b2 X u + C^T l  = r_f            C = [G; K],  l = (lambda, kappa)
//   T^-1 u - a - D nu                = 0
//   G u                              = r_g            where both are imposed with nu, and G a + (b2/b1) L u = r;  else with lambda
//   K a + (b2/b1) w_x u              = r_w
// T = N^+ d(q (+) d)/dd turns the rates of a unit quaternion by half of d: the right Jacobian of the rotation by d. Rows that others imply are not imposed;
// their multipliers stay as they are, and are made those of least norm when a step is solved.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <Eigen/LU>

#include <driftless/core/sparse_constraints.hpp>
#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/linalg/field_matrix.hpp>

#include "alpha_matrices.hpp"

namespace driftless::integrators {

namespace {

Parts residual_parts(const Shape& shape, bool both) {
  Parts parts = Part::mass | Part::force | Part::position | Parts(Part::jacobian);
  if (both) parts = parts | Part::rates;
  if (shape.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian;
  return parts;
}

Parts matrix_parts(const Shape& shape, bool both) {
  Parts parts = Part::mass | Part::jacobian | Part::force_jacobian | Parts(Part::multiplier_jacobian);
  if (both) parts = parts | Part::rate_jacobian;
  if (shape.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  return parts;
}

// exp(d + e) = exp(d) exp(J e) to first order in e, for rotations.
Eigen::Matrix3d right_jacobian(const Eigen::Vector3d& d) {
  const double square = d.squaredNorm(), angle = std::sqrt(square);
  const bool small = angle < 1e-3;  // by series
  const double by_d = small ? 0.5 - square / 24 : (1 - std::cos(angle)) / square,
               by_dd = small ? 1. / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
  Eigen::Matrix3d tilde;
  tilde << 0, -d[2], d[1], d[2], 0, -d[0], -d[1], d[0], 0;
  return Eigen::Matrix3d::Identity() - by_d * tilde + by_dd * tilde * tilde;
}

class SparseAlphaMatrices final : public AlphaMatrices {
 public:
  SparseAlphaMatrices(MechanicalSystem& system, SparseDirections* directions)
      : AlphaMatrices(system, residual_parts(system.problem().shape(), imposes_both(system))),
        linear_parts_(matrix_parts(shape_, both_)),
        directions_(directions),
        branches_(sparse_dynamics(problem_)->branches()),
        places_(both_ || !branches_.quaternions.empty() ? 1 : 0),
        turned_(branches_.quaternions.size(), Eigen::Matrix3d::Identity()),
        linear_(Storage::sparse) {
    const SparseParts parts = problem_.sparse_pattern();
    const auto pattern = [&](int velocities, const linalg::SparseRows& pairs, int positions) {
      return std::make_shared<const linalg::FieldPattern>(
          branches_.sizes, pairs, parts.C, shape_.ng,
          linalg::Fields{.velocities = velocities, .rows = 1, .positions = positions});
    };
    pattern_ = pattern(places_ + 1, parts.Bl_x, both_ ? 1 : 0);
    matrix_.emplace(pattern_);
    x_.setZero(pattern_->size());
    if (both_) {
      D_ = parts.C;
      const linalg::SparseRows none;
      restrained_.emplace(pattern(1, none, 0));
    }
    moved_.setZero(shape_.nv);
    all_.setZero(shape_.multipliers());
  }

  Storage storage() const override { return Storage::sparse; }
  Status directions(double t, VectorIn z, PushDirections& D) override {
    directions_->sparse_directions(t, z, D.rows);
    return D.rows.all_finite() ? Status::ok : Status::not_finite;
  }
  void add_pushes(const PushDirections& D, VectorIn nu, VectorOut sum) const override {
    D.rows.add_transposed_times(shape_.ng, 1, nu.data(), sum.data());
  }
  void subtract(const Evaluation& at, const AlphaUnknowns& x, VectorOut force) const override {
    force = -force;
    pattern_->add_mass_times(at.sparse.M, x.a.data(), force.data());
    force = -force;
    const linalg::SparseRows& C = at.sparse.C;
    for (int i = 0; i < C.rows; ++i)
      C.add_to(force.data(), i, i < shape_.ng ? -x.lambda(i) : -x.kappa(i - shape_.ng));
  }
  void replace_rows(const Evaluation&, const AlphaUnknowns&, VectorOut right, VectorOut r_g) const override {
    for (const int i : rank_.left_out()) {
      right(shape_.nv + i) = 0;
      if (both_ && i < shape_.ng) r_g(i) = 0;
    }
  }
  void least_norm(const Evaluation& at, AlphaUnknowns& x) override {
    all_ << x.lambda, x.kappa;
    rank_.least_norm(at, all_);
    x.lambda = all_.head(shape_.ng);
    x.kappa = all_.tail(shape_.nk);
  }

  bool set_displacement(double, VectorIn, VectorIn d) override {
    for (std::size_t k = 0; k < turned_.size(); ++k)
      turned_[k] = right_jacobian(d.segment<3>(branches_.quaternions[k]));
    return true;
  }
  Status linearize(double t, VectorIn z, const AlphaUnknowns& x) override;
  Status factor(double b1, double b2, const PushDirections& D) override;
  void solve(VectorOut right, VectorOut r_g, VectorOut q_increment) override;
  void pull(VectorIn multipliers, VectorOut forces) const override {
    forces.setZero();
    const linalg::SparseRows& C = linear_.sparse.C;
    C.add_transposed_times(C.rows, 1, multipliers.data(), forces.data());
  }
  void smooth(VectorIn values, bool keep, VectorOut smoothed) override;
  const std::vector<int>& left_out() const override { return rank_.left_out(); }

  std::vector<double> memory() const override {
    std::vector<double> memory = D_.value;
    for (const Eigen::Matrix3d& T : turned_) memory.insert(memory.end(), T.data(), T.data() + T.size());
    return memory;
  }
  std::size_t memory_size() const override { return D_.value.size() + 9 * turned_.size(); }
  void remember(const double* memory, PushDirections& D) override {
    D.rows = D_;
    std::copy_n(memory, D_.value.size(), D.rows.value.begin());
    memory += D_.value.size();
    for (Eigen::Matrix3d& T : turned_) {
      T = Eigen::Map<const Eigen::Matrix3d>(memory);
      memory += 9;
    }
  }

 private:
  enum { accelerations };  // the field of velocities that is always there; that of u is places_
  // (T^-1 - I) between these fields of velocities.
  void add_turns(linalg::FieldMatrix<double>& matrix, int i, int j) const {
    for (std::size_t k = 0; k < turned_.size(); ++k) {
      const Eigen::Matrix3d inverse = turned_[k].inverse() - Eigen::Matrix3d::Identity();
      const int first = branches_.quaternions[k];
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          matrix.add(i, first + row, j, first + column, inverse(row, column));
    }
  }
  void restrain(VectorIn values);  // moved_ = T P values

  const Parts linear_parts_;
  SparseDirections* const directions_;
  const SparseDynamics::Branches branches_;
  const int places_;                     // the field of u: 0 where u = a
  std::vector<Eigen::Matrix3d> turned_;  // T of quaternions; I of everything else
  Evaluation linear_;
  SparseConstraints rank_{SparseConstraints::Of::all, SparseConstraints::Metric::points,
                          SparseConstraints::For::steps};
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  std::optional<linalg::FieldMatrix<double>> matrix_, restrained_;  // restrained_: [T^-1 -D; G 0]
  linalg::SparseRows D_;
  std::vector<char> not_of_g_, not_of_w_;  // rows of C that are not imposed as rows of G, as rows of K
  Vector x_, restrained_x_, moved_, all_;
  double b1_ = 0, b2_ = 0;
};

Status SparseAlphaMatrices::linearize(double t, VectorIn z, const AlphaUnknowns& x) {
  const Status status = system_.evaluate(linear_parts_, Point(t, z, x.a, x.lambda, x.kappa), linear_);
  if (status != Status::ok) return status;
  const auto rows = static_cast<std::size_t>(shape_.multipliers()), ng = static_cast<std::size_t>(shape_.ng);
  if (rows > 0)
    if (const Status made = rank_.factor(problem_, t, z, linear_); made != Status::ok) return made;
  not_of_g_.assign(rows, 0);
  not_of_w_.assign(rows, 0);
  for (std::size_t i = 0; i < rows; ++i) (i < ng ? not_of_w_ : not_of_g_)[i] = 1;
  for (const int row : rank_.left_out())
    not_of_g_[static_cast<std::size_t>(row)] = not_of_w_[static_cast<std::size_t>(row)] = 1;
  const double* block = linear_.sparse.M.data();
  int first = 0;
  for (const int n : branches_.sizes) {
    for (int k = 0; k < n; ++k) masses_(first + k) = block[k * (n + 1)];
    first += n;
    block += n * n;
  }
  return Status::ok;
}

Status SparseAlphaMatrices::factor(double b1, double b2, const PushDirections& D) {
  const SparseParts& at = linear_.sparse;
  b1_ = b1;
  b2_ = b2;
  matrix_->clear();
  matrix_->add_mass(accelerations, accelerations, at.M, 1);
  matrix_->add_pairs(accelerations, accelerations, at.by_v, -b1);
  matrix_->add_pairs(accelerations, places_, at.Bl_x, b2);
  matrix_->add_pairs(accelerations, places_, at.by_x, -b2);
  matrix_->add_transposed(accelerations, 0, at.C, 1);
  if (places_ > 0) {
    matrix_->add_identity(places_, places_, 1);
    add_turns(*matrix_, places_, places_);
    matrix_->add_identity(places_, accelerations, -1);
  }
  matrix_->add_rows(both_ ? 1 : 0, places_, at.C, 1, not_of_g_);
  if (both_) {
    D_ = D.rows;
    matrix_->add_transposed(places_, 1, D_, -1);
    matrix_->add_rows(0, accelerations, at.C, 1, not_of_g_);
    matrix_->add_rows(0, places_, at.L, b2 / b1, not_of_g_);
  }
  if (shape_.nk > 0) {
    matrix_->add_rows(0, accelerations, at.C, 1, not_of_w_);
    matrix_->add_rows(0, places_, at.L, b2 / b1, not_of_w_);
  }
  for (const int row : rank_.left_out())
    for (int i = 0; i <= (both_ ? 1 : 0); ++i) matrix_->add_to_row(i, i, row, 1);
  if (!matrix_->factor()) return Status::singular_step;
  if (!both_) return Status::ok;
  restrained_->clear();
  restrained_->add_identity(0, 0, 1);
  add_turns(*restrained_, 0, 0);
  restrained_->add_transposed(0, 0, D_, -1);
  restrained_->add_rows(0, 0, at.C, 1, not_of_g_);
  for (int row = 0; row < shape_.multipliers(); ++row)
    if (not_of_g_[static_cast<std::size_t>(row)]) restrained_->add_to_row(0, 0, row, 1);
  return restrained_->factor() ? Status::ok : Status::singular_step;
}

void SparseAlphaMatrices::solve(VectorOut right, VectorOut r_g, VectorOut q_increment) {
  const int nv = shape_.nv, rows = shape_.multipliers();
  x_.setZero();
  x_.head(nv) = right.head(nv);
  x_.segment(pattern_->row_field(0), rows) = right.tail(rows);
  if (both_) x_.tail(shape_.ng) = r_g;
  matrix_->solve(x_);
  right.head(nv) = x_.head(nv);
  right.tail(rows) = x_.segment(pattern_->row_field(0), rows);
  q_increment = right.head(nv);
  if (!both_) return;
  r_g = x_.tail(shape_.ng);
  D_.add_transposed_times(shape_.ng, 1, r_g.data(), q_increment.data());
}

void SparseAlphaMatrices::restrain(VectorIn values) {
  if (!both_) {
    moved_ = values;
    for (std::size_t k = 0; k < turned_.size(); ++k) {
      const int first = branches_.quaternions[k];
      moved_.segment<3>(first) = turned_[k] * Eigen::Vector3d(values.segment<3>(first));
    }
    return;
  }
  restrained_x_.setZero(shape_.nv + shape_.multipliers());
  restrained_x_.head(shape_.nv) = values;
  restrained_->solve(restrained_x_);
  moved_ = restrained_x_.head(shape_.nv);
}

void SparseAlphaMatrices::smooth(VectorIn values, bool keep, VectorOut smoothed) {
  const int ng = shape_.ng;
  const linalg::SparseRows &C = linear_.sparse.C, &L = linear_.sparse.L;
  x_.setZero();
  pattern_->add_mass_times(linear_.sparse.M, values.data(), x_.data());
  if (keep && C.rows > 0) {
    restrain(values);
    auto across = x_.segment(pattern_->row_field(0), C.rows);
    for (int i = 0; i < C.rows; ++i) {
      if (not_of_g_[static_cast<std::size_t>(i)] && not_of_w_[static_cast<std::size_t>(i)]) continue;
      const bool rates = both_ || i >= ng;
      across(i) = C.product(i, rates ? values.data() : moved_.data());
      if (rates) across(i) += b2_ / b1_ * L.product(i, moved_.data());
    }
  }
  matrix_->solve(x_);
  smoothed = x_.head(shape_.nv);
}

}  // namespace

std::unique_ptr<AlphaMatrices> sparse_alpha_matrices(MechanicalSystem& system, SparseDirections* directions) {
  return std::make_unique<SparseAlphaMatrices>(system, directions);
}

}  // namespace driftless::integrators
