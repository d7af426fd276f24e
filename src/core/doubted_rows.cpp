#include <driftless/core/doubted_rows.hpp>

#include <algorithm>
#include <cmath>

#include <driftless/core/rank_decision.hpp>

namespace driftless {

namespace {

constexpr double doubted_square = 1e-8;  // of a sine: squares may be wrong by as much

using linalg::FactorStatus;

}  // namespace

std::vector<int> doubted_rows(const linalg::SparseSaddle& saddle, const std::vector<int>& left_out,
                              double square) {
  std::vector<int> doubted;
  for (int i = 0; i < saddle.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!(saddle.pivots()[k] > square * saddle.squares()[k]) &&
        !std::binary_search(left_out.begin(), left_out.end(), i))
      doubted.push_back(i);
  }
  return doubted;
}

std::vector<int> with_dependent_rows(linalg::SparseSaddle& saddle, const linalg::SparseRows& C,
                                     const std::vector<int>& left_out, std::vector<int> candidates,
                                     double sine, std::size_t redundant) {
  std::vector<int> unsafe = left_out;
  unsafe.insert(unsafe.end(), candidates.begin(), candidates.end());
  std::sort(unsafe.begin(), unsafe.end());
  saddle.leave_out(unsafe);
  if (saddle.factor(nullptr, C, 0) != FactorStatus::ok) return left_out;
  Matrix rests = Matrix::Zero(C.columns, static_cast<Eigen::Index>(candidates.size()));
  Vector l(saddle.rows());
  const Vector zero = Vector::Zero(saddle.rows());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    auto rest = rests.col(static_cast<Eigen::Index>(k));
    const double length = std::sqrt(C.square(candidates[k]));
    if (length > 0) C.add_to(rest.data(), candidates[k], 1 / length);
    for (int pass = 0; pass < 3; ++pass) saddle.solve(C, rest, zero, rest, l);
  }
  while (candidates.size() > redundant) {
    Eigen::Index longest = 0;
    const double found = rests.colwise().norm().maxCoeff(&longest);
    if (!(found > sine)) break;
    const Vector unit = rests.col(longest) / found;
    rests -= unit * (unit.transpose() * rests).eval();
    rests.col(longest) = rests.rightCols(1);  // this one counts
    rests.conservativeResize(Eigen::NoChange, rests.cols() - 1);
    candidates[static_cast<std::size_t>(longest)] = candidates.back();
    candidates.pop_back();
  }
  candidates.insert(candidates.end(), left_out.begin(), left_out.end());
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

std::vector<int> with_doubted_rows(linalg::SparseSaddle& saddle, const linalg::SparseRows& C,
                                   std::vector<int> left_out) {
  saddle.leave_out(left_out);
  if (saddle.rows() == 0 || saddle.factor(nullptr, C) != FactorStatus::ok) return left_out;
  const std::vector<int> doubted = doubted_rows(saddle, left_out, doubted_square);
  if (doubted.empty() || doubted.size() > most_doubted) return left_out;
  return with_dependent_rows(saddle, C, left_out, doubted, RankLimits::dependent_sine);
}

}  // namespace driftless
