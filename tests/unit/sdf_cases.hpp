// What the tests of SDFormat files share: pieces of files, and numbers of the models that become of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <driftless/io/model_check.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>
#include <driftless/io/robot_file.hpp>

#include "support/run.hpp"

namespace driftless::tests::sdf_cases {

using io::Model;
using io::robot_model_text_of;
using mechanics::Mat3;
using mechanics::Vec3;
constexpr double pi = std::numbers::pi;
const inline std::string robots = DRIFTLESS_SOURCE_DIR "/tests/robots/";

inline Model model_of(const std::string& text, const std::filesystem::path& file = "x.sdf") {
  return io::read_model_text(robot_model_text_of(text, file).text, "x.toml");
}
inline std::string sdf(const std::string& inside, const std::string& version = "1.9") {
  return fmt::format("<sdf version=\"{}\">{}</sdf>", version, inside);
}
inline std::string one_model(const std::string& inside, const std::string& version = "1.9") {
  return sdf("<model name=\"m\">" + inside + "</model>", version);
}
inline std::string link(const std::string& name, const std::string& pose = "0 0 0 0 0 0",
                        const std::string& inside = "") {
  return fmt::format("<link name=\"{}\"><pose>{}</pose>{}</link>", name, pose, inside);
}
inline std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                         const std::string& child,
                         const std::string& inside = "<axis><xyz>0 0 1</xyz></axis>") {
  return fmt::format("<joint name=\"{}\" type=\"{}\"><parent>{}</parent><child>{}</child>{}</joint>", name,
                     type, parent, child, inside);
}

inline double at_start(const Model& model, const std::string& column) {
  return io::ModelOutputs(model, {column}).row(model.mechanism.assembled(model.closing)).front();
}
inline Vec3 place(const Model& model, const std::string& body) {
  return {at_start(model, body + ".x"), at_start(model, body + ".y"), at_start(model, body + ".z")};
}
// Where the axes of a body point.
inline Mat3 axes(const Model& model, const std::string& body) {
  return mechanics::rotation(at_start(model, body + ".p0"), at_start(model, body + ".p1"),
                             at_start(model, body + ".p2"), at_start(model, body + ".p3"));
}
inline mechanics::Body body_of(const Model& model, const std::string& name) {
  const mechanics::MechanismModel finished = model.mechanism.finished();
  for (const mechanics::Body& b : finished.bodies)
    if (b.name == name) return b;
  ADD_FAILURE() << "no body " << name;
  return {};
}
inline int freedoms(const Model& model) {
  return io::check_model(model).freedom.freedoms;
}
inline std::string type_of(const Model& model, const std::string& name) {
  for (const io::ModelJoint& j : model.joints)
    if (j.name == name) return j.type;
  return "none";
}
inline double final_value(const Model& model, double t_end, const std::string& column) {
  const Solution s = solve(*model.mechanism.problem(), model.mechanism.assembled(model.closing), {},
                           {.t_end = t_end, .rtol = 1e-9, .atol = 1e-9});
  EXPECT_TRUE(s.complete()) << s.end_message;
  io::ModelOutputs outputs(model, {column});
  double value = 0;
  for (const State& state : s.states) value = outputs.row(state).front();
  return value;
}
inline void expect_near(const Vec3& a, const Vec3& b, double tolerance = 1e-12) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}
inline bool told(const std::vector<std::string>& notes, const std::string& piece) {
  for (const std::string& note : notes)
    if (contains(note, piece)) return true;
  return false;
}

}  // namespace driftless::tests::sdf_cases
