// Bodies that hang on nothing, and numbers that no body has.
//   triangle inequality    the largest principal moment of inertia is at most the sum of the others
//   radius of gyration     sqrt(J/m), which is of the size of the body: another one is often another unit
//   mass centre            within or near what is drawn
//   density                of what has a shape
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <driftless/linalg/symmetric_pencil.hpp>

#include "io/model/body_distance.hpp"
#include "io/model/body_shapes.hpp"
#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Measure;
using mechanics::Vec3;
using Severity = Finding::Severity;

constexpr double triangle_tolerance = 1e-6;
constexpr double widest = 3, narrowest = 0.01;             // radius of gyration, of the size of a body
constexpr double lightest = 10, heaviest = 25000;          // kg/m^3
constexpr double lightest_in_g = 0.4, heaviest_in_g = 25;  // of what is given in g/cm^3
constexpr double far_off = 10;  // times a limit: a roughly drawn shape is nearer, another unit is not
constexpr double widest_of_all =
    10;                           // radius of gyration, of the size of a mechanism, of a body that has none
constexpr double center_off = 1;  // mass centre beside the shapes, of the size of a body
constexpr double largest_mass_ratio = 1e8;
constexpr Dimension mass_of{.mass = 1}, length_of{.length = 1}, inertia_of{.length = 2, .mass = 1};

Vec3 half_extents(const BodyShape& s) {
  switch (s.kind) {
    case BodyShape::Kind::box:
      return 0.5 * s.size;
    case BodyShape::Kind::sphere:
      return {s.radius, s.radius, s.radius};
    case BodyShape::Kind::cylinder:
      return {s.radius, s.radius, s.length / 2};
    case BodyShape::Kind::capsule:
      return {s.radius, s.radius, s.length / 2 + s.radius};
    case BodyShape::Kind::link:
      return {(s.length + s.width) / 2, s.width / 2, s.thickness / 2};
  }
  return {};
}

// From the mass centre.
std::vector<Vec3> points_of(const CheckedParts& mechanism, const ModelBody& body) {
  std::vector<Vec3> points;
  const auto add = [&](const Vec3& p) {
    if (std::find(points.begin(), points.end(), p) == points.end()) points.push_back(p);
  };
  for (const int i : mechanism.measures_of[static_cast<std::size_t>(body.id.index)]) {
    const Measure& m = mechanism.parts.measure(i);
    if (m.a == body.id.index) add(m.pa);
    if (m.b == body.id.index) add(m.pb);
  }
  for (const BodyShape& shape : body.shapes) {
    const Vec3 at = shape.at - body.center, half = half_extents(shape);
    for (const double sign : {-1.0, 1.0}) {
      add(at + (sign * half.x) * shape.axes.x);
      add(at + (sign * half.y) * shape.axes.y);
      add(at + (sign * half.z) * shape.axes.z);
    }
  }
  return points;
}

Vector moments_of(const mechanics::Mat3& J) {
  Matrix full(3, 3);
  full << J.x.x, J.y.x, J.z.x, J.x.y, J.y.y, J.z.y, J.x.z, J.y.z, J.z.z;
  return linalg::symmetric_pencil(full, Matrix::Identity(3, 3)).values;
}

