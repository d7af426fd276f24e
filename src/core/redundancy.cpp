#include "redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <driftless/core/rank_decision.hpp>

namespace driftless {

namespace {

constexpr int probes = 3;
constexpr double step = 0.15;           // of ordinary displacements, times the number of the probe
constexpr int halvings = 5;             // of a step that cannot be assembled
constexpr int iterations = 12;          // of Newton's method
constexpr double assembled_to = 1e-10;  // of the length
constexpr double no_motion = 1e-7;      // what is left of a displacement where constraints forbid all
constexpr double clear_sine = 1e-3;     // of a row that is met and independent all the same
constexpr double violated_sine = 1e-5;  // of a row that is not met
constexpr double often_assembly =
    3;  // what a redundant row may be off by elsewhere, by what it may be off by at the start

// Rows that move: a mechanism whose drives prescribe everything can be looked at elsewhere only without these.
std::vector<int> moving_rows(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  std::vector<int> rows;
  if (!s.moving || s.ng == 0) return rows;
  Evaluation e(storage_of(s));
  problem.evaluate(Part::position, Point(t, z), e);
  const Vector now = e.g;
  std::vector<char> moves(static_cast<std::size_t>(s.ng), 0);
  for (const double later : {1e-3, 0.0123, 0.123, 1.23}) {
    problem.evaluate(Part::position, Point(t + later, z), e);
    for (int i = 0; i < s.ng; ++i)
      if (e.g(i) != now(i)) moves[static_cast<std::size_t>(i)] = 1;
  }
  for (int i = 0; i < s.ng; ++i)
    if (moves[static_cast<std::size_t>(i)]) rows.push_back(i);
  return rows;
}

Redundancy counted(const std::vector<int>& lost, int ng) {
  const auto positions = std::lower_bound(lost.begin(), lost.end(), ng) - lost.begin();
  return {static_cast<int>(positions), static_cast<int>(lost.size()) - static_cast<int>(positions)};
}

std::vector<int> together(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

class Prober {
 public:
  Prober(const Problem& problem, const Scales& scales, PlacedRows& rows, double t,
         const std::vector<int>& lost)
      : problem_(problem),
        shape_(problem.shape()),
        scales_(scales),
        rows_(rows),
        t_(t),
        lost_(lost),
        missed_(rows.count()) {}

  Redundancy run(VectorIn start) {
    Redundancy found = counted(lost_, shape_.ng);
    without_ = together(lost_, moving_rows(problem_, t_, start));
    for (int probe = 1; probe <= probes && found.positions + found.velocities > 0; ++probe) {
      Vector place = start;
      if (!reach(probe, place)) continue;
      const Redundancy there = counted(rows_.dependent(violates() ? violated_sine : clear_sine), shape_.ng);
      found.positions = std::min(found.positions, there.positions);
      found.velocities = std::min(found.velocities, there.velocities);
    }
    return found;
  }

 private:
  // A place some way off that the rows allow and that they are met at.
  bool reach(int probe, Vector& place) {
    const Vector start = place;
    if (!rows_.evaluate(t_, start) || !rows_.keep_without(without_)) return false;
    Vector motion(shape_.nv), part(shape_.nv), right(rows_.count());
    for (int j = 0; j < shape_.nv; ++j)
      motion(j) = scales_.moves(j) * std::sin(2.1 + 1.7 * (j + 1) * probe + 0.3 * j * j);
    for (int twice = 0; twice < 2; ++twice) {
      rows_.times(motion, right);
      rows_.least_move(right, part);
      motion -= part;
    }
    const double far = scales_.distance(motion);
    if (!(far > no_motion)) return false;
    motion *= step * probe / far;
    for (int halving = 0; halving < halvings; ++halving, motion /= 2) {
      place = start;
      problem_.displace(t_, place.head(shape_.nq), motion, work_);
      if (assemble(place)) return true;
    }
    return false;
  }

  bool assemble(Vector& place) {
    Vector move(shape_.nv);
    for (int i = 0; i < iterations; ++i) {
      if (!rows_.evaluate(t_, place)) return false;
      missed_ = rows_.residual();
      double off = 0;
      for (int k = 0; k < shape_.ng; ++k)
        if (!std::binary_search(without_.begin(), without_.end(), k))
          off = std::max(off, std::abs(missed_(k)));
      if (off <= assembled_to * scales_.length) return true;
      if (!rows_.keep_without(without_)) return false;
      rows_.least_move(-missed_, move);
      if (!(scales_.distance(move) < 1)) return false;
      problem_.displace(t_, place.head(shape_.nq), move, work_);
    }
    return false;
  }

  bool violates() const {
    return std::any_of(lost_.begin(), lost_.end(),
                       [&](int i) { return !(std::abs(missed_(i)) <= often_assembly * scales_.missed()); });
  }

  const Problem& problem_;
  const Shape& shape_;
  const Scales& scales_;
  PlacedRows& rows_;
  const double t_;
  const std::vector<int>& lost_;
  std::vector<int> without_;
  Vector missed_;
  Workspace work_;
};

}  // namespace

bool passes(const Problem& problem, const Scales& scales, PlacedRows& rows, double t, VectorIn place,
            VectorIn z, std::size_t dependent) {
  const Shape& s = problem.shape();
  if (s.order < 2) return true;
  const Vector v = z.segment(s.nq, s.nv);
  const double speed = scales.distance(v);
  if (!(speed > RankLimits::resting) || !std::isfinite(speed)) return false;
  Workspace work;
  for (const double side : {1.0, -1.0}) {
    Vector there = place;
    const Vector way = side * RankLimits::passing / speed * v;
    problem.displace(t, there.head(s.nq), way, work);
    if (rows.evaluate(t, there) && rows.dependent(RankLimits::redundant_sine).size() < dependent) return true;
  }
  return false;
}

Redundancy redundancy(const Problem& problem, const Scales& scales, PlacedRows& rows, double t, VectorIn z,
                      const std::vector<int>& lost) {
  if (lost.empty()) return {};
  return Prober(problem, scales, rows, t, lost).run(z);
}

}  // namespace driftless
