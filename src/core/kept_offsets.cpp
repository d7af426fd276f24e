#include <driftless/core/kept_offsets.hpp>

#include <algorithm>

#include <driftless/core/problem.hpp>
#include <driftless/core/rank_decision.hpp>
#include <driftless/core/scales.hpp>

namespace driftless {

namespace {

constexpr double negligible = 1e-6;  // of what redundant rows may be off by: roundoff of a start

bool independent(const Problem& problem, double t, VectorIn z) {
  RankDecision rank(RankDecision::Of::positions, RankDecision::For::corrections);
  rank.decide(problem, t, z);
  return rank.full();
}

}  // namespace

void follow_rows_left_out(const Problem& problem, double t, VectorIn z, const std::vector<int>& left_out,
                          Vector& offsets) {
  if (left_out.empty()) return;
  Evaluation at(storage_of(problem.shape()));
  problem.evaluate(Part::position, Point(t, z), at);
  for (const int row : left_out)
    if (row < offsets.size()) offsets(row) = at.g(row);
}

void append_offsets(const Vector& offsets, int ng, std::vector<double>& values) {
  for (int i = 0; i < ng; ++i) values.push_back(offsets.size() > 0 ? offsets(i) : 0);
}

Vector offsets_from(const double* values, int ng) {
  const Vector offsets = Eigen::Map<const Vector>(values, ng);
  return ng == 0 || offsets.isZero(0) ? Vector() : offsets;
}

Vector offsets_at_start(const Problem& problem, double t, VectorIn z) {
  const Shape& shape = problem.shape();
  if (shape.ng == 0) return {};
  Evaluation at(storage_of(shape));
  problem.evaluate(Part::position, Point(t, z), at);
  const Vector off = at.g.cwiseAbs();
  if (!at.g.allFinite() || off.maxCoeff() == 0) return {};
  const RowSizes rows = row_sizes(problem, t, z);
  const Vector sizes = rows.sizes.head(shape.ng), allowed = rows.scales.missed() * sizes;
  const double largest = allowed.maxCoeff();
  double most = 0;  // of what is allowed
  for (Eigen::Index i = 0; i < off.size(); ++i)
    most = std::max(most, off(i) / (allowed(i) > 0 ? allowed(i) : largest));
  if (!(most > negligible && most <= RankLimits::redundant_off)) return {};
  return independent(problem, t, z) ? Vector() : at.g;
}

}  // namespace driftless
