// check_model() of mechanisms that keep matrices without their zeros: against theory, and against the way with whole matrices on models
// that are small enough for both.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>

#include <driftless/io/model_generators.hpp>

#include "io/model/check_parts.hpp"
#include "model_checks.hpp"

namespace driftless {
namespace {

using namespace model_checks;
using mechanics::Matrices;

constexpr Matrices whole = Matrices::whole, sparse = Matrices::sparse;

io::Model model_of(const std::string& text) {
  return io::read_model_text(text, "test.toml");
}

ModelCheck checked_by(Matrices matrices, const io::Model& model) {
  const io::CheckedMechanism mechanism(model, matrices);
  EXPECT_EQ(mechanism.shape().sparse(), matrices == sparse);
  ModelCheck check;
  io::check_mechanism(mechanism, by_default, check);
  return check;
}

using Part = std::pair<int, Names>;
std::set<Part> parts_of(const ModelCheck& check) {
  std::set<Part> parts;
  for (const io::FreePart& part : check.free) {
    Names bodies = part.bodies;
    std::sort(bodies.begin(), bodies.end());
    parts.insert({part.freedoms, bodies});
  }
  return parts;
}

// Joints and drives that take part in a dependence: which of them is left out is a matter of order. By the number of rows.
std::map<std::set<std::string>, std::size_t> circles_of(const std::vector<io::DependentRows>& groups) {
  std::map<std::set<std::string>, std::size_t> circles;
  for (const io::DependentRows& group : groups) {
    std::set<std::string> circle(group.on.begin(), group.on.end());
    circle.insert(group.owner);
    circles[circle] += group.rows.size();
  }
  return circles;
}

std::string kinds_of(const ModelCheck& check) {
  std::multiset<std::string> kinds;
  for (const Finding& f : check.findings) kinds.insert(f.kind + " of " + f.subject);
  std::string text;
  for (const std::string& kind : kinds) text += kind + "\n";
  return text;
}

void expect_the_same(const io::Model& model) {
  const ModelCheck a = checked_by(whole, model), b = checked_by(sparse, model);
  EXPECT_EQ(a.freedom.rank, b.freedom.rank);
  EXPECT_EQ(a.freedom.freedoms, b.freedom.freedoms);
  EXPECT_EQ(a.freedom.joint_rank, b.freedom.joint_rank);
  EXPECT_EQ(a.freedom.driven, b.freedom.driven);
  EXPECT_EQ(a.freedom.configuration, b.freedom.configuration);
  EXPECT_EQ(parts_of(a), parts_of(b));
  EXPECT_EQ(a.driven, b.driven);
  EXPECT_EQ(a.locked, b.locked);
  EXPECT_EQ(circles_of(a.redundant), circles_of(b.redundant));
  ASSERT_EQ(a.singular.has_value(), b.singular.has_value());
  if (a.singular) {
    EXPECT_EQ(a.singular->nearby, b.singular->nearby);
    EXPECT_EQ(circles_of(a.singular->rows), circles_of(b.singular->rows));
  }
  EXPECT_EQ(a.start.closed, b.start.closed);
  EXPECT_EQ(a.motion.least_rank, b.motion.least_rank);
  EXPECT_EQ(a.motion.largest_rank, b.motion.largest_rank);
  EXPECT_EQ(kinds_of(a), kinds_of(b));
}

// Four-bar linkages in a row, as driftless generate makes them.
std::string generated_row(int N) {
  return io::generated_model("n-four-bar", {{"N", std::to_string(N)}});
}

// The same with cranks that point elsewhere, in the plane or in space with all axes along z.
std::string row(int N, double x, double y, bool planar) {
  const auto at = [&](double px, double py) {
    return planar ? fmt::format("[{}, {}]", px, py) : fmt::format("[{}, {}, 0]", px, py);
  };
  std::string bodies = fmt::format("title = \"row\"\ndimensions = {}\n", planar ? 2 : 3), joints;
  for (int k = 0; k <= N; ++k) {
    bodies += bar(fmt::format("crank{}", k), at(2 * k, 0), at(2 * k + x, y), planar);
    joints += pin(fmt::format("A{}", k), "ground", fmt::format("crank{}", k), at(2 * k, 0));
  }
  for (int k = 1; k <= N; ++k) {
    const std::string coupler = fmt::format("coupler{}", k);
    bodies += bar(coupler, at(2 * k - 2 + x, y), at(2 * k + x, y), planar);
    joints += pin(fmt::format("B{}", k), fmt::format("crank{}", k - 1), coupler, at(2 * k - 2 + x, y)) +
              pin(fmt::format("C{}", k), fmt::format("crank{}", k), coupler, at(2 * k + x, y));
  }
  return bodies + joints;
}

std::string drive(const std::string& name, const std::string& joint, const std::string& motion) {
  return fmt::format("[drive.{}]\non = \"{}.angle\"\nmotion = \"{}\"\n", name, joint, motion);
}

void expect_one_freedom(const ModelCheck& check, int N) {
  EXPECT_EQ(check.counts.velocities, 3 * (2 * N + 1));
  EXPECT_EQ(check.counts.rows(), 2 * (3 * N + 1));
  EXPECT_EQ(check.freedom.rank, 6 * N + 2);
  EXPECT_EQ(check.freedom.freedoms, 1);
  EXPECT_TRUE(check.redundant.empty());
  EXPECT_FALSE(check.singular);
  EXPECT_TRUE(check.start.closed);
  ASSERT_EQ(check.free.size(), 1u);
  EXPECT_EQ(check.free[0].freedoms, 1);
  EXPECT_EQ(check.free[0].bodies.size(), 2u * static_cast<unsigned>(N) + 1);
  EXPECT_TRUE(check.locked.empty());
  EXPECT_TRUE(check.findings.empty()) << told(check);
}

TEST(ModelCheckLarge, FourBarsInARow) {
  for (const int N : {20, 200}) {
    const ModelCheck check = checked(generated_row(N));
    expect_one_freedom(check, N);
    EXPECT_EQ(check.motion.states, 32);
    EXPECT_EQ(check.motion.least_rank, 6 * N + 2);
    EXPECT_EQ(check.motion.largest_rank, 6 * N + 2);
  }
  expect_the_same(model_of(generated_row(20)));
}

// Where whole matrices are refused.
TEST(ModelCheckLarge, ThousandFourBars) {
  expect_one_freedom(checked(generated_row(1000), {}), 1000);
  const ModelCheck chain = checked(io::generated_model("chain-loop", {{"N", "1100"}}), {});
  EXPECT_EQ(chain.freedom.freedoms, 1098);  // 3 N velocities, 2 (N + 1) rows
  ASSERT_EQ(chain.free.size(), 1u);
  EXPECT_EQ(chain.free[0].freedoms, 1098);
  EXPECT_FALSE(chain.has_errors()) << told(chain);
}

// Of each loop of parallel axes three rows close by themselves; they depend on the joints of that loop.
TEST(ModelCheckLarge, SpatialChainHasThreeRedundantRowsForEachLoop) {
  constexpr int N = 30;
  const ModelCheck check = checked(row(N, 0.3, 0.9, false));
  EXPECT_EQ(check.counts.bodies, 61);
  EXPECT_EQ(check.counts.rows(), 5 * (3 * N + 1));
  EXPECT_EQ(check.freedom.freedoms, 1);
  EXPECT_EQ(check.freedom.rank, 6 * 61 - 1);
  EXPECT_EQ(check.motion.least_rank, check.freedom.rank);
  EXPECT_EQ(check.motion.largest_rank, check.freedom.rank);
  EXPECT_FALSE(check.singular);
  EXPECT_EQ(check.redundant_rows(), 3 * N);
  std::map<std::set<std::string>, std::size_t> loops;
  for (int k = 1; k <= N; ++k)
    loops[{fmt::format("A{}", k - 1), fmt::format("A{}", k), fmt::format("B{}", k), fmt::format("C{}", k)}] =
        3;
  EXPECT_EQ(circles_of(check.redundant), loops);
  for (const io::DependentRows& group : check.redundant) {
    EXPECT_EQ(group.of, 5);
    for (const std::string& name : group.rows)
      EXPECT_TRUE(name == group.owner + ", z" || name.starts_with(group.owner + ", tilt")) << name;
  }
  EXPECT_FALSE(check.has_errors()) << told(check);
  expect_the_same(model_of(row(3, 0.3, 0.9, false)));
}

TEST(ModelCheckLarge, RedundantRowsAreThoseThatARunNames) {
  const io::Model model = io::read_model_text(row(4, 0.3, 0.9, false), "test.toml");
  const ModelCheck check = io::check_model(model, {});
  const Solution run =
      solve(*model.mechanism.problem(), model.mechanism.assembled(), Method{}, {.t_end = 0.01});
  ASSERT_EQ(run.notes.size(), 1u);
  ASSERT_EQ(check.redundant.size(), 4u);
  for (const io::DependentRows& group : check.redundant)
    for (const std::string& name : group.rows)
      EXPECT_NE(run.notes[0].find(name + " depends on"), std::string::npos) << name << "\n" << run.notes[0];
}

// With all bars in line every linkage loses a row; at rest no motion leaves the place.
TEST(ModelCheckLarge, SingularStartOfManyLoops) {
  constexpr int N = 40;
  const ModelCheck check = checked(row(N, 1, 0, true));
  EXPECT_EQ(check.freedom.rank, 5 * N + 2);
  EXPECT_EQ(check.freedom.freedoms, N + 1);
  ASSERT_TRUE(check.singular) << told(check);
  EXPECT_EQ(check.singular->rank, 5 * N + 2);
  EXPECT_EQ(check.singular->nearby, 6 * N + 2);
  EXPECT_EQ(check.singular->rows.size(), static_cast<std::size_t>(N));
  EXPECT_TRUE(check.redundant.empty());
  ASSERT_EQ(check.free.size(), 1u);
  EXPECT_EQ(check.free[0].freedoms, 1);
  EXPECT_TRUE(found(check, "singular-start"));
  expect_the_same(model_of(row(2, 1, 0, true)));
}

TEST(ModelCheckLarge, DrivesAreBlamedForWhatTheyRepeat) {
  const std::string first = drive("first", "A0", "3*t"), second = drive("second", "A20", "3*t");
  const ModelCheck one = checked(row(20, 0.3, 0.9, true) + first);
  EXPECT_EQ(one.freedom.driven, 1);
  EXPECT_EQ(one.freedom.freedoms, 0);
  EXPECT_EQ(one.driven.size(), 41u);
  EXPECT_TRUE(one.free.empty() && one.redundant.empty() && one.findings.empty()) << told(one);

  const ModelCheck two = checked(row(20, 0.3, 0.9, true) + first + second);
  EXPECT_EQ(two.freedom.driven, 1);
  ASSERT_EQ(two.redundant.size(), 1u);
  EXPECT_EQ(two.redundant[0].owner, "second");
  EXPECT_TRUE(two.redundant[0].drive);
  EXPECT_EQ(two.redundant[0].on.back(), "first");
  EXPECT_EQ(two.redundant[0].on.size(), 43u);  // both pins of the cranks, 40 of the couplers, the first drive
  EXPECT_TRUE(found(two, "over-driven")) << told(two);
  EXPECT_FALSE(two.has_errors()) << told(two);
  expect_the_same(model_of(row(3, 0.3, 0.9, true) + first + drive("second", "A3", "3*t")));
}

// Two drives at odds by 0.2 rad: joints in between share it.
TEST(ModelCheckLarge, ContradictionsAreErrors) {
  const auto contradicting = [](int N) {
    return row(N, 0.3, 0.9, true) + drive("first", "A0", "3*t") +
           drive("second", fmt::format("A{}", N), "0.2 + 3*t");
  };
  const ModelCheck check = checked(contradicting(50));
  EXPECT_FALSE(check.start.closed);
  ASSERT_TRUE(found(check, "drives")) << told(check);
  EXPECT_EQ(found(check, "drives")->severity, Severity::error);
  const io::Model small = model_of(contradicting(2));
  EXPECT_EQ(found(checked_by(sparse, small), "drives")->text,
            found(checked_by(whole, small), "drives")->text);
  expect_the_same(small);
}

// N bars of 1 m over N + 1 m: what is missing is shared by N + 1 joints.
TEST(ModelCheckLarge, ChainThatIsTooShort) {
  constexpr int N = 60;
  std::string text = "title = \"x\"\ndimensions = 2\n", joints = pin("first", "ground", "b0", "[0, 0]");
  for (int k = 0; k < N; ++k) {
    text += bar(fmt::format("b{}", k), fmt::format("[{}, 0]", k), fmt::format("[{}, 0]", k + 1), true);
    joints +=
        k + 1 < N
            ? fmt::format("[joint.j{0}]\ntype = \"revolute\"\nbetween = [\"b{0}\", \"b{1}\"]\n", k, k + 1)
            : fmt::format("[joint.last]\ntype = \"revolute\"\nbetween = [\"b{}\", \"ground\"]\n", k);
    joints += fmt::format("a = {{at = [0.5, 0]}}\nb = {{at = [{}, 0]}}\n", k + 1 < N ? -0.5 : N + 1.0);
  }
  const ModelCheck check = checked(text + joints);
  const Finding* open = found(check, "assembly");
  ASSERT_TRUE(open) << told(check);
  EXPECT_NE(open->text.find(fmt::format("{:.4g} m", 1.0 / (N + 1))), std::string::npos) << open->text;
}

// Four-bars, double pendulums, triangles that cannot move, pendulums on a driven beam, and a body that hangs on nothing.
std::string mixture(int n) {
  std::string text = "title = \"x\"\ndimensions = 2\ngravity = [0, -9.81]\n", joints;
  const auto add_bar = [&](const std::string& name, double x0, double y0, double x1, double y1) {
    text += bar(name, fmt::format("[{}, {}]", x0, y0), fmt::format("[{}, {}]", x1, y1), true);
  };
  const auto add_pin = [&](const std::string& a, const std::string& b, double x, double y) {
    joints += pin(a + "_" + b, a, b, fmt::format("[{}, {}]", x, y));
  };
  for (int i = 0; i < n; ++i) {
    const double x = 10 * i;
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, i); };
    add_bar(name("crank"), x, 0, x + 0.3, 0.9);
    add_bar(name("coupler"), x + 0.3, 0.9, x + 2, 1.5);
    add_bar(name("rocker"), x + 2.2, 0, x + 2, 1.5);
    add_pin("ground", name("crank"), x, 0);
    add_pin(name("crank"), name("coupler"), x + 0.3, 0.9);
    add_pin(name("coupler"), name("rocker"), x + 2, 1.5);
    add_pin("ground", name("rocker"), x + 2.2, 0);
    add_bar(name("upper"), x, 20, x + 1, 20);
    add_bar(name("lower"), x + 1, 20, x + 1, 19);
    add_pin("ground", name("upper"), x, 20);
    add_pin(name("upper"), name("lower"), x + 1, 20);
    add_bar(name("left"), x, 30, x + 1, 31);
    add_bar(name("right"), x + 2, 30, x + 1, 31);
    add_pin("ground", name("left"), x, 30);
    add_pin(name("left"), name("right"), x + 1, 31);
    add_pin("ground", name("right"), x + 2, 30);
    add_bar(name("beam"), x, 40, x + 2, 40);
    add_pin("ground", name("beam"), x, 40);
    joints += drive(name("motor"), "ground_" + name("beam"), "t");
    for (const char* which : {"p", "q"}) {
      const double at = x + (*which == 'p' ? 1 : 2);
      add_bar(name(which), at, 40, at, 39);
      add_pin(name("beam"), name(which), at, 40);
    }
  }
  add_bar("lost", -5, 0, -5, 1);
  return text + joints;
}

