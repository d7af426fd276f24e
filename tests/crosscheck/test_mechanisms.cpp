// Named mechanisms against public reference tables and against the equations as their sources print them. The
// sources' numbers stand here a second time, so that a slip in a problem's table shows.
#include <gtest/gtest.h>

#include <cmath>

#include <driftless/core/consistent_state.hpp>

#include "support/compare.hpp"

namespace driftless::tests {
namespace {

// ---- car-axis: IVP Test Set, 21 digits; the test set's multipliers enter with a plus sign ----

const Vector car_q = vector({0.493455784275402809122e-1, 0.496989460230171153861, 0.104174252488542151681e1,
                             0.373911027265361256927}),
             car_v = vector({-0.770583684040972357970e-1, 0.744686658723778553466e-2,
                             0.175568157537232222276e-1, 0.770341043779251976443}),
             car_lambda = vector({-0.473688659084893324729e-2, -0.110468033125734368808e-2});

TEST(Mechanisms, CarAxis) {
  const auto instance = catalog::make_problem("car-axis");
  const Solution s = tight_run(instance, 3);
  EXPECT_LT(relative(s.final.q(), car_q), 1e-9);
  EXPECT_LT(relative(s.final.v(), car_v), 1e-8);
  EXPECT_LT(relative(s.final.lambda, -car_lambda), 1e-8);
  // The road feeds the spring and pushes by a moving constraint: both are work.
  EXPECT_GT(std::abs(s.energy->work), 1e-4);
  EXPECT_LT(std::abs(s.energy->balance), 1e-11);
  const State known = *instance.reference.at(3);
  EXPECT_EQ(distance(known.q(), car_q) + distance(known.v(), car_v) + distance(known.lambda, -car_lambda), 0);
  EXPECT_FALSE(consistent_state(*instance.problem, instance.start).changed);
  const Motion start(*instance.problem, instance.start);
  EXPECT_LT(distance(start.a, vector({0, -1, 0, -1})), 1e-12);
  EXPECT_LT(start.multipliers.norm(), 1e-15);
}

// The equations as the test set prints them, with its own multipliers, at its own end point.
TEST(Mechanisms, CarAxisAsPrinted) {
  const auto instance = catalog::make_problem("car-axis");
  const State end = *instance.reference.at(3);
  const double K = 10 * 1e-4 / 2, yb = 0.1 * std::sin(30.0), xb = std::sqrt(1 - yb * yb);
  const double xl = car_q(0), yl = car_q(1), xr = car_q(2), yr = car_q(3);
  const double Ll = std::hypot(xl, yl), Lr = std::hypot(xr - xb, yr - yb);
  const double l1 = car_lambda(0), l2 = car_lambda(1);
  const Vector right = vector({(0.5 - Ll) * xl / Ll + l1 * xb + 2 * l2 * (xl - xr),
                               (0.5 - Ll) * yl / Ll + l1 * yb + 2 * l2 * (yl - yr) - K,
                               (0.5 - Lr) * (xr - xb) / Lr - 2 * l2 * (xl - xr),
                               (0.5 - Lr) * (yr - yb) / Lr - 2 * l2 * (yl - yr) - K});
  const Motion motion(*instance.problem, end);
  EXPECT_LT(distance(K * motion.a, right), 1e-14);
  EXPECT_LT(distance(motion.multipliers, -car_lambda), 1e-14);
}

// ---- heavy-top: Bruls, Cardona, Arnold; integrated to 1.2e-11, printed to 12 and 9 decimals ----

TEST(Mechanisms, HeavyTop) {
  const struct {
    double t;
    std::vector<double> x, p, w;
  } table[] = {{0.2,
                {.605550561377, .598957681795, -.523983027430},
                {-.708279152974, .438781088127, .545728396145, .089399752824},
                {-2.691590912, 150, 4.917260990}},
               {0.5,
                {-.702468297057, -.021165184702, -.711400257652},
                {.584560624069, -.700662895412, .384325753023, .140193078800},
                {-.471053102, 150, 5.901083048}},
               {1,
                {.173343964098, .640088592070, -.748490791134},
                {.732943980680, -.278285719338, .531824611334, -.320176142736},
                {-.822078102, 150, -5.923291348}},
               {2,
                {-.150416822746, -.724165591637, -.673022269560},
                {.122947135042, -.491079892550, .350430030344, -.787986887550},
                {.122233219, 150, -5.855624589}}};
  const auto instance = catalog::make_problem("heavy-top");
  const Solution s = tight_run(instance, 2, {0.2, 0.5, 1, 2});
  ASSERT_EQ(s.states.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const State &at = s.states[i], known = *instance.reference.at(table[i].t);
    EXPECT_LT(distance(at.q().head(3), vector(table[i].x)), 1e-9) << at.t;
    EXPECT_LT(distance(at.q().tail(4), vector(table[i].p)), 1e-9) << at.t;  // with the sign of the path
    EXPECT_LT(distance(at.v().tail(3), vector(table[i].w)), 5e-9) << at.t;
    EXPECT_NEAR(at.q().tail(4).norm(), 1, 1e-14);
    EXPECT_EQ(distance(known.q().head(3), vector(table[i].x)), 0);
    EXPECT_EQ(distance(known.q().tail(4), vector(table[i].p)), 0);
    EXPECT_EQ(distance(known.v().tail(3), vector(table[i].w)), 0);
    EXPECT_LT(distance(at.v().head(3), known.v().head(3)), 5e-9) << at.t;
  }
  // Force of the pivot on the top, m (x'' - gravity), printed to six decimals; ours is -lambda.
  EXPECT_LT(distance(-s.final.lambda, vector({-260.735211, 613.612699, 309.716631})), 2e-6);
  EXPECT_NEAR(s.energy->start, 5435.696790866, 1e-9);
  EXPECT_LT(std::abs(s.energy->balance), 1e-10 * 5435);
  const Motion start(*instance.problem, instance.start);
  EXPECT_LT(distance(start.a, vector({0, -21.30173254, -30.96083077, 661.34616923, 0, 0})), 6e-9);
  EXPECT_LT(distance(-start.multipliers, vector({0, -319.525988, -317.262462})), 6e-7);
}

// Without gravity: the exact regular precession against the equations of motion, also for a slow and fat top.
TEST(Mechanisms, HeavyTopWithoutGravity) {
  const std::vector<std::pair<std::string, std::string>> weightless = {{"gravity", "0"}},
                                                         fat = {{"gravity", "0"}, {"m", "0.5"},
                                                                {"J1", "0.7"},    {"J2", "1.3"},
                                                                {"J3", "0.7"},    {"spin", "5"},
                                                                {"wx", "3"},      {"wz", "-2"}};
  for (const auto& set : {weightless, fat}) {
    const auto instance = catalog::make_problem("heavy-top", set);
    EXPECT_LT((instance.reference.at(0)->z - instance.start.z).norm(), 1e-15);
    const Solution s = tight_run(instance, 2, {0.3, 2});
    for (const State& at : s.states) {
      const State exact = *instance.reference.at(at.t);
      EXPECT_LT(distance(at.z, exact.z), 1e-8 * (1 + exact.v().cwiseAbs().maxCoeff())) << at.t;
      EXPECT_LT(distance(at.lambda, exact.lambda), 1e-8 * (1 + exact.lambda.norm())) << at.t;
    }
  }
  EXPECT_FALSE(catalog::make_problem("heavy-top", {{"gravity", "0"}, {"J1", "0.3"}}).reference.at);
}

// ---- flyball: IFToMM A05, an implicit method's values, self-consistent to 5e-11 ----

TEST(Mechanisms, Flyball) {
  const double table[][4] = {
      {0.1, 0.5238364756, 0.4961738691, 6.1037178088}, {0.5, 0.7432494248, 0.2594913815, 5.1034154220},
      {1, 0.5014209224, 0.5218333016, 6.2711257419},   {2, 0.5059092943, 0.5166637974, 6.2362236144},
      {3, 0.5132460783, 0.5082455270, 6.1806727063},   {5, 0.5355631037, 0.4828745766, 6.0224964998},
      {10, 0.6196229171, 0.3900737018, 5.5482036227}};
  const auto instance = catalog::make_problem("flyball");
  const Solution s = tight_run(instance, 10, {0.1, 0.5, 1, 2, 3, 5, 10});
  ASSERT_EQ(s.states.size(), 7u);
  Evaluation e;
  for (std::size_t i = 0; i < 7; ++i) {
    const State &at = s.states[i], known = *instance.reference.at(at.t);
    for (const State* state : {&at, &known}) {
      EXPECT_NEAR(state->q()(1), table[i][1], 1e-9) << at.t;
      EXPECT_NEAR(state->q()(2), table[i][2], 1e-9) << at.t;
      EXPECT_NEAR(state->v()(0), table[i][3], 1e-8) << at.t;
    }
    EXPECT_TRUE(std::isnan(known.q()(0)));
    instance.problem->evaluate(Part::invariants, Point(at.t, at.z), e);
    EXPECT_NEAR(e.invariants(0), 2 * M_PI * 8.5735174159, 2e-9) << at.t;  // printed inertia at the start
  }
  EXPECT_LT(s.energy->work, -1e-3);  // the dampers'
  EXPECT_LT(std::abs(s.energy->balance), 1e-9);
}

// ---- sundials-slider-crank: recomputed to ten decimals ----

TEST(Mechanisms, SundialsSliderCrank) {
  const double table[][4] = {{1, 1.3154205709, 1.0014918072, -0.5049734706},
                             {5, -1.4299969676, 0.9390306136, 0.5178947565},
                             {10, 1.2756758487, 1.0235785590, -0.4988130492}};
  const auto instance = catalog::make_problem("sundials-slider-crank");
  const Solution s = tight_run(instance, 10, {1, 5, 10});
  ASSERT_EQ(s.states.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(s.states[i].q()(j), table[i][j + 1], 1e-10) << s.states[i].t;
      EXPECT_EQ(instance.reference.at(table[i][0])->q()(j), table[i][j + 1]);
    }
  EXPECT_LT(s.energy->work, -0.1);  // the damper's
  EXPECT_LT(std::abs(s.energy->balance), 1e-10);
  EXPECT_LT(distance(Motion(*instance.problem, instance.start).a, vector({-.51339746, .25669873, 0})), 6e-9);
}

// ---- what cannot be is refused ----

TEST(Mechanisms, ImpossibleParameters) {
  const auto says = [](const std::string& name, const std::string& parameter, const std::string& value) {
    return complaint([&] { catalog::make_problem(name, {{parameter, value}}); });
  };
  EXPECT_NE(says("car-axis", "r", "2").find("must lie below L = 1"), std::string::npos);
  EXPECT_NE(says("spatial-slider-crank", "l2", "0.2").find("below the rod's length l2 = 0.2"),
            std::string::npos);
  EXPECT_NE(says("closed-chain", "span", "6").find("choose other angles or another span"), std::string::npos);
  EXPECT_NE(says("four-bar", "l3", "0.1").find("what coupler and rocker can bridge"), std::string::npos);
  EXPECT_NE(says("sundials-slider-crank", "a", "1").find("a of sundials-slider-crank"), std::string::npos);
}

}  // namespace
}  // namespace driftless::tests
