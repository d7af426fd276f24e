// Mechanisms of hundreds and thousands of bodies, against theory.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_generators.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/compare.hpp"

namespace driftless::tests {
namespace {

// The tip of the first crank, by a'' = w^2 sin a with parallel cranks: an independent integration in long double.
std::pair<double, double> exact_tip(int N, double t_end) {
  const long double n = N, w2 = 9.81L * ((n + 1) / 2 + n) / ((n + 1) / 3 + n), h = t_end / 200000.0L;
  long double a = 0, v = -1;
  for (int i = 0; i < 200000; ++i) {
    const auto f = [&](long double x) { return w2 * std::sin(x); };
    const long double k1 = v, l1 = f(a), k2 = v + h / 2 * l1, l2 = f(a + h / 2 * k1), k3 = v + h / 2 * l2,
                      l3 = f(a + h / 2 * k2), k4 = v + h * l3, l4 = f(a + h * k3);
    a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {static_cast<double>(-std::sin(a)), static_cast<double>(std::cos(a))};
}

TEST(LargeMechanism, EvaluationsMayServeOtherMechanismsNext) {
  const auto problem = [](const std::string& text) {
    return io::read_model_text(text, "test.toml").mechanism.problem();
  };
  const auto four_bars = problem(io::generated_model("n-four-bar", {{"N", "20"}})),
             chain = problem(io::generated_model("chain-loop", {{"N", "41"}}));
  ASSERT_EQ(four_bars->shape().nv, chain->shape().nv);
  const Vector z = Vector::LinSpaced(2 * chain->shape().nv, -1, 1), lambda = Vector::Ones(200), none(0);
  const Parts parts = Part::mass | Part::jacobian | Parts(Part::rate_jacobian) | Parts(Part::force_jacobian) |
                      Parts(Part::multiplier_jacobian);
  Evaluation used(Storage::sparse);
  for (const auto& one : {four_bars, chain, four_bars}) {
    Evaluation fresh(Storage::sparse);
    const Point at(0, z, z.head(one->shape().nv), lambda.head(one->shape().ng), none);
    one->evaluate(parts, at, used);
    one->evaluate(parts, at, fresh);
    EXPECT_EQ(used.sparse.M, fresh.sparse.M);
    for (const auto part : {&SparseParts::C, &SparseParts::L, &SparseParts::by_x, &SparseParts::Bl_x}) {
      EXPECT_EQ((used.sparse.*part).column, (fresh.sparse.*part).column);
      EXPECT_EQ((used.sparse.*part).value, (fresh.sparse.*part).value);
    }
  }
}

std::string bar(const std::string& name, double x, double y, double x_end, double y_end) {
  return fmt::format("[body.{}]\nfrom = [{}, {}]\nto = [{}, {}]\nmass = 1\ninertia = 0.1\n", name, x, y,
                     x_end, y_end);
}
std::string pin(const std::string& name, const std::string& a, const std::string& b, double x, double y) {
  return fmt::format("[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = [{}, {}]\n", name, a,
                     b, x, y);
}

// N + 1 equal bars carry a long beam and turn alike: (N + 1) (J + m l^2/4) + m l^2 times a'' = ((N + 1)/2 + 1) m g l sin a, a from upright.
// Of every bar but the first two a row is redundant, and seen from the last bar the first two are nearly one.
TEST(LargeMechanism, BeamOnManyBars) {
  for (const int N : {100, 200}) {
    SCOPED_TRACE(N);
    std::string bodies = "title = \"beam\"\ndimensions = 2\ngravity = [0, -9.81]\n" +
                         bar("beam", 0.4, 1, N + 0.4, 1),
                joints;
    for (int k = 0; k <= N; ++k) {
      const std::string name = fmt::format("bar{}", k);
      bodies += bar(name, k, 0, k + 0.4, 1);
      joints += pin(fmt::format("A{}", k), "ground", name, k, 0) +
                pin(fmt::format("D{}", k), name, "beam", k + 0.4, 1);
    }
    const io::Model model = io::read_model_text(bodies + joints, "beam.toml");
    Options options;
    options.t_end = 0.3;
    options.rtol = options.atol = 1e-8;
    const Solution run =
        solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {}, options);
    ASSERT_TRUE(run.complete()) << run.end_message;
    EXPECT_TRUE(run.singularities.empty());
    const double l = std::hypot(1, 0.4), inertia = (N + 1) * (0.1 + l * l / 4) + l * l,
                 pull = ((N + 1) / 2.0 + 1) * 9.81 * l, h = 0.3 / 3000;
    double a = std::atan2(0.4, 1), v = 0;
    for (int i = 0; i < 3000; ++i) {  // leapfrog: errors of h^2
      v += h / 2 * pull / inertia * std::sin(a);
      a += h * v;
      v += h / 2 * pull / inertia * std::sin(a);
    }
    EXPECT_NEAR(run.final.q()(0), N / 2.0 + l * std::sin(a), 1e-6);
    EXPECT_NEAR(run.final.q()(1), l * std::cos(a), 1e-6);
  }
}

// Power that drives put in is told of any number of bodies: a pendulum that is turned by hand among 1001.
TEST(LargeMechanism, EnergyBalanceOfDrives) {
  std::string bodies = "title = \"pendulums\"\ndimensions = 2\ngravity = [0, -9.81]\n", joints;
  for (int k = 0; k <= 1000; ++k) {
    const std::string name = fmt::format("bar{}", k);
    bodies += bar(name, k, 0, k, -1);
    joints += pin(fmt::format("A{}", k), "ground", name, k, 0);
  }
  joints += "[drive.hand]\non = \"A0.angle\"\nmotion = \"t^2\"\n";
  const io::Model model = io::read_model_text(bodies + joints, "pendulums.toml");
  Options options;
  options.t_end = 1;
  options.rtol = options.atol = 1e-8;
  const Solution run =
      solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {}, options);
  ASSERT_TRUE(run.complete()) << run.end_message;
  ASSERT_TRUE(run.energy.has_value());
  // The others hang at rest: what was put in turns the first one by 1 with the rate 2.
  const double gained = 0.5 * (0.1 + 0.25) * 4 + 9.81 * 0.5 * (1 - std::cos(1.0));
  EXPECT_NEAR(run.energy->end - run.energy->start, gained, 1e-6);
  EXPECT_NEAR(run.energy->work, gained, 1e-6);
}

// A spatial four-bar has three rows too many. It is pulled as it is alone, whatever stands beside it, and by both kinds of coordinates.
std::string spatial_four_bar(int k, double x, double l) {
  const double c = l * std::cos(1.2), s = l * std::sin(1.2);
  const auto place = [](double px, double py) { return fmt::format("[{}, {}, 0]", px, py); };
  const auto link = [&](const char* name, const std::string& from, const std::string& to) {
    return fmt::format("[body.{}{}]\nfrom = {}\nto = {}\nmass = 1\ninertia = [{}, {}, {}]\n", name, k, from,
                       to, 0.01 * l * l, l * l / 12, l * l / 12);
  };
  const auto hinge = [&](const char* name, const std::string& between, const std::string& at) {
    return fmt::format("[joint.{}{}]\ntype = \"revolute\"\nbetween = [{}]\nat = {}\naxis = [0, 0, 1]\n", name,
                       k, between, at);
  };
  const std::string A = place(x, 0), B = place(x + 2 * l, 0), C = place(x + c, s),
                    D = place(x + 2 * l + 0.9 * c, 1.1 * s);
  return link("a", A, C) + link("b", B, D) + link("c", C, D) +
         hinge("A", fmt::format("\"ground\", \"a{}\"", k), A) +
         hinge("B", fmt::format("\"ground\", \"b{}\"", k), B) +
         hinge("C", fmt::format("\"a{0}\", \"c{0}\"", k), C) +
         hinge("D", fmt::format("\"b{0}\", \"c{0}\"", k), D);
}

TEST(LargeMechanism, RedundantReactionsBesideALongBody) {
  const int N = 16, odd = 7;
  const double far = 3e4;
  const auto model_of = [](const std::string& elements) {
    return io::read_model_text(
        "title = \"spatial four-bars\"\ndimensions = 3\ngravity = [0, -9.81, 0]\n" + elements,
        "spatial.toml");
  };
  std::string all;
  for (int k = 0; k < N; ++k) all += spatial_four_bar(k, 3.0 * k, k == odd ? far : 1);
  const io::Model model = model_of(all), one = model_of(spatial_four_bar(0, 0, 1)),
                  long_one = model_of(spatial_four_bar(odd, 3.0 * odd, far));
  const auto by_whole_matrices = [](const io::Model& part) {
    return Motion(*mechanics::make_problem(part.mechanism.finished(), mechanics::Matrices::whole),
                  part.mechanism.assembled(part.closing));
  };
  const Motion alone = by_whole_matrices(one), long_alone = by_whole_matrices(long_one);
  const State start = model.mechanism.assembled(model.closing);
  const auto bodies = model.mechanism.problem();
  ASSERT_TRUE(bodies->shape().sparse());
  const Motion together(*bodies, start);

  const mechanics::RelativeCoordinates relative(model.mechanism.finished(), model.mechanism.joints(), start);
  State by_joints = relative.start();
  const Motion of_joints(*relative.problem(), by_joints);
  by_joints.lambda = of_joints.multipliers;
  const Vector again = relative.absolute(by_joints).lambda;

  const Eigen::Index rows = alone.multipliers.size();
  ASSERT_EQ(together.multipliers.size(), N * rows);
  for (int k = 0; k < N; ++k) {
    SCOPED_TRACE(k);
    const Vector& expected = (k == odd ? long_alone : alone).multipliers;
    same("by bodies", together.multipliers.segment(k * rows, rows), expected, 1e-8);
    same("by joints", again.segment(k * rows, rows), expected, 1e-8);
  }
}

class ManyFourBars : public testing::TestWithParam<int> {};

// Ten times all bars lie in line and the constraints lose the rank N.
TEST_P(ManyFourBars, KeepTheirBranch) {
  const int N = GetParam();
  const io::Model model =
      io::read_model_text(io::generated_model("n-four-bar", {{"N", std::to_string(N)}}), "n-four-bar.toml");
  const auto problem = model.mechanism.problem();
  Options options;
  options.t_end = 10;
  options.rtol = options.atol = 1e-9;
  options.output = {.kind = Output::Kind::at, .interval = 0, .times = {10}};
  const Solution run = solve(*problem, model.mechanism.assembled(model.closing), {}, options);
  ASSERT_TRUE(run.complete()) << run.end_message;
  const auto [x, y] = exact_tip(N, 10);
  // Crank 0 stands first; its tip is as far from its centre as the ground is.
  EXPECT_NEAR(2 * run.final.q()(0), x, 1e-5);
  EXPECT_NEAR(2 * run.final.q()(1), y, 1e-5);
  // Each is told: crossed, or, where a step ended in the very place, as a rank that was lost and found again.
  int passages = 0;
  double last = -1;
  for (const Singularity& one : run.singularities) {
    if (one.kind == Singularity::Kind::approaching) continue;
    if (one.t > last + 0.05) ++passages;
    last = one.t;
  }
  EXPECT_EQ(passages, 10);
}
// A fixed step leads into the very place of the first crossing; rows that were lost there come back, and the crossings after it are told.
TEST(LargeMechanism, RowsLostInACrossingComeBack) {
  const io::Model model =
      io::read_model_text(io::generated_model("n-four-bar", {{"N", "20"}}), "n-four-bar.toml");
  Options options;
  options.t_end = 3;
  options.step = 0.003605752572597225;
  const Solution run =
      solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {}, options);
  ASSERT_TRUE(run.complete()) << run.end_message;
  const int rows = model.mechanism.problem()->shape().multipliers();
  bool lost = false;
  int crossings = 0;
  for (const Singularity& one : run.singularities) {
    if (one.kind == Singularity::Kind::rank_changed) lost = one.rank < rows;
    if (one.kind == Singularity::Kind::crossed) ++crossings;
  }
  EXPECT_FALSE(lost);
  EXPECT_GE(crossings, 2);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ManyFourBars, testing::Values(20, 200, 1000));

