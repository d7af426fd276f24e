// y' = (N v, a) with y = (q, v), as a user of a solver for ordinary differential equations writes it:
//   [M G^T; G 0] (a, lambda) = (f, -c)      by Gaussian elimination of the whole matrix
// and the projection that such a user writes beside it: q along G^T to g = 0 by Newton's method, then v to G v + g_t = 0. One factored
// G G^T serves both, since G hardly changes under the projection of one step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <driftless/driftless.hpp>

#include "../common/saddle_lu.hpp"
#include "models.hpp"

namespace driftless::benchmarks {

// What solvers see that are not compiled for one size.
class Ode {
 public:
  virtual ~Ode() = default;
  virtual int size() const = 0;
  virtual void rhs(double t, const double* y, double* dy) = 0;
  virtual void project(double t, double* y) = 0;
  // Takes out of an error of y what the projection takes out of y.
  virtual void project_error(double t, const double* y, double* error) = 0;
  virtual Vector multipliers(double t, const double* y) = 0;
  // With the multipliers as unknowns, y = (q, v, lambda):  q' - N v,  M v' + G^T lambda - f,  G v' + c
  virtual void residual(double t, const double* y, const double* yp, double* r) = 0;
  long evaluations = 0;
};

template <class M>
class HandWritten : public Ode {
 public:
  using Model = M;
  static constexpr int nq = M::nq, nv = M::nv, ng = M::ng, ny = nq + nv, n = nv + ng;
  using State = std::array<double, ny>;

  explicit HandWritten(const Problem&) {}
  int size() const final { return ny; }

  void rhs(double t, const double* y, double* dy) override {
    ++evaluations;
    std::array<double, n> b;
    solve(t, y, b);
    model_.coordinate_rates(In(y, nq), In(y + nq, nv), Out(dy, nq));
    for (int i = 0; i < nv; ++i) dy[nq + i] = b[i];
  }

  void project([[maybe_unused]] double t, [[maybe_unused]] double* y) final {
    if constexpr (ng > 0) {
      double largest = 1;
      for (int iteration = 0; iteration < 5 && largest > 1e-9; ++iteration) {
        std::array<double, ng> g;
        model_.normalize(Out(y, nq));
        linearize(t, y);
        model_.constraint(t, In(y, nq), Out(g));
        const auto delta = least_move(g);
        std::array<double, nq> change{};
        model_.coordinate_rates(In(y, nq), In(delta), Out(change));
        for (int i = 0; i < nq; ++i) y[i] -= change[i];
        largest = 0;
        for (const double d : delta) largest = std::max(largest, std::abs(d));
      }
      model_.jacobian(t, In(y, nq), entries(G_));
      std::array<double, ng> rate{};
      model_.explicit_rate(t, In(y, nq), Out(rate));
      for (int i = 0; i < ng; ++i)
        for (int j = 0; j < nv; ++j) rate[i] += G_[i * nv + j] * y[nq + j];
      const auto delta = least_move(rate);
      for (int i = 0; i < nv; ++i) y[nq + i] -= delta[i];
    }
  }

  void project_error([[maybe_unused]] double t, [[maybe_unused]] const double* y,
                     [[maybe_unused]] double* error) final {
    if constexpr (ng > 0) {
      linearize(t, y);
      std::array<double, nv> delta;
      model_.displacement(In(y, nq), In(error, nq), Out(delta));
      for (auto* part : {delta.data(), error + nq}) {
        const auto normal = least_move(times_G(part));
        for (int i = 0; i < nv; ++i) part[i] -= normal[i];
      }
      model_.coordinate_rates(In(y, nq), In(delta), Out(error, nq));
    }
  }

  Vector multipliers(double t, const double* y) final {
    std::array<double, n> b;
    solve(t, y, b);
    Vector lambda(ng);
    for (int i = 0; i < ng; ++i) lambda(i) = b[nv + i];
    return lambda;
  }

