// Derivatives of a user's model by duals and Taylor jets.
//   G, f_z, (M a)_x, w_x, K, gradients     duals, a chunk of columns at a time
//   g', .., g^(m-1), c, ck                 a jet along the curve x + s x' + s^2 x''/2 + .., t + s: no tensors
//   L, c_z, (G^T lambda)_x                 a jet whose scalar is a dual: one nesting, never more
// Derivatives by x_0 are multiplied by N at the end, so that they are taken along displacements.
#pragma once

#include <algorithm>

#include <driftless/autodiff/dual.hpp>
#include <driftless/autodiff/dual_jet.hpp>
#include <driftless/autodiff/jet.hpp>
#include <driftless/core/arena.hpp>
#include <driftless/core/model.hpp>
#include <driftless/linalg/column_groups.hpp>

namespace driftless::model {

template <class Model>
class Derivatives {
 public:
  static constexpr int m = order<Model>;
  static_assert(m == 2 || !HasVelocities<Model>, "velocity constraints (nk) are for models of order 2");
  static_assert(m == 2 || !HasKinematics<Model>, "q' = N(q) v (kinematics) is for models of order 2");
  // Columns of a Jacobian that one dual carries: all of them where the size is known and small, rounded up to whole vector
  // registers.
  static constexpr int chunk = [] {
    if constexpr (FixedSize<Model>) {
      if (Model::nq <= 2) return static_cast<int>(Model::nq);
      if (Model::nq <= 16) return (static_cast<int>(Model::nq) + 3) / 4 * 4;
    }
    return 8;
  }();
  using D = autodiff::Dual<chunk>;

  Derivatives(const Model& model, const Shape& shape, double t, const double* z, Arena& arena)
      : model_(model), shape_(shape), layout_(shape.layout()), t_(t), z_(z), arena_(arena), release_(arena) {}

  Levels<double, m> levels() const {
    Levels<double, m> x;
    for (int j = 0; j < m; ++j)
      x[static_cast<std::size_t>(j)] = {z_ + layout_.offset(j), static_cast<std::size_t>(layout_.width(j))};
    return x;
  }

  void kinematics(MatrixOut N) {
    if constexpr (HasKinematics<Model>) {
      Arena::Release scope(arena_);
      auto e = arena_.take<double>(shape_.nv), rates = arena_.take<double>(shape_.nq);
      for (int j = 0; j < shape_.nv; ++j) {
        e[static_cast<std::size_t>(j)] = 1;
        std::fill(rates.begin(), rates.end(), 0.0);
        model_.kinematics(t_, levels()[0], std::span<const double>(e), rates);
        for (int i = 0; i < shape_.nq; ++i) N(i, j) = rates[static_cast<std::size_t>(i)];
        e[static_cast<std::size_t>(j)] = 0;
      }
    } else {
      N.setIdentity();
    }
  }

  void kinematics_jacobian(MatrixOut Nv_q) {
    if constexpr (HasKinematics<Model>) {
      const auto rates = [&](const Levels<D, m>& x, std::span<D> out) {
        model_.kinematics(D(t_), x[0], x[1], out);
      };
      columns(0, shape_.nq, Nv_q, rates, /*along_displacements=*/false);
    } else {
      Nv_q.setZero();
    }
  }

  // The same pass gives g to whoever wants it.
  void jacobian(MatrixOut G, VectorOut* g = nullptr) {
    columns(0, shape_.ng, G, [&](const Levels<D, m>& x, std::span<D> out) {
      model_.constraint(D(t_), x[0], out);
      for (int i = 0; g && i < shape_.ng; ++i) (*g)(i) = out[static_cast<std::size_t>(i)].value;
    });
  }

  // g^(1), .., g^(m-1) in the columns of rates and c; either may be absent.
  void rates_and_curvature(MatrixOut* rates, VectorOut* c) {
    Arena::Release scope(arena_);
    auto g = along_curve<m>(levels());
    for (int i = 0; i < shape_.ng; ++i) {
      const auto& gi = g[static_cast<std::size_t>(i)];
      if (rates)
        for (int j = 1; j < m; ++j) (*rates)(i, j - 1) = gi.derivative(j);
      if (c) (*c)(i) = gi.derivative(m);
    }
  }

