#include <driftless/core/normal_map.hpp>

#include <algorithm>
#include <cmath>

#include <driftless/linalg/power_iteration.hpp>

namespace driftless {

namespace {

constexpr double near_rows = 5e-3;  // of its largest ratio: a row is left alone

}  // namespace

void NormalMap::start(const Manifold& manifold, NormalKind kind, NormalSolve solve) {
  sparse_.reset();
  if (manifold.storage() == Storage::sparse) {
    sparse_.emplace(manifold, kind, solve);
    x_.setZero(std::max(manifold.rows(), manifold.shape().multipliers()));
    return;
  }
  kind_ = kind;
  solve_ = solve;
  shape_ = manifold.shape();
  const int rows = manifold.rows(), nv = shape_.nv, tangent = shape_.order * nv, ng = shape_.ng,
            multipliers = shape_.multipliers();
  invariants_ = rows - manifold.constraint_rows();
  const bool position = kind == NormalKind::position, velocity = kind == NormalKind::velocity;
  restricted_ = invariants_ > 0 && (position || velocity);
  const bool input = kind == NormalKind::input;
  const Vector levers = manifold.problem().scales(0, Vector::Zero(shape_.nq)).levers;
  by_points_ = levers.size() > 0 && !input && kind != NormalKind::transpose;
  inverse_levers_ = by_points_ ? Vector(levers.cwiseInverse()) : Vector();
  const auto mass = input        ? shape_.mass
                    : by_points_ ? linalg::MassStructure::diagonal
                                 : linalg::MassStructure::identity;
  const auto minimum_norm = [&](int n, int m) {
    return linalg::SaddlePoint({n, m, mass, input ? shape_.mass_blocks : std::vector<int>{}});
  };
  if (by_points_) {
    const int levels = whole() && !position && !velocity ? shape_.order : 1;
    metric_ = levers.cwiseAbs2().replicate(levels, 1).asDiagonal();
  }
  if (whole()) {
    first_row_ = velocity ? ng : 0;
    rows_ = (position ? ng : manifold.constraint_rows() - first_row_) + invariants_;
    first_column_ = velocity ? nv : 0;
    columns_ = position ? nv : tangent - first_column_;
    whole_ = minimum_norm(columns_, rows_);
    whole_sor_ = linalg::RowSor(rows_);
    all_H_.setZero(rows, tangent);
    H_.setZero(rows_, columns_);
    D_whole_.setZero(columns_, rows_);
    zero_.setZero(columns_);
    row_units_.setOnes(rows_);
    column_units_.setOnes(columns_);
    if (kind == NormalKind::transpose) {
      implicit_ = linalg::DenseLu<double>(rows_);
      implicit_matrix_.setZero(rows_, rows_);
    }
  } else {
    positions_ = minimum_norm(nv, ng);
    velocities_ = minimum_norm(nv, multipliers);
    positions_sor_ = linalg::RowSor(ng);
    velocities_sor_ = linalg::RowSor(multipliers);
    GK_.setZero(multipliers, nv);
    D_positions_.setZero(nv, ng);
    D_velocities_.setZero(nv, multipliers);
    zero_.setZero(nv);
  }
  for (Vector* v : {&right_, &x_, &guess_}) v->setZero(std::max(rows, multipliers));
  scratch_.setZero(tangent);
  position_angles_.start(ng);
  all_angles_.start(multipliers);
  position_rank_ = RankDecision(RankDecision::Of::positions, RankDecision::For::corrections);
  all_rank_ = RankDecision(RankDecision::Of::all, RankDecision::For::corrections);
}

// ---- decompositions ----

Status NormalMap::factor(const Manifold& manifold, double t, VectorIn z) {
  if (sparse_) return sparse_->factor(manifold, t, z, tau_);
  if (whole()) {
    set_units();
    select(manifold);
    return factor_whole(manifold, t, z, false);
  }
  if (kind_ == NormalKind::input) {
    const bool with_B = shape_.ng > 0;
    manifold.problem().evaluate(with_B ? Part::mass | Part::input : Part::mass, Point(t, z), force_parts_);
    if (with_B) D_positions_ = force_parts_.B;
    if (with_B) D_velocities_.leftCols(shape_.ng) = force_parts_.B;
    if (shape_.nk > 0) D_velocities_.rightCols(shape_.nk) = manifold.K().transpose();
  }
  return factor_levels(manifold, t, z, kind_ == NormalKind::input);
}

void NormalMap::keep_directions(const Manifold& manifold) {
  if (sparse_) return;  // keeps those of factor()
  if (whole()) {
    D_whole_ = H_.transpose();
  } else if (kind_ != NormalKind::input) {
    if (shape_.ng > 0) D_positions_ = manifold.G().transpose();
    if (shape_.nk > 0) D_velocities_ = GK_.transpose();
  }
}

Status NormalMap::factor_along(const Manifold& manifold, double t, VectorIn z) {
  if (sparse_) return sparse_->factor_along(manifold);
  if (!whole()) return factor_levels(manifold, t, z, true);
  select(manifold);
  return factor_whole(manifold, t, z, true);
}

// g^(j) in the unit tau is tau^j times that in the model's, and so is a displacement of level j; all by powers of what they are on the highest
// level, which keeps them near what they were.
void NormalMap::set_units() {
  const int nv = shape_.nv, ng = shape_.ng, top = shape_.order - 1;
  const auto unit = [&](int level) { return std::pow(tau_, level - top); };
  for (int i = 0; i < columns_; ++i) column_units_(i) = 1 / unit((first_column_ + i) / nv);
  for (int i = 0; i < rows_; ++i) {
    const int row = first_row_ + i;
    row_units_(i) = i >= rows_ - invariants_ ? 1 : unit(row < shape_.order * ng ? row / ng : 1);
  }
}

// The rows and columns of H that count.
void NormalMap::select(const Manifold& manifold) {
  manifold.jacobian(all_H_);
  H_.topRows(rows_ - invariants_) = all_H_.block(first_row_, first_column_, rows_ - invariants_, columns_);
  H_.bottomRows(invariants_) =
      all_H_.block(all_H_.rows() - invariants_, first_column_, invariants_, columns_);
  for (int k = 0; k < columns_; ++k) H_.col(k).array() *= column_units_(k) * row_units_.array();
}

void NormalMap::select_rows(VectorIn r, VectorOut selected) const {
  selected.head(rows_ - invariants_) = r.segment(first_row_, rows_ - invariants_);
  selected.tail(invariants_) = r.tail(invariants_);
  selected.array() *= row_units_.array();
}

// The rows of H that are independent as far as those of G and [G; K] tell.
std::vector<int> NormalMap::independent_rows() const {
  std::vector<int> chosen;
  const int ng = shape_.ng, last = rows_ - invariants_;
  const bool near = position_angles_.count() > 0 && position_angles_.first_below(near_rows) >= 0;
  const auto add = [&](int row) {
    if (near && row < shape_.order * ng && position_angles_.below(row % ng, near_rows)) return;
    if (row >= first_row_ && row - first_row_ < last) chosen.push_back(row - first_row_);
  };
  for (int j = 0; j < shape_.order; ++j)
    for (const int i : j == 1 ? all_rank_.rows() : position_rank_.rows())
      if (i < ng) add(j * ng + i);
  for (const int i : all_rank_.rows())
    if (i >= ng) add(shape_.order * ng + i - ng);
  for (int i = last; i < rows_; ++i) chosen.push_back(i);
  return chosen;
}

std::vector<int> NormalMap::dependent_rows() const {
  const std::vector<int> chosen = independent_rows();
  std::vector<int> others;
  for (int i = 0; i < rows_; ++i)
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) others.push_back(i);
  return others;
}

