// SUNDIALS' IDA, variable-order BDF, with the sparse solver KLU, on the equations of Gear, Gupta and Leimkuhler as its user would write
// them down by hand:
//   q' = v + G^T mu,   M v' = f - G^T lambda,   g(q) = 0,   G v = 0,   y = (q, v, lambda, mu)
#pragma once

#include "bars.hpp"
#include "outcome.hpp"

namespace driftless::benchmarks::scaling {

// The fastest and most robust of those tried, on both mechanisms. Orders 3 and 4 take more steps; the block triangular form, KLU's own
// choice, makes the factors up to twice as full and small pivots likely; COLAMD, SUNDIALS' own choice, is slower on chains. With
// multipliers in the error test, or held to the tolerance of q and v by the corrector, IDA gives up at singular positions at looser
// tolerances. Its own first step is so short at tight tolerances that the matrix is singular to rounding; its own corrector is stopped so
// early that it takes half as many steps again.
struct IdaKluSettings {
  int max_order = 5;
  enum class Ordering { amd, colamd, natural } ordering = Ordering::amd;
  bool block_triangular = false;      // permute to block triangular form first
  bool out_of_error_test = true;      // lambda and mu
  double multiplier_tolerance = 1e6;  // atol of lambda and mu, as a multiple of that of q and v
  double corrector = 0.03;            // of the convergence test; IDA's own is 0.33
  double first_step = 1e-6;           // 0: IDA's own
};

Outcome run_ida_klu(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit,
                    const IdaKluSettings& settings = {});

}  // namespace driftless::benchmarks::scaling
