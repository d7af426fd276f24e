// Model: how a user writes a system down. A struct with sizes and scalar-templated functions; Driftless
// differentiates it.
//
//   struct Pendulum {
//     static constexpr int nq = 2, ng = 1;           // sizes; plain `int` members if known at run time only
//     void mass(auto t, auto q, auto M) const { M(0, 0) = .. }               // optional, default: identity
//     void force(auto t, auto q, auto v, auto f) const { f[0] = .. }         // order 1: (t, x, f)
//     void constraint(auto t, auto q, auto g) const { g[0] = .. }            // goes with ng
//   };
//
// Further sizes: order (default 2), nv (default nq), nk, ni. Further functions, all optional:
//   kinematics(t, q, v, rates)        q' = N(q) v, linear in v
//   normalize(q)                      puts q back where it belongs (unit quaternions)
//   input(t, q, B)                    B, if it is not G^T
//   velocity_constraint(t, q, v, w)   w = K v + k0, linear in v; goes with nk
//   invariants(t, q, v, out)          goes with ni
//   energy(t, q, v), power(t, q, v)   returned
// M is symmetric: both triangles are written. Where q' = N(q) v, B and C have rows and columns of velocities.
// Inputs are std::span<const T>, vectors to be written std::span<T>, matrices MatrixView<T>; outputs begin as zeros.
// T is double or one of the autodiff scalars, so write `using std::sin;` and call sin(q[0]).
//
// Structure: static constexpr linalg::MassStructure mass_structure; static constexpr std::array mass_blocks{2, 1};
// static constexpr bool moving = true where t enters g, w, N or M, ever; undeclared, g' is taken as G v.
// static constexpr bool vanishing_invariants = true where invariants are to be 0; undeclared, they are to keep the value of the start.
// Names: static constexpr std::array<const char*, ..> coordinate_names, velocity_names, constraint_names,
// invariant_names; or, where sizes are known at run time only, functions coordinate_name(i), velocity_name(i), constraint_name(row),
// invariant_name(i) that return a std::string.
//
// Any derivative may be written by hand (on double; for order 2 unless said otherwise):
//   dynamics(t, q, v, M, f, C, c)            all that one acceleration needs, with shared sub-expressions;
//                                            C = [G; K], c = (c, ck); any order. M is read only where
//                                            the model has a function `mass`
//   equations(t, q, v, M, f, g, G)           all that a residual of constrained equations needs, likewise
//   jacobian(t, q, G)                        any order
//   curvature(t, q, v, c)                    c of g'' = G v' + c; any order
//   rate_jacobian(t, q, v, L)                L = d(G v + g_t)/dq
//   force_jacobian(t, q, v, f_q, f_v)
//   mass_product_jacobian(t, q, a, out)      (M a)_q
//   multiplier_jacobian(t, q, lambda, out)   (G^T lambda)_q
// Where q' = N(q) v, hand-written derivatives by q are along displacements N delta, with nv columns.
// Runs compare what is written by hand with what follows from the other functions, at the start and now and
// then; check_model() (check_model.hpp) does so at any state.
#pragma once

#include <driftless/core/model_concepts.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

namespace model {

// The sizes and structure that a model declares.
template <class M>
Shape shape_of(const M& s) {
  check<M>();
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
  shape.normalized = HasNormalize<M>;
  shape.has_energy = HasEnergy<M>;
  shape.has_power = HasPower<M>;
  if constexpr (requires { s.moving; }) shape.moving = s.moving;
  if constexpr (requires { s.vanishing_invariants; }) shape.vanishing_invariants = s.vanishing_invariants;
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
