// chaplygin-sleigh: Chaplygin's sleigh (Bloch, section 1.7), nonholonomic. With J = Th + m a^2,
// C = m s^2 + J w^2 (constant: twice the energy), k = a sqrt(C m)/J and u = k t + u0:
//   speed s = sqrt(C/m) tanh u,   turn rate w = sqrt(C/J) sech u (times the sign of w at the start)
//   heading phi = phi0 + sqrt(J/m)/a (gd u - gd u0), gd being Gudermann's function
//   kappa = -m Th/J s w,   x and y are the integrals of s cos phi and s sin phi, by quadrature
// The default start slides backwards, turns round and runs ahead; with w = 0 it only runs straight.
#include <driftless/problems/chaplygin_sleigh.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

#include "common/quadrature.hpp"

namespace driftless::problems {

namespace {

struct SleighMotion {
  ChaplyginSleigh model;
  double phi0, s0, w0;

  double J() const { return model.Th + model.m * model.a * model.a; }
  double C() const { return model.m * s0 * s0 + J() * w0 * w0; }
  double k() const { return model.a * std::sqrt(C() * model.m) / J(); }
  double u0() const { return std::asinh(s0 * std::sqrt(model.m / J()) / std::abs(w0)); }

  struct Now {
    double phi, s, w;
  };
  Now at(double t) const {
    if (w0 == 0 || model.a == 0) return {phi0 + w0 * t, s0, w0};
    const double u = k() * t + u0(), sign = w0 < 0 ? -1 : 1;
    return {phi0 + sign * std::sqrt(J() / model.m) / model.a * turned(k() * t, u0()),
            std::sqrt(C() / model.m) * std::tanh(u), sign * std::sqrt(C() / J()) / std::cosh(u)};
  }

 private:
  // gd(u0 + d) - gd(u0) = 2 atan(sinh(d/2)/cosh(u0 + d/2)), with exponentials that cannot overflow.
  static double turned(double d, double u0) {
    const double size = std::abs(d), v = d < 0 ? -u0 : u0;
    return 2 * std::atan(std::copysign(std::expm1(-size), d) / (std::exp(v) + std::exp(-size - v)));
  }
};

State exact(const SleighMotion& motion, State state, double t) {
  const auto [phi, s, w] = motion.at(t);
  const double cosine = std::cos(phi), sine = std::sin(phi);
  state.t = t;
  const auto along = [&](auto direction) {
    return integral(
        [&](double time) {
          const auto now = motion.at(time);
          return now.s * direction(now.phi);
        },
        0, t);
  };
  state.q() << along([](double angle) { return std::cos(angle); }),
      along([](double angle) { return std::sin(angle); }), phi;
  state.v() << s * cosine, s * sine, w;
  state.kappa(0) = -motion.model.m * motion.model.Th / motion.J() * s * w;
  return state;
}

ProblemInstance make(const OptionValues& o) {
  const SleighMotion motion{.model = {.m = o.number("m"), .Th = o.number("Th"), .a = o.number("a")},
                            .phi0 = o.number("phi"),
                            .s0 = o.number("s"),
                            .w0 = o.number("w")};
  ProblemInstance instance;
  instance.problem = make_problem(motion.model);
  const State blank = make_state(*instance.problem, {});
  const double phi = motion.phi0, s = motion.s0, w = motion.w0;
  instance.start = make_state(*instance.problem, {{0, 0, phi}, {s * std::cos(phi), s * std::sin(phi), w}});
  instance.t_end = 10;
  instance.reference = {.at = [=](double t) { return std::optional(exact(motion, blank, t)); },
                        .source = "exact, by hyperbolic functions; x and y by quadrature"};
  return instance;
}

}  // namespace

ProblemEntry chaplygin_sleigh() {
  return {.summary =
              "Chaplygin's sleigh, a body on a blade that cannot slip sideways (3 coordinates, 1 velocity "
              "constraint)",
          .parameters =
              {{.name = "m", .fallback = "1", .help = "mass", .above = 0},
               {.name = "Th", .fallback = "0.1", .help = "inertia about the mass centre", .above = 0},
               {.name = "a", .fallback = "0.1", .help = "how far the mass centre lies ahead of the blade"},
               {.name = "phi", .fallback = "0", .help = "heading at the start"},
               {.name = "s", .fallback = "-0.5", .help = "speed along the blade at the start"},
               {.name = "w", .fallback = "2", .help = "turn rate at the start"}},
          .make = make};
}

}  // namespace driftless::problems
