#include "mechanics/relative/relative_model.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace driftless::mechanics {

namespace {

using Kind = TreeJoint::Kind;

Kind kind_of(const std::string& type, bool flat) {
  const std::pair<const char*, Kind> in_plane[] = {
      {"fixed", Kind::flat_fixed}, {"revolute", Kind::flat_revolute}, {"prismatic", Kind::flat_prismatic}};
  const std::pair<const char*, Kind> in_space[] = {
      {"fixed", Kind::fixed},         {"revolute", Kind::revolute},  {"prismatic", Kind::prismatic},
      {"screw", Kind::screw},         {"planar", Kind::planar},      {"cylindrical", Kind::cylindrical},
      {"universal", Kind::universal}, {"spherical", Kind::spherical}};
  const auto find = [&](const auto& kinds) {
    return std::find_if(std::begin(kinds), std::end(kinds),
                        [&](const auto& one) { return type == one.first; })
        ->second;
  };
  return flat ? find(in_plane) : find(in_space);
}

// The half turn, or none, by which the marker of b stands nearest to that of a.
Mat3 nearest_half_turn(Kind kind, const Mat3& between) {
  const Mat3 candidates[] = {identity3,
                             {{1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                             {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                             {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
  if (kind == Kind::revolute || kind == Kind::cylindrical || kind == Kind::screw || kind == Kind::planar)
    return between.z.z < 0 ? candidates[1] : candidates[0];
  if (kind != Kind::fixed && kind != Kind::prismatic) return identity3;
  const auto nearness = [&](const Mat3& F) {
    return dot(F.x, between.x) + dot(F.y, between.y) + dot(F.z, between.z);
  };
  return *std::max_element(std::begin(candidates), std::end(candidates),
                           [&](const Mat3& x, const Mat3& y) { return nearness(x) < nearness(y); });
}

}  // namespace

int angle_entry(TreeJoint::Kind kind) {
  switch (kind) {
    case Kind::revolute:
    case Kind::screw:
    case Kind::flat_revolute:
      return 0;
    case Kind::cylindrical:
      return 1;
    case Kind::planar:
      return 2;
    default:
      return -1;
  }
}

RelativeModel::RelativeModel(MechanismModel model, std::vector<Joint> all, const SpanningTree& spanning,
                             std::span<const double> absolute_q)
    : absolute(std::move(model)),
      joints(std::move(all)),
      measures(absolute.measures),
      moving(absolute.moving) {
  for (const TreeLink& link : spanning.links) {
    TreeJoint joint = tree_joint(link, absolute_q);
    joint.q = nq, joint.v = nv;
    nq += joint.coordinates(), nv += joint.velocities();
    tree.push_back(joint);
  }
  place_turns();
  find_rows();
  find_paths();
}

TreeJoint RelativeModel::tree_joint(const TreeLink& link, std::span<const double> q) const {
  TreeJoint t{.joint = link.joint, .parent = link.parent, .child = link.body, .a = {}, .b = {}};
  const bool flat = body(link.body).kind == Body::Kind::planar;
  t.b.body = link.body;
  t.kind = flat ? Kind::flat_free : Kind::free;
  if (link.joint < 0) return t;
  const Joint& joint = joints[static_cast<std::size_t>(link.joint)];
  t.a = joint.a, t.b = joint.b;
  t.kind = kind_of(joint.type, flat || (body(t.a.body).kind != Body::Kind::spatial &&
                                        body(t.b.body).kind != Body::Kind::spatial));
  const Row& last = absolute.rows[static_cast<std::size_t>(joint.first_row + joint.rows - 1)];
  if (t.kind == Kind::flat_revolute)
    t.offset = -absolute.measure(joint.coordinates[0].measure).shift;
  else if (t.flat())
    t.offset = last.offset - absolute.measure(last.terms[0].measure).shift;
  else if (t.kind == Kind::screw)
    t.offset = last.offset, t.lead = -last.terms[1].factor;
  const Frame<double> a = frame_of(body(t.a.body), q), b = frame_of(body(t.b.body), q);
  const Mat3 between = transposed(a.R * t.a.axes) * (b.R * t.b.axes);
  t.behind = nearest_half_turn(t.kind, between) * transposed(t.b.axes);
  return t;
}

// A turn that is a coordinate of the tree stands there; others get one of their own.
void RelativeModel::place_turns() {
  std::vector<int> entry(measures.size(), -1);  // of each measure that is an angle of the tree
  for (const TreeJoint& t : tree) {
    if (t.joint < 0 || angle_entry(t.kind) < 0) continue;
    for (const JointCoordinate& c : joints[static_cast<std::size_t>(t.joint)].coordinates)
      entry[static_cast<std::size_t>(c.measure)] = t.q + angle_entry(t.kind);
  }
  for (const int i : absolute.turns) {
    Measure& turn = measures[static_cast<std::size_t>(i)];
    const int absolute_entry = std::exchange(turn.entry, entry[static_cast<std::size_t>(i)]);
    if (turn.entry >= 0) continue;
    turn.entry = nq++;
    turns.push_back({i, absolute_entry});
  }
}

void RelativeModel::find_rows() {
  std::vector<char> implied(absolute.rows.size(), false);
  for (const TreeJoint& t : tree) {
    if (t.joint < 0) continue;
    const Joint& joint = joints[static_cast<std::size_t>(t.joint)];
    std::fill_n(implied.begin() + joint.first_row, joint.rows, true);
  }
  for (std::size_t i = 0; i < implied.size(); ++i)
    if (!implied[i]) rows.push_back(static_cast<int>(i));
  ng = static_cast<int>(rows.size());
  nk = static_cast<int>(absolute.velocity_rows.size());
}

void RelativeModel::leave_to_tree(const std::vector<int>& met) {
  for (const int i : met) rows[static_cast<std::size_t>(i)] = -1;
  std::erase(rows, -1);
  ng = static_cast<int>(rows.size());
  paths.clear();
  find_paths();
}

void RelativeModel::find_paths() {
  std::vector<int> link(absolute.bodies.size(), -1);  // by which a body hangs
  for (std::size_t i = 0; i < tree.size(); ++i)
    link[static_cast<std::size_t>(tree[i].child)] = static_cast<int>(i);
  for (int i = 0; i < ng + nk; ++i) {
    std::vector<int> path;
    for (const Row::Term& term : row(i).terms)
      for (int end : {measure(term.measure).a, measure(term.measure).b})
        for (; end > 0; end = tree[static_cast<std::size_t>(path.back())].parent)
          path.push_back(link[static_cast<std::size_t>(end)]);
    std::sort(path.begin(), path.end(), std::greater<>());
    path.erase(std::unique(path.begin(), path.end()), path.end());
    paths.push_back(std::move(path));
  }
}

// Of a free body they are called as those of bodies are.
std::string RelativeModel::entry_name(const TreeJoint& t, int own, bool velocity) const {
  if (t.joint < 0) {
    const Body& free = body(t.child);
    return velocity ? absolute.velocity_name(free.v + own) : absolute.coordinate_name(free.q + own);
  }
  const std::string& name = joints[static_cast<std::size_t>(t.joint)].name;
  const auto k = static_cast<std::size_t>(own);
  if (t.kind == Kind::spherical)
    return fmt::format(
        "{}.{}", name,
        velocity ? std::array{"wx", "wy", "wz", ""}[k] : std::array{"p0", "p1", "p2", "p3"}[k]);
  const char* what = "position";
  if (own == angle_entry(t.kind)) what = "angle";
  if (t.kind == Kind::planar && own < 2) what = own == 0 ? "x" : "y";
  if (t.kind == Kind::universal) what = own == 0 ? "angle_a" : "angle_b";
  return fmt::format("{}.{}{}", name, what, velocity ? "'" : "");
}

std::string RelativeModel::coordinate_name(int i) const {
  const auto after = std::partition_point(tree.begin(), tree.end(),
                                          [&](const TreeJoint& t) { return t.q + t.coordinates() <= i; });
  if (after != tree.end()) return entry_name(*after, i - after->q, false);
  for (const OwnTurn& turn : turns)
    if (measure(turn.measure).entry == i) return absolute.coordinate_name(turn.absolute_entry);
  return {};
}

std::string RelativeModel::velocity_name(int i) const {
  const auto after = std::partition_point(tree.begin(), tree.end(),
                                          [&](const TreeJoint& t) { return t.v + t.velocities() <= i; });
  return after != tree.end() ? entry_name(*after, i - after->v, true) : std::string{};
}

}  // namespace driftless::mechanics
