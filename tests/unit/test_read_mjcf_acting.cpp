// MJCF files: equality constraints, actuators and options against numbers by hand; what is told and what is refused, with its line.
#include <cmath>
#include <map>
#include <numbers>

#include <driftless/io/robot_file.hpp>

#include "support/run.hpp"
#include "unit/mjcf_cases.hpp"

namespace driftless::tests {
namespace {

using mechanics::Vec3;
using mjcf_cases::expect_near;
using mjcf_cases::good;
using mjcf_cases::mujoco;
using mjcf_cases::Read;
using mjcf_cases::read;
using mjcf_cases::world;
using Type = io::RobotJoint::Type;

// Two arms on hinges; the second one is turned by 90 degrees about z in the pose of the file.
const std::string arms = R"(<worldbody>
<body name="a" pos="0 0 1"><joint name="ja" axis="0 1 0" ref="30"/><geom size="0.1" mass="1"/><site name="sa" pos="1 0 0"/></body>
<body name="b" pos="2 0 1" euler="0 0 90"><joint name="jb" axis="1 0 0" type="slide" ref="0.5"/><geom size="0.1" mass="1"/>
<site name="sb" pos="0 1 0" euler="0 0 -90"/></body>
</worldbody>
)";

TEST(ReadMjcf, Loops) {
  const Read r = good(mujoco(arms + R"(<equality>
<connect name="c" body1="a" body2="b" anchor="1 0 0"/>
<connect name="w" body1="b" anchor="0 0.5 0"/>
<weld name="f" body1="a" body2="b"/>
<weld name="g" body1="a" body2="b" relpose="1 2 3 1 0 0 1"/>
<weld name="h" site1="sa" site2="sb"/>
<connect name="off" body1="a" anchor="0 0 0" active="false"/>
</equality>)"));
  const auto& c = r.joint("c");
  EXPECT_TRUE(c.loop);
  EXPECT_EQ(c.type, Type::spherical);
  expect_near(c.on_parent.at, {1, 0, 0});
  expect_near(c.on_child.at, {0, 1, 0});  // the world's -x is the body's y
  const auto& w = r.joint("w");
  EXPECT_EQ(w.child, 0);
  expect_near(w.on_child.at, {1.5, 0, 1});
  const auto& f = r.joint("f");
  EXPECT_EQ(f.type, Type::fixed);
  expect_near((f.on_parent * inverse(f.on_child)).at, {2, 0, 0});
  expect_near((f.on_parent * inverse(f.on_child)).axes, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  const auto& g = r.joint("g");
  expect_near(g.on_parent.at, {1, 2, 3});
  expect_near(g.on_parent.axes, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  const auto& h = r.joint("h");
  expect_near(h.on_parent.at, {1, 0, 0});
  expect_near(h.on_child.at, {0, 1, 0});
  expect_near(h.on_child.axes, {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}});
  ASSERT_EQ(r.robot.notes.size(), 1u);
  EXPECT_EQ(r.robot.notes[0], "<connect 'off'> of line 13 is not active: it is left out");
}

// y - y0 = 0.1 + 2 d + 3 d^2 + 4 d^3 + 5 d^4 with d = x - x0.
TEST(ReadMjcf, Couplings) {
  const Read r =
      good(mujoco(arms + R"(<equality><joint joint1="ja" joint2="jb" polycoef="0.1 2 3 4 5" solref="0.1 1"/>
<joint name="held" joint1="jb" polycoef="0.25 1 0 0 0"/></equality>)"));
  const auto& c = r.robot.couplings.at(0);
  const double x0 = 0.5, y0 = std::numbers::pi / 6;
  for (const double x : {-1.0, 0.0, 0.5, 2.0}) {
    const double d = x - x0, y = c.c[0] + x * (c.c[1] + x * (c.c[2] + x * (c.c[3] + x * c.c[4])));
    EXPECT_NEAR(y, y0 + 0.1 + d * (2 + d * (3 + d * (4 + d * 5))), 1e-13);
  }
  EXPECT_EQ(r.robot.joints[static_cast<std::size_t>(c.follower)].name, "ja");
  EXPECT_EQ(c.name, "ja_follows");
  const auto& held = r.robot.couplings.at(1);
  EXPECT_EQ(held.leader, -1);
  EXPECT_EQ(held.c[0], 0.75);
  ASSERT_TRUE(r.omission("softness of equality constraints"));
}

// force = gear (gain u + b0 + b1 l + b2 l'), l = gear q
TEST(ReadMjcf, Actuators) {
  const Read r = good(mujoco("<default><position kp=\"50\" kv=\"5\"/><general gear=\"3\"/><default "
                             "class=\"strong\"><position kp=\"80\"/></default></default>" +
                             arms + R"(<actuator>
<motor name="m" joint="ja" gear="2"/>
<position name="p" joint="ja" gear="2"/>
<position name="q" joint="ja" class="strong"/>
<velocity name="v" joint="jb" kv="7" gear="1"/>
<general name="g" jointinparent="jb" gear="2" gainprm="4" biastype="affine" biasprm="1 -2 -3"/>
<damper name="d" joint="jb" gear="2" kv="6" ctrlrange="0 10"/>
<general name="n" joint="ja" gear="1"/>
</actuator><keyframe><key name="k" ctrl="1 2 3 4 5 60 7"/></keyframe>)"),
                      "k");
  const auto check = [&](const char* name, double gain, double constant, double stiffness, double damping,
                         double control) {
    const auto& a = r.actuator(name);
    EXPECT_EQ(a.gain, gain) << name;
    EXPECT_EQ(a.constant, constant) << name;
    EXPECT_EQ(a.stiffness, stiffness) << name;
    EXPECT_EQ(a.damping, damping) << name;
    EXPECT_EQ(a.control, control) << name;
  };
  check("m", 2, 0, 0, 0, 1);
  check("p", 100, 0, 200, 20, 2);
  check("q", 240, 0, 720, 45, 3);
  check("v", 7, 0, 0, 7, 4);
  check("g", 8, 2, 8, 12, 5);
  check("d", 0, 0, 0, 240, 10);  // the control is limited to 10
  check("n", 50, 0, 50, 5, 7);   // what the class's <position> has set
  EXPECT_TRUE(r.omission("limits of actuators"));
}

TEST(ReadMjcf, OptionsAndFlags) {
  const Read plain = good(mujoco(arms));
  expect_near(plain.robot.gravity, {0, 0, -9.81});
  const Read r = good(mujoco(
      R"(<option timestep="0.01" wind="0 0 0" viscosity="0.1" gravity="1 2 3"><flag gravity="disable" passive="disable" equality="disable" warmstart="disable"/></option>)" +
      arms + R"(<equality><weld body1="a" body2="b"/></equality>)"));
  expect_near(r.robot.gravity, {});
  EXPECT_EQ(r.robot.joints.size(), 2u);
  ASSERT_TRUE(r.omission("settings of the solver"));
  EXPECT_EQ(r.omission("settings of the solver")->effect, "Driftless chooses its own steps");
  EXPECT_TRUE(r.omission("the fluid around bodies"));
}

TEST(ReadMjcf, TellsWhatIsNotSimulated) {
  const Read r =
      good(mujoco(R"(<asset><mesh file="a.stl"/></asset><visual/><sensor><gyro site="s"/></sensor><strange/>
<worldbody><light pos="0 0 1"/><camera/><geom type="plane" size="1 1 1"/>
<body name="a" gravcomp="1" frob="2"><freejoint/><geom size="1"/><site/></body>
<body name="b" mocap="true"><geom type="mesh" mesh="m"/></body>
<body name="c"><joint name="j" limited="true" range="0 90" frictionloss="1" springdamper="1 1"/><geom type="ellipsoid" size="1 1 1"/>
<body name="d"><joint type="ball" stiffness="1" armature="1"/><geom size="1"/></body></body>
</worldbody><tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
<actuator><motor tendon="t"/><muscle joint="j"/><position joint="j" timeconst="1"/></actuator>
<equality><tendon tendon1="t"/></equality>)"));
  for (const char* what : {"assets",
                           "<visual>",
                           "sensors",
                           "<strange> in <mujoco>",
                           "cameras and lights",
                           "planes and height fields",
                           "geoms of the world",
                           "gravity compensation",
                           "attribute frob of <body>",
                           "sites without a name",
                           "mocap bodies",
                           "meshes",
                           "limits of joints",
                           "dry friction of joints",
                           "springdamper",
                           "shapes of ellipsoids",
                           "springs of ball joints",
                           "armature of ball joints",
                           "tendons",
                           "actuators on tendons",
                           "actuators with a state of their own",
                           "<tendon> of <equality>",
                           "contacts between geoms"})
    EXPECT_TRUE(r.omission(what)) << what;
  ASSERT_TRUE(r.omission("actuators with a state of their own"));
  EXPECT_EQ(r.omission("actuators with a state of their own")->count, 2);
  EXPECT_EQ(r.omission("limits of joints")->where, "x.xml:6");
  EXPECT_FALSE(r.omission("in <worldbody>"));
}

// Geoms touch by their bits, not within what moves together, and not across one joint.
TEST(ReadMjcf, ContactsThatCouldBe) {
  const auto touch = [](const std::string& first, const std::string& second, const std::string& before = "") {
    const Read r = good(mujoco(
        before + "<worldbody><body name=\"a\"><joint/><geom size=\"1\" " + first +
        "/><body name=\"s\"><geom size=\"1\"/></body><body name=\"b\"><joint/>" +
        "<geom size=\"1\" contype=\"0\" conaffinity=\"0\"/><body name=\"c\"><joint/><geom size=\"1\" " +
        second + "/></body></body></body></worldbody>"));
    return r.omission("contacts between geoms") != nullptr;
  };
  EXPECT_TRUE(touch("", ""));
  EXPECT_FALSE(touch("", "contype=\"2\" conaffinity=\"2\""));
  EXPECT_TRUE(touch("contype=\"2\"", "contype=\"0\" conaffinity=\"2\""));
  EXPECT_FALSE(touch("", "", "<option><flag contact=\"disable\"/></option>"));
  EXPECT_FALSE(good(world("<body><joint/><geom size=\"1\"/><body><joint/><geom size=\"1\"/></body></body>"))
                   .omission("contacts"));
}

TEST(ReadMjcf, NamesForWhatHasNone) {
  const Read r =
      good(world("<body><joint/><geom size=\"1\"/><body><joint/><joint axis=\"1 0 0\"/><geom "
                 "size=\"1\"/></body></body><body><geom size=\"1\"/></body>"));
  for (const char* name : {"body1", "body2", "body2_1", "body3"}) EXPECT_EQ(r.link(name).name, name);
  for (const char* name : {"body1_joint", "body2_joint1", "body2_joint2", "body3_fixed"})
    EXPECT_EQ(r.joint(name).name, name);
}

struct Case {
  std::string text, says;
  int line;
};

TEST(ReadMjcf, FaultsWithTheirLines) {
  const std::string geom = "<geom size=\"1\"/>",
                    body = "<body name=\"a\"><joint name=\"j\"/>" + geom + "</body>\n";
  const Case cases[] = {
      {world(body + "<body name=\"a\">" + geom + "</body>"), "there is another body 'a'", 4},
      {world(body + "<body><joint name=\"j\"/>" + geom + "</body>"), "there is another joint 'j'", 4},
      {world("<body name=\"world\">" + geom + "</body>"), "'world' is the name of the world", 3},
      {world("<body>\n<joint axis=\"0 0 0\"/>" + geom + "</body>"), "the axis has no direction", 4},
      {world("<body><joint type=\"screw\"/>" + geom + "</body>"),
       "'screw' is not known; there are free, ball, slide, hinge", 3},
      {world("<body><joint/>\n<geom size=\"1\" mass=\"-1\"/></body>"),
       "the mass is -1 kg (must not be negative)", 4},
      {world("<body><joint/><inertial pos=\"0 0 0\" mass=\"-1\"/></body>"),
       "the mass is -1 kg (must not be negative)", 3},
      {world("<body><joint/><inertial mass=\"1\"/></body>"), "pos is missing", 3},
      {world("<body><joint/><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 3\"/></body>"),
       "two of them together are never less than the third", 3},
      {world("<body><joint/><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"1 1 1 2 0 0\"/></body>"),
       "must be positive", 3},
      {world("<body name=\"x\"><joint/></body>"), "it moves and has no mass", 3},
      {world("<body><joint/><inertial pos=\"0 0 0\" mass=\"1\"/></body>"), "its inertia is not positive", 3},
      {world("<body name=\"x\"><joint/>\n<geom type=\"mesh\" mesh=\"m\"/></body>"),
       "the inertia of <body 'x'> would come from this mesh", 4},
      {world("<body><geom type=\"box\" size=\"1 1\"/></body>"),
       "size 3 of the box is 0 (must be positive); 3 are needed", 3},
      {world("<body><geom/></body>"), "size 1 of the sphere is 0", 3},
      {world("<body><geom type=\"capsule\" size=\"1\" fromto=\"1 2 3 1 2 3\"/></body>"),
       "both ends are the same point", 3},
      {world("<body class=\"x\" childclass=\"lge\">" + geom + "</body>"), "there is no class 'lge'", 3},
      {world("<body><geom class=\"x\" size=\"1\"/></body>"), "there is no class 'x'", 3},
      {mujoco("<default><default class=\"c\"/>\n<default class=\"c\"/></default>"),
       "there is another class 'c'", 3},
      {mujoco("<default><joint/><joint/></default>"), "another one of these", 2},
      {mujoco("<default><joint damping=\"x\"/></default><worldbody>" + body + "</worldbody>"),
       "'x' is no number", 2},
      {world("<body quat=\"0 0 0 0\">" + geom + "</body>"), "all four numbers are 0", 3},
      {world("<body quat=\"1 0 0 0\" euler=\"0 0 0\">" + geom + "</body>"),
       "quat and euler both say how it is turned", 3},
      {world("<body pos=\"1 2\">" + geom + "</body>"), "'1 2' has 2 numbers; 3 are needed", 3},
      {world(body + "<body><joint/>" + geom + "<body><freejoint/>" + geom + "</body></body>"),
       "a free joint is for bodies that stand in <worldbody>", 4},
      {world("<body><joint type=\"ball\"/><joint/>" + geom + "</body>"),
       "no joint that turns may follow a ball joint", 3},
      {world("<body><freejoint/><joint/>" + geom + "</body>"), "its joints have 7 freedoms", 3},
      {world("<joint/>" + body), "the world has no joint", 3},
      {world(body + "<replicate count=\"3\"><body/></replicate>"), "<replicate> stands for elements", 4},
      {mujoco("<compiler coordinate=\"global\"/>"), "global coordinates are not read", 2},
      {mujoco("<compiler eulerseq=\"abc\"/>"), "'abc' is no sequence of axes", 2},
      {mujoco("<compiler angle=\"turn\"/>"), "'turn' is not known; there are radian, degree", 2},
      {mujoco(""), "there is no body", 1},
      {world(body) + " ", "", 0},
      {mujoco("<worldbody>" + body +
              "</worldbody>\n<equality><connect body1=\"z\" anchor=\"0 0 0\"/></equality>"),
       "there is no body 'z'", 4},
      {mujoco("<worldbody>" + body + "</worldbody>\n<equality><joint joint1=\"j\" joint2=\"j\"/></equality>"),
       "a joint cannot follow itself", 4},
      {mujoco("<worldbody>" + body +
              "</worldbody>\n<equality><distance geom1=\"g\" geom2=\"h\"/></equality>"),
       "there is no geom 'g'", 4},
      {mujoco("<worldbody>" + body +
              "<geom name=\"g\" size=\"1\"/><geom name=\"h\" type=\"box\" size=\"1 1 1\"/>"
              "</worldbody>\n<equality><distance geom1=\"g\" geom2=\"h\"/></equality>"),
       "geom 'h' is no sphere", 4},
      {mujoco("<worldbody>" + body +
              "<geom name=\"g\" size=\"1\"/><geom name=\"h\" size=\"2\"/>"
              "</worldbody>\n<equality><distance geom1=\"g\" geom2=\"h\" distance=\"-3\"/></equality>"),
       "the centres would be 0 m apart", 4},
      {mujoco("<worldbody>" + body + "</worldbody>\n<actuator><motor joint=\"k\"/></actuator>"),
       "there is no joint 'k'", 4},
      {mujoco("<worldbody>" + body + "</worldbody>\n<actuator><motor/></actuator>"),
       "nothing says what it pushes", 4},
  };
  for (const Case& c : cases) {
    const Read r = read(c.text);
    if (c.says.empty()) {
      EXPECT_TRUE(r.faults.empty()) << r.told();
      continue;
    }
    ASSERT_FALSE(r.faults.empty()) << c.text;
    EXPECT_NE(r.faults[0].message.find(c.says), std::string::npos) << c.says << "\n" << r.told();
    EXPECT_EQ(r.faults[0].line, c.line) << r.told();
  }
}

// The loops file may have parameters of its own, and set what actuators are told; tables stand once.
TEST(ReadMjcf, ParametersBesideTheFile) {
  const std::string text =
      mujoco(arms +
             "<actuator><motor name=\"ma\" joint=\"ja\"/><motor name=\"mb\" joint=\"jb\"/></actuator>"
             "<keyframe><key name=\"round\" qpos=\"7 0.5\"/></keyframe>");
  const auto made = [&](const std::string& loops, const std::string& keyframe = "") {
    const std::string model = io::robot_model_text_of(text, "x.xml", {.keyframe = keyframe}, loops).text;
    std::map<std::string, double> all;
    for (const auto& [name, value] : io::read_model_text(model, "x.xml").parameters) all[name] = value;
    return all;
  };
  using Values = std::map<std::string, double>;
  EXPECT_EQ(made("gravity = [0, 0, -1]\n"), (Values{{"ctrl_ma", 0}, {"ctrl_mb", 0}}));
  EXPECT_EQ(
      made(
          "[run]\nt_end = 1\n[parameters]  # mine\nctrl_mb = 3\nk = 2\n[output]\ncolumns = [\"ja.angle\"]\n"),
      (Values{{"ctrl_ma", 0}, {"ctrl_mb", 3}, {"k", 2}}));
  EXPECT_EQ(made("[parameters]\nctrl_mb = 3\nctrl_ma = 4"), (Values{{"ctrl_ma", 4}, {"ctrl_mb", 3}}));
  EXPECT_NE(complaint([&] { made("[start]\nhold = [\"ja.angle\"]\n", "round"); }).find("positions = {"),
            std::string::npos);
}

TEST(ReadMjcf, KeyframesThatDoNotFit) {
  const std::string text = mujoco(arms +
                                  "<actuator><motor joint=\"ja\"/></actuator>\n<keyframe><key name=\"short\" "
                                  "qpos=\"1\"/>\n<key name=\"push\" ctrl=\"1 2\"/>\n<key/></keyframe>");
  EXPECT_NE(read(text, "short")
                .told()
                .find("8: <key 'short'> qpos: there are 1 numbers; the joints of the file need 2"),
            std::string::npos)
      << read(text, "short").told();
  EXPECT_NE(read(text, "push")
                .told()
                .find("9: <key 'push'> ctrl: there are 2 numbers; the actuators of the file need 1"),
            std::string::npos)
      << read(text, "push").told();
  EXPECT_NE(read(text, "home").told().find("there is no keyframe 'home'; there are 'short', 'push', '2'"),
            std::string::npos)
      << read(text, "home").told();
  EXPECT_EQ(good(text).robot.notes.at(0),
            "keyframes 'short', 'push', '2' are there; `keyframe = NAME` starts from one of them");
  EXPECT_NE(read(mujoco(arms), "home").told().find("the file has none"), std::string::npos);
}

// What is wrong with a class is told once, whoever uses it; chains of any depth are refused with words.
TEST(ReadMjcf, ManyAndDeep) {
  std::string many;
  for (int i = 0; i < 50; ++i) many += "<body><joint/><geom/></body>\n";
  EXPECT_EQ(read(mujoco("<default><joint damping=\"-1\" type=\"x\"/><geom size=\"1\"/></default><worldbody>" +
                        many + "</worldbody>"))
                .faults.size(),
            2u);
  std::string chain = "<geom size=\"1\"/>";
  for (int i = 0; i < 1000; ++i) chain = "<body><joint/><geom size=\"1\"/>\n" + chain + "</body>";
  const Read deep = good(world(chain));
  ASSERT_EQ(deep.robot.links.size(), 1001u);
  EXPECT_EQ(deep.robot.links[1000].line, 1002);
  EXPECT_NE(read(world("<body><joint/>" + chain + "</body>")).told().find("more than 1000 deep"),
            std::string::npos);
}

}  // namespace
}  // namespace driftless::tests
