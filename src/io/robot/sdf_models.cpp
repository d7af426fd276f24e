#include "io/robot/sdf_models.hpp"

#include <charconv>

#include <fmt/format.h>

namespace driftless::io {

namespace {

using Kind = SdfFrame::Kind;

constexpr int deepest = 100;  // models in models
// A file is read once however often it is included, so that its size does not bound what becomes of it. A link takes 4 kB in the end.
constexpr std::size_t most_made = 100'000;

std::optional<std::string> name_of(const XmlElement& e, const SdfInside& in) {
  const auto name = e.need("name", "what it is called");
  if (!name) return {};
  const bool reserved =
      *name == "world" || (name->size() > 4 && name->starts_with("__") && name->ends_with("__"));
  if (reserved && in.version >= 7)
    e.fault("name", fmt::format("{} is a name with a meaning of its own; choose another", named(*name)));
  return name;
}

std::string first_name(const XmlElement& model) {
  for (const char* kind : {"link", "model"})
    for (const XmlElement& e : model.children(kind))
      if (const auto name = e.word("name")) return *name;
  return {};
}

}  // namespace

std::optional<int> sdf_version(const XmlElement& root) {
  for (const auto* a = root.node().FirstAttribute(); a; a = a->Next())
    if (std::string_view(a->Name()).starts_with("xmlns")) root.word(a->Name());
  const auto text = root.need("version", "as in <sdf version=\"1.9\">");
  if (!text) return {};
  int minor = -1;
  if (text->starts_with("1.")) {
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data() + 2, end, minor);
    if (error != std::errc() || (stop != end && *stop != '.')) minor = -1;
  }
  constexpr int oldest = 3;
  if (minor >= oldest) return minor;
  root.fault("version", fmt::format("{} is not read; convert the file to version 1.{} or a later 1.x",
                                    named(*text), oldest));
  return {};
}

// Lines of other files mean nothing beside the name of the first one.
int SdfModels::line_of(const XmlElement& e) const {
  return e.in_file_of(root_) ? e.line() : 0;
}

std::string SdfModels::add_include(const XmlElement& e, const SdfInside& in) {
  Changes changes{.name = text_in(e, "name"), .placement = text_in(e, "placement_frame")};
  if (const SdfPose pose = pose_in(e); pose.element) changes.pose = pose;
  changes.fixed = flag_in(e, "static");
  changes.merge = e.flag("merge").value_or(false);
  omit_in(e, "plugin", "plugins", "what they do does not happen");
  if (changes.placement && !changes.pose)
    e.fault("placement_frame says what <pose> is meant of, and there is none; give it");
  const auto uri = text_in(e, "uri");
  if (!uri) {
    e.fault("<uri> is missing: the file of the model, or model://NAME");
    return {};
  }
  const auto file = files_.open(e, *uri, in.folder);
  if (!file) return {};
  if (file->root.name() != "sdf") {
    e.fault(fmt::format("{} is no SDFormat: its root is <{}>; include an SDFormat file", named(file->name),
                        file->root.name().substr(0, 40)));
    return {};
  }
  const auto version = sdf_version(file->root);
  const auto model = file->root.child("model");
  for (const char* other : {"actor", "light"})
    omit_in(file->root, other, fmt::format("<{}>", other), "it is left out");
  if (!version || !model) {
    if (version) e.fault(fmt::format("there is no <model> in {}", named(file->name)));
    return {};
  }
  if (!files_.enter(e, *file)) return {};
  SdfInside around = in;
  around.version = *version, around.folder = file->folder;
  const std::string name = add_model(*model, around, changes);
  files_.leave();
  return name;
}

std::string SdfModels::add_model(const XmlElement& e, const SdfInside& around, const Changes& changes) {
  auto name = name_of(e, around);
  if (changes.name) name = changes.name;
  const bool fixed = flag_in(e, "static").value_or(false);
  const auto placement = e.word("placement_frame"), canonical = e.word("canonical_link");
  const SdfPose pose = pose_in(e);
  e.word("namespace");
  if (!name) return {};
  if (around.depth == deepest) {
    e.fault(fmt::format("models stand in each other more than {} deep; put them side by side", deepest));
    return *name;
  }
  SdfInside in = around;
  ++in.depth;
  if (!changes.merge) {
    in.fixed = around.fixed || changes.fixed.value_or(fixed);
    if (around.depth > 0 || !alone_) in.prefix = around.prefix + *name + "::";
  }
  SdfFrame frame{.kind = Kind::model,
                 .name = *name,
                 .called = around.prefix + *name,
                 .element = e,
                 .scope = around.scope,
                 .pose = changes.pose.value_or(pose),
                 .holder = canonical.value_or(""),
                 .placement = changes.placement ? *changes.placement : placement.value_or("")};
  if (in.fixed) frame.body = 0;
  if (changes.merge) {
    // A frame stands for the model, whose content becomes that of the model around it.
    frame.kind = Kind::frame;
    frame.name = "_merged__" + *name + "__model__";
    if (frame.holder.empty()) frame.holder = first_name(e);
    if (frame.pose.relative_to.empty()) frame.pose.relative_to = "__model__";
    if (around.depth == 0 && !e.children("link").empty())
      e.fault("a model with links cannot be merged into a world; leave merge out");
  }
  const int index = frames_.add(frame);
  in.scope = frames_.add_scope(index, around.scope, changes.merge);
  add_content(e, in);
  if (in.fixed && !around.fixed)
    robot_.notes.push_back(
        fmt::format("model {} is static: its links are part of the ground", named(frame.called)));
  return *name;
}

