// RankDecision: which constraint rows are independent, decided so that a mechanism with redundant constraints is not
// mistaken for a regular one, nor a regular one for redundant, whatever the units, the origin and the masses.
//
// Rows that are redundant on the manifold are so only there: at a distance delta from it (a stage of a step, a prediction) their
// angles are of the size delta, and a solver that believes them divides noise of the size delta by them. So the rank is
// decided at the nearest point of the manifold, reached by two steps of Gauss and Newton, and holds for the place asked about. Angles are those
// in the metric of moved points (scales.hpp); masses have no part in them. Of rows that depend on each other the first ones stay
// (chosen_rows.hpp), those of G before those of K, so that a redundant row added to a problem does not change its motion even where a
// method has drifted off the manifold.
//
//   redundant      dependent where the run begins and at other configurations (redundancy.hpp), so many rows of G and of K; rounded coordinates
//                  may leave them angles up to a sine of 3e-5. They count again only where the angle is larger than that and they are not met
//   independent    any other row whose sine to the rows before it (strongest first) is above 1e-5; above 3e-5 for rows that were
//                  dependent at the last decision: hysteresis. Where the mechanism does not pass the place but stays near it (an arch that is
//                  nearly stretched), rows count down to a sine of 1e-10, or ten times the distance from the manifold: below that
//                  angles are noise
//   vanishing      a row shorter than that part of what it is nearby counts as zero
//
// The limits for a passage are far above roundoff on purpose. Within 1e-5 of a singular configuration, errors of coordinates divided by the
// distance are worse than what is lost without the row: for the moment that the passage takes it leaves a motion across the branch to itself,
// which the next steps bring back. Corrections of positions and velocities, which divide twice, never take smaller angles. Where angles are small but above the limits, all rows count and are made orthogonal, which is accurate to
// roundoff divided by the angle; the Gram matrix would square it.
//
// A place that is looked at for the first time, and any after one where something was lost, is decided upon, unless the pivots of its
// factorisation leave no doubt; later rows are taken as independent until a factorisation says otherwise, so that regular mechanisms
// pay nothing.
#pragma once

#include <optional>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/core/scales.hpp>
#include <driftless/linalg/rows_view.hpp>
#include <driftless/linalg/saddle_point.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

class PlacedRows;
class Problem;

// Limits that all rank decisions share, whole matrices or not.
struct RankLimits {
  static constexpr double smallest_sine = 1e-10;  // of rows that count: roundoff is nearer
  static constexpr double dependent_sine = 1e-5;  // up to which a row may be left out
  static constexpr double by_distance = 10;       // sines that the distance from the manifold explains
  static constexpr double hysteresis = 3;
  static constexpr double passing =
      1e-4;  // of ordinary displacements: so far along the velocity a place that is passed has been left
  static constexpr double resting = 1e-5;  // of them in a unit of time: slower is at rest but for roundoff
  static constexpr double bent =
      1e-2;  // of speed^2 / size: a row that the motion without it misses by more counts (missed_without.hpp)
  static constexpr double redundant_sine = 3e-5;  // above which a redundant row may count
  static constexpr double redundant_off = 10;     // and what it is off by then, by Scales::missed()

  // Where the rows that count are near each other, by that sine, they magnify the offset of rounded coordinates: so many times in what redundant
  // rows are off by, its square in their rates and its cube in accelerations.
  static double magnified(double sine) { return 1 / (sine > nearest_sine ? sine : nearest_sine); }
  static constexpr double nearest_sine = 1e-3;  // nearer rows do not count, or do so for a moment

  // The sine above which a row that is not redundant counts where the mechanism stays, at that distance (a part of ordinary displacements) from the manifold.
  static double sine_at(double distance) {
    const double sine = by_distance * distance;
    return sine < smallest_sine ? smallest_sine : sine < dependent_sine ? sine : dependent_sine;
  }
  // That of velocities at the start: branches that meet at a distance s are apart by s^2, so that roundoff tells them apart from its root on.
  static double start_sine_at(double distance) {
    const double sine = sine_at(distance);
    return sine < told_apart ? told_apart : sine;
  }
  static constexpr double told_apart = 1e-7;
};

