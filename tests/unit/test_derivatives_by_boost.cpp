// Derivatives of models against Boost.Math's automatic differentiation, to roundoff: an independent
// implementation with other data structures. The curve is written with Boost's variables s (along the motion)
// and e (across), so that
//   d/ds: g', .., c;   d/de: G, f_z, ..;   d^2/ds de: L, (G^T lambda)_x
#include <gtest/gtest.h>

#include <array>
#include <boost/math/differentiation/autodiff.hpp>
#include <vector>

#include <driftless/problems/car_axis.hpp>
#include <driftless/problems/closed_chain.hpp>
#include <driftless/problems/double_pendulum.hpp>
#include <driftless/problems/four_bar.hpp>
#include <driftless/problems/heavy_top.hpp>
#include <driftless/problems/spatial_slider_crank.hpp>
#include <driftless/problems/sundials_slider_crank.hpp>

#include "support/models.hpp"
#include "support/random_point.hpp"

namespace driftless::tests {
namespace {

namespace bd = boost::math::differentiation;

template <class T>
using Column = std::vector<T>;

template <class Model>
class ByBoost : public testing::Test {
 protected:
  Model model{};
  std::shared_ptr<const AutoProblem<Model>> problem = make_problem(Model{});
  const Shape& shape = problem->shape();
  RandomPoint p{problem->shape(), 7};

  Evaluation evaluate(Parts parts) const {
    Evaluation e;
    problem->evaluate(parts, p.point(), e);
    return e;
  }

  template <class T>
  static std::span<const T> in(const Column<T>& values) {
    return values;
  }

  template <class T>
  Column<T> level(int j) const {
    Column<T> x;
    for (int i = 0; i < shape.layout().width(j); ++i) x.push_back(T(p.z(shape.layout().offset(j) + i)));
    return x;
  }

  // N(q) u, or u itself.
  template <class T, class U>
  Column<T> rates(const T& t, const Column<T>& q, const U& u) const {
    Column<T> v, result(q.size(), T(0));
    for (int i = 0; i < shape.nv; ++i) v.push_back(T(u[static_cast<std::size_t>(i)]));
    if constexpr (model::HasKinematics<Model>) {
      model.kinematics(t, in(q), in(v), std::span<T>(result));
      return result;
    } else {
      return v;
    }
  }

  std::vector<double> velocity() const {
    std::vector<double> v;
    if (model::order < Model >> 1)
      for (int i = 0; i < shape.nv; ++i) v.push_back(p.z(shape.layout().offset(1) + i));
    return v;
  }

  // x_0 displaced by e along N e_j.
  template <class T>
  Column<T> displaced(const T& e, int j) const {
    auto q = level<T>(0);
    std::vector<double> unit(static_cast<std::size_t>(shape.nv), 0.0);
    unit[static_cast<std::size_t>(j)] = 1;
    const auto direction = rates<T>(T(p.t), level<T>(0), unit);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += e * direction[i];
    return q;
  }

