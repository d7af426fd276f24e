#include <driftless/core/sparse_normal_map.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <driftless/linalg/power_iteration.hpp>

namespace driftless {

namespace {

using linalg::SparseRows;

constexpr double near_rows = 5e-3;  // as in normal_map.cpp
constexpr int most_passes = 30;

std::vector<int> below(const RowAngles& angles) {
  std::vector<int> rows;
  for (int i = 0; i < static_cast<int>(angles.count()); ++i)
    if (angles.below(i, near_rows)) rows.push_back(i);
  return rows;
}

void take(const linalg::SparseSaddle& saddle, RowAngles& angles) {
  std::copy(saddle.squares().begin(), saddle.squares().end(), angles.squares.begin());
  std::copy(saddle.pivots().begin(), saddle.pivots().end(), angles.pivots.begin());
  angles.take();
}

SparseConstraints::Metric metric_of(NormalKind kind) {
  return kind == NormalKind::input ? SparseConstraints::Metric::mass : SparseConstraints::Metric::points;
}

}  // namespace

SparseNormalMap::SparseNormalMap(const Manifold& manifold, NormalKind kind, NormalSolve solve)
    : kind_(kind),
      solve_(solve),
      shape_(manifold.shape()),
      invariants_(manifold.invariants()),
      positions_(SparseConstraints::Of::positions, metric_of(kind), SparseConstraints::For::corrections),
      velocities_(SparseConstraints::Of::all, metric_of(kind), SparseConstraints::For::corrections),
      kept_(Storage::sparse),
      zero_(Vector::Zero(shape_.nv)) {
  const int rows = std::max(manifold.rows(), shape_.multipliers());
  for (Vector* v : {&right_, &x_, &x_all_, &rest_}) v->setZero(rows);
  more_.setZero(shape_.layout().tangent_size());
  position_angles_.start_without_rows(shape_.ng);
  all_angles_.start_without_rows(shape_.multipliers());
}

// ---- decompositions ----

Status SparseNormalMap::factor(const Manifold& manifold, double t, VectorIn z, double tau) {
  tau_ = tau;
  along_ = directions_kept_ = false;
  const SparseRows& C = manifold.parts().sparse.C;
  if (kind_ == NormalKind::input && !whole()) manifold.problem().evaluate(Part::mass, Point(t, z), kept_);
  if (kept_.sparse.C.rows == C.rows)
    kept_.sparse.C.value = C.value;
  else
    kept_.sparse.C = C;
  if (whole()) return factor_whole(manifold);
  if (shape_.ng > 0)
    if (const Status status = factor_level(positions_, position_angles_, manifold, t, z);
        status != Status::ok)
      return status;
  return shape_.nk > 0 ? factor_level(velocities_, all_angles_, manifold, t, z) : Status::ok;
}

// Near a singular configuration the last row to become dependent is left alone.
Status SparseNormalMap::factor_level(SparseConstraints& rows, RowAngles& angles, const Manifold& manifold,
                                     double t, VectorIn z) {
  if (const Status status = rows.factor(manifold.problem(), t, z, kept_); status != Status::ok) return status;
  std::vector<int> near = rows.left_out();
  if (rows.full()) {
    take(rows.saddle(), angles);
    near = below(angles);
  } else {
    // Where many loops become singular at once, some may be just on this side of the limit: measured by what they were before.
    const auto& pivots = rows.saddle().pivots();
    for (int i = 0; i < static_cast<int>(pivots.size()); ++i)
      if (!std::binary_search(rows.left_out().begin(), rows.left_out().end(), i) &&
          std::sqrt(pivots[static_cast<std::size_t>(i)]) < near_rows * angles.largest(i) * angles.length(i))
        near.push_back(i);
    std::sort(near.begin(), near.end());
  }
  return near == rows.left_out() ? Status::ok : rows.factor_without(kept_, near);
}

// The saddle points stay as they are, with D; what has moved on are the rows that the manifold has.
Status SparseNormalMap::factor_along(const Manifold& manifold) {
  along_ = true;
  if (whole()) {
    if (!std::exchange(directions_kept_, true)) D_ = H_;
    set_whole(manifold);
  }
  return Status::ok;
}

void SparseNormalMap::lay_out_whole(const SparseRows& C, const Vector& levers) {
  const int nv = shape_.nv, ng = shape_.ng, all = shape_.multipliers();
  const bool positions = answers(0), velocities = answers(1);
  const int levels = (positions ? 1 : 0) + (velocities ? 1 : 0);
  H_.columns = levels * nv;
  const auto columns_of = [&](int row) {
    return std::vector<int>(C.column.begin() + C.first(row), C.column.begin() + C.last(row));
  };
  for (int i = 0; positions && i < ng; ++i) H_.add_row(columns_of(i));
  for (int i = 0; velocities && i < all; ++i) {
    std::vector<int> columns = columns_of(i);
    if (positions) {
      const std::size_t count = columns.size();
      for (std::size_t k = 0; k < count; ++k) columns.push_back(nv + columns[k]);
    }
    H_.add_row(columns);
  }
  std::vector<int> every(static_cast<std::size_t>(H_.columns));
  for (std::size_t k = 0; k < every.size(); ++k) every[k] = static_cast<int>(k);
  for (int i = 0; i < invariants_; ++i) H_.add_row(every);
  std::vector<int> blocks;
  for (int level = 0; level < levels; ++level)
    blocks.insert(blocks.end(), shape_.bodies.begin(), shape_.bodies.end());
  const std::vector<double> metric = lever_blocks(levers, shape_.bodies);
  for (int level = 0; level < levels; ++level)
    whole_metric_.insert(whole_metric_.end(), metric.begin(), metric.end());
  if (kind_ != NormalKind::transpose || invariants_ == 0) whole_ = linalg::SparseSaddle(H_, H_.rows, blocks);
  whole_angles_.start_without_rows(H_.rows);
  whole_right_.setZero(H_.rows);
  whole_x_.setZero(H_.rows);
  whole_move_.setZero(H_.columns);
  move_in_units_ = whole_move_;
}

void SparseNormalMap::set_whole(const Manifold& manifold) {
  const SparseRows &C = manifold.parts().sparse.C, &L = manifold.parts().sparse.L;
  if (H_.empty()) lay_out_whole(C, manifold.problem().scales(0, Vector::Zero(shape_.nq)).levers);
  auto to = H_.value.begin();
  const auto put = [&](const SparseRows& from, int row, double unit = 1) {
    to = std::transform(from.value.begin() + from.first(row), from.value.begin() + from.last(row), to,
                        [&](double value) { return unit * value; });
  };
  for (int i = 0; answers(0) && i < shape_.ng; ++i) put(C, i);
  for (int i = 0; answers(1) && i < shape_.multipliers(); ++i) {
    if (answers(0)) put(L, i, tau_);
    put(C, i);
  }
  Vector gradient(shape_.layout().tangent_size());
  for (int i = 0; i < invariants_; ++i) {
    manifold.invariant_gradient(i, gradient.data());
    gradient.head(shape_.nv) *= tau_;
    to = std::copy_n(gradient.data() + (answers(0) ? 0 : shape_.nv), H_.columns, to);
  }
}

// Positions and g by tau against velocities and g'.
void SparseNormalMap::to_units(VectorOut rows) const {
  if (answers(0)) rows.head(shape_.ng) /= tau_;
}
void SparseNormalMap::from_units(VectorOut columns) const {
  if (answers(0)) columns.head(shape_.nv) *= tau_;
}

Status SparseNormalMap::factor_whole(const Manifold& manifold) {
  set_whole(manifold);
  if (!H_.all_finite()) return Status::not_finite;
  if (kind_ == NormalKind::transpose || solve_.sweeps > 0) return Status::ok;
  whole_.leave_out({});
  if (const auto status = whole_.factor(whole_metric_.data(), H_); status != linalg::FactorStatus::ok)
    return status_of(status);
  for (const int row : whole_.dependent())
    if (row >= H_.rows - invariants_) return Status::rank_loss;
  if (!whole_.dependent().empty()) return Status::ok;
  take(whole_, whole_angles_);
  if (whole_angles_.first_below(near_rows) < 0) return Status::ok;
  whole_.leave_out(below(whole_angles_));
  return status_of(whole_.factor(whole_metric_.data(), H_));
}

// ---- products ----

void SparseNormalMap::apply_from(const Manifold& manifold, VectorIn r, VectorOut x, VectorOut delta) {
  if (!whole()) return by_levels(manifold, r, x, 1, kind_ != NormalKind::split, delta);
  const int all = shape_.multipliers(), ng = shape_.ng;
  // The rows of h that are answered: h has those of positions, of velocities, of invariants.
  const auto select = [&](VectorIn from, VectorOut to) {
    const int first = answers(0) ? 0 : ng, count = (answers(0) ? ng : 0) + (answers(1) ? all : 0);
    to.head(count) = from.segment(first, count);
    to.tail(invariants_) = from.tail(invariants_);
  };
  select(r, whole_right_);
  select(x, whole_x_);
  to_units(whole_right_);
  to_units(whole_x_);
  solve_whole(whole_right_, whole_x_, whole_move_);
  from_units(whole_move_);
  delta.setZero();
  delta.segment(answers(0) ? 0 : shape_.nv, H_.columns) = whole_move_;
  if (answers(0)) whole_x_.head(ng) *= tau_;
  const int first = answers(0) ? 0 : ng, count = H_.rows - invariants_;
  x.segment(first, count) = whole_x_.head(count);
  x.tail(invariants_) = whole_x_.tail(invariants_);
}

void SparseNormalMap::solve_whole(VectorIn right, VectorOut x, VectorOut delta) {
  if (kind_ == NormalKind::transpose) {
    delta.setZero();
    H_.add_transposed_times(H_.rows, 1, right.data(), delta.data());
    return;
  }
  if (solve_.sweeps > 0) return sweep(H_, H_.rows, {}, right, x, delta);
  const Vector nothing = Vector::Zero(H_.columns);
  if (!along_) return whole_.solve(H_, nothing, right, delta, x);
  Vector rest = right, move(H_.columns);
  delta.setZero();
  for (int pass = 0; pass < most_passes; ++pass) {
    whole_.solve(D_, nothing, rest, move, x);
    delta += move;
    rest = right;
    H_.add_times(H_.rows, -1, delta.data(), rest.data());
    if (move.lpNorm<Eigen::Infinity>() <= 1e-14 * delta.lpNorm<Eigen::Infinity>()) break;
  }
}

void SparseNormalMap::by_levels(const Manifold& manifold, VectorIn r, VectorOut x, double damping,
                                bool coupled, VectorOut delta) {
  const int ng = shape_.ng, nv = shape_.nv, all = shape_.multipliers();
  for (int level = 0; level < 2; ++level) {
    auto of_level = delta.segment(level * nv, nv);
    of_level.setZero();
    const int rows = rows_of(level);
    if (!answers(level) || rows == 0) continue;
    auto right = right_.head(rows);
    right = r.segment(level * ng, rows);
    if (coupled && level == 1) manifold.parts().sparse.L.add_times(all, -1, delta.data(), right.data());
    solve_level(manifold, level, right, x.segment(level * ng, rows), of_level);
    if (damping != 1) of_level *= damping;
  }
}

void SparseNormalMap::solve_level(const Manifold& manifold, int level, VectorIn right, VectorOut x,
                                  VectorOut delta) {
  SparseConstraints& constraints = level == 1 && shape_.nk > 0 ? velocities_ : positions_;
  const int rows = rows_of(level);
  if (solve_.sweeps > 0) return sweep(kept_.sparse.C, rows, constraints.left_out(), right, x, delta);
  auto multipliers = x_.head(rows);
  constraints.solve(kept_, zero_, right, delta, multipliers);
  if (!along_) return;
  const SparseRows& C = manifold.parts().sparse.C;
  auto rest = rest_.head(rows);
  auto more = more_.head(shape_.nv);
  for (int pass = 0; pass < most_passes; ++pass) {
    rest = right;
    C.add_times(rows, -1, delta.data(), rest.data());
    constraints.solve(kept_, zero_, rest, more, multipliers);
    delta += more;
    if (more.lpNorm<Eigen::Infinity>() <= 1e-14 * delta.lpNorm<Eigen::Infinity>()) return;
  }
}

// As linalg/row_sor.hpp does it.
void SparseNormalMap::sweep(const SparseRows& C, int rows, const std::vector<int>& left_out, VectorIn right,
                            VectorOut x, VectorOut delta) const {
  delta.setZero();
  C.add_transposed_times(rows, 1, x.data(), delta.data());
  const auto visit = [&](int i) {
    const double square = C.square(i);
    if (square == 0 || std::binary_search(left_out.begin(), left_out.end(), i)) return;
    const double step = solve_.relaxation / square * (right(i) - C.product(i, delta.data()));
    x(i) += step;
    C.add_to(delta.data(), i, step);
  };
  for (int k = 0; k < solve_.sweeps; ++k) {
    for (int i = 0; i < rows; ++i) visit(i);
    for (int i = rows - 1; i >= 0; --i) visit(i);
  }
}

void SparseNormalMap::apply_implicitly(const Manifold& manifold, VectorIn r, double alpha, VectorOut delta) {
  const double share = alpha / (1 + alpha);
  auto x = x_all_.head(r.size());
  x.setZero();
  if (kind_ == NormalKind::transpose) {
    // (I + alpha H H^T)^-1 = (I/alpha + H H^T)^-1 / alpha
    whole_right_ = r;
    to_units(whole_right_);
    whole_.leave_out({});
    whole_.factor(nullptr, H_, 0, 1 / alpha);
    whole_.solve_rows(whole_right_.data());
    delta.setZero();
    H_.add_transposed_times(H_.rows, 1, whole_right_.data(), delta.data());
    from_units(delta);
  } else if (kind_ == NormalKind::split) {
    by_levels(manifold, r, x, share, true, delta);
  } else {
    apply_from(manifold, r, x, delta);
    delta *= share;
  }
}

void SparseNormalMap::times_H(const Manifold& manifold, VectorIn delta, VectorOut r) const {
  const int ng = shape_.ng, nv = shape_.nv, all = shape_.multipliers();
  const SparseRows &C = manifold.parts().sparse.C, &L = manifold.parts().sparse.L;
  r.setZero();
  if (answers(0)) C.add_times(ng, 1, delta.data(), r.data());
  if (answers(1)) {
    C.add_times(all, 1, delta.data() + nv, r.data() + ng);
    if (!whole() || answers(0)) L.add_times(all, 1, delta.data(), r.data() + ng);
  }
  if (invariants_ == 0) return;
  const auto moved = delta.segment(answers(0) ? 0 : nv, H_.columns);
  move_in_units_ = moved;
  if (answers(0)) move_in_units_.head(nv) /= tau_;
  for (int i = 0; i < invariants_; ++i)
    r(r.size() - invariants_ + i) = H_.product(H_.rows - invariants_ + i, move_in_units_.data());
}

bool SparseNormalMap::row_pivots(VectorOut squares, VectorOut pivots) const {
  if (whole() || solve_.sweeps > 0 || kind_ == NormalKind::input) return false;
  const RowAngles& angles = shape_.nk > 0 ? all_angles_ : position_angles_;
  if (angles.count() == 0 || angles.squares(0) == 0) return false;
  squares = angles.squares;
  pivots = angles.pivots;
  return true;
}

double SparseNormalMap::largest_eigenvalue() {
  return linalg::largest_gram_eigenvalue(H_, whole_right_, whole_move_);
}

}  // namespace driftless
