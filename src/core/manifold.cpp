#include <driftless/core/manifold.hpp>

#include <algorithm>

#include <driftless/linalg/rank.hpp>

namespace driftless {

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

namespace {

Parts residual_parts(const Shape& s, const Invariants& chosen) {
  Parts parts;
  if (s.ng > 0) parts = parts | Part::position;
  if (s.ng > 0 && s.order > 1) parts = parts | Part::rates;
  if (s.nk > 0) parts = parts | Part::velocity;
  if (chosen.energy) parts = parts | Part::energy;
  if (!chosen.numbers.empty()) parts = parts | Part::invariants;
  return parts;
}

Parts linear_parts(const Shape& s, const Invariants& chosen) {
  Parts parts = residual_parts(s, chosen);
  if (s.ng > 0) parts = parts | Part::jacobian;
  if (s.ng > 0 && s.order > 1) parts = parts | Part::rate_jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian | Part::velocity_drift;
  if (chosen.energy) parts = parts | Part::energy_gradient;
  if (!chosen.numbers.empty()) parts = parts | Part::invariant_jacobian;
  return parts;
}

}  // namespace

Manifold::Manifold(const Problem& problem, Invariants chosen, Storage matrices)
    : problem_(problem),
      chosen_(std::move(chosen)),
      residual_parts_(residual_parts(problem.shape(), chosen_)),
      linear_parts_(linear_parts(problem.shape(), chosen_)),
      anchor_(Vector::Zero(chosen_.count())),
      parts_(matrices),
      h_(Vector::Zero(rows())) {
  // Who looks at h alone has no use for matrices of a large mechanism.
  if (shape().sparse()) return;
  parts_.prepare(shape(), linear_parts_);
  if (shape().own_kinematics) {
    const int nv = shape().nv;
    normal_equations_ = linalg::SaddlePoint({nv, 0, linalg::MassStructure::dense, {}});
    NtN_.setZero(nv, nv);
    Nte_.setZero(nv);
    parts_.prepare(shape(), Part::kinematics);
  }
}

void Manifold::anchor(double t, VectorIn z) {
  problem_.evaluate(residual_parts_, Point(t, z), parts_);
  invariant_values(anchor_);
  if (shape().vanishing_invariants) anchor_.tail(static_cast<int>(chosen_.numbers.size())).setZero();
}

void Manifold::anchor(const std::vector<double>& values) {
  if (static_cast<int>(values.size()) == chosen_.count())
    anchor_ = Eigen::Map<const Vector>(values.data(), chosen_.count());
}

void Manifold::invariant_values(VectorOut values) const {
  int row = 0;
  if (chosen_.energy) values(row++) = parts_.energy;
  for (const int number : chosen_.numbers) values(row++) = parts_.invariants(number);
}

Status Manifold::evaluate(double t, VectorIn z) {
  problem_.evaluate(residual_parts_, Point(t, z), parts_);
  return collect();
}

Status Manifold::linearize(double t, VectorIn z) {
  problem_.evaluate(linear_parts_, Point(t, z), parts_);
  return collect();
}

Status Manifold::collect() {
  const int ng = shape().ng, nk = shape().nk, order = shape().order;
  if (ng > 0) {
    h_.head(ng) = parts_.g;
    for (int j = 1; j < order; ++j) h_.segment(j * ng, ng) = parts_.rates.col(j - 1);
  }
  if (nk > 0) h_.segment(order * ng, nk) = parts_.w;
  if (chosen_.count() > 0) {
    auto values = h_.tail(chosen_.count());
    invariant_values(values);
    values -= anchor_;
  }
  return h_.allFinite() ? Status::ok : Status::not_finite;
}

std::string Manifold::row_name(int row) const {
  const int ng = shape().ng, levels = shape().order * ng;
  if (row < levels)
    return problem_.constraint_name(row % ng) + std::string(static_cast<std::size_t>(row / ng), '\'');
  if (row < constraint_rows()) return problem_.constraint_name(row - levels + ng);
  int invariant = row - constraint_rows();
  if (chosen_.energy && invariant-- == 0) return "energy";
  return problem_.invariant_name(chosen_.numbers[static_cast<std::size_t>(invariant)]);
}

std::string Manifold::dependent_invariants(double t, VectorIn z) {
  if (storage() == Storage::sparse) return {};
  if (linearize(t, z) != Status::ok) return {};
  Matrix H(rows(), shape().layout().tangent_size());
  jacobian(H);
  std::string text;
  for (const auto& dependence : linalg::dependent_rows(H)) {
    if (dependence.row < constraint_rows()) continue;
    text += (text.empty() ? "" : "; ") + row_name(dependence.row);
    text += dependence.on.empty() ? " has a vanishing gradient" : " depends on ";
    for (std::size_t i = 0; i < dependence.on.size(); ++i)
      text += (i ? ", " : "") + row_name(dependence.on[i]);
  }
  return text;
}

void Manifold::invariant_gradient(int i, double* gradient) const {
  const int size = shape().layout().tangent_size();
  if (chosen_.energy && i == 0) {
    std::copy_n(parts_.energy_z.data(), size, gradient);
    return;
  }
  const int number = chosen_.numbers[static_cast<std::size_t>(i - (chosen_.energy ? 1 : 0))];
  for (int k = 0; k < size; ++k) gradient[k] = parts_.invariants_z(number, k);
}

void Manifold::jacobian(MatrixOut H) const {
  const int ng = shape().ng, nv = shape().nv, nk = shape().nk, order = shape().order;
  H.setZero();
  for (int j = 0; j < order && ng > 0; ++j)
    for (int i = 0; i <= j; ++i) {
      auto block = H.block(j * ng, i * nv, ng, nv);
      if (i == j) {
        block = G();
      } else {
        block = binomial(j, i) * L(j - i);
      }
    }
  if (nk > 0) {
    H.block(order * ng, 0, nk, nv) = w_x();
    H.block(order * ng, nv, nk, nv) = K();
  }
  int row = constraint_rows();
  if (chosen_.energy) H.row(row++) = parts_.energy_z.transpose();
  for (const int number : chosen_.numbers) H.row(row++) = parts_.invariants_z.row(number);
}

void Manifold::displace(double t, VectorIn delta, VectorOut z) {
  const Layout layout = shape().layout();
  problem_.displace(t, z.head(layout.nq), delta.head(layout.nv), work_);
  const int rest = (layout.order - 1) * layout.nv;
  z.tail(rest) += delta.tail(rest);
}

void Manifold::factor_kinematics(double t, VectorIn z) {
  if (NtN_.size() == 0) {
    const int nv = shape().nv;
    normal_equations_ = linalg::SaddlePoint({nv, 0, linalg::MassStructure::dense, {}});
    NtN_.setZero(nv, nv);
    Nte_.setZero(nv);
  }
  problem_.evaluate(Part::kinematics, Point(t, z), parts_);
  NtN_ = parts_.N.transpose().lazyProduct(parts_.N);
  normal_equations_.factor(NtN_, Matrix(0, shape().nv));
}

void Manifold::to_displacement(double t, VectorIn z, VectorIn error_z, VectorOut delta) {
  const Layout layout = shape().layout();
  if (!shape().own_kinematics) {
    delta = error_z;
    return;
  }
  if (storage() == Storage::sparse) {
    t_ = t;
    q_ = z.head(layout.nq);
    problem_.displacement_of(q_, error_z.head(layout.nq), delta.head(layout.nv));
    delta.tail((layout.order - 1) * layout.nv) = error_z.tail((layout.order - 1) * layout.nv);
    return;
  }
  factor_kinematics(t, z);
  Nte_ = parts_.N.transpose().lazyProduct(error_z.head(layout.nq));
  Vector none;
  normal_equations_.solve(Nte_, none, delta.head(layout.nv), none);
  delta.tail((layout.order - 1) * layout.nv) = error_z.tail((layout.order - 1) * layout.nv);
}

void Manifold::from_displacement(VectorIn delta, VectorOut error_z) const {
  const Layout layout = shape().layout();
  if (!shape().own_kinematics) {
    error_z = delta;
    return;
  }
  if (storage() == Storage::sparse)
    problem_.coordinate_rates(t_, q_, delta.head(layout.nv), error_z.head(layout.nq), rates_work_);
  else
    error_z.head(layout.nq).noalias() = parts_.N * delta.head(layout.nv);
  error_z.tail((layout.order - 1) * layout.nv) = delta.tail((layout.order - 1) * layout.nv);
}

void Manifold::by_coordinates(double t, VectorIn z, MatrixIn along, MatrixOut by) {
  const Layout layout = shape().layout();
  if (!shape().own_kinematics) {
    by = along;
    return;
  }
  factor_kinematics(t, z);
  Vector none;
  const int rest = (layout.order - 1) * layout.nv;
  by.rightCols(rest) = along.rightCols(rest);
  for (Eigen::Index i = 0; i < along.rows(); ++i) {
    Nte_ = along.row(i).head(layout.nv).transpose();
    normal_equations_.solve(Nte_, none, Nte_, none);
    by.row(i).head(layout.nq).transpose() = parts_.N.lazyProduct(Nte_);
  }
}

}  // namespace driftless
