#include <driftless/linalg/chosen_rows.hpp>

#include <algorithm>

#include <driftless/linalg/row_basis.hpp>

namespace driftless::linalg {

namespace {

constexpr double next = 0.1;  // of the sine that was asked for

// Rows that are in already stay in: a later one that is far from them all is better than an earlier one that is near.
class FirstRows {
 public:
  FirstRows(const Matrix& C, Eigen::Index rank) : C_(C), rank_(rank), span_(C.cols(), rank) {}

  // Adds the first ones whose sine to those that are in is larger than that; true: there are enough.
  bool add(double safe_sine) {
    for (Eigen::Index i = 0; i < C_.rows() && found_ < rank_; ++i) {
      if (std::find(rows_.begin(), rows_.end(), static_cast<int>(i)) != rows_.end()) continue;
      Vector rest = C_.row(i).transpose();
      for (int twice = 0; twice < 2; ++twice)
        rest -= span_.leftCols(found_) * (span_.leftCols(found_).transpose() * rest).eval();
      const double sine = rest.norm();
      if (!(sine > safe_sine)) continue;
      span_.col(found_++) = rest / sine;
      rows_.push_back(static_cast<int>(i));
    }
    return found_ == rank_;
  }

  std::vector<int> ascending() const {
    std::vector<int> rows = rows_;
    std::sort(rows.begin(), rows.end());
    return rows;
  }

 private:
  const Matrix& C_;
  const Eigen::Index rank_;
  Matrix span_;  // orthonormal columns
  Eigen::Index found_ = 0;
  std::vector<int> rows_;
};

}  // namespace

std::vector<int> chosen_rows(const Matrix& C, Eigen::Index rank, double safe_sine) {
  FirstRows first(C, rank);
  for (double sine = safe_sine; sine > next * least_safe_sine; sine *= next)
    if (first.add(sine)) return first.ascending();
  const RowBasis strongest(C);
  std::vector<int> rows;
  for (Eigen::Index i = 0; i < rank; ++i) rows.push_back(strongest.row(i));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace driftless::linalg
