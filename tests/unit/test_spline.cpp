// A spline is the one function that its conditions determine: through the points, the derivatives below the degree continuous, and
// at the ends no knots or the same derivatives. All conditions at once make a dense matrix, solved here in higher precision; on even
// points the derivatives of a wave are known in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/LU>

#include <driftless/autodiff/jet.hpp>
#include <driftless/mechanics/spline.hpp>

namespace driftless::mechanics {
namespace {

using std::numbers::pi;
using Numbers = std::vector<double>;
using Pieces = std::vector<Polynomial>;
using Jet = autodiff::Jet<5>;

template <class Function>
Numbers values(const Numbers& x, Function f) {
  Numbers y;
  for (const double a : x) y.push_back(f(a));
  return y;
}

// The pieces between the points.
Pieces pieces_of(const Numbers& x, const Numbers& y, int degree, bool periodic) {
  if (periodic) return periodic_spline(x, y, degree);
  const Pieces all = open_spline(x, y, degree);
  return {all.begin() + 1, all.end() - 1};
}

double derivative(const Polynomial& piece, double h, int order) {
  return piece.value(Jet::variable(h)).derivative(order);
}

const Numbers rough_x{-1.2, -0.7, -0.65, 0.3, 1.1, 1.9, 3.4, 3.5, 4.2},
    rough_y{2, -1, -0.8, 4, 3.5, -2, 0.5, 1, 2};

// The widths between the points spread evenly in their logarithm, up to a ratio of 1000.
Numbers uneven(int points, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> draw(-3, 0);
  Numbers x{-0.4};
  while (static_cast<int>(x.size()) < points) x.push_back(x.back() + std::pow(10, draw(generator)));
  return x;
}

template <class T>
T power(const T& x, int exponent) {
  T result(1.0);
  for (int i = 0; i < exponent; ++i) result = result * (x - 0.3);
  return result;
}

void expect_power(const Numbers& x, int degree, int exponent) {
  const Pieces pieces = pieces_of(x, values(x, [&](double a) { return power(a, exponent); }), degree, false);
  ASSERT_EQ(pieces.size() + 1, x.size());
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (const double at : {x[i], 0.7 * x[i] + 0.3 * x[i + 1], x[i + 1]}) {
      EXPECT_EQ(pieces[i].at, x[i]);
      const Jet exact = power(Jet::variable(at), exponent);
      for (int k = 0; k <= 5; ++k)
        EXPECT_NEAR(derivative(pieces[i], at - x[i], k), exact.derivative(k), 1e-12 * std::pow(30, k))
            << x.size() << " points, degree " << degree << ", power " << exponent << ", derivative " << k;
    }
}

TEST(Spline, PolynomialsUpToTheDegreeComeOutExactly) {
  for (const int degree : {3, 5})
    for (int exponent = 0; exponent <= degree; ++exponent)
      for (const Numbers& x :
           {Numbers{-1.0, -0.6, 0.2, 0.5, 1.4, 2.0}, {-1.0, -0.7, 0.4, 0.6, 0.9, 1.3, 2.0}, rough_x})
        expect_power(x, degree, exponent);
}

TEST(Spline, FewPointsGiveTheirPolynomial) {
  const Numbers x{-1.0, 0.1, 0.4, 1.2, 1.5, 2.0, 2.2};
  for (std::size_t n = 2; n <= x.size(); ++n)
    for (const int degree : {3, 5}) {
      const Numbers first(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
      const int most = std::min(degree, static_cast<int>(n) - 1);
      for (int exponent = 0; exponent <= most; ++exponent) expect_power(first, degree, exponent);
      const Numbers y(rough_y.begin(), rough_y.begin() + static_cast<std::ptrdiff_t>(n));
      for (const Polynomial& piece : pieces_of(first, y, degree, false))
        for (std::size_t k = static_cast<std::size_t>(most) + 1; k < 6; ++k) EXPECT_EQ(piece.c[k], 0);
    }
}

// Jumps of derivatives, relative to what roundoff of the values makes of them over the narrower of two pieces.
TEST(Spline, GoesThroughThePointsAndIsSmoothThere) {
  for (const int degree : {3, 5})
    for (const bool periodic : {false, true}) {
      const Pieces pieces = pieces_of(rough_x, rough_y, degree, periodic);
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const double width = rough_x[i + 1] - rough_x[i];
        EXPECT_EQ(pieces[i].at, rough_x[i]);
        EXPECT_EQ(pieces[i].value(0.0), rough_y[i]);
        EXPECT_NEAR(pieces[i].value(width), rough_y[i + 1], 4e-14);
        const std::size_t next = (i + 1) % pieces.size();
        if (next == 0 && !periodic) continue;
        const double narrow = std::min(width, (next == 0 ? rough_x[1] : rough_x[i + 2]) - rough_x[next]);
        const auto jump = [&](int k) {
          return std::abs(derivative(pieces[next], 0, k) - derivative(pieces[i], width, k));
        };
        for (int k = 1; k < degree; ++k)
          EXPECT_LT(jump(k), 1e-13 * std::pow(10 / narrow, k)) << degree << " at point " << next << ", " << k;
        // Next to the ends there is no knot; elsewhere there is one.
        const auto beside = static_cast<std::size_t>(degree - 1) / 2;
        if (!periodic && (next <= beside || next + beside >= pieces.size()))
          EXPECT_LT(jump(degree), 1e-13 * std::pow(10 / narrow, degree)) << degree << " at point " << next;
        else
          EXPECT_GT(jump(degree), 1) << degree << " at point " << next;
      }
    }
}

TEST(Spline, GoesOnStraightBeyondTheEnds) {
  for (const int degree : {3, 5}) {
    const Pieces all = open_spline(rough_x, rough_y, degree);
    ASSERT_EQ(all.size(), rough_x.size() + 1);
    const Polynomial &first = all[1], &last = all[all.size() - 2];
    const double width = rough_x.back() - last.at;
    EXPECT_EQ(all.front().at, rough_x.front());
    EXPECT_EQ(all.back().at, rough_x.back());
    for (const double h : {-7.0, 0.0, 1e6}) {
      EXPECT_EQ(all.front().value(h), rough_y.front() + first.c[1] * h);
      EXPECT_NEAR(all.back().value(h), rough_y.back() + last.slope(width) * h, 1e-13 * (1 + std::abs(h)));
    }
  }
}

// The unknowns are c_k d^k of each piece, d its width.
Pieces by_all_conditions(const Numbers& x, const Numbers& y, int degree, bool periodic) {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const int n = static_cast<int>(x.size()) - 1, size = n * (degree + 1);
  const auto at = [](const Numbers& of, int i) { return of[static_cast<std::size_t>(i)]; };
  const auto width = [&](int i) { return static_cast<long double>(at(x, i + 1)) - at(x, i); };
  const auto factor = [](int j, int k) { return std::tgamma(j + 1.0L) / std::tgamma(j - k + 1.0L); };
  Matrix A = Matrix::Zero(size, size), right = Matrix::Zero(size, 1);
  int row = 0;
  const auto smooth = [&](int i, int next, int k) {
    const long double narrow = std::min(width(i), width(next));
    for (int j = k; j <= degree; ++j)
      A(row, i * (degree + 1) + j) = factor(j, k) * std::pow(narrow / width(i), k);
    A(row++, next * (degree + 1) + k) -= factor(k, k) * std::pow(narrow / width(next), k);
  };
  for (int i = 0; i < n; ++i) {
    A(row, i * (degree + 1)) = 1, right(row++) = at(y, i);
    A.block(row, i * (degree + 1), 1, degree + 1).setOnes(), right(row++) = at(y, i + 1);
    for (int k = 1; k < degree && (periodic || i + 1 < n); ++k) smooth(i, (i + 1) % n, k);
  }
  for (int i = 0; !periodic && i < (degree - 1) / 2; ++i)
    smooth(i, i + 1, degree), smooth(n - 2 - i, n - 1 - i, degree);
  EXPECT_EQ(row, size);
  const Matrix c = A.fullPivLu().solve(right);
  Pieces pieces;
  for (int i = 0; i < n; ++i) {
    pieces.push_back({at(x, i)});
    for (int k = 0; k <= degree; ++k)
      pieces.back().c[static_cast<std::size_t>(k)] =
          static_cast<double>(c(i * (degree + 1) + k) / std::pow(width(i), k));
  }
  return pieces;
}

// The largest, relative to the largest value.
double difference(const Numbers& x, const Pieces& a, const Pieces& b) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const double part : {0.0, 0.2, 0.5, 0.8, 1.0}) {
      const double h = part * (x[i + 1] - x[i]);
      worst = std::max(worst, std::abs(a[i].value(h) - b[i].value(h)));
      size = std::max(size, std::abs(b[i].value(h)));
    }
  return worst / size;
}