Status NormalMap::factor_whole(const Manifold& manifold, double t, VectorIn z, bool along_kept) {
  const Problem& problem = manifold.problem();
  const auto decide = [&] {
    position_rank_.decide(problem, t, z);
    all_rank_.decide(problem, t, z);
  };
  if (position_rank_.pending() || all_rank_.pending()) decide();
  const bool full = position_rank_.full() && all_rank_.full();
  if (kind_ == NormalKind::transpose) {
    if (!full)
      for (const int i : dependent_rows()) H_.row(i).setZero();
    return H_.allFinite() ? Status::ok : Status::not_finite;
  }
  if (solve_.sweeps > 0)
    return status_of(full ? whole_sor_.prepare(H_) : whole_sor_.prepare(H_, dependent_rows()));
  if (full) {
    const linalg::FactorStatus status =
        along_kept ? whole_.factor(metric(), D_whole_, H_) : whole_.factor(metric(), H_);
    if (shape_.ng > 0) position_angles_.measure(in_metric(manifold.G()));
    const bool near = shape_.ng > 0 && position_angles_.first_below(near_rows) >= 0;
    if (status != linalg::FactorStatus::rank_loss && !near) return status_of(status);
    if (!near) decide();
    if (!near && position_rank_.full() && all_rank_.full()) return Status::rank_loss;  // by the invariants
  }
  const std::vector<int> rows = independent_rows();
  if (along_kept) return status_of(whole_.factor(metric(), D_whole_, H_, rows, rows));
  return status_of(whole_.factor(metric(), H_.transpose(), H_, rows, rows));
}

