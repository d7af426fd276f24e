// Stabilizers that save work: F kept over several steps, and (H D) x = h solved by sweeps of SOR. How often F is
// made, what that costs in drift, that a restart has the same bits, and which combinations are refused.
#include <gtest/gtest.h>

#include <cmath>

#include "support/dense_oracle.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

// A pendulum of length 1 that counts how often its Jacobians are asked for.
struct CountingPendulum {
  static constexpr int nq = 2, ng = 1;
  int* count;
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
  void rate_jacobian(double, auto, auto v, auto L) const {
    ++*count;
    L(0, 0) = v[0], L(0, 1) = v[1];
  }
};

struct Counted {
  int jacobians;
  Drift drift;
};

Counted pendulum(const std::string& stabilizer, long steps, const std::string& integrator = "rk4") {
  int count = 0;
  const auto problem = make_problem(CountingPendulum{&count});
  const State start = make_state(*problem, {{1, 0}, {0, 0}});
  const Solution s = solve(*problem, start, {.integrator = integrator, .stabilizer = stabilizer},
                           {.t_end = 0.01 * static_cast<double>(steps), .step = 0.01});
  EXPECT_TRUE(s.complete()) << stabilizer << ": " << s.end_message;
  return {count, *s.drift};
}

TEST(KeptF, IsMadeOncePerSoManySteps) {
  const int before = pendulum("none", 100).jacobians;  // what the rest of a run asks for
  for (const char* scheme : {"forward", "post"}) {
    const std::string name = scheme;
    EXPECT_EQ(pendulum(name, 100).jacobians - before, 100) << name;
    EXPECT_EQ(pendulum(name + ":renew=5", 100).jacobians - before, 20) << name;
    EXPECT_EQ(pendulum(name + ":renew=1000", 100).jacobians - before, 1) << name;
  }
  // Newton's method of `backward` and `projection` has one F for all iterations of all these steps.
  EXPECT_EQ(pendulum("backward:renew=5", 100).jacobians - before, 20);
  EXPECT_EQ(pendulum("projection:renew=5", 100).jacobians - before, 20);
  EXPECT_EQ(pendulum("projection", 100).jacobians - before, 100);
}

// The pendulum turns by up to 0.044 a step, and an F that has turned by 0.1 leaves a tenth: at the bottom it serves for
// two or three steps, elsewhere longer. One would not be enough, as many as steps are too many.
TEST(KeptF, IsRenewedWhenItNoLongerDoesItsWork) {
  const int before = pendulum("none", 200, "explicit-midpoint").jacobians;
  const Drift none = pendulum("none", 200, "explicit-midpoint").drift;
  for (const char* stabilizer : {"post:renew=auto", "post:F=full,renew=auto", "post:renew=auto,alpha=0.8"}) {
    const Counted kept = pendulum(stabilizer, 200, "explicit-midpoint");
    EXPECT_GE(kept.jacobians - before, 5) << stabilizer;
    EXPECT_LE(kept.jacobians - before, 100) << stabilizer;
    EXPECT_LT(kept.drift.position, none.position / 20) << stabilizer;
    EXPECT_LT(kept.drift.velocity, none.velocity / 20) << stabilizer;
  }
  const Counted forward = pendulum("forward:renew=auto", 200, "explicit-midpoint");
  EXPECT_LE(forward.jacobians - before, 100);
  EXPECT_LT(forward.drift.position, none.position / 20);
  // To convergence whatever F, and with fewer of them.
  for (const char* stabilizer : {"projection:renew=auto", "projection:renew=50"}) {
    const Counted kept = pendulum(stabilizer, 200, "explicit-midpoint");
    EXPECT_LT(kept.jacobians - before, 200) << stabilizer;
    EXPECT_LT(kept.drift.position, 1e-11) << stabilizer;
  }
}

// After an action of an event F is made anew, however long it was to be kept.
TEST(KeptF, DoesNotSurviveAJump) {
  const auto run = [](bool jump) {
    int count = 0;
    const auto problem = make_problem(CountingPendulum{&count});
    Options options{.t_end = 1, .step = 0.01};
    options.events = {{.name = "half", .value = [](const State& s) { return s.t - 0.505; }}};
    if (jump) options.events[0].action = [](State& s) { s.z << 0, -1, 2, 0; };
    solve(*problem, make_state(*problem, {{1, 0}, {0, 0}}),
          {.integrator = "rk4", .stabilizer = "post:renew=1000"}, options);
    return count;
  };
  EXPECT_GT(run(true), run(false));
}