// Where many points are close to each other and others far away, roundoff of the given y does more than that of the computation.
void expect_solution(const Numbers& x, Numbers y, int degree, bool periodic) {
  if (periodic) y.back() = y.front();
  const Pieces exact = by_all_conditions(x, y, degree, periodic);
  Numbers rounded = y;
  for (std::size_t i = 0; i < y.size(); ++i) rounded[i] *= 1 + (i % 2 ? 2e-16 : -2e-16);
  if (periodic) rounded.back() = rounded.front();
  const double roundoff = difference(x, by_all_conditions(x, rounded, degree, periodic), exact);
  EXPECT_LT(difference(x, pieces_of(x, y, degree, periodic), exact), 3e-12 + 10 * roundoff)
      << x.size() << " points, degree " << degree << (periodic ? ", periodic" : "");
}

TEST(Spline, IsWhatAllConditionsAtOnceGive) {
  for (const int degree : {3, 5})
    for (const bool periodic : {false, true}) {
      expect_solution(rough_x, rough_y, degree, periodic);
      for (unsigned seed = 0; seed < 20; ++seed) {
        const Numbers x = uneven(periodic ? 4 + static_cast<int>(seed % 6) : degree + 2 + degree, seed);
        expect_solution(x, values(x, [&](double a) { return std::sin(2 * a + seed); }), degree, periodic);
      }
    }
}

