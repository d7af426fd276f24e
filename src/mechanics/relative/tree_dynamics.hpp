// What a mechanism in relative coordinates needs at every step, on double and in one pass over the tree each.
//
// Rows.  With the pulls of a row (the gradients of its measures) on its bodies, brought inward along the tree,
//   entry of G_r for a freedom s = s . pull,      pull of the parent += pull of the child, moved there
//   g' = sum of rates,     c = sum of (gradient . accelerations that velocities make + curvature)
// A displacement along s carries all that hangs on it, axes included: with the velocity B of the child without what the displacement carries
// of its own joint,
//   entry of L_r for s = s . (rate gradient, and on its torque + v x gradient's force) - (s x B) . gradient,     both brought inward
//   s x B = (s_w x B_v + s_v x B_w, s_w x B_w)
//
// Accelerations.  M_r = L D L^T with one entry of D for every freedom, from the inertia I of a body and what hangs on it through joints that
// are free to move (articulated body: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.2; as a factorisation: G. Rodriguez,
// IEEE J. Robotics and Automation 3, 1987). For each freedom s, leaves first:
//   U = I s,  d = s . U,  I -= U U^T / d,  then I of the parent += I moved there
//   y = L^-1 f :      y = s . pull,  pull -= U y / d,  inward
//   a = L^-T D^-1 y:  u' = (y - U . a) / d,  a += s u',  outward
//   rows Z = G_r L^-T D^-1/2 likewise, which have entries only on the way from their bodies to the ground
//   S = Z Z^T = G_r M_r^-1 G_r^T,   S lambda = Z D^-1/2 y + c - r,   D^-1/2 y -= Z^T lambda        (core/sparse_constraints.hpp)
#pragma once

#include <vector>

#include <driftless/linalg/sparse_rows.hpp>

#include "mechanics/relative/relative_equations.hpp"

namespace driftless::mechanics {

inline double along(const Twist& motion, const Pull& pull) {
  return power_of(motion, pull);
}
inline void take(Pull& from, double factor, const Pull& pull) {
  from.force -= factor * pull.force;
  from.torque -= factor * pull.torque;
}

class TreeDynamics {
 public:
  explicit TreeDynamics(const RelativeModel& model);

  // Bodies at a state, and how each of them moves with each freedom.
  struct At {
    double t = 0;
    Bodies<double> bodies;
    std::span<const Twist> columns;  // of all freedoms
    std::span<const double> v;
  };
  At at(double t, std::span<const double> q, std::span<const double> v, Arena& scratch) const;

  struct RowParts {
    double* g = nullptr;
    double* rate = nullptr;
    double* curvature = nullptr;
  };
  // Rows first, .., first + count - 1 of (g, w).
  void rows(const At& at, int first, int count, const RowParts& wanted) const;
  void jacobian(const At& at, int first, int count, Matrix& rows, Arena& scratch) const;
  void rate_jacobian(const At& at, int first, int count, Matrix& rows, Arena& scratch) const;
  // All rows of (g, w), with the entries of pattern().
  void jacobian(const At& at, linalg::SparseRows& rows, Arena& scratch) const;
  void rate_jacobian(const At& at, linalg::SparseRows& rows, Arena& scratch) const;
  const linalg::SparseRows& pattern() const { return pattern_; }
  void forces(const At& at, Vector& f, Arena& scratch) const;

  // M_r = L D L^T.
  struct Articulated {
    std::span<Pull> U;
    std::span<double> d;
    bool regular = true;
  };
  Articulated articulated(const At& at, Arena& scratch) const;
  // The outermost freedom of a body without mass that nothing beyond it resists; -1: there is none.
  int unresisted(const At& at, Arena& scratch) const;
  // y = L^-1 V^T pulls; the pulls are used up.
  void inward(const At& at, const Articulated& M, std::span<Pull> pulls, double* y) const;
  // a = L^-T D^-1 y, with the accelerations of bodies that belong to it.
  void outward(const At& at, const Articulated& M, const double* y, double* a, std::span<Twist> bodies) const;

  // Z, with the entries of pattern().
  void transformed_rows(const At& at, const Articulated& M, linalg::SparseRows& Z, Arena& scratch) const;

  // Rows of g that are met wherever the tree is, as those of a second hinge on the axis of another: no freedom moves them, there or
  // anywhere, so that all that a factorisation would find of them is roundoff. Not rows that are driven, nor those that are off there.
  std::vector<int> met_rows(double t, std::span<const double> q) const;

  // Adds factor . (pulls of the row).
  void add_row(const At& at, int row, double factor, std::span<Pull> pulls) const;

 private:
  bool moves_row(const At& at, int row, std::span<Pull> pulls, std::span<double> forces,
                 std::span<double> torques) const;
  template <class Rows>
  void put_jacobian(const At& at, int first, int count, Rows rows, Arena& scratch) const;
  template <class Rows>
  void put_rate_jacobian(const At& at, int first, int count, Rows rows, Arena& scratch) const;

  const RelativeModel& model_;
  linalg::SparseRows pattern_;
};

}  // namespace driftless::mechanics
