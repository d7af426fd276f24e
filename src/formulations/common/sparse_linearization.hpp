// SparseLinearization: the derivatives of a constrained system of order 2 (constrained_system.hpp) without their zeros, and the iteration matrix
// c F_y' + F_y made of them, factored node by node (linalg/block_lu.hpp). Nodes are bodies (or branches of a tree), with unknowns (d_0, d_1),
// displacements of positions and velocities, and groups of constraint rows, with unknowns (lambda or kappa, mu):
//
//   (c - W) d_0 - d_1 - G^T dmu           = r_0        W = N^+ (N v)_q N
//   A_0 d_0 + (c M + A_1) d_1 + C^T dl    = r_1        A_0 = -f_x + (C^T l)_x,  A_1 = -f_v,  C = [G; K],  l = (lambda, kappa)
//   sum_j imposed[i][j] (g^(j) by d)      = r          g by d: G d_0,  g' by d: L d_0 + G d_1,  w by d: w_x d_0 + K d_1
//
// Bodies are eliminated first. Rows that others imply are not imposed; their multipliers stay as they are.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/core/system.hpp>
#include <driftless/linalg/block_lu.hpp>

#include "constrained_system.hpp"

namespace driftless::formulations {

class SparseLinearization {
 public:
  SparseLinearization(const Problem& problem, const ConstrainedForm& form);

  int rows() const { return rows_; }  // constraint rows, as many as multipliers
  void add_mass_times(const std::vector<double>& M, const double* x, double* y) const;  // y += M x

  // parts: C, L, by_x, by_v, Bl_x, M; v: velocities there.
  void set(const Evaluation& parts, VectorIn v, const std::vector<int>& left_out);
  // Where N and N^+ are taken.
  void set_place(double t, VectorIn q);
  void to_displacement(VectorIn change, VectorOut delta) const;  // N^+ change
  void to_coordinates(VectorIn delta, VectorOut change) const;   // N delta

  std::unique_ptr<IterationMatrix<double>> real_matrix(Work& work) const;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix(Work& work) const;

  // The constraint rows of all that is imposed and their unknowns, by the rows of [G; K]: -1 where there is none.
  // speed -= what mu pushes positions by.
  void subtract_pushes(const linalg::SparseRows& C, const double* mu, Vector& speed) const;
  int row_of(int i, int k) const;         // imposed[i] (or w, with i = 0) of row k
  int multiplier_of(int i, int k) const;  // i = 0: lambda or kappa, i = 1: mu

 private:
  template <class Scalar>
  friend class SparseIterationMatrix;
  struct Group {
    int first, count;  // rows of [G; K]
    bool velocity;     // rows of K
  };
  struct Pair {
    int row_body, column_body;
    int entry, length;  // in matrices over pairs of bodies: first entry, entries in a row
  };
  struct Segment {
    int group, body;
    int entry, length;  // in rows of [G; K]: of its first row
    int first, count;   // velocities of the body
  };
  int unknowns_of(const Group& group) const { return group.count * (group.velocity ? 1 : levels_); }

  const Problem& problem_;
  const Shape& shape_;
  const std::vector<std::vector<double>> imposed_;
  const Vector push_metric_;  // of mu: it pushes along diag(push_metric) C^T; empty: C^T (push_metric.hpp)
  const int levels_;          // multipliers of a row of G: lambda, and mu where it is stabilized
  const int rows_;
  SparseDynamics::Branches branches_;  // here called bodies
  std::vector<int> body_first_;        // its first velocity
  std::vector<int> quaternion_body_;   // where they belong
  std::vector<Group> groups_;
  std::vector<Pair> pairs_;
  std::vector<Segment> segments_;
  std::shared_ptr<const linalg::BlockPattern> pattern_;
  SparseParts at_;
  Vector v_;
  std::vector<char> left_out_;  // rows of [G; K]
  double t_ = 0;
  Vector q_;
  mutable Vector pushed_;
  mutable Workspace work_;
};

}  // namespace driftless::formulations
