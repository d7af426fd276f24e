// Formulas of mechanisms (mechanism_problem.cpp) against automatic derivatives of what they are defined by (mechanism_model.hpp): every joint
// type, between bodies and to the ground, in the plane and in space, at random states.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include <driftless/core/auto_problem.hpp>
#include <driftless/mechanics/mechanism.hpp>

namespace driftless::tests {
namespace {

using namespace mechanics;

struct Numbers {
  std::mt19937 random{20261116};
  double operator()() { return std::uniform_real_distribution(-1.0, 1.0)(random); }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
  Vec3 unit() {
    const Vec3 v = vector();
    return (1 / norm(v)) * v;
  }
};

Vec3 flat(const Vec3& v) {
  return {v.x, v.y, 0};
}

BodyId add_body(Mechanism& m, const std::string& name, bool planar, Numbers& number) {
  if (planar)
    return m.body(PlanarBody{.name = name,
                             .mass = 2 + number(),
                             .inertia = 2 + number(),
                             .at = flat(number.vector()),
                             .angle = 3 * number()});
  return m.body(SpatialBody{.name = name,
                            .mass = 2 + number(),
                            .inertia = {2, 2.5, 3},
                            .products = {0.1, 0.2, -0.3},
                            .at = number.vector(),
                            .axes = turned(number.unit(), 3 * number())});
}

Marker add_marker(Mechanism& m, BodyId body, bool planar, bool sliding, Numbers& number) {
  if (!planar) return m.marker(body, number.vector(), number.unit(), number.vector());
  const double angle = 3 * number();
  const Vec3 along{std::cos(angle), std::sin(angle), 0};
  return sliding ? m.marker(body, flat(number.vector()), along)
                 : m.marker(body, flat(number.vector()), {0, 0, 1}, along);
}

struct Case {
  std::string type;
  bool planar, grounded;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.type;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [name, entry] : joint_table())
    for (const bool planar : {false, true})
      for (const bool grounded : {false, true})
        if (planar ? entry.planar : entry.spatial) all.push_back({name, planar, grounded});
  return all;
}

const JointEntry& entry_of(const std::string& type) {
  for (const NamedJoint& row : joint_table())
    if (row.name == type) return row.entry;
  throw std::logic_error(type);
}

Settings settings_for(const JointEntry& entry, Numbers& number) {
  Settings settings;
  for (const SettingSpec& spec : entry.settings)
    if (spec.kind == SettingSpec::Kind::profile)
      settings.emplace(spec.name, Profile({2, 0, -2, 0}, {0, 1, 0, -1}, Profile::Kind::closed));
    else
      settings.emplace(spec.name, 1.5 + number());
  return settings;
}

Mechanism mechanism_with(const Case& c, Numbers& number) {
  Mechanism m;
  const JointEntry& entry = entry_of(c.type);
  const bool sliding = c.type == "prismatic" || c.type == "point-on-line" || c.type == "knife-edge";
  const BodyId a = c.grounded ? m.ground() : add_body(m, "a", c.planar, number),
               b = add_body(m, "b", c.planar, number);
  const auto connect = [&](const std::string& type, const std::string& name, BodyId from, BodyId to) {
    const bool slides = sliding || type == "prismatic";
    return m.joint(type, name, add_marker(m, from, c.planar, slides, number),
                   add_marker(m, to, c.planar, slides, number), settings_for(entry_of(type), number));
  };
  JointId joint;
  if (entry.of_joints) {
    joint = connect("revolute", "first", a, b);
    const BodyId third = add_body(m, "third", c.planar, number);
    m.joint(c.type, "joint", joint, connect(c.type == "gear" ? "revolute" : "prismatic", "second", b, third),
            settings_for(entry, number));
  } else {
    joint = connect(c.type, "joint", a, b);
  }
  m.gravity(c.planar ? flat(number.vector()) : number.vector());
  m.force("spring-damper", "strut", add_marker(m, b, c.planar, sliding, number),
          add_marker(m, a, c.planar, sliding, number),
          {{"stiffness", 3}, {"damping", 0.7}, {"rest", 0.4}, {"preload", 0.2}});
  for (const std::string& coordinate : m.coordinates(joint)) {
    m.drive("drive of " + coordinate, joint, coordinate, "sin(2*t)/3 + 0.1*t^2");
    m.force("spring-damper", "spring on " + coordinate, joint, coordinate,
            {{"stiffness", 2}, {"damping", 0.5}, {"rest", 0.1}});
  }
  m.drive("hand", add_marker(m, b, c.planar, sliding, number), c.planar ? Vec3{0, 1, 0} : number.unit(),
          Table({0, 1, 2, 3}, {0, 1, -1, 0.5}, {.interpolation = Interpolation::spline}));
  return m;
}

// All parts by formula against the same by automatic differentiation, at a start with random velocities, and beside it.
void expect_formulas(const Mechanism& m, Numbers& number, bool beside) {
  const auto problem = m.problem();
  const auto automatic = driftless::make_problem(m.finished());
  State state = m.start();
  for (double& value : state.v()) value = number();
  if (beside)
    for (double& value : state.q()) value += 0.3 * number();  // quaternions of any length
  const Shape& s = problem->shape();
  const Vector a = Vector::NullaryExpr(s.nv, [&] { return number(); }),
               lambda = Vector::NullaryExpr(s.ng, [&] { return number(); }),
               kappa = Vector::NullaryExpr(s.nk, [&] { return number(); });
  const Point at(0.7, state.z, a, lambda, kappa);
  Parts parts = Part::mass | Part::force | Part::position | Part::jacobian | Part::rates | Part::curvature |
                Part::input | Part::kinematics | Part::rate_jacobian | Part::force_jacobian |
                Part::mass_product_jacobian | Part::multiplier_jacobian | Part::curvature_jacobian |
                Part::energy | Part::energy_gradient | Part::power | Part::kinematics_jacobian;
  if (s.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian | Part::velocity_drift;
  Evaluation e, o;
  problem->evaluate(parts, at, e);
  automatic->evaluate(parts, at, o);
  const auto same = [&](const char* what, const auto& ours, const auto& expected) {
    ASSERT_EQ(ours.size(), expected.size()) << what;
    if (ours.size() == 0) return;
    EXPECT_LT((ours - expected).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.cwiseAbs().maxCoeff())) << what;
  };
  same("M", e.M, o.M);
  same("f", e.f, o.f);
  same("g", e.g, o.g);
  same("G", e.G, o.G);
  same("B", e.B, o.B);
  same("rates", e.rates, o.rates);
  same("c", e.c, o.c);
  same("L", e.L[0], o.L[0]);
  same("f_z", e.f_z, o.f_z);
  same("(M a)_x", e.Ma_x, o.Ma_x);
  same("(B lambda)_x", e.Bl_x, o.Bl_x);
  same("N", e.N, o.N);
  if (s.nk > 0) {
    same("w", e.w, o.w);
    same("K", e.K, o.K);
    same("ck", e.ck, o.ck);
    same("w_x", e.w_x, o.w_x);
  }
  EXPECT_NEAR(e.energy, o.energy, 1e-12);
  EXPECT_NEAR(e.power, o.power, 1e-12);
}

// dE/dt = P along any motion without constraints, M a = f: E' = E_q N v + E_v a = E_q N v + v . f.
void expect_balance(const Mechanism& m, Numbers& number) {
  const auto problem = m.problem();
  State state = m.start();
  for (double& value : state.v()) value = number();
  const int nv = problem->shape().nv;
  Evaluation e;
  problem->evaluate(Part::force | Part::energy_gradient | Part::power, Point(0.7, state.z), e);
  const double rate = e.energy_z.head(nv).dot(state.v()) + state.v().dot(e.f);
  EXPECT_NEAR(rate, e.power, 1e-11 * (1 + std::abs(e.power)));
}

class EveryJoint : public testing::TestWithParam<Case> {};

TEST_P(EveryJoint, HasTheDerivativesOfItsDefinition) {
  Numbers number;
  for (const bool beside : {false, true, true})
    expect_formulas(mechanism_with(GetParam(), number), number, beside);
}

TEST_P(EveryJoint, ForcesBelongToTheEnergies) {
  Numbers number;
  expect_balance(mechanism_with(GetParam(), number), number);
}

INSTANTIATE_TEST_SUITE_P(Mechanics, EveryJoint, testing::ValuesIn(cases()), [](const auto& c) {
  std::string name =
      c.param.type + (c.param.planar ? "_planar" : "_spatial") + (c.param.grounded ? "_grounded" : "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Every force type, between markers and in joints.
struct ForceCase {
  std::string type;
  bool planar, of_joint;
};

void PrintTo(const ForceCase& c, std::ostream* out) {
  *out << c.type;
}

std::vector<ForceCase> force_cases() {
  std::vector<ForceCase> all;
  for (const auto& [name, entry] : force_table())
    for (const bool planar : {false, true}) {
      if (entry.of_markers) all.push_back({name, planar, false});
      if (entry.of_joints) all.push_back({name, planar, true});
    }
  return all;
}

Mechanism mechanism_with(const ForceCase& c, bool curves, Numbers& number) {
  Mechanism m;
  const BodyId a = add_body(m, "a", c.planar, number), b = add_body(m, "b", c.planar, number),
               other = add_body(m, "other", c.planar, number);
  const auto marker = [&](BodyId body, bool sliding = false) {
    return add_marker(m, body, c.planar, sliding, number);
  };
  const JointId hinge = m.joint("revolute", "hinge", marker(a), marker(b)),
                slide = m.joint("prismatic", "slide", marker(m.ground(), true), marker(other, true));
  m.parameter("k", 0.8);
  const auto& table = force_table();
  const ForceEntry& entry =
      std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.name == c.type; })->entry;
  const std::set<std::string> in_plane = {"kx", "ky", "cx", "cy", "ktz", "ctz"};
  const bool pushes = c.type == "force" || c.type == "follower-force";  // along an axis in the plane
  Settings settings;
  for (const SettingSpec& spec : entry.settings) switch (spec.kind) {
      case SettingSpec::Kind::number:
        if (curves && (spec.name == "stiffness" || spec.name == "damping")) break;  // the curves say that
        if ((c.type == "bushing" || c.type == "rotary-damper") && c.planar && !in_plane.contains(spec.name))
          break;
        settings.emplace(spec.name, 1.5 + number());
        break;
      case SettingSpec::Kind::motion:
        settings.emplace(spec.name, "sin(2*t)");
        break;
      case SettingSpec::Kind::formula:
        settings.emplace(spec.name,
                         "k*hinge.angle*slide.position' + cos(t)*hinge.angle'^2 - slide.position^3");
        break;
      case SettingSpec::Kind::table:
        if (curves)
          settings.emplace(spec.name, Table({-3, -1, 0, 1, 3}, {-5, -1, 0, 0.5, 4},
                                            {.interpolation = Interpolation::spline}));
        break;
      case SettingSpec::Kind::profile:
        break;
    }
  if (c.of_joint) {
    m.force(c.type, "force", hinge, "angle", settings);
    m.force(c.type, "another", slide, "position", settings);
  } else {
    m.force(c.type, "force", marker(a, pushes), marker(b, pushes), settings);
    m.force(c.type, "another", marker(m.ground(), pushes), marker(other, pushes), settings);
  }
  m.force("law", hinge, "angle", [](auto t, auto y, auto rate) { return sin(y) * rate - y * y * t; });
  return m;
}

class EveryForce : public testing::TestWithParam<ForceCase> {};

TEST_P(EveryForce, HasTheDerivativesOfItsDefinition) {
  Numbers number;
  for (const bool curves : {false, true})
    for (const bool beside : {false, true})
      expect_formulas(mechanism_with(GetParam(), curves, number), number, beside);
}

// And none is without effect.
TEST_P(EveryForce, ActsOnTheBodies) {
  Numbers number;
  Mechanism with = mechanism_with(GetParam(), false, number);
  State state = with.start();
  for (double& value : state.v()) value = number();
  Evaluation e;
  with.problem()->evaluate(Part::force, Point(0.7, state.z), e);
  const Vector all = e.f;
  MechanismModel model = with.finished();
  std::erase_if(model.forces, [](const Force& force) { return force.name.starts_with("force"); });
  driftless::make_problem(model)->evaluate(Part::force, Point(0.7, state.z), e);
  EXPECT_GT((all - e.f).cwiseAbs().maxCoeff(), 1e-3);
}

TEST_P(EveryForce, BelongsToItsEnergyAndPower) {
  Numbers number;
  for (const bool curves : {false, true}) expect_balance(mechanism_with(GetParam(), curves, number), number);
}

INSTANTIATE_TEST_SUITE_P(Mechanics, EveryForce, testing::ValuesIn(force_cases()), [](const auto& c) {
  std::string name =
      c.param.type + (c.param.planar ? "_planar" : "_spatial") + (c.param.of_joint ? "_in_joint" : "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace driftless::tests