// ---- sweeps ----

// The violation that a step leaves is alike from step to step, so that sweeps that start from the last x get ever closer:
// with one sweep the drift in the middle of a run is far below what one sweep alone would leave.
TEST(Sweeps, StartFromTheLastStep) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const auto drift_after = [&](const std::string& stabilizer, double from) {
    observers::DriftMonitor monitor(true);
    solve(*instance.problem, instance.start, {.integrator = "explicit-midpoint", .stabilizer = stabilizer},
          {.t_end = 2, .step = 0.005}, {&monitor});
    double largest = 0;
    for (const auto& sample : monitor.history())
      if (sample.t > from) largest = std::max({largest, sample.position, sample.velocity});
    return largest;
  };
  const double none = drift_after("none", 1);
  EXPECT_LT(drift_after("post:solve=sor,sweeps=1", 1), 2e-4 * none);
  EXPECT_LT(drift_after("post:F=full,solve=sor,sweeps=1", 1), 2e-4 * none);
  EXPECT_LT(drift_after("post:solve=sor,sweeps=8", 1), drift_after("post:solve=sor,sweeps=1", 1) / 5);
  EXPECT_LT(drift_after("forward:solve=sor", 1), 2 * drift_after("forward", 1));
}

// Stable for every relaxation between 0 and 2, from one row to many.
TEST(Sweeps, AreStableForEveryRelaxation) {
  for (const char* name : {"pendulum", "001-slider-crank", "closed-chain"}) {
    const auto instance = catalog::make_problem(name);
    for (const char* relaxation : {"0.3", "1", "1.5", "1.95"})
      for (const std::string scheme : {"post", "forward"}) {
        const Solution s = solve(
            *instance.problem, instance.start,
            {.integrator = "rk4", .stabilizer = scheme + ":solve=sor,sweeps=1,relaxation=" + relaxation},
            {.t_end = 2, .step = 0.01});
        ASSERT_TRUE(s.complete()) << s.end_message;
        EXPECT_LT(s.drift->position, 1e-5) << name << " " << scheme << " " << relaxation;
      }
  }
}

TEST(Sweeps, ManyAreTheExactSolution) {
  const auto instance = catalog::make_problem("001-slider-crank");
  const auto end = [&](const std::string& stabilizer) {
    return solve(*instance.problem, instance.start, {.integrator = "rk4", .stabilizer = stabilizer},
                 {.t_end = 2, .step = 0.05})
        .final.z;
  };
  for (const std::string F : {"full", "block", "split", "position", "velocity"})
    for (const std::string scheme : {"forward", "post", "projection"})
      EXPECT_LT((end(scheme + ":F=" + F) - end(scheme + ":solve=sor,sweeps=200,F=" + F)).norm(), 1e-11)
          << scheme << F;
}

// ---- restart ----

TEST(StabilizerMemory, RestartHasTheSameBits) {
  for (const char* shape : {"mechanical", "both-constraints", "quaternions", "order-3"}) {
    const ShapeCase& c = shape_case(shape);
    for (const char* stabilizer :
         {"post:renew=7", "post:renew=auto", "forward:renew=7", "backward:renew=7", "projection:renew=auto",
          "post:solve=sor,sweeps=1", "forward:F=full,solve=sor", "post:F=full,renew=7"}) {
      const Method method{.integrator = "rk4", .stabilizer = stabilizer};
      Options options{.t_end = 0.4, .step = 0.0123};
      const Solution whole = solve(*c.problem, c.start, method, options);
      ASSERT_TRUE(whole.complete()) << stabilizer << " on " << shape << ": " << whole.end_message;
      options.t_end = 0.25;
      options.resume = solve(*c.problem, c.start, method, options).checkpoint;
      options.t_end = 0.4;
      EXPECT_EQ(solve(*c.problem, c.start, method, options).final.z, whole.final.z)
          << stabilizer << " on " << shape;
    }
  }
}

