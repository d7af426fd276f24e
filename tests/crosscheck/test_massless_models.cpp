// Bodies without mass in model files and in `driftless check`, and what is refused.
#include <gtest/gtest.h>

#include <driftless/io/model_check.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>

#include "crosscheck/massless_cases.hpp"

namespace driftless::tests {
namespace {

using namespace massless_cases;

// on_three_hinges() at rest with rings at the pivot.
const std::string gimbal = R"(title = "gimbal"
gravity = [0.3, -0.2, -9.81]
[body.outer]
massless = true
at = [0.2, -0.1, 1]
[body.inner]
massless = true
at = [0.2, -0.1, 1]
quaternion = [0.6, 0, 0, 0.8]
[body.top]
mass = 2
inertia = [0.3, 0.4, 0.2]
products = [0.01, -0.02, 0.03]
at = [0.3, -0.05, 0.5]
[joint.x]
type = "revolute"
between = ["ground", "outer"]
at = [0.2, -0.1, 1]
axis = [1, 0, 0]
[joint.y]
type = "revolute"
between = ["outer", "inner"]
at = [0.2, -0.1, 1]
axis = [0, 1, 0]
[joint.z]
type = "revolute"
between = ["inner", "top"]
at = [0.2, -0.1, 1]
axis = [0, 0, 1]
[start]
rates = {"x.angle" = 0.8, "y.angle" = -0.6, "z.angle" = 1.5}
)";

io::Model read(const std::string& text) {
  return io::read_model_text(text, "gimbal.toml");
}
std::string faults(const std::string& text) {
  return complaint([&] { read(text); });
}
Solution by_default(const Problem& problem, const State& start, const Options& options) {
  return solve(problem, start, Method{}, options);
}

TEST(MasslessModels, MoveLikeABall) {
  const io::Model model = read(gimbal);
  Mechanism ball;
  const BodyId body = on_a_ball(ball, {0.8, -0.6, 1.5});
  const mechanics::RelativeCoordinates relative(model.mechanism.finished(), model.mechanism.joints(),
                                                model.mechanism.assembled(model.closing));
  const Solution run = relative.absolute(
                     complete(solve(*relative.problem(), relative.start(), explicit_method, sampled(1e-10)))),
                 expected = run_by_bodies(ball);
  same_motion({model.mechanism, {3}, run}, {ball, body, expected}, 1e-8);
  io::ModelOutputs outputs(model, {"top.x", "outer.kinetic", "inner.potential", "energy.total",
                                   "drift.position", "x.fz", "x.torque", "outer.x"});
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    const std::vector<double> row = outputs.row(run.states[i]);
    EXPECT_NEAR(row[0], ball.results().pose(expected.states[i], body).r.x, 1e-8);
    EXPECT_EQ(row[1], 0);
    EXPECT_EQ(row[2], 0);
    EXPECT_NEAR(row[3], energy(ball, ball.start()), 1e-8);
    EXPECT_LE(row[4], 1e-12);
    EXPECT_NEAR(row[5], ball.reaction(expected.states[i], {0}).force.z, 1e-6);
    EXPECT_NEAR(row[6], 0, 1e-7);
    EXPECT_NEAR(row[7], pivot.x, 1e-12);
  }
}

TEST(MasslessModels, AreChecked) {
  int velocities = 0;
  const io::ModelCheck check =
      io::check_model(read(gimbal), [&](const Problem& problem, const State& start, const Options& options) {
        velocities = problem.shape().nv;
        return by_default(problem, start, options);
      });
  for (const io::Finding& finding : check.findings) {
    EXPECT_EQ(finding.kind, "massless") << finding.text;
    EXPECT_EQ(finding.severity, io::Finding::Severity::note);
    EXPECT_EQ(finding.subject, "bodies outer and inner");
  }
  EXPECT_EQ(check.findings.size(), 1u);
  EXPECT_EQ(velocities, 3) << "the short motion is by joints";
  EXPECT_TRUE(check.start.closed);
  EXPECT_TRUE(check.motion.made && check.motion.complete);
  EXPECT_GT(check.motion.states, 5);
  EXPECT_EQ(check.freedom.freedoms, 3);
  EXPECT_EQ(check.redundant_rows(), 0);
}

// A loop that is closed as given, with a row that repeats another: ranks are those of the rows, whatever weighs nothing.
TEST(MasslessModels, RedundantRowsAreFound) {
  const io::ModelCheck check = io::check_model(read(gimbal + R"([joint.again]
type = "revolute"
between = ["ground", "outer"]
at = [0.7, -0.1, 1]
axis = [1, 0, 0]
)"),
                                               by_default);
  EXPECT_FALSE(check.has_errors());
  EXPECT_EQ(check.freedom.freedoms, 3);
  EXPECT_EQ(check.redundant_rows(), 5);
}

