// Energy controls: the equations of (7) against a dense solve of the whole system, the rate of the energy
// error by differences on every shape with an energy and with moving constraints, Jacobians, what happens near
// rest and inside a step, restarts, events.
#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_oracle.hpp"
#include "support/models.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

std::unique_ptr<System> controlled(const Problem& problem, const std::string& formulation,
                                   const std::string& control) {
  const NamedChoice choice = parse_choice(control);
  const auto& entry = catalog::control(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options))
      ->wrap(problem, build_system(problem, formulation));
}

// A mass that changes with time on a rod: E contains t, and P = m' |v|^2/2 (+ gravity's change).
struct ChangingMass {
  static constexpr int nq = 2, ng = 1;
  static constexpr bool moving = true;
  static auto m(auto t) {
    using std::sin;
    return 2.0 + sin(3.0 * t);
  }
  void mass(auto t, auto, auto M) const { M(0, 0) = M(1, 1) = m(t); }
  void force(auto t, auto, auto, auto f) const { f[1] = -9.81 * m(t); }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
  auto energy(auto t, auto q, auto v) const {
    return m(t) * ((v[0] * v[0] + v[1] * v[1]) / 2.0 + 9.81 * q[1]);
  }
  auto power(auto t, auto q, auto v) const {
    using std::cos;
    return 3.0 * cos(3.0 * t) * ((v[0] * v[0] + v[1] * v[1]) / 2.0 + 9.81 * q[1]);
  }
};

struct Rates {
  double psi, rate;
};

// The energy error of a system anchored at `start` that has done `missing` less work, and its rate by
// differences.
Rates rates_of(const Problem& problem, System& system, State start, double missing) {
  system.prepare(start);
  system.anchor(start);
  const int n = system.size();
  Vector y(n), dy(n);
  system.pack(start, y);
  y(n - 1) -= missing;
  EXPECT_EQ(system.ode()->rhs(start.t, y, dy), Status::ok);
  Evaluation e;
  const auto energy = [&](double s) {
    problem.evaluate(Part::energy, Point(start.t + s, start.z + s * dy.head(n - 1)), e);
    return e.energy;
  };
  const double s = 1e-5;
  return {missing, (energy(s) - energy(-s)) / (2 * s) - dy(n - 1)};
}

// ---- (7) ----

// [M A^T psi_v^T; A 0 0; psi_v 0 0] (a, lambda, sigma) = (Q, U - c, P - psi_q v - eta psi), off the manifold,
// with feedback.
TEST(EnergyBaumgarte, SolvesTheWholeSystem) {
  const auto crank = catalog::make_problem("001-slider-crank").problem;
  const double alpha = 30, beta = 200, eta = 4, t = 0.3, E0 = 1.7, W = 0.2;
  const auto system = controlled(*crank, "baumgarte:alpha=30,beta=200", "energy-baumgarte:eta=4,limit=0");
  Vector z(8), y(9), dy(9);
  z << 0.4, 2.7, 0.15, 0.12, -1.1, 0.4, -0.3, -0.35;
  y << z, W;
  std::vector<double> anchors = system->anchored();
  anchors[0] = E0;
  system->restore_anchor(anchors);
  State at = make_state(*crank, {});
  ASSERT_EQ(system->ode()->rhs(t, y, dy, &at), Status::ok);

  Evaluation e;
  crank->evaluate(Part::mass | Part::force | Part::jacobian | Part::curvature | Part::position | Part::rates |
                      Part::energy | Part::energy_gradient | Part::power,
                  Point(t, z), e);
  const Vector psi_q = e.energy_z.head(4), psi_v = e.energy_z.tail(4), v = z.tail(4);
  const double psi = e.energy - E0 - W;
  Matrix K = Matrix::Zero(8, 8);
  K.topLeftCorner(4, 4) = e.M;
  K.block(0, 4, 4, 3) = e.G.transpose();
  K.block(4, 0, 3, 4) = e.G;
  K.col(7).head(4) = psi_v;
  K.row(7).head(4) = psi_v.transpose();
  Vector r(8);
  r << e.f, -alpha * e.rates.col(0) - beta * e.g - e.c, e.power - psi_q.dot(v) - eta * psi;
  const Vector expected = lu_solution(K, r);
  ASSERT_LT(std::abs(expected(7)), eta) << "the bound must not act in this comparison";
  EXPECT_LT((dy.segment(4, 4) - expected.head(4)).norm(), 1e-11 * expected.norm());
  EXPECT_LT((at.lambda - expected.segment(4, 3)).norm(), 1e-11 * expected.norm());
  EXPECT_EQ(dy.head(4), v);
  EXPECT_NEAR(dy(8), e.power, 1e-14);
}

