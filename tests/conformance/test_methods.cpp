// Every method of the catalog through the same suite: what an entry must say, and what the loop relies on.
#include <gtest/gtest.h>

#include <set>

#include "support/allocation_counter.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

std::string test_name(std::string name) {
  for (char& letter : name)
    if (!std::isalnum(letter)) letter = '_';
  return name;
}

template <class Entry>
std::vector<std::string> names_of(const std::vector<Named<Entry>>& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

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

std::unique_ptr<Formulation> formulation_of(const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  const auto& entry = catalog::formulation(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

// Methods with the shapes of problems that they do not refuse (what they refuse is the combination table's matter).
template <class Make>
std::vector<std::tuple<std::string, ShapeCase>> accepted_pairs(const std::vector<std::string>& methods,
                                                               Make make) {
  std::vector<std::tuple<std::string, ShapeCase>> pairs;
  for (const auto& method : methods)
    for (const auto& c : shape_cases())
      if (!make(method)->refuses(c.problem->shape())) pairs.emplace_back(method, c);
  return pairs;
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
  system->unpack(0.7, y, back);
  EXPECT_EQ(back.t, 0.7);
  EXPECT_LT((back.z - shape().start.z).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(EveryFormulation, HasTheShapesItClaims) {
  const auto& shapes = catalog::formulation(parse_choice(name()).name).shapes;
  const auto claims = [&](SystemShape s) {
    return std::find(shapes.begin(), shapes.end(), s) != shapes.end();
  };
  EXPECT_EQ(system->ode() != nullptr, claims(SystemShape::ode));
  EXPECT_EQ(system->dae() != nullptr, claims(SystemShape::dae));
  EXPECT_EQ(system->mechanical() != nullptr, claims(SystemShape::mechanical));
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

// Those whose options change what they compute, besides the plain ones.
const std::vector<std::string> formulation_forms = {"invariant-stabilized:F=full",
                                                    "invariant-stabilized:F=split",
                                                    "invariant-stabilized:F=transpose",
                                                    "invariant-stabilized:F=input",
                                                    "invariant-stabilized:form=integral",
                                                    "baumgarte:gain=auto",
                                                    "invariant-stabilized:gain=auto",
                                                    "invariant-stabilized:gain=auto,F=transpose",
                                                    "invariant-stabilized:gain=auto,form=integral"};

std::vector<std::string> formulations_in_all_forms() {
  std::vector<std::string> names = names_of(catalog::formulation_table());
  names.insert(names.end(), formulation_forms.begin(), formulation_forms.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormulation,
                         testing::ValuesIn(accepted_pairs(formulations_in_all_forms(), formulation_of)),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param).name);
                         });

// ---- controls ----

std::unique_ptr<Control> control_of(const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  const auto& entry = catalog::control(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

const std::vector<std::string> controls = {"energy-baumgarte", "energy-descent:mu_v=0.01",
                                           "energy-descent:mu_q=0.01,mu_v=0.02,metric=mass",
                                           "energy-baumgarte:gain=auto", "energy-descent:gain=auto"};

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
    system->begin_step(start.t, y, 0.01);
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
  EXPECT_EQ(integrator->attempt(0.01).state->z, once);
}

TEST_P(EveryIntegrator, ErrorEstimateAsClaimed) {
  const Step step = integrator->attempt(0.01);
  EXPECT_EQ(step.error != nullptr, catalog::integrator(GetParam()).error_estimate);
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

// ---- stabilizers ----

// One variant on every shape of problem that it does not refuse.
class EveryStabilizer : public testing::TestWithParam<std::string> {
 protected:
  const std::string& text() const { return GetParam(); }
  bool has(const char* word) const { return text().find(word) != std::string::npos; }
  bool is_none() const { return text() == "none"; }

  template <class Body>
  void on_every_shape(Body body) {
    for (const ShapeCase& c : shape_cases()) {
      SCOPED_TRACE(text() + " on " + c.name);
      const auto stabilizer = make_stabilizer(text());
      if (stabilizer->refuses(c.problem->shape())) continue;
      Manifold manifold(*c.problem);
      stabilizer->start(manifold);
      body(c, *stabilizer, manifold);
    }
  }
};

TEST_P(EveryStabilizer, LeavesTheManifoldAlone) {
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    State state = c.start;
    const Correction fix = stabilizer.apply(manifold, state, {c.start, 0.1});
    EXPECT_EQ(fix.status, Status::ok);
    EXPECT_LT((state.z - c.start.z).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(fix.move == nullptr, is_none() || manifold.empty());
  });
}

// From a step that did not move, `forward` does what `post` does.
TEST_P(EveryStabilizer, PullsBackWhatItAnswers) {
  const bool converges = has("projection"), positions = !has("velocity"), velocities = !has("position"),
             coupled = !has("split"), partly = has("transpose") || has("sor");
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    if (is_none() || manifold.empty()) return;
    State state = c.start;
    state.z += 1e-4 * Vector::LinSpaced(state.z.size(), 1, -1);
    const Vector z_before = state.z;  // quaternions off their unit length, which belongs to the move
    State from = state;
    c.problem->normalize(from.z.head(state.layout.nq));
    manifold.evaluate(state.t, from.z);
    const Vector before = manifold.h();
    const Correction fix = stabilizer.apply(manifold, state, {from, 0.1});
    ASSERT_EQ(fix.status, Status::ok);
    EXPECT_NEAR(fix.violation, before.cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((*fix.move - (state.z - z_before)).cwiseAbs().maxCoeff(), 1e-15);
    manifold.evaluate(state.t, state.z);
    if (partly && !converges) {
      EXPECT_LT(manifold.h().norm(), before.norm());
      return;
    }
    // backward, alpha = 1: half of it stays. One Newton step squares 1e-4, times curvatures; sweeps end at
    // the tolerance of a displacement.
    const Vector left = manifold.h() - (has("backward") ? 0.5 : 0.0) * before;
    const double newton = has("sor") ? 1e-9 : converges ? 1e-12 : 1e-6;
    const int ng = c.problem->shape().ng;
    if (positions && ng > 0) {
      EXPECT_LT(left.head(ng).cwiseAbs().maxCoeff(), newton);
    }
    const bool velocity_met = velocities && (coupled || converges);
    if (velocity_met && manifold.rows() > ng) {
      EXPECT_LT(left.tail(manifold.rows() - ng).cwiseAbs().maxCoeff(), newton);
    }
  });
}

// What it says it removes from an error is what apply() does to one: the derivative of apply along it.
TEST_P(EveryStabilizer, RemovesFromAnErrorWhatItSays) {
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    if (manifold.empty() || !stabilizer.removes_errors()) return;
    const double epsilon = 1e-6;
    const Vector error = Vector::LinSpaced(c.start.z.size(), 1, 2);
    const auto applied = [&](double size) {
      State state = c.start;
      state.z += size * error;
      EXPECT_EQ(stabilizer.apply(manifold, state, {c.start, 0.1}).status, Status::ok);
      return state.z;
    };
    const Vector derivative = (applied(epsilon) - applied(-epsilon)) / (2 * epsilon);
    State state = c.start;
    ASSERT_EQ(stabilizer.apply(manifold, state, {c.start, 0.1}).status, Status::ok);
    Vector removed = error;
    stabilizer.remove_normal_part(manifold, state, removed);
    EXPECT_LT((removed - derivative).norm(), 2e-5 * (error.norm() + derivative.norm()));
  });
}

TEST_P(EveryStabilizer, NotFiniteIsAStatus) {
  on_every_shape([&](const ShapeCase& c, Stabilizer& stabilizer, Manifold& manifold) {
    if (is_none() || manifold.empty()) return;
    State state = c.start;
    state.z.setConstant(std::numeric_limits<double>::quiet_NaN());
    const State from = state;
    EXPECT_EQ(stabilizer.apply(manifold, state, {from, 0.1}).status, Status::not_finite);
  });
}

// Every F and what else changes the way to it.
std::vector<std::string> stabilizer_variants() {
  std::vector<std::string> texts = {"none"};
  for (const std::string name : {"forward", "backward", "post", "projection"}) {
    for (const char* F : {"full", "block", "split", "transpose", "input", "position", "velocity"})
      texts.push_back(name + ":F=" + F);
    texts.push_back(name + ":renew=3");
    texts.push_back(name + ":renew=auto,F=full");
    if (name == "backward") continue;
    texts.push_back(name + ":solve=sor");
    texts.push_back(name + ":solve=sor,F=full");
  }
  texts.push_back("projection:normals=current");
  return texts;
}

INSTANTIATE_TEST_SUITE_P(All, EveryStabilizer, testing::ValuesIn(stabilizer_variants()),
                         [](const auto& c) { return test_name(c.param); });

TEST(Stabilizers, RankLossIsAStatus) {
  const ShapeCase& c = shape_case("mechanical");
  for (const auto& row : catalog::stabilizer_table()) {
    if (row.name == "none") continue;
    const auto stabilizer = row.entry.make(OptionValues(row.name, row.entry.options, {}));
    Manifold manifold(*c.problem);
    stabilizer->start(manifold);
    State state = c.start;
    state.z << 0, 0, 1, 0;
    const State from = state;
    EXPECT_EQ(stabilizer->apply(manifold, state, {from, 0.1}).status, Status::rank_loss) << row.name;
  }
}

// ---- controllers ----

TEST(Controllers, Judge) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& row : catalog::controller_table()) {
    const auto controller =
        row.entry.make(OptionValues(row.name, row.entry.options, {}), {.step = 0.1, .tolerance = {}});
    EXPECT_TRUE(controller->judge(0, 4, 0.1).accept) << row.name;
    EXPECT_TRUE(controller->judge(0.5, 4, 0.1).accept) << row.name;
    if (!row.entry.needs_error_estimate) {
      EXPECT_EQ(*controller->fixed_step(), 0.1);
      EXPECT_EQ(controller->shrink(0.1), 0) << "a fixed step may not change";
      continue;
    }
    ASSERT_NE(controller->tolerance(), nullptr);
    for (const double bad : {1.5, 1e6, std::numeric_limits<double>::infinity(), nan}) {
      const Verdict verdict = controller->judge(bad, 4, 0.1);
      EXPECT_FALSE(verdict.accept) << row.name << " " << bad;
      EXPECT_LT(verdict.next_h, 0.1) << row.name << " " << bad;
      EXPECT_GT(verdict.next_h, 0.01) << row.name << " " << bad;
    }
    EXPECT_LE(controller->judge(1e-9, 4, 0.1).next_h, 0.1) << "no growth right after a rejection";
    EXPECT_GT(controller->judge(1e-9, 4, 0.1).next_h, 0.3);
    EXPECT_LT(controller->shrink(0.1), 0.1);
  }
}