  // L_1, .., L_{m-1}. The same pass gives G, g and the rates to whoever wants them.
  void rate_jacobian(std::vector<Matrix>& L, MatrixOut* G = nullptr, VectorOut* g = nullptr,
                     MatrixOut* rates = nullptr) {
    if constexpr (m > 1) {
      Arena::Release scope(arena_);
      const int ng = shape_.ng;
      auto flat = arena_.take<double>(m * ng * shape_.nv);
      Eigen::Map<Matrix> all(flat.data(), m * ng, shape_.nv);
      columns(0, m * ng, all, [&](const Levels<D, m>& x, std::span<D> out) {
        auto jets = along_curve<m - 1>(x);
        for (int j = 0; j < m; ++j)
          for (int i = 0; i < ng; ++i) {
            const D value = jets[static_cast<std::size_t>(i)].derivative(j);
            out[static_cast<std::size_t>(j * ng + i)] = value;
            if (j == 0 && g) (*g)(i) = value.value;
            if (j > 0 && rates) (*rates)(i, j - 1) = value.value;
          }
      });
      if (G) *G = all.topRows(ng);
      for (int j = 1; j < m; ++j) L[static_cast<std::size_t>(j - 1)] = all.middleRows(j * ng, ng);
    }
  }

  // Can G and c come from one pass? Where all columns of G fit into one chunk and are by x itself.
  static constexpr bool one_pass = FixedSize<Model> && !HasKinematics<Model> && [] {
    if constexpr (FixedSize<Model>) return chunk >= static_cast<int>(Model::nq);
    return false;
  }();

  // G and c together.
  void jacobian_and_curvature(MatrixOut G, VectorOut c) requires(one_pass) {
    using DJ = autodiff::DualJet<chunk, m>;
    constexpr auto n = static_cast<std::size_t>(Model::nq);
    std::array<DJ, n> q;
    for (std::size_t i = 0; i < n; ++i) {
      q[i].dual.value = q[i].jet.c[0] = z_[i];
      q[i].dual.grad[i] = 1;
      double factorial = 1;
      for (std::size_t j = 1; j < m; ++j)
        q[i].jet.c[j] = z_[j * n + i] / (factorial *= static_cast<double>(j));
    }
    Arena::Release scope(arena_);
    auto g = arena_.take<DJ>(shape_.ng);
    model_.constraint(DJ(autodiff::Dual<chunk>(t_), time<m, double>()), std::span<const DJ>(q), g);
    for (int i = 0; i < shape_.ng; ++i) {
      const DJ& gi = g[static_cast<std::size_t>(i)];
      for (int j = 0; j < Model::nq; ++j) G(i, j) = gi.dual.grad[static_cast<std::size_t>(j)];
      c(i) = gi.jet.derivative(m);
    }
  }

  // (G a + c)_z with a held; a may be null for zero.
  void curvature_jacobian(const double* a, MatrixOut c_z) {
    for (int level = 0; level < m; ++level)
      columns(level, shape_.ng, c_z.middleCols(level * shape_.nv, shape_.nv),
              [&](const Levels<D, m>& x, std::span<D> out) {
                auto g = along_curve<m>(x, a);
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = g[i].derivative(m);
              });
  }

  // ((C a + (c, ck))_x and _v in rows without zeros, of C = [G; K], columns by groups.
  void curvature_jacobian(const double* a, const linalg::ColumnGroups& groups, linalg::SparseRows& by_x,
                          linalg::SparseRows& by_v) requires(m == 2) {
    const auto evaluate = [&](const Levels<D, m>& x, std::span<D> out) {
      auto g = along_curve<m>(x, a);
      for (std::size_t i = 0; i < g.size(); ++i) out[i] = g[i].derivative(m);
      if (shape_.nk == 0) return;
      auto w = velocity_along_curve(x, a);
      for (std::size_t i = 0; i < w.size(); ++i) out[g.size() + i] = w[i].derivative(1);
    };
    grouped_columns(0, groups, by_x, evaluate);
    grouped_columns(1, groups, by_v, evaluate);
  }

  void velocity_curvature(VectorOut ck) {
    Arena::Release scope(arena_);
    auto w = velocity_along_curve(levels());
    for (int i = 0; i < shape_.nk; ++i) ck(i) = w[static_cast<std::size_t>(i)].derivative(1);
  }

  void velocity_curvature_jacobian(const double* a, MatrixOut ck_z) {
    for (int level = 0; level < m; ++level)
      columns(level, shape_.nk, ck_z.middleCols(level * shape_.nv, shape_.nv),
              [&](const Levels<D, m>& x, std::span<D> out) {
                auto w = velocity_along_curve(x, a);
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = w[i].derivative(1);
              });
  }