TEST(EnergyBaumgarte, EnergyErrorDecaysAtTheRateEta) {
  for (const auto& c : shape_cases()) {
    if (!c.problem->shape().has_energy || c.name == "time-dependent")
      continue;  // its energy is not that of its forces
    for (const char* formulation : {"index1", "baumgarte", "invariant-stabilized"}) {
      const auto system = controlled(*c.problem, formulation, "energy-baumgarte:eta=7,limit=0");
      const Rates r = rates_of(*c.problem, *system, c.start, 1e-3);
      EXPECT_NEAR(r.rate, -7 * r.psi, 1e-4 * 7 * r.psi) << c.name << " " << formulation;
    }
  }
}

TEST(EnergyBaumgarte, WithMovingConstraintsAndMasses) {
  const auto check = [](const Problem& problem, const std::vector<double>& z) {
    State start = state_of(problem, z);
    start.t = 0.4;
    start = consistent_state(problem, start).state;
    for (const char* formulation : {"index1", "baumgarte"}) {
      const auto system = controlled(problem, formulation, "energy-baumgarte:eta=7,limit=0");
      const Rates r = rates_of(problem, *system, start, 1e-3);
      EXPECT_NEAR(r.rate, -7 * r.psi, 1e-4 * 7 * r.psi) << formulation;
    }
  };
  check(*make_problem(DrivenPivot{}), {0.6, -0.8, 1.5, 0.4});
  check(*make_problem(ChangingMass{}), {0.6, -0.8, 1.6, 1.2});
}

// Near rest s = a^2 t^2 and psi_v a_0 = a^2 t: of psi' = -eta psi the part 1/(1 + (tau/t)^2) is left, tau =
// limit/eta. A pendulum, a = g at the side, t seconds after it was let go there; it has fallen little.
TEST(EnergyBaumgarte, FadesNearRest) {
  const auto problem = catalog::make_problem("pendulum", {{"gravity", "9.81"}}).problem;
  for (const double t : {1e-3, 1e-2, 2e-2}) {
    const State start = consistent_state(*problem, state_of(*problem, {1, 0, 0, -9.81 * t})).state;
    for (const double limit : {0.05, 0.3}) {
      const double tau = limit / 5, part = 1 / (1 + (tau / t) * (tau / t));
      const auto system =
          controlled(*problem, "index1", "energy-baumgarte:eta=5,limit=" + std::to_string(limit));
      const Rates r = rates_of(*problem, *system, start, 1e-6);
      EXPECT_NEAR(r.rate / (-5 * r.psi), part, 1e-4 * part) << t << " " << limit;
    }
  }
}

// A pendulum that swings through turning points: the force fades there, the run says so, and the energy is
// still kept.
TEST(EnergyBaumgarte, SaysThatItFadesNearRest) {
  const auto pendulum = catalog::make_problem("pendulum", {{"case", "A01"}});  // starts at rest
  const auto run = [&](const std::vector<std::string>& controls) {
    return solve(*pendulum.problem, pendulum.start,
                 {.formulation = "baumgarte:alpha=200,beta=10000",
                  .integrator = "forward-euler",
                  .stabilizer = "none",
                  .controls = controls},
                 {.t_end = 5, .step = 0.01});
  };
  const Solution with = run({"energy-baumgarte:eta=20"}), without = run({});
  ASSERT_TRUE(with.complete()) << with.end_message;
  EXPECT_LT(std::abs(with.energy->balance), 1);
  EXPECT_GT(std::abs(without.energy->balance), 10);
  ASSERT_GE(with.notes.size(), 1u);
  EXPECT_NE(with.notes[0].find("energy-baumgarte: its force faded to less than half in "), std::string::npos)
      << with.notes[0];
  EXPECT_NE(with.notes[0].find("of 500 steps"), std::string::npos) << with.notes[0];
}