// On even points with the distance d, a wave of the phase p per point keeps its form, and its derivatives are those of the wave times
//   s_{i-1} + 4 s_i + s_{i+1} = 3 (y_{i+1} - y_{i-1})/d,   k_{i-1} + 4 k_i + k_{i+1} = 6 (y_{i-1} - 2 y_i + y_{i+1})/d^2
//   s_{i-2} + 26 s_{i-1} + 66 s_i + .. = 5 (y_{i+2} + 10 y_{i+1} - 10 y_{i-1} - y_{i-2})/d
//   k_{i-2} + 26 k_{i-1} + 66 k_i + .. = 20 (y_{i+2} + 2 y_{i+1} - 6 y_i + 2 y_{i-1} + y_{i-2})/d^2
// as Fourier's transform has it. From 3 points on, where the conditions reach around the curve more than once.
TEST(Spline, WavesOnEvenPoints) {
  for (const int n : {3, 4, 5, 6, 7, 32})
    for (int waves = 0; 2 * waves < n; ++waves) {
      const double d = 0.7, p = 2 * pi * waves / n, c = std::cos(p), c2 = std::cos(2 * p);
      Numbers x, y;
      for (int i = 0; i <= n; ++i) x.push_back(i * d - 1), y.push_back(std::cos(p * (i % n)));
      const double slope[] = {3 * std::sin(p) / (2 + c) / d,
                              5 * (std::sin(2 * p) + 10 * std::sin(p)) / (c2 + 26 * c + 33) / d},
                   bend[] = {6 * (c - 1) / (2 + c) / d / d,
                             20 * (c2 + 2 * c - 3) / (c2 + 26 * c + 33) / d / d};
      for (const int degree : {3, 5}) {
        const Pieces pieces = periodic_spline(x, y, degree);
        ASSERT_EQ(static_cast<int>(pieces.size()), n);
        for (int i = 0; i < n; ++i) {
          const Polynomial& piece = pieces[static_cast<std::size_t>(i)];
          EXPECT_NEAR(piece.slope(0.0), -slope[degree / 4] * std::sin(p * i), 1e-13) << n << " " << waves;
          EXPECT_NEAR(piece.second_derivative(0.0), bend[degree / 4] * std::cos(p * i), 1e-12)
              << n << " " << waves;
        }
      }
    }
}

