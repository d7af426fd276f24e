// The table of what fits with what: every rule is the first to be broken by some combination, and says so.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "catalog/rules.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

struct Combination {
  std::string problem;  // of support/problems.hpp
  Method method;
  Options options = {};
  std::string says;  // no other rule says that
};

// By the names of the rules.
const std::map<std::string, Combination>& combinations() {
  static const std::map<std::string, Combination> all = {
      {"the integrator takes a shape that the formulation gives",
       {"mechanical", {.formulation = "index3", .integrator = "dopri5"}, {}, "index3 gives a differential-"}},
      {"the formulation treats the problem",
       {"order-1", {.formulation = "index3"}, {}, "index3: the system has order 1"}},
      {"the integrator treats the problem",
       {"order-3", {.formulation = "index3", .integrator = "generalized-alpha"}, {}, "generalized-alpha: "}},
      {"the stabilizer treats the problem", {"order-1", {.stabilizer = "post:F=velocity"}, {}, "post: "}},
      {"steps are given where none can be chosen",
       {"mechanical", {.integrator = "rk4"}, {}, "so that it cannot choose its steps"}},
      {"the controller has the error estimate that it needs",
       {"mechanical", {.integrator = "rk4", .controller = "pi"}, {}, "pi needs an error estimate and rk4"}},
      {"an order is chosen of methods that have several",
       {"mechanical", {.integrator = "dopri5", .controller = "bdf-order"}, {}, "dopri5 has only one"}},
      {"steps are chosen together with the order",
       {"mechanical", {.integrator = "bdf", .controller = "pi"}, {}, "bdf wants a lower order"}},
      {"the controller has the step that it needs",
       {"mechanical", {.controller = "fixed"}, {}, "fixed needs the step"}},
      {"no step is given where it is chosen",
       {"mechanical", {.controller = "pi"}, {.step = 0.1}, "so that `step` would be ignored"}},
      {"no tolerances beside a fixed step",
       {"mechanical", {}, {.step = 0.1, .rtol = 1e-3}, "so that `rtol` and `atol` would be ignored"}},
      {"no first step beside a fixed one",
       {"mechanical", {}, {.step = 0.1, .h0 = 0.1}, "so that `h0` would be ignored"}},
      {"a fixed step is not larger than the largest",
       {"mechanical", {}, {.step = 0.1, .hmax = 0.01}, "larger than `hmax`"}},
      {"errors are judged in part where a part is removed",
       {"mechanical",
        {.stabilizer = "forward", .controller = "pi:error=tangential"},
        {},
        "forward removes nothing of it"}},
      {"gains are made for one order",
       {"mechanical",
        {.formulation = "baumgarte:gain=auto", .integrator = "bdf"},
        {},
        "bdf changes both; it damps any gain"}},
      {"nothing is corrected late that has been continued",
       {"mechanical", {.integrator = "bdf", .stabilizer = "forward"}, {}, "forward corrects what was wrong"}},
      {"positions are not moved for velocities that are left to the method",
       {"mechanical",
        {.formulation = "index3", .stabilizer = "post:F=full"},
        {},
        "post:F=full would move positions for it"}},
      {"velocities off the constraints by design are left alone",
       {"mechanical",
        {.formulation = "index3", .integrator = "generalized-alpha", .stabilizer = "post"},
        {},
        "which costs an order"}},
      {"violations are answered once",
       {"mechanical",
        {.formulation = "index2-baumgarte", .stabilizer = "backward"},
        {},
        "backward would answer it once more"}},
      {"the control treats the problem",
       {"order-1", {.controls = {"energy-baumgarte"}}, {}, "energy-baumgarte: it steers the energy"}},
      {"one control steers the energy",
       {"mechanical",
        {.controls = {"energy-descent:mu_v=1", "energy-baumgarte"}},
        {},
        "energy-baumgarte: another control steers the energy already"}}};
  return all;
}

TEST(Rules, EachIsBrokenFirstBySomeCombination) {
  for (const Rule& rule : rules()) {
    SCOPED_TRACE(rule.name);
    ASSERT_TRUE(combinations().contains(rule.name)) << "no combination is known that breaks this rule";
    const Combination& c = combinations().at(rule.name);
    Options options = c.options;
    options.t_end = 1;
    const std::string said = complaint([&] { assemble(*shape_case(c.problem).problem, c.method, options); });
    for (const auto& [name, other] : combinations())
      EXPECT_EQ(contains(said, other.says), name == rule.name) << said << "\nis what is said of: " << name;
  }
}

TEST(Rules, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Rule& rule : rules()) names.insert(rule.name);
  EXPECT_EQ(names.size(), rules().size());
  EXPECT_EQ(names.size(), combinations().size()) << "a combination belongs to no rule";
}

// What a table of traits says of stabilizers is what they do: compared on a state off the constraints, on the level of positions and on
// that of velocities.
TEST(Traits, OfStabilizersAreWhatTheyDo) {
  const ShapeCase& c = shape_case("mechanical");
  const int nq = c.problem->shape().nq, nv = c.problem->shape().nv;
  for (const char* scheme : {"none", "forward", "backward", "post", "projection"})
    for (const char* F : {"full", "block", "split", "transpose", "input", "position", "velocity"}) {
      const bool none = std::string(scheme) == "none";
      const std::string text = none ? scheme : std::string(scheme) + ":F=" + F;
      SCOPED_TRACE(text);
      const auto stabilizer = make_stabilizer(text);
      Manifold manifold(*c.problem);
      stabilizer->start(manifold);
      State off = c.start;
      off.z += 1e-4 * Vector::LinSpaced(off.z.size(), 1, 2);
      const auto moved = [&](const State& from, State state) {
        const Vector before = state.z;
        EXPECT_EQ(stabilizer->apply(manifold, state, {from, 0.1}).status, Status::ok);
        return Vector(state.z - before);
      };
      const StabilizerTraits& traits = stabilizer->traits;
      const Vector now = moved(c.start, off), late = moved(off, c.start);
      EXPECT_EQ(traits.removes_errors(), now.norm() > 1e-6);
      EXPECT_EQ(traits.corrects && traits.late, late.norm() > 1e-6);
      const Vector& move = traits.late ? late : now;
      EXPECT_EQ(traits.moves_positions, move.head(nq).norm() > 1e-6);
      EXPECT_EQ(traits.moves_velocities, move.tail(nv).norm() > 1e-6);
    }
}

}  // namespace
}  // namespace driftless::tests
