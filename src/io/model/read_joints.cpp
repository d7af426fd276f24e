// [joint.NAME], [force.NAME] and [drive.NAME]: what they sit between, and their settings.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

#include "io/model/model_reader.hpp"
#include "mechanics/joint_words.hpp"

namespace driftless::io {

namespace {

using mechanics::Vec3;

template <class Table>
auto entry_of(const Table& table, const std::string& type, std::vector<std::string>& names)
    -> decltype(&table.front().entry) {
  for (const auto& row : table) {
    if (row.name == type) return &row.entry;
    names.push_back(row.name);
  }
  return nullptr;
}

}  // namespace

bool ModelReader::claim(Section& section, const std::string& name) {
  const std::string kind = section.path().substr(0, section.path().find('.'));
  if (name == "ground" || name == "energy" || name == "drift") {
    section.fault(fmt::format("the name '{}' is taken; choose another", name));
    return false;
  }
  if (name.empty() || name.find(',') != std::string::npos || has_control_characters(name)) {
    section.fault("a name has no commas and no line breaks, and is not empty; choose another");
    return false;
  }
  if (name.find('.') != std::string::npos) {
    section.fault(fmt::format(
        "the name '{}' has a dot, which stands between a name and what is meant of it; leave it out", name));
    return false;
  }
  const auto [found, fresh] = names_.emplace(name, kind);
  if (fresh) return true;
  section.fault(fmt::format("the name '{}' is taken by a {}; choose another", name, found->second));
  return false;
}

void ModelReader::read_joint(const std::string& name, Section& section) {
  if (!section.need("type", "one of driftless list joints")) return;
  const auto type = section.text("type");
  if (!type) return;
  std::vector<std::string> types;
  const mechanics::JointEntry* entry = entry_of(mechanics::joint_table(), *type, types);
  if (!entry) {
    section.fault("type", fmt::format("there is no joint type '{}'; there are {}{}", *type,
                                      fmt::join(types, ", "), mechanics::joint_suggestion(*type, types)));
    return;
  }
  const mechanics::Settings settings = read_settings(section, entry->settings, false);
  ModelJoint made{.name = name, .type = *type, .id = {}};
  if (entry->of_joints) {
    if (!section.need("joints", "the two joints that it couples")) return;
    const auto names = section.texts("joints");
    if (names && names->size() != 2)
      section.fault("joints", fmt::format("joints names {} of them (must be 2); name two", names->size()));
    section.finish();
    if (section.broken()) return;
    const auto a = joint_named(section, "joints", (*names)[0]),
               b = joint_named(section, "joints", (*names)[1]);
    if (!a || !b) return;
    made.of = *names;
    guarded(section, settings, [&] { made.id = model_.mechanism.joint(*type, name, *a, *b, settings); });
  } else {
    if (!section.need("between", "the two bodies that it connects")) return;
    const auto ends = read_ends(section);
    section.finish();
    if (!ends || section.broken()) return;
    made.of = ends->names;
    made.placed = ends->placed;
    guarded(section, settings,
            [&] { made.id = model_.mechanism.joint(*type, name, ends->a, ends->b, settings); });
  }
  if (section.broken()) return;
  model_.mechanism.count_turns(made.id);
  joint_ids_.emplace(name, made.id);
  model_.joints.push_back(std::move(made));
}

void ModelReader::read_force(const std::string& name, Section& section) {
  if (!section.need("type", "one of driftless list forces")) return;
  const auto type = section.text("type");
  if (!type) return;
  std::vector<std::string> types;
  const mechanics::ForceEntry* entry = entry_of(mechanics::force_table(), *type, types);
  if (!entry) {
    section.fault("type", fmt::format("there is no force type '{}'; there are {}{}", *type,
                                      fmt::join(types, ", "), suggestion(*type, types)));
    return;
  }
  const bool in_joint = section.has("on") || !entry->of_markers;
  if (in_joint && section.node("between"))
    section.fault(
        "between",
        entry->of_markers
            ? "on and between both say where it acts; leave one out"
            : fmt::format("a force of type {} acts in a joint; give on = \"JOINT.COORDINATE\"", *type));
  if (section.broken()) return;
  if (in_joint) {
    if (!section.need("on", "the coordinate of a joint that it acts along, like \"A.angle\"")) return;
    const auto coordinate = coordinate_named(section, "on");
    const mechanics::Settings settings =
        read_settings(section, entry->settings, coordinate && coordinate->angle);
    section.finish();
    if (!coordinate || section.broken()) return;
    guarded(section, settings,
            [&] { model_.mechanism.force(*type, name, coordinate->joint, coordinate->name, settings); });
  } else {
    section.node("on");
    const mechanics::Settings settings = read_settings(section, entry->settings, false);
    const char* const missing =
        entry->of_joints ? "the two bodies that it acts between; or, in a joint, on = \"JOINT.COORDINATE\""
                         : "the two bodies that it acts between";
    if (!section.need("between", missing)) return;
    const auto ends = read_ends(section);
    section.finish();
    if (!ends || section.broken()) return;
    guarded(section, settings, [&] { model_.mechanism.force(*type, name, ends->a, ends->b, settings); });
    if (!section.broken())
      model_.force_places.push_back(
          {.name = name, .a = ends->a, .b = ends->b, .of = ends->names, .placed = ends->placed});
  }
  if (!section.broken()) model_.forces.push_back(name);
}

void ModelReader::read_drive(const std::string& name, Section& section) {
  if (!section.need("motion", "a number, a formula in t or a table over t")) return;
  const bool of_point = section.has("point");
  if (of_point && section.node("on"))
    section.fault("on", "on and point both say what is driven; leave one out");
  if (!of_point &&
      !section.need("on",
                    "the coordinate of a joint that is driven, like \"A.angle\"; or give point and along"))
    return;
  const auto motion = [&](bool angle) {
    const mechanics::SettingSpec spec{.name = "motion",
                                      .help = "",
                                      .kind = mechanics::SettingSpec::Kind::motion,
                                      .dimension = mechanics::stretch_unit,
                                      .argument = {.time = 1}};
    return read_setting(section, spec, angle);
  };
  if (of_point) {
    auto point = section.section("point");
    if (!point) return;
    const auto body = point->need("body", "the name of the body") ? point->text("body") : std::nullopt;
    const auto id = body ? body_named(*point, "body", *body) : std::nullopt;
    const Section::Room room = id ? room_of({*id}) : Section::Room::either;
    const Vec3 at = place(*point, "at", room).value_or(Vec3{});
    point->finish();
    const auto along = section.need("along", "the direction in the world, like [1, 0, 0]")
                           ? unit(section, "along", room)
                           : std::nullopt;
    const auto how = motion(false);
    const auto jumps = read_jumps(section, false);
    section.node("on");
    section.finish();
    if (!id || !along || point->broken() || !how || !jumps || section.broken()) return;
    guarded(section, [&] {
      model_.mechanism.drive(name, model_.mechanism.marker(*id, at - center_of(*id)), *along, *how, *jumps);
    });
  } else {
    const auto coordinate = coordinate_named(section, "on");
    const auto how = motion(coordinate && coordinate->angle);
    const auto jumps = read_jumps(section, coordinate && coordinate->angle);
    section.node("point"), section.node("along");
    if (section.has("along")) section.fault("along", "along goes with point; leave it out");
    section.finish();
    if (!coordinate || !how || !jumps || section.broken()) return;
    guarded(
        section, [&] { model_.mechanism.drive(name, coordinate->joint, coordinate->name, *how, *jumps); },
        "motion");
  }
  if (!section.broken()) model_.drives.push_back(name);
}

void ModelReader::read_points(Section& root) {
  auto section = root.section("point");
  if (!section) return;
  for (auto& [name, point] : section->entries()) {
    if (!claim(point, name)) continue;
    const auto body =
        point.need("body", "the name of the body it belongs to") ? point.text("body") : std::nullopt;
    const auto id = body ? body_named(point, "body", *body) : std::nullopt;
    const Vec3 at = place(point, "at", id ? room_of({*id}) : Section::Room::either).value_or(Vec3{});
    const auto axes = read_axes(point);
    point.finish();
    if (!id || point.broken()) continue;
    const bool planar = std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                    [&](const ModelBody& b) { return b.name == *body && b.planar; });
    if (planar && axes) {
      point.fault("points of planar bodies have the axes of their body; leave turn, axes and quaternion out");
      continue;
    }
    points_.emplace(name, Carrier{*body, *id, at, axes.value_or(mechanics::identity3)});
    model_.points.push_back({.name = name, .body = *id, .arm = at - center_of(*id), .planar = planar});
  }
}

void ModelReader::read_joints(Section& root) {
  if (auto section = root.section("joint"))
    for (auto& [name, joint] : section->entries())
      if (claim(joint, name)) read_joint(name, joint);
}

void ModelReader::read_forces(Section& root) {
  if (auto section = root.section("force"))
    for (auto& [name, force] : section->entries())
      if (claim(force, name)) read_force(name, force);
}

void ModelReader::read_drives(Section& root) {
  if (auto section = root.section("drive"))
    for (auto& [name, drive] : section->entries())
      if (claim(drive, name)) read_drive(name, drive);
}

}  // namespace driftless::io
