#include <driftless/core/normal_map.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

OptionSpec normal_kind_option() {
  return {.name = "F",
          .fallback = "block",
          .help = "which correction answers a violation; see docs/notation.md",
          .choices = {"full", "block", "split", "position", "velocity"}};
}

NormalKind normal_kind_of(const OptionValues& options) {
  const std::string& word = options.word("F");
  if (word == "full") return NormalKind::full;
  if (word == "split") return NormalKind::split;
  if (word == "position") return NormalKind::position;
  if (word == "velocity") return NormalKind::velocity;
  return NormalKind::block;
}

std::optional<std::string> normal_kind_refuses(NormalKind kind, const Shape& s) {
  if (s.multipliers() == 0) return std::nullopt;  // nothing to correct, whatever F
  if (kind == NormalKind::velocity && s.order == 1)
    return "F=velocity corrects velocities, a problem of order 1 has none; use F=block";
  if (kind == NormalKind::position && s.ng == 0)
    return "F=position corrects position constraints, this problem has velocity constraints only; use "
           "F=block or F=velocity";
  return std::nullopt;
}

void NormalMap::start(const Manifold& manifold, NormalKind kind) {
  kind_ = kind;
  shape_ = manifold.shape();
  const int rows = manifold.rows(), tangent = shape_.order * shape_.nv;
  const auto minimum_norm = [](int n, int m) {
    return linalg::SaddlePoint({n, m, linalg::MassStructure::identity, {}});
  };
  if (kind == NormalKind::full) {
    whole_ = minimum_norm(tangent, rows);
    H_.setZero(rows, tangent);
    zero_.setZero(tangent);
  } else {
    positions_ = minimum_norm(shape_.nv, shape_.ng);
    velocities_ = minimum_norm(shape_.nv, shape_.multipliers());
    GK_.setZero(shape_.multipliers(), shape_.nv);
    zero_.setZero(shape_.nv);
  }
  right_.setZero(std::max(rows, shape_.multipliers()));
  multipliers_.setZero(right_.size());
  Hdelta_.setZero(rows);
  normal_.setZero(tangent);
}

Status NormalMap::factor(const Manifold& manifold) {
  using linalg::FactorStatus;
  FactorStatus status = FactorStatus::ok;
  if (kind_ == NormalKind::full) {
    manifold.jacobian(H_);
    status = whole_.factor(unused_mass_, H_);
  } else {
    if (shape_.ng > 0) status = positions_.factor(unused_mass_, manifold.G());
    if (status == FactorStatus::ok && shape_.nk > 0) {
      if (shape_.ng > 0) GK_.topRows(shape_.ng) = manifold.G();
      GK_.bottomRows(shape_.nk) = manifold.K();
      status = velocities_.factor(unused_mass_, GK_);
    }
  }
  return status_of(status);
}

bool NormalMap::answers(int level) const {
  return level == 0 ? kind_ != NormalKind::velocity : kind_ != NormalKind::position;
}

void NormalMap::apply(const Manifold& manifold, VectorIn r, VectorOut delta) {
  if (kind_ == NormalKind::full) {
    whole_.solve(zero_, r, delta, multipliers_.head(r.size()));
  } else {
    apply_by_levels(manifold, r, delta);
  }
}

void NormalMap::apply_by_levels(const Manifold& manifold, VectorIn r, VectorOut delta) {
  const int ng = shape_.ng, nv = shape_.nv, nk = shape_.nk;
  const bool coupled = kind_ != NormalKind::split;
  for (int j = 0; j < shape_.order; ++j) {
    auto delta_j = delta.segment(j * nv, nv);
    delta_j.setZero();
    if (!answers(j)) continue;
    const bool with_K = j == 1 && nk > 0;
    const int rows = ng + (with_K ? nk : 0);
    if (rows == 0) continue;
    auto right = right_.head(rows);
    right.head(ng) = r.segment(j * ng, ng);
    if (with_K) right.tail(nk) = r.tail(nk);
    if (coupled) {
      for (int i = 0; i < j && ng > 0; ++i)
        right.head(ng) -= binomial(j, i) * manifold.L(j - i).lazyProduct(delta.segment(i * nv, nv));
      if (with_K) right.tail(nk) -= manifold.w_x().lazyProduct(delta.head(nv));
    }
    (with_K ? velocities_ : positions_).solve(zero_, right, delta_j, multipliers_.head(rows));
  }
}

void NormalMap::times_H(const Manifold& manifold, VectorIn delta, VectorOut r) const {
  if (kind_ == NormalKind::full) {
    r = H_.lazyProduct(delta);
    return;
  }
  const int ng = shape_.ng, nv = shape_.nv, nk = shape_.nk;
  for (int j = 0; j < shape_.order && ng > 0; ++j) {
    auto r_j = r.segment(j * ng, ng);
    r_j = manifold.G().lazyProduct(delta.segment(j * nv, nv));
    for (int i = 0; i < j; ++i)
      r_j += binomial(j, i) * manifold.L(j - i).lazyProduct(delta.segment(i * nv, nv));
  }
  if (nk > 0)
    r.tail(nk) = manifold.w_x().lazyProduct(delta.head(nv)) + manifold.K().lazyProduct(delta.segment(nv, nv));
}

void NormalMap::remove_normal_part(const Manifold& manifold, VectorOut delta) {
  times_H(manifold, delta, Hdelta_);
  apply(manifold, Hdelta_, normal_);
  delta -= normal_;
}

}  // namespace driftless