// ---- no allocation in the hot loop ----

class NoAllocation : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Allocations in ten steps after the first, in which scratch memory grows; 0 where the combination is refused.
long allocations(const Method& method, const ShapeCase& c) {
  Pipeline pipeline;
  try {
    pipeline = assemble(*c.problem, method, {.t_end = 1, .step = 0.001});
  } catch (const InputError&) {
    return 0;
  }
  State state = c.start;
  Manifold manifold(*c.problem);
  pipeline.stabilizer->start(manifold);
  pipeline.system->prepare(state);
  pipeline.system->anchor(state);
  EXPECT_EQ(pipeline.integrator->start(*pipeline.system, state), Status::ok);
  const auto step = [&] {
    const Step result = pipeline.integrator->attempt(1e-4);
    const Correction fix = pipeline.stabilizer->apply(manifold, *result.state, {c.start, 1e-4});
    for (const Vector* error : {result.error, result.second_error}) {
      if (!error || !fix.move) continue;
      state.z = *error;
      pipeline.stabilizer->remove_normal_part(manifold, *result.state, state.z);
    }
    pipeline.integrator->accept(*result.state, fix.move);
    pipeline.stabilizer->accepted();
    pipeline.integrator->interpolate(result.state->t - 0.5e-4, state);
  };
  step();
  return allocation_counter::during([&] {
    for (int i = 0; i < 10; ++i) step();
  });
}