// The worst errors of value and second derivative everywhere; natural ends would show order 2 and 0.
TEST(Spline, ErrorsHaveTheOrderOfTheDegreeUpToTheEnds) {
  const auto errors = [](int n, int degree, bool periodic) {
    Numbers x;
    for (int i = 0; i <= n; ++i) x.push_back(2 * pi * i / n + 0.1 * std::sin(4 * pi * i / n));
    const auto y = [](const auto& a) { return sin(a + 1.0); };
    const Pieces pieces = pieces_of(x, values(x, [&](double a) { return y(a); }), degree, periodic);
    std::array<double, 2> worst{};
    for (std::size_t i = 0; i < pieces.size(); ++i)
      for (double part = 0; part <= 1; part += 0.05) {
        const double h = part * (x[i + 1] - x[i]);
        const Jet exact = y(Jet::variable(x[i] + h));
        worst[0] = std::max(worst[0], std::abs(pieces[i].value(h) - exact.derivative(0)));
        worst[1] = std::max(worst[1], std::abs(pieces[i].second_derivative(h) - exact.derivative(2)));
      }
    return worst;
  };
  for (const int degree : {3, 5})
    for (const bool periodic : {false, true})
      for (const std::size_t k : {0u, 1u}) {
        const double order = std::log2(errors(80, degree, periodic)[k] / errors(160, degree, periodic)[k]);
        EXPECT_NEAR(order, degree + 1 - 2 * static_cast<double>(k), 0.15) << degree << periodic << k;
      }
}

TEST(Spline, SymmetricPointsGiveSymmetricCurves) {
  const Numbers x{-3, -1.7, -1.6, -0.5, 0.5, 1.6, 1.7, 3}, y{2, -1, 0.5, 1, 1, 0.5, -1, 2};
  for (const int degree : {3, 5})
    for (const bool periodic : {false, true}) {
      const Pieces pieces = pieces_of(x, y, degree, periodic);
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::size_t other = pieces.size() - 1 - i;
        const double width = x[i + 1] - x[i];
        for (const double part : {0.0, 0.3, 0.8}) {
          EXPECT_NEAR(pieces[i].value(part * width), pieces[other].value((1 - part) * width), 1e-12);
          EXPECT_NEAR(pieces[i].slope(part * width), -pieces[other].slope((1 - part) * width), 1e-10);
        }
      }
    }
}

TEST(Spline, ManyPointsTakeLittleTime) {
  Numbers x, y;
  const int n = 100000;
  for (int i = 0; i <= n; ++i) x.push_back(2 * pi * i / n), y.push_back(std::sin(x.back()));
  y.back() = y.front();
  const auto begin = std::chrono::steady_clock::now();
  const Pieces open = pieces_of(x, y, 5, false), closed = pieces_of(x, y, 5, true);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 5);  // about 0.1, where nothing else is going on
  for (const std::size_t i : {0u, 1u, 50000u, 99999u})
    for (const Pieces& pieces : {open, closed})
      EXPECT_NEAR(pieces[i].value(1e-5), std::sin(x[i] + 1e-5), 1e-14);
}

TEST(Spline, WhichPieceHoldsAPlace) {
  const Numbers breaks{0, 1, 3};
  EXPECT_EQ(piece_at(breaks, -0.1), 0u);
  EXPECT_EQ(piece_at(breaks, 0), 1u);
  EXPECT_EQ(piece_at(breaks, 0.9), 1u);
  EXPECT_EQ(piece_at(breaks, 1), 2u);
  EXPECT_EQ(piece_at(breaks, 3), 2u);
  EXPECT_EQ(piece_at(breaks, 3.1), 3u);
}

TEST(Spline, DerivativesAndAreasOfAPiece) {
  const Polynomial piece{2, {3, -1, 0.5, 2, -0.7, 0.3}};
  for (const double h : {0.0, 0.4, -1.3}) {
    const Jet jet = piece.value(Jet::variable(h)), area = piece.area(Jet::variable(h));
    EXPECT_NEAR(piece.value(h),
                3 - h + h * h / 2 + 2 * std::pow(h, 3) - 0.7 * std::pow(h, 4) + 0.3 * std::pow(h, 5), 1e-14);
    EXPECT_NEAR(piece.slope(h), jet.derivative(1), 1e-13);
    EXPECT_NEAR(piece.second_derivative(h), jet.derivative(2), 1e-13);
    for (int k = 0; k < 5; ++k)
      EXPECT_NEAR(area.derivative(k + 1), jet.derivative(k), 1e-13 * std::pow(10, k));
  }
  EXPECT_EQ(piece.area(0.0), 0);
}

}  // namespace
}  // namespace driftless::mechanics