// From one end to the other, as the bodies are given.
double size_of_all(const CheckedParts& mechanism) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3 low{far, far, far}, high{-far, -far, -far};
  const State start = mechanism.model.mechanism.start();
  for (const ModelBody& body : mechanism.model.bodies) {
    const mechanics::Pose pose = mechanism.results.pose(start, body.id);
    std::vector<Vec3> points = points_of(mechanism, body);
    points.push_back({});
    for (const Vec3& own : points) {
      const Vec3 p = pose.r + pose.R * own;
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  return norm(high - low);
}

void look_at_gyration(const CheckedParts& mechanism, const ModelBody& body, double largest,
                      double size_of_all, ModelCheck& check) {
  const mechanics::Body& own = mechanism.parts.body(body.id.index);
  const BodyExtent extent = extent_of(mechanism, body);
  const double gyration = std::sqrt(largest / own.mass), size = std::max(extent.size, extent.reach);
  const bool wide = size > 0 && gyration > widest * size, narrow = gyration < narrowest * extent.size,
             alone = size == 0 && size_of_all > 0 && gyration > widest_of_all * size_of_all;
  if (!wide && !narrow && !alone) return;
  const auto length = [&](double si) { return mechanism.told(si, length_of); };
  add_finding(
      check, Severity::warning, "inertia", "body " + body.name,
      fmt::format(
          "mass {} and inertia {} belong to a radius of gyration of {}, and {} is {} large{} ({} {:.4g} "
          "of it expected); check the numbers and their units",
          mechanism.told(own.mass, mass_of), mechanism.told(largest, inertia_of), length(gyration),
          alone ? "the mechanism" : "the body",
          length(alone  ? size_of_all
                 : wide ? size
                        : extent.size),
          !alone && extent.size > 2 * size_of(body) ? " with the places where joints and forces sit on it"
                                                    : "",
          narrow ? "at least" : "at most",
          alone  ? widest_of_all
          : wide ? widest
                 : narrowest));
}

void look_at_inertia(const CheckedParts& mechanism, const ModelBody& body, double size_of_all,
                     ModelCheck& check) {
  const mechanics::Body& own = mechanism.parts.body(body.id.index);
  if (own.massless()) return;
  const std::string subject = "body " + body.name;
  double largest = own.inertia.z.z;
  if (!body.planar) {
    const Vector moments = moments_of(own.inertia);
    if (moments.size() != 3) return;
    largest = moments(2);
    const double others = moments(0) + moments(1);
    if (largest > (1 + triangle_tolerance) * others)
      add_finding(
          check, Severity::error, "triangle-inequality", subject,
          fmt::format("the largest principal moment of inertia is {} and the sum of the others {} (no body "
                      "has more); check the three moments, the products and their order",
                      mechanism.told(largest, inertia_of), mechanism.told(others, inertia_of)));
  }
  look_at_gyration(mechanism, body, largest, size_of_all, check);
}

void look_at_center(const CheckedParts& mechanism, const ModelBody& body, ModelCheck& check) {
  if (!has_extent(body)) return;
  const double size = size_of(body), off = distance_from(body, {}, {body.center});
  if (!(off > center_off * size)) return;
  add_finding(
      check, Severity::warning, "center", "body " + body.name,
      fmt::format("its mass centre is {} beside its shapes, ends and origin (at most {} expected); check "
                  "center, which is by the body's own origin and axes, and its units",
                  mechanism.told(off, length_of), mechanism.told(center_off * size, length_of)));
}

void look_at_density(const CheckedParts& mechanism, const ModelBody& body, ModelCheck& check) {
  const mechanics::Body& own = mechanism.parts.body(body.id.index);
  double volume = 0;
  for (const BodyShape& shape : body.shapes) volume += volume_of(shape);
  if (!(volume > 0)) return;
  const double density = own.mass / volume;
  // Shapes of a body with an inertia of its own are there to be looked at.
  std::vector<MassProperties> shapes;
  for (const BodyShape& shape : body.shapes) shapes.push_back(mass_properties(shape, density));
  const double about_z = sum_of(shapes).inertia.z.z;
  if (std::abs(about_z - own.inertia.z.z) > 1e-9 * about_z) return;
  if (density >= lightest && density <= heaviest) return;
  const bool far = density < lightest / far_off || density > heaviest * far_off;
  add_finding(
      check, far ? Severity::warning : Severity::note, "density", "body " + body.name,
      fmt::format("its shapes have a density of {:.4g} kg/m3 ({} to {} expected); check mass or density, the "
                  "lengths and their units{}",
                  density, lightest, heaviest,
                  density > lightest_in_g && density < heaviest_in_g
                      ? fmt::format(" ({:.4g} g/cm3 is {:.4g} kg/m3)", density, 1000 * density)
                      : ""));
}

void look_at_massless(const CheckedParts& mechanism, ModelCheck& check) {
  std::vector<std::string> names;
  for (const ModelBody& body : mechanism.model.bodies)
    if (mechanism.parts.body(body.id.index).massless()) names.push_back(body.name);
  if (names.empty()) return;
  add_finding(check, Severity::note, "massless", (names.size() == 1 ? "body " : "bodies ") + list_of(names),
              "without mass, so that runs use relative coordinates");
}

void look_at_masses(const CheckedParts& mechanism, ModelCheck& check) {
  const auto mass = [&](const ModelBody& body) { return mechanism.parts.body(body.id.index).mass; };
  const ModelBody *least = nullptr, *most = nullptr;
  for (const ModelBody& body : mechanism.model.bodies) {
    if (mechanism.parts.body(body.id.index).massless()) continue;
    if (!least || mass(body) < mass(*least)) least = &body;
    if (!most || mass(body) >= mass(*most)) most = &body;
  }
  if (!least || mass(*most) <= largest_mass_ratio * mass(*least)) return;
  add_finding(
      check, Severity::note, "mass-ratio", "body " + least->name,
      fmt::format("its mass is {} and that of {} is {} (ratio {:.3g}, limit {:.0e}); so light a body makes "
                  "small steps, give it more mass or make it part of another",
                  mechanism.told(mass(*least), mass_of), most->name, mechanism.told(mass(*most), mass_of),
                  mass(*most) / mass(*least), largest_mass_ratio));
}

// Bodies that hang together by joints, drives and forces; the ground is number 0.
Groups connections_of(const mechanics::MechanismModel& parts) {
  Groups groups(parts.bodies.size());
  const auto join = [&](int measure) { groups.join(parts.measure(measure).a, parts.measure(measure).b); };
  for (const auto* rows : {&parts.rows, &parts.velocity_rows})
    for (const mechanics::Row& row : *rows)
      for (const auto& term : row.terms) join(term.measure);
  for (const mechanics::Force& force : parts.forces) join(force.measure);
  return groups;
}

void look_at_connections(const CheckedParts& mechanism, ModelCheck& check) {
  Groups connections = connections_of(mechanism.parts);
  const bool falls = norm(mechanism.parts.gravity) > 0;
  std::map<int, std::vector<std::string>> alone;  // by root
  for (const ModelBody& body : mechanism.model.bodies)
    if (const int root = connections.root(body.id.index); root != connections.root(0))
      alone[root].push_back(body.name);
  for (const auto& [root, names] : alone)
    add_finding(
        check, falls ? Severity::warning : Severity::note, "disconnected",
        (names.size() == 1 ? "body " : "bodies ") + list_of(names),
        fmt::format(
            "0 joints and forces lead from there to the ground, and {}; add one, unless that is meant",
            falls ? "gravity makes it fall freely" : "it drifts freely"));
}

}  // namespace

