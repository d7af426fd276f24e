// WholePlacedRows: constraint rows at a place, of a problem with whole matrices (redundancy.hpp), and which of them are independent. Private to core.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/QR>

#include <driftless/core/problem.hpp>
#include <driftless/linalg/chosen_rows.hpp>

#include "redundancy.hpp"

namespace driftless {

class WholePlacedRows final : public PlacedRows {
 public:
  WholePlacedRows(const Problem& problem, bool with_K, const Scales& scales, const Vector& sizes);

  int count() const override { return ng_ + (with_K_ ? shape_.nk : 0); }
  bool evaluate(double t, VectorIn z) override;
  std::vector<int> dependent(double sine) override;
  bool keep_without(const std::vector<int>& rows) override;
  void least_move(VectorIn right, VectorOut delta) override;
  void times(VectorIn delta, VectorOut right) const override;
  void residual(VectorOut missed) const override;

  // Evaluates at the nearest point of the manifold, two steps of Gauss and Newton away, and says how far it is, as a part of ordinary displacements.
  double evaluate_nearest(double t, VectorIn z);
  const Vector& place() const { return place_; }  // where the rows were evaluated last
  bool finite() const { return C_.allFinite(); }
  int positions() const { return ng_; }

  // Rows that count, strongest first in G and then in K: those whose sine is above limit(group, k) for the k-th of group 0 (G) or 1 (K).
  template <class Limit>
  void choose(Limit limit, std::vector<int>& rows, std::vector<int>& left_out, double& weakest) const;
  void prefer_strong_rows() { safe_sine_ = 0.5; }  // to the first ones
  double off(const std::vector<int>& rows) const;  // the largest residual of these
  double off() const { return missed_.lpNorm<Eigen::Infinity>(); }

 private:
  void choose_group(int first, int size, Matrix& rest, const std::function<double(int)>& limit,
                    std::vector<int>& rows, std::vector<int>& left_out, double& weakest) const;

  const Problem& problem_;
  const Shape& shape_;
  const int ng_;
  const bool with_K_;
  const Scales& scales_;
  const Vector& sizes_;
  Evaluation e_;
  Vector place_;
  Workspace work_;
  Matrix C_;  // rows by their lengths, columns by the levers
  Vector lengths_, missed_;
  double safe_sine_ = linalg::least_safe_sine;
  Eigen::CompleteOrthogonalDecomposition<Matrix> kept_;  // rows that least_move() means; the others are zero
};

template <class Limit>
void WholePlacedRows::choose(Limit limit, std::vector<int>& rows, std::vector<int>& left_out,
                             double& weakest) const {
  rows.clear(), left_out.clear();
  weakest = 1;
  Matrix rest = C_;  // less what lies in the span of the rows chosen
  choose_group(
      0, ng_, rest, [&](int k) { return limit(0, k); }, rows, left_out, weakest);
  choose_group(
      ng_, count() - ng_, rest, [&](int k) { return limit(1, k); }, rows, left_out, weakest);
}

}  // namespace driftless