  // d w / d x_level: K for level 1, w_x for level 0.
  void velocity_jacobian(int level, MatrixOut out_matrix) {
    if constexpr (HasVelocities<Model>) {
      columns(level, shape_.nk, out_matrix, [&](const Levels<D, m>& x, std::span<D> out) {
        model_.velocity_constraint(D(t_), x[0], x[1], out);
      });
    }
  }

  void force_jacobian(MatrixOut f_z) {
    all_levels(shape_.nv, f_z, [&](const Levels<D, m>& x, std::span<D> out) {
      std::apply([&](auto... level) { model_.force(D(t_), level..., out); }, x);
    });
  }

  void invariant_jacobian(MatrixOut invariants_z) {
    if constexpr (HasInvariants<Model>) {
      all_levels(shape_.ni, invariants_z, [&](const Levels<D, m>& x, std::span<D> out) {
        std::apply([&](auto... level) { model_.invariants(D(t_), level..., out); }, x);
      });
    }
  }

  void energy_gradient(VectorOut energy_z) {
    if constexpr (HasEnergy<Model>) {
      Eigen::Map<Matrix> row(energy_z.data(), 1, energy_z.size());
      all_levels(1, row, [&](const Levels<D, m>& x, std::span<D> out) {
        out[0] = std::apply([&](auto... level) { return D(model_.energy(D(t_), level...)); }, x);
      });
    }
  }

  void mass_product_jacobian(const double* a, MatrixOut Ma_x) {
    if constexpr (HasMass<Model>) {
      columns(0, shape_.nv, Ma_x, [&](const Levels<D, m>& x, std::span<D> out) {
        auto M = arena_.take<D>(shape_.nv * shape_.nv);
        model_.mass(D(t_), x[0], MatrixView<D>(M.data(), shape_.nv));
        for (int j = 0; j < shape_.nv; ++j)
          for (int i = 0; i < shape_.nv; ++i)
            out[static_cast<std::size_t>(i)] += M[static_cast<std::size_t>(i + j * shape_.nv)] * a[j];
      });
    } else {
      Ma_x.setZero();
    }
  }

  // (B lambda)_x + (K^T kappa)_x. Entry j of G^T lambda is the derivative of lambda . g along x + s N e_j.
  void multiplier_jacobian(const double* lambda, const double* kappa, MatrixOut Bl_x) {
    columns(0, shape_.nv, Bl_x, [&](const Levels<D, m>& x, std::span<D> out) {
      if constexpr (HasInput<Model>) {
        auto B = arena_.take<D>(shape_.nv * shape_.ng);
        model_.input(D(t_), x[0], MatrixView<D>(B.data(), shape_.nv));
        for (int j = 0; j < shape_.ng; ++j)
          for (int i = 0; i < shape_.nv; ++i)
            out[static_cast<std::size_t>(i)] += B[static_cast<std::size_t>(i + j * shape_.nv)] * lambda[j];
      } else if constexpr (HasPositions<Model>) {
        for (int j = 0; j < shape_.nv; ++j) {
          Arena::Release scope(arena_);
          auto g = along_direction(x[0], j);
          for (int i = 0; i < shape_.ng; ++i)
            out[static_cast<std::size_t>(j)] += g[static_cast<std::size_t>(i)].c[1] * lambda[i];
        }
      }
      if constexpr (HasVelocities<Model>) add_velocity_multipliers(x[0], kappa, out);
    });
  }

 private:
  template <class T>
  std::span<const T> constant(std::span<T> s) const {
    return s;
  }

