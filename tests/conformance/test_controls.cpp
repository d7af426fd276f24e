// Every energy control through the same suite.
#include <gtest/gtest.h>

#include <set>

#include "conformance/methods.hpp"

namespace driftless::tests {
namespace {

TEST(Controls, AllAreTried) {
  std::set<std::string> tried, known;
  for (const auto& text : controls) tried.insert(parse_choice(text).name);
  for (const auto& row : catalog::control_table()) known.insert(row.name);
  EXPECT_EQ(tried, known);
}

class EveryControl : public testing::TestWithParam<std::tuple<std::string, ShapeCase>> {
 protected:
  void SetUp() override {
    plain = build_system(problem(), "baumgarte");
    system = control_of(std::get<0>(GetParam()))->wrap(problem(), build_system(problem(), "baumgarte"));
    start = shape().start;
    system->prepare(start);
    system->anchor(start);
  }
  const ShapeCase& shape() const { return std::get<1>(GetParam()); }
  const Problem& problem() const { return *shape().problem; }
  // The energy of this model is not that of its forces and masses, so that even the exact motion has an energy error.
  bool energy_is_wrong() const {
    return shape().name == "time-dependent" &&
           parse_choice(std::get<0>(GetParam())).name == "energy-baumgarte";
  }
  std::unique_ptr<System> plain, system;
  State start;
};

TEST_P(EveryControl, CarriesTheWorkAsAnExtra) {
  ASSERT_EQ(start.extras.size(), 1u);
  EXPECT_EQ(start.extras[0].name, "work");
  EXPECT_EQ(start.extras[0].value, Vector::Zero(1));
  start.extras[0].value(0) = 2.5;
  system->prepare(start);
  EXPECT_EQ(start.extras.size(), 1u) << "what is there stays";
  ASSERT_EQ(system->size(), plain->size() + 1);
  Vector y(system->size());
  system->pack(start, y);
  EXPECT_EQ(y(plain->size()), 2.5);
  y(plain->size()) = -1;
  State back = start;
  back.z.setZero();
  system->unpack(0.7, y, back);
  EXPECT_EQ(back.t, 0.7);
  EXPECT_EQ(back.z, start.z);
  EXPECT_EQ(back.extras[0].value(0), -1);
  Vector error_y = Vector::LinSpaced(system->size(), 1, 2), error_z(start.z.size());
  system->unpack_error(error_y, error_z);
  EXPECT_EQ(error_z, error_y.head(error_z.size())) << "the error of the work does not count";
}

// Where the state is on the manifold and the energy is right, a control changes nothing.
TEST_P(EveryControl, DoesNothingWhereNothingIsWrong) {
  if (energy_is_wrong()) return;
  Vector y(system->size()), dy(system->size()), expected(plain->size());
  system->pack(start, y);
  State at = start;
  ASSERT_EQ(plain->ode()->rhs(start.t, start.z, expected), Status::ok);
  ASSERT_EQ(system->ode()->rhs(start.t, y, dy, &at), Status::ok);
  EXPECT_LT((dy.head(plain->size()) - expected).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.norm()));
  EXPECT_LT((at.lambda - shape().start.lambda).norm(), 1e-10 * (1 + shape().start.lambda.norm()));
  EXPECT_EQ(system->work().rhs, 1);
  at.lambda.setConstant(1e9);
  ASSERT_EQ(system->multipliers(at), Status::ok);
  EXPECT_LT((at.lambda - shape().start.lambda).norm(), 1e-10 * (1 + shape().start.lambda.norm()));
}

// Too much energy goes down and too little up, at a rate that is proportional to the error.
TEST_P(EveryControl, PullsTheEnergyBack) {
  if (energy_is_wrong()) return;
  const double small = 1e-4;
  Vector y(system->size()), dy(system->size()), expected(plain->size());
  ASSERT_EQ(plain->ode()->rhs(start.t, start.z, expected), Status::ok);
  Evaluation e;
  problem().evaluate(Part::energy_gradient, Point(start.t, start.z), e);
  Manifold manifold(problem());
  Vector delta(problem().shape().layout().tangent_size());
  double rate[2];
  for (const int sign : {-1, 1}) {
    system->pack(start, y);
    y(plain->size()) = -sign * small;  // so much less work than energy
    system->begin_step({.discretization = {}, .t = start.t, .h = 0.01}, y);
    ASSERT_EQ(system->ode()->rhs(start.t, y, dy), Status::ok);
    manifold.to_displacement(start.t, start.z, dy.head(plain->size()) - expected, delta);
    rate[sign > 0] = e.energy_z.dot(delta);
  }
  EXPECT_LT(rate[1], 0);
  EXPECT_NEAR(rate[0] / rate[1], -1, 1e-6);
}

TEST_P(EveryControl, NotFiniteIsAStatusWithAnExplanation) {
  Vector y(system->size()), dy(system->size());
  y.setConstant(std::numeric_limits<double>::quiet_NaN());
  const Status status = system->ode()->rhs(0.25, y, dy);
  EXPECT_EQ(status, Status::not_finite);
  EXPECT_NE(system->explain(status, 0.25, y).find("the state z[0] = nan at t = 0.25"), std::string::npos)
      << system->explain(status, 0.25, y);
}

INSTANTIATE_TEST_SUITE_P(All, EveryControl, testing::ValuesIn(accepted_pairs(controls, control_of)),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param).name);
                         });

}  // namespace
}  // namespace driftless::tests
