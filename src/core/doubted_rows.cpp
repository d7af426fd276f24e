#include <driftless/core/doubted_rows.hpp>

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

constexpr double doubted_square = 1e-8;  // of a sine: squares may be wrong by as much
constexpr double dependent_sine = 1e-5;  // that of rank_decision.hpp
constexpr std::size_t most_doubted = 64;

std::vector<int> doubted_rows(const linalg::SparseSaddle& saddle, const std::vector<int>& left_out) {
  std::vector<int> doubted;
  for (int i = 0; i < saddle.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!(saddle.pivots()[k] > doubted_square * saddle.squares()[k]) &&
        !std::binary_search(left_out.begin(), left_out.end(), i))
      doubted.push_back(i);
  }
  return doubted;
}

}  // namespace

std::vector<int> with_doubted_rows(linalg::SparseSaddle& saddle, const linalg::SparseRows& C,
                                   std::vector<int> left_out) {
  using linalg::FactorStatus;
  saddle.leave_out(left_out);
  if (saddle.rows() == 0 || saddle.factor(nullptr, C) != FactorStatus::ok) return left_out;
  std::vector<int> doubted = doubted_rows(saddle, left_out);
  if (doubted.empty() || doubted.size() > most_doubted) return left_out;
  std::vector<int> unsafe = left_out;
  unsafe.insert(unsafe.end(), doubted.begin(), doubted.end());
  std::sort(unsafe.begin(), unsafe.end());
  saddle.leave_out(unsafe);
  if (saddle.factor(nullptr, C) != FactorStatus::ok) return left_out;
  Matrix rests = Matrix::Zero(C.columns, static_cast<Eigen::Index>(doubted.size()));
  Vector l(saddle.rows());
  const Vector zero = Vector::Zero(saddle.rows());
  for (std::size_t k = 0; k < doubted.size(); ++k) {
    auto rest = rests.col(static_cast<Eigen::Index>(k));
    const double length = std::sqrt(C.square(doubted[k]));
    if (length > 0) C.add_to(rest.data(), doubted[k], 1 / length);
    for (int pass = 0; pass < 3; ++pass) saddle.solve(C, rest, zero, rest, l);
  }
  while (!doubted.empty()) {
    Eigen::Index longest = 0;
    const double sine = rests.colwise().norm().maxCoeff(&longest);
    if (!(sine > dependent_sine)) break;
    const Vector unit = rests.col(longest) / sine;
    rests -= unit * (unit.transpose() * rests).eval();
    rests.col(longest) = rests.rightCols(1);  // this one counts
    rests.conservativeResize(Eigen::NoChange, rests.cols() - 1);
    doubted[static_cast<std::size_t>(longest)] = doubted.back();
    doubted.pop_back();
  }
  left_out.insert(left_out.end(), doubted.begin(), doubted.end());
  std::sort(left_out.begin(), left_out.end());
  return left_out;
}

}  // namespace driftless
