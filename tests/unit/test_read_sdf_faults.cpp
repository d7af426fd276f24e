// Bad SDFormat files: each fault has its line, says what is wrong and what to do; what is read and not simulated is told.
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include <driftless/io/robot_file.hpp>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::robot_model_text_of;

std::vector<io::ModelFault> faults_of(const std::string& text) {
  try {
    robot_model_text_of(text, "x.sdf");
  } catch (const io::ModelError& error) {
    return error.faults();
  }
  return {};
}

// Links a and b in lines 2 and 3; what follows begins in line 4.
std::string with_links(const std::string& more) {
  return "<sdf version='1.11'><model name='m'>\n<link name='a'/>\n<link name='b'/>\n" + more +
         "\n</model></sdf>";
}
std::string with_joint(const std::string& type, const std::string& inside) {
  return with_links(fmt::format("<joint name='j' type='{}'>\n<parent>a</parent><child>b</child>\n{}</joint>",
                                type, inside));
}
std::string with_link(const std::string& inside) {
  return with_links("<link name='c'>\n" + inside + "</link>");
}

struct Case {
  std::string text, says;
  int line;
};

void expect_told(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const auto faults = faults_of(c.text);
    const bool found = std::any_of(faults.begin(), faults.end(), [&](const io::ModelFault& f) {
      return f.line == c.line && contains(f.path + ": " + f.message, c.says);
    });
    std::string told;
    for (const io::ModelFault& f : faults) told += fmt::format("{}: {}: {}\n", f.line, f.path, f.message);
    EXPECT_TRUE(found) << c.text << "\nshould say '" << c.says << "' at line " << c.line << ", but says\n"
                       << told;
  }
}

TEST(ReadSdfFaults, OfTheWholeFile) {
  expect_told({
      {"<sdf><model name='m'><link name='a'/></model></sdf>", "version is missing", 1},
      {"<sdf version='1.2'><model name='m'/></sdf>", "'1.2' is not read", 1},
      {"<sdf version='2.0'><model name='m'/></sdf>", "'2.0' is not read", 1},
      {"<sdf version='one'><model name='m'/></sdf>", "'one' is not read", 1},
      {"<sdf version='1.9'></sdf>", "there is no <model> and no <world>", 1},
      {"<sdf version='1.9'><world name='w'/></sdf>", "there is no <model> in it", 1},
      {"<sdf version='1.9'>\n<model name='m'><link name='a'/></model>\n<model name='n'/></sdf>",
       "without a <world> there is one model", 3},
      {"<sdf version='1.9'><model name='m'/></sdf>", "there is no <link> in it", 1},
      {"<sdf version='1.9'><model><link name='a'/></model></sdf>", "name is missing", 1},
      {"<sdf version='1.9'><world name='w'><gravity>0 1</gravity><model name='m'><link "
       "name='a'/></model></world></sdf>",
       "has 2 numbers; 3 are needed", 1},
      {with_links("<include><name>x</name></include>"), "<uri> is missing", 4},
      {with_links("<include><uri>package://x/y</uri></include>"), "'package://x/y' is not fetched", 4},
      {with_links("<include><uri>model://</uri></include>"), "names no file", 4},
      {with_links("<include><uri>x</uri><placement_frame>p</placement_frame></include>"),
       "there is none; give it", 4},
  });
}