// psi = 1 beside s = v^2 = 0.01: (7) asks for eta psi/s = 500 times the momentum.
TEST(EnergyBaumgarte, IsBoundedAtEtaTimesTheMomentum) {
  const auto problem = catalog::make_problem("pendulum", {{"gravity", "0"}}).problem;
  State start = state_of(*problem, {1, 0, 0, 0.1});
  const auto system = controlled(*problem, "index1", "energy-baumgarte:eta=5,limit=0");
  system->prepare(start);
  system->anchor(start);
  Vector y(5), dy(5);
  system->pack(start, y);
  y(4) = -1;
  ASSERT_EQ(system->ode()->rhs(0, y, dy, &start), Status::ok);
  EXPECT_NEAR(dy(3), -5 * 0.1, 1e-14);
  system->begin_step({.discretization = {}, .t = 0, .h = 0.01}, y);
  ASSERT_EQ(system->notes().size(), 1u);
  EXPECT_NE(system->notes()[0].find("bounded at eta times the momentum in 1 of 1 steps, first at t = 0"),
            std::string::npos)
      << system->notes()[0];
}

// The force of a step is that of its beginning: stages, which have errors of their own, do not change it.
TEST(EnergyBaumgarte, IsHeldOverAStep) {
  const auto circle = catalog::make_problem("pendulum", {{"gravity", "0"}}).problem;
  State start = state_of(*circle, {1, 0, 0, 1});
  const auto system = controlled(*circle, "index1", "energy-baumgarte:eta=5");
  system->prepare(start);
  system->anchor(start);
  Vector y(5), dy(5);
  system->pack(start, y);
  const auto along = [&](double work, State* at) {
    y(4) = work;
    EXPECT_EQ(system->ode()->rhs(0, y, dy, at), Status::ok);
    return dy(3);  // -sigma v
  };
  EXPECT_NEAR(along(-0.02, &start), -5 * 0.02, 1e-14);
  EXPECT_FALSE(system->begin_step({.discretization = {}, .t = 0, .h = 0.1}, y))
      << "what was found there holds";
  EXPECT_NEAR(along(-0.07, nullptr), -5 * 0.02, 1e-14) << "a stage";
  EXPECT_NEAR(along(-0.03, &start), -5 * 0.03, 1e-14) << "the end of the step";
  EXPECT_NEAR(along(-0.07, nullptr), -5 * 0.02, 1e-14) << "a stage of dense output";
  y(4) = -0.03;
  EXPECT_FALSE(system->begin_step({.discretization = {}, .t = 0, .h = 0.1}, y));
  EXPECT_NEAR(along(-0.07, nullptr), -5 * 0.03, 1e-14) << "the next step";
  // More than 1/h would take away more than there is.
  y(4) = -0.03;
  EXPECT_TRUE(system->begin_step({.discretization = {}, .t = 1, .h = 0.5}, y))
      << "another force at the beginning";
  EXPECT_NEAR(along(-0.07, nullptr), -2 * 0.03, 1e-14);
  ASSERT_FALSE(system->notes().empty());
  EXPECT_NE(system->notes().back().find("eta was lowered to 2 in 1 of 2 steps"), std::string::npos)
      << system->notes().back();
}

// A spring whose stiffness changes with time: E contains t, P = V_t. An exact motion has psi = 0, whatever eta.
struct ChangingSpring {
  static constexpr int nq = 1;
  void force(auto t, auto q, auto, auto f) const {
    using std::sin;
    f[0] = -(4.0 + 2.0 * sin(t)) * q[0];
  }
  auto energy(auto t, auto q, auto v) const {
    using std::sin;
    return v[0] * v[0] / 2.0 + (4.0 + 2.0 * sin(t)) * q[0] * q[0] / 2.0;
  }
  auto power(auto t, auto q, auto) const {
    using std::cos;
    return cos(t) * q[0] * q[0];
  }
};

TEST(EnergyControls, KnowEnergiesThatContainTime) {
  const auto problem = make_problem(ChangingSpring{});
  const State start = state_of(*problem, {1, 0.5});
  const auto final_q = [&](const std::vector<std::string>& controls) {
    return solve(*problem, start, {.integrator = "rk4", .stabilizer = "none", .controls = controls},
                 {.t_end = 5, .step = 0.01})
        .final.q()(0);
  };
  const double plain = final_q({});
  for (const char* control : {"energy-baumgarte:eta=5", "energy-baumgarte:gain=auto",
                              "energy-descent:gain=auto", "energy-descent:mu_v=0.5"})
    EXPECT_NEAR(final_q({control}), plain, 1e-6) << control;
}

