// Model: how a user writes a system down. A struct with sizes and scalar-templated functions; Driftless
// differentiates it.
//
//   struct Pendulum {
//     static constexpr int nq = 2, ng = 1;           // sizes; plain `int` members if known at run time only
//     void mass(auto t, auto q, auto M) const { M(0, 0) = .. }               // optional, default: identity
//     void force(auto t, auto q, auto v, auto f) const { f[0] = .. }         // order 1: (t, x, f)
//     void constraint(auto t, auto q, auto g) const { g[0] = .. }            // needed if ng > 0
//   };
//
// Further sizes: order (default 2), nv (default nq), nk, ni. Further functions, all optional:
//   kinematics(t, q, v, rates)        q' = N(q) v, linear in v
//   normalize(q)                      puts q back where it belongs (unit quaternions)
//   input(t, q, B)                    B, if it is not G^T
//   velocity_constraint(t, q, v, w)   w = K v + k0, linear in v; needed if nk > 0
//   invariants(t, q, v, out)          needed if ni > 0
//   energy(t, q, v), power(t, q, v)   returned
// Inputs are std::span<const T>, vectors to be written std::span<T>, matrices MatrixView<T>; outputs begin as zeros.
// T is double or one of the autodiff scalars, so write `using std::sin;` and call sin(q[0]).
//
// Structure: static constexpr linalg::MassStructure mass_structure; static constexpr std::array mass_blocks{2, 1};
// static constexpr bool moving = true where t enters g, w, N or M.
// Names: static constexpr std::array<const char*, ..> coordinate_names, velocity_names, constraint_names,
// invariant_names.
//
// Any derivative may be written by hand (on double; for order 2 unless said otherwise):
//   dynamics(t, q, v, M, f, C, c)            all that one acceleration needs, with shared sub-expressions;
//                                            C = [G; K], c = (c, ck); any order
//   jacobian(t, q, G)                        any order
//   curvature(t, q, v, c)                    c of g'' = G v' + c; any order
//   rate_jacobian(t, q, v, L)                L = d(G v + g_t)/dq
//   force_jacobian(t, q, v, f_q, f_v)
//   mass_product_jacobian(t, q, a, out)      (M a)_q
//   multiplier_jacobian(t, q, lambda, out)   (G^T lambda)_q
// Where q' = N(q) v, hand-written derivatives by q are along displacements N delta, with nv columns.
#pragma once

#include <array>
#include <span>
#include <type_traits>

#include <driftless/core/errors.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

// A column-major matrix somewhere else.
template <class T>
class MatrixView {
 public:
  MatrixView(T* data, int stride) : data_(data), stride_(stride) {}
  T& operator()(int row, int column) const { return data_[row + column * stride_]; }

 private:
  T* data_;
  int stride_;
};

namespace model {

// Sizes known at compile time: static members, not plain ones.
template <class M>
concept FixedSize = std::is_same_v<decltype(&M::nq), const int*>;
template <class M>
concept HasPositions = requires(const M& s) {
  s.ng;
};
template <class M>
concept HasVelocities = requires(const M& s) {
  s.nk;
};
template <class M>
concept HasInvariants = requires(const M& s) {
  s.ni;
};

template <class M>
constexpr int order = [] {
  if constexpr (requires { M::order; }) {
    return static_cast<int>(M::order);
  } else {
    return 2;
  }
}();

template <class T, int m>
using Levels = std::array<std::span<const T>, static_cast<std::size_t>(m)>;

using In = std::span<const double>;
using Out = std::span<double>;
using MatOut = MatrixView<double>;

template <class M>
concept HasMass = requires(const M& s, double t, In q, MatOut out) {
  s.mass(t, q, out);
};
template <class M>
concept HasKinematics = requires(const M& s, double t, In q, Out out) {
  s.kinematics(t, q, q, out);
};
template <class M>
concept HasNormalize = requires(const M& s, Out q) {
  s.normalize(q);
};
template <class M>
concept HasInput = requires(const M& s, double t, In q, MatOut out) {
  s.input(t, q, out);
};
// With as many levels as the order says.
template <class M>
concept HasEnergy = (order<M> == 1 && requires(const M& s, double t, In x) { s.energy(t, x); }) ||
                    (order<M> == 2 && requires(const M& s, double t, In x) { s.energy(t, x, x); }) ||
                    (order<M> == 3 && requires(const M& s, double t, In x) { s.energy(t, x, x, x); });
template <class M>
concept HasPower = (order<M> == 1 && requires(const M& s, double t, In x) { s.power(t, x); }) ||
                   (order<M> == 2 && requires(const M& s, double t, In x) { s.power(t, x, x); }) ||
                   (order<M> == 3 && requires(const M& s, double t, In x) { s.power(t, x, x, x); });
template <class M>
concept HasDynamics = requires(const M& s, double t, In q, Out out, MatOut mat) {
  s.dynamics(t, q, q, mat, out, mat, out);
}
|| requires(const M& s, double t, In q, Out out, MatOut mat) {
  s.dynamics(t, q, mat, out, mat, out);
};
template <class M>
concept HasJacobian = requires(const M& s, double t, In q, MatOut out) {
  s.jacobian(t, q, out);
};
template <class M>
concept HasCurvature = requires(const M& s, double t, In q, Out out) {
  s.curvature(t, q, q, out);
}
|| requires(const M& s, double t, In q, Out out) {
  s.curvature(t, q, out);
};
template <class M>
concept HasRateJacobian = order<M>
== 2 && requires(const M& s, double t, In q, MatOut out) {
  s.rate_jacobian(t, q, q, out);
};
template <class M>
concept HasForceJacobian = order<M>
== 2 && requires(const M& s, double t, In q, MatOut out) {
  s.force_jacobian(t, q, q, out, out);
};
template <class M>
concept HasMassProductJacobian = requires(const M& s, double t, In q, MatOut out) {
  s.mass_product_jacobian(t, q, q, out);
};
template <class M>
concept HasMultiplierJacobian = requires(const M& s, double t, In q, MatOut out) {
  s.multiplier_jacobian(t, q, q, out);
};

// The sizes and structure that a model declares.
template <class M>
Shape shape_of(const M& s) {
  Shape shape;
  shape.order = order<M>;
  shape.nq = s.nq;
  shape.nv = shape.nq;
  if constexpr (requires { s.nv; }) shape.nv = s.nv;
  if constexpr (HasPositions<M>) shape.ng = s.ng;
  if constexpr (HasVelocities<M>) shape.nk = s.nk;
  if constexpr (HasInvariants<M>) shape.ni = s.ni;
  shape.given_input = HasInput<M>;
  shape.own_kinematics = HasKinematics<M>;
  shape.has_energy = HasEnergy<M>;
  shape.has_power = HasPower<M>;
  if constexpr (requires { s.moving; }) shape.moving = s.moving;
  shape.mass = HasMass<M> ? linalg::MassStructure::dense : linalg::MassStructure::identity;
  if constexpr (requires { s.mass_structure; }) shape.mass = s.mass_structure;
  if constexpr (requires { s.mass_blocks; }) {
    shape.mass = linalg::MassStructure::block_diagonal;
    shape.mass_blocks.assign(s.mass_blocks.begin(), s.mass_blocks.end());
  }
  return shape;
}

}  // namespace model
}  // namespace driftless