TEST(ReadSdfFaults, OfNamesAndFrames) {
  expect_told({
      {with_links("<link name='a'/>"), "'a' is taken by the link of line 2", 4},
      {with_links("<frame name='b'/>"), "'b' is taken by the link of line 3", 4},
      {with_links("<joint name='a' type='fixed'><parent>world</parent><child>b</child></joint>"), "is taken",
       4},
      {with_links("<link/>"), "name is missing", 4},
      {with_links("<frame name='world'/>"), "meaning of its own", 4},
      {with_links("<frame name='__f__'/>"), "meaning of its own", 4},
      {with_links("<frame name='f'>\n<pose relative_to='bb'>0 0 0 0 0 0</pose></frame>"),
       "relative_to: there is no link, joint, frame or model 'bb' here (did you mean", 5},
      {with_links("<frame name='f' attached_to='x::y'/>"), "attached_to: there is no link", 4},
      {with_links("<frame name='f' attached_to='g'/>\n<frame name='g' attached_to='f'/>"),
       "'f', 'g' are attached to each other in a circle", 4},
      {with_links("<frame name='f'><pose relative_to='g'/></frame>\n<frame name='g'><pose "
                  "relative_to='f'/></frame>"),
       "the poses of 'f', 'g' are given by each other in a circle", 4},
      {with_links("<link name='c'><pose relative_to='c'>0 0 0 0 0 0</pose></link>"), "in a circle", 4},
      {"<sdf version='1.9'><model name='m' placement_frame='f'><link name='a'/></model></sdf>",
       "placement_frame: there is no", 1},
      {"<sdf version='1.9'><model name='m' canonical_link='f'><link name='a'/></model></sdf>",
       "canonical_link: there is no", 1},
      {with_links("<frame name='f'>\n<pose>1 2 3</pose></frame>"), "has 3 numbers; 6 are needed", 5},
      {with_links("<frame name='f'>\n<pose>1 2 3 x 0 0</pose></frame>"), "'x' is no number", 5},
      {with_links("<frame name='f'>\n<pose>1 2 nan 0 0 0</pose></frame>"), "not finite", 5},
      {with_links("<frame name='f'>\n<pose rotation_format='rpy'>1 2 3 0 0 0</pose></frame>"),
       "there is no format 'rpy'", 5},
      {with_links("<frame name='f'>\n<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose></frame>"),
       "turns nowhere", 5},
      {with_links(
           "<frame name='f'>\n<pose rotation_format='quat_xyzw' degrees='1'>0 0 0 0 0 0 1</pose></frame>"),
       "has no degrees", 5},
  });
}

TEST(ReadSdfFaults, OfLinks) {
  const std::string box = "<visual name='v'><geometry><box><size>{}</size></box></geometry></visual>";
  expect_told({
      {with_link("<inertial><mass>-1</mass></inertial>"), "the mass is -1 kg (must not be negative)", 5},
      {with_link("<inertial><mass>heavy</mass></inertial>"), "'heavy' is no number", 5},
      {with_link("<inertial><inertia>\n<ixx>0</ixx></inertia></inertial>"), "its inertia is not positive", 4},
      {with_link("<inertial><inertia><ixx>-1</ixx><izz>2</izz></inertia></inertial>"),
       "'c'>: its principal moments of inertia are -1, 1 and 2 (none may be negative); correct them", 4},
      // Where it would become a part of another link, too.
      {with_links("<link name='c'><inertial><inertia><ixy>3</ixy></inertia></inertial></link>"
                  "<joint name='j' type='fixed'><parent>a</parent><child>c</child></joint>"),
       "are -2, 1 and 4", 4},
      {with_link("<visual name='v'><geometry><box>\n<size>1 0 1</size></box></geometry></visual>"),
       "the sizes are 1, 0 and 1 (must be above 0)", 6},
      {with_link("<visual name='v'><geometry><sphere><radius>-2</radius></sphere></geometry></visual>"),
       "it is -2 (must be above 0)", 5},
      {with_link("<visual name='v'><geometry><cylinder><radius>1</radius></cylinder></geometry></visual>"),
       "<length> is missing", 5},
      {with_link("<visual name='v'><geometry/></visual>"), "there is nothing in it", 5},
      {with_link("<visual name='v'/>"), "<geometry> is missing", 5},
      {with_link("<inertial auto='true'/>"), "auto needs a <collision>", 5},
      {with_link("<inertial auto='true'/><collision "
                 "name='c'><geometry>\n<mesh><uri>m.dae</uri></mesh></geometry></collision>"),
       "auto cannot weigh this shape", 6},
      {with_link("<inertial auto='true'><density>0</density></inertial>"), "it is 0 (must be above 0)", 5},
      {with_link("<gravity>maybe</gravity>"), "'maybe' is neither true nor false", 5},
      {with_link("<inertial/><inertial/>"), "there is a second <inertial>", 5},
  });
}