TEST_P(NoAllocation, InsideAStep) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  const auto& [formulation, integrator] = GetParam();
  for (const char* stabilizer : {"none", "post", "post:F=full", "projection"})
    for (const ShapeCase& c : shape_cases())
      EXPECT_EQ(
          allocations({.formulation = formulation, .integrator = integrator, .stabilizer = stabilizer}, c), 0)
          << stabilizer << " " << c.name;
}

TEST_P(EveryStabilizer, AllocatesNothingInsideAStep) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  for (const ShapeCase& c : shape_cases()) EXPECT_EQ(allocations({.stabilizer = text()}, c), 0) << c.name;
}

INSTANTIATE_TEST_SUITE_P(All, NoAllocation,
                         testing::Combine(testing::ValuesIn(names_of(catalog::formulation_table())),
                                          testing::ValuesIn(names_of(catalog::integrator_table()))),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param));
                         });

TEST(NoAllocationIn, FormsOfFormulationsAndControls) {
  if (!allocation_counter::counting_works()) GTEST_SKIP() << "a sanitizer owns malloc";
  const auto check = [](const Method& method) {
    for (const ShapeCase& c : shape_cases())
      EXPECT_EQ(allocations(method, c), 0)
          << method.formulation << " " << method.integrator << " "
          << (method.controls.empty() ? "" : method.controls[0]) << " " << c.name;
  };
  for (const char* integrator : {"rk4", "ab3", "backward-euler"})
    for (const auto& formulation : formulation_forms)
      check({.formulation = formulation, .integrator = integrator, .stabilizer = "none"});
  for (const char* integrator : {"forward-euler", "dopri5", "ab3", "backward-euler"})
    for (const char* formulation : {"baumgarte", "invariant-stabilized"})
      for (const auto& control : controls)
        check({.formulation = formulation, .integrator = integrator, .controls = {control}});
}

}  // namespace
}  // namespace driftless::tests
