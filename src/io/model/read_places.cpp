// Where joints and forces sit: bodies, joints and coordinates by name, markers and places in the world.
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

#include "io/model/axes.hpp"
#include "io/model/model_reader.hpp"

namespace driftless::io {

namespace {

using mechanics::BodyId;
using mechanics::JointId;
using mechanics::Marker;
using mechanics::Vec3;

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

Section::Room ModelReader::room_of(std::initializer_list<BodyId> bodies) const {
  bool plane = false, space = false;
  for (const BodyId id : bodies)
    if (id.index > 0)  // bodies are numbered in their order, from 1
      (model_.bodies[static_cast<std::size_t>(id.index) - 1].planar ? plane : space) = true;
  if (plane == space && plane) return Section::Room::either;
  return plane || (!space && planar_) ? Section::Room::plane : Section::Room::space;
}

std::optional<Vec3> ModelReader::place(Section& section, const std::string& key, Section::Room room) {
  if (room == Section::Room::either) return section.vector(key, mechanics::length_unit);
  return place(section, key, room == Section::Room::plane);
}

std::optional<Vec3> ModelReader::unit(Section& section, const std::string& key, Section::Room room) {
  const auto found = section.vector(key, {}, room);
  if (!found) return std::nullopt;
  if (largest_entry(*found) > 0) return normalized(*found);
  section.fault(key, fmt::format("{} has no direction: its length is 0; give another vector", key));
  return std::nullopt;
}

Vec3 ModelReader::center_of(BodyId id) const {
  for (const ModelBody& body : model_.bodies)
    if (body.id.index == id.index) return body.center;
  return {};
}

std::optional<BodyId> ModelReader::body_named(Section& section, const std::string& key,
                                              const std::string& name) {
  if (name == "ground") return model_.mechanism.ground();
  if (const auto found = body_ids_.find(name); found != body_ids_.end()) return found->second;
  if (const auto known = names_.find(name); known != names_.end() && known->second == "body")
    return std::nullopt;
  std::vector<std::string> names = {"ground"};
  for (const auto& [own, kind] : names_)
    if (kind == "body") names.push_back(own);
  static const std::set<std::string> of_the_ground = {"world", "base",     "earth",
                                                      "frame", "inertial", "origin"};
  section.fault(
      key, fmt::format("there is no body '{}'{}", name,
                       of_the_ground.contains(name) ? " (did you mean ground?)" : suggestion(name, names)));
  return std::nullopt;
}

std::optional<JointId> ModelReader::joint_named(Section& section, const std::string& key,
                                                const std::string& name) {
  if (const auto found = joint_ids_.find(name); found != joint_ids_.end()) return found->second;
  if (const auto known = names_.find(name); known != names_.end() && known->second == "joint")
    return std::nullopt;
  section.fault(key, fmt::format("there is no joint '{}'{}", name, suggestion(name, keys_of(joint_ids_))));
  return std::nullopt;
}

std::optional<ModelReader::Coordinate> ModelReader::coordinate_named(Section& section,
                                                                     const std::string& key) {
  const auto text = section.text(key);
  if (!text) return std::nullopt;
  const auto dot = text->rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text->size()) {
    section.fault(
        key, fmt::format("'{}' is no coordinate of a joint; write JOINT.COORDINATE, like A.angle", *text));
    return std::nullopt;
  }
  const auto joint = joint_named(section, key, text->substr(0, dot));
  if (!joint) return std::nullopt;
  const std::string name = text->substr(dot + 1);
  const std::vector<std::string> names = model_.mechanism.coordinates(*joint);
  for (const std::string& own : names)
    if (own == name) return Coordinate{*joint, name, model_.mechanism.is_angle(*joint, name)};
  section.fault(key, names.empty()
                         ? fmt::format("joint {} has no coordinates; name another", text->substr(0, dot))
                         : fmt::format("joint {} has no coordinate '{}'; it has {}", text->substr(0, dot),
                                       name, fmt::join(names, ", ")));
  return std::nullopt;
}

std::optional<ModelReader::Carrier> ModelReader::carrier_named(Section& section, const std::string& name) {
  if (const auto point = points_.find(name); point != points_.end()) return point->second;
  const auto id = body_named(section, "between", name);
  return id ? std::optional(Carrier{name, *id}) : std::nullopt;
}

std::optional<Marker> ModelReader::read_marker(Section& section, const std::string& key,
                                               const Carrier& carrier) {
  auto own = section.section(key);
  if (!own) return std::nullopt;
  const Section::Room room = room_of({carrier.id});
  const Vec3 at = place(*own, "at", room).value_or(Vec3{});
  const Vec3 axis = unit(*own, "axis", room).value_or(Vec3{0, 0, 1}),
             x = unit(*own, "x", room).value_or(Vec3{});
  own->finish();
  if (own->broken()) return std::nullopt;
  std::optional<Marker> marker;
  guarded(*own, [&] {
    // By the carrier's axes first, where what is not said of x means the same for bodies and points.
    marker = model_.mechanism.marker(carrier.id, at, axis, x);
    marker->point = carrier.at + carrier.axes * at - center_of(carrier.id);
    marker->axes = carrier.axes * marker->axes;
  });
  return marker;
}

std::optional<ModelReader::Ends> ModelReader::read_ends(Section& section) {
  section.knows({"between", "at", "axis", "x", "a", "b", "from", "to"});
  const auto names = section.texts("between");
  if (!names) return std::nullopt;
  if (names->size() != 2) {
    section.fault(
        "between",
        fmt::format("between names {} bodies (must be 2); name two, one may be \"ground\"", names->size()));
    return std::nullopt;
  }
  const auto a = carrier_named(section, (*names)[0]), b = carrier_named(section, (*names)[1]);
  const bool markers = section.has("a") || section.has("b");
  if (markers) {
    for (const char* key : {"at", "axis", "x", "from", "to"})
      if (section.node(key))
        section.fault(
            key,
            fmt::format("a and b say where it sits on each body, and {} where in the world; leave one out",
                        key));
    if (!section.need("a", "where it sits on the first body, as b on the second") ||
        !section.need("b", "where it sits on the second body, as a on the first"))
      return std::nullopt;
    if (!a || !b) return std::nullopt;
    const auto on_a = read_marker(section, "a", *a), on_b = read_marker(section, "b", *b);
    if (!on_a || !on_b) return std::nullopt;
    return Ends{*on_a, *on_b, {a->name, b->name}};
  }
  // One place in the world, or one for each body.
  const bool apart = section.has("from") || section.has("to");
  if (apart && section.has("at"))
    section.fault("at", "from and to are its two ends, and at is one place for both; leave one out");
  if (apart && (!section.need("from", "the end on the first body, as to on the second") ||
                !section.need("to", "the end on the second body, as from on the first")))
    return std::nullopt;
  const Section::Room room = a && b ? room_of({a->id, b->id}) : Section::Room::either;
  const Vec3 at = place(section, apart ? "from" : "at", room).value_or(Vec3{}),
             end = apart ? place(section, "to", room).value_or(Vec3{}) : at;
  const Vec3 axis = unit(section, "axis", room).value_or(Vec3{0, 0, 1}),
             x = unit(section, "x", room).value_or(Vec3{});
  if (!a || !b || section.broken()) return std::nullopt;
  std::optional<Ends> ends;
  guarded(section, [&] {
    const auto marker = [&](BodyId body, const Vec3& there) {
      return model_.mechanism.marker(body, mechanics::WorldPlace{.at = there, .axis = axis, .x = x});
    };
    ends = Ends{marker(a->id, at), marker(b->id, end), {a->name, b->name}, apart || section.has("at")};
  });
  return ends;
}

}  // namespace driftless::io
