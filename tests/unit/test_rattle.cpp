// RATTLE is symplectic and symmetric, has order 2, stays on the constraints, and goes on where it was left.
#include <algorithm>
#include <array>
#include <cmath>

#include "rattle_runs.hpp"
#include "restart_cases.hpp"

namespace driftless::tests {
namespace {

const Settings swing = {{"x", "0.6"}, {"y", "-0.8"}, {"vx", "0.8"}, {"vy", "0.6"}};  // of the pendulum

// Three coordinates on an ellipsoid with a mass matrix that depends on all but the first: T = v^T M v/2, V as in `energy`, and
// f = -V_q + T_q - M' v by hand.
struct Ellipsoid {
  static constexpr int nq = 3, ng = 1;
  void mass(auto, auto q, auto M) const {
    using std::cos, std::sin;
    M(0, 0) = 2.0 + sin(q[1]);
    M(0, 1) = M(1, 0) = 0.3 * cos(q[2]);
    M(1, 1) = 1.0 + q[2] * q[2] / 4.0;
    M(2, 2) = 1.5;
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::cos, std::sin;
    const auto M00_1 = cos(q[1]), M01_2 = -0.3 * sin(q[2]), M11_2 = q[2] / 2.0;
    f[0] = -q[0] - M00_1 * v[1] * v[0] - M01_2 * v[2] * v[1];
    f[1] = -0.4 * q[2] + M00_1 * v[0] * v[0] / 2.0 - M01_2 * v[2] * v[0] - M11_2 * v[2] * v[1];
    f[2] = -0.4 * q[1] - 1.3 + M11_2 * v[1] * v[1] / 2.0 + M01_2 * v[0] * v[1];
  }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + 2.0 * q[1] * q[1] + q[2] * q[2] - 1.0) / 2.0;
  }
};

// ---- structure ----

struct Canonical {
  Vector q, p;
};

Canonical canonical(const Problem& problem, const State& state) {
  Evaluation e;
  problem.evaluate(Part::mass, Point(state.t, state.z), e);
  return {state.q(), e.M * state.v()};
}

// How far a step is from keeping dq ^ dp on pairs of tangents of the manifold {g = 0, G v = 0}, which central differences approximate.
double symplectic_defect(const std::string& integrator, const std::string& formulation, double h) {
  const auto problem = make_problem(Ellipsoid{});
  const Vector guess{{0.5, 0.4, -0.6, 0.7, -0.3, 0.5}};
  const double by = 1e-4;
  struct Tangent {
    Canonical before, after;
  };
  std::vector<Tangent> tangents;
  for (int direction = 0; direction < 6; ++direction) {
    std::array<Tangent, 2> ends;
    for (const int sign : {0, 1}) {
      State near(problem->shape().layout(), 1, 0);
      near.z = guess;
      near.z(direction) += sign == 1 ? by : -by;
      near = consistent_state(*problem, near).state;
      Steps steps(*problem, near, integrator, formulation);
      steps.advance(h);
      if (formulation != "index3") steps.state = consistent_state(*problem, steps.state).state;
      ends[static_cast<std::size_t>(sign)] = {canonical(*problem, near), canonical(*problem, steps.state)};
    }
    const auto difference = [&](const Canonical& a, const Canonical& b) {
      return Canonical{(b.q - a.q) / (2 * by), (b.p - a.p) / (2 * by)};
    };
    tangents.push_back(
        {difference(ends[0].before, ends[1].before), difference(ends[0].after, ends[1].after)});
  }
  const auto form = [](const Canonical& a, const Canonical& b) { return a.q.dot(b.p) - b.q.dot(a.p); };
  double worst = 0, size = 0;
  for (const Tangent& a : tangents)
    for (const Tangent& b : tangents) {
      size = std::max(size, std::abs(form(a.before, b.before)));
      worst = std::max(worst, std::abs(form(a.after, b.after) - form(a.before, b.before)));
    }
  EXPECT_GT(size, 0.1) << "the tangents must not be degenerate";
  return worst;
}

TEST(Rattle, IsSymplectic) {
  for (const double h : {0.05, 0.2, 0.4}) EXPECT_LT(symplectic_defect("rattle", "index3", h), 1e-7) << h;
  // What the measure says of a projected method of the same order.
  EXPECT_GT(symplectic_defect("heun", "index1", 0.2), 1e-4);
}

TEST(Rattle, IsSymmetric) {
  const auto ellipsoid = make_problem(Ellipsoid{});
  const State start =
      consistent_state(*ellipsoid, state_of(*ellipsoid, {0.5, 0.4, -0.6, 0.7, -0.3, 0.5})).state;
  const auto error = [](const Problem& problem, const State& from, double h) {
    return (there_and_back(problem, from, h, 3).z - from.z).lpNorm<Eigen::Infinity>() /
           from.z.lpNorm<Eigen::Infinity>();
  };
  for (const double h : {0.01, 0.1, 0.3}) {
    EXPECT_LT(error(*ellipsoid, start, h), 2e-14) << h;
    const Instance pendulum("pendulum");
    EXPECT_LT(error(*pendulum.problem, pendulum.start, h), 2e-14) << h;
    EXPECT_LT(error(*shape_case("unconstrained").problem, shape_case("unconstrained").start, h), 2e-14) << h;
  }
  const Instance andrews("andrews", {{"start", "reference"}});
  EXPECT_LT(error(*andrews.problem, andrews.start, 2e-5), 2e-14);
}

// ---- order ----

struct Errors {
  double q = 0, v = 0, lambda = 0;
};

