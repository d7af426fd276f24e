#include "mechanics/relative/spanning_tree.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/mechanics/massless.hpp>

namespace driftless::mechanics {

namespace {

struct Type {
  const char* name;
  int freedoms, rows;
};
constexpr Type spatial_types[] = {{"fixed", 0, 6},  {"revolute", 1, 5},    {"prismatic", 1, 5},
                                  {"screw", 1, 5},  {"cylindrical", 2, 4}, {"universal", 2, 4},
                                  {"planar", 3, 3}, {"spherical", 3, 3}};
constexpr Type planar_types[] = {{"fixed", 0, 3}, {"revolute", 1, 2}, {"prismatic", 1, 2}};

// Grows a tree level by level.
class Growth {
 public:
  Growth(const MechanismModel& model, const std::vector<Joint>& joints, int longest)
      : model_(model),
        joints_(joints),
        longest_(longest),
        massless_(massless_body(model) != nullptr),
        reached_(model.bodies.size(), false),
        immobile_(model.bodies.size(), false),
        depth_(model.bodies.size(), 0),
        root_(model.bodies.size(), 0),
        at_(model.bodies.size()) {
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (tree_freedoms(model, joints[i]) < 0) continue;
      at_[static_cast<std::size_t>(joints[i].a.body)].push_back(static_cast<int>(i));
      at_[static_cast<std::size_t>(joints[i].b.body)].push_back(static_cast<int>(i));
    }
  }

  SpanningTree grow() {
    reached_[0] = immobile_[0] = true;
    spread(0);
    for (const int body : free_order()) {
      if (reached(body)) continue;
      if (massless(body))
        throw InputError(fmt::format(
            "body {} has no mass of its own, and no revolute, prismatic, cylindrical, screw, "
            "universal, spherical, planar or fixed joint leads from it to the ground or to a body "
            "with mass; give it mass and inertia, or such a joint",
            model_.body(body).name));
      hang({body, 0, -1});
      spread(body);
    }
    std::stable_sort(tree_.links.begin(), tree_.links.end(), [&](const TreeLink& x, const TreeLink& y) {
      return root_[static_cast<std::size_t>(x.body)] < root_[static_cast<std::size_t>(y.body)];
    });
    return std::move(tree_);
  }

 private:
  bool massless(int body) const { return model_.body(body).massless(); }
  bool reached(int body) const { return reached_[static_cast<std::size_t>(body)]; }
  void hang(const TreeLink& link) {
    const auto body = static_cast<std::size_t>(link.body), parent = static_cast<std::size_t>(link.parent);
    reached_[body] = true;
    depth_[body] = depth_[parent] + (massless(link.body) ? 0 : 1);
    immobile_[body] = immobile_[parent] && link.joint >= 0 &&
                      tree_freedoms(model_, joints_[static_cast<std::size_t>(link.joint)]) == 0;
    root_[body] = immobile_[parent] ? static_cast<int>(tree_.links.size()) : root_[parent];
    tree_.links.push_back(link);
  }

  // All bodies that could hang on this one now.
  void add_links(int parent, std::vector<TreeLink>& links) const {
    for (const int i : at_[static_cast<std::size_t>(parent)]) {
      const Joint& joint = joints_[static_cast<std::size_t>(i)];
      const int child = joint.a.body == parent ? joint.b.body : joint.a.body;
      if (!reached(child) && may_hang(child, parent)) links.push_back({child, parent, i});
    }
  }
  void sort(std::vector<TreeLink>& links) const {
    std::sort(links.begin(), links.end(),
              [&](const TreeLink& x, const TreeLink& y) { return rank(x) < rank(y); });
  }

  void spread(int root) {
    std::vector<int> level = {root};
    reach_through_massless(level);
    while (!level.empty()) {
      std::vector<TreeLink> candidates;
      for (const int parent : level)
        if (depth_[static_cast<std::size_t>(parent)] < longest_) add_links(parent, candidates);
      sort(candidates);
      level.clear();
      for (const TreeLink& link : candidates) {
        if (reached(link.body)) continue;
        hang(link);
        level.push_back(link.body);
        reach_through_massless(level);
      }
    }
  }

  // From the last body of the level to those without mass beside it, to all beside these, and so on.
  void reach_through_massless(std::vector<int>& level) {
    for (std::size_t i = level.size() - 1; massless_ && i < level.size(); ++i) {
      std::vector<TreeLink> links;
      add_links(level[i], links);
      std::erase_if(links,
                    [&](const TreeLink& link) { return !massless(link.body) && !massless(link.parent); });
      sort(links);
      for (const TreeLink& link : links) {
        if (reached(link.body)) continue;
        hang(link);
        level.push_back(link.body);
      }
    }
  }

  bool may_hang(int child, int parent) const {
    return model_.body(child).kind != Body::Kind::planar || model_.body(parent).kind != Body::Kind::spatial;
  }
  std::tuple<int, double, int> rank(const TreeLink& link) const {
    return {tree_freedoms(model_, joints_[static_cast<std::size_t>(link.joint)]),
            -model_.body(link.parent).mass, link.joint};
  }

  // In which bodies are tried that no joint leads to. Planar ones first: spatial ones may hang on them.
  std::vector<int> free_order() const {
    std::vector<int> bodies(model_.bodies.size() - 1);
    std::iota(bodies.begin(), bodies.end(), 1);
    const auto key = [&](int i) {
      return std::pair{model_.body(i).kind == Body::Kind::planar, model_.body(i).mass};
    };
    std::stable_sort(bodies.begin(), bodies.end(), [&](int x, int y) { return key(x) > key(y); });
    return bodies;
  }

  const MechanismModel& model_;
  const std::vector<Joint>& joints_;
  const int longest_;
  const bool massless_;  // whether there are any
  std::vector<char> reached_, immobile_;
  std::vector<int> depth_, root_;     // of bodies: how many joints from the ground; the branch
  std::vector<std::vector<int>> at_;  // joints of each body
  SpanningTree tree_;
};

}  // namespace

int tree_freedoms(const MechanismModel& model, const Joint& joint) {
  if (joint.joint_a >= 0) return -1;
  const bool flat = model.body(joint.a.body).kind != Body::Kind::spatial &&
                    model.body(joint.b.body).kind != Body::Kind::spatial;
  const auto find = [&](const auto& types) {
    for (const Type& type : types)
      if (joint.type == type.name && joint.rows == type.rows && joint.velocity_rows == 0)
        return type.freedoms;
    return -1;
  };
  return flat ? find(planar_types) : find(spatial_types);
}

SpanningTree spanning_tree(const MechanismModel& model, const std::vector<Joint>& joints,
                           int longest_branch) {
  SpanningTree tree = Growth(model, joints, longest_branch).grow();
  const bool rigid = std::all_of(tree.links.begin(), tree.links.end(), [&](const TreeLink& link) {
    return link.joint >= 0 && tree_freedoms(model, joints[static_cast<std::size_t>(link.joint)]) == 0;
  });
  if (rigid && !tree.links.empty()) {
    const auto heavy = std::find_if(tree.links.begin(), tree.links.end(),
                                    [&](const TreeLink& link) { return !model.body(link.body).massless(); });
    TreeLink& first = heavy == tree.links.end() ? tree.links.front() : *heavy;
    first = {first.body, 0, -1};
  }
  return tree;
}

}  // namespace driftless::mechanics
