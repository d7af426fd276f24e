// Every method of the catalog through the same suite: what an entry must say, and what the loop relies on.
#include <gtest/gtest.h>

#include <set>

#include "conformance/methods.hpp"

namespace driftless::tests {
namespace {

template <class Entry>
void expect_documented(const std::vector<Named<Entry>>& table) {
  for (const auto& [name, entry] : table) {
    EXPECT_FALSE(entry.summary.empty()) << name;
    for (const auto& option : entry.options) {
      EXPECT_FALSE(option.help.empty()) << name << ":" << option.name;
      if (!option.fallback.empty()) {
        EXPECT_NO_THROW(OptionValues(name, entry.options, {{option.name, option.fallback}})) << name;
      }
    }
  }
}

TEST(Entries, AreDocumented) {
  expect_documented(catalog::formulation_table());
  expect_documented(catalog::integrator_table());
  expect_documented(catalog::stabilizer_table());
  expect_documented(catalog::control_table());
  expect_documented(catalog::controller_table());
  for (const auto& [name, entry] : catalog::problem_table()) {
    EXPECT_FALSE(entry.summary.empty()) << name;
    for (const auto& parameter : entry.parameters)
      EXPECT_FALSE(parameter.help.empty()) << name << " " << parameter.name;
  }
}

// ---- formulations x shapes ----

class EveryFormulation : public testing::TestWithParam<std::tuple<std::string, ShapeCase>> {
 protected:
  void SetUp() override { system = build_system(problem(), name()); }
  const std::string& name() const { return std::get<0>(GetParam()); }
  const ShapeCase& shape() const { return std::get<1>(GetParam()); }
  const Problem& problem() const { return *shape().problem; }
  std::unique_ptr<System> system;
};

TEST_P(EveryFormulation, PacksAndUnpacks) {
  Vector y(system->size());
  system->pack(shape().start, y);
  State back = shape().start;
  back.z.setZero();
  back.t = 0.7;
  system->unpack(shape().start.t, y, back);
  EXPECT_EQ(back.t, shape().start.t);
  EXPECT_LT((back.z - shape().start.z).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(EveryFormulation, HasTheShapesItClaims) {
  const auto formulation = formulation_of(name());
  auto shapes = formulation->traits.shapes;
  if (shapes.empty()) shapes = catalog::formulation(parse_choice(name()).name).shapes;
  const auto claims = [&](SystemShape s) {
    return std::find(shapes.begin(), shapes.end(), s) != shapes.end();
  };
  if (claims(SystemShape::ode) && claims(SystemShape::dae)) {  // one at a time
    const bool constrained = problem().shape().multipliers() > 0;
    EXPECT_NE(system->ode(), nullptr);
    const auto other = formulation->build_as(SystemShape::dae, problem());
    EXPECT_EQ(other->dae() != nullptr, constrained);
    EXPECT_EQ(other->ode() != nullptr, !constrained);
    return;
  }
  EXPECT_EQ(system->ode() != nullptr, claims(SystemShape::ode));
  EXPECT_EQ(system->dae() != nullptr, claims(SystemShape::dae) || claims(SystemShape::overdetermined));
  if (!claims(SystemShape::overdetermined) && system->dae()) {
    EXPECT_EQ(system->dae()->equations(), system->size());
  }
  EXPECT_EQ(system->mechanical() != nullptr, claims(SystemShape::mechanical_positions) ||
                                                 claims(SystemShape::mechanical_velocities) ||
                                                 claims(SystemShape::mechanical_both));
}

// On the manifold every formulation has the multipliers of the problem itself.
TEST_P(EveryFormulation, MultipliersOnTheManifold) {
  State state = shape().start;
  state.lambda.setConstant(1e9);
  state.kappa.setConstant(1e9);
  ASSERT_EQ(system->multipliers(state), Status::ok);
  const double scale = 1 + shape().start.lambda.norm() + shape().start.kappa.norm();
  EXPECT_LT((state.lambda - shape().start.lambda).norm(), 1e-10 * scale);
  EXPECT_LT((state.kappa - shape().start.kappa).norm(), 1e-10 * scale);
}

TEST_P(EveryFormulation, CountsResidualsAndExplainsFailures) {
  if (!system->dae()) return;
  State start = shape().start;
  system->prepare(start);
  Vector y(system->size()), yp = Vector::Zero(system->size()), r(system->dae()->equations());
  system->pack(start, y);
  ASSERT_EQ(system->dae()->residual(0, y, yp, r), Status::ok);
  EXPECT_EQ(system->work().rhs, 1);
  EXPECT_EQ(static_cast<int>(system->dae()->index_of_unknowns().size()), system->size());
  y.setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(system->explain(Status::not_finite, 0.25, y).find("the state z[0] = nan at t = 0.25"),
            std::string::npos);
}

TEST_P(EveryFormulation, CountsItsWorkAndExplainsFailures) {
  if (!system->ode()) return;
  Vector y(system->size()), dy(system->size());
  system->pack(shape().start, y);
  ASSERT_EQ(system->ode()->rhs(0, y, dy), Status::ok);
  EXPECT_EQ(system->work().rhs, 1);
  y.setConstant(std::numeric_limits<double>::quiet_NaN());
  const Status status = system->ode()->rhs(0.25, y, dy);
  EXPECT_EQ(status, Status::not_finite);
  EXPECT_NE(system->explain(status, 0.25, y).find("the state z[0] = nan at t = 0.25"), std::string::npos)
      << system->explain(status, 0.25, y);
}

std::vector<std::string> formulations_in_all_forms() {
  std::vector<std::string> names = names_of(catalog::formulation_table());
  const std::vector<std::string> forms = formulation_forms();
  names.insert(names.end(), forms.begin(), forms.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormulation,
                         testing::ValuesIn(accepted_pairs(formulations_in_all_forms(), formulation_of)),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param).name);
                         });

// ---- integrators ----

class EveryIntegrator : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto& entry = catalog::integrator(GetParam());
    integrator = entry.make(OptionValues(GetParam(), entry.options, {}));
    for (const auto& row : catalog::formulation_table())
      for (const auto shape : row.entry.shapes)
        if (!system && std::find(entry.shapes.begin(), entry.shapes.end(), shape) != entry.shapes.end())
          system = build_system(*c.problem, row.name);
    ASSERT_TRUE(system) << "no formulation gives what " << GetParam() << " takes";
    state = c.start;
    ASSERT_EQ(integrator->start(*system, state), Status::ok);
  }
  const ShapeCase& c = shape_case("mechanical");
  std::unique_ptr<System> system;
  std::unique_ptr<Integrator> integrator;
  State state;
};