// Methods of high order keep it: with the control, errors are no larger than without, on a swinging pendulum and a
// crank that turns back at t = 5. As (7) stands in every stage they were a hundred times larger.
TEST(EnergyBaumgarte, DoesNotSpoilMethodsOfHighOrder) {
  for (const auto& [name, t_end, h] :
       {std::tuple{"pendulum", 10.0, 0.01}, {"001-slider-crank", 10.0, 0.02}}) {
    const auto p = catalog::make_problem(name);
    const auto error = [&](const char* integrator, const std::vector<std::string>& controls) {
      const Solution s = solve(*p.problem, p.start, {.integrator = integrator, .controls = controls},
                               {.t_end = t_end, .step = h});
      EXPECT_TRUE(s.complete()) << s.end_message;
      return (s.final.q() - p.reference.at(t_end)->q()).cwiseAbs().maxCoeff();
    };
    for (const char* integrator : {"rk4", "dopri5"}) {
      const double roundoff = 2e-10;  // and the digits of the crank's reference
      for (const char* control :
           {"energy-baumgarte:eta=1", "energy-baumgarte:eta=5", "energy-baumgarte:eta=20"})
        EXPECT_LT(error(integrator, {control}), 1.5 * error(integrator, {}) + roundoff)
            << name << " " << integrator << " " << control;
    }
  }
}

TEST(EnergyBaumgarte, LeavesAnEquilibriumAlone) {
  const auto hanging = catalog::make_problem("pendulum", {{"x", "0"}, {"y", "-1"}, {"vy", "0"}});
  const Solution s = solve(*hanging.problem, hanging.start,
                           {.integrator = "rk4", .stabilizer = "none", .controls = {"energy-baumgarte"}},
                           {.t_end = 5, .step = 0.01});
  ASSERT_TRUE(s.complete()) << s.end_message;
  EXPECT_LT((s.final.z - hanging.start.z).norm(), 1e-12);
}

// ---- (10) ----

TEST(EnergyDescent, SubtractsTheGradientOfTheSquaredError) {
  const auto crank = catalog::make_problem("001-slider-crank").problem;
  Vector z(8), y(9), plain(8), dy(9);
  z << 0.4, 2.7, 0.15, 0.12, -1.1, 0.4, -0.3, -0.35;
  y << z, 0.2;
  ASSERT_EQ(build_system(*crank, "baumgarte")->ode()->rhs(0.3, z, plain), Status::ok);
  Evaluation e;
  crank->evaluate(Part::mass | Part::energy | Part::energy_gradient, Point(0.3, z), e);
  const double psi = e.energy - 1.7 - 0.2;
  for (const bool mass : {false, true}) {
    const auto system =
        controlled(*crank, "baumgarte",
                   std::string("energy-descent:mu_q=0.03,mu_v=0.2,metric=") + (mass ? "mass" : "euclidean"));
    system->restore_anchor({1.7});
    ASSERT_EQ(system->ode()->rhs(0.3, y, dy), Status::ok);
    Vector expected = plain;
    const Matrix D = mass ? inverse(e.M) : Matrix::Identity(4, 4);
    expected.head(4) -= 2 * 0.03 * psi * D * e.energy_z.head(4);
    expected.tail(4) -= 2 * 0.2 * psi * D * e.energy_z.tail(4);
    EXPECT_LT((dy.head(8) - expected).norm(), 1e-12 * expected.norm()) << mass;
    if (mass) {  // v itself is the gradient then
      EXPECT_LT((inverse(e.M) * e.energy_z.tail(4) - z.tail(4)).norm(), 1e-13);
    }
  }
}

// In the mass metric the velocity stays tangent: g' is what it is without the control.
TEST(EnergyDescent, MassMetricRespectsConstraints) {
  const auto crank = catalog::make_problem("001-slider-crank").problem;
  State start = state_of(*crank, {0.4, 2.7, 0.15, 0.12, -1.1, 0.4, -0.3, -0.35});
  start = consistent_state(*crank, start).state;
  Evaluation e;
  crank->evaluate(Part::jacobian, Point(0, start.z), e);
  Vector y(9), dy(9), plain(8);
  y << start.z, -0.5;
  ASSERT_EQ(build_system(*crank, "index1")->ode()->rhs(0, start.z, plain), Status::ok);
  const auto change = [&](const char* control) {
    const auto system = controlled(*crank, "index1", control);
    system->anchor(start);
    EXPECT_EQ(system->ode()->rhs(0, y, dy), Status::ok);
    return Vector(e.G * (dy.segment(4, 4) - plain.tail(4)));
  };
  EXPECT_LT(change("energy-descent:mu_v=1,metric=mass").norm(), 1e-12);
  EXPECT_GT(change("energy-descent:mu_v=1").norm(), 1e-1);
}

