#include "missed_without.hpp"

#include <algorithm>
#include <cmath>

#include <driftless/linalg/saddle_point.hpp>

namespace driftless {

namespace {

constexpr int most_velocities = 300;

}  // namespace

double missed_without(const Problem& problem, const Scales& scales, const Vector& sizes, double t, VectorIn z,
                      const std::vector<int>& rows, const std::vector<int>& without) {
  const Shape& s = problem.shape();
  if (without.empty() || s.order != 2 || s.given_input || s.nv > most_velocities) return 0;
  const double speed = z.segment(s.nq, s.nv).cwiseProduct(scales.levers).lpNorm<Eigen::Infinity>();
  if (!(speed > 0)) return 0;
  Evaluation e;
  problem.evaluate(acceleration_parts(s), Point(t, z), e);
  Matrix C(s.multipliers(), s.nv);
  Vector r(s.multipliers()), a(s.nv), l(s.multipliers());
  C.topRows(s.ng) = e.G;
  r.head(s.ng) = -e.c;
  if (s.nk > 0) C.bottomRows(s.nk) = e.K, r.tail(s.nk) = -e.ck;
  if (!C.allFinite() || !r.allFinite() || !e.f.allFinite()) return 0;
  linalg::SaddlePoint saddle({s.nv, s.multipliers(), s.mass, s.mass_blocks});
  if (saddle.factor(e.M, C.transpose(), C, rows, rows) != linalg::FactorStatus::ok) return 0;
  saddle.solve(e.f, r, a, l);
  double missed = 0;
  for (const int i : without) {
    const double length = C.row(i).transpose().cwiseQuotient(scales.levers).norm();
    const double size = std::max(length, i < sizes.size() ? sizes(i) : 0.0);
    if (size > 0) missed = std::max(missed, std::abs(C.row(i).dot(a) - r(i)) / size);
  }
  return std::isfinite(missed) ? missed * scales.length / (speed * speed) : 0;
}

}  // namespace driftless
