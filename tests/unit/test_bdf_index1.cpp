// bdf on a DAE of index 1 that is no formulation of a mechanism: Example 2.1 of Fuehrer, Leimkuhler (1991),
//   x' = y - a x^2 + cos t,   0 = y - a x^2,   a = 200,   exact x = 1 + sin t,   t in [0, 10 pi]
// y is an algebraic unknown, which may count in the error test or not.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

constexpr double a = 200;

struct Cosine {  // what is left when y is eliminated
  static constexpr int nq = 1, order = 1;
  void force(auto t, auto, auto f) const {
    using std::cos;
    f[0] = cos(t);
  }
};

class Example21 final : public System, public DaeSystem {
 public:
  int size() const override { return 2; }
  void pack(const State& state, VectorOut y) const override {
    y[0] = state.z[0];
    y[1] = a * y[0] * y[0];
  }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y.head(1);
  }
  Status multipliers(State&) override { return Status::ok; }
  Status rates(const State& state, VectorOut yp) override {
    yp[0] = std::cos(state.t);
    yp[1] = 0;
    return Status::ok;
  }
  std::string explain(Status, double, VectorIn) const override { return "example 2.1"; }
  DaeSystem* dae() override { return this; }

  int equations() const override { return 2; }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override {
    ++work().rhs;
    r[0] = yp[0] - (y[1] - a * y[0] * y[0] + std::cos(t));
    r[1] = y[1] - a * y[0] * y[0];
    return Status::ok;
  }
  Status linearize(double, VectorIn y, VectorIn) override {
    ++work().jacobians;
    x_ = y[0];
    return Status::ok;
  }
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override {
    F_y << 2 * a * x_, -1, -2 * a * x_, 1;
    F_yp << 1, 0, 0, 0;
  }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return 1; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return dense_real_matrix(*this, work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return dense_complex_matrix(*this, work());
  }

 private:
  std::vector<int> index_ = {0, 1};
  double x_ = 0;
};

struct Outcome {
  double error, steps;
};

Outcome run(const std::string& integrator, double tolerance) {
  const auto problem = make_problem(Cosine{});
  const Options options{.t_end = 10 * std::numbers::pi, .rtol = tolerance, .atol = tolerance};
  Pipeline pipeline = assemble(*problem, {.integrator = integrator, .stabilizer = "none"}, options);
  pipeline.system = std::make_unique<Example21>();
  const Solution s = solve(*problem, pipeline, make_state(*problem, {{1}}), options);
  EXPECT_TRUE(s.complete()) << s.end_message;
  return {std::abs(s.final.z[0] - 1), static_cast<double>(s.work.steps)};
}

// An independent program: with x in the error test alone error 1.0e-5 in 375 steps at 1.6e-7, with both 8.2e-6 in 772 steps at 1.6e-6.
// Its errors scatter by a factor of 2, and more of ours are small, since our corrector leaves less.
TEST(BdfOfIndex1, WhatCountsInTheErrorTest) {
  const Outcome alone = run("bdf", 1.6e-7), both = run("bdf:error_test=q;lambda", 1.6e-6);
  EXPECT_LT(alone.error, 2e-5);
  EXPECT_NEAR(alone.steps, 375, 0.45 * 375);
  EXPECT_LT(both.error, 2e-5);
  EXPECT_NEAR(both.steps, 772, 0.45 * 772);
  EXPECT_GT(run("bdf:error_test=q;lambda", 1.6e-7).steps, 1.5 * alone.steps);
}

}  // namespace
}  // namespace driftless::tests
