// The residual of the equations of Gear, Gupta and Leimkuhler for bars, and its sparse matrix F_y + cj F_y', by hand:
//   F = (q' - v - G^T mu,   M v' - f + G^T lambda,   g,   G v),   y = (q, v, lambda, mu)
//         [ cj I         -I     0     -G^T ]
//   F_y ~ [ (G^T l)_q    cj M   G^T    0   ]     (G^T mu)_q is left out: mu is as small as the error of a step
//         [ G             0     0      0   ]
//         [ (G v)_q       G     0      0   ]
// An end of a bar, centre + side d with d = R(angle) half, enters its two rows with a sign: it brings  sign (1, 0, -side d.y)  and
// sign (0, 1, side d.x)  to G.
#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Core>

#include "bars.hpp"

namespace driftless::benchmarks::scaling {

class GglEquations {
 public:
  explicit GglEquations(Bars bars);

  int size() const { return 2 * (nq_ + ng_); }
  int differential() const { return 2 * nq_; }  // q and v come first
  const Bars& bars() const { return bars_; }

  // Consistent y and y' at the start, multipliers included.
  void start(double* y, double* yp) const;

  void residual(const double* y, const double* yp, double* F);

  // Of the matrix, by columns.
  const std::vector<long>& column_begins() const { return begins_; }
  const std::vector<long>& rows() const { return rows_; }
  void matrix(double cj, const double* y, double* values);

 private:
  struct Arm {
    double x, y;
  };
  void turn(const double* q);
  template <class Use>
  void for_ends(const Use& use) const;
  template <class Put>
  void put_entries(double cj, const double* y, const Put& put) const;

  Bars bars_;
  int nq_, ng_;
  std::vector<Arm> arms_;                    // d of every bar
  std::vector<long> begins_, rows_, slots_;  // slots: where the entries go, in the order in which they come
};

}  // namespace driftless::benchmarks::scaling
