#include <driftless/core/idle_multipliers.hpp>

#include <algorithm>

#include <driftless/linalg/chosen_rows.hpp>
#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/row_basis.hpp>

namespace driftless {

std::vector<int> idle_columns(const Matrix& B, std::size_t count) {
  if (count == 0) return {};
  const Eigen::Index rank = B.cols() - static_cast<Eigen::Index>(count);
  const std::vector<int> chosen = linalg::chosen_rows(linalg::row_normalised(B.transpose()), rank);
  std::vector<int> columns;
  for (int j = 0; j < static_cast<int>(B.cols()); ++j)
    if (!std::binary_search(chosen.begin(), chosen.end(), j)) columns.push_back(j);
  return columns;
}

void put_in_span(Matrix& B, const std::vector<int>& columns) {
  Matrix others(B.rows(), B.cols() - static_cast<Eigen::Index>(columns.size()));
  for (Eigen::Index j = 0, next = 0; j < B.cols(); ++j)
    if (!std::binary_search(columns.begin(), columns.end(), static_cast<int>(j)))
      others.col(next++) = B.col(j);
  const Matrix span = linalg::RowBasis(others.transpose()).span(others.cols());
  for (const int j : columns) B.col(j) = span * (span.transpose() * B.col(j)).eval();
}

// The rows of B have the rank of the columns that are not idle, and n is orthogonal to all of them.
Matrix idle_multipliers(const Matrix& B, const std::vector<int>& columns) {
  Matrix spanned = B;
  put_in_span(spanned, columns);
  return linalg::RowBasis(spanned).complement(B.cols() - static_cast<Eigen::Index>(columns.size()));
}

}  // namespace driftless