  // Calls evaluate(levels, out) with the entries of one level as dual variables, a chunk of columns at a
  // time.
  template <class Fn>
  void columns(int level, int rows, MatrixOut result, Fn evaluate, bool along_displacements = true) {
    Arena::Release scope(arena_);
    const int width = layout_.width(level);
    const bool via_N = level == 0 && HasKinematics<Model> && along_displacements;
    auto flat = arena_.take<double>(via_N ? rows * width : 0);
    Eigen::Map<Matrix> by_coordinates(flat.data(), via_N ? rows : 0, via_N ? width : 0);
    for (int first = 0; first < width; first += chunk) {
      Arena::Release piece(arena_);
      const int count = std::min(chunk, width - first);
      Levels<D, m> x;
      for (int j = 0; j < m; ++j) {
        auto lifted = arena_.take<D>(layout_.width(j));
        for (int i = 0; i < layout_.width(j); ++i)
          lifted[static_cast<std::size_t>(i)] = D(z_[layout_.offset(j) + i]);
        if (j == level)
          for (int k = 0; k < count; ++k)
            lifted[static_cast<std::size_t>(first + k)].grad[static_cast<std::size_t>(k)] = 1.0;
        x[static_cast<std::size_t>(j)] = lifted;
      }
      auto out = arena_.take<D>(rows);
      evaluate(x, out);
      for (int k = 0; k < count; ++k)
        for (int i = 0; i < rows; ++i) {
          const double value = out[static_cast<std::size_t>(i)].grad[static_cast<std::size_t>(k)];
          (via_N ? by_coordinates(i, first + k) : result(i, first + k)) = value;
        }
    }
    if (via_N) {
      auto flat_N = arena_.take<double>(shape_.nq * shape_.nv);
      Eigen::Map<Matrix> N(flat_N.data(), shape_.nq, shape_.nv);
      kinematics(N);
      result.noalias() = by_coordinates.lazyProduct(N);
    }
  }

  // The same along displacements or velocities, a group of columns at a time, where rows have few entries.
  template <class Fn>
  void grouped_columns(int level, const linalg::ColumnGroups& groups, linalg::SparseRows& result,
                       Fn evaluate) {
    Arena::Release scope(arena_);
    auto along = arena_.take<double>(shape_.nv), moved = arena_.take<double>(layout_.width(level));
    for (int first = 0; first < groups.count; first += chunk) {
      Arena::Release piece(arena_);
      const int count = std::min(chunk, groups.count - first);
      Levels<D, m> x;
      for (int j = 0; j < m; ++j) {
        auto lifted = arena_.take<D>(layout_.width(j));
        for (std::size_t i = 0; i < lifted.size(); ++i)
          lifted[i] = D(z_[layout_.offset(j) + static_cast<int>(i)]);
        for (int k = 0; j == level && k < count; ++k) {
          for (std::size_t i = 0; i < along.size(); ++i)
            along[i] = groups.of_column[i] == first + k ? 1.0 : 0.0;
          if constexpr (HasKinematics<Model>) {
            if (level == 0)
              model_.kinematics(t_, levels()[0], constant(along), moved);
            else
              std::copy(along.begin(), along.end(), moved.begin());
          } else {
            std::copy(along.begin(), along.end(), moved.begin());
          }
          for (std::size_t i = 0; i < lifted.size(); ++i)
            lifted[i].grad[static_cast<std::size_t>(k)] = moved[i];
        }
        x[static_cast<std::size_t>(j)] = lifted;
      }
      auto out = arena_.take<D>(result.rows);
      evaluate(x, out);
      for (int i = 0; i < result.rows; ++i)
        for (int k = result.first(i); k < result.last(i); ++k) {
          const int own = groups.of_column[static_cast<std::size_t>(result.column_of(k))] - first;
          if (own >= 0 && own < count)
            result.value[static_cast<std::size_t>(k)] =
                out[static_cast<std::size_t>(i)].grad[static_cast<std::size_t>(own)];
        }
    }
  }

  template <class Fn>
  void all_levels(int rows, MatrixOut result, Fn evaluate) {
    for (int level = 0; level < m; ++level)
      columns(level, rows, result.middleCols(level * shape_.nv, shape_.nv), evaluate);
  }

