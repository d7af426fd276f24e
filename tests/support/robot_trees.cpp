#include "support/robot_trees.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace driftless::tests {

namespace {

using Triple = std::array<double, 3>;
using Turn = std::array<Triple, 3>;  // rows

// Link i from 1 on, and the joint on which it hangs.
struct Link {
  int parent = 0;
  bool slides = false;
  Triple at, turned;  // by the parent's axes; angles about x, then y, then z, which stay where they are
  Triple axis;        // of unit length
  double damping, mass;
  Triple center, moments, products;  // products: xy, xz, yz
};

Link link_of(int i, bool chain) {
  const double s = std::sin(1.7 * i), c = std::cos(2.3 * i);
  Link l;
  l.parent = i == 1 ? 0 : !chain && i % 7 == 0 ? i / 2 : i - 1;
  l.slides = i % 6 == 5;
  l.at = {0.1 + 0.02 * s, 0.03 * c, -0.05 + 0.01 * s * c};
  l.turned = {0.2 * s, -0.3 * c, 0.25 + 0.2 * s};
  const Triple axes[] = {{0, 1, 0}, {0, 0, 1}, {0.6, 0, 0.8}, {1, 0, 0}, {0, -0.8, 0.6}};
  l.axis = axes[i % 5];
  l.damping = l.slides ? 4 + c : 0.02 + 0.01 * s;
  l.mass = 0.5 + 0.2 * c;
  l.center = {0.05, 0.01 * s, -0.02 * c};
  l.moments = {0.002 + 0.0005 * s, 0.0025, 0.003 + 0.0004 * c};
  l.products = {0.0002 * c, -0.0001 * s, 0.0003};
  return l;
}

std::vector<Link> links_of(const RobotTree& tree) {
  std::vector<Link> links;
  for (int i = 1; i <= tree.joints; ++i) links.push_back(link_of(i, tree.chain));
  return links;
}

std::string text(const Triple& v) {
  return fmt::format("{} {} {}", v[0], v[1], v[2]);
}
std::string list(const Triple& v) {
  return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
}
std::string name_of(int i) {
  return fmt::format("link{}", i);
}
constexpr const char* base = "base";

Turn product(const Turn& a, const Turn& b) {
  Turn c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
Triple applied(const Turn& a, const Triple& x) {
  Triple y{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) y[i] += a[i][k] * x[k];
  return y;
}
Turn turn_of(const Triple& angles) {
  const double cx = std::cos(angles[0]), sx = std::sin(angles[0]), cy = std::cos(angles[1]),
               sy = std::sin(angles[1]), cz = std::cos(angles[2]), sz = std::sin(angles[2]);
  const Turn x{{{1, 0, 0}, {0, cx, -sx}, {0, sx, cx}}}, y{{{cy, 0, sy}, {0, 1, 0}, {-sy, 0, cy}}},
      z{{{cz, -sz, 0}, {sz, cz, 0}, {0, 0, 1}}};
  return product(z, product(y, x));
}
// A direction across.
Triple across(const Triple& axis) {
  const Triple other = std::abs(axis[0]) < 0.5 ? Triple{1, 0, 0} : Triple{0, 1, 0};
  const double along = axis[0] * other[0] + axis[1] * other[1] + axis[2] * other[2];
  return {other[0] - along * axis[0], other[1] - along * axis[1], other[2] - along * axis[2]};
}

}  // namespace

std::string RobotTree::urdf() const {
  std::string xml = "<robot name=\"tree\">\n<link name=\"base\"/>\n";
  int i = 0;
  for (const Link& l : links_of(*this)) {
    ++i;
    xml += fmt::format(
        "<link name=\"{}\"><inertial><origin xyz=\"{}\"/><mass value=\"{}\"/>\n"
        "  <inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" ixz=\"{}\" iyz=\"{}\"/></inertial></link>\n",
        name_of(i), text(l.center), l.mass, l.moments[0], l.moments[1], l.moments[2], l.products[0],
        l.products[1], l.products[2]);
    xml += fmt::format(
        "<joint name=\"joint{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/>\n"
        "  <origin xyz=\"{}\" rpy=\"{}\"/><axis xyz=\"{}\"/><dynamics damping=\"{}\"/>{}</joint>\n",
        i, l.slides ? "prismatic" : "continuous", l.parent ? name_of(l.parent) : base, name_of(i), text(l.at),
        text(l.turned), text(l.axis), l.damping,
        l.slides ? "<limit lower=\"-9\" upper=\"9\" effort=\"0\" velocity=\"0\"/>" : "");
  }
  return xml + "</robot>\n";
}

std::string RobotTree::sdf() const {
  std::string xml =
      "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 -9.81</gravity><model name=\"tree\">\n";
  int i = 0;
  for (const Link& l : links_of(*this)) {
    ++i;
    const std::string parent = l.parent ? name_of(l.parent) : "world";
    xml += fmt::format(
        "<link name=\"{}\"><pose relative_to=\"{}\">{} {}</pose><inertial><pose>{} 0 0 0</pose>\n"
        "  <mass>{}</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz>"
        "<ixy>{}</ixy><ixz>{}</ixz><iyz>{}</iyz></inertia></inertial></link>\n",
        name_of(i), l.parent ? parent : "__model__", text(l.at), text(l.turned), text(l.center), l.mass,
        l.moments[0], l.moments[1], l.moments[2], l.products[0], l.products[1], l.products[2]);
    xml += fmt::format(
        "<joint name=\"joint{}\" type=\"{}\"><parent>{}</parent><child>{}</child>\n"
        "  <axis><xyz>{}</xyz><dynamics><damping>{}</damping></dynamics></axis></joint>\n",
        i, l.slides ? "prismatic" : "revolute", parent, name_of(i), text(l.axis), l.damping);
  }
  return xml + "</model></world></sdf>\n";
}

std::string RobotTree::mjcf() const {
  const std::vector<Link> links = links_of(*this);
  std::vector<std::vector<int>> children(links.size() + 1);
  for (std::size_t i = 1; i <= links.size(); ++i)
    children[static_cast<std::size_t>(links[i - 1].parent)].push_back(static_cast<int>(i));
  std::string xml = "<mujoco model=\"tree\"><compiler angle=\"radian\" eulerseq=\"XYZ\"/><worldbody>\n";
  // Elements in elements, from the inside of the last link outward: without recursion, for long chains.
  std::vector<std::string> open(links.size() + 1);
  for (std::size_t i = links.size(); i >= 1; --i) {
    const Link& l = links[i - 1];
    std::string body = fmt::format(
        "<body name=\"{}\" pos=\"{}\" euler=\"{}\"><inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {}\"/>\n"
        "<joint name=\"joint{}\" type=\"{}\" axis=\"{}\" damping=\"{}\"/>\n",
        name_of(static_cast<int>(i)), text(l.at), text(l.turned), text(l.center), l.mass, text(l.moments),
        text(l.products), i, l.slides ? "slide" : "hinge", text(l.axis), l.damping);
    for (const int child : children[i]) body += std::move(open[static_cast<std::size_t>(child)]);
    open[i] = body + "</body>\n";
  }
  for (const int child : children[0]) xml += open[static_cast<std::size_t>(child)];
  return xml + "</worldbody></mujoco>\n";
}

std::string RobotTree::model() const {
  std::string toml = "title = \"tree\"\ngravity = [0, 0, -9.81]\n";
  struct Place {
    Triple at{};
    Turn turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  };
  std::vector<Place> places(1);
  int i = 0;
  for (const Link& l : links_of(*this)) {
    ++i;
    const Place& parent = places[static_cast<std::size_t>(l.parent)];
    Place place{applied(parent.turn, l.at), product(parent.turn, turn_of(l.turned))};
    for (std::size_t k = 0; k < 3; ++k) place.at[k] += parent.at[k];
    const Turn& R = place.turn;
    toml += fmt::format(
        "[body.{}]\nmass = {}\ninertia = {}\nproducts = {}\ncenter = {}\nat = {}\naxes = {{x = {}, y = "
        "{}}}\n",
        name_of(i), l.mass, list(l.moments), list({l.products[2], l.products[1], l.products[0]}),
        list(l.center), list(place.at), list({R[0][0], R[1][0], R[2][0]}), list({R[0][1], R[1][1], R[2][1]}));
    const Triple x = across(l.axis);
    const Turn own = turn_of(l.turned);
    toml += fmt::format(
        "[joint.joint{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\na = {{at = {}, axis = {}, x = {}}}\n"
        "b = {{at = [0, 0, 0], axis = {}, x = {}}}\n",
        i, l.slides ? "prismatic" : "revolute", l.parent ? name_of(l.parent) : "ground", name_of(i),
        list(l.at), list(applied(own, l.axis)), list(applied(own, x)), list(l.axis), list(x));
    toml += fmt::format("[force.damping{}]\ntype = \"friction\"\non = \"joint{}.{}\"\ncoefficient = {}\n", i,
                        i, l.slides ? "position" : "angle", l.damping);
    places.push_back(place);
  }
  return toml;
}

}  // namespace driftless::tests
