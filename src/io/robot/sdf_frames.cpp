#include "io/robot/sdf_frames.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

namespace driftless::io {

namespace {

using Kind = SdfFrame::Kind;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

const char* kind_of(Kind kind) {
  switch (kind) {
    case Kind::world:
      return "world";
    case Kind::model:
      return "model";
    case Kind::link:
      return "link";
    case Kind::joint:
      return "joint";
    case Kind::frame:
      break;
  }
  return "frame";
}

}  // namespace

SdfFrames::SdfFrames(const XmlElement& root) : reading_(root.reading()) {
  frames_.push_back({.kind = Kind::world, .name = "world", .called = "world", .element = root, .body = 0});
  scope_of_ = {0};
  scopes_.push_back({});
}

// --- names -----------------------------------------------------------------------------------------------------------------------

int SdfFrames::add(const SdfFrame& frame, bool may_share) {
  const int index = static_cast<int>(frames_.size());
  Scope& scope = scopes_[at(scopes_[at(frame.scope)].names_of)];
  const auto [known, is_new] = scope.names.emplace(frame.name, index);
  if (!is_new && !may_share)
    frame.element.fault(fmt::format("the name {} is taken by the {} of line {}; give each its own",
                                    named(frame.name), kind_of(frames_[at(known->second)].kind),
                                    frames_[at(known->second)].element.line()));
  if (frame.kind == Kind::link && scope.first_link < 0) scope.first_link = index;
  if (frame.kind == Kind::model && scope.first_model < 0) scope.first_model = index;
  frames_.push_back(frame);
  scope_of_.push_back(-1);
  return index;
}

int SdfFrames::add_scope(int model_frame, int around, bool merged) {
  const int index = static_cast<int>(scopes_.size());
  scopes_.push_back({.frame = model_frame, .names_of = merged ? scopes_[at(around)].names_of : index});
  scope_of_[at(model_frame)] = index;
  if (!merged) scopes_[at(scopes_[at(around)].names_of)].inner.emplace(frames_[at(model_frame)].name, index);
  return index;
}

std::optional<int> SdfFrames::find(int scope, std::string_view name) const {
  for (bool outermost = true;; outermost = false) {
    if (name == "__model__") return scopes_[at(scope)].frame;
    const Scope& here = scopes_[at(scopes_[at(scope)].names_of)];
    if (const auto found = here.names.find(name); found != here.names.end()) return found->second;
    if (outermost && name == "world") return world;
    const auto cut = name.find("::");
    if (cut == name.npos) return {};
    const auto inner = here.inner.find(name.substr(0, cut));
    if (inner == here.inner.end()) return {};
    scope = inner->second;
    name.remove_prefix(cut + 2);
  }
}

int SdfFrames::need(int scope, const std::string& name, const XmlElement& by, const char* attribute) {
  if (const auto found = find(scope, name)) return *found;
  const std::string message =
      fmt::format("there is no link, joint, frame or model {} here{}", named(name),
                  reading_.near(name, scopes_[at(scopes_[at(scope)].names_of)].names));
  if (attribute)
    by.fault(attribute, message);
  else
    by.fault(message);
  return world;
}

// --- what holds what -------------------------------------------------------------------------------------------------------------

int SdfFrames::holder(int frame) {
  int& known = holders_[at(frame)];
  if (known >= 0) return known;
  const SdfFrame& f = frames_[at(frame)];
  const bool model = f.kind == Kind::model;
  const int scope = model ? scope_of_[at(frame)] : f.scope;
  if (!f.holder.empty())
    return known = need(scope, f.holder, f.holder_element.value_or(f.element),
                        model                   ? "canonical_link"
                        : f.kind == Kind::frame ? "attached_to"
                                                : nullptr);
  if (!model) return known = scopes_[at(scope)].frame;
  const Scope& inside = scopes_[at(scope)];
  known = inside.first_link >= 0 ? inside.first_link : inside.first_model;
  if (known < 0) {
    f.element.fault("there is no <link> in it; give it one, or make it <static>true</static>");
    known = world;
  }
  return known;
}

int SdfFrames::base(int frame) {
  int& known = bases_[at(frame)];
  if (known >= 0) return known;
  const SdfFrame& f = frames_[at(frame)];
  if (!f.pose.relative_to.empty())
    known = need(f.scope, f.pose.relative_to, f.pose.element.value_or(f.element), "relative_to");
  else if (f.kind == Kind::joint || f.kind == Kind::frame)
    known = holder(frame);
  else
    known = scopes_[at(f.scope)].frame;
  return known;
}

void SdfFrames::find_body(int frame) {
  std::vector<int> way;
  std::set<int> seen;
  int end = frame;
  while (bodies_[at(end)] < 0) {
    if (!seen.insert(end).second) {
      frames_[at(end)].element.fault(fmt::format(
          "{} are attached to each other in a circle; attach one of them to a link", circle(way, end)));
      bodies_[at(end)] = 0;
      break;
    }
    way.push_back(end);
    end = holder(end);
  }
  for (const int f : way) bodies_[at(f)] = bodies_[at(end)];
}

// --- where they are --------------------------------------------------------------------------------------------------------------

std::optional<Place> SdfFrames::inside(int frame, int model) {
  Place place;
  std::set<int> seen;
  while (frame != model) {
    if (frame == world || !seen.insert(frame).second) return {};
    place = own(frame) * place;
    frame = base(frame);
  }
  return place;
}

Place SdfFrames::own(int frame) {
  if (own_[at(frame)]) return *own_[at(frame)];
  const SdfFrame& f = frames_[at(frame)];
  Place place = f.pose.place;
  if (!f.placement.empty()) {
    // The pose is that of a frame inside; the model lies where that frame then is where it should be.
    const int scope = scope_of_[at(frame)];
    const auto target = find(scope, f.placement);
    if (!target)
      need(scope, f.placement, f.element, "placement_frame");
    else if (const auto inner = inside(*target, frame))
      place = place * inverse(*inner);
    else
      f.element.fault("placement_frame",
                      fmt::format("{} is no frame that is placed inside of this model", named(f.placement)));
  }
  own_[at(frame)] = place;
  return place;
}

void SdfFrames::find_place(int frame) {
  std::vector<int> way;
  std::set<int> seen;
  int end = frame;
  while (!placed_[at(end)]) {
    if (!seen.insert(end).second) {
      frames_[at(end)].element.fault(fmt::format(
          "the poses of {} are given by each other in a circle; give one of them in another frame",
          circle(way, end)));
      placed_[at(end)] = true;
      break;
    }
    way.push_back(end);
    end = base(end);
  }
  Place place = places_[at(end)];
  for (auto f = way.rbegin(); f != way.rend(); ++f) {
    if (placed_[at(*f)]) continue;
    place = place * own(*f);
    places_[at(*f)] = place;
    placed_[at(*f)] = true;
  }
}

std::string SdfFrames::circle(const std::vector<int>& way, int back) const {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  for (auto f = std::find(way.begin(), way.end(), back); f != way.end(); ++f)
    if (names.size() < most) names.push_back(named(frames_[at(*f)].called));
  return fmt::format("{}", fmt::join(names, ", ")) + (names.size() == most ? ", .." : "");
}

void SdfFrames::resolve() {
  const std::size_t count = frames_.size();
  holders_.assign(count, -1), bases_.assign(count, -1);
  own_.assign(count, std::nullopt);
  places_.assign(count, {}), placed_.assign(count, false);
  bodies_.clear();
  for (const SdfFrame& f : frames_) bodies_.push_back(f.body);
  placed_[world] = true;
  const std::size_t faults = reading_.faults().size();
  for (std::size_t i = 0; i < count; ++i) find_body(static_cast<int>(i));
  // Circles of holders are circles of poses too: told once.
  if (reading_.faults().size() > faults) return;
  for (std::size_t i = 0; i < count; ++i) find_place(static_cast<int>(i));
}

Place SdfFrames::between(int from, int to) const {
  // Over a near frame that both are given in: so that short ways keep all digits of the file.
  constexpr std::size_t near = 4;
  struct Step {
    int frame;
    Place place;
  };
  const auto up = [&](int frame) {
    std::vector<Step> steps = {{frame, {}}};
    while (steps.size() < near && steps.back().frame != world) {
      const int f = steps.back().frame;
      if (bases_[at(f)] < 0 || !own_[at(f)]) break;
      steps.push_back({bases_[at(f)], *own_[at(f)] * steps.back().place});
    }
    return steps;
  };
  const std::vector<Step> a = up(from), b = up(to);
  for (const Step& i : a)
    for (const Step& j : b)
      if (i.frame == j.frame) return inverse(i.place) * j.place;
  return inverse(in_world(from)) * in_world(to);
}

Place SdfFrames::on(int frame, const SdfPose& pose) {
  if (pose.relative_to.empty()) return pose.place;
  const int base = need(frames_[at(frame)].scope, pose.relative_to, *pose.element, "relative_to");
  return between(frame, base) * pose.place;
}

}  // namespace driftless::io
