#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace driftless::benchmarks::mujoco {

namespace {

double relative(const Vector& is, const Vector& expected) {
  return largest(is - expected) / std::max(1.0, largest(expected));
}

void raise(double& most, double value) {
  most = std::isfinite(value) ? std::max(most, value) : INFINITY;
}

void compare_bodies(const TheirDynamics& theirs, const OurDynamics& ours, Differences& d,
                    std::set<std::string>& left_out) {
  double far = 1, fast = 1;
  for (const BodyMotion& body : theirs.bodies) {
    far = std::max(far, largest(body.at));
    fast = std::max({fast, largest(body.velocity), largest(body.turning)});
  }
  const auto compare_point = [&](const std::string& name, const Eigen::Vector3d& at) {
    const auto point = ours.points.find(name);
    if (point == ours.points.end())
      left_out.insert(name);
    else
      raise(d.places, largest(point->second - at) / far);
  };
  for (const BodyMotion& body : theirs.bodies) {
    const auto found = ours.bodies.find(body.name);
    if (found == ours.bodies.end()) {
      compare_point(body.name, body.at);
      continue;
    }
    const BodyMotion& own = found->second;
    raise(d.places, largest(own.at - body.at) / far);
    raise(d.places, largest(own.axes - body.axes));
    raise(d.velocities, largest(own.velocity - body.velocity) / fast);
    raise(d.velocities, largest(own.turning - body.turning) / fast);
  }
  for (const SitePlace& site : theirs.sites) compare_point(site.name, site.at);
  raise(d.velocities, ours.astray / fast);
}

void compare_dynamics(const TheirDynamics& theirs, const OurDynamics& ours, Differences& d) {
  const Vector scale = theirs.M.diagonal().cwiseSqrt(), inverse = scale.cwiseInverse();
  raise(d.mass, largest(inverse.asDiagonal() * (ours.M - theirs.M) * inverse.asDiagonal()));
  raise(d.bias, relative(inverse.cwiseProduct(ours.bias), inverse.cwiseProduct(theirs.bias)));
  raise(d.applied, relative(inverse.cwiseProduct(ours.applied), inverse.cwiseProduct(theirs.applied)));
  d.any_applied = d.any_applied || largest(theirs.applied) > 0;
  raise(d.acceleration, relative(scale.cwiseProduct(ours.qacc), scale.cwiseProduct(theirs.qacc)));
  raise(d.energy, std::abs(ours.energy - theirs.energy) / std::max(1.0, std::abs(theirs.energy)));
}

// What the keyframe is to this reader, beside the same numbers from MuJoCo.
double compare_keyframe(const Ours& ours, const std::string& name, const Asked& at) {
  const io::Model own = ours.model(name), asked = ours.model(at, {.equality = true});
  double most = largest(own.mechanism.start().z - asked.mechanism.start().z);
  for (std::size_t i = 0; i < asked.parameters.size(); ++i)
    raise(most, std::abs(own.parameters.at(i).second - asked.parameters[i].second));
  return most;
}

}  // namespace

double Differences::worst() const {
  return std::max(
      {places, velocities, mass, bias, applied, acceleration, energy, anywhere, closed, keyframes});
}

Differences compare(const std::filesystem::path& file, int states) {
  Theirs theirs(file);
  const Ours ours(file);
  Differences d{.model = file.stem().string(), .bodies = theirs.bodies(), .freedoms = theirs.model().nv};
  d.notes = ours.notes();
  std::mt19937 source(20220907);
  std::vector<Asked> all;
  for (const std::string& name : theirs.keyframes()) {
    all.push_back(theirs.keyframe(name));
    raise(d.keyframes, compare_keyframe(ours, name, all.back()));
    d.any_keyframe = true;
  }
  for (int i = 0; i < states; ++i) all.push_back(theirs.random(source));
  std::set<std::string> left_out;
  for (const Asked& at : all) {
    const TheirDynamics expected = theirs.dynamics(at);
    const OurDynamics own = ours.dynamics(at);
    compare_bodies(expected, own, d, left_out);
    compare_dynamics(expected, own, d);
    const EqualityDifferences e = compare_equalities(theirs, ours, at);
    d.elements = e.elements;
    raise(d.anywhere, e.anywhere);
    raise(d.closed, e.closed);
    ++d.states;
  }
  d.left_out.assign(left_out.begin(), left_out.end());
  return d;
}

}  // namespace driftless::benchmarks::mujoco
