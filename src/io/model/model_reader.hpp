// ModelReader: from the tables of a file to a Model, entry by entry. What is wrong with an entry is noted, the entry is left out, and reading goes
// on; whoever names an entry that was left out makes no fault of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <driftless/io/model_file.hpp>

#include "io/model/body_shapes.hpp"
#include "io/model/section.hpp"

namespace driftless::io {

class ModelReader {
 public:
  ModelReader(const toml::table& file, const std::filesystem::path& path,
              const std::vector<std::pair<std::string, std::string>>& set);

  Model read();                        // with faults() if there are any
  void digest(std::string_view text);  // what the model is made of: the file, its tables
  const std::vector<ModelFault>& faults() const { return reading_.faults; }
  std::size_t untold() const { return reading_.untold; }

 private:
  // In files of their own: read_bodies, read_shapes, read_places, read_joints, read_settings, read_run.
  void read_units(Section& root);
  void read_parameters(Section& root);
  void read_bodies(Section& root);
  void read_body(const std::string& name, Section& body);
  void read_points(Section& root);
  void read_joints(Section& root);
  void read_joint(const std::string& name, Section& joint);
  void read_forces(Section& root);
  void read_force(const std::string& name, Section& force);
  void read_drives(Section& root);
  void read_drive(const std::string& name, Section& drive);
  void read_start(Section& root);
  void read_run(Section& root);
  void read_output(Section& root);
  void read_expectations(Section& root);
  void check_outputs(Section& root);

  // How a body lies, where it is heavy and what it looks like, before it is built.
  struct Placed {
    mechanics::Vec3 at = {};
    mechanics::Mat3 axes = mechanics::identity3;
    double angle = 0;                   // in the plane
    std::optional<double> length = {};  // from `from` to `to`
    bool planar = false;
  };
  bool in_plane(Section& section);
  std::optional<mechanics::Vec3> place(Section& section, const std::string& key, bool planar,
                                       const mechanics::Dimension& d = mechanics::length_unit);
  Placed read_place(Section& body, bool planar);
  std::optional<mechanics::Mat3> read_axes(Section& body);
  std::vector<BodyShape> read_shapes(Section& body, const Placed& placed,
                                     std::vector<std::optional<double>>& densities);
  std::optional<BodyShape> read_shape(Section& shape, const Placed& placed, std::optional<double>& density);
  std::optional<MassProperties> read_mass(Section& body, bool planar, const std::vector<BodyShape>& shapes,
                                          const std::vector<std::optional<double>>& densities);

  // The two markers that a joint or force sits between; nothing: they cannot be had.
  struct Ends {
    mechanics::Marker a, b;
    std::vector<std::string> names;
    bool placed = true;  // the file says where
  };
  std::optional<Ends> read_ends(Section& section);
  // What an end sits on: a body, or a point of one, with axes of its own.
  struct Carrier {
    std::string name;  // of the body
    mechanics::BodyId id;
    mechanics::Vec3 at = {};  // of the point, by the body's origin and axes
    mechanics::Mat3 axes = mechanics::identity3;
  };
  std::optional<Carrier> carrier_named(Section& section, const std::string& name);
  std::optional<mechanics::Marker> read_marker(Section& section, const std::string& key,
                                               const Carrier& carrier);
  std::optional<mechanics::Vec3> unit(Section& section, const std::string& key,
                                      Section::Room room = Section::Room::either);
  // Where these are: how many numbers a place of the world has. The ground is in both.
  Section::Room room_of(std::initializer_list<mechanics::BodyId> bodies) const;
  std::optional<mechanics::Vec3> place(Section& section, const std::string& key, Section::Room room);
  // A body by its name, the ground among them; nothing: a fault, or one that was left out.
  std::optional<mechanics::BodyId> body_named(Section& section, const std::string& key,
                                              const std::string& name);
  std::optional<mechanics::JointId> joint_named(Section& section, const std::string& key,
                                                const std::string& name);
  mechanics::Vec3 center_of(mechanics::BodyId id) const;
  // "A.angle"
  struct Coordinate {
    mechanics::JointId joint;
    std::string name;
    bool angle = false;
  };
  std::optional<Coordinate> coordinate_named(Section& section, const std::string& key);

  mechanics::Settings read_settings(Section& section, const std::vector<mechanics::SettingSpec>& specs,
                                    bool angle);
  std::optional<mechanics::Setting> read_setting(Section& section, const mechanics::SettingSpec& spec,
                                                 bool angle);
  std::optional<mechanics::Table> read_table(Section& table, const mechanics::Dimension& x,
                                             const mechanics::Dimension& y);
  std::optional<mechanics::TableOptions> read_table_options(Section& table, const mechanics::Dimension& x,
                                                            const mechanics::Dimension& y);
  std::optional<mechanics::JumpHandling> read_jumps(Section& drive, bool angle);
  std::optional<mechanics::Profile> read_profile(Section& table, const mechanics::Dimension& d);
  void use_constants(const std::string& formula);

  bool claim(Section& section, const std::string& name);  // false: another entry has it
  // Runs what builds an entry; an InputError becomes a fault of the section, or of one of its values.
  template <class Build>
  void guarded(Section& section, Build build, const std::string& key = "") {
    try {
      build();
    } catch (const InputError& error) {
      if (key.empty())
        section.fault(error.what());
      else
        section.fault(key, error.what());
    }
  }
  // The same, where the message tells which setting it is.
  template <class Build>
  void guarded(Section& section, const mechanics::Settings& settings, Build build) {
    try {
      build();
    } catch (const InputError& error) {
      std::string key = formula_key(settings);
      for (const auto& [name, setting] : settings)
        if (std::string(error.what()).find(": " + name + " = ") != std::string::npos) key = name;
      if (key.empty())
        section.fault(error.what());
      else
        section.fault(key, error.what());
    }
  }
  // The one setting that is a formula, which is then what is most likely wrong; empty: there is none.
  static std::string formula_key(const mechanics::Settings& settings);

  std::filesystem::path path_;
  const toml::table& file_;
  const std::vector<std::pair<std::string, std::string>>& set_;
  Reading reading_;
  Model model_;
  std::uint64_t digest_ = 14695981039346656037ULL;  // FNV-1a
  bool planar_ = false;                             // what bodies are by default
  std::map<std::string, std::string> names_;        // of bodies, joints, forces and drives: what they are
  std::map<std::string, mechanics::BodyId> body_ids_;
  std::map<std::string, mechanics::JointId> joint_ids_;
  std::map<std::string, Carrier> points_;
};

}  // namespace driftless::io