TEST(MasslessModels, RefusedInFiles) {
  const std::string planar = faults(
      "title = \"t\"\ndimensions = 2\n[body.a]\nmassless = true\n[joint.j]\ntype = \"revolute\"\n"
      "between = [\"ground\", \"a\"]\n");
  EXPECT_TRUE(contains(planar, "body.a.massless") && contains(planar, "only bodies in space")) << planar;
  const std::string both = faults(
      "title = \"t\"\n[body.a]\nmassless = true\nmass = 1\ninertia = [1, 1, 1]\ncenter = [0, 0, 1]\n"
      "shape = {type = \"sphere\", radius = 1, density = 1}\n");
  for (const char* key : {"mass", "inertia", "center", "shape"})
    EXPECT_TRUE(contains(both, std::string("the body is massless and has ") + key)) << both;
  EXPECT_TRUE(contains(faults("title = \"t\"\n[body.a]\nmassless = 1\n"), "true or false"));
  EXPECT_TRUE(contains(faults("title = \"t\"\n[body.a]\nmassless = false\n"), "'mass' is missing"));
}

TEST(MasslessRefusals, AbsoluteCoordinates) {
  Mechanism m;
  on_three_hinges(m, {});
  EXPECT_EQ(
      complaint([&] { m.problem(); }),
      "body outer has no mass of its own, so that its accelerations do not follow from forces in absolute "
      "coordinates; use `coordinates = relative`");
}

TEST(MasslessRefusals, Numbers) {
  Mechanism m;
  EXPECT_TRUE(contains(complaint([&] { m.body(SpatialBody{.name = "a", .mass = 1, .massless = true}); }),
                       "body a is massless and has mass 1 (must be 0)"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.body(SpatialBody{.name = "a", .inertia = {0, 0.5, 0}, .massless = true});
                       }),
                       "body a is massless and has an inertia (moments 0, 0.5, 0"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.body(SpatialBody{.name = "a", .products = {0, 0, 1}, .massless = true});
                       }),
                       "body a is massless and has an inertia"));
  EXPECT_TRUE(contains(complaint([&] { m.body(SpatialBody{.name = "a"}); }), "not positive"));
  EXPECT_TRUE(contains(complaint([&] {
                         m.body(SpatialBody{.name = "a", .inertia = {1, 1, 1}});
                       }),
                       "body a has mass 0; a body that moves needs a positive one"));
}

TEST(MasslessRefusals, NothingBeyond) {
  Mechanism end, coaxial, ball;
  on_three_hinges(end, {});
  hinge(end, "last", {3}, ring(end, "tip", {0.1, 0, 0}, {}), {1, 0, 0});
  const BodyId between = ring(coaxial, "sleeve", {0.1, 0, 0}, {}), body = top(coaxial, {});
  hinge(coaxial, "first", coaxial.ground(), between, {0.6, 0, 0.8});
  hinge(coaxial, "second", between, body, {0.6, 0, 0.8});
  const BodyId link = ring(ball, "link", {0.1, 0, 0}, {});
  ball.joint("spherical", "socket", ball.ground(), link, {.at = pivot});
  hinge(ball, "pin", link, top(ball, {}), {0, 0, 1});
  for (const auto& [m, says] :
       {std::pair{&end,
                  "body tip has no mass of its own, and no inertia beyond its joints resists last.angle'"},
        {&coaxial,
         "body sleeve has no mass of its own, and no inertia beyond its joints resists first.angle'"},
        {&ball, "body link has no mass of its own, and no inertia beyond its joints resists socket.w"}}) {
    const Mechanism& own = *m;
    const std::string assembled = complaint([&] { own.assembled(); }),
                      by_joints =
                          complaint([&] { RelativeCoordinates(own.finished(), own.joints(), own.start()); });
    EXPECT_TRUE(contains(assembled, says)) << assembled;
    EXPECT_TRUE(contains(by_joints, says)) << by_joints;
  }
}

TEST(MasslessRefusals, FreeBodies) {
  Mechanism m;
  on_three_hinges(m, {});
  const BodyId a = ring(m, "lost", {}, {}), b = ring(m, "lost too", {}, {});
  hinge(m, "between", a, b, {0, 0, 1});
  const std::string why = complaint([&] { m.assembled(); });
  EXPECT_TRUE(contains(why, "body lost has no mass of its own, and no revolute")) << why;
  EXPECT_TRUE(contains(why, "leads from it to the ground or to a body with mass")) << why;
}

// The check tells it as an error, by the same words.
TEST(MasslessRefusals, AreFindings) {
  const io::ModelCheck check = io::check_model(read(gimbal + R"([body.tip]
massless = true
at = [0.2, -0.1, 0]
[joint.last]
type = "revolute"
between = ["top", "tip"]
at = [0.2, -0.1, 0]
)"),
                                               by_default);
  EXPECT_TRUE(check.has_errors());
  ASSERT_FALSE(check.findings.empty());
  EXPECT_TRUE(contains(check.findings[0].text, "body tip has no mass of its own")) << check.findings[0].text;
  EXPECT_EQ(check.freedom.freedoms, 4);
}

}  // namespace
}  // namespace driftless::tests