// Rows with their entries divided by the levers.
const Matrix& NormalMap::in_metric(const Matrix& C) {
  if (!by_points_) return C;
  scaled_.noalias() = C * inverse_levers_.asDiagonal();
  return scaled_;
}

Status NormalMap::leave_out_near_rows(linalg::SaddlePoint& saddle, const RankDecision& rank,
                                      RowAngles& angles, const Matrix* D, const Matrix& C) {
  if (!rank.full()) return Status::ok;
  if (saddle.row_pivots(angles.squares, angles.pivots))
    angles.take();
  else
    angles.measure(in_metric(C));
  if (angles.first_below(near_rows) < 0) return Status::ok;
  const std::vector<int> rows = angles.not_below(near_rows);
  return status_of(D ? saddle.factor(metric(), *D, C, rows, rows)
                     : saddle.factor(metric(), C.transpose(), C, rows, rows));
}

Status NormalMap::factor_levels(const Manifold& manifold, double t, VectorIn z, bool along_kept) {
  const Problem& problem = manifold.problem();
  const auto decompose = [&](linalg::SaddlePoint& exact, linalg::RowSor& sor, RankDecision& rank,
                             RowAngles& angles, const Matrix& D, const Matrix& C) {
    if (solve_.sweeps > 0) {
      if (rank.pending()) rank.decide(problem, t, z);
      return status_of(sor.prepare(C, rank.left_out()));
    }
    const Status done = along_kept ? rank.factor(exact, problem, t, z, metric(), D, C)
                                   : rank.factor(exact, problem, t, z, metric(), C);
    return done == Status::ok ? leave_out_near_rows(exact, rank, angles, along_kept ? &D : nullptr, C) : done;
  };
  Status status = Status::ok;
  if (shape_.ng > 0)
    status =
        decompose(positions_, positions_sor_, position_rank_, position_angles_, D_positions_, manifold.G());
  if (status == Status::ok && shape_.nk > 0) {
    if (shape_.ng > 0) GK_.topRows(shape_.ng) = manifold.G();
    GK_.bottomRows(shape_.nk) = manifold.K();
    status = decompose(velocities_, velocities_sor_, all_rank_, all_angles_, D_velocities_, GK_);
  }
  return status;
}

// ---- products ----

bool NormalMap::answers(int level) const {
  return level == 0 ? kind_ != NormalKind::velocity : kind_ != NormalKind::position;
}

void NormalMap::apply(const Manifold& manifold, VectorIn r, VectorOut delta) {
  auto x = x_.head(r.size());
  x.setZero();
  apply_from(manifold, r, x, delta);
}

void NormalMap::apply_from(const Manifold& manifold, VectorIn r, VectorOut x, VectorOut delta) {
  if (sparse_) return sparse_->apply_from(manifold, r, x, delta);
  if (whole())
    apply_whole(r, x, delta);
  else
    apply_by_levels(manifold, r, x, 1, kind_ != NormalKind::split, delta);
}

// With H F = I in the rows that are answered, (I + alpha H F)^-1 is a factor. The lower triangle of H F that
// `split` has is taken along level by level; for `transpose` a matrix is decomposed.
void NormalMap::apply_implicitly(const Manifold& manifold, VectorIn r, double alpha, VectorOut delta) {
  if (sparse_) return sparse_->apply_implicitly(manifold, r, alpha, delta);
  const double share = alpha / (1 + alpha);
  if (kind_ == NormalKind::transpose) {
    implicit_matrix_.noalias() = alpha * H_.lazyProduct(H_.transpose());
    implicit_matrix_.diagonal().array() += 1;
    auto y = right_.head(rows_);
    implicit_.factor(implicit_matrix_);  // eigenvalues from 1 on
    select_rows(r, y);
    implicit_.solve(y, y);
    delta.noalias() = alpha * H_.transpose().lazyProduct(y);
    delta.array() *= column_units_.array();
  } else if (kind_ == NormalKind::split) {
    auto x = x_.head(r.size());
    x.setZero();
    apply_by_levels(manifold, r, x, share, true, delta);
  } else {
    apply(manifold, r, delta);
    delta *= share;
  }
}

