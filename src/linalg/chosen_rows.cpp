#include <driftless/linalg/chosen_rows.hpp>

#include <algorithm>

#include <driftless/linalg/row_basis.hpp>

namespace driftless::linalg {

namespace {

constexpr double safe_sine = 1e-3;

}  // namespace

std::vector<int> chosen_rows(const Matrix& C, Eigen::Index rank) {
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
  if (found == rank) return rows;
  const RowBasis strongest(C);
  rows.clear();
  for (Eigen::Index i = 0; i < rank; ++i) rows.push_back(strongest.row(i));
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace driftless::linalg
