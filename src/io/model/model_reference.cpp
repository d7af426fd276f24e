#include <driftless/io/model_reference.hpp>

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/mechanics/mechanism.hpp>

namespace driftless::io {

namespace {

using namespace mechanics;

std::string file_of(const std::string& kind, std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return fmt::format("../src/mechanics/{}/{}.cpp", kind, name);
}

std::string unit_of(const Dimension& d) {
  std::string over, under;
  const auto put = [&](const char* name, int exponent) {
    if (exponent == 0) return;
    std::string& to = exponent > 0 ? over : under;
    to += fmt::format("{}{}", to.empty() ? "" : " ", name);
  };
  put("force or torque", d.effort);
  put("force", d.force);
  put("mass", d.mass);
  put("length or angle", d.stretch);
  put("length", d.length);
  put("angle", d.angle);
  put("time", d.time);
  return over.empty() && under.empty() ? ""
         : under.empty()               ? over
                                       : (over.empty() ? "1" : over) + " / " + under;
}

const char* kind_of(const SettingSpec& spec) {
  switch (spec.kind) {
    case SettingSpec::Kind::number:
      return "number";
    case SettingSpec::Kind::formula:
      return "number or formula";
    case SettingSpec::Kind::motion:
      return "number, formula in t or table over t";
    case SettingSpec::Kind::table:
      return "table";
    case SettingSpec::Kind::profile:
      return "profile";
  }
  return "";
}

std::string settings_table(const std::vector<SettingSpec>& settings) {
  if (settings.empty()) return "";
  std::string text = "\n| setting | is | unit | meaning |\n| --- | --- | --- | --- |\n";
  for (const SettingSpec& spec : settings) {
    const bool falls_back = spec.kind == SettingSpec::Kind::number && !spec.required && !spec.optional;
    text += fmt::format(
        "| `{}`{} | {}{} | {} | {}{} |\n", spec.name, spec.required ? ", required" : "", kind_of(spec),
        spec.positive       ? ", positive"
        : spec.not_negative ? ", not negative"
                            : "",
        unit_of(spec.dimension), spec.help, falls_back ? fmt::format(" ({})", spec.fallback) : "");
  }
  return text;
}

// How many rows a joint has between such bodies, and which coordinates; nothing: it is not for them.
struct Built {
  std::size_t rows, velocity_rows;
  std::vector<std::string> coordinates;
};

std::optional<Built> built(const NamedJoint& type, bool planar) {
  try {
    Mechanism m;
    const auto body = [&](const char* name, double x) {
      return planar ? m.body(PlanarBody{.name = name, .mass = 1, .inertia = 1, .at = {x, 0.3, 0}})
                    : m.body(SpatialBody{.name = name,
                                         .mass = 1,
                                         .inertia = {1, 1, 1},
                                         .at = {x, 0.3, 0.7},
                                         .axes = turned({1, 0, 0}, 0.3 + x)});
    };
    Settings settings;
    for (const SettingSpec& spec : type.entry.settings) {
      if (!spec.required) continue;
      if (spec.kind == SettingSpec::Kind::profile)
        settings.emplace(spec.name, Profile({-1, 0, 1}, {0, 0.5, 0}, Profile::Kind::open));
      else
        settings.emplace(spec.name, 1.0);
    }
    const BodyId a = body("a", 0), b = body("b", 1);
    const Vec3 axis =
        planar && (type.name == "prismatic" || type.name == "point-on-line") ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    if (!type.entry.of_joints) {
      const JointId id = m.joint(type.name, "j", m.marker(a, Vec3{0.1, 0, 0}, axis),
                                 m.marker(b, Vec3{0.4, 0.2, 0}, axis), settings);
      const MechanismModel model = m.finished();
      return Built{model.rows.size(), model.velocity_rows.size(), m.coordinates(id)};
    }
    const JointId first = m.joint("revolute", "first", m.ground(), a, {}),
                  second = m.joint(type.name == "gear" ? "revolute" : "prismatic", "second", m.ground(), b,
                                   {.axis = type.name == "gear" ? Vec3{0, 0, 1} : Vec3{1, 0, 0}});
    const std::size_t before = m.finished().rows.size();
    m.joint(type.name, "j", first, second, settings);
    return Built{m.finished().rows.size() - before, 0, {}};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::string rows_text(const Built& b) {
  std::string text = fmt::format("{}", b.rows);
  if (b.velocity_rows > 0) text += fmt::format(" and {} of velocities", b.velocity_rows);
  return text;
}

}  // namespace

std::string joints_and_forces_page() {
  std::string text =
      "# Joints and forces\n\n"
      "Written by `driftless list --reference` from the tables of the program. The equations of a type stand "
      "at the top of its file.\n"
      "How they are used: [models.md](models.md) in model files, [mechanisms.md](mechanisms.md) in "
      "C++.\n\n## Joints\n\n"
      "| type | what it does | rows in the plane | in space | coordinates |\n| --- | --- | --- | --- | --- "
      "|\n";
  for (const NamedJoint& type : joint_table()) {
    const auto flat = built(type, true), spatial = built(type, false);
    const auto& coordinates = spatial ? spatial->coordinates
                              : flat  ? flat->coordinates
                                      : std::vector<std::string>{};
    text += fmt::format("| [{}]({}) | {} | {} | {} | {} |\n", type.name, file_of("joints", type.name),
                        type.entry.summary, flat ? rows_text(*flat) : "-",
                        spatial ? rows_text(*spatial) : "-", fmt::join(coordinates, ", "));
  }
  text += "\nSettings:\n";
  for (const NamedJoint& type : joint_table())
    if (!type.entry.settings.empty())
      text += fmt::format("\n### {}\n{}", type.name, settings_table(type.entry.settings));
  text += "\n## Forces\n\n| type | what it does | between bodies | in joints |\n| --- | --- | --- | --- |\n";
  for (const NamedForce& type : force_table())
    text += fmt::format("| [{}]({}) | {} | {} | {} |\n", type.name, file_of("forces", type.name),
                        type.entry.summary, type.entry.of_markers ? "yes" : "-",
                        type.entry.of_joints ? "yes" : "-");
  text += "\nGravity is the key `gravity` of a model.\n\nSettings:\n";
  for (const NamedForce& type : force_table())
    text += fmt::format("\n### {}\n{}", type.name, settings_table(type.entry.settings));
  return text;
}

}  // namespace driftless::io