// ---- both ----

// Order 1: Kepler's problem as x' = f(x) with its energy.
TEST(EnergyControls, OnSystemsOfOrder1) {
  const auto kepler = catalog::make_problem("001-kepler");
  const Rates by_row = rates_of(
      *kepler.problem, *controlled(*kepler.problem, "index1", "energy-baumgarte:eta=7"), kepler.start, 1e-3);
  EXPECT_NEAR(by_row.rate, -7e-3, 1e-6);
  Evaluation e;
  kepler.problem->evaluate(Part::energy_gradient, Point(0, kepler.start.z), e);
  const Rates by_descent = rates_of(
      *kepler.problem, *controlled(*kepler.problem, "index1", "energy-descent:mu_q=0.1"), kepler.start, 1e-3);
  EXPECT_NEAR(by_descent.rate, -0.2e-3 * e.energy_z.squaredNorm(), 1e-6);
  const auto says = [&](const char* control) {
    return complaint([&] { solve(*kepler.problem, kepler.start, {.controls = {control}}, {.t_end = 1}); });
  };
  EXPECT_NE(says("energy-descent:mu_v=1").find("a problem of order 1 has none; use mu_q"), std::string::npos);
}

// Largest difference between the Jacobian and differences of the right-hand side, relative to 1 + its largest
// entry. The row of the work, which is left out on purpose, is not compared, nor changes of a quaternion's
// length, which are outside of the motion.
double jacobian_error(const Problem& problem, State start, const std::string& control) {
  const auto system = controlled(problem, "baumgarte", control);
  system->prepare(start);
  system->anchor(start);
  const int n = system->size(), nq = problem.shape().nq;
  Vector y(n), plus(n), minus(n);
  system->pack(start, y);
  system->begin_step({.discretization = {}, .t = start.t, .h = 0.01}, y);
  Matrix J(n, n), expected(n, n);
  EXPECT_EQ(system->ode()->jacobian(start.t, y, J), Status::ok);
  const double step = 1e-6;
  for (int j = 0; j < n; ++j) {
    EXPECT_EQ(system->ode()->rhs(start.t, y + step * Vector::Unit(n, j), plus), Status::ok);
    EXPECT_EQ(system->ode()->rhs(start.t, y - step * Vector::Unit(n, j), minus), Status::ok);
    expected.col(j) = (plus - minus) / (2 * step);
  }
  Matrix off = (J - expected).topRows(n - 1);
  if (problem.shape().own_kinematics) {
    Evaluation e;
    problem.evaluate(Part::kinematics, Point(start.t, start.z), e);
    const Matrix along = product(off.leftCols(nq), e.N);
    off.leftCols(nq).setZero();
    off.leftCols(along.cols()) = along;
  }
  return off.cwiseAbs().maxCoeff() / (1 + expected.cwiseAbs().maxCoeff());
}

// Inside a step, where Jacobians are used. The derivative of the energy's gradient multiplies psi, that of d
// multiplies sigma: where psi = 0 nothing is missing.
TEST(EnergyControls, JacobiansAreExactWherePsiIsZero) {
  const auto driven = make_problem(DrivenPivot{});
  const State start = consistent_state(*driven, state_of(*driven, {0.6, -0.8, 1.5, 0.4})).state;
  for (const char* control : {"energy-baumgarte:eta=7", "energy-descent:mu_q=0.01,mu_v=0.02",
                              "energy-descent:mu_q=0.01,mu_v=0.02,metric=mass"}) {
    for (const auto& c : shape_cases()) {
      if (!c.problem->shape().has_energy || c.name == "time-dependent")
        continue;  // its energy is not that of its forces
      EXPECT_LT(jacobian_error(*c.problem, c.start, control), 1e-6) << c.name << " " << control;
    }
    EXPECT_LT(jacobian_error(*driven, start, control), 1e-6) << control;
  }
}