// Thrown, and alone: what is not made then would only be missed by the rest.
void SdfModels::count(const XmlElement& e, std::size_t more) {
  made_ += more;
  if (made_ <= most_made) return;
  XmlReading& reading = e.reading();
  reading.faults().clear();
  e.fault(
      fmt::format("with this model there are {} models, links, frames, joints and shapes, each counted as "
                  "often as it is included (at most {}); include fewer or smaller models",
                  made_, most_made));
  throw ModelError(reading.file(), reading.faults());
}

void SdfModels::add_content(const XmlElement& e, const SdfInside& in) {
  const auto links = e.children("link"), frames = e.children("frame"), models = e.children("model"),
             includes = e.children("include"), joints = e.children("joint");
  std::size_t shapes = 0;
  for (const XmlElement& link : links)
    for (const char* shape : {"visual", "collision"}) shapes += link.children(shape).size();
  count(e, 1 + links.size() + shapes + frames.size() + joints.size());
  for (const XmlElement& link : links) add_link(link, in);
  for (const XmlElement& frame : frames) add_frame(frame, in);
  for (const XmlElement& model : models) add_model(model, in);
  for (const XmlElement& include : includes) add_include(include, in);
  for (const XmlElement& joint : joints) add_joint(joint, in);
  omit_in(e, "plugin", "plugins", "what they do does not happen");
  omit_in(e, "gripper", "grippers", "nothing is grasped");
  omit_flag(e, "self_collide", true, "collisions of links with each other", "they pass through each other");
  omit_flag(e, "enable_wind", true, "wind on links", "no wind blows");
  for (const XmlElement& other : e.children("allow_auto_disable")) other.ignore();  // it changes no motion
}

void SdfModels::add_link(const XmlElement& e, const SdfInside& in) {
  const auto name = name_of(e, in);
  const SdfPose pose = pose_in(e);
  if (!name) return;
  const int body = in.fixed ? 0 : static_cast<int>(robot_.links.size());
  const int frame = frames_.add({.kind = Kind::link,
                                 .name = *name,
                                 .called = in.prefix + *name,
                                 .element = e,
                                 .scope = in.scope,
                                 .pose = pose,
                                 .body = body});
  links_.push_back({e, frame, body});
  if (in.fixed) return;
  robot_.links.push_back({.name = in.prefix + *name, .line = line_of(e)});
  link_frames_.push_back(frame);
}

void SdfModels::add_frame(const XmlElement& e, const SdfInside& in) {
  const auto name = name_of(e, in);
  const auto attached = e.word("attached_to");
  const SdfPose pose = pose_in(e);
  if (!name) return;
  frames_.add({.kind = Kind::frame,
               .name = *name,
               .called = in.prefix + *name,
               .element = e,
               .scope = in.scope,
               .pose = pose,
               .holder = attached.value_or("")});
}

void SdfModels::add_joint(const XmlElement& e, const SdfInside& in) {
  const auto name = name_of(e, in);
  const auto child = e.child("child");
  const std::string holder = child ? child->own_word().value_or("") : "";
  if (holder.empty()) e.fault("<child> is missing: the name of a link");
  const SdfPose pose = pose_in(e);
  if (!name || holder.empty()) return;
  // Before version 1.7 a joint may be called like a link.
  const int frame = frames_.add({.kind = Kind::joint,
                                 .name = *name,
                                 .called = in.prefix + *name,
                                 .element = e,
                                 .scope = in.scope,
                                 .pose = pose,
                                 .holder = holder,
                                 .holder_element = child},
                                in.version < 7);
  joints_.push_back(
      {.element = e, .frame = frame, .name = in.prefix + *name, .line = line_of(e), .version = in.version});
}

}  // namespace driftless::io