class ImplicitMethodOfAnySize : public testing::TestWithParam<Method> {};

// Every implicit method that works without zeros finds the motion of several hundred loops, with work that grows like their number.
TEST_P(ImplicitMethodOfAnySize, FindsTheMotionOfManyLoops) {
  const int N = 300;
  const io::Model model =
      io::read_model_text(io::generated_model("n-four-bar", {{"N", std::to_string(N)}}), "n-four-bar.toml");
  Options options;
  options.t_end = 0.05;
  options.rtol = options.atol = 1e-6;
  const Solution run =
      solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), GetParam(), options);
  ASSERT_TRUE(run.complete()) << run.end_message;
  const auto [x, y] = exact_tip(N, 0.05);
  EXPECT_NEAR(2 * run.final.q()(0), x, 1e-5);
  EXPECT_NEAR(2 * run.final.q()(1), y, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ImplicitMethodOfAnySize,
    testing::Values(
        Method{.formulation = "ggl:D=input", .integrator = "bdf"},
        Method{.formulation = "stabilized-index1", .integrator = "bdf"},
        Method{.formulation = "stabilized-index1", .integrator = "radau5"},
        Method{.formulation = "projected-invariants", .integrator = "bdf"},
        Method{.formulation = "projected-invariants:D=input", .integrator = "radau5"},
        Method{.formulation = "projected-invariants:invariants=energy", .integrator = "bdf"},
        Method{.formulation = "overdetermined-index1", .integrator = "bdf"},
        Method{.formulation = "overdetermined-index2", .integrator = "bdf"},
        Method{.formulation = "baumgarte:form=coupled", .integrator = "bdf", .stabilizer = "none"},
        Method{.formulation = "invariant-stabilized", .integrator = "bdf", .stabilizer = "none"},
        Method{.formulation = "invariant-stabilized:F=full", .integrator = "radau5", .stabilizer = "none"}));