// The work is that of the moving pivot: E - E_0 - W stays small over a long run, and W is what the energy
// monitor finds.
TEST(EnergyControls, WorkOfMovingConstraintsIsCounted) {
  const auto problem = make_problem(DrivenPivot{});
  const State start = state_of(*problem, {0.6, -0.8, 1.5, 0.4});
  for (const char* control : {"energy-baumgarte", "energy-descent:mu_v=0.1"}) {
    const Solution s =
        solve(*problem, start, {.controls = {control}}, {.t_end = 10, .rtol = 1e-9, .atol = 1e-9});
    ASSERT_TRUE(s.complete()) << s.end_message;
    ASSERT_EQ(s.final.extras.size(), 1u);
    EXPECT_GT(std::abs(s.energy->work), 0.1);
    EXPECT_NEAR(s.final.extras[0].value(0), s.energy->work, 1e-6) << control;
    EXPECT_LT(std::abs(s.energy->balance), 1e-6) << control;
  }
}

// An action that takes energy out is no energy error: the control accepts the state after it.
TEST(EnergyControls, AcceptWhatAnActionDoes) {
  const auto pendulum = catalog::make_problem("pendulum");
  Options options{.t_end = 4, .step = 0.01};
  options.events.push_back({.name = "brake",
                            .value = [](const State& s) { return s.t - 2.505; },
                            .action = [](State& s) { s.v() *= 0.5; }});
  for (const char* control : {"energy-baumgarte:eta=20", "energy-descent:mu_v=5"}) {
    const Solution s =
        solve(*pendulum.problem, pendulum.start, {.integrator = "rk4", .controls = {control}}, options);
    ASSERT_TRUE(s.complete()) << s.end_message;
    ASSERT_EQ(s.events.size(), 1u);
    const double kinetic = s.events[0].state.v().squaredNorm() / 2;
    EXPECT_GT(kinetic, 0.5);
    EXPECT_NEAR(s.energy->end, s.energy->start - 0.75 * kinetic, 1e-6) << control;
  }
}

class ControlRestart : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Anchors, the work and the step that eta may be lowered for travel with the checkpoint.
TEST_P(ControlRestart, HasTheSameBits) {
  const auto& [integrator, control] = GetParam();
  const auto crank = catalog::make_problem("001-slider-crank");
  const Method method{.formulation = "invariant-stabilized", .integrator = integrator, .controls = {control}};
  const auto run = [&](double t_end, std::optional<Checkpoint> resume) {
    return solve(*crank.problem, crank.start, method,
                 {.t_end = t_end, .step = 0.0123, .resume = std::move(resume)});
  };
  const Solution whole = run(6, {}), half = run(3.3, {}), rest = run(6, half.checkpoint);
  ASSERT_TRUE(rest.complete()) << rest.end_message;
  EXPECT_EQ(whole.final.z, rest.final.z);
  EXPECT_EQ(whole.final.lambda, rest.final.lambda);
  ASSERT_EQ(rest.final.extras.size(), 1u);
  EXPECT_EQ(whole.final.extras[0].value, rest.final.extras[0].value);
  const std::string said = complaint([&] {
    solve(*crank.problem, crank.start, {.integrator = integrator},
          {.t_end = 6, .step = 0.0123, .resume = half.checkpoint});
  });
  EXPECT_NE(said.find("go on with the method that made it"), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(All, ControlRestart,
                         testing::Combine(testing::Values("forward-euler", "rk4", "dopri5", "ab3",
                                                          "implicit-midpoint"),
                                          testing::Values("energy-baumgarte", "energy-descent:mu_v=0.05")),
                         [](const auto& c) {
                           std::string name = std::get<0>(c.param) + "_" + std::get<1>(c.param);
                           for (char& letter : name)
                             if (!std::isalnum(letter)) letter = '_';
                           return name;
                         });

TEST(InvariantAnchors, TravelWithTheCheckpoint) {
  const auto kepler = catalog::make_problem("001-kepler");
  const Method method{.formulation = "invariant-stabilized:gamma=20,F=full,invariants=all",
                      .integrator = "ab2",
                      .stabilizer = "none"};
  const auto run = [&](double t_end, std::optional<Checkpoint> resume) {
    return solve(*kepler.problem, kepler.start, method,
                 {.t_end = t_end, .step = 0.0123, .resume = std::move(resume)});
  };
  const Solution whole = run(6, {}), half = run(3.3, {}), rest = run(6, half.checkpoint);
  ASSERT_EQ(half.checkpoint.anchor.size(), 2u);
  EXPECT_EQ(whole.final.z, rest.final.z);
}

}  // namespace
}  // namespace driftless::tests
