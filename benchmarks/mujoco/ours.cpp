#include "ours.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/QR>

namespace driftless::benchmarks::mujoco {

namespace {

using mechanics::Mat3;
using mechanics::RelativeCoordinates;
using mechanics::Vec3;

Eigen::Vector3d eigen(const Vec3& v) {
  return {v.x, v.y, v.z};
}
Eigen::Matrix3d eigen(const Mat3& A) {
  Eigen::Matrix3d B;
  B << eigen(A.x), eigen(A.y), eigen(A.z);
  return B;
}

std::string listed(const Vector& values) {
  return fmt::format("{:.17g}", fmt::join(values.data(), values.data() + values.size(), " "));
}

mechanics::Pose pose_of(const mechanics::MechanismModel& model, const mechanics::Body& body,
                        const State& state) {
  return mechanics::pose_of<double>(body, std::span(state.z.data(), static_cast<std::size_t>(model.nq)),
                                    std::span(state.z.data() + model.nq, static_cast<std::size_t>(model.nv)));
}

int velocities_of(const mechanics::TreeLink& link, const std::vector<mechanics::Joint>& joints) {
  static const std::map<std::string, int> known = {
      {"fixed", 0}, {"revolute", 1}, {"prismatic", 1}, {"spherical", 3}};
  return link.joint < 0 ? 6 : known.at(joints[static_cast<std::size_t>(link.joint)].type);
}

// T' qvel; bodies that are free here must be free there, whose rates are then entries of qvel.
Vector curving(const RelativeCoordinates& relative, const io::Model& model, const State& state,
               const Matrix& T) {
  const mechanics::MechanismModel all = model.mechanism.finished();
  Vector change = Vector::Zero(relative.problem()->shape().nv);
  Eigen::Index at = 0;
  for (const mechanics::TreeLink& link : relative.tree().links) {
    if (link.joint < 0) {
      const mechanics::Body& body = all.body(link.body);
      const Vector sums = T.middleRows(at + 3, 3).cwiseAbs().rowwise().sum();
      if (largest(sums - Vector::Ones(3)) > 1e-9)
        throw std::runtime_error(fmt::format(
            "{} is free here and not in MuJoCo; let the body with the free joint be the heaviest of its tree",
            body.name));
      const mechanics::Pose pose = pose_of(all, body, state);
      change.segment<3>(at) = eigen(cross(pose.w, cross(pose.w, -(pose.R * body.origin))));
    }
    at += velocities_of(link, model.mechanism.joints());
  }
  return change;
}

struct Equations {
  Equations(const io::Model& model, const State& start)
      : relative(model.mechanism.finished(), model.mechanism.joints(), start), state(relative.start()) {
    relative.problem()->evaluate(Part::mass | Part::force | Part::jacobian | Part::position,
                                 Point(state.t, state.z), all);
  }
  RelativeCoordinates relative;
  State state;
  Evaluation all;
};

}  // namespace

std::map<std::string, BodyMotion> motions(const io::Model& model, const State& state) {
  const mechanics::MechanismModel all = model.mechanism.finished();
  std::map<std::string, BodyMotion> result;
  for (const io::ModelBody& b : model.bodies) {
    const mechanics::Body& body = all.body(b.id.index);
    const mechanics::Pose pose = pose_of(all, body, state);
    const Vec3 arm = -(pose.R * b.center);
    result[b.name] = {b.name, eigen(pose.r + arm), eigen(pose.v + cross(pose.w, arm)), eigen(pose.w),
                      eigen(pose.R)};
  }
  return result;
}

Ours::Ours(const std::filesystem::path& file) : file_(file) {
  std::ifstream stream(file);
  std::ostringstream all;
  all << stream.rdbuf();
  text_ = all.str();
  if (text_.find("</mujoco>") == text_.npos)
    throw std::runtime_error(fmt::format("{} has no </mujoco>", file.string()));
  notes_ = io::robot_model_text(file).notes;
}

io::Model Ours::read(const std::string& text, const std::string& keyframe) const {
  const io::RobotText made = io::robot_model_text_of(text, file_, {.keyframe = keyframe});
  return io::read_model_text(made.text, file_);
}

io::Model Ours::model(const std::string& keyframe) const {
  return read(text_, keyframe);
}

io::Model Ours::model(const Asked& at, const Acting& acting) const {
  std::string added;
  if (!acting.equality) added += "<option><flag equality=\"disable\"/></option>";
  if (!acting.applied) added += "<option><flag passive=\"disable\" actuation=\"disable\"/></option>";
  added += fmt::format("<keyframe><key name=\"asked here\" qpos=\"{}\" qvel=\"{}\" ctrl=\"{}\"/></keyframe>",
                       listed(at.qpos), listed(at.qvel), listed(at.ctrl));
  std::string text = text_;
  text.insert(text.rfind("</mujoco>"), added);
  return read(text, "asked here");
}

OurDynamics Ours::dynamics(const Asked& at) const {
  const io::Model plain = model(at, {.applied = false}), whole = model(at, {});
  const State start = plain.mechanism.start();
  const Equations inert(plain, start), acted(whole, whole.mechanism.start());
  OurDynamics result;

  // The tree's own kinematics, from joint coordinates outward.
  result.bodies = motions(plain, inert.relative.absolute(inert.state));
  for (const auto& [name, body] : motions(plain, start)) {
    const BodyMotion& other = result.bodies.at(name);
    result.astray =
        std::max({result.astray, largest(body.at - other.at), largest(body.axes - other.axes),
                  largest(body.velocity - other.velocity), largest(body.turning - other.turning)});
  }
  const mechanics::MechanismModel all = plain.mechanism.finished();
  for (const io::ModelPoint& point : plain.points) {
    const mechanics::Pose pose = pose_of(all, all.body(point.body.index), start);
    result.points[point.name] = eigen(pose.r + pose.R * point.arm);
  }

  Matrix T(inert.state.v().size(), at.qvel.size());
  for (Eigen::Index i = 0; i < T.cols(); ++i) {
    Asked unit = at;
    unit.qvel = Vector::Unit(T.cols(), i);
    T.col(i) = inert.relative.relative(model(unit, {.applied = false}).mechanism.start()).v();
  }
  result.astray = std::max({result.astray, largest(T * at.qvel - inert.state.v()), largest(inert.all.g),
                            largest(inert.all.G * T)});

  const Vector curved = curving(inert.relative, plain, start, T);
  const Matrix& M = inert.all.M;
  result.M = T.transpose() * M * T;
  result.bias = T.transpose() * (M * curved - inert.all.f);
  result.applied = T.transpose() * (acted.all.f - inert.all.f);
  const Problem& problem = *acted.relative.problem();
  Vector a(M.rows()), multipliers(problem.shape().multipliers());
  Workspace work;
  if (problem.acceleration(0, acted.state.z, Vector::Zero(multipliers.size()), a, multipliers, work) !=
      Status::ok)
    throw std::runtime_error(fmt::format("{}: no acceleration", file_.string()));
  result.qacc = T.colPivHouseholderQr().solve(a - curved);
  result.energy = all.energy(0.0, std::span(start.z.data(), static_cast<std::size_t>(all.nq)),
                             std::span(start.z.data() + all.nq, static_cast<std::size_t>(all.nv)));
  return result;
}

}  // namespace driftless::benchmarks::mujoco