  static void expect_near(double computed, double expected, const char* what) {
    EXPECT_NEAR(computed, expected, 1e-13 * (1 + std::abs(expected))) << what;
  }
};

using Models = testing::Types<problems::Andrews, problems::SliderCrank, problems::CarAxis, problems::HeavyTop,
                              problems::SundialsSliderCrank, problems::SpatialSliderCrank,
                              problems::ClosedChain, problems::DoublePendulum, problems::FourBar, MovingPivot,
                              HeavyTop, MovingKnife, Hessenberg1, Jerk>;
TYPED_TEST_SUITE(ByBoost, Models);

TYPED_TEST(ByBoost, ConstraintJacobian) {
  const auto E = this->evaluate(Part::jacobian);
  const auto e = bd::make_fvar<double, 1>(0);
  using T = std::remove_cv_t<decltype(e)>;
  for (int j = 0; j < this->shape.nv; ++j) {
    const Column<T> q = this->displaced(T(e), j);
    Column<T> g(static_cast<std::size_t>(this->shape.ng), T(0));
    this->model.constraint(T(this->p.t), this->in(q), std::span<T>(g));
    for (int i = 0; i < this->shape.ng; ++i)
      this->expect_near(E.G(i, j), g[static_cast<std::size_t>(i)].derivative(1), "G");
  }
}

TYPED_TEST(ByBoost, RatesAndCurvatureAlongTheMotion) {
  if constexpr (!model::HasKinematics<TypeParam>) {
    constexpr int m = model::order<TypeParam>;
    const auto E = this->evaluate(Part::rates | Part::curvature);
    const auto s = bd::make_fvar<double, m>(0);
    using T = std::remove_cv_t<decltype(s)>;
    auto q = this->template level<T>(0);
    T power = T(s);
    for (int j = 1; j < m; ++j) {
      const auto x = this->template level<T>(j);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += power * x[i];
      power *= s / (j + 1);
    }
    Column<T> g(static_cast<std::size_t>(this->shape.ng), T(0));
    this->model.constraint(T(this->p.t) + s, this->in(q), std::span<T>(g));
    for (int i = 0; i < this->shape.ng; ++i) {
      const auto& gi = g[static_cast<std::size_t>(i)];
      for (int j = 1; j < m; ++j)
        this->expect_near(E.rates(i, j - 1), gi.derivative(static_cast<std::size_t>(j)), "g^(j)");
      this->expect_near(E.c(i), gi.derivative(static_cast<std::size_t>(m)), "c");
    }
  }
}

// For order 2, also where q' = N(q) v: g' + g'' as derivatives of g(q(e) + s N(q(e)) v, t + e + s) with q(e)
// = q + e N v.
TYPED_TEST(ByBoost, SecondOrderSystems) {
  if constexpr (model::order<TypeParam> == 2) {
    const auto E =
        this->evaluate(Part::rates | Part::curvature | Part::rate_jacobian | Part::multiplier_jacobian);
    // These four together come from `dynamics`, where the model has it.
    const auto all = this->evaluate(Part::mass | Part::force | Part::jacobian | Part::curvature);
    const auto variables = bd::make_ftuple<double, 1, 1>(0, 0);
    const auto& s = std::get<0>(variables);
    const auto& e = std::get<1>(variables);
    using T = std::remove_cvref_t<decltype(s + e)>;
    const auto v = this->velocity();
    const int ng = this->shape.ng, nv = this->shape.nv;
    const auto constraint = [&](const T& t, const Column<T>& q) {
      Column<T> g(static_cast<std::size_t>(ng), T(0));
      this->model.constraint(t, this->in(q), std::span<T>(g));
      return g;
    };
    const auto moved = [&](const T& t, Column<T> q, const std::vector<double>& u) {
      const auto direction = this->template rates<T>(t, q, u);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += s * direction[i];
      return q;
    };
    {  // e along the motion too
      auto q = this->template level<T>(0);
      const auto direction = this->template rates<T>(T(this->p.t), q, v);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += e * direction[i];
      const auto g = constraint(T(this->p.t) + e + s, moved(T(this->p.t) + e, q, v));
      for (int i = 0; i < ng; ++i) {
        this->expect_near(E.rates(i, 0), g[static_cast<std::size_t>(i)].derivative(1, 0), "g'");
        this->expect_near(E.c(i), g[static_cast<std::size_t>(i)].derivative(1, 1), "c");
        this->expect_near(all.c(i), g[static_cast<std::size_t>(i)].derivative(1, 1), "c of dynamics");
      }
    }
    for (int j = 0; j < nv; ++j) {
      const auto q = this->displaced(T(e), j);
      const auto g = constraint(T(this->p.t) + s, moved(T(this->p.t), q, v));
      for (int i = 0; i < ng; ++i) {
        this->expect_near(E.L[0](i, j), g[static_cast<std::size_t>(i)].derivative(1, 1), "L");
        this->expect_near(all.G(i, j),
                          constraint(T(this->p.t), q)[static_cast<std::size_t>(i)].derivative(0, 1),
                          "G of dynamics");
      }
      if (this->shape.nk > 0) continue;
      for (int k = 0; k < nv; ++k) {  // entry k of G^T lambda: derivative of lambda . g along N e_k
        std::vector<double> unit(static_cast<std::size_t>(nv), 0.0);
        unit[static_cast<std::size_t>(k)] = 1;
        const auto along = constraint(T(this->p.t), moved(T(this->p.t), q, unit));
        double sum = 0;
        for (int i = 0; i < ng; ++i)
          sum += this->p.lambda(i) * along[static_cast<std::size_t>(i)].derivative(1, 1);
        this->expect_near(E.Bl_x(k, j), sum, "(G^T lambda)_x");
      }
    }
  }
}

TYPED_TEST(ByBoost, ForcesAndMass) {
  constexpr int m = model::order<TypeParam>;
  const auto E = this->evaluate(Part::force_jacobian | Part::mass_product_jacobian);
  const auto e = bd::make_fvar<double, 1>(0);
  using T = std::remove_cv_t<decltype(e)>;
  const int nv = this->shape.nv;
  for (int l = 0; l < m; ++l)
    for (int j = 0; j < nv; ++j) {
      std::array<Column<T>, static_cast<std::size_t>(m)> x;
      for (int k = 0; k < m; ++k) x[static_cast<std::size_t>(k)] = this->template level<T>(k);
      if (l == 0)
        x[0] = this->displaced(T(e), j);
      else
        x[static_cast<std::size_t>(l)][static_cast<std::size_t>(j)] += e;
      Column<T> f(static_cast<std::size_t>(nv), T(0));
      std::apply(
          [&](const auto&... levels) {
            this->model.force(T(this->p.t), this->in(levels)..., std::span<T>(f));
          },
          x);
      for (int i = 0; i < nv; ++i)
        this->expect_near(E.f_z(i, l * nv + j), f[static_cast<std::size_t>(i)].derivative(1), "f_z");
      if constexpr (model::HasMass<TypeParam>) {
        if (l > 0) continue;
        Column<T> M(static_cast<std::size_t>(nv * nv), T(0));
        this->model.mass(T(this->p.t), this->in(x[0]), MatrixView<T>(M.data(), nv));
        for (int i = 0; i < nv; ++i) {
          double sum = 0;
          for (int k = 0; k < nv; ++k)
            sum += M[static_cast<std::size_t>(i + k * nv)].derivative(1) * this->p.a(k);
          this->expect_near(E.Ma_x(i, j), sum, "(M a)_x");
        }
      }
    }
}

}  // namespace
}  // namespace driftless::tests