  // The jet of x_0 along the motion with x^(m) = a, or with 0 where a is null (what is missing then is
  // linear: G x^(m)).
  template <int K, class T>
  std::span<autodiff::Jet<K, T>> curve(const Levels<T, m>& x, const double* a) {
    auto q = arena_.take<autodiff::Jet<K, T>>(shape_.nq);
    for (std::size_t i = 0; i < q.size(); ++i) q[i].c[0] = x[0][i];
    if constexpr (HasKinematics<Model>) {
      if constexpr (K >= 1) {
        auto rates = arena_.take<T>(shape_.nq);
        model_.kinematics(T(t_), x[0], x[1], rates);
        for (std::size_t i = 0; i < q.size(); ++i) q[i].c[1] = rates[i];
        if constexpr (K >= 2) {  // q'' = (N(q) v)'
          using J = autodiff::Jet<1, T>;
          auto q1 = arena_.take<J>(shape_.nq), v1 = arena_.take<J>(shape_.nv),
               rates1 = arena_.take<J>(shape_.nq);
          for (std::size_t i = 0; i < q.size(); ++i) q1[i].c = {x[0][i], rates[i]};
          for (std::size_t i = 0; i < v1.size(); ++i) v1[i].c = {x[1][i], T(a ? a[i] : 0.0)};
          model_.kinematics(time<1, T>(), constant(q1), constant(v1), rates1);
          for (std::size_t i = 0; i < q.size(); ++i) q[i].c[2] = rates1[i].c[1] * 0.5;
        }
      }
    } else {
      double factorial = 1;
      for (int j = 1; j < m && j <= K; ++j) {
        factorial *= j;
        for (std::size_t i = 0; i < q.size(); ++i)
          q[i].c[static_cast<std::size_t>(j)] = x[static_cast<std::size_t>(j)][i] * (1 / factorial);
      }
      if constexpr (K >= m)
        for (std::size_t i = 0; a && i < q.size(); ++i) q[i].c[m] = T(a[i] / (factorial * m));
    }
    return q;
  }

  template <int K, class T>
  autodiff::Jet<K, T> time() const {
    autodiff::Jet<K, T> t;
    t.c[0] = T(t_);
    if constexpr (K >= 1) t.c[1] = T(1.0);
    return t;
  }

  template <int K, class T>
  std::span<autodiff::Jet<K, T>> along_curve(const Levels<T, m>& x, const double* a = nullptr) {
    auto q = curve<K, T>(x, a);
    auto g = arena_.take<autodiff::Jet<K, T>>(shape_.ng);
    model_.constraint(time<K, T>(), constant(q), g);
    return g;
  }

  template <class T>
  std::span<autodiff::Jet<1, T>> velocity_along_curve(const Levels<T, m>& x, const double* a = nullptr) {
    using J = autodiff::Jet<1, T>;
    auto w = arena_.take<J>(shape_.nk);
    if constexpr (HasVelocities<Model>) {
      auto q = curve<1, T>(x, nullptr);
      auto v = arena_.take<J>(shape_.nv);
      for (std::size_t i = 0; i < v.size(); ++i) v[i].c = {x[1][i], T(a ? a[i] : 0.0)};
      model_.velocity_constraint(time<1, T>(), constant(q), constant(v), w);
    }
    return w;
  }

  std::span<autodiff::Jet<1, D>> along_direction(std::span<const D> q, int j) {
    using J = autodiff::Jet<1, D>;
    auto curve_q = arena_.take<J>(shape_.nq);
    auto direction = arena_.take<D>(shape_.nq);
    if constexpr (HasKinematics<Model>) {
      auto e = arena_.take<D>(shape_.nv);
      e[static_cast<std::size_t>(j)] = D(1.0);
      model_.kinematics(D(t_), q, constant(e), direction);
    } else {
      direction[static_cast<std::size_t>(j)] = D(1.0);
    }
    for (std::size_t i = 0; i < q.size(); ++i) curve_q[i].c = {q[i], direction[i]};
    J t;
    t.c[0] = D(t_);
    auto g = arena_.take<J>(shape_.ng);
    model_.constraint(t, constant(curve_q), g);
    return g;
  }

  // Entry j of K^T kappa is kappa . (w(q, e_j) - w(q, 0)), w being linear in v.
  void add_velocity_multipliers(std::span<const D> q, const double* kappa, std::span<D> out) {
    for (int j = 0; j < shape_.nv; ++j) {
      Arena::Release scope(arena_);
      auto v = arena_.take<D>(shape_.nv), w0 = arena_.take<D>(shape_.nk), w1 = arena_.take<D>(shape_.nk);
      model_.velocity_constraint(D(t_), q, constant(v), w0);
      v[static_cast<std::size_t>(j)] = D(1.0);
      model_.velocity_constraint(D(t_), q, constant(v), w1);
      for (std::size_t i = 0; i < w1.size(); ++i)
        out[static_cast<std::size_t>(j)] += (w1[i] - w0[i]) * kappa[i];
    }
  }

  const Model& model_;
  const Shape& shape_;
  const Layout layout_;
  double t_;
  const double* z_;
  Arena& arena_;
  Arena::Release release_;
};

}  // namespace driftless::model
