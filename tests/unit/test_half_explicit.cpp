// half-explicit: against the methods that it must agree with, what it keeps, its error estimate, dense output, restarts, refusals.
#include <cmath>

#include "restart_cases.hpp"
#include "support/compare.hpp"

namespace driftless::tests {
namespace {

const char* const methods[] = {"half-explicit", "half-explicit:method=euler"};

// Without constraints nothing is implicit, and the tables are those of dopri5 and forward-euler.
TEST(HalfExplicit, IsTheExplicitMethodWithoutConstraints) {
  const ShapeCase& c = shape_case("unconstrained");
  const auto run = [&](const std::string& formulation, const std::string& integrator) {
    return solve(*c.problem, c.start,
                 {.formulation = formulation, .integrator = integrator, .stabilizer = "none"},
                 {.t_end = c.t_end, .step = c.t_end / 40})
        .final.z;
  };
  EXPECT_LT(distance(run("index2", methods[0]), run("index1", "dopri5")), 1e-13);
  EXPECT_LT(distance(run("index2", methods[1]), run("index1", "forward-euler")), 1e-13);
}

// By hand: q_1 = q_0 + h v_0, then v_1 = v_0 + h (f - G(q_0)^T lambda) with G(q_1) v_1 = 0.
TEST(HalfExplicit, EulerStepOfThePendulum) {
  const auto instance = catalog::make_problem("pendulum");  // from (1, 0) with velocity (0, 1), gravity 1
  const double h = 0.1;
  const Solution s = solve(*instance.problem, instance.start,
                           {.formulation = "index2", .integrator = methods[1]}, {.t_end = h, .step = h});
  // q_1 = (1, h); v_1 = (-h lambda, 1 - h): q_1 . v_1 = 0 gives lambda = 1 - h.
  EXPECT_NEAR(s.final.q()(0), 1, 1e-15);
  EXPECT_NEAR(s.final.q()(1), h, 1e-15);
  EXPECT_NEAR(s.final.v()(0), -h * (1 - h), 1e-15);
  EXPECT_NEAR(s.final.v()(1), 1 - h, 1e-15);
}

TEST(HalfExplicit, KeepsWhatIndex2Imposes) {
  for (const ShapeCase& c : shape_cases())
    for (const char* method : methods) {
      const Solution s =
          solve(*c.problem, c.start, {.formulation = "index2", .integrator = method, .stabilizer = "none"},
                {.t_end = c.t_end, .step = c.t_end / 50});
      ASSERT_TRUE(s.complete()) << c.name << ": " << s.end_message;
      Manifold manifold(*c.problem);
      ASSERT_EQ(manifold.evaluate(s.final.t, s.final.z), Status::ok);
      const int top = c.problem->shape().order - 1;
      if (c.problem->shape().ng > 0) {
        EXPECT_LT(manifold.residual(top).lpNorm<Eigen::Infinity>(), 1e-12) << c.name << " " << method;
      }
      if (c.problem->shape().nk > 0) {
        EXPECT_LT(manifold.velocity_residual().lpNorm<Eigen::Infinity>(), 1e-12) << c.name << " " << method;
      }
    }
}

// The estimate is what the embedded method of order 4 (Euler: the trapezoidal rule) does otherwise: h^5 (h^2).
TEST(HalfExplicit, ErrorEstimateHasItsOrder) {
  for (const auto& [method, order] : {std::pair{methods[0], 5}, {methods[1], 2}}) {
    const auto instance = catalog::make_problem("andrews");
    const State start = *instance.reference.at(0.03);
    const auto estimate = [&](double h) {
      Pipeline p = assemble(*instance.problem, {.formulation = "index2", .integrator = method},
                            {.t_end = 1, .step = h});
      State state = start;
      EXPECT_EQ(p.integrator->start(*p.system, state), Status::ok);
      return p.integrator->attempt(h).error->norm();
    };
    EXPECT_NEAR(std::log2(estimate(8e-6) / estimate(4e-6)), order, 0.2) << method;
  }
}

TEST(HalfExplicit, DenseOutputHasOrderFour) {
  for (const char* name : {"pendulum", "heavy-top"}) {
    const auto instance = catalog::make_problem(name);
    const double T = name == std::string("pendulum") ? 2 : 0.1;
    const auto error = [&](int steps) {
      std::vector<double> times;
      for (int n = 0; n < steps; ++n) times.push_back((n + 0.4) * T / steps);
      const Output output{.kind = Output::Kind::at, .times = times};
      const Solution s =
          solve(*instance.problem, instance.start, {.formulation = "index2", .integrator = methods[0]},
                {.t_end = T, .step = T / steps, .output = output});
      const Solution exact = solve(*instance.problem, instance.start, {.integrator = "dop853"},
                                   {.t_end = T, .rtol = 1e-13, .atol = 1e-13, .output = output});
      double largest = 0, multipliers = 0;
      for (std::size_t i = 0; i < s.states.size(); ++i) {
        largest = std::max(largest, distance(s.states[i].z, exact.states[i].z));
        multipliers = std::max(multipliers, distance(s.states[i].lambda, exact.states[i].lambda));
      }
      EXPECT_LT(multipliers, 1e3 * largest) << "multipliers belong to the state between steps too";
      return largest;
    };
    EXPECT_NEAR(std::log2(error(32) / error(64)), 5, 0.6) << name;  // local: h^5
  }
}

TEST(HalfExplicit, RestartsBitByBit) {
  for_every_case({"index2"}, [](const ShapeCase& c, const std::string& formulation) {
    for (const char* integrator : methods)
      expect_same_bits_after_interruptions(c, {.formulation = formulation, .integrator = integrator});
  });
}

TEST(HalfExplicit, RefusesOtherFormulations) {
  const ShapeCase& c = shape_case("mechanical");
  const std::string said = complaint([&] {
    solve(*c.problem, c.start, {.formulation = "index3", .integrator = "half-explicit"}, {.t_end = 1});
  });
  EXPECT_TRUE(contains(said, "half-explicit integrates the mechanical system with g' = 0 imposed")) << said;
  EXPECT_TRUE(contains(said, "`formulation = index2`")) << said;
}

}  // namespace
}  // namespace driftless::tests
