// The io room by itself, for what no problem in the catalog brings about: values that are not finite, names
// that need quotes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>

#include <driftless/core/auto_problem.hpp>
#include <driftless/io/csv.hpp>
#include <driftless/io/run_json.hpp>
#include <driftless/problems/pendulum.hpp>

namespace driftless::io {
namespace {

struct FreeParticle {
  static constexpr int nq = 1;
  static constexpr std::array<const char*, 1> coordinate_names{"x, \"across\""};
  void force(auto, auto, auto, auto) const {}
};

RunReport pendulum_report() {
  RunReport report;
  report.name = "pendulum";
  report.problem = make_problem(problems::Pendulum{});
  report.start.moved = Vector::Zero(2);
  report.solution.final = State({2, 2, 2}, 1, 0);
  report.solution.drift = Drift{};
  report.solution.energy = EnergyBalance{};
  return report;
}

bool mentions(const nlohmann::json& notes, const std::string& text) {
  return notes.dump().find(text) != std::string::npos;
}

TEST(RunReportJson, NotFiniteIsNullWithANote) {
  RunReport report = pendulum_report();
  report.solution.final.v()(1) = std::numeric_limits<double>::quiet_NaN();
  report.solution.final.lambda(0) = -std::numeric_limits<double>::infinity();
  report.solution.energy->balance = std::numeric_limits<double>::infinity();
  report.solution.final.extras.push_back({"work", Vector::Constant(1, 2.5)});
  const auto json = nlohmann::json::parse(run_json(report));
  EXPECT_TRUE(json["final"]["v"][1].is_null());
  EXPECT_EQ(json["final"]["v"][0], 0.0);
  EXPECT_TRUE(json["final"]["lambda"][0].is_null());
  EXPECT_TRUE(json["energy"]["balance"].is_null());
  EXPECT_EQ(json["final"]["extras"]["work"][0], 2.5);
  EXPECT_TRUE(mentions(json["notes"], "final.v[1] is null"));
  EXPECT_TRUE(mentions(json["notes"], "final.lambda[0] is null: its value is -inf"));
  EXPECT_TRUE(mentions(json["notes"], "energy.balance is null"));
  EXPECT_FALSE(mentions(json["notes"], "final.v[0]"));
}

TEST(RunReportJson, WithoutConstraintsAndEnergyThereAreNotesToo) {
  RunReport report = pendulum_report();
  report.solution.drift.reset();
  report.solution.energy.reset();
  const auto json = nlohmann::json::parse(run_json(report));
  EXPECT_TRUE(json["drift"]["position"].is_null());
  EXPECT_TRUE(json["energy"]["balance"].is_null());
  EXPECT_TRUE(mentions(json["notes"], "drift is null"));
  EXPECT_TRUE(mentions(json["notes"], "energy is null"));
}

TEST(ReferenceErrors, MaxNormAbsoluteAndRelative) {
  State final({2, 2, 2}, 1, 0);
  final.q() << 1, 200;
  final.v() << 3, 4;
  final.lambda << 5;
  State known = final;
  known.q() << 1.5, 201;
  known.v() << 3, 4.25;
  known.lambda.resize(0);
  const Reference reference{.at = [&](double) { return std::optional(known); }, .source = "test"};
  const ReferenceError error = reference_error(reference, final);
  EXPECT_EQ(error.q, 1.0);
  EXPECT_DOUBLE_EQ(error.q_relative.value(), 1.0 / 3);
  EXPECT_EQ(error.v, 0.25);
  EXPECT_DOUBLE_EQ(error.v_relative.value(), 1.0 / 17);
  EXPECT_FALSE(error.lambda);
  EXPECT_FALSE(error.lambda_relative);
  known.q()(0) = 0;
  EXPECT_FALSE(reference_error(reference, final).q_relative);
  known.lambda = Vector::Constant(1, 4);
  EXPECT_EQ(reference_error(reference, final).lambda_relative, 0.25);
  EXPECT_FALSE(reference_error({}, final).q);
}

// A reference may know some entries of a part only; what the run did not compute is never hidden.
TEST(ReferenceErrors, EntriesThatAreNotKnown) {
  const double nan = std::nan("");
  State final({2, 2, 2}, 0, 0);
  final.q() << 1, 200;
  final.v() << 3, 4;
  State known = final;
  known.q() << nan, 201;
  known.v() << nan, nan;
  const Reference reference{.at = [&](double) { return std::optional(known); }, .source = "test"};
  ReferenceError error = reference_error(reference, final);
  EXPECT_EQ(error.q, 1.0);
  EXPECT_DOUBLE_EQ(error.q_relative.value(), 1.0 / 201);
  EXPECT_FALSE(error.v);
  final.q()(1) = nan;
  error = reference_error(reference, final);
  EXPECT_TRUE(std::isnan(error.q.value()) && std::isnan(error.q_relative.value()));
}

TEST(Trajectory, NamesWithCommasAreQuoted) {
  const auto problem = make_problem(FreeParticle{});
  State state({2, 1, 1}, 0, 0);
  state.t = 0.1;
  state.q()(0) = 1.0 / 3;
  state.extras.push_back({"work", Vector::Constant(1, 2)});
  std::ostringstream out;
  write_trajectory(out, *problem, {state});
  EXPECT_EQ(out.str(), "t,\"x, \"\"across\"\"\",v[0],work[0]\n0.10000000000000001,0.33333333333333331,0,2\n");
}

}  // namespace
}  // namespace driftless::io
