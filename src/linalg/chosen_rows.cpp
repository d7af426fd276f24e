#include <driftless/linalg/chosen_rows.hpp>

#include <algorithm>

#include <driftless/linalg/row_basis.hpp>

namespace driftless::linalg {

namespace {

constexpr double next = 0.1;  // of the sine that was asked for

// The first ones whose sine to those before is larger than that; too few: none is to be had.
std::vector<int> first_rows(const Matrix& C, Eigen::Index rank, double safe_sine) {
  std::vector<int> rows;
  Matrix span(C.cols(), rank);
  Eigen::Index found = 0;
  for (Eigen::Index i = 0; i < C.rows() && found < rank; ++i) {
    Vector rest = C.row(i).transpose();
    for (int twice = 0; twice < 2; ++twice)
      rest -= span.leftCols(found) * (span.leftCols(found).transpose() * rest).eval();
    const double sine = rest.norm();
    if (!(sine > safe_sine)) continue;
    span.col(found++) = rest / sine;
    rows.push_back(static_cast<int>(i));
  }
  return rows;
}

}  // namespace

std::vector<int> chosen_rows(const Matrix& C, Eigen::Index rank, double safe_sine) {
  std::vector<int> rows;
  for (double sine = safe_sine; sine > next * least_safe_sine; sine *= next) {
    rows = first_rows(C, rank, sine);
    if (static_cast<Eigen::Index>(rows.size()) == rank) return rows;
  }
  const RowBasis strongest(C);
  rows.clear();
  for (Eigen::Index i = 0; i < rank; ++i) rows.push_back(strongest.row(i));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace driftless::linalg
