// <compiler> says how the file is to be read, <option> what acts; of several the later ones count.
#include <algorithm>

#include <fmt/format.h>

#include "io/robot/mjcf_model.hpp"

namespace driftless::io {

namespace {

using FromGeoms = MjcfSettings::FromGeoms;

void read_sequence(const MjcfElement& e, MjcfAngles& angles) {
  const auto sequence = e.word("eulerseq");
  if (!sequence) return;
  if (sequence->size() == 3 && sequence->find_first_not_of("xyzXYZ") == sequence->npos)
    angles.sequence = *sequence;
  else
    e.fault("eulerseq", fmt::format("'{}' is no sequence of axes; give three letters of x, y, z, X, Y, Z",
                                    sequence->substr(0, 40)));
}

double bound(const MjcfElement& e, const char* attribute, double otherwise) {
  const double value = e.number(attribute).value_or(otherwise);
  if (value < 0) e.fault(attribute, fmt::format("{:g} is negative; give 0 or more", value));
  return std::max(value, 0.0);
}

void read_compiler(const XmlElement& own, MjcfSettings& s) {
  const MjcfElement e(own);
  if (const auto unit = e.one_of("angle", {"radian", "degree"})) s.angles.degrees = *unit == 1;
  read_sequence(e, s.angles);
  if (e.one_of("coordinate", {"local", "global"}) == 1)
    e.fault(
        "coordinate",
        "global coordinates are not read; MuJoCo up to 2.3.3 loads such a file and saves it with local ones");
  if (const auto ranges = e.one_of("autolimits", {"false", "true"})) s.ranges_limit = *ranges == 1;
  if (const auto from = e.one_of("inertiafromgeom", {"false", "true", "auto"}))
    s.from_geoms = *from == 0 ? FromGeoms::never : *from == 1 ? FromGeoms::always : FromGeoms::where_missing;
  if (const auto range = e.numbers("inertiagrouprange", 2, 2)) {
    const auto group = [](double x) { return static_cast<int>(std::clamp(x, -1.0, 100.0)); };
    s.least_group = group((*range)[0]), s.most_group = group((*range)[1]);
  }
  s.least_mass = bound(e, "boundmass", s.least_mass);
  s.least_inertia = bound(e, "boundinertia", s.least_inertia);
  s.balance = e.flag("balanceinertia", s.balance);
  // Negative: masses stay as they are.
  if (const auto total = e.number("settotalmass")) s.total_mass = *total > 0 ? total : std::nullopt;
  if (e.flag("discardvisual", false))
    own.omit("discardvisual of <compiler>", "geoms that touch nothing count for inertia and are drawn");
  if (e.flag("alignfree", false))
    own.omit("alignfree of <compiler>", "frames of free bodies are those of the file");
  know(own, {"strippath", "fitaabb", "meshdir", "texturedir", "assetdir", "convexhull", "usethread",
             "fusestatic", "exactmeshinertia", "saveinertial"});
  for (const XmlElement& range : own.children("lengthrange")) range.ignore();
}

void read_flags(const XmlElement& own, MjcfSettings& s) {
  const MjcfElement e(own);
  for (const char* what : {"gravity", "constraint", "equality", "contact", "limit", "frictionloss", "passive",
                           "spring", "damper", "actuation", "filterparent"})
    if (const auto on = e.one_of(what, {"disable", "enable"})) {
      if (*on == 0)
        s.off.insert(what);
      else
        s.off.erase(what);
    }
  bool more = false;
  for (const char* attribute :
       {"clampctrl", "warmstart", "refsafe", "sensor", "midphase", "eulerdamp", "autoreset", "nativeccd",
        "island", "override", "energy", "fwdinv", "invdiscrete", "sensornoise", "multiccd", "sleep"})
    more = own.word(attribute).has_value() || more;
  if (more) own.leave_out("settings of the solver", "Driftless chooses its own steps");
}

void read_option(const XmlElement& own, MjcfSettings& s) {
  const MjcfElement e(own);
  s.gravity = e.vector("gravity").value_or(s.gravity);
  bool solver = false;
  for (const char* attribute : {"timestep",          "apirate",
                                "impratio",          "tolerance",
                                "ls_tolerance",      "noslip_tolerance",
                                "mpr_tolerance",     "ccd_tolerance",
                                "o_margin",          "o_solref",
                                "o_solimp",          "o_friction",
                                "integrator",        "cone",
                                "jacobian",          "solver",
                                "iterations",        "ls_iterations",
                                "noslip_iterations", "mpr_iterations",
                                "ccd_iterations",    "sdf_iterations",
                                "sdf_initpoints",    "sleep_tolerance"})
    solver = own.word(attribute).has_value() || solver;
  if (solver) own.leave_out("settings of the solver", "Driftless chooses its own steps");
  // Of older versions; pairs are told where they stand.
  if (const auto which = e.one_of("collision", {"all", "predefined", "dynamic"})) s.only_pairs = *which == 1;
  bool fluid = false;
  for (const char* attribute : {"wind", "density", "viscosity"})
    for (const double x : e.numbers(attribute, 1, 3).value_or(std::vector<double>{})) fluid = fluid || x != 0;
  if (fluid) own.omit("the fluid around bodies (wind, density, viscosity)", "no fluid pushes bodies");
  own.word("magnetic");
  for (const double group : e.numbers("actuatorgroupdisable", 0, 31).value_or(std::vector<double>{}))
    if (group >= 0 && group < 31) s.groups_off.insert(static_cast<int>(group));
  if (const auto flags = own.child("flag")) read_flags(*flags, s);
}

}  // namespace

void read_settings(MjcfModel& model) {
  for (const XmlElement& e : model.file.sections("compiler")) read_compiler(e, model.settings);
  for (const XmlElement& e : model.file.sections("option")) read_option(e, model.settings);
  if (model.settings.acts("gravity"))
    model.robot.gravity = model.settings.gravity;
  else
    model.robot.gravity = {};
}

bool MjcfSettings::acts(const std::string& what) const {
  static const std::set<std::string> constraints = {"equality", "contact", "limit", "frictionloss"},
                                     passive = {"spring", "damper"};
  return !off.count(what) && !(constraints.count(what) && off.count("constraint")) &&
         !(passive.count(what) && off.count("passive"));
}

std::string name_of(MjcfModel& model, const XmlElement& e, const std::string& kind) {
  const std::string name = e.word("name").value_or("");
  if (!name.empty() && !model.names[kind].insert(name).second)
    e.fault("name", fmt::format("there is another {} '{}'; give each its own name", kind, name));
  return name;
}

}  // namespace driftless::io
