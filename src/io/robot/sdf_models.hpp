// Models of an SDFormat file, nested in each other and included from other files: everything in them that has a name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/robot/robot.hpp"
#include "io/robot/sdf_frames.hpp"
#include "io/robot/sdf_include.hpp"
#include "io/robot/sdf_joints.hpp"

namespace driftless::io {

// What surrounds an element.
struct SdfInside {
  int scope = 0;
  std::string prefix = {};  // of names in the robot: "arm::"
  bool fixed = false;       // all of it is static
  int version = 0;          // the 7 of 1.7
  std::string folder = {};  // of its file
  int depth = 0;            // models around it
};

struct SdfLink {
  XmlElement element;
  int frame = 0;
  int body = 0;  // link of the robot; 0: it is static, and part of the ground
};

// The 7 of <sdf version="1.7">; nothing: a fault.
std::optional<int> sdf_version(const XmlElement& root);

class SdfModels {
 public:
  SdfModels(const XmlElement& root, Robot& robot) : root_(root), robot_(robot), frames_(root) {}

  // Links get a place among those of the robot. The name that the model has in the end is given back; empty: it has none, a fault.
  std::string add_model(const XmlElement& e, const SdfInside& around) { return add_model(e, around, {}); }
  std::string add_include(const XmlElement& e, const SdfInside& in);
  void add_frame(const XmlElement& e, const SdfInside& in);
  void add_joint(const XmlElement& e, const SdfInside& in);
  // There are several models in the world: all names begin with theirs.
  void tell_apart() { alone_ = false; }

  SdfFrames& frames() { return frames_; }
  const std::vector<SdfLink>& links() const { return links_; }
  std::vector<SdfJoint>& joints() { return joints_; }
  // Of the links of the robot.
  const std::vector<int>& link_frames() const { return link_frames_; }

 private:
  // What an <include> says of a model that stands elsewhere.
  struct Changes {
    std::optional<std::string> name = {}, placement = {};
    std::optional<SdfPose> pose = {};
    std::optional<bool> fixed = {};
    bool merge = false;
  };
  std::string add_model(const XmlElement& e, const SdfInside& around, const Changes& changes);
  void add_content(const XmlElement& e, const SdfInside& in);
  void count(const XmlElement& e, std::size_t more);
  void add_link(const XmlElement& e, const SdfInside& in);
  int line_of(const XmlElement& e) const;

  XmlElement root_;
  Robot& robot_;
  SdfFrames frames_;
  SdfFiles files_;
  bool alone_ = true;
  std::size_t made_ = 0;  // of all that is in models
  std::vector<SdfLink> links_;
  std::vector<int> link_frames_ = {SdfFrames::world};
  std::vector<SdfJoint> joints_;
};

}  // namespace driftless::io