Errors errors(const Instance& c, const Method& method, double T, int steps, const State& reference) {
  const Solution s = solve(*c.problem, c.start, method, {.t_end = T, .step = (T - c.start.t) / steps});
  EXPECT_TRUE(s.complete()) << s.end_message;
  const auto size = [](const auto& x) { return x.size() == 0 ? 0.0 : x.template lpNorm<Eigen::Infinity>(); };
  return {size(s.final.q() - reference.q()), size(s.final.v() - reference.v()),
          size(s.final.lambda - reference.lambda)};
}

void expect_order_2(const Instance& c, double T, int steps, const State& reference,
                    const Method& method = rattle) {
  const Errors coarse = errors(c, method, T, steps, reference),
               fine = errors(c, method, T, 2 * steps, reference);
  EXPECT_NEAR(std::log2(coarse.q / fine.q), 2, 0.1);
  EXPECT_NEAR(std::log2(coarse.v / fine.v), 2, 0.1);
  if (c.problem->shape().ng > 0) {
    EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), 2, 0.1);
  }
}

TEST(Rattle, HasOrder2) {
  const auto check = [](const Instance& c, double T, int steps) {
    expect_order_2(c, T, steps, *c.reference.at(T));
  };
  {
    SCOPED_TRACE("pendulum");
    check(Instance("pendulum", swing), 8, 400);
  }
  {
    SCOPED_TRACE("no constraints");
    check(Instance("001-kepler", {{"order", "2"}}), 4, 4000);
  }
  {
    SCOPED_TRACE("constraints that move");
    check(Instance("car-axis"), 3, 3000);
  }
  {
    SCOPED_TRACE("M depends on q");
    check(Instance("andrews"), 0.03, 7500);
  }
}

TEST(Rattle, OfAnyForcesHasOrder2) {
  const Instance c("pendulum", {{"c", "0.5"}});
  const Solution tight = solve(*c.problem, c.start, {.integrator = "dop853", .stabilizer = "projection"},
                               {.t_end = 3, .rtol = 1e-13, .atol = 1e-13});
  expect_order_2(c, 3, 200, tight.final, {.formulation = "index3", .integrator = "rattle:forces=any"});
}

TEST(Rattle, InterpolatesWithOrder2AndMultipliersOfTheState) {
  const Instance c("pendulum", swing);
  const auto error = [&](double h) {
    Steps steps(*c.problem, c.start);
    steps.advance(h);
    State between = steps.state;
    EXPECT_EQ(steps.integrator->interpolate(0.4 * h, between), Status::ok);
    EXPECT_EQ(steps.system->multipliers(between), Status::ok);
    // q . (v' + q lambda) = q . (0, -1) with q . v' + |v|^2 = 0.
    EXPECT_NEAR(between.lambda(0) * between.q().squaredNorm(), between.v().squaredNorm() - between.q()(1),
                1e-15);
    return (between.z - c.reference.at(0.4 * h)->z).norm();
  };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 3, 0.1);
}

TEST(Rattle, StaysOnTheConstraints) {
  const auto check = [](const Instance& c, double T, double h, double position, double velocity) {
    const Solution s = solve(*c.problem, c.start, rattle, {.t_end = T, .step = h});
    ASSERT_TRUE(s.complete()) << s.end_message;
    EXPECT_LT(s.drift->position, position);
    EXPECT_LT(s.drift->velocity, velocity);
  };
  check(Instance("pendulum"), 10, 0.01, 1e-15, 1e-15);
  check(Instance("car-axis"), 3, 1e-3, 2e-15, 2e-15);
  check(Instance("andrews"), 0.03, 1e-5, 1e-15, 1e-13);  // speeds of 1400, lengths of 0.01
}

TEST(Rattle, SaysWhereItDoesNotConverge) {
  const Instance c("andrews", {{"start", "reference"}});
  const Solution s = solve(*c.problem, c.start, rattle, {.t_end = 0.03, .step = 3e-3});  // four radians
  EXPECT_EQ(s.end, EndReason::no_convergence) << s.end_message;
}

// At rest nothing but roundoff is left to iterate for.
TEST(Rattle, StaysAtRest) {
  const Instance c("pendulum", {{"x", "0.6"}, {"y", "-0.8"}, {"vy", "0"}, {"gravity", "0"}});
  Steps steps(*c.problem, c.start);
  steps.advance(0.01, 1000);
  EXPECT_LT((steps.state.z - c.start.z).lpNorm<Eigen::Infinity>(), 1e-13);
  const Instance hanging("pendulum", {{"x", "0"}, {"y", "-1"}, {"vy", "0"}});
  Steps longer(*hanging.problem, hanging.start);
  longer.advance(0.01, 1000);
  EXPECT_LT((longer.state.z - hanging.start.z).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_LT(longer.system->work().newton, 10'000);
}

TEST(Rattle, GoesOnBitByBit) {
  for (const auto& [name, T, h] :
       {std::tuple{"pendulum", 2.0, 0.01}, {"car-axis", 0.2, 1e-3}, {"andrews", 1e-3, 1e-5}}) {
    const Instance c(name);
    const auto to = [&](double end, std::optional<Checkpoint> resume = {}) {
      return solve(*c.problem, c.start, rattle, {.t_end = end, .step = h, .resume = std::move(resume)});
    };
    const Solution whole = to(T);
    for (const double part : {h, 0.33 * T, 0.8 * T})
      EXPECT_TRUE(same_bits(whole.final, to(T, to(part).checkpoint).final)) << name << " " << part;
  }
}

}  // namespace
}  // namespace driftless::tests
