#include "model_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

std::string undeclared(const TimeDependence& found) {
  return found.what + "; declare `moving = true` in the model";
}

Vector generic_values(int size, int first) {
  Vector values(size);
  for (int i = 0; i < size; ++i) {
    const double x = 0.618033988749895 * (first + i + 1);
    values(i) = (0.5 + (x - std::floor(x))) * (i % 2 == 0 ? 1 : -1);
  }
  return values;
}

std::optional<Entry> largest_disagreement(const Matrix& given, const Matrix& expected, const Matrix& noise) {
  constexpr double relative = 1e-6, of_row = 1e-12, of_all = 1e-14;
  std::optional<Entry> worst;
  if (given.size() == 0) return worst;
  const auto size = [](double x) { return std::isfinite(x) ? std::abs(x) : 0.0; };
  double all = 0, largest = 1;
  for (Eigen::Index i = 0; i < given.size(); ++i) all = std::max({all, size(given(i)), size(expected(i))});
  for (int i = 0; i < given.rows(); ++i) {
    double row = 0;
    for (int j = 0; j < given.cols(); ++j) row = std::max({row, size(given(i, j)), size(expected(i, j))});
    for (int j = 0; j < given.cols(); ++j) {
      const double one = given(i, j), other = expected(i, j);
      if (!std::isfinite(one) || !std::isfinite(other) || !std::isfinite(noise(i, j))) continue;
      const double forgiven = relative * std::max(std::abs(one), std::abs(other)) + 10 * noise(i, j) +
                              of_row * row + of_all * all;
      const double off = std::abs(one - other);
      if (off > largest * forgiven) {
        largest = off / forgiven;
        worst = Entry{i, j};
      }
    }
  }
  return worst;
}

namespace {

// f, M a, or G^T lambda + K^T kappa.
Vector base(const Problem& problem, const Checkable& known, Part of, const Point& at, Evaluation& e) {
  if (of == Part::force_jacobian) {
    problem.evaluate(Part::force, at, e);
    return e.f;
  }
  if (of == Part::mass_product_jacobian) {
    problem.evaluate(Part::mass, at, e);
    return e.M * at.a;
  }
  const Parts rows = Part::jacobian | Part::velocity_jacobian;
  e.prepare(problem.shape(), rows);
  known.derive(rows, at, e);
  Vector push = e.G.transpose() * at.lambda;
  if (at.kappa.size() > 0) push += e.K.transpose() * at.kappa;
  return push;
}

}  // namespace

//   R(h) = D(h) + (D(h) - D(4 h))/15,   D(h) = (F(x + h) - F(x - h))/(2 h)
// for h from 1e-2 of the level's size down; the one that changed least is taken. Where slopes on both sides
// differ (a spring that begins to act) that belongs to the error. Of a large model some columns only.
Differences by_differences(const Problem& problem, const Checkable& known, Part part, const Point& at) {
  constexpr int steps = 9, most_columns = 24;
  constexpr double largest_step = 1e-2, factor = 0.25;
  const Shape& s = problem.shape();
  const int levels = part == Part::force_jacobian ? s.order : 1;
  const Layout layout = s.layout();
  const Vector z = at.z;
  Evaluation e;
  Workspace work;
  const Vector middle = base(problem, known, part, at, e);
  const Matrix unknown = Matrix::Constant(s.nv, levels * s.nv, std::numeric_limits<double>::quiet_NaN());
  Differences result{unknown, unknown};
  const int stride = 1 + (s.nv - 1) / most_columns;
  for (int level = 0; level < levels; ++level) {
    const auto entries = z.segment(layout.offset(level), layout.width(level));
    const double largest = entries.cwiseAbs().maxCoeff(), scale = largest > 0 ? largest : 1;
    for (int j = 0; j < s.nv; j += stride) {
      const int column = level * s.nv + j;
      const auto moved = [&](double h) {
        Vector there = z;
        if (level == 0) {
          Vector delta = Vector::Zero(s.nv);
          delta(j) = h;
          problem.displace(at.t, there.head(s.nq), delta, work);
        } else {
          there(layout.offset(level) + j) += h;
        }
        return base(problem, known, part, Point(at.t, there, at.a, at.lambda, at.kappa), e);
      };
      Vector before, refined_before, kink = Vector::Zero(s.nv);
      Vector best = Vector::Constant(s.nv, std::numeric_limits<double>::quiet_NaN()), error = best;
      double h = largest_step * scale;
      for (int k = 0; k < steps; ++k, h *= factor) {
        const Vector ahead = moved(h), behind = moved(-h);
        const Vector slope = (ahead - behind) / (2 * h);
        if (k < 7) kink = ((ahead - middle) - (middle - behind)).cwiseAbs() / (2 * h);
        if (k > 0) {
          const Vector refined = slope + (slope - before) / 15;
          if (k > 1)
            for (int i = 0; i < s.nv; ++i)
              if (const double change = std::abs(refined(i) - refined_before(i)); !(change >= error(i))) {
                best(i) = refined(i);
                error(i) = change;
              }
          refined_before = refined;
        }
        before = slope;
      }
      result.values.col(column) = best;
      // Roundoff is forgiven in any case.
      result.errors.col(column) =
          error + kink + (1e-15 / (largest_step * scale * std::pow(factor, 4))) * middle.cwiseAbs();
    }
  }
  return result;
}

}  // namespace driftless
