// SDFormat: joints, loops and couplings of small examples against numbers by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "sdf_cases.hpp"

namespace driftless::tests {
namespace {

using namespace sdf_cases;

// --- joints ----------------------------------------------------------------------------------------------------------------------

TEST(ReadSdfJoints, TypesOfJoints) {
  const std::string two = "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>";
  const std::vector<std::tuple<std::string, std::string, int>> types = {
      {"revolute", "revolute", 1}, {"continuous", "revolute", 1}, {"prismatic", "prismatic", 1},
      {"fixed", "fixed", 0},       {"ball", "spherical", 3},      {"universal", "universal", 2},
      {"screw", "screw", 1}};
  for (const auto& [sdf_type, type, count] : types) {
    const Model m = model_of(one_model(link("a") + joint("j", sdf_type, "world", "a", two)));
    EXPECT_EQ(type_of(m, "j"), type);
    EXPECT_EQ(freedoms(m), count) << sdf_type;
  }
}

TEST(ReadSdfJoints, AxesAreGivenInTheJointOrInAnotherFrame) {
  const std::string body = "<link name='a'><pose>0 0 0 0 0 1.5707963267948966</pose></link>";
  const auto moved = [&](const std::string& axis, const std::string& version) {
    return place(model_of(one_model(body + joint("j", "prismatic", "world", "a", "<axis>" + axis + "</axis>"),
                                    version)),
                 "a");
  };
  const std::string by = "<initial_position>2</initial_position>";
  expect_near(moved(by + "<xyz>1 0 0</xyz>", "1.8"), {0, 2, 0});
  expect_near(moved(by + "<xyz expressed_in='__model__'>3 0 0</xyz>", "1.8"), {2, 0, 0});
  expect_near(moved(by + "<xyz>1 0 0</xyz>", "1.6"), {0, 2, 0});
  expect_near(moved(by + "<xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame>", "1.6"),
              {2, 0, 0});
  expect_near(moved(by + "<xyz>1 0 0</xyz>", "1.4"), {2, 0, 0});
}

// Right-handed: along the axis for a positive turn. The older element has the opposite sign, in rad/m.
TEST(ReadSdfJoints, PitchOfScrews) {
  const auto moved = [&](const std::string& pitch, const std::string& version) {
    const std::string axis =
        "<axis><initial_position>1.5707963267948966</initial_position><xyz>0 0 1</xyz></axis>";
    return place(model_of(one_model(link("a") + joint("j", "screw", "world", "a", axis + pitch), version)),
                 "a")
        .z;
  };
  EXPECT_NEAR(moved("<screw_thread_pitch>0.02</screw_thread_pitch>", "1.10"), 0.005, 1e-12);
  EXPECT_NEAR(moved("<thread_pitch>100</thread_pitch>", "1.6"), -0.25 * 2 * pi / 100, 1e-12);
  EXPECT_NEAR(moved("<thread_pitch>100</thread_pitch><screw_thread_pitch>0.02</screw_thread_pitch>", "1.10"),
              0.005, 1e-12);
  EXPECT_NEAR(moved("", "1.10"), 0.25, 1e-12);
}

TEST(ReadSdfJoints, UniversalTurnsAboutAxisThenAxis2) {
  const Model m = model_of(
      one_model(link("a") + joint("j", "universal", "world", "a",
                                  "<axis><initial_position>0.4</initial_position><xyz>0 0 1</xyz></axis>"
                                  "<axis2><initial_position>0.7</initial_position><xyz>0 1 0</xyz></axis2>"),
                "1.6"));
  const Mat3 R = axes(m, "a");  // about z by 0.4, then about its own y by 0.7
  expect_near(R.y, {-std::sin(0.4), std::cos(0.4), 0});
  expect_near(R.z, {std::sin(0.7) * std::cos(0.4), std::sin(0.7) * std::sin(0.4), std::cos(0.7)});
  // The world as child: the same joint, turned round.
  const Model round = model_of(
      one_model(link("a") + joint("j", "universal", "a", "world",
                                  "<axis><initial_position>-0.7</initial_position><xyz>0 1 0</xyz></axis>"
                                  "<axis2><initial_position>-0.4</initial_position><xyz>0 0 1</xyz></axis2>"),
                "1.6"));
  expect_near(axes(round, "a").z, R.z);
  EXPECT_EQ(freedoms(round), 2);
}

// Damping, a spring and a start in one swing: J phi'' = -c phi' - k (phi - rest), critically damped.
TEST(ReadSdfJoints, SpringsAndDampersActAlongCoordinates) {
  const std::string axis =
      "<axis><initial_position>1</initial_position><xyz>0 0 1</xyz><dynamics><damping>4</damping>"
      "<spring_stiffness>4</spring_stiffness><spring_reference>0.5</spring_reference></dynamics></axis>";
  const double expected = 0.5 + 0.5 * (1 + 2 * 0.8) * std::exp(-2 * 0.8);
  const Model m = model_of(one_model(link("a") + joint("j", "revolute", "world", "a", axis), "1.6"));
  EXPECT_NEAR(final_value(m, 0.8, "j.angle"), expected, 1e-7);
  // Parent and child exchanged: the coordinate is that of the file all the same.
  const Model round = model_of(one_model(link("a") + joint("j", "revolute", "a", "world", axis), "1.6"));
  EXPECT_NEAR(final_value(round, 0.8, "j.angle"), expected, 1e-7);
  EXPECT_NEAR(axes(round, "a").x.y, -std::sin(1), 1e-12);
}

TEST(ReadSdfJoints, DampingOfBallsAndOfUniversalJoints) {
  const auto text = [&](const std::string& type, double second) {
    return robot_model_text_of(
        one_model(
            link("a") +
            joint("j", type, "world", "a",
                  "<axis><xyz>0 0 1</xyz><dynamics><damping>0.5</damping></dynamics></axis>" +
                      fmt::format("<axis2><xyz>1 0 0</xyz><dynamics><damping>{}</damping></dynamics></axis2>",
                                  second))),
        "x.sdf");
  };
  EXPECT_TRUE(contains(text("ball", 0).text, "ctx = 0.5"));
  // About the first axis, which the parent has, and about the second one, of the child.
  EXPECT_TRUE(contains(text("universal", 0.4).text, "ctx = 0.4"));
  EXPECT_TRUE(contains(text("universal", 0.4).text, "ctz = 0.5"));
  EXPECT_FALSE(contains(text("universal", 0).text, "ctx"));
}

// --- loops and couplings ---------------------------------------------------------------------------------------------------------

TEST(ReadSdfJoints, FiveBarHasTwoFreedomsAndALoop) {
  const auto made = io::robot_model_text(robots + "five_bar.sdf");
  const Model m = io::read_robot(robots + "five_bar.sdf");
  EXPECT_TRUE(contains(made.text, "[joint.tip]  # closes a loop"));
  EXPECT_FALSE(told(made.notes, "not simulated"));
  const io::ModelCheck check = io::check_model(m);
  EXPECT_EQ(check.counts.rows(), 25);
  EXPECT_EQ(check.freedom.rank, 22);
  EXPECT_EQ(check.freedom.freedoms, 2);
  EXPECT_FALSE(check.start.moved);
  expect_near(place(m, "left_rod"), {-0.06, 0, 0.58});
  expect_near(place(m, "right_rod"), {0.26, 0, 0.58});
  EXPECT_NEAR(at_start(m, "tip.angle"), 0, 1e-12);
  const double before = at_start(m, "energy.total");
  EXPECT_LT(final_value(m, 0.2, "energy.total"), before);  // dampers
}

TEST(ReadSdfJoints, GearTrainTurnsByItsRatios) {
  const Model m = io::read_robot(robots + "gear_train.sdf");
  EXPECT_EQ(freedoms(m), 1);
  const double pinion = 0.5 * (1 - std::cos(10 * 0.4));
  EXPECT_NEAR(final_value(m, 0.4, "pinion_shaft.angle"), pinion, 1e-7);
  EXPECT_NEAR(final_value(m, 0.4, "wheel_shaft.angle"), -pinion / 2, 1e-7);
  EXPECT_NEAR(final_value(m, 0.4, "output_shaft.angle"), pinion / 4, 1e-7);
}

// The sign of the ratio turns with each axis against the gear's, and with each joint whose parent is the wheel.
TEST(ReadSdfJoints, GearboxesMindAxesAndDirections) {
  const auto ratio = [&](const std::string& first, const std::string& second, const std::string& axis2) {
    const auto text =
        robot_model_text_of(
            one_model(
                link("h") + link("p") + link("w") + joint("foot", "fixed", "world", "h", "") + first +
                second +
                joint("g", "gearbox", "p", "w",
                      "<gearbox_reference_body>h</gearbox_reference_body><gearbox_ratio>3</gearbox_ratio>"
                      "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>" +
                          axis2 + "</xyz></axis2>")),
            "x.sdf")
            .text;
    const auto at = text.find("c1 = ", text.find("[joint.g]"));
    return at == text.npos ? 0.0 : std::stod(text.substr(at + 5));
  };
  const std::string up = "<axis><xyz>0 0 1</xyz></axis>", down = "<axis><xyz>0 0 -2</xyz></axis>";
  EXPECT_EQ(ratio(joint("a", "revolute", "h", "p", up), joint("b", "revolute", "h", "w", up), "0 0 1"), -3);
  EXPECT_EQ(ratio(joint("a", "revolute", "h", "p", up), joint("b", "revolute", "h", "w", up), "0 0 -1"), 3);
  EXPECT_EQ(ratio(joint("a", "revolute", "h", "p", down), joint("b", "revolute", "h", "w", up), "0 0 1"), 3);
  EXPECT_EQ(ratio(joint("a", "revolute", "p", "h", up), joint("b", "revolute", "h", "w", up), "0 0 1"), 3);
  EXPECT_EQ(ratio(joint("a", "revolute", "p", "h", down), joint("b", "revolute", "w", "h", up), "0 0 1"), 3);
}

TEST(ReadSdfJoints, MimicFollowsAndStartsThere) {
  const Model m = model_of(one_model(
      link("a") + link("b") + link("c") +
          joint("third", "revolute", "world", "c", "<axis><xyz>0 0 1</xyz><mimic joint='second'/></axis>") +
          joint("second", "prismatic", "world", "b",
                "<axis><xyz>1 0 0</xyz><mimic joint='first' "
                "axis='axis'><multiplier>2</multiplier><offset>0.3</offset>"
                "<reference>0.1</reference></mimic></axis>") +
          joint("first", "revolute", "world", "a"),
      "1.11"));
  EXPECT_EQ(freedoms(m), 1);
  EXPECT_NEAR(at_start(m, "second.position"), 0.1, 1e-12);  // 2 (0 - 0.1) + 0.3
  EXPECT_NEAR(at_start(m, "third.angle"), 0.1, 1e-12);
  EXPECT_NEAR(place(m, "b").x, 0.1, 1e-12);
}

TEST(ReadSdfJoints, StartsThatOtherJointsSayAreTold) {
  const std::string axis = "<axis><xyz>0 0 1</xyz>{}</axis>",
                    start = "<initial_position>0.4</initial_position>";
  const auto turned = [&](const std::string& more) { return fmt::format(fmt::runtime(axis), more); };
  // A ring of which the last joint closes the loop.
  const auto ring = [&](const std::string& type, const std::string& inside) {
    return robot_model_text_of(
               one_model(link("a", "0 0 0 0 0 0") + link("b", "1 0 0 0 0 0") + link("c", "0 1 0 0 0 0") +
                         joint("j1", "revolute", "a", "b", turned("")) +
                         joint("j2", "revolute", "b", "c", turned("")) + joint("j3", type, "c", "a", inside)),
               "x.sdf")
        .notes;
  };
  const std::string loop =
      "joint 'j3' closes a loop: where it starts follows from the other joints, not from its "
      "initial_position";
  EXPECT_TRUE(told(ring("revolute", turned(start)), loop));
  EXPECT_TRUE(told(ring("universal", turned("") + "<axis2><xyz>1 0 0</xyz>" + start + "</axis2>"), loop));
  EXPECT_FALSE(told(ring("revolute", turned("")), "initial_position"));
  EXPECT_FALSE(told(ring("universal", turned("") + "<axis2><xyz>1 0 0</xyz></axis2>"), "initial_position"));
  // One that follows another.
  const auto pair = [&](const std::string& leader, const std::string& follower) {
    return robot_model_text_of(
               one_model(link("a") + link("b") + joint("lead", "revolute", "world", "a", turned(leader)) +
                             joint("follow", "revolute", "world", "b", turned(follower)),
                         "1.11"),
               "x.sdf")
        .notes;
  };
  const std::string half = "<mimic joint='lead'><multiplier>0.5</multiplier><offset>0.2</offset></mimic>";
  EXPECT_TRUE(
      told(pair("", start + half),
           "joint 'follow' follows another one: it starts at 0.2, not at its initial_position of 0.4"));
  EXPECT_FALSE(told(pair(start, start + half), "initial_position"));  // 0.5 0.4 + 0.2
  EXPECT_FALSE(told(pair(start, half), "initial_position"));
}

// A ring of four links that touches nothing, a chain whose only way to the world leads against its joints, and a second parent.
TEST(ReadSdfJoints, WhatHangsOnWhatIsFoundInAnyOrder) {
  const std::string four = link("a", "0 0 0 0 0 0") + link("b", "1 0 0 0 0 0") + link("c", "1 1 0 0 0 0") +
                           link("d", "0 1 0 0 0 0");
  const std::string ring = four + joint("j1", "revolute", "a", "b") + joint("j2", "revolute", "b", "c") +
                           joint("j3", "revolute", "c", "d") + joint("j4", "revolute", "d", "a");
  const Model m = model_of(one_model(ring));
  EXPECT_EQ(freedoms(m), 7);
  EXPECT_TRUE(contains(robot_model_text_of(one_model(ring), "x.sdf").text, "[joint.j4]  # closes a loop"));
  const auto chain = robot_model_text_of(one_model(link("a") + link("b") + joint("j", "revolute", "a", "b") +
                                                   joint("k", "revolute", "b", "world")),
                                         "x.sdf");
  EXPECT_FALSE(told(chain.notes, "moves freely"));
  EXPECT_FALSE(contains(chain.text, "closes a loop"));
  EXPECT_TRUE(contains(chain.text, "between = [\"ground\", \"b\"]"));
  EXPECT_TRUE(contains(chain.text, "between = [\"b\", \"a\"]"));
  const auto second =
      robot_model_text_of(one_model(link("a") + link("b") + joint("j", "revolute", "world", "b") +
                                    joint("k", "revolute", "a", "b") + joint("l", "revolute", "world", "a")),
                          "x.sdf");
  EXPECT_TRUE(contains(second.text, "[joint.k]  # closes a loop"));
}

}  // namespace
}  // namespace driftless::tests