BodyExtent extent_of(const CheckedParts& mechanism, const ModelBody& body) {
  BodyExtent extent;
  const std::vector<Vec3> points = points_of(mechanism, body);
  for (const Vec3& p : points) {
    extent.reach = std::max(extent.reach, norm(p));
    for (const Vec3& other : points) extent.size = std::max(extent.size, norm(p - other));
  }
  for (const int i : mechanism.measures_of[static_cast<std::size_t>(body.id.index)]) {
    const Measure& m = mechanism.parts.measure(i);
    const bool round = m.kind == Measure::Kind::height || m.kind == Measure::Kind::disc_slip;
    if (m.b != body.id.index || !round) continue;
    extent.reach = std::max(extent.reach, norm(m.pb) + m.length);
    extent.size = std::max(extent.size, 2 * m.length);
  }
  return extent;
}

void look_at_bodies(const CheckedParts& mechanism, ModelCheck& check) {
  const double size = size_of_all(mechanism);
  for (const ModelBody& body : mechanism.model.bodies) {
    look_at_inertia(mechanism, body, size, check);
    look_at_center(mechanism, body, check);
    look_at_density(mechanism, body, check);
  }
  look_at_massless(mechanism, check);
  look_at_masses(mechanism, check);
  look_at_connections(mechanism, check);
}

}  // namespace driftless::io
