// The acceleration of a model whose sizes are known at compile time, with everything on the stack and the saddle-point system solved by
// unrolled kernels: the hottest code above linalg.
//   M a + [G; K]^T multipliers = f,   [G; K] a + (c, ck) = r
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <driftless/core/model_derivatives.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/linalg/fixed_saddle.hpp>

namespace driftless {

namespace model {

// The mass structure of a model as a type for the fixed-size kernel.
template <class M>
struct FixedMass {
  static constexpr auto structure() {
    if constexpr (requires { M::mass_blocks; }) {
      return []<std::size_t... i>(std::index_sequence<i...>) {
        return linalg::BlockMass<M::mass_blocks[i]...>{};
      }
      (std::make_index_sequence<M::mass_blocks.size()>{});
    } else if constexpr (!HasMass<M>) {
      return linalg::IdentityMass{};
    } else if constexpr (requires { M::mass_structure; }) {
      if constexpr (M::mass_structure == linalg::MassStructure::diagonal) {
        return linalg::DiagonalMass{};
      } else {
        return linalg::DenseMass{};
      }
    } else {
      return linalg::DenseMass{};
    }
  }
  using type = decltype(structure());
};

template <class M>
constexpr int fixed_rows = [] {
  int rows = 0;
  if constexpr (HasPositions<M>) rows += M::ng;
  if constexpr (HasVelocities<M>) rows += M::nk;
  return rows;
}();

template <class M>
constexpr int fixed_nv = [] {
  if constexpr (requires { M::nv; }) {
    return static_cast<int>(M::nv);
  } else {
    return static_cast<int>(M::nq);
  }
}();

// Fixed-size kernels are used up to this size; beyond it the code they unroll to no longer pays.
constexpr int largest_fixed = 16;

template <class M>
concept FastAcceleration =
    FixedSize<M> && !HasInput<M> && (fixed_nv<M> <= largest_fixed) && (fixed_rows<M> <= fixed_nv<M>);

// C = [G; K] and c = (c, ck), without hand-written dynamics.
template <class Model>
void constraint_rows(const Model& model, Derivatives<Model>& d, double t, double* C, double* c) {
  constexpr int rows = fixed_rows<Model>;
  const auto x = d.levels();
  Eigen::Map<Matrix> C_map(C, rows, fixed_nv<Model>);
  Eigen::Map<Vector> c_map(c, rows);
  if constexpr (HasPositions<Model> && Derivatives<Model>::one_pass && !HasJacobian<Model> &&
                !HasCurvature<Model>) {
    d.jacobian_and_curvature(C_map.topRows(Model::ng), c_map.head(Model::ng));
  } else if constexpr (HasPositions<Model>) {
    if constexpr (HasJacobian<Model>) {
      model.jacobian(t, x[0], MatrixView<double>(C, rows));
    } else {
      d.jacobian(C_map.topRows(Model::ng));
    }
    if constexpr (HasCurvature<Model>) {
      const Out c_out(c, static_cast<std::size_t>(rows));
      std::apply([&](auto... level) { model.curvature(t, level..., c_out); }, x);
    } else {
      VectorOut c_out(c_map.head(Model::ng));
      d.rates_and_curvature(nullptr, &c_out);
    }
  }
  if constexpr (HasVelocities<Model>) {
    d.velocity_jacobian(1, C_map.bottomRows(Model::nk));
    d.velocity_curvature(c_map.tail(Model::nk));
  }
}

template <class Model>
Status fixed_acceleration(const Model& model, const Shape& shape, double t, VectorIn z, VectorIn r,
                          VectorOut a, VectorOut multipliers, Workspace& work) {
  constexpr int n = fixed_nv<Model>;
  constexpr int rows = fixed_rows<Model>;
  constexpr int pad = rows > 0 ? rows : 1;
  std::array<double, n * n> M{};
  std::array<double, n> f{};
  std::array<double, n * pad> C{};
  std::array<double, pad> c{};
  Derivatives<Model> d(model, shape, t, z.data(), work.parts.scratch);
  const auto x = d.levels();
  const MatOut M_view(M.data(), n), C_view(C.data(), pad);
  if constexpr (HasDynamics<Model>) {
    std::apply([&](auto... level) { model.dynamics(t, level..., M_view, Out(f), C_view, Out(c)); }, x);
  } else {
    if constexpr (HasMass<Model>) model.mass(t, x[0], M_view);
    std::apply([&](auto... level) { model.force(t, level..., Out(f)); }, x);
    if constexpr (rows > 0) constraint_rows(model, d, t, C.data(), c.data());
  }
  linalg::FixedSaddle<n, rows, typename FixedMass<Model>::type> saddle;
  const Status status = status_of(saddle.factor(M.data(), C.data()));
  if (status != Status::ok) return status;
  if (saddle.doubted()) [[unlikely]]
    return Status::rank_loss;  // for somebody who looks closer (rank_decision.hpp)
  if (work.unforced) {
    std::array<double, pad> without;
    for (std::size_t i = 0; i < pad; ++i) without[i] = -c[i];
    saddle.solve(f.data(), without.data(), a.data(), work.unforced->data());
  }
  for (int i = 0; i < rows; ++i) c[static_cast<std::size_t>(i)] = r(i) - c[static_cast<std::size_t>(i)];
  saddle.solve(f.data(), c.data(), a.data(), multipliers.data());
  return a.allFinite() && multipliers.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace model
}  // namespace driftless
