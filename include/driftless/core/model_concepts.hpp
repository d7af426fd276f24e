// What a model (see model.hpp) has, asked of its type. A function with a wrong signature is an error, not an absent one: otherwise a
// forgotten `const` would silently change the physics.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

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

// clang-format off
// Sizes known at compile time: static members, not plain ones.
template <class M>
concept FixedSize = std::is_same_v<decltype(&M::nq), const int*>;
template <class M>
concept HasPositions = requires(const M& s) { s.ng; };
template <class M>
concept HasVelocities = requires(const M& s) { s.nk; };
template <class M>
concept HasInvariants = requires(const M& s) { s.ni; };
// clang-format on

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

// clang-format off
template <class M>
concept HasMass = requires(const M& s, double t, In q, MatOut out) { s.mass(t, q, out); };
template <class M>
concept HasKinematics = requires(const M& s, double t, In q, Out out) { s.kinematics(t, q, q, out); };
template <class M>
concept HasNormalize = requires(const M& s, Out q) { s.normalize(q); };
template <class M>
concept HasInput = requires(const M& s, double t, In q, MatOut out) { s.input(t, q, out); };
template <class M>
concept HasConstraint = requires(const M& s, double t, In q, Out out) { s.constraint(t, q, out); };
template <class M>
concept HasVelocityConstraint = requires(const M& s, double t, In q, Out out) { s.velocity_constraint(t, q, q, out); };
template <class M>
concept HasJacobian = requires(const M& s, double t, In q, MatOut out) { s.jacobian(t, q, out); };
template <class M>
concept HasRateJacobian = requires(const M& s, double t, In q, MatOut out) { s.rate_jacobian(t, q, q, out); };
template <class M>
concept HasForceJacobian = requires(const M& s, double t, In q, MatOut out) { s.force_jacobian(t, q, q, out, out); };
template <class M>
concept HasMassProductJacobian = requires(const M& s, double t, In q, MatOut out) { s.mass_product_jacobian(t, q, q, out); };
template <class M>
concept HasMultiplierJacobian = requires(const M& s, double t, In q, MatOut out) { s.multiplier_jacobian(t, q, q, out); };

// Functions that take as many levels as the order says.
template <std::size_t>
In level(In x);

template <class M, std::size_t... i>
consteval bool takes_force(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x, Out out) { s.force(t, level<i>(x)..., out); };
}
template <class M, std::size_t... i>
consteval bool takes_energy(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x) { s.energy(t, level<i>(x)...); };
}
template <class M, std::size_t... i>
consteval bool takes_power(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x) { s.power(t, level<i>(x)...); };
}
template <class M, std::size_t... i>
consteval bool takes_invariants(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x, Out out) { s.invariants(t, level<i>(x)..., out); };
}
template <class M, std::size_t... i>
consteval bool takes_curvature(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x, Out out) { s.curvature(t, level<i>(x)..., out); };
}
template <class M, std::size_t... i>
consteval bool takes_dynamics(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x, Out out, MatOut mat) { s.dynamics(t, level<i>(x)..., mat, out, mat, out); };
}
template <class M, std::size_t... i>
consteval bool takes_equations(std::index_sequence<i...>) {
  return requires(const M& s, double t, In x, Out out, MatOut mat) { s.equations(t, level<i>(x)..., mat, out, out, mat); };
}
template <class M>
using AllLevels = std::make_index_sequence<static_cast<std::size_t>(order<M>)>;

template <class M>
concept HasForce = takes_force<M>(AllLevels<M>{});
template <class M>
concept HasEnergy = takes_energy<M>(AllLevels<M>{});
template <class M>
concept HasPower = takes_power<M>(AllLevels<M>{});
template <class M>
concept HasInvariantValues = takes_invariants<M>(AllLevels<M>{});
template <class M>
concept HasCurvature = takes_curvature<M>(AllLevels<M>{});
template <class M>
concept HasDynamics = takes_dynamics<M>(AllLevels<M>{});
template <class M>
concept HasEquations = takes_equations<M>(AllLevels<M>{});
// Functions that could be derived from others.
template <class M>
concept HasHandWritten = HasDynamics<M> || HasEquations<M> || HasJacobian<M> || HasCurvature<M> ||
                         HasRateJacobian<M> || HasForceJacobian<M> ||
                         HasMassProductJacobian<M> || HasMultiplierJacobian<M>;
// clang-format on

