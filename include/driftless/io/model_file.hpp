// Model files: a mechanism described in TOML (docs/models.md). read_model() makes a Mechanism of one, with what is to be run and shown; everything
// that is wrong with a file is told at once, each with its line.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/mechanics/mechanism.hpp>
#include <driftless/mechanics/units.hpp>

namespace driftless::io {

// What a body looks like, by its own axes.
struct BodyShape {
  enum class Kind { box, sphere, cylinder, capsule, link };
  Kind kind = Kind::box;
  mechanics::Vec3 size = {};        // of a box
  double radius = 0, length = 0;    // of the round ones; of a link between the centres of its ends
  double width = 0, thickness = 0;  // of a link
  mechanics::Vec3 at = {};
  mechanics::Mat3 axes = mechanics::identity3;
  std::string color = {};  // "#rrggbb"; empty: not given
};

// A body as the file has it: its origin and axes are the author's, and the mass centre lies anywhere.
struct ModelBody {
  std::string name;
  mechanics::BodyId id;
  bool planar = false;
  mechanics::Vec3 center = {};  // of mass, by its axes
  std::vector<BodyShape> shapes = {};
  std::optional<double> length = {};  // of one given by its ends: along its x axis, its origin in the middle
};

// A point of a body whose place is wanted.
struct ModelPoint {
  std::string name;
  mechanics::BodyId body;
  mechanics::Vec3 arm = {};  // by body axes from the mass centre
  bool planar = false;
};

struct ModelJoint {
  std::string name, type;
  mechanics::JointId id;
  std::vector<std::string> of = {};  // the two bodies, or joints, that it connects
  bool placed = true;                // not: the file does not say where, and it is at the origin of the world
};

// A force between two bodies, where the file says it acts.
struct ModelForce {
  std::string name;
  mechanics::Marker a, b;
  std::vector<std::string> of = {};  // the two bodies
  bool placed = true;                // as of joints
};

// A number that the author knows, to be met at a time.
struct Expectation {
  std::string column;
  double at = 0, value = 0, tolerance = 0;  // in the units of the file
  std::string why = {};
};

// Words for the method and numbers for the run, as flags of the command line have them; empty: not given.
struct ModelRun {
  std::optional<double> t_end = {}, step = {}, rtol = {}, atol = {}, hmax = {}, output = {};
  std::string formulation = {}, integrator = {}, stabilizer = {}, controller = {}, coordinates = {};
  std::vector<std::string> controls = {};
};

struct Model {
  std::filesystem::path file;
  std::string digest;  // of the text and of the tables it names: another one, another model
  std::string title, about;
  mechanics::Units units;
  std::map<std::string, std::string> unit_names;  // "length": "mm", all five
  std::vector<std::pair<std::string, double>> parameters;
  mechanics::Mechanism mechanism;
  std::vector<ModelBody> bodies;  // in the order of the file; the ground is not among them
  std::vector<ModelPoint> points;
  std::vector<ModelJoint> joints;
  std::vector<std::string> forces, drives;
  std::vector<ModelForce> force_places;  // of forces that act between bodies
  mechanics::Closing closing;
  ModelRun run;
  std::vector<std::string> columns;  // as the author wrote them; empty: the usual ones
  std::vector<Expectation> expectations;
  std::vector<std::string>
      notes;  // of robot files: what is not simulated, and what was decided where they are silent
};

// One thing that is wrong with a file.
struct ModelFault {
  int line = 0, column = 0;  // from 1; 0: nowhere
  std::string path;          // "body.crank.mass"
  std::string message;
};

// All of them; what() has one line for each, with the name of the file.
class ModelError : public InputError {
 public:
  // `untold`: how many more there were than are kept.
  ModelError(const std::filesystem::path& file, std::vector<ModelFault> faults, std::size_t untold = 0);
  const std::vector<ModelFault>& faults() const { return faults_; }

 private:
  std::vector<ModelFault> faults_;
};

// `set`: values for parameters of the file, arithmetic allowed. Throws ModelError, and InputError where the file cannot be read or has no such
// parameter.
Model read_model(const std::filesystem::path& file,
                 const std::vector<std::pair<std::string, std::string>>& set = {});
// The same of a text; `file` is what messages call it and where tables are looked for.
Model read_model_text(std::string_view text, const std::filesystem::path& file,
                      const std::vector<std::pair<std::string, std::string>>& set = {});

}  // namespace driftless::io