TEST(StabilizerMemory, OfAnotherMethodOrDamagedIsRefused) {
  const ShapeCase& c = shape_case("mechanical");
  Options options{.t_end = 0.5, .step = 0.1};
  const auto says = [&](const char* stabilizer) {
    return complaint(
        [&] { solve(*c.problem, c.start, {.integrator = "rk4", .stabilizer = stabilizer}, options); });
  };
  options.resume =
      solve(*c.problem, c.start, {.integrator = "rk4", .stabilizer = "post:renew=3"}, options).checkpoint;
  options.t_end = 1;
  EXPECT_EQ(says("post:renew=3"), "(no complaint)");
  EXPECT_NE(says("post").find("numbers for the stabilizer"), std::string::npos) << says("post");
  options.resume->stabilizer[0] = -7;
  EXPECT_NE(says("post:renew=3").find("make no sense"), std::string::npos);
}

// ---- transpose ----

// Each part of the drift along an eigenvector of H H^T is answered by alpha times its eigenvalue over the largest.
TEST(Transpose, IsMeasuredByTheLargestEigenvalue) {
  const auto instance = catalog::make_problem("closed-chain");
  const Problem& problem = *instance.problem;
  Manifold manifold(problem);
  manifold.linearize(0, instance.start.z);
  Matrix H(manifold.rows(), problem.shape().layout().tangent_size());
  manifold.jacobian(H);
  const SymmetricEigen eigen = symmetric_eigen(gram(H));
  const auto& entry = catalog::stabilizer("post");
  for (const char* alpha : {"0.5", "1", "1.9"}) {
    const auto post = entry.make(OptionValues("post", entry.options, {{"F", "transpose"}, {"alpha", alpha}}));
    post->start(manifold);
    for (int k = 0; k < eigen.values.size(); ++k) {
      State state = instance.start;
      const Vector violation = 1e-7 * eigen.vectors.col(k);
      state.z += H.transpose() * lu_solution(gram(H), violation);
      ASSERT_EQ(post->apply(manifold, state, {instance.start, 0.1}).status, Status::ok);
      manifold.evaluate(0, state.z);
      const double kept = 1 - std::stod(alpha) * eigen.values(k) / eigen.values.maxCoeff();
      // Many eigenvalues are nearly the largest one here, which power iteration finds to a percent.
      EXPECT_LT((manifold.h() - kept * violation).norm(), 0.02 * 1e-7) << alpha << " " << k;
    }
  }
}

// ---- refusals ----

TEST(StabilizerRefusals, WouldBeIgnored) {
  const ShapeCase& c = shape_case("mechanical");
  const auto expect = [&](const char* stabilizer, const char* piece) {
    const std::string said =
        complaint([&] { solve(*c.problem, c.start, {.stabilizer = stabilizer}, {.t_end = 0.1}); });
    EXPECT_NE(said.find(piece), std::string::npos) << stabilizer << ": " << said;
  };
  expect("post:F=transpose,renew=3", "renew would be ignored; use F=full");
  expect("post:F=transpose,solve=sor", "solve=sor would be ignored; use F=full");
  expect("backward:F=transpose,renew=auto", "renew would be ignored");
  expect("post:sweeps=3", "sweeps belongs to solve=sor");
  expect("forward:relaxation=1.2", "relaxation belongs to solve=sor");
  expect("post:solve=sor,renew=3", "renew would be ignored");
  expect("post:solve=sor,F=input", "needs a symmetric H D");
  expect("projection:normals=current,renew=3", "renew would be ignored; use normals=start");
  expect("backward:solve=sor", "backward has no option 'solve'");
  expect("post:renew=0", "must be a whole number from 1 to 1000000, or auto");
  expect("post:renew=2.5", "must be a whole number from 1 to 1000000, or auto");
  expect("post:renew=often", "must be a finite number");
  expect("post:alpha=2", "must be below 2");
  expect("forward:alpha=2", "must be below 2");
  expect("backward:alpha=-1", "must be at least 0");
  expect("post:solve=sor,relaxation=2", "must be below 2");
  expect("post:F=split,invariants=energy", "use F=full");
}

}  // namespace
}  // namespace driftless::tests
