// heavy-top: the fast top of Bruls, Cardona, Arnold (C1), its axis horizontal at the start, 150 rad/s about
// it. References:
//   table   positions and body rates at t = 0.2, 0.5, 1, 2, independently computed to 1e-11; the centre's
//           velocity follows from them; the pivot force is known at t = 2. Quaternions have the sign of the
//           continuous path.
//   exact   without gravity, for a top that is symmetric about the body's y axis: regular precession. With
//           A = J1 + m about the pivot and the constant angular momentum P = R (A w1, J2 w2, A w3), the
//           angular velocity is P/A + s (R y), s = w2 (1 - J2/A), hence
//           R(t) = exp(t P~/A) R(0) exp(t s y~)
#include <driftless/problems/heavy_top.hpp>

#include <Eigen/Geometry>

#include <driftless/core/auto_problem.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

using Vector3 = Eigen::Vector3d;
const Vector3 arm(0, 1, 0);  // X, from the pivot to the centre, body axes

const std::vector<Parameter<HeavyTop>>& parameters() {
  using H = HeavyTop;
  static const std::vector<Parameter<H>> table = {
      {"m", &H::m, "mass", 0},
      {"J1", &H::J1, "inertia about the centre, body x axis", 0},
      {"J2", &H::J2, "inertia about the body y axis, which goes through the pivot", 0},
      {"J3", &H::J3, "inertia about the body z axis", 0},
      {"gravity", &H::gravity, "gravity, along -z"}};
  return table;
}

KnownState known(double t, const Vector3& x, const std::array<double, 4>& p, const Vector3& w,
                 std::vector<double> lambda) {
  const Vector3 velocity = Eigen::Quaterniond(p[0], p[1], p[2], p[3]) * w.cross(arm);
  return {.t = t,
          .q = {x(0), x(1), x(2), p[0], p[1], p[2], p[3]},
          .v = {velocity(0), velocity(1), velocity(2), w(0), w(1), w(2)},
          .lambda = std::move(lambda)};
}

Reference table() {
  return table_reference("independent integration, self-consistent to 1e-11",
                         {known(0.2, {.605550561377, .598957681795, -.523983027430},
                                {-.708279152974, .438781088127, .545728396145, .089399752824},
                                {-2.691590912, 150, 4.917260990}, {}),
                          known(0.5, {-.702468297057, -.021165184702, -.711400257652},
                                {.584560624069, -.700662895412, .384325753023, .140193078800},
                                {-.471053102, 150, 5.901083048}, {}),
                          known(1, {.173343964098, .640088592070, -.748490791134},
                                {.732943980680, -.278285719338, .531824611334, -.320176142736},
                                {-.822078102, 150, -5.923291348}, {}),
                          known(2, {-.150416822746, -.724165591637, -.673022269560},
                                {.122947135042, -.491079892550, .350430030344, -.787986887550},
                                {.122233219, 150, -5.855624589}, {260.735211, -613.612699, -309.716631})});
}

// exp(t axis~) as a quaternion.
Eigen::Quaterniond turned(const Vector3& axis, double t) {
  const double rate = axis.norm();
  if (rate == 0) return Eigen::Quaterniond::Identity();
  const double half = rate * t / 2;
  const Vector3 part = std::sin(half) / rate * axis;
  return {std::cos(half), part(0), part(1), part(2)};
}

Reference regular_precession(const HeavyTop& top, const Vector3& start_rates) {
  const double A = top.J1 + top.m;
  const Vector3 spin = start_rates(1) * (1 - top.J2 / A) * arm,
                momentum(A * start_rates(0), top.J2 * start_rates(1), A * start_rates(2));
  const auto at = [=](double t) -> std::optional<State> {
    const Eigen::Quaterniond back = turned(-spin, t), p = turned(momentum / A, t) * turned(spin, t);
    const Vector3 w = back * start_rates, w_rate = -spin.cross(w), x = p * arm, velocity = p * w.cross(arm),
                  acceleration = p * (w_rate.cross(arm) + w.cross(w.cross(arm)));
    State state({2, 7, 6}, 3, 0);
    state.t = t;
    for (int i = 0; i < 3; ++i) {
      state.q()(i) = x(i);
      state.v()(i) = velocity(i);
      state.v()(3 + i) = w(i);
      state.lambda(i) = -top.m * acceleration(i);
    }
    state.q().tail<4>() << p.w(), p.x(), p.y(), p.z();
    return state;
  };
  return {.at = at, .source = "exact, regular precession"};
}

ProblemInstance make(const OptionValues& o) {
  const auto top = model_of(parameters(), o);
  const Vector3 w(o.number("wx"), o.number("spin"), o.number("wz")), velocity = w.cross(arm);
  ProblemInstance instance;
  instance.problem = make_problem(top);
  instance.start = make_state(
      *instance.problem, {{0, 1, 0, 1, 0, 0, 0}, {velocity(0), velocity(1), velocity(2), w(0), w(1), w(2)}});
  instance.t_end = 2;
  if (!o.changed()) instance.reference = table();
  if (top.gravity == 0 && top.J1 == top.J3) instance.reference = regular_precession(top, w);
  return instance;
}

}  // namespace

ProblemEntry heavy_top() {
  ProblemEntry entry{.summary = "spinning top on a pivot, with quaternions (7 coordinates, 3 constraints)",
                     .parameters = specs_of(parameters()),
                     .make = make};
  entry.parameters.insert(
      entry.parameters.end(),
      {{.name = "spin", .fallback = "150", .help = "start rate about the body y axis"},
       {.name = "wx", .fallback = "0", .help = "start rate about the body x axis"},
       {.name = "wz", .fallback = "-4.61538", .help = "start rate about the body z axis"}});
  return entry;
}

}  // namespace driftless::problems
