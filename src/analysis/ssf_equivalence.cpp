#include <driftless/analysis/ssf_equivalence.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <driftless/linalg/dense_lu.hpp>

namespace driftless::analysis {

namespace {

constexpr int most_iterations = 60;

void check(Status status, double t) {
  if (status != Status::ok)
    throw InputError(fmt::format(
        "the equations of the step to t = {:.10g} cannot be solved there; choose another step", t));
}

// Value and scaled derivative of a step: h y' = sum_{j=1..k} (1/j) nabla^j y = alpha_0 y + (what the history contributes).
class Step {
 public:
  Step(System& system, const BdfStep& step, const SsfScales& scales)
      : system_(system), dae_(*system.dae()), t_(step.t) {
    const int k = step.order, n = system.size();
    if (k < 1 || static_cast<int>(step.history.size()) < k)
      throw InputError(fmt::format("a step of order {} needs {} past states and {} are given; give more", k,
                                   k, step.history.size()));
    std::vector<Vector> past;
    for (const State& state : step.history) {
      past.push_back(Vector::Zero(n));
      system.pack(state, past.back());
    }
    // Differences of the polynomial through k past values, continued: nabla^j of the predicted value.
    predicted_ = Vector::Zero(n);
    Vector rate = Vector::Zero(n);
    double alpha = 0;
    std::vector<Vector> differences = past;  // nabla^j of the newest value, j = 0, .., k - 1
    for (int j = 1; j < k; ++j)
      for (int i = k - 1; i >= j; --i)
        differences[static_cast<std::size_t>(i)] =
            differences[static_cast<std::size_t>(i - 1)] - differences[static_cast<std::size_t>(i)];
    Vector continued = Vector::Zero(n);  // nabla^k
    for (int j = k; j >= 1; --j) {
      rate += continued / j;
      alpha += 1.0 / j;
      continued += differences[static_cast<std::size_t>(j - 1)];  // nabla^(j-1) of the predicted value
    }
    predicted_ = continued;
    c_ = alpha / step.h;
    rate_ = rate / step.h;
    const Layout& layout = step.history.front().layout;
    scales_ = Vector::Constant(n, scales.lambda);
    scales_.head(layout.nq).setConstant(scales.q);
    scales_.segment(layout.nq, layout.size() - layout.nq).setConstant(scales.v);
  }

  const Vector& predicted() const { return predicted_; }
  Vector rate(const Vector& y) const { return rate_ + c_ * (y - predicted_); }
  Vector residual(const Vector& y) {
    Vector r(dae_.equations());
    check(dae_.residual(t_, y, rate(y), r), t_);
    return r;
  }
  // c F_y' + F_y: A_1, and A_2 below it.
  Matrix derivative(const Vector& y) {
    Matrix F_y = Matrix::Zero(dae_.equations(), y.size()), F_yp = F_y;
    check(dae_.linearize(t_, y, rate(y)), t_);
    dae_.assemble(F_y, F_yp);
    return c_ * F_yp + F_y;
  }
  // An ssf iteration; with `renew`, matrices are those of y.
  Vector iterated(const Vector& y, bool renew) {
    if (!matrix_) matrix_ = dae_.real_matrix();
    if (renew) {
      check(dae_.linearize(t_, y, rate(y)), t_);
      check(matrix_->factor(c_), t_);
    }
    const Vector r = residual(y);
    Vector increment(y.size());
    matrix_->solve(r, increment);
    return y - increment;
  }
  // The same with matrices of y and one step of iterative refinement. Any generalized solution is a left inverse of the derivative, so
  // that its roundoff changes and nothing else.
  Vector refined(const Vector& y) {
    const Vector next = iterated(y, true), rest = residual(y) - derivative(y) * (y - next);
    Vector correction(y.size());
    matrix_->solve(rest, correction);
    return next - correction;
  }
  double distance(const Vector& one, const Vector& other) const {
    return (one - other).cwiseAbs().cwiseQuotient(scales_).maxCoeff();
  }

 private:
  System& system_;
  DaeSystem& dae_;
  double t_, c_ = 0;
  Vector predicted_, rate_;  // rate_: y' of the predicted value by the formula
  Vector scales_;
  std::unique_ptr<IterationMatrix<double>> matrix_;
};

// One iteration of modified Newton's method for the extended system: derivatives of A_2^T m are left out. Its increment is refined
// once: M/h magnifies roundoff of velocities in the multipliers, and elimination without structure loses two digits more than ssf.
void iterate_extended(Step& step, Vector& y, Vector& m) {
  const auto n = y.size(), k = m.size();
  const Matrix A = step.derivative(y);
  Matrix whole = Matrix::Zero(n + k, n + k);
  whole.leftCols(n) = A;
  whole.topRightCorner(n, k) = A.bottomRows(k).transpose();
  Vector r = step.residual(y);
  r.head(n) += A.bottomRows(k).transpose() * m;
  linalg::DenseLu<double> lu(static_cast<int>(n + k));
  if (!lu.factor(whole))
    throw InputError("the matrix of the extended system is singular; choose another step");
  Vector increment(n + k), correction(n + k);
  lu.solve(r, increment);
  lu.solve(r - whole * increment, correction);
  increment += correction;
  y -= increment.head(n);
  m -= increment.tail(k);
}

// body(y) -> next y, until increments no longer shrink below roundoff.
template <class Body>
Vector limit_of(Step& step, Vector y, Body body) {
  double last = 0;
  for (int i = 0; i < most_iterations; ++i) {
    const Vector next = body(y);
    const double increment = step.distance(next, y);
    y = next;
    if (!std::isfinite(increment)) break;
    if (increment == 0 || (i > 2 && increment < 1e-12 && increment >= 0.5 * last)) return y;
    last = increment;
  }
  throw InputError("the iteration of the step does not converge; choose a smaller step");
}

}  // namespace

SsfEquivalence ssf_equivalence(System& system, const BdfStep& of, const SsfScales& scales, bool frozen) {
  Step step(system, of, scales);
  const auto k = system.dae()->equations() - system.size();
  SsfEquivalence result;

  Vector first = step.predicted(), m = Vector::Zero(k);
  iterate_extended(step, first, m);
  result.first_iterate = step.distance(step.iterated(step.predicted(), true), first);

  m.setZero();
  const Vector solution = limit_of(step, step.predicted(), [&](Vector y) {
    iterate_extended(step, y, m);
    return y;
  });
  result.multipliers = m.size() > 0 ? m.cwiseAbs().maxCoeff() : 0;

  bool begun = false;
  const Vector limit = limit_of(step, step.predicted(), [&](const Vector& y) {
    const bool renew = !frozen || !begun;
    begun = true;
    return step.iterated(y, renew);
  });
  result.limit = step.distance(limit, solution);
  return result;
}

// Both take their increments from the same iterate: two sequences would go apart by roundoff that the next increments magnify.
double iterates_apart(System& one, System& other, const BdfStep& of, const SsfScales& scales) {
  Step first(one, of, scales), second(other, of, scales);
  Vector y = first.predicted();
  double apart = 0;
  for (int i = 0; i < 8; ++i) {
    const Vector z = second.refined(y);
    y = first.refined(y);
    apart = std::max(apart, first.distance(y, z));
  }
  return apart;
}

}  // namespace driftless::analysis