  void residual(double t, const double* y, const double* yp, double* r) final {
    ++evaluations;
    std::array<double, nv * nv> mass{};
    std::array<double, ng * nv> G{};
    std::array<double, nv> f{};
    std::array<double, ng> c{};
    model_.dynamics(
        t, In(y, nq), In(y + nq, nv), [&](int i, int j) -> double& { return mass[i * nv + j]; }, Out(f),
        entries(G), Out(c));
    model_.coordinate_rates(In(y, nq), In(y + nq, nv), Out(r, nq));
    for (int i = 0; i < nq; ++i) r[i] = yp[i] - r[i];
    const double *a = yp + nq, *lambda = y + ny;
    for (int i = 0; i < nv; ++i) {
      double sum = -f[i];
      for (int j = 0; j < nv; ++j) sum += mass[i * nv + j] * a[j];
      for (int j = 0; j < ng; ++j) sum += G[j * nv + i] * lambda[j];
      r[nq + i] = sum;
    }
    for (int i = 0; i < ng; ++i) {
      r[ny + i] = c[i];
      for (int j = 0; j < nv; ++j) r[ny + i] += G[i * nv + j] * a[j];
    }
  }

 protected:
  static auto entries(std::array<double, ng * nv>& G) {
    return [&G](int i, int j) -> double& { return G[static_cast<std::size_t>(i * nv + j)]; };
  }

  void solve(double t, const double* y, std::array<double, n>& b) const {
    std::array<double, n * n> A{};
    b.fill(0);
    model_.dynamics(
        t, In(y, nq), In(y + nq, nv), [&](int i, int j) -> double& { return A[i * n + j]; },
        Out(b.data(), nv), [&](int i, int j) -> double& { return A[(nv + i) * n + j]; },
        Out(b.data() + nv, ng));
    if constexpr (ng == 0) {  // the one model without constraints has a diagonal M
      for (int i = 0; i < nv; ++i) b[i] /= A[i * n + i];
    } else {
      for (int i = 0; i < ng; ++i) {
        for (int j = 0; j < nv; ++j) A[j * n + nv + i] = A[(nv + i) * n + j];
        b[nv + i] = -b[nv + i];
      }
      solve_by_lu<n>(A, b);
    }
  }

  // G there and the Cholesky factor of G G^T, with the inverse of its diagonal.
  void linearize(double t, const double* y) {
    model_.jacobian(t, In(y, nq), entries(G_));
    for (int i = 0; i < ng; ++i)
      for (int j = 0; j <= i; ++j) {
        double sum = 0;
        for (int k = 0; k < nv; ++k) sum += G_[i * nv + k] * G_[j * nv + k];
        for (int k = 0; k < j; ++k) sum -= factor_[i * ng + k] * factor_[j * ng + k];
        factor_[i * ng + j] = i == j ? 1 / std::sqrt(sum) : sum * factor_[j * ng + j];
      }
  }
  std::array<double, ng> times_G(const double* x) const {
    std::array<double, ng> r{};
    for (int i = 0; i < ng; ++i)
      for (int j = 0; j < nv; ++j) r[i] += G_[i * nv + j] * x[j];
    return r;
  }
  // G^T (G G^T)^-1 r
  std::array<double, nv> least_move(std::array<double, ng> r) const {
    for (int i = 0; i < ng; ++i) {
      for (int k = 0; k < i; ++k) r[i] -= factor_[i * ng + k] * r[k];
      r[i] *= factor_[i * ng + i];
    }
    for (int i = ng - 1; i >= 0; --i) {
      for (int k = i + 1; k < ng; ++k) r[i] -= factor_[k * ng + i] * r[k];
      r[i] *= factor_[i * ng + i];
    }
    std::array<double, nv> move{};
    for (int i = 0; i < ng; ++i)
      for (int j = 0; j < nv; ++j) move[j] += G_[i * nv + j] * r[i];
    return move;
  }

  M model_;
  std::array<double, ng * nv> G_{};
  std::array<double, ng * ng> factor_{};
};

// The same with the acceleration that Driftless computes, so that solver and right-hand side can be told apart.
template <class M>
class OfDriftless final : public HandWritten<M> {
 public:
  using Base = HandWritten<M>;
  explicit OfDriftless(const Problem& problem)
      : Base(problem), problem_(problem), lambda_(Base::ng), r_(Vector::Zero(Base::ng)) {}

  void rhs(double t, const double* y, double* dy) override {
    ++this->evaluations;
    Eigen::Map<Vector> a(dy + Base::nq, Base::nv);
    problem_.acceleration(t, Eigen::Map<const Vector>(y, Base::ny), r_, a, lambda_, work_);
    this->model_.coordinate_rates(In(y, Base::nq), In(y + Base::nq, Base::nv), Out(dy, Base::nq));
  }

 private:
  const Problem& problem_;
  Vector lambda_, r_;
  Workspace work_;
};

}  // namespace driftless::benchmarks