TEST(ReadSdfFaults, OfJoints) {
  const std::string axis = "<axis><xyz>0 0 1</xyz></axis>", axis2 = "<axis2><xyz>0 0 1</xyz></axis2>",
                    reference = "<gearbox_reference_body>world</gearbox_reference_body>";
  expect_told({
      {with_joint("hinge", axis), "there is no joint type 'hinge'; there are revolute", 4},
      {with_joint("revolute2", axis), "write universal where its axes are perpendicular", 4},
      {with_joint("revolute", ""), "<axis> is missing", 4},
      {with_joint("universal", axis), "<axis2> is missing", 4},
      {with_joint("universal", axis + axis2), "is 0 degrees (must be 90)", 4},
      {with_joint("revolute", "<axis><xyz>0 0 0</xyz></axis>"), "has no direction", 6},
      {with_joint("revolute", "<axis><xyz expressed_in='q'>0 0 1</xyz></axis>"),
       "expressed_in: there is no link", 6},
      {with_joint("revolute", "<axis><dynamics><damping>-1</damping></dynamics></axis>"), "the damping is -1",
       6},
      {with_joint("screw", axis + "<thread_pitch>0</thread_pitch>"), "no thread has", 6},
      {with_joint("gearbox", axis + axis2), "<gearbox_reference_body> is missing", 4},
      {with_joint("gearbox", axis + axis2 + reference),
       "there is no revolute joint between the reference body and the parent", 4},
      {with_joint("gearbox", axis + axis2 + reference + "<gearbox_ratio>0</gearbox_ratio>"),
       "gearbox_ratio is 0", 4},
      {with_links("<joint name='j' type='fixed'><parent>a</parent></joint>"), "<child> is missing", 4},
      {with_links("<joint name='j' type='fixed'><child>a</child></joint>"), "<parent> is missing", 4},
      {with_links("<joint name='j' type='fixed'><parent>a</parent>\n<child>q</child></joint>"),
       "there is no link", 5},
      {with_links("<joint name='j' type='fixed'>\n<parent>q</parent><child>a</child></joint>"),
       "there is no link", 5},
      {with_links("<joint name='j' type='fixed'><parent>a</parent><child>a</child></joint>"), "both link 'a'",
       4},
      {with_links("<joint name='j'><parent>a</parent><child>b</child></joint>"), "type is missing", 4},
      {with_joint("revolute", "<axis><mimic joint='k'/></axis>"), "there is no joint 'k' here", 6},
      {with_joint("revolute", "<axis><mimic joint='j'/></axis>"), "cannot follow itself", 6},
      {with_joint("revolute", "<axis><mimic/></axis>"), "joint is missing", 6},
      {with_joint("ball", "<axis><mimic joint='j'/></axis>"), "only joints of one axis", 6},
  });
  const std::string ends = "<parent>world</parent><child>{}</child><axis><mimic joint='{}'/></axis></joint>";
  expect_told({{with_links("<joint name='j' type='revolute'>" + fmt::format(fmt::runtime(ends), "a", "k") +
                           "<joint name='k' type='revolute'>" + fmt::format(fmt::runtime(ends), "b", "j")),
                "follow each other in a circle", 4}});
}

TEST(ReadSdfFaults, AxesOfGearboxesAreThoseOfTheirJoints) {
  const std::string shaft =
      "<joint name='{0}_shaft' type='revolute'><parent>world</parent><child>{0}</child><axis>"
      "<xyz>1 0 0</xyz></axis></joint>";
  expect_told({{with_links(fmt::format(fmt::runtime(shaft), "a") + fmt::format(fmt::runtime(shaft), "b") +
                           "\n<joint name='g' type='gearbox'><parent>a</parent><child>b</child>"
                           "<gearbox_reference_body>world</gearbox_reference_body>"
                           "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint>"),
                "the parent is not parallel", 5}});
}

TEST(ReadSdfFaults, InertiasThatNoBodyHasAreTold) {
  const auto notes = [](const std::string& moments) {
    return robot_model_text_of(with_link("<inertial><inertia>" + moments + "</inertia></inertial>"), "x.sdf")
        .notes;
  };
  const auto tell = [](const std::vector<std::string>& all, const std::string& piece) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& n) { return contains(n, piece); });
  };
  EXPECT_TRUE(
      tell(notes("<izz>50</izz>"),
           "link 'c': no body has moments of inertia 1, 1 and 50 (two of them together are never less "
           "than the third); they are used as they are"));
  EXPECT_FALSE(tell(notes("<izz>2</izz>"), "no body has"));  // a disc
}