// Methods that take M, f and G themselves: the cranks fall as one by a'' = w^2 sin a, in coordinates of bodies and of joints.
TEST(LargeMechanism, MechanicalMethods) {
  const int N = 200;
  const io::Model model =
      io::read_model_text(io::generated_model("n-four-bar", {{"N", std::to_string(N)}}), "n-four-bar.toml");
  const State start = model.mechanism.assembled(model.closing);
  const mechanics::RelativeCoordinates relative(model.mechanism.finished(), model.mechanism.joints(), start);
  Options options;
  options.t_end = 0.02;
  options.step = 0.002;
  const auto [x, y] = exact_tip(N, options.t_end);
  for (const Method& method : {Method{.formulation = "index3", .integrator = "rattle"},
                               Method{.formulation = "index2", .integrator = "half-explicit"},
                               Method{.formulation = "index3", .integrator = "generalized-alpha"},
                               Method{.formulation = "ggl", .integrator = "generalized-alpha"}}) {
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    for (const bool by_joints : {false, true}) {
      const Solution run = by_joints ? solve(*relative.problem(), relative.start(), method, options)
                                     : solve(*model.mechanism.problem(), start, method, options);
      ASSERT_TRUE(run.complete()) << run.end_message;
      const State end = by_joints ? relative.absolute(run.final) : run.final;
      EXPECT_NEAR(2 * end.q()(0), x, 1e-6);  // errors of h^2
      EXPECT_NEAR(2 * end.q()(1), y, 1e-6);
    }
  }
}

TEST(LargeMechanism, MethodsWithWholeMatricesAreRefused) {
  const io::Model model = io::read_model_text(io::generated_model("chain-loop", {{"N", "1200"}}), "c.toml");
  Options options;
  options.t_end = 1e-4;
  options.step = 1e-5;
  for (const Method& method :
       {Method{.formulation = "overdetermined-index2:solution=least-squares", .integrator = "bdf"},
        Method{.formulation = "projected-invariants:D=unit", .integrator = "bdf"}}) {
    try {
      const Solution run =
          solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), method, options);
      FAIL() << run.end_message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("3600 velocities are too many"), std::string::npos)
          << error.what();
    }
  }
  for (const Method& method :
       {Method{}, Method{.formulation = "index1", .integrator = "bdf"},
        Method{.formulation = "baumgarte", .integrator = "radau5"},
        Method{.formulation = "invariant-stabilized", .integrator = "dopri5", .stabilizer = "none"},
        Method{.formulation = "index3", .integrator = "rattle"},
        Method{.formulation = "ggl", .integrator = "generalized-alpha"}})
    EXPECT_TRUE(solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), method, options)
                    .complete())
        << method.formulation;
}

}  // namespace
}  // namespace driftless::tests