// How rows are measured: in the metric of moved points, at least by the sizes that they have nearby; null: by their own entries.
struct RowMeasure {
  const Vector* levers = nullptr;
  const Vector* sizes = nullptr;
  double magnified = 1;  // see RankLimits::magnified()
  double lever(Eigen::Index j) const { return levers ? (*levers)(j) : 1; }
  double size(Eigen::Index i) const { return sizes ? (*sizes)(i) : 0; }
};

// Where rows were left out and a is the best there is: whether C a = r is out of reach, because rows that depend on each
// other demand different things. `free`: how large accelerations of points are without the rows; near an equilibrium, where they cancel, their
// roundoff is all that is left of a. `curved`: those of points on curves of the mechanism's size; coordinates may have none at all.
bool contradicts(const linalg::RowsView& C, VectorIn a, VectorIn r, const RowMeasure& measure, double free,
                 double curved);

class RankDecision {
 public:
  enum class Of { all, positions };  // rows of [G; K], or of G
  // accelerations: a law for them, so that a row counts in a passage, too, if the motion without it misses it (missed_without.hpp). steps:
  // equations of steps that impose the rows, which do so in the next step.
  // velocities: those of a start, which lies on the manifold to roundoff, so that rows count down to the sine that roundoff explains.
  enum class For { steps, corrections, velocities, accelerations };
  explicit RankDecision(Of of = Of::all, For use = For::steps) : of_(of), use_(use) {}

  bool pending() const { return pending_; }  // decide() before rows are used
  void decide(const Problem& problem, double t, VectorIn z);

  void take_as_independent() { pending_ = false; }  // by somebody who knows

  // By the last decision; before the first one rows are taken as independent.
  bool full() const { return full_; }
  const std::vector<int>& rows() const { return rows_; }          // independent, ascending in G, then in K
  const std::vector<int>& left_out() const { return left_out_; }  // ascending
  // How many of the rows left out are so for the moment: they do not depend on others elsewhere.
  int singular() const { return singular_; }
  int redundant() const { return redundant_[0] + redundant_[1]; }  // and how many everywhere
  // The smallest sine of the rows that count to those before them; 1 where it is not known.
  double weakest() const { return weakest_; }

  const Vector& sizes() const {
    return sizes_;
  }  // that rows have nearby, in the metric of moved points; after decide()
  const Scales& scales() const { return scales_; }  // after decide()

  // saddle.factor() of C = [G; K] (or G) at z, with B = C^T or given, rank losses included.
  Status factor(linalg::SaddlePoint& saddle, const Problem& problem, double t, VectorIn z, MatrixIn M,
                MatrixIn C);
  Status factor(linalg::SaddlePoint& saddle, const Problem& problem, double t, VectorIn z, MatrixIn M,
                MatrixIn B, MatrixIn C);

  // Among the multipliers with the same forces B l, those of least norm.
  Vector least_norm(const Matrix& B, const Vector& l) const;

  bool contradicts(const linalg::RowsView& C, VectorIn a, VectorIn r, double free, double curved = 0) const;

 private:
  // As rows that are taken as independent; nothing: they must be looked at.
  template <class Factor>
  std::optional<Status> quickly(const linalg::SaddlePoint& saddle, Factor factor);
  void start(const Problem& problem, double t, VectorIn z);
  void look_elsewhere(const Problem& problem, double t, PlacedRows& rows);
  void choose(const Problem& problem, double t, VectorIn z, PlacedRows& rows, double distance,
              const std::vector<int>& before);
  double missed_by(const Problem& problem, double t, VectorIn z, const std::vector<int>& cautious) const;

  Of of_;
  For use_;
  bool pending_ = true;
  bool full_ = true;
  Scales scales_;
  Vector sizes_;  // of the rows nearby
  double weakest_ = 1;
  int redundant_[2] = {};  // rows of G, of K
  int singular_ = 0;
  std::vector<int> rows_, left_out_;
};

}  // namespace driftless