// Whether a member of that name exists, whatever it is: a second base class with the same name makes it ambiguous.
#define DRIFTLESS_NAMES(NAME)                               \
  struct Decoy_##NAME {                                     \
    int NAME;                                               \
  };                                                        \
  template <class M>                                        \
  struct Probe_##NAME : M, Decoy_##NAME {};                 \
  template <class M>                                        \
  concept Names_##NAME = !std::is_final_v<M> && !requires { \
    &Probe_##NAME<M>::NAME;                                 \
  };
DRIFTLESS_NAMES(mass)
DRIFTLESS_NAMES(kinematics)
DRIFTLESS_NAMES(normalize)
DRIFTLESS_NAMES(input)
DRIFTLESS_NAMES(constraint)
DRIFTLESS_NAMES(velocity_constraint)
DRIFTLESS_NAMES(invariants)
DRIFTLESS_NAMES(energy)
DRIFTLESS_NAMES(power)
DRIFTLESS_NAMES(dynamics)
DRIFTLESS_NAMES(equations)
DRIFTLESS_NAMES(jacobian)
DRIFTLESS_NAMES(curvature)
DRIFTLESS_NAMES(rate_jacobian)
DRIFTLESS_NAMES(force_jacobian)
DRIFTLESS_NAMES(mass_product_jacobian)
DRIFTLESS_NAMES(multiplier_jacobian)
#undef DRIFTLESS_NAMES

template <class M>
constexpr void check() {
  static_assert(HasForce<M>,
                "a model has a const function force(t, q, v, f), with as many levels as its order");
  static_assert(!Names_mass<M> || HasMass<M>, "a model's member `mass` is a const function (t, q, M)");
  static_assert(!Names_kinematics<M> || HasKinematics<M>,
                "a model's member `kinematics` is a const function (t, q, v, rates)");
  static_assert(!Names_normalize<M> || HasNormalize<M>,
                "a model's member `normalize` is a const function (q)");
  static_assert(!Names_input<M> || HasInput<M>, "a model's member `input` is a const function (t, q, B)");
  static_assert(HasPositions<M> == HasConstraint<M> && HasConstraint<M> == Names_constraint<M>,
                "a model has both the size ng and a const function constraint(t, q, g), or neither");
  static_assert(
      HasVelocities<M> == HasVelocityConstraint<M> &&
          HasVelocityConstraint<M> == Names_velocity_constraint<M>,
      "a model has both the size nk and a const function velocity_constraint(t, q, v, w), or neither");
  static_assert(HasInvariants<M> == HasInvariantValues<M> && HasInvariantValues<M> == Names_invariants<M>,
                "a model has both the size ni and a const function invariants(t, q, v, out), or neither");
  static_assert(!Names_energy<M> || HasEnergy<M>,
                "a model's member `energy` is a const function (t, q, v) that returns");
  static_assert(!Names_power<M> || HasPower<M>,
                "a model's member `power` is a const function (t, q, v) that returns");
  static_assert(!Names_dynamics<M> || HasDynamics<M>,
                "a model's member `dynamics` is a const function (t, q, v, M, f, C, c)");
  static_assert(!Names_equations<M> || (HasEquations<M> && HasPositions<M>),
                "a model's member `equations` is a const function (t, q, v, M, f, g, G), where it has ng");
  static_assert(!Names_jacobian<M> || HasJacobian<M>,
                "a model's member `jacobian` is a const function (t, q, G)");
  static_assert(!Names_curvature<M> || HasCurvature<M>,
                "a model's member `curvature` is a const function (t, q, v, c)");
  static_assert(!Names_rate_jacobian<M> || (HasRateJacobian<M> && order<M> == 2),
                "a model's member `rate_jacobian` is a const function (t, q, v, L), for order 2");
  static_assert(!Names_force_jacobian<M> || (HasForceJacobian<M> && order<M> == 2),
                "a model's member `force_jacobian` is a const function (t, q, v, f_q, f_v), for order 2");
  static_assert(!Names_mass_product_jacobian<M> || HasMassProductJacobian<M>,
                "a model's member `mass_product_jacobian` is a const function (t, q, a, out)");
  static_assert(
      !Names_multiplier_jacobian<M> || (HasMultiplierJacobian<M> && !HasInput<M>),
      "a model's member `multiplier_jacobian` is a const function (t, q, lambda, out), where B = G^T");
}

}  // namespace model
}  // namespace driftless
