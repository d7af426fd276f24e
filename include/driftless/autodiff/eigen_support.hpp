// Lets Eigen hold Dual and Jet: Eigen::Matrix<Dual<3>, 3, 1>, products and sums among them, and with matrices
// of their constants (a double rotation times a vector of duals).
#pragma once

#include <Eigen/Core>

#include "driftless/autodiff/dual.hpp"
#include "driftless/autodiff/jet.hpp"
#include "driftless/autodiff/traced.hpp"

namespace driftless::autodiff::detail {

// Precision and range are those of the innermost scalar; cost hints count its operations per number.
template <class D, int Parts>
struct EigenTraits : Eigen::NumTraits<BaseScalar<D>> {
  using Real = D;
  using NonInteger = D;
  using Nested = D;
  using Literal = BaseScalar<D>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = Parts,
    AddCost = Parts,
    MulCost = 3 * Parts
  };
};

}  // namespace driftless::autodiff::detail

namespace Eigen {

template <int N, class T>
struct NumTraits<driftless::autodiff::Dual<N, T>>
    : driftless::autodiff::detail::EigenTraits<driftless::autodiff::Dual<N, T>, N + 1> {};
template <int K, class T>
struct NumTraits<driftless::autodiff::Jet<K, T>>
    : driftless::autodiff::detail::EigenTraits<driftless::autodiff::Jet<K, T>, K + 1> {};

template <>
struct NumTraits<driftless::autodiff::Traced>
    : driftless::autodiff::detail::EigenTraits<driftless::autodiff::Traced, 1> {};

template <driftless::autodiff::Differential D, driftless::autodiff::ConstantOf<D> A, class Op>
struct ScalarBinaryOpTraits<D, A, Op> {
  using ReturnType = D;
};
template <driftless::autodiff::Differential D, driftless::autodiff::ConstantOf<D> A, class Op>
struct ScalarBinaryOpTraits<A, D, Op> {
  using ReturnType = D;
};

}  // namespace Eigen