TEST(ReadSdfFaults, SeveralAreToldAtOnce) {
  const auto faults =
      faults_of(with_links("<link name='a'/>\n<frame name='f'><pose>1</pose></frame>\n"
                           "<joint name='j' type='odd'><parent>a</parent><child>b</child></joint>"));
  EXPECT_EQ(faults.size(), 3u);
}

TEST(ReadSdfFaults, DeepAndWideFilesAreRefused) {
  const auto nested = [](int models) {
    std::string deep = "<link name='l'/>";
    for (int i = 0; i < models; ++i) deep = "<model name='n'>" + deep + "</model>";
    return "<sdf version='1.9'>" + deep + "</sdf>";
  };
  EXPECT_TRUE(contains(complaint([&] { robot_model_text_of(nested(2499), "x.sdf"); }),
                       "2501 deep (at most 2500); make shorter chains"));
  EXPECT_TRUE(faults_of(nested(99)).empty());
  // A long chain of frames is no trouble.
  std::string chain = "<sdf version='1.9'><model name='m'><link name='l'/>";
  for (int i = 0; i < 20000; ++i)
    chain += fmt::format("<frame name='f{}'><pose relative_to='f{}'>1 0 0 0 0 0</pose></frame>", i, i + 1);
  chain += "<frame name='f20000'/></model></sdf>";
  EXPECT_TRUE(faults_of(chain).empty());
}

TEST(ReadSdfFaults, WhatIsNotSimulatedIsTold) {
  const auto made = robot_model_text_of(R"(<sdf version='1.9'><world name='w'>
      <physics type='ode'><max_step_size>0.001</max_step_size></physics><scene/><plugin name='p' filename='f'/>
      <model name='m' odd='1'><self_collide>true</self_collide><plugin name='p' filename='f'><a/></plugin>
      <link name='a'><gravity>false</gravity><kinematic>1</kinematic><enable_wind>true</enable_wind>
        <velocity_decay><linear>0.1</linear></velocity_decay><sensor name='s' type='imu'/>
        <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
        <visual name='v'><geometry><mesh><uri>m.dae</uri></mesh></geometry></visual>
        <visual name='w'><geometry><box><size>1 1 1</size></box></geometry><material><ambient>1 1 1 1</ambient></material></visual>
        <strange/>
      </link>
      <joint name='j' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz>
        <limit><lower>-1</lower><upper>1</upper></limit><dynamics><friction>0.1</friction></dynamics></axis></joint>
      <joint name='k' type='revolute'><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz>
        <limit><lower>-1e16</lower><upper>inf</upper><effort>-1</effort></limit></axis></joint>
      </model></world></sdf>)",
                                        "x.sdf");
  const auto count = [&](const std::string& piece) {
    return std::count_if(made.notes.begin(), made.notes.end(),
                         [&](const std::string& note) { return contains(note, piece); });
  };
  for (const char* piece :
       {"<gravity>false</gravity> of links (x.sdf:4): these links fall all the same", "kinematic links",
        "wind on links", "velocity decay of links", "sensors", "collision geometry", "<mesh> of visuals",
        "materials beyond", "<strange> in <link>", "attribute odd of <model>", "dry friction of joints",
        "plugins (x.sdf:2 and 1 more)", "settings of physics engines", "<scene> of worlds",
        "collisions of links with each other"})
    EXPECT_EQ(count(piece), 1) << piece;
  EXPECT_EQ(count("limits of joints (position, velocity, effort) (x.sdf:12): joints move beyond them"), 1);
  EXPECT_EQ(count("without <inertial>: 1 kg"), 1);
  io::RobotOptions strict;
  strict.strict = true;
  EXPECT_TRUE(
      contains(complaint([&] {
                 robot_model_text_of(
                     "<sdf version='1.9'><model name='m'><link name='a'><strange/></link></model></sdf>",
                     "x.sdf", strict);
               }),
               "<strange> in <link>"));
}

}  // namespace
}  // namespace driftless::tests
