#include <driftless/core/feedback_gains.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <driftless/core/manifold.hpp>
#include <driftless/linalg/dense_lu.hpp>
#include <driftless/linalg/spectrum.hpp>

namespace driftless {

namespace {

double moment(const Discretization& by, int k) {
  if (k == 0) return 1;
  if (static_cast<std::size_t>(k) <= by.moments.size()) return by.moments[static_cast<std::size_t>(k - 1)];
  return 1 / std::tgamma(k + 1);
}

// x_{n+1} = A x_n + B U of the chain g, g', .., g^(m-1), step 1.
struct Chain {
  Matrix A, B;
  Chain(const Discretization& by, int m) : A(Matrix::Zero(m, m)), B(Matrix::Zero(m, 1)) {
    for (int i = 0; i < m; ++i) {
      for (int j = i; j < m; ++j) A(i, j) = moment(by, j - i);
      B(i, 0) = moment(by, m - i);
    }
  }
};

// One step of a multistep method on x' = J x, for (x_n, J x_{n-1}, J x_{n-2}, ..).
Matrix multistep_matrix(const std::vector<double>& weights, const Matrix& J) {
  const Eigen::Index m = J.rows(), k = static_cast<Eigen::Index>(weights.size());
  Matrix step = Matrix::Zero(m * k, m * k);
  step.topLeftCorner(m, m) = Matrix::Identity(m, m) + weights[0] * J;
  for (Eigen::Index i = 1; i < k; ++i) {
    step.block(0, i * m, m, m) = weights[static_cast<std::size_t>(i)] * Matrix::Identity(m, m);
    if (i == 1) {
      step.block(m, 0, m, m) = J;
    } else {
      step.block(i * m, (i - 1) * m, m, m).setIdentity();
    }
  }
  return step;
}

// A nilpotent matrix has no eigenvalues that a computer could find: they come out as roots of roundoff.
double radius_or_zero(const Matrix& matrix) {
  Matrix power = matrix;
  for (Eigen::Index i = 1; i < matrix.rows(); ++i) power = power * matrix;
  return power.cwiseAbs().maxCoeff() < 1e-10 ? 0 : linalg::spectral_radius(matrix);
}

Matrix inverse(const Matrix& matrix) {
  Matrix result = Matrix::Identity(matrix.rows(), matrix.cols());
  linalg::DenseLu<double> lu(static_cast<int>(matrix.rows()));
  lu.factor(matrix);
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) lu.solve(result.col(j), result.col(j));
  return result;
}

double decay_radius(const std::vector<double>& weights, double s) {
  return linalg::spectral_radius(multistep_matrix(weights, Matrix::Constant(1, 1, -s)));
}

}  // namespace

bool holds_feedback(const Discretization& by) {
  return by.weights.empty() && by.decay == 0;
}

// The radius falls from 1 at s = 0 and rises again; between, several roots may pass each other, so that first a scan finds the
// lowest place and then a search by thirds narrows it down.
double fastest_decay(const std::vector<double>& weights) {
  constexpr double largest = 2, scan = 0.01;
  double best = scan, radius = 1;
  for (double s = scan; s <= largest; s += scan)
    if (const double r = decay_radius(weights, s); r < radius) {
      radius = r;
      best = s;
    }
  double from = best - scan, to = best + scan;
  while (to - from > 1e-14 * to) {
    const double a = from + (to - from) / 3, b = to - (to - from) / 3;
    if (decay_radius(weights, a) < decay_radius(weights, b))
      to = b;
    else
      from = a;
  }
  return (from + to) / 2;
}

std::vector<double> feedback_gains(const Discretization& by, int m) {
  std::vector<double> gains(static_cast<std::size_t>(m));
  if (!holds_feedback(by)) {
    const double s = by.decay > 0 ? by.decay : fastest_decay(by.weights);
    for (int j = 0; j < m; ++j) gains[static_cast<std::size_t>(j)] = binomial(m, j) * std::pow(s, m - j);
    return gains;
  }
  const Chain chain(by, m);
  Matrix reach(m, m), power = Matrix::Identity(m, m);
  for (int i = 0; i < m; ++i) {
    reach.col(i) = power * chain.B;
    power = power * chain.A;
  }
  Vector last = Vector::Zero(m);
  last(m - 1) = 1;
  linalg::DenseLu<double> lu(m);
  Vector row(m);
  lu.factor(reach.transpose());
  lu.solve(last, row);
  for (int j = 0; j < m; ++j) gains[static_cast<std::size_t>(j)] = power.col(j).dot(row);
  return gains;
}

bool GainStep::begin(double t, double h) {
  if (t != t_) {
    t_ = t;
    accepted_ = h_;
  }
  const double wanted = std::max(h, 0.9 * accepted_);
  if (std::abs(wanted - h_) > 1e-9 * wanted) {
    h_ = wanted;
    new_ = true;
  }
  return std::exchange(new_, false);
}

double feedback_radius(const Discretization& by, const std::vector<double>& gains) {
  const int m = static_cast<int>(gains.size());
  const auto K = Eigen::Map<const Vector>(gains.data(), m).transpose();
  if (holds_feedback(by)) {
    const Chain chain(by, m);
    return radius_or_zero(chain.A - chain.B * K);
  }
  Matrix J = Matrix::Zero(m, m);
  J.diagonal(1).setOnes();
  J.row(m - 1) = -K;
  if (by.decay > 0) return radius_or_zero(inverse(Matrix::Identity(m, m) - J));
  return radius_or_zero(multistep_matrix(by.weights, J));
}

}  // namespace driftless
