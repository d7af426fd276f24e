// RankDecision: which constraint rows are independent, decided so that a mechanism with redundant constraints is not
// mistaken for a regular one.
//
// Rows that are redundant on the manifold are so only there: at a distance delta from it (a stage of a step, a prediction) their
// angles are of the size delta, and a solver that believes them divides noise of the size delta by them. So the rank is
// decided at the nearest point of the manifold, reached by two steps of Gauss and Newton, and holds for the place asked about. Of rows
// that depend on each other the first ones stay (chosen_rows.hpp), those of G before those of K, so that a redundant row added to a problem
// does not change its motion even where a method has drifted off the manifold.
//
//   independent    sine of the angle to the rows before it (strongest first) above 1e-5; above 3e-5 for rows that were
//                  dependent at the last decision: hysteresis
//   vanishing      a row shorter than 1e-5 of what it is nearby counts as zero
//
// The limits are far above roundoff on purpose. Within 1e-5 of a singular configuration, noise of the coordinates divided by the distance is
// worse than what is lost without the row: for the moment that the passage takes it leaves a motion across the branch to itself, which the next
// steps bring back. Where angles are small but above the limits, all rows count and are made orthogonal, which is accurate to
// roundoff divided by the angle; the Gram matrix would square it.
//
// A place that is looked at for the first time, and any after one where something was lost, is decided upon, unless the pivots of its
// factorisation leave no doubt; later rows are taken as independent until a factorisation says otherwise, so that regular mechanisms
// pay nothing.
#pragma once

#include <optional>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/linalg/saddle_point.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

class Problem;

class RankDecision {
 public:
  enum class Of { all, positions };  // rows of [G; K], or of G
  explicit RankDecision(Of of = Of::all) : of_(of) {}

  bool pending() const { return pending_; }  // decide() before rows are used
  void decide(const Problem& problem, double t, VectorIn z);

  void take_as_independent() { pending_ = false; }  // by somebody who knows

  // By the last decision; before the first one rows are taken as independent.
  bool full() const { return full_; }
  const std::vector<int>& rows() const { return rows_; }          // independent, ascending in G, then in K
  const std::vector<int>& left_out() const { return left_out_; }  // ascending

  const Vector& sizes() const { return sizes_; }  // lengths that rows have nearby; after decide()

  // saddle.factor() of C = [G; K] (or G) at z, with B = C^T or given, rank losses included.
  Status factor(linalg::SaddlePoint& saddle, const Problem& problem, double t, VectorIn z, MatrixIn M,
                MatrixIn C);
  Status factor(linalg::SaddlePoint& saddle, const Problem& problem, double t, VectorIn z, MatrixIn M,
                MatrixIn B, MatrixIn C);

  // Among the multipliers with the same forces B l, those of least norm.
  Vector least_norm(const Matrix& B, const Vector& l) const;

  // Where rows were left out and a is the best there is: whether C a = r is out of reach, because rows that depend on each
  // other demand different things. `free`: how large accelerations are without the rows; near an equilibrium, where they cancel, their roundoff
  // is all that is left of a.
  bool contradicts(MatrixIn C, VectorIn a, VectorIn r, double free) const;

 private:
  // As rows that are taken as independent; nothing: they must be looked at.
  template <class Factor>
  std::optional<Status> quickly(const linalg::SaddlePoint& saddle, Factor factor);
  Matrix rows_near(const Problem& problem, double t,
                   VectorIn z);  // on the manifold, each divided by its size
  void measure(const Problem& problem, double t, VectorIn z);
  Matrix scaled(const Matrix& C) const;

  Of of_;
  bool pending_ = true;
  bool full_ = true;
  Vector sizes_;  // of the rows nearby
  std::vector<int> rows_, left_out_;
};

}  // namespace driftless
