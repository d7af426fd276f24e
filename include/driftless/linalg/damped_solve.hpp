// Square systems that may be singular, solved so that the answer stays bounded:
//
//   least_squares   (A^T A + eps I) y = A^T r     the y of least |A y - r|^2 + eps |y|^2; by QR of [A; sqrt(eps) I], so that
//                                                 the condition of A is not squared
//   shifted         (A + eps I) y = r             for symmetric positive semidefinite A; by Cholesky's method
//
// factor_within() takes the smallest eps at or above a floor for which |y| <= radius. |y(eps)| falls, and 1/|y| is concave in
// eps, so that Newton's method for 1/|y| = 1/radius from the left neither overshoots nor fails (More, Sorensen 1983).
// Nothing is allocated after construction.
#pragma once

#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

enum class Damping { least_squares, shifted };

// The loop of factor_within(), for all that factors and solves as the class below does; y and x: vectors to work with.
template <class Solver>
bool factor_within(Solver& solver, VectorIn r, double floor, double radius, Vector& y, Vector& x) {
  constexpr int enough = 100;  // some ten are usual
  if (!solver.factor(floor)) return false;
  for (int iteration = 0; iteration < enough; ++iteration) {
    solver.solve(r, y);
    const double size = y.norm();
    if (!(size > radius * (1 + 1e-13))) break;
    solver.solve_normal(y, x);
    const double next = solver.epsilon() + size * size / y.dot(x) * (size / radius - 1);
    if (!(next > solver.epsilon()) || !solver.factor(next)) break;
  }
  return y.allFinite();
}

class DampedSolve {
 public:
  DampedSolve() = default;
  DampedSolve(Damping kind, int n);

  // False where A is not finite, or where A + eps I is not positive definite. Only the lower triangle of a shifted A is read.
  bool factor(MatrixIn A, double epsilon);
  bool factor_within(MatrixIn A, VectorIn r, double floor, double radius);

  // After true. r and y may be the same vector.
  void solve(VectorIn r, VectorOut y);         // y(eps)
  void solve_normal(VectorIn b, VectorOut x);  // (A^T A + eps I) x = b or (A + eps I) x = b
  double epsilon() const { return epsilon_; }

 private:
  bool factor_rows(MatrixIn A);
  bool factor_shifted(MatrixIn A);

  Damping kind_ = Damping::least_squares;
  int n_ = 0;
  double epsilon_ = 0;
  Matrix F_;      // reflectors below and R in the upper triangle of 2n rows, or L
  Vector scale_;  // 2/|u|^2 of the reflectors
  Vector diagonal_, right_, y_, x_;
};

}  // namespace driftless::linalg
