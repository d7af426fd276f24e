// Mistakes that leave a model which runs: each is told by the name of what is wrong. Distances and speeds in the table are of the drawn mechanism: a bar
// from 0 to 0.8 m, 0.08 m wide, with a pivot at 0; a slider-crank with bars of 0.1 and 0.3 m, a tenth of it wide.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "model_checks.hpp"

namespace driftless {
namespace {

using namespace model_checks;

struct Rod {
  std::string head = "dimensions = 2\ngravity = [0, -9.81]\n", of_rod = "mass = 1.2\n", more = "";
  std::string text() const {
    return "title = \"x\"\n" + head + "[body.rod]\nfrom = [0, 0]\nto = [0.8, 0]\n" + of_rod +
           "shape = {type = \"link\"}\n" + more +
           "[joint.pivot]\ntype = \"revolute\"\nbetween = [\"ground\", \"rod\"]\nat = [0, 0]\n";
  }
};

std::string rod_with(const std::string& more) {
  return Rod{.more = more}.text();
}

std::string link(const std::string& name, const std::string& from, const std::string& to) {
  return fmt::format("[body.{}]\nfrom = {}\nto = {}\nmass = 1\nshape = {{type = \"link\"}}\n", name, from,
                     to);
}

std::string slider_crank(const std::string& more, const std::string& piston = "[0.4, 0]",
                         const std::string& inertia = "1e-3") {
  return "title = \"x\"\ndimensions = 2\ngravity = [0, -9.81]\n" + link("crank", "[0, 0]", "[0.1, 0]") +
         link("rod", "[0.1, 0]", "[0.4, 0]") + "[body.piston]\nat = " + piston +
         "\nmass = 1\ninertia = " + inertia + "\n" + pin("shaft", "ground", "crank", "[0, 0]") +
         pin("pin", "crank", "rod", "[0.1, 0]") +
         "[joint.cylinder]\ntype = \"prismatic\"\nbetween = [\"ground\", \"piston\"]\nat = [0.4, 0]\n"
         "axis = [1, 0]\n" +
         more;
}
const std::string wrist = pin("wrist", "rod", "piston", "[0.4, 0]");

std::string servo(const char* gains) {
  return std::string("[force.f]\ntype = \"pd-actuator\"\non = \"shaft.angle\"\n") + gains;
}
std::string push(const std::string& type, const std::string& where) {
  return fmt::format("[force.f]\ntype = \"{}\"\nbetween = [\"ground\", \"rod\"]\n{}", type, where);
}

struct Mistake {
  std::string name, text, kind;
  Severity severity;
  std::vector<std::string> says;
};

const Severity error = Severity::error, warning = Severity::warning, note = Severity::note;

std::vector<Mistake> mistakes() {
  return {
      {"a force without a place",
       slider_crank(wrist + push("force", "axis = [0, 1]\nforce = 10\n")),
       "force-place",
       error,
       {"'at' is missing", "0.085 m beside body rod"}},
      {"a force beside its body",
       slider_crank(wrist + push("force", "at = [0.4, 3]\naxis = [0, 1]\nforce = 10\n")),
       "force-place",
       warning,
       {"2.985 m beside body rod"}},
      {"a spring with its ends swapped",
       rod_with(push("spring-damper", "from = [0.8, 0]\nto = [0.4, 1]\nstiffness = 100\n")),
       "force-place",
       warning,
       {"0.96 m beside body rod", "the first is on ground and the second on rod"}},
      {"a point in mm",
       rod_with("[point.tip]\nbody = \"rod\"\nat = [400, 0]\n"),
       "point-place",
       warning,
       {"399.6 m beside body rod"}},
      {"a point by the world",
       rod_with("[point.tip]\nbody = \"rod\"\nat = [0.8, 0]\n"),
       "point-place",
       warning,
       {"0.36 m beside body rod", "write at = [0.4, 0]"}},
      {"a joint beside the ends of its bars",
       Rod{.more = "[body.second]\nfrom = [0.8, 0]\nto = [0.8, 0.6]\nmass = 1\nshape = {type = \"link\"}\n" +
                   pin("elbow", "rod", "second", "[0.8, 0.03]")}
           .text(),
       "joint-place",
       warning,
       {"0.03 m beside the place where an end of rod meets one of second"}},
      {"a velocity along the rod",
       Rod{.of_rod = "mass = 1.2\nvelocity = [3, 0]\n"}.text(),
       "lost-speed",
       warning,
       {"velocity that the file gives it, 3 m/s", "3 m/s off"}},
      // A slender rod keeps a quarter of that spin in the metric of masses, J/(J + m L^2/4), and another part in that of moved points.
      {"a spin about the centre of a pivoted rod",
       Rod{.of_rod = "mass = 1.2\nspin = 3\n"}.text(),
       "lost-speed",
       warning,
       {"spin that the file gives it, 3 rad/s"}},
      {"a length out of reach",
       slider_crank("[joint.wrist]\ntype = \"distance\"\nbetween = [\"rod\", \"piston\"]\nfrom = [0.4, 0]\n"
                    "to = [0.4, 0]\nlength = 5\n[start]\npositions = {\"shaft.angle\" = 1}\n"),
       "open-start",
       warning,
       {"closing it moved piston by"}},
      {"a speed for the motion of a drive",
       slider_crank(wrist + "[drive.motor]\non = \"shaft.angle\"\nmotion = 30\n"),
       "still-drive",
       warning,
       {"30 rad at all times (4.77 turns)", "\"30*t\""}},
      {"an inertia in kg mm2 without a shape",
       slider_crank(wrist, "[0.4, 0]", "1000"),
       "inertia",
       warning,
       {"31.62 m", "the mechanism is 0.4"}},
      {"a mass centre in mm",
       Rod{.of_rod = "mass = 1.2\ninertia = 0.1\ncenter = [40, 0]\n"}.text(),
       "center",
       warning,
       {"39.56 m beside"}},
      {"a density in g/cm3", Rod{.of_rod = "density = 7.85\n"}.text(), "density", note, {"7850 kg/m3"}},
      {"a negative rest length",
       rod_with(push("spring-damper", "from = [0.4, 1]\nto = [0.4, 0]\nstiffness = 9\nrest = -1\n")),
       "force-sign",
       warning,
       {"rest is -1 m"}},
      {"a negative stiffness",
       rod_with(push("spring-damper", "from = [0.4, 1]\nto = [0.4, 0]\nstiffness = -9\n")),
       "force-sign",
       warning,
       {"stiffness is -9 N/m"}},
      {"a negative gain",
       slider_crank(wrist + servo("proportional = -50\n")),
       "force-sign",
       warning,
       {"proportional is -50 N m/rad"}},
      {"a negative gain of speed",
       slider_crank(wrist + servo("proportional = 50\nderivative = -5\n")),
       "force-sign",
       warning,
       {"derivative is -5 N m s/rad"}},
      {"gravity up", Rod{.head = "dimensions = 2\ngravity = [0, 9.81]\n"}.text(), "gravity-up", note, {"+y"}},
      {"no gravity", Rod{.head = "dimensions = 2\n"}.text(), "nothing-acts", note, {"nothing moves"}},
  };
}

TEST(SilentMistakes, EachIsToldByItsName) {
  for (const Mistake& mistake : mistakes()) {
    const ModelCheck check = checked(mistake.text, {});
    const Finding* finding = found(check, mistake.kind);
    ASSERT_TRUE(finding) << mistake.name << "\n" << told(check);
    EXPECT_EQ(finding->severity, mistake.severity) << mistake.name;
    for (const std::string& part : mistake.says)
      EXPECT_NE(finding->text.find(part), std::string::npos) << mistake.name << ": " << finding->text;
    if (mistake.severity == note && mistake.kind != "nothing-acts") continue;
    const std::vector<Finding> by_run = io::quick_findings(io::read_model_text(mistake.text, "test.toml"));
    EXPECT_TRUE(
        std::any_of(by_run.begin(), by_run.end(), [&](const Finding& f) { return f.kind == mistake.kind; }))
        << mistake.name << ": a run says nothing of it";
  }
}

TEST(SilentMistakes, WithoutThemNothingIsTold) {
  for (const std::string& text :
       {Rod{}.text(), slider_crank(wrist), rod_with("[point.tip]\nbody = \"rod\"\nat = [0.4, 0]\n"),
        rod_with(push("spring-damper", "from = [0.4, 1]\nto = [0.4, 0]\nstiffness = 9\n")),
        rod_with(push("torque", "torque = 1\n")),
        // Across the rod: 0.4 m from the pivot, 3 rad/s.
        Rod{.of_rod = "mass = 1.2\nvelocity = [0, 1.2]\nspin = 3\n"}.text(),
        slider_crank(wrist + "[drive.motor]\non = \"shaft.angle\"\nmotion = \"30*t\"\n")})
    EXPECT_TRUE(io::quick_findings(io::read_model_text(text, "test.toml")).empty())
        << text << told(checked(text));
}

std::string refusal_of(const std::string& text) {
  try {
    io::read_model_text(text, "test.toml");
  } catch (const InputError& refused) {
    return refused.what();
  }
  return {};
}

// Each entry of a file that is a place or a direction, with a decimal comma; and two numbers in space.
TEST(SilentMistakes, PlacesHaveAsManyNumbersAsTheirRoom) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {slider_crank(wrist, "[0,4, 0]"),
       "body.piston.at: at has 3 numbers (must be 2 in the plane); a decimal comma? "
       "Write 0.4 for 0,4"},
      {slider_crank(wrist, "[0.4, 0, 0]"),
       "body.piston.at: at has 3 numbers (must be 2 in the plane); leave the third"},
      {slider_crank(pin("wrist", "rod", "piston", "[0,4, 0]")), "joint.wrist.at: at has 3 numbers"},
      {slider_crank(wrist + "[point.p]\nbody = \"rod\"\nat = [0,1, 0]\n"), "point.p.at: at has 3 numbers"},
      {rod_with(push("force", "at = [0.4, 0]\naxis = [0,5, 0]\nforce = 1\n")),
       "force.f.axis: axis has 3 numbers"},
      {rod_with("[drive.d]\npoint = {body = \"rod\", at = [0,1, 0]}\nalong = [1, 0]\nmotion = 0\n"),
       "drive.d.point.at: at has 3 numbers"},
      {Rod{.head = "gravity = [0, 0, -9.81]\n"}.text(), "body.rod.to: to has 2 numbers (must be 3 in space)"},
      {"title = \"x\"\n[body.a]\nat = [0, 0]\nmass = 1\ninertia = [1, 1, 1]\n", "or dimensions = 2"},
  };
  for (const auto& [text, says] : wrong)
    EXPECT_NE(refusal_of(text).find(says), std::string::npos) << says << "\n" << refusal_of(text);
  // A plane in space: a joint of both may be placed by two numbers or three.
  EXPECT_EQ(refusal_of("title = \"x\"\n[body.a]\nat = [0, 0, 0]\nmass = 1\ninertia = [1, 1, 1]\n"
                       "[body.b]\ndimensions = 2\nat = [0, 0]\nmass = 1\ninertia = 1\n"
                       "[force.f]\ntype = \"spring-damper\"\nbetween = [\"a\", \"b\"]\nfrom = [1, 0, 0]\n"
                       "to = [0, 0]\nstiffness = 1\n"),
            "");
}

// The end of the crank is moved by the parameter, and the pin at [0, 1] is not.
TEST(SilentMistakes, ALengthSetBesideItsJointIsTold) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("driftless-set-{}.toml", std::rand());
  std::ofstream(file) << "title = \"x\"\ndimensions = 2\n[parameters]\nh = 1\n"
                      << bar("crank", "[0, 0]", "[0, \"h\"]", true) << bar("rod", "[0, 1]", "[2, 1]", true)
                      << pin("A", "ground", "crank", "[0, 0]") << pin("B", "crank", "rod", "[0, 1]")
                      << pin("C", "ground", "rod", "[2, 1]");
  EXPECT_EQ(io::moved_by_set(io::read_model(file)), "");
  const std::string text = io::moved_by_set(io::read_model(file, {{"h", "1.2"}}));
  EXPECT_NE(text.find("moves crank, and joint B,"), std::string::npos) << text;
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace driftless
