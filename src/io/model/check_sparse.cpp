#include "io/model/check_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <driftless/core/doubted_rows.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

namespace driftless::io::sparse {

namespace {

using linalg::FactorStatus;
using linalg::SparseRows;
using linalg::SparseSaddle;

constexpr int columns = 4;           // that all of them miss something by chance does not happen
constexpr double negligible = 1e-5;  // share of another row, by the largest: as in linalg/rank.cpp
constexpr double nearly = 1e-3,
                 nearly_square = nearly * nearly;  // sine: what sparse_constraints.hpp may leave out
constexpr unsigned seed = 20240229;                // any: the same answer every time

// Uniform, of variance 1. By hand, since what a distribution makes of the same bits differs between libraries.
double random_number(std::mt19937& bits) {
  return std::sqrt(12.0) * (static_cast<double>(bits()) / 4294967296.0 - 0.5);
}

SparseSaddle saddle_of(const Problem& problem, const SparseRows& C) {
  return SparseSaddle(C, problem.shape().multipliers(), problem.shape().bodies);
}

using Shares = std::map<int, double>;  // of rows of length 1, none negligible

// What rows are made of: others before them in the order of elimination.
class Dependences {
 public:
  Dependences(const Problem& problem, const State& place)
      : e_(rows_at(problem, place)), saddle_(saddle_of(problem, e_.sparse.C)) {
    finite_ = saddle_.factor(nullptr, e_.sparse.C) == FactorStatus::ok;
    for (int i = 0; i < saddle_.rows(); ++i) lengths_.push_back(std::sqrt(e_.sparse.C.square(i)));
  }

  // None of one that was left out and is far from the others: it has become short.
  Shares of(int row) {
    const auto own = static_cast<std::size_t>(row);
    if (!finite_ || !(lengths_[own] > 0)) return {};
    if (!(saddle_.pivots()[own] <= nearly_square * saddle_.squares()[own])) return {};
    saddle_.shares(row, y_);
    return noticed(row);
  }

  // By the rows that do not depend on others when these are left out: y = S^-1 C c^T for a row c.
  Shares without(const std::vector<int>& rows, int row) {
    const auto own = static_cast<std::size_t>(row);
    if (!finite_ || !(lengths_[own] > 0)) return {};
    const SparseRows& C = e_.sparse.C;
    if (rows != left_out_) {
      saddle_.leave_out(rows);
      finite_ = saddle_.factor(nullptr, C) == FactorStatus::ok;
      left_out_ = rows;
    }
    Vector rest = Vector::Zero(C.columns), l(saddle_.rows());
    C.add_to(rest.data(), row, 1);
    saddle_.solve(C, rest, Vector::Zero(saddle_.rows()), rest, l);
    if (!(rest.norm() <= nearly * lengths_[own])) return {};
    y_.assign(l.data(), l.data() + l.size());
    return noticed(row);
  }

 private:
  // Most are 0.
  Shares noticed(int row) const {
    Shares shares;
    double largest = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      if (y_[i] == 0) continue;
      const double share = y_[i] * lengths_[i] / lengths_[static_cast<std::size_t>(row)];
      largest = std::max(largest, std::abs(share));
      shares.emplace_hint(shares.end(), static_cast<int>(i), share);
    }
    std::erase_if(shares,
                  [&](const auto& share) { return !(std::abs(share.second) > negligible * largest); });
    return shares;
  }

  Evaluation e_;
  SparseSaddle saddle_;
  bool finite_ = false;
  std::vector<int> left_out_;
  std::vector<double> lengths_, y_;
};

// y -= (y_m / x_m) x, which has no share of row m.
void eliminate(Shares& y, int m, const Shares& x) {
  const double factor = y.at(m) / x.at(m);
  double largest = 0;
  for (const auto& [row, share] : y) largest = std::max(largest, std::abs(share));
  for (const auto& [row, share] : x) y[row] -= factor * share;
  y.erase(m);
  std::erase_if(y, [&](const auto& share) { return !(std::abs(share.second) > negligible * largest); });
}

}  // namespace

