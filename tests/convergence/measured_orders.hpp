// Measured orders of q, v and the multipliers (lambda and kappa): log2 of the ratio of the errors that a run
// with n steps and one with 2n steps make. The error is the largest over eight times, evenly spread to the
// end, that are steps of both runs, so that nothing is interpolated.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/run.hpp"

namespace driftless::tests {

// Steps n and 2n must be small enough for the leading error term and large enough to stay away from roundoff.
struct OrderRun {
  std::string problem;
  std::vector<std::pair<std::string, std::string>> set = {};
  double span = 1;  // from the problem's start time
  Method method = {};
  int steps = 0;         // n, a multiple of 8
  int first_sample = 1;  // of the eight; later where the first steps have other errors
};

// v: all levels above q, so that for systems of order 1 there is none (and its order is NaN).
struct PartErrors {
  double q = 0, v = 0, multipliers = 0;
};

struct MeasuredOrders {
  PartErrors coarse, fine;
  double q() const;
  double v() const;
  double multipliers() const;
};

// Against the problem's reference where it gives q, v and the multipliers at all eight times; else against a
// far more accurate run of dopri5. Throws where a run does not reach its end.
MeasuredOrders measure_orders(const OrderRun& run);

// The same for what the first few steps leave: a run of `count` steps of length `step`, and one of as many of
// half that length, each against the problem's reference at its own end. With a count like 2.5 the last step is
// half as long as the others. `span` and `steps` of the run are not used.
MeasuredOrders measure_start(const OrderRun& run, double count, double step);

}  // namespace driftless::tests
