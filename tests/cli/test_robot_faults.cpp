// Robot files that are cut, twisted or hostile: each is refused with its line and the reason, and costs neither time nor memory. Here, and not among the
// unit tests alone, because the sanitizers watch these runs.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "program.hpp"

namespace driftless::cli {
namespace {

const fs::path robots = fs::path(DRIFTLESS_SOURCE_DIR) / "tests/robots";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string inertial =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
std::string urdf(const std::string& inside) {
  return "<robot name='r'>\n<link name='a'>" + inertial + "</link>\n<link name='b'>" + inertial +
         "</link>\n" + inside + "\n</robot>\n";
}
std::string sdf(const std::string& inside) {
  return "<sdf version='1.9'><model name='m'>\n<link name='a'/>\n" + inside + "\n</model></sdf>\n";
}
std::string mjcf(const std::string& inside) {
  return "<mujoco>\n<worldbody><body name='a'><joint name='j'/><geom size='1'/></body></worldbody>\n" +
         inside + "\n</mujoco>\n";
}
std::string nested(int times, const std::string& open, const std::string& inside, const std::string& close) {
  std::string text;
  for (int i = 0; i < times; ++i) text += open;
  text += inside;
  for (int i = 0; i < times; ++i) text += close;
  return text;
}

class RobotFaults : public Program {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    const fs::path file = folder() / "work" / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  // By reading alone, as `convert` does; the line is told, if there is one to tell.
  void expect_refused(const std::string& name, const std::string& text, int line, const std::string& says,
                      const Words& flags = {}) {
    write(name, text);
    Words words = {"convert", name};
    words.insert(words.end(), flags.begin(), flags.end());
    const Outcome told = run(words);
    EXPECT_EQ(told.status, 2) << name << ": " << says << "\n" << told.out.substr(0, 400) << told.err;
    EXPECT_TRUE(contains(told.err, says)) << told.err << "should say: " << says;
    if (line > 0) {
      EXPECT_TRUE(contains(told.err, fmt::format("{}:{}:", name, line)))
          << told.err << "should name line " << line;
    }
    EXPECT_LT(told.err.size(), 20000u);
  }
};

TEST_F(RobotFaults, CutFiles) {
  for (const char* name : {"delta.urdf", "five_bar.sdf", "biped_leg.xml"}) {
    const std::string whole = text_of(robots / name);
    for (const int percent : {5, 35, 65, 95})
      expect_refused(name, whole.substr(0, whole.size() * static_cast<std::size_t>(percent) / 100), 0,
                     "not XML");
  }
  expect_refused("none.xml", "", 0, "not XML");
  expect_refused("space.xml", "  \n ", 0, "not XML");
  expect_refused("zero.urdf", urdf("") + '\0', 6, "a character of code 0");
  expect_refused("wide.urdf", "\xff\xfe<\0r\0o\0", 0, "not XML");
  expect_refused("binary.xml",
                 "\x7f"
                 "ELF\x02\x01\x01",
                 0, "not XML");
  expect_refused("other.xml", "<html>\n</html>", 1, "the root element is <html>");
}

TEST_F(RobotFaults, WrongTypes) {
  expect_refused("x.urdf", urdf("<joint name='j' type='hinge'><parent link='a'/><child link='b'/></joint>"),
                 4, "no joint type 'hinge'");
  expect_refused(
      "x.urdf",
      urdf("<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 z 1'/></joint>"),
      4, "'z' is no number");
  expect_refused("x.urdf", urdf("<link name='c'><inertial><mass value='heavy'/></inertial></link>"), 4,
                 "'heavy' is no number");
  expect_refused("x.sdf", sdf("<link name='b'><pose>0 0 0</pose></link>"), 3, "has 3 numbers; 6 are needed");
  expect_refused("x.sdf", sdf("<link name='b'><inertial auto='perhaps'/></link>"), 3,
                 "neither true nor false");
  expect_refused("x.xml", mjcf("<compiler angle='grad'/>"), 3, "'grad' is not known");
  expect_refused("x.xml", mjcf("<equality><joint joint1='j' polycoef='1 2 3 4 5 6'/></equality>"), 3,
                 "too many numbers");
  expect_refused("x.xml", mjcf("<actuator><motor joint='j' gear='one'/></actuator>"), 3,
                 "'one' is no number");
}

TEST_F(RobotFaults, Cycles) {
  const std::string a_to_b = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>",
                    b_to_a = "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>";
  expect_refused("x.urdf", urdf(a_to_b + "\n" + b_to_a), 5, "circle");
  expect_refused(
      "x.urdf",
      urdf("<joint name='j' type='continuous'><parent link='a'/><child link='b'/><mimic joint='j'/></joint>"),
      4, "follow");
  expect_refused(
      "x.sdf",
      sdf("<frame name='f'><pose relative_to='g'/></frame>\n<frame name='g'><pose relative_to='f'/></frame>"),
      3, "in a circle");
  expect_refused("self.xml", "<mujoco>\n<include file='self.xml'/></mujoco>", 2,
                 "included twice, or by itself");
  expect_refused("self.sdf", sdf("<include><uri>self.sdf</uri></include>"), 3,
                 "included twice, or by itself");
  write("there.xml", "<mujoco>\n<include file='back.xml'/></mujoco>");
  expect_refused("back.xml", "<mujoco>\n<include file='there.xml'/></mujoco>", 0,
                 "included twice, or by itself");
}

TEST_F(RobotFaults, MissingInertia) {
  expect_refused(
      "x.urdf",
      urdf("<link name='c'/><joint name='j' type='continuous'><parent link='a'/><child link='c'/></joint>"
           "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>"),
      4, "has no mass");
  expect_refused("x.xml", mjcf("<worldbody>\n<body name='b'><joint/></body></worldbody>"), 4, "has no mass");
  expect_refused(
      "x.sdf",
      sdf("<link name='b'><inertial><mass>0</mass></inertial></link>\n<joint name='j' type='revolute'>"
          "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>"),
      3, "its inertia is not positive");
}

TEST_F(RobotFaults, NumbersWithoutBounds) {
  const auto mass = [](const std::string& value) {
    return urdf("<link name='c'><inertial><mass value='" + value + "'/></inertial></link>");
  };
  expect_refused("x.urdf", mass("1e999"), 4, "beyond the range");
  expect_refused("x.urdf", mass("nan"), 4, "not finite");
  expect_refused("x.urdf", mass("-inf"), 4, "not finite");
  expect_refused("x.urdf", mass(std::string(100000, '9')), 4, "beyond the range");
  expect_refused("x.urdf", mass("0x10"), 4, "is no number");
  // Numbers that are there, and nothing that could be computed with them: a reason, and no crash.
  for (const char* huge : {"1e308", "1e200", "1e-320"}) {
    const std::string body =
        fmt::format("<body name='b' pos='{0} 0 0'><joint/><geom size='{0}' mass='{0}'/></body>", huge);
    write("huge.xml", "<mujoco><worldbody>" + body + "</worldbody></mujoco>");
    const Outcome told = run({"run", "huge.xml", "--t-end", "0.1"});
    EXPECT_TRUE(told.status == 1 || told.status == 2) << huge << " " << told.status << told.out << told.err;
    EXPECT_FALSE(told.err.empty() && told.out.empty());
  }
}

TEST_F(RobotFaults, Entities) {
  std::string laughs = "<!DOCTYPE lolz [\n<!ENTITY lol0 'lol'>\n";
  for (int i = 1; i < 10; ++i) {
    laughs += fmt::format("<!ENTITY lol{} '", i);
    for (int k = 0; k < 10; ++k) laughs += fmt::format("&lol{};", i - 1);
    laughs += "'>\n";
  }
  for (const char* name : {"laughs.urdf", "laughs.sdf", "laughs.xml"})
    expect_refused(name, laughs + "]>\n<robot name='&lol9;'/>", 1, "document types");
  expect_refused("outside.urdf", "<!DOCTYPE r SYSTEM 'file:///etc/hostname'>\n<robot name='r'/>", 1,
                 "document types");
  // In the midst of a file it is no element either.
  const Outcome told = run({"convert", write("inside.urdf", urdf("<!ENTITY a 'b'>")).string()});
  EXPECT_TRUE(told.status == 0 || told.status == 2) << told.err;
  EXPECT_FALSE(contains(told.out, "ENTITY"));
}

TEST_F(RobotFaults, PathsThatLeadOut) {
  write("../secret.xml", "<mujoco><worldbody/></mujoco>");
  expect_refused("x.xml", "<mujoco>\n<include file='../secret.xml'/></mujoco>", 2, "outside of the folder");
  expect_refused("x.xml", "<mujoco>\n<include file='" + (folder() / "secret.xml").string() + "'/></mujoco>",
                 2, "outside of the folder");
  expect_refused("x.xml", "<mujoco>\n<include file='/etc/hostname'/></mujoco>", 2, "outside of the folder");
  fs::create_symlink(folder() / "secret.xml", folder() / "work" / "link.xml");
  expect_refused("x.xml", "<mujoco>\n<include file='link.xml'/></mujoco>", 2, "outside of the folder");
  expect_refused("x.sdf", sdf("<include><uri>file://../secret.xml</uri></include>"), 3,
                 "outside of the folder");
  expect_refused("x.sdf", sdf("<include><uri>model://../../secret.xml</uri></include>"), 3,
                 "outside of the folder");
  expect_refused("x.xml", "<mujoco>\n<include file='nowhere.xml'/></mujoco>", 2, "cannot be read");
  // Allowed, it is read.
  write("x.xml",
        "<mujoco>\n<include file='../secret.xml'/>\n<worldbody><body><joint/><geom "
        "size='1'/></body></worldbody></mujoco>");
  EXPECT_EQ(run({"convert", "x.xml", "--allow-outside"}).status, 0);
}

TEST_F(RobotFaults, DeepAndLargeFiles) {
  expect_refused("deep.xml", nested(100000, "<a>", "", "</a>"), 1, "100000 deep (at most 2500)");
  expect_refused("deep.urdf", nested(100000, "<a>\n", "", ""), 100000, "deep (at most 2500)");
  expect_refused("deep.xml",
                 "<mujoco><worldbody>\n" + nested(2400, "<body>", "", "</body>") + "</worldbody></mujoco>", 2,
                 "more than 1000 deep");
  expect_refused("deep.sdf",
                 "<sdf version='1.9'>" + nested(2400, "<model name='m'>\n", "<link/>", "</model>") + "</sdf>",
                 101, "more than 100 deep");
  expect_refused(
      "frames.xml",
      "<mujoco><worldbody>" + nested(2400, "<frame>", "<body/>", "</frame>") + "</worldbody></mujoco>", 1,
      "more than 1000 deep");
  expect_refused(
      "classes.xml",
      "<mujoco><default>" + nested(2400, "<default class='c'>", "", "</default>") + "</default></mujoco>", 1,
      "class");
  // Wrong in the depths, with the line.
  expect_refused("twisted.xml",
                 "<mujoco><worldbody>" +
                     nested(300, "<body><joint/>\n<geom size='1'/>", "<body>\n</joint>", "</body>") +
                     "</worldbody></mujoco>",
                 301, "another one is closed here");
  expect_refused("large.urdf", urdf("<!--" + std::string(17 << 20, 'x') + "-->"), 0, "16 MB");
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "<joint name='x' type='odd'/>\n";
  expect_refused("many.urdf", urdf(many), 4, "more");
}

}  // namespace
}  // namespace driftless::cli
