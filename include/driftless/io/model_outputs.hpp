// ModelOutputs: columns of results by the names of a model file, in its units (docs/models.md lists them):
//   BODY.x .. of its origin, JOINT.COORDINATE and its rate, JOINT.fx .. what it carries, FORCE.power, DRIVE.effort, energy.total, drift.position
// `*` on either side of the dot stands for all there are. Rows are asked for in the order of time, so that angles go on over whole turns.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <driftless/core/solution.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/run_report.hpp>
#include <driftless/io/state_units.hpp>

namespace driftless::io {

class ModelOutputs {
 public:
  // Of these names; none: those that the model asks for, and if it asks for none, poses, joint coordinates and energies. Throws InputError
  // for a name that is unknown.
  explicit ModelOutputs(const Model& model, const std::vector<std::string>& columns = {});

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& units() const { return units_; }  // of each: "mm/s"
  std::vector<double> row(const State& state);
  // The same for somebody who looks for zeros: the size of what a joint with a single multiplier carries has the sign of that.
  std::vector<double> signed_row(const State& state);
  bool pass_zero() const;  // there: no column is the size of a vector, which has no sign
  // What is wrong with a name; empty: nothing. Any name of the model may be asked for, whatever the columns are. `near`: with the name that was
  // meant, perhaps, which is looked for among all.
  std::string fault(const std::string& name, bool near = true) const;
  // What a column is, by its name; nothing where there is none of this name, or several.
  std::optional<mechanics::Dimension> dimension(const std::string& name) const;
  double time(const State& state) const { return state.t / of_.time; }
  const std::string& time_unit() const { return unit_names_.at("time"); }

 private:
  struct At;  // a state, with what several columns need
  using Value = std::function<double(At&)>;
  enum class Sign { own, none, of_multiplier };  // none: it is the size of a vector
  struct Column {
    std::string owner, own;  // "crank", "x"
    std::string unit;
    double si;  // for one of the unit
    mechanics::Dimension dimension;
    Value value;
    Sign sign = Sign::own;
    Value multiplier = {};  // whose sign it takes
  };
  using Numbers = std::unordered_map<std::string, std::vector<std::size_t>>;  // by names
  void add_bodies(const Model& model, const Numbers& elements);
  void add_points(const Model& model);
  void add_joints(const Model& model);
  void add_size(const mechanics::Joint& joint, const std::string& own, const mechanics::Dimension& d,
                Value value);
  void add_elements(const Model& model, const Numbers& elements,
                    const std::vector<mechanics::ElementEnergy>& energies);
  void add_whole();
  void add(const std::string& owner, const std::string& own, const mechanics::Dimension& d, Value value);
  std::vector<std::size_t> found(const std::string& name) const;  // columns that it means, in their order
  std::string unknown(const std::string& name, bool near = true) const;  // what to say where there are none
  void choose(const std::vector<std::string>& names);

  mechanics::Units of_;
  std::map<std::string, std::string> unit_names_;
  mechanics::MechanismResults results_;
  std::shared_ptr<const Problem> problem_;
  std::vector<Column> all_;
  Numbers of_owner_, of_own_;  // those in all_
  std::vector<std::size_t> chosen_;
  std::vector<std::string> names_, units_;
  std::vector<double> turns_;  // last values of angles that may have gone round
};

// What the run of a model ended with, and whether it met what its file expects.
NamedResults named_results(const Model& model, const Solution& solution);

// For states of the problem made of the model, by bodies or by joints.
StateUnits state_units(const Model& model, const Problem& problem);

// A line of names with their units, "crank.x [mm]", a line for every state.
void write_outputs(std::ostream& out, ModelOutputs& outputs, const std::vector<State>& states);
// {"columns": [{"name", "unit"}], "rows": [[..]]}, the first of them t.
void write_outputs_json(std::ostream& out, ModelOutputs& outputs, const std::vector<State>& states);

}  // namespace driftless::io
