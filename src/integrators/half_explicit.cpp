// half-explicit: explicit in positions and velocities, implicit in the multipliers only, which are chosen so that the next point
// satisfies g' = 0 (order m: g^(m-1) = 0) and w = 0 (common/half_explicit_steps.hpp). For `index2`, whose equations it discretises.
//   method=dormand-prince   order 5(4): the table of Dormand and Prince with an explicit first stage, as Arnold (BIT 38, 1998) and Murua
//                           (Computing 59, 1997) have found that such methods need no more stages than for ordinary differential
//                           equations. The extra order conditions reduce to those of the table: C(2) and C(3) hold from stage 3
//                           on, so that multipliers of the second stage are wrong by h^2 c_2^2/2 along one elementary differential, all
//                           others by h^3, and sum b_i a_i2, sum b_i c_i a_i2, sum b_i a_ij a_j2 vanish, with b^T A = b^T (I - C).
//   method=euler            half-explicit Euler (Hairer, Lubich, Roche, 1989): order 1
// Velocities stay on the constraints to roundoff; positions drift off linearly in t, slower than with `index1`. No curvature of g enters
// the stages but the first. Not for stiff problems.
#include <driftless/core/entries.hpp>

#include "common/half_explicit_steps.hpp"

namespace driftless::integrators {

namespace {

HalfExplicitTable dormand_prince() {
  return {.a = {{1. / 5},
                {3. / 40, 9. / 40},
                {44. / 45, -56. / 15, 32. / 9},
                {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}},
          .b = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
          .c = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1},
          .e = {0, 71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
          .order = 5,
          .error_order = 4,
          .explicit_first = true,
          .quartic = true,
          .stable_to = 3.25};
}

// Its error against the trapezoidal rule with the rates of both ends.
HalfExplicitTable euler() {
  return {.a = {}, .b = {1}, .c = {0}, .e = {-0.5, 1, -0.5}, .order = 1, .error_order = 1};
}

}  // namespace

IntegratorEntry half_explicit() {
  return {
      .summary =
          "explicit but for the multipliers, which keep g' = 0: order 5(4), adaptive, dense output; or Euler",
      .shapes = {SystemShape::mechanical_velocities},
      .order = 5,
      .traits = {.error_estimate = true},
      .dense_order = 4,
      .options = {{.name = "method",
                   .fallback = "dormand-prince",
                   .help = "dormand-prince: order 5(4); euler: order 1",
                   .choices = {"dormand-prince", "euler"}}},
      .make = [](const OptionValues& o) {
        return half_explicit_steps(o.word("method") == "euler" ? euler() : dormand_prince());
      }};
}

}  // namespace driftless::integrators
