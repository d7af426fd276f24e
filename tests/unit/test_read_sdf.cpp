// SDFormat: frames, masses and included files of small examples against numbers by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "sdf_cases.hpp"

namespace driftless::tests {
namespace {

using namespace sdf_cases;

// --- frames ----------------------------------------------------------------------------------------------------------------------

TEST(ReadSdf, PosesAreRollPitchYawInTheModelThenInTheWorld) {
  // The model is turned by 90 degrees about z: its x is the world's y.
  const Model m = model_of(sdf("<model name='m'><pose>1 2 3 0 0 1.5707963267948966</pose>" +
                               link("a", "0.5 0 0 0.3 0 0") + "</model>"));
  expect_near(place(m, "a"), {1, 2.5, 3});
  const Mat3 R = axes(m, "a");  // about z after about x
  expect_near(R.x, {0, 1, 0});
  expect_near(R.y, {-std::cos(0.3), 0, std::sin(0.3)});
  const Model order = model_of(one_model(link("a", "0 0 0 0.1 0.2 0.3")));
  EXPECT_NEAR(axes(order, "a").x.z, -std::sin(0.2), 1e-12);
  EXPECT_NEAR(axes(order, "a").x.y, std::sin(0.3) * std::cos(0.2), 1e-12);
  EXPECT_NEAR(axes(order, "a").y.z, std::cos(0.2) * std::sin(0.1), 1e-12);
}

TEST(ReadSdf, DegreesAndQuaternions) {
  const Model m =
      model_of(one_model("<link name='a'><pose degrees='true'>0 0 0 0 0 90</pose></link>"
                         "<link name='b'><pose rotation_format='quat_xyzw'>1 0 0 0 0 2 2</pose></link>"
                         "<link name='c'><pose/></link>"));
  for (const char* name : {"a", "b"}) {
    expect_near(axes(m, name).x, {0, 1, 0});
    expect_near(axes(m, name).z, {0, 0, 1});
  }
  expect_near(place(m, "b"), {1, 0, 0});
  expect_near(place(m, "c"), {0, 0, 0});
}

// Link on joint on frame on link, as URDF would have it; each step is turned by 90 degrees about z.
TEST(ReadSdf, RelativeToLeadsThroughFramesAndJoints) {
  const std::string quarter = " 0 0 1.5707963267948966";
  const Model m = model_of(one_model(
      link("base", "1 0 0" + quarter) + "<frame name='mount' attached_to='base'><pose>1 0 0" + quarter +
      "</pose></frame>"
      "<joint name='hinge' type='revolute'><pose relative_to='mount'>1 0 0" +
      quarter +
      "</pose>"
      "<parent>base</parent><child>arm</child><axis><xyz>1 0 0</xyz></axis></joint>"
      "<link name='arm'><pose relative_to='hinge'>1 0 0 0 0 0</pose></link>" +
      joint("foot", "fixed", "world", "base", "")));
  // base (1,0); mount one along +y: (1,1); hinge one along -x: (0,1); arm one along -y: (0,0).
  expect_near(place(m, "base"), {1, 0, 0});
  expect_near(place(m, "arm"), {0, 0, 0});
  expect_near(axes(m, "arm").x, {0, -1, 0});
  EXPECT_NEAR(at_start(m, "hinge.angle"), 0, 1e-12);
  EXPECT_EQ(freedoms(m), 1);
}

TEST(ReadSdf, FramesMayBeParentsAndChildrenOfJoints) {
  const Model m = model_of(one_model(
      link("base") + link("arm", "2 0 0 0 0 0") +
      "<frame name='a' attached_to='base'><pose>1 0 0 0 0 0</pose></frame>"
      "<frame name='b' attached_to='arm'><pose>-1 0 0 0 0 0</pose></frame><frame name='c' attached_to='b'/>" +
      joint("foot", "fixed", "world", "base", "") + joint("hinge", "revolute", "a", "c")));
  ASSERT_EQ(m.joints.size(), 2u);
  EXPECT_EQ(m.joints[1].of, (std::vector<std::string>{"base", "arm"}));
  // The arm turns about (1, 0): its origin stays one away from there.
  const Model turned = model_of(one_model(
      link("arm", "2 0 0 0 0 0") + "<frame name='c' attached_to='arm'><pose>-1 0 0 0 0 0</pose></frame>" +
          joint("hinge", "revolute", "world", "c",
                "<axis><initial_position>0.5</initial_position><xyz>0 0 1</xyz></axis>"),
      "1.8"));
  expect_near(place(turned, "arm"), {1 + std::cos(0.5), std::sin(0.5), 0});
}

TEST(ReadSdf, PlacementFrameAndNestedModels) {
  const Model m = model_of(sdf(R"(<world name='w'><gravity>0 0 -3.7</gravity>
      <frame name='table'><pose>0 0 1 0 0 0</pose></frame>
      <model name='mug' placement_frame='bottom'><pose relative_to='table'>5 0 0 0 0 1.5707963267948966</pose>
        <link name='cup'/>
        <frame name='bottom'><pose>1 0 -0.5 0 0 0</pose></frame>
        <model name='handle'><pose relative_to='cup'>0 1 0 0 0 0</pose><link name='ring'/></model>
        <joint name='glue' type='fixed'><parent>cup</parent><child>handle::ring</child></joint>
      </model></world>)"));
  // The bottom is at (5, 0, 1) and turned by 90 degrees; the model lies -(1, 0, -0.5) from it by these axes.
  expect_near(place(m, "cup"), {5, -1, 1.5});
  expect_near(place(m, "handle::ring"), {4, -1, 1.5});
  EXPECT_EQ(m.title, "mug");
  EXPECT_EQ(freedoms(m), 6);
  EXPECT_TRUE(contains(robot_model_text_of(one_model(link("a")), "x.sdf").text, "gravity = [0, 0, -9.8]"));
  EXPECT_TRUE(contains(robot_model_text_of(sdf("<world name='w'><physics type='ode'><gravity>0 0 -2</gravity>"
                                               "</physics><model name='m'><link name='a'/></model></world>",
                                               "1.5"),
                                           "x.sdf")
                           .text,
                       "gravity = [0, 0, -2]"));
}

TEST(ReadSdf, SeveralModelsAreToldApartAndStaticOnesAreGround) {
  const std::string text =
      sdf("<world name='w'>"
          "<model name='wall'><static>true</static><pose>0 0 2 0 0 0</pose>" +
              link("l") + link("k") + joint("j", "revolute", "l", "k") + "</model><model name='a'>" +
              link("l", "1 0 2 0 0 0") + "</model><model name='b'>" + link("l", "2 0 2 0 0 0") +
              joint("j", "revolute", "l", "world") + "</model>" + joint("j", "revolute", "wall::l", "a::l") +
              "</world>",
          "1.11");
  const auto made = robot_model_text_of(text, "x.sdf");
  const Model m = model_of(text);
  EXPECT_EQ(m.bodies.size(), 2u);
  EXPECT_EQ(m.joints.size(), 2u);
  expect_near(place(m, "a::l"), {1, 0, 2});
  EXPECT_EQ(freedoms(m), 2);
  EXPECT_EQ(m.title, "w");
  EXPECT_TRUE(told(made.notes, "model 'wall' is static"));
  EXPECT_TRUE(told(made.notes, "joints between what is static"));
}

// --- masses ----------------------------------------------------------------------------------------------------------------------

TEST(ReadSdf, InertialIsTurnedIntoTheLink) {
  const Model m = model_of(
      one_model(link("a", "1 0 0 0 0 0",
                     "<inertial><pose>0.1 0.2 0.3 0 0 "
                     "1.5707963267948966</pose><mass>3</mass><inertia><ixx>1</ixx><iyy>2</iyy>"
                     "<izz>2.5</izz><ixy>0.1</ixy><ixz>0.2</ixz><iyz>0.3</iyz></inertia></inertial>") +
                link("b")));
  const auto a = body_of(m, "a"), b = body_of(m, "b");
  EXPECT_EQ(a.mass, 3);
  expect_near(a.origin, {-0.1, -0.2, -0.3});
  // x of the inertia's axes is y of the link, y is -x.
  EXPECT_NEAR(a.inertia.x.x, 2, 1e-12);
  EXPECT_NEAR(a.inertia.y.y, 1, 1e-12);
  EXPECT_NEAR(a.inertia.x.y, -0.1, 1e-12);
  EXPECT_NEAR(a.inertia.y.z, 0.2, 1e-12);
  EXPECT_NEAR(a.inertia.x.z, -0.3, 1e-12);
  EXPECT_EQ(b.mass, 1);
  EXPECT_EQ(b.inertia.y.y, 1);
}

// A comment is no end of a text, and no part of it.
TEST(ReadSdf, TextGoesOnAfterComments) {
  const auto mass = [](const std::string& text) {
    return body_of(model_of(one_model(link("a", "1 0 <!-- x, y --> 2 0<!-- and -->  0 <!--z--> <!--no--> 0.5",
                                           "<inertial><mass>" + text + "</mass></inertial>"))),
                   "a")
        .mass;
  };
  EXPECT_EQ(mass("1<!-- c -->0"), 10);
  EXPECT_EQ(mass("<!-- kg --> 2.5 <!-- or so -->"), 2.5);
  EXPECT_EQ(mass("1<![CDATA[2]]>.<!-- c -->5"), 12.5);
  EXPECT_EQ(mass("3<unknown/>"), 3);
  // Two numbers, whatever parts them.
  EXPECT_TRUE(contains(complaint([&] { mass("1 <!-- c --> 0"); }), "1 are needed"));
  EXPECT_TRUE(contains(complaint([&] { mass("1<unknown/>0"); }), "1 are needed"));
  expect_near(place(model_of(one_model(link("a", "1 0 <!-- x, y --> 2 0<!-- and -->  0 0"))), "a"),
              {1, 0, 2});
}

TEST(ReadSdf, MassFromCollisionShapes) {
  const auto solid = [](const std::string& shape, const std::string& more = "") {
    return "<collision name='c'><geometry>" + shape + "</geometry>" + more + "</collision>";
  };
  const Model m = model_of(one_model(
      link("box", "0 0 0 0 0 0",
           "<inertial auto='true'><density>500</density></inertial>" +
               solid("<box><size>1 2 3</size></box>", "<pose>1 0 0 0 0 1.5707963267948966</pose>")) +
      link("egg", "0 0 0 0 0 0",
           "<inertial auto='true'/>" +
               solid("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "<density>2</density>")) +
      link("scaled", "0 0 0 0 0 0",
           "<inertial auto='true'><mass>6</mass></inertial>" +
               solid("<sphere><radius>0.5</radius></sphere>"))));
  const auto box = body_of(m, "box"), egg = body_of(m, "egg"), scaled = body_of(m, "scaled");
  EXPECT_NEAR(box.mass, 3000, 1e-9);
  expect_near(box.origin, {-1, 0, 0});
  EXPECT_NEAR(box.inertia.x.x, 3000 * (1 + 9) / 12.0, 1e-9);  // turned: y of the box is x of the link
  EXPECT_NEAR(box.inertia.y.y, 3000 * (4 + 9) / 12.0, 1e-9);
  const double mass = 2 * 4 * pi / 3 * 6;
  EXPECT_NEAR(egg.mass, mass, 1e-12);
  EXPECT_NEAR(egg.inertia.x.x, mass * 13 / 5, 1e-12);
  EXPECT_NEAR(egg.inertia.y.y, mass * 10 / 5, 1e-12);
  EXPECT_NEAR(egg.inertia.z.z, mass * 5 / 5, 1e-12);
  EXPECT_NEAR(scaled.mass, 6, 1e-12);
  EXPECT_NEAR(scaled.inertia.x.x, 0.4 * 6 * 0.25, 1e-12);
}

TEST(ReadSdf, VisualsAreShapes) {
  const Model m = model_of(one_model(
      "<frame name='f'><pose>0 0 3 0 0 0</pose></frame>" +
      link(
          "a", "0 0 1 0 0 0",
          "<visual name='v'><pose relative_to='f'>1 0 0 0 0 0</pose><geometry><cylinder><radius>0.1</radius>"
          "<length>2</length></cylinder></geometry><material><diffuse>1 0 0.5 1</diffuse></material></visual>"
          "<visual "
          "name='w'><geometry><capsule><radius>0.1</radius><length>2</length></capsule></geometry></"
          "visual>")));
  ASSERT_EQ(m.bodies.at(0).shapes.size(), 2u);
  expect_near(m.bodies[0].shapes[0].at, {1, 0, 2});
  EXPECT_EQ(m.bodies[0].shapes[0].color, "#ff0080");
  EXPECT_EQ(m.bodies[0].shapes[1].kind, io::BodyShape::Kind::capsule);
}

// --- other files -----------------------------------------------------------------------------------------------------------------

TEST(ReadSdf, IncludesModelsOfOtherFiles) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "driftless_read_sdf";
  fs::create_directories(folder / "wheel");
  fs::create_directories(folder / "parts");
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  write("wheel/model.sdf",
        sdf("<model name='wheel'><pose>9 9 9 0 0 0</pose>" + link("rim", "0 0 0.1 0 0 0") + "</model>"));
  write("parts/axle.sdf",
        sdf("<model name='axle'>" + link("rod") + "<include><uri>stub.sdf</uri></include></model>"));
  write("parts/stub.sdf", sdf("<model name='stub'>" + link("end", "0 0 1 0 0 0") + "</model>"));
  write("self.sdf", sdf("<model name='self'>" + link("x") +
                        "<include><uri>self.sdf</uri><name>y</name></include></model>"));
  const auto include = [](const std::string& uri, const std::string& more) {
    return "<include><uri>" + uri + "</uri>" + more + "</include>";
  };
  const Model m = model_of(
      one_model(link("base") +
                include("model://wheel", "<name>left</name><pose relative_to='base'>0 1 0 0 0 0</pose>") +
                include("wheel", "<name>right</name><pose>0 -1 0 0 0 0</pose><static>true</static>") +
                include("parts/axle.sdf", "") +
                "<include merge='true'><uri>wheel/model.sdf</uri><pose>0 0 5 0 0 0</pose></include>" +
                joint("j", "revolute", "base", "left::rim") + joint("k", "revolute", "right::rim", "base") +
                joint("l", "fixed", "rim", "axle::stub::end", "")),
      folder / "x.sdf");
  expect_near(place(m, "left::rim"), {0, 1, 0.1});
  expect_near(place(m, "axle::stub::end"), {0, 0, 1});
  expect_near(place(m, "rim"), {0, 0, 5.1});
  EXPECT_EQ(m.bodies.size(), 5u);
  EXPECT_TRUE(
      contains(complaint([&] { model_of(one_model(link("a") + include("self.sdf", "")), folder / "x.sdf"); }),
               "includes itself"));
  EXPECT_TRUE(
      contains(complaint([&] { model_of(one_model(link("a") + include("../x", "")), folder / "x.sdf"); }),
               "outside of the folder"));
  EXPECT_TRUE(contains(
      complaint([&] { model_of(one_model(link("a") + include("https://a/b", "")), folder / "x.sdf"); }),
      "is not fetched"));
  EXPECT_TRUE(contains(
      complaint([&] { model_of(one_model(link("a") + include("none", "")), folder / "x.sdf"); }), "none"));
  fs::remove_all(folder);
}

// What a file of some kB includes again and again would fill the memory.
TEST(ReadSdf, WhatModelsBecomeIsBounded) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "driftless_read_sdf_bounds";
  fs::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& part, int count) {
    std::string inside;
    for (int i = 0; i < count; ++i) inside += fmt::format(fmt::runtime(part), i);
    std::ofstream(folder / name) << sdf("<model name='m'><link name='base'/>" + inside + "</model>");
  };
  const auto refusal = [&](const std::string& uri, int times) {
    std::string includes;
    for (int i = 0; i < times; ++i)
      includes += fmt::format("<include><uri>{}</uri><name>m{}</name></include>", uri, i);
    try {
      robot_model_text_of(sdf("<world name='w'>" + includes + "</world>"), folder / "x.sdf");
    } catch (const io::ModelError& error) {
      EXPECT_EQ(error.faults().size(), 1u) << error.what();
      return error.faults().at(0).message;
    }
    return std::string("none");
  };
  write("frames.sdf", "<frame name='f{}'/>", 19'998);
  const std::string what = refusal("frames.sdf", 6);  // 20000 each, with the model and its link
  EXPECT_TRUE(contains(what, "there are 120000 models, links, frames, joints and shapes")) << what;
  EXPECT_TRUE(contains(what, "(at most 100000); include fewer or smaller models")) << what;
  write("shapes.sdf", "<link name='l{}'><visual name='v'/><collision name='c'/></link>", 34'000);
  EXPECT_TRUE(contains(refusal("shapes.sdf", 1), "there are 102002 models"));
  // Of what is not simulated, reading it takes the time.
  write("plugins.sdf", "<plugin/>", 9'997);
  const std::string long_one = refusal("plugins.sdf", 101);
  EXPECT_TRUE(contains(long_one, "have 1010000 elements")) << long_one;
  EXPECT_TRUE(contains(long_one, "(at most 1000000); include fewer")) << long_one;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace driftless::tests