TEST(ModelCheckLarge, PartsAreCountedApart) {
  constexpr int n = 20;
  const ModelCheck check = checked(mixture(n), {});
  EXPECT_EQ(check.freedom.freedoms, n * (1 + 2 + 0 + 2) + 3);
  EXPECT_EQ(check.freedom.driven, n);
  std::map<std::size_t, int> freedoms;  // by the number of bodies
  for (const io::FreePart& part : check.free) freedoms[part.bodies.size()] += part.freedoms;
  EXPECT_EQ(check.free.size(), 4u * n + 1);
  EXPECT_EQ(freedoms, (std::map<std::size_t, int>{{1, 2 * n + 3}, {2, 2 * n}, {3, n}}));
  EXPECT_EQ(check.driven.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(check.locked.size(), 2u * n);
  ASSERT_TRUE(found(check, "disconnected"));
  EXPECT_EQ(found(check, "disconnected")->subject, "body lost");
  EXPECT_TRUE(found(check, "under-driven") && found(check, "locked"));
  expect_the_same(model_of(mixture(2)));
}

// N + 1 equal bars carry a long beam: the first two say where it goes, and of every other one a row is redundant. Seen from the last bar
// the first two are nearly one, and squares of sines drown in roundoff.
TEST(ModelCheckLarge, LongBeamOnManyBarsHasOneFreedom) {
  for (const int N : {50, 100, 200, 400}) {
    SCOPED_TRACE(N);
    std::string text = "title = \"x\"\ndimensions = 2\n" +
                       bar("beam", "[0.4, 1]", fmt::format("[{}.4, 1]", N), true),
                joints;
    for (int k = 0; k <= N; ++k) {
      const std::string name = fmt::format("bar{}", k);
      text += bar(name, fmt::format("[{}, 0]", k), fmt::format("[{}.4, 1]", k), true);
      joints += pin(fmt::format("A{}", k), "ground", name, fmt::format("[{}, 0]", k)) +
                pin(fmt::format("D{}", k), name, "beam", fmt::format("[{}.4, 1]", k));
    }
    const ModelCheck check = checked(text + joints, {});
    EXPECT_EQ(check.freedom.freedoms, 1);
    EXPECT_EQ(check.redundant_rows(), N - 1);
    EXPECT_FALSE(check.singular);
    EXPECT_TRUE(check.locked.empty());
    ASSERT_EQ(check.free.size(), 1u);
    EXPECT_EQ(check.free[0].freedoms, 1);
    EXPECT_EQ(check.free[0].bodies.size(), static_cast<std::size_t>(N) + 2);
  }
}

// Two gears of different ratios between the same two hinges lock both: the bodies of either hinge turn together, and not with those of the
// other, though both rows speak of all four.
TEST(ModelCheckLarge, RowsThatCancelInPairsJoinPairs) {
  const auto pair = [](const std::string& a, const std::string& b, const std::string& x) {
    return bar(a, "[" + x + ", 0]", "[" + x + ", 1]", true) +
           bar(b, "[" + x + ", 1]", "[" + x + ", 2]", true) +
           pin(a + "_foot", "ground", a, "[" + x + ", 0]") + pin(a + "_hinge", a, b, "[" + x + ", 1]");
  };
  const auto gear = [](const std::string& name, int ratio) {
    return fmt::format("[joint.{}]\ntype = \"gear\"\njoints = [\"a_hinge\", \"c_hinge\"]\nratio = {}\n", name,
                       ratio);
  };
  const std::string hinges = "title = \"x\"\ndimensions = 2\n" + pair("a", "b", "0") + pair("c", "d", "5");
  const ModelCheck one = checked_by(sparse, model_of(hinges + gear("mesh", -2)));
  EXPECT_EQ(parts_of(one), (std::set<Part>{{3, {"a", "b", "c", "d"}}}));
  const io::Model two = model_of(hinges + gear("mesh", -2) + gear("other", 3));
  const ModelCheck check = checked_by(sparse, two);
  EXPECT_TRUE(check.redundant.empty());
  EXPECT_EQ(parts_of(check), (std::set<Part>{{1, {"a", "b"}}, {1, {"c", "d"}}}));
  expect_the_same(two);
}

TEST(ModelCheckLarge, PublishedModelsHaveTheSameFindings) {
  for (const char* name : {"andrews", "delta-robot", "flyball-governor", "gear-train", "hanging-chain",
                           "oldham-coupling", "rolling-disc", "scissor-lift", "stewart-platform"}) {
    SCOPED_TRACE(name);
    expect_the_same(io::read_model(fmt::format("{}/models/{}.toml", DRIFTLESS_SOURCE_DIR, name)));
  }
}

}  // namespace
}  // namespace driftless
