// PlacedRows: the constraint rows of a problem at a place, however its matrices are kept, in the metric of moved points and divided by their sizes,
// and which of them are independent there. Private to core.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/rank_decision.hpp>

namespace driftless {

// Sines up to which rows may be left out, those of G and those of K.
struct RowLimits {
  double sine = RankLimits::dependent_sine;
  int redundant[2] = {};    // so many are left out whatever their sines, but for
  bool off = false;         // those above RankLimits::redundant_sine, where redundant rows are not met
  int lost_before[2] = {};  // for so many hysteresis holds
};

class PlacedRows {
 public:
  PlacedRows(const Problem& problem, int rows, const Scales& scales, const Vector& sizes);
  virtual ~PlacedRows() = default;

  int count() const { return static_cast<int>(missed_.size()); }
  int positions() const { return shape_.ng; }
  bool finite() const { return lengths_.allFinite() && missed_.allFinite(); }
  const Vector& place() const { return place_; }    // where the rows were evaluated last
  virtual bool evaluate(double t, VectorIn z) = 0;  // false: something is not finite
  // Evaluates at the nearest point of the manifold, two steps of Gauss and Newton away, and says how far it is, as a part of ordinary
  // displacements.
  double evaluate_nearest(double t, VectorIn z);

  virtual std::vector<int> left_out(const RowLimits& limits) = 0;  // ascending
  virtual std::vector<int> dependent(
      double sine) = 0;  // the same in a simpler way, if sines up to this do not count
  virtual double weakest() const {
    return 1;
  }  // after left_out(): the smallest sine of rows that count; 1: not known
  // Rows that count are to be chosen by larger sines; false: they are anyway.
  virtual bool prefer_strong_rows() { return false; }

  virtual bool keep_without(const std::vector<int>& rows) = 0;    // the rows that the next one means
  virtual void least_move(VectorIn right, VectorOut delta) = 0;   // the smallest one with C delta = right
  virtual void times(VectorIn delta, VectorOut right) const = 0;  // C delta, all rows

  // How far points are from where positions are met; 0 for rows of K.
  const Vector& residual() const { return missed_; }
  double off() const { return missed_.lpNorm<Eigen::Infinity>(); }
  double off(const std::vector<int>& rows) const;

 protected:
  virtual bool
  keep_safe_positions() = 0;  // rows of G that a step towards the manifold may rely on, for least_move()

  const Problem& problem_;
  const Shape& shape_;
  const Scales& scales_;
  const Vector& sizes_;
  Vector place_, lengths_, missed_;

 private:
  Workspace work_;
};

// Of the first `rows` rows of [G; K]; `scales` and `sizes`: those of row_sizes(), which must outlive it.
std::unique_ptr<PlacedRows> placed_rows(const Problem& problem, int rows, const Scales& scales,
                                        const Vector& sizes);

}  // namespace driftless
