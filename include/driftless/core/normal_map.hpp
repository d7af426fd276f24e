// F of the stabilizers of Ascher, Chin, Reich (1992): a displacement delta = F r that answers a residual r of the
// manifold h = (g, g', .., g^(m-1), w), with H the Jacobian of h.
//   full      F = H^T (H H^T)^-1                       (1.13) with D = H^T: the smallest displacement
//   block     F = D (H D)^-1, D = diag(G^T, .., G^T)   (4.7): level by level, delta_j = G+ (r_j - sum_i<j H_ji delta_i)
//   split     F = diag(G+, .., G+)                     (4.8): as block, but that a move of x_0 changes g' is ignored
//   position  only level 0
//   velocity  only the levels from 1 on
// G+ = G^T (G G^T)^-1; at level 1 the rows K of velocity constraints join G. Fails where rows of G depend on each
// other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/linalg/saddle_point.hpp>

namespace driftless {

enum class NormalKind { full, block, split, position, velocity };

OptionSpec normal_kind_option();
NormalKind normal_kind_of(const OptionValues& options);
std::optional<std::string> normal_kind_refuses(NormalKind kind, const Shape& shape);

class NormalMap {
 public:
  void start(const Manifold& manifold, NormalKind kind);
  Status factor(const Manifold& manifold);  // after manifold.linearize
  void apply(const Manifold& manifold, VectorIn r, VectorOut delta);
  void remove_normal_part(const Manifold& manifold, VectorOut delta);  // delta - F H delta

 private:
  bool answers(int level) const;
  void apply_by_levels(const Manifold& manifold, VectorIn r, VectorOut delta);
  void times_H(const Manifold& manifold, VectorIn delta, VectorOut r) const;

  NormalKind kind_ = NormalKind::block;
  Shape shape_;
  linalg::SaddlePoint positions_, velocities_, whole_;  // G, [G; K], H
  Matrix GK_, H_, unused_mass_;
  Vector right_, multipliers_, zero_, Hdelta_, normal_;
};

}  // namespace driftless