void NormalMap::apply_whole(VectorIn r, VectorOut x, VectorOut delta) {
  auto right = right_.head(rows_), multipliers = guess_.head(rows_);
  select_rows(r, right);
  auto moved = delta.segment(first_column_, columns_);
  if (columns_ < delta.size()) delta.setZero();
  if (kind_ == NormalKind::transpose) {
    moved.noalias() = H_.transpose().lazyProduct(right);
  } else if (solve_.sweeps > 0) {
    select_rows(x, multipliers);
    whole_sor_.solve(H_, right, solve_.sweeps, solve_.relaxation, multipliers, moved);
    multipliers.array() /= row_units_.array();
    x.segment(first_row_, rows_ - invariants_) = multipliers.head(rows_ - invariants_);
    x.tail(invariants_) = multipliers.tail(invariants_);
  } else {
    whole_.solve(zero_, right, moved, multipliers);
  }
  moved.array() *= column_units_.array();
}

void NormalMap::apply_by_levels(const Manifold& manifold, VectorIn r, VectorOut x, double damping,
                                bool coupled, VectorOut delta) {
  const int ng = shape_.ng, nv = shape_.nv, nk = shape_.nk;
  for (int j = 0; j < shape_.order; ++j) {
    auto delta_j = delta.segment(j * nv, nv);
    delta_j.setZero();
    if (!answers(j)) continue;
    const bool with_K = j == 1 && nk > 0;
    const int rows = ng + (with_K ? nk : 0);
    if (rows == 0) continue;
    auto right = right_.head(rows), multipliers = guess_.head(rows);
    right.head(ng) = r.segment(j * ng, ng);
    if (with_K) right.tail(nk) = r.segment(shape_.order * ng, nk);
    if (coupled) {
      for (int i = 0; i < j && ng > 0; ++i)
        right.head(ng) -= binomial(j, i) * manifold.L(j - i).lazyProduct(delta.segment(i * nv, nv));
      if (with_K) right.tail(nk) -= manifold.w_x().lazyProduct(delta.head(nv));
    }
    if (solve_.sweeps > 0) {
      multipliers.head(ng) = x.segment(j * ng, ng);
      if (with_K) multipliers.tail(nk) = x.segment(shape_.order * ng, nk);
      (with_K ? velocities_sor_ : positions_sor_)
          .solve(with_K ? GK_ : manifold.G(), right, solve_.sweeps, solve_.relaxation, multipliers, delta_j);
      x.segment(j * ng, ng) = multipliers.head(ng);
      if (with_K) x.segment(shape_.order * ng, nk) = multipliers.tail(nk);
    } else {
      (with_K ? velocities_ : positions_).solve(zero_, right, delta_j, multipliers);
    }
    if (damping != 1) delta_j *= damping;
  }
}

void NormalMap::times_H(const Manifold& manifold, VectorIn delta, VectorOut r) const {
  if (sparse_) return sparse_->times_H(manifold, delta, r);
  const int ng = shape_.ng, nv = shape_.nv, nk = shape_.nk;
  if (whole()) {
    r.setZero();
    const auto moved = delta.segment(first_column_, columns_);
    for (int i = 0; i < rows_; ++i) {
      const int row = i < rows_ - invariants_ ? first_row_ + i : static_cast<int>(r.size()) - rows_ + i;
      r(row) = (H_.row(i).transpose().cwiseQuotient(column_units_)).dot(moved) / row_units_(i);
    }
    return;
  }
  for (int j = 0; j < shape_.order && ng > 0; ++j) {
    auto r_j = r.segment(j * ng, ng);
    if (!answers(j)) {
      r_j.setZero();
      continue;
    }
    r_j = manifold.G().lazyProduct(delta.segment(j * nv, nv));
    for (int i = 0; i < j; ++i)
      r_j += binomial(j, i) * manifold.L(j - i).lazyProduct(delta.segment(i * nv, nv));
  }
  if (nk > 0 && !answers(1))
    r.tail(nk).setZero();
  else if (nk > 0)
    r.tail(nk) = manifold.w_x().lazyProduct(delta.head(nv)) + manifold.K().lazyProduct(delta.segment(nv, nv));
}

bool NormalMap::row_pivots(VectorOut squares, VectorOut pivots) const {
  if (sparse_) return sparse_->row_pivots(squares, pivots);
  if (whole() || solve_.sweeps > 0 || kind_ == NormalKind::input) return false;
  const RowAngles& angles = shape_.nk > 0 ? all_angles_ : position_angles_;
  squares = angles.squares;
  pivots = angles.pivots;
  return angles.count() > 0 && squares(0) > 0;
}

double NormalMap::largest_eigenvalue() {
  if (sparse_) return sparse_->largest_eigenvalue();
  return linalg::largest_gram_eigenvalue(H_, right_.head(rows_), scratch_.head(columns_));
}

}  // namespace driftless
