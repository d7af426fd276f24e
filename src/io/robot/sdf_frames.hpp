// Frames of an SDFormat file: the world, models, links, joints and <frame>s. Each has a pose in another one, and is attached to something that
// moves; both are found by name, among what stands in the same model and in models inside of it.
//   usually a pose is given in the frame of the model around it; of a joint, in its child; of a <frame>, in what it is attached to
//   a joint is attached to its child, a model to its canonical link, what is static to the world
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/robot.hpp"
#include "io/robot/sdf_values.hpp"
#include "io/robot/xml_file.hpp"

namespace driftless::io {

struct SdfFrame {
  enum class Kind { world, model, link, joint, frame };
  Kind kind = Kind::frame;
  std::string name;    // in its scope
  std::string called;  // with the models that it is in
  XmlElement element;
  int scope = 0;  // in which its names are looked up
  SdfPose pose = {};
  // What it is attached to: attached_to of a <frame>, child of a joint, canonical link of a model, which is looked up inside of it.
  std::string holder = {};
  std::optional<XmlElement> holder_element = std::nullopt;
  std::string placement = {};  // of a model: the frame inside of it that its pose is meant of
  int body = -1;               // of a link and of what is static; by number of links of the robot
};

class SdfFrames {
 public:
  static constexpr int world = 0;  // the frame, and the scope

  explicit SdfFrames(const XmlElement& root);

  // The number of the frame. A name that is taken is a fault; `may_share`: it is not, and cannot be referred to.
  int add(const SdfFrame& frame, bool may_share = false);
  // The scope of the names inside of a model. `merged`: they stand among those around it.
  int add_scope(int model_frame, int around, bool merged);

  // Finds out everything; what is wrong becomes faults.
  void resolve();

  std::optional<int> find(int scope, std::string_view name) const;
  // A fault, and the world, where there is none.
  int need(int scope, const std::string& name, const XmlElement& by, const char* attribute = nullptr);

  const SdfFrame& operator[](int frame) const { return frames_[static_cast<std::size_t>(frame)]; }
  int scope_frame(int scope) const { return scopes_[static_cast<std::size_t>(scope)].frame; }
  int body(int frame) const { return bodies_[static_cast<std::size_t>(frame)]; }
  const Place& in_world(int frame) const { return places_[static_cast<std::size_t>(frame)]; }
  // Where `to` lies by the axes of `from`.
  Place between(int from, int to) const;
  // A pose of something on a frame, by the axes of that.
  Place on(int frame, const SdfPose& pose);

 private:
  struct Scope {
    int frame = 0;                                                   // what __model__ is
    int names_of = 0;                                                // the scope that has its names
    std::map<std::string, int, std::less<>> names = {}, inner = {};  // frames, and scopes of models
    int first_link = -1, first_model = -1;
  };
  int holder(int frame);
  int base(int frame);
  Place own(int frame);  // in base(frame)
  std::optional<Place> inside(int frame, int model);
  void find_body(int frame);
  void find_place(int frame);
  std::string circle(const std::vector<int>& way, int back) const;

  XmlReading& reading_;
  std::vector<SdfFrame> frames_;
  std::vector<Scope> scopes_;
  std::vector<int> scope_of_;                  // of models; -1: of others
  std::vector<int> holders_, bases_, bodies_;  // -1: not known yet
  std::vector<std::optional<Place>> own_;
  std::vector<Place> places_;
  std::vector<bool> placed_;
};

}  // namespace driftless::io
