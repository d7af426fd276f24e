// A pendulum of 1 m, 1 kg, upright on a pivot that a drive shakes by 1 mm at a given rate, written in any unit of time and of mass; and its
// angle from upright by the one equation that it obeys.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

namespace driftless::tests {

struct ShakenUnits {
  double time = 1, mass = 1;  // one of them in seconds, in kilograms
};

struct ShakenPendulum {
  static constexpr double amplitude = 1e-3, inertia = 1e-3, gravity = 9.81, from = 0.2;

  std::shared_ptr<const Problem> problem;
  State start;
  double rate;  // in the units of the model

  ShakenPendulum(double rate_in_si, const ShakenUnits& in = {}) : rate(rate_in_si * in.time) {
    const io::Model model = io::read_model_text(
        fmt::format(R"X(title = "shaken"
dimensions = 2
gravity = [0, {gravity:.17g}]
[parameters]
a = {amplitude}
[body.pivot]
at = [0, "a"]
mass = {mass:.17g}
inertia = {mass:.17g}
[body.bob]
at = ["sin({angle})", "a + cos({angle})"]
mass = {mass:.17g}
inertia = {inertia:.17g}
[joint.guide]
type = "prismatic"
between = ["ground", "pivot"]
axis = [0, 1]
[joint.hinge]
type = "revolute"
between = ["pivot", "bob"]
at = [0, "a"]
[drive.shake]
point = {{body = "pivot", at = [0, 0]}}
along = [0, 1]
motion = "a*cos({rate:.17g}*t)"
)X",
                    fmt::arg("gravity", -gravity * in.time * in.time), fmt::arg("amplitude", amplitude),
                    fmt::arg("mass", 1 / in.mass), fmt::arg("inertia", inertia / in.mass),
                    fmt::arg("angle", from), fmt::arg("rate", rate)),
        "shaken.toml");
    problem = mechanics::make_problem(model.mechanism.finished());
    start = model.mechanism.assembled(model.closing);
  }
  double angle(const State& at) const {
    return std::atan2(at.q()(3), at.q()(4) - amplitude * std::cos(rate * at.t));
  }
};

// (I + 1) theta'' = sin(theta) (g + p''), p = a cos(w t), by the classical Runge-Kutta method.
inline double shaken_angle(double rate, double t_end) {
  using S = ShakenPendulum;
  const int steps = static_cast<int>(std::max(2e4, rate * t_end * 60));
  const double h = t_end / steps;
  const auto slope = [&](double t, double theta) {
    return std::sin(theta) * (S::gravity - S::amplitude * rate * rate * std::cos(rate * t)) /
           (1 + S::inertia);
  };
  double theta = S::from, speed = 0;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const double k1 = speed, l1 = slope(t, theta), k2 = speed + h / 2 * l1,
                 l2 = slope(t + h / 2, theta + h / 2 * k1), k3 = speed + h / 2 * l2,
                 l3 = slope(t + h / 2, theta + h / 2 * k2), k4 = speed + h * l3,
                 l4 = slope(t + h, theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    speed += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}

}  // namespace driftless::tests