Evaluation rows_at(const Problem& problem, const State& place) {
  const Shape& s = problem.shape();
  Evaluation e(Storage::sparse);
  Parts parts = Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  problem.evaluate(parts, Point(place.t, place.z), e);
  const Vector levers = problem.scales(place.t, place.q()).levers;
  linalg::SparseRows& C = e.sparse.C;
  for (std::size_t k = 0; k < C.value.size(); ++k) C.value[k] /= levers(C.column[k]);
  return e;
}

std::vector<int> dependent_at(const Problem& problem, const State& place) {
  const Evaluation e = rows_at(problem, place);
  SparseSaddle saddle = saddle_of(problem, e.sparse.C);
  if (saddle.rows() == 0 || saddle.factor(nullptr, e.sparse.C) != FactorStatus::ok) return {};
  std::vector<int> rows = saddle.dependent();
  std::sort(rows.begin(), rows.end());
  return with_doubted_rows(saddle, e.sparse.C, std::move(rows));
}

// Gauss from the last column on, of the shares that rows called first have in dependent ones.
std::vector<int> exchanged(const Problem& problem, const State& place, const std::vector<int>& left_out,
                           const std::function<bool(int)>& called_first) {
  struct Reduced {
    int row;
    Shares shares;
  };
  std::map<int, Reduced> pivots;
  Dependences dependences(problem, place);
  for (const int row : left_out) {
    Shares shares = dependences.of(row);
    shares[row] = -1;
    std::erase_if(shares, [&](const auto& share) { return !called_first(share.first); });
    while (!shares.empty()) {
      const int last = shares.rbegin()->first;
      const auto known = pivots.find(last);
      if (known == pivots.end()) {
        pivots[last] = {row, std::move(shares)};
        break;
      }
      eliminate(shares, last, known->second.shares);
    }
  }
  std::set<int> rows(left_out.begin(), left_out.end());
  for (const auto& [last, reduced] : pivots) rows.erase(reduced.row);
  for (const auto& [last, reduced] : pivots) rows.insert(last);
  return {rows.begin(), rows.end()};
}

std::vector<std::vector<int>> supports_at(const Problem& problem, const State& place,
                                          const std::vector<int>& rows) {
  const auto named = [&](int row) { return std::binary_search(rows.begin(), rows.end(), row); };
  Dependences dependences(problem, place);
  std::vector<std::vector<int>> on(rows.size());
  std::vector<std::size_t> exchanged;  // to be told by other rows than those before them
  const auto tell = [&](std::size_t k, const Shares& shares) {
    for (const auto& [row, share] : shares) on[k].push_back(row);
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Shares shares = dependences.of(rows[k]);
    if (shares.empty() ||
        std::any_of(shares.begin(), shares.end(), [&](const auto& share) { return named(share.first); }))
      exchanged.push_back(k);
    else
      tell(k, shares);
  }
  for (const std::size_t k : exchanged) tell(k, dependences.without(rows, rows[k]));
  return on;
}

// a = P v solves a + C^T l = v, C a = 0; once more, since the first time leaves roundoff of v, which is not small where a is.
std::optional<Matrix> allowed_part(const Problem& problem, const State& place,
                                   const std::vector<int>& without, const Matrix& V) {
  const Shape& s = problem.shape();
  const Evaluation e = rows_at(problem, place);
  SparseSaddle saddle = saddle_of(problem, e.sparse.C);
  saddle.leave_out(without);
  if (saddle.factor(nullptr, e.sparse.C) != FactorStatus::ok) return std::nullopt;
  const auto left_out = without.size() + saddle.dependent().size();
  if (s.nv + static_cast<int>(left_out) <= saddle.rows()) return Matrix(s.nv, 0);
  Matrix motions = V;
  const Vector zero = Vector::Zero(saddle.rows());
  Vector l(saddle.rows());
  for (Eigen::Index j = 0; j < V.cols(); ++j)
    for (int pass = 0; pass < 2 && saddle.rows() > 0; ++pass)
      saddle.solve(e.sparse.C, motions.col(j), zero, motions.col(j), l);
  return motions;
}

Matrix random_motions(const Shape& shape) {
  std::mt19937 bits(seed);
  Matrix motions(shape.nv, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < shape.nv; ++i) motions(i, j) = random_number(bits) / std::sqrt(double(columns));
  return motions;
}

}  // namespace driftless::io::sparse
