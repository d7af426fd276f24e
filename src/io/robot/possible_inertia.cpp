#include "io/robot/possible_inertia.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>

#include <fmt/format.h>

namespace driftless::io {

using mechanics::Mat3;
using mechanics::Vec3;

namespace {

// Numbers in files have few digits, and moments that are 0 come out of them as a little less.
double slack(const Vec3& m) {
  return 1e-9 * (std::abs(m.x) + std::abs(m.y) + std::abs(m.z));
}

}  // namespace

PrincipalMoments principal_of(const Mat3& J) {
  Eigen::Matrix3d full;
  full << J.x.x, J.y.x, J.z.x, J.y.x, J.y.y, J.z.y, J.z.x, J.z.y, J.z.z;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(full);
  const auto column = [&](int i) {
    return Vec3{solver.eigenvectors()(0, i), solver.eigenvectors()(1, i), solver.eigenvectors()(2, i)};
  };
  return {{solver.eigenvalues()[0], solver.eigenvalues()[1], solver.eigenvalues()[2]},
          {column(0), column(1), column(2)}};
}

bool possible_moments(const Vec3& m) {
  return m.x + m.y >= m.z - slack(m) && m.y + m.z >= m.x - slack(m) && m.z + m.x >= m.y - slack(m);
}

void judge_inertia(const RobotLink& link, const XmlElement& element, std::vector<std::string>& notes) {
  if (!link.mass || !(link.mass->mass > 0)) return;
  const Vec3 p = principal_of(link.mass->inertia).moments;
  if (p.x < -slack(p))
    element.fault(fmt::format(
        "its principal moments of inertia are {:g}, {:g} and {:g} (none may be negative); correct them", p.x,
        p.y, p.z));
  else if (!possible_moments(p))
    notes.push_back(
        fmt::format("link '{}': no body has moments of inertia {:g}, {:g} and {:g} (two of them together are "
                    "never less than the third); they are used as they are",
                    link.name, p.x, p.y, p.z));
}

}  // namespace driftless::io