TEST_P(EveryIntegrator, MayAttemptAgain) {
  const Vector once = integrator->attempt(0.01).state->z;
  integrator->attempt(0.3);
  const Vector again = integrator->attempt(0.01).state->z;
  if (catalog::integrator(GetParam()).traits.continues_values)  // solves a repeated attempt more tightly
    EXPECT_LT((again - once).cwiseAbs().maxCoeff(), 1e-9);
  else
    EXPECT_EQ(again, once);
}

TEST_P(EveryIntegrator, ErrorEstimateAsClaimed) {
  const Step step = integrator->attempt(0.01);
  EXPECT_EQ(step.error != nullptr, catalog::integrator(GetParam()).traits.error_estimate);
  if (step.error) {
    EXPECT_EQ(step.error->size(), state.z.size());
  }
  if (step.second_error) {
    ASSERT_NE(step.error, nullptr);
    EXPECT_EQ(step.second_error->size(), state.z.size());
  }
}

TEST_P(EveryIntegrator, AcceptsAMovedState) {
  State& candidate = *integrator->attempt(0.01).state;
  const Vector before = candidate.z;
  candidate.z << 0.6, -0.8, 0.8, 0.6;  // somewhere else on the manifold
  const Vector move = candidate.z - before;
  ASSERT_EQ(integrator->accept(candidate, &move), Status::ok);
  // The multiplier belongs to the moved state: m (v^2 - gravity y)/l^2 = 1 + 0.8.
  EXPECT_NEAR(candidate.lambda(0), 1.8, 1e-14);
  // And the next step starts there.
  EXPECT_LT((integrator->attempt(1e-9).state->z - candidate.z).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_P(EveryIntegrator, InterpolatesBetweenTheEnds) {
  State& candidate = *integrator->attempt(0.1).state;
  ASSERT_EQ(integrator->accept(candidate, nullptr), Status::ok);
  const State end = candidate;
  State between = end;
  integrator->interpolate(0.0, between);
  EXPECT_LT((between.z - c.start.z).cwiseAbs().maxCoeff(), 1e-15);
  integrator->interpolate(0.1, between);
  EXPECT_LT((between.z - end.z).cwiseAbs().maxCoeff(), 1e-15);
  integrator->interpolate(0.05, between);
  EXPECT_EQ(between.t, 0.05);
  EXPECT_GT((between.z - end.z).norm(), 1e-3);
}

TEST_P(EveryIntegrator, ReportsWhereItFailed) {
  const Step step = integrator->attempt(std::numeric_limits<double>::infinity());
  EXPECT_NE(step.status, Status::ok);
  ASSERT_NE(step.failed_y, nullptr);
  EXPECT_GT(step.failed_t, 0);
  EXPECT_EQ(integrator->attempt(0.01).status, Status::ok) << "a failure must leave the base intact";
}

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, testing::ValuesIn(names_of(catalog::integrator_table())),
                         [](const auto& c) { return test_name(c.param); });

// ---- controllers ----

TEST(Controllers, Judge) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& row : catalog::controller_table()) {
    const OptionValues options(row.name, row.entry.options, {});
    const auto controller = row.entry.make(options, {.step = 0.1, .tolerance = {}});
    EXPECT_TRUE(controller->judge({0, 4, 0.1}).accept) << row.name;
    EXPECT_TRUE(controller->judge({0.5, 4, 0.1}).accept) << row.name;
    if (!row.entry.traits(options).needs_error_estimate) {
      EXPECT_EQ(*controller->fixed_step(), 0.1);
      EXPECT_EQ(controller->shrink(0.1).next_h, 0) << "a fixed step may not change";
      continue;
    }
    ASSERT_NE(controller->tolerance(), nullptr);
    for (const double bad : {1.5, 1e6, std::numeric_limits<double>::infinity(), nan}) {
      const Verdict verdict = controller->judge({bad, 4, 0.1});
      EXPECT_FALSE(verdict.accept) << row.name << " " << bad;
      EXPECT_LT(verdict.next_h, 0.1) << row.name << " " << bad;
      EXPECT_GT(verdict.next_h, 0.01) << row.name << " " << bad;
    }
    EXPECT_LE(controller->judge({1e-9, 4, 0.1}).next_h, 0.1) << "no growth right after a rejection";
    EXPECT_GT(controller->judge({1e-9, 4, 0.1}).next_h, 0.15);
    EXPECT_LT(controller->shrink(0.1).next_h, 0.1);
  }
}

}  // namespace
}  // namespace driftless::tests
