#include <driftless/io/model_outputs.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/quantity.hpp>

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Vec3;

constexpr Dimension length{.length = 1}, angle{.angle = 1}, speed{.length = 1, .time = -1},
    rate{.time = -1, .angle = 1}, force{.force = 1}, torque{.length = 1, .force = 1},
    energy{.length = 1, .force = 1}, none{}, power{.length = 1, .time = -1, .force = 1};

// "crank", "x" of crank.x; names of owners may have dots, what is known of them has none.
std::pair<std::string, std::string> parts_of(const std::string& name) {
  const auto dot = name.rfind('.');
  return {name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
}

using Numbers = std::unordered_map<std::string, std::vector<std::size_t>>;  // by names

const std::vector<std::size_t>& of(const Numbers& numbers, const std::string& name) {
  static const std::vector<std::size_t> nothing;
  const auto found = numbers.find(name);
  return found == numbers.end() ? nothing : found->second;
}

// Numbers of the elements that a name means: of a bushing there are several, called "NAME, ..".
Numbers elements_of(const std::vector<mechanics::ElementEnergy>& energies) {
  Numbers numbers;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const std::string& name = energies[i].name;
    numbers[name].push_back(i);
    for (auto comma = name.find(", "); comma != name.npos; comma = name.find(", ", comma + 1))
      numbers[name.substr(0, comma)].push_back(i);
  }
  return numbers;
}

}  // namespace

// What several columns need is computed when the first of them asks: a row costs what its columns cost, however many there are.
struct ModelOutputs::At {
  const State& state;
  const mechanics::MechanismResults& results;
  const Problem& problem;
  std::vector<double>& turns;
  std::vector<std::optional<mechanics::Pose>> poses = {};
  std::vector<std::optional<mechanics::CoordinateValue>> coordinates = {};
  std::vector<std::optional<mechanics::Reaction>> reactions = {};
  std::vector<mechanics::ElementEnergy> energies = {};
  std::optional<mechanics::ElementEnergy> sum = {};
  std::optional<Evaluation> rows = {};

  const mechanics::Pose& pose(mechanics::BodyId id) {
    const auto i = static_cast<std::size_t>(id.index);
    if (poses.size() <= i) poses.resize(i + 1);
    if (!poses[i]) poses[i] = results.pose(state, id);
    return *poses[i];
  }
  // `slot`: its place in `turns`.
  const mechanics::CoordinateValue& coordinate(mechanics::JointId id, const std::string& name,
                                               std::size_t slot) {
    if (coordinates.empty()) coordinates.resize(turns.size());
    if (!coordinates[slot]) coordinates[slot] = results.coordinate(state, id, name, turns[slot]);
    return *coordinates[slot];
  }
  const mechanics::Reaction& reaction(mechanics::JointId id) {
    const auto i = static_cast<std::size_t>(id.index);
    if (reactions.size() <= i) reactions.resize(i + 1);
    if (!reactions[i]) reactions[i] = results.reaction(state, id);
    return *reactions[i];
  }
  mechanics::ElementEnergy energy_of(const std::vector<std::size_t>& numbers) {
    mechanics::ElementEnergy added;
    for (const std::size_t i : numbers) add(all_energies()[i], added);
    return added;
  }
  const mechanics::ElementEnergy& whole() {
    if (!sum) {
      sum.emplace();
      for (const auto& one : all_energies()) add(one, *sum);
    }
    return *sum;
  }
  static void add(const mechanics::ElementEnergy& one, mechanics::ElementEnergy& to) {
    to.kinetic += one.kinetic;
    to.potential += one.potential;
    to.power += one.power;
  }
  const std::vector<mechanics::ElementEnergy>& all_energies() {
    if (energies.empty()) energies = results.energies(state);
    return energies;
  }
  const Evaluation& constraints() {
    if (!rows) {
      rows.emplace();
      Parts parts = Part::position | Part::rates;
      if (problem.shape().nk > 0) parts = parts | Part::velocity;
      problem.evaluate(parts, Point(state.t, state.z), *rows);
    }
    return *rows;
  }
};

void ModelOutputs::add(const std::string& owner, const std::string& own, const Dimension& d, Value value) {
  of_owner_[owner].push_back(all_.size());
  of_own_[own].push_back(all_.size());
  all_.push_back({owner, own, mechanics::unit_text(d, unit_names_), of_.of(d), d, std::move(value)});
}

void ModelOutputs::add_bodies(const Model& model, const Numbers& elements) {
  for (const ModelBody& body : model.bodies) {
    const auto id = body.id;
    // The origin lies at -center from the mass centre.
    const Vec3 back = -body.center;
    const auto origin = [id, back](At& at) { return at.pose(id).r + at.pose(id).R * back; };
    const auto velocity = [id, back](At& at) {
      return at.pose(id).v + cross(at.pose(id).w, at.pose(id).R * back);
    };
    const auto vector = [&](const std::string& prefix, const Dimension& d, auto of, int count) {
      for (int i = 0; i < count; ++i)
        add(body.name, prefix + "xyz"[i], d, [of, i](At& at) {
          const Vec3 v = of(at);
          return i == 0 ? v.x : i == 1 ? v.y : v.z;
        });
    };
    const int axes = body.planar ? 2 : 3;
    vector("", length, origin, axes);
    if (body.planar) {
      add(body.name, "angle", angle, [id](At& at) { return at.pose(id).angle; });
    } else {
      for (int i = 0; i < 4; ++i)
        add(body.name, fmt::format("p{}", i), none,
            [id, i](At& at) { return at.results.quaternion(at.state, id)[static_cast<std::size_t>(i)]; });
    }
    vector("v", speed, velocity, axes);
    if (body.planar)
      add(body.name, "spin", rate, [id](At& at) { return at.pose(id).w.z; });
    else
      vector(
          "w", rate, [id](At& at) { return to_body(at.pose(id).R, at.pose(id).w); }, 3);
    const auto own = of(elements, body.name);
    add(body.name, "kinetic", energy, [own](At& at) { return at.energy_of(own).kinetic; });
    add(body.name, "potential", energy, [own](At& at) { return at.energy_of(own).potential; });
  }
}

void ModelOutputs::add_points(const Model& model) {
  for (const ModelPoint& point : model.points) {
    const auto id = point.body;
    const Vec3 arm = point.arm;
    for (int i = 0; i < (point.planar ? 2 : 3); ++i) {
      const auto entry = [i](const Vec3& v) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
      add(point.name, std::string(1, "xyz"[i]), length,
          [id, arm, entry](At& at) { return entry(at.pose(id).r + at.pose(id).R * arm); });
      add(point.name, std::string("v") + "xyz"[i], speed, [id, arm, entry](At& at) {
        return entry(at.pose(id).v + cross(at.pose(id).w, at.pose(id).R * arm));
      });
    }
  }
}

void ModelOutputs::add_joints(const Model& model) {
  for (const ModelJoint& joint : model.joints) {
    const auto id = joint.id;
    for (const std::string& name : model.mechanism.coordinates(id)) {
      const bool turns = model.mechanism.is_angle(id, name);
      const std::size_t slot = turns_.size();
      turns_.push_back(0);
      add(joint.name, name, turns ? angle : length,
          [id, name, slot](At& at) { return at.turns[slot] = at.coordinate(id, name, slot).value; });
      add(joint.name, name + "'", turns ? rate : speed,
          [id, name, slot](At& at) { return at.coordinate(id, name, slot).rate; });
    }
    const auto vector = [&](const std::string& prefix, const Dimension& d, Vec3 mechanics::Reaction::*part) {
      for (int i = 0; i < 3; ++i)
        add(joint.name, prefix + "xyz"[i], d, [id, part, i](At& at) {
          const Vec3& v = at.reaction(id).*part;
          return i == 0 ? v.x : i == 1 ? v.y : v.z;
        });
    };
    vector("f", force, &mechanics::Reaction::force);
    vector("t", torque, &mechanics::Reaction::torque);
    vector("own_f", force, &mechanics::Reaction::own_force);
    vector("own_t", torque, &mechanics::Reaction::own_torque);
    const mechanics::Joint& of_mechanism = model.mechanism.joints()[static_cast<std::size_t>(id.index)];
    add_size(of_mechanism, "force", force, [id](At& at) { return norm(at.reaction(id).force); });
    add_size(of_mechanism, "torque", torque, [id](At& at) { return norm(at.reaction(id).torque); });
  }
}

void ModelOutputs::add_size(const mechanics::Joint& joint, const std::string& own, const Dimension& d,
                            Value value) {
  add(joint.name, own, d, std::move(value));
  Column& column = all_.back();
  column.sign = joint.rows + joint.velocity_rows == 1 ? Sign::of_multiplier : Sign::none;
  if (joint.rows == 1)
    column.multiplier = [row = joint.first_row](At& at) { return at.state.lambda(row); };
  else if (joint.velocity_rows == 1)
    column.multiplier = [row = joint.first_velocity_row](At& at) { return at.state.kappa(row); };
}

void ModelOutputs::add_elements(const Model& model, const Numbers& elements,
                                const std::vector<mechanics::ElementEnergy>& energies) {
  for (const std::string& name : model.forces) {
    const auto own = of(elements, name);
    for (const std::size_t i : own) {
      if (energies[i].name != name) continue;  // a bushing has several of other names
      const bool turns = energies[i].angle;
      add(name, "force", turns ? torque : force, [i](At& at) { return at.all_energies()[i].push; });
      add(name, turns ? "angle" : "length", turns ? angle : length,
          [i](At& at) { return at.all_energies()[i].value; });
    }
    add(name, "energy", energy, [own](At& at) { return at.energy_of(own).potential; });
    add(name, "power", power, [own](At& at) { return at.energy_of(own).power; });
  }
  std::unordered_map<std::string, mechanics::MechanismResults::Drive> drives;
  for (const auto& drive : results_.drives()) drives.emplace(drive.name, drive);
  for (const std::string& name : model.drives) {
    const auto own = of(elements, name);
    const auto& drive = drives.at(name);
    add(name, "effort", drive.angle ? torque : force,
        [row = drive.row](At& at) { return at.results.effort(at.state, row); });
    add(name, "power", power, [own](At& at) { return at.energy_of(own).power; });
  }
}

void ModelOutputs::add_whole() {
  add("energy", "kinetic", energy, [](At& at) { return at.whole().kinetic; });
  add("energy", "potential", energy, [](At& at) { return at.whole().potential; });
  add("energy", "total", energy, [](At& at) { return at.whole().kinetic + at.whole().potential; });
  add("energy", "power", power, [](At& at) { return at.whole().power; });
  const auto largest = [](const auto& values) { return values.size() ? values.cwiseAbs().maxCoeff() : 0.0; };
  add("drift", "position", none, [largest](At& at) { return largest(at.constraints().g); });
  add("drift", "velocity", none, [largest](At& at) {
    const Evaluation& e = at.constraints();
    return std::max(largest(e.rates), at.problem.shape().nk > 0 ? largest(e.w) : 0.0);
  });
  // The largest of lengths and angles, in m and rad.
  for (std::size_t k = all_.size() - 2; k < all_.size(); ++k) all_[k].unit = "SI";
}

std::vector<std::size_t> ModelOutputs::found(const std::string& name) const {
  const auto [owner, own] = parts_of(name);
  std::vector<std::size_t> fits;
  if (owner == "*" && own == "*") {
    for (std::size_t i = 0; i < all_.size(); ++i) fits.push_back(i);
  } else if (owner == "*") {
    fits = of(of_own_, own);
  } else {
    for (const std::size_t i : of(of_owner_, owner))
      if (own == "*" || own == all_[i].own) fits.push_back(i);
  }
  return fits;
}

std::string ModelOutputs::unknown(const std::string& name, bool near) const {
  const std::string owner = parts_of(name).first;
  std::vector<std::string> own, known;
  for (const std::size_t i : of(of_owner_, owner)) own.push_back(all_[i].own);
  if (!own.empty())
    return fmt::format("there is no output '{}'; {} has {}", name, owner, fmt::join(own, ", "));
  if (near)
    for (const Column& c : all_) known.push_back(c.owner + "." + c.own);
  return fmt::format("there is no output '{}'; write NAME.WHAT, like crank.x or energy.total{}", name,
                     suggestion(name, known));
}

std::optional<Dimension> ModelOutputs::dimension(const std::string& name) const {
  const std::vector<std::size_t> fits = found(name);
  return fits.size() == 1 ? std::optional(all_[fits.front()].dimension) : std::nullopt;
}

std::string ModelOutputs::fault(const std::string& name, bool near) const {
  return found(name).empty() ? unknown(name, near) : "";
}

void ModelOutputs::choose(const std::vector<std::string>& names) {
  std::vector<char> chosen(all_.size(), 0);
  std::unordered_set<std::string> told;  // `*.*` a thousand times is one choice
  for (const std::string& name : names) {
    if (!told.insert(name).second) continue;
    const std::vector<std::size_t> fits = found(name);
    if (fits.empty()) throw InputError(unknown(name));
    for (const std::size_t i : fits)
      if (!std::exchange(chosen[i], 1)) chosen_.push_back(i);
  }
}

ModelOutputs::ModelOutputs(const Model& model, const std::vector<std::string>& columns)
    : of_(model.units),
      unit_names_(model.unit_names),
      results_(model.mechanism.results()),
      problem_(mechanics::make_problem(model.mechanism.finished())) {
  const auto energies = results_.energies(model.mechanism.start());
  const Numbers elements = elements_of(energies);
  add_bodies(model, elements);
  add_points(model);
  add_joints(model);
  add_elements(model, elements, energies);
  add_whole();
  std::vector<std::string> wanted = columns.empty() ? model.columns : columns;
  if (wanted.empty()) {
    for (const ModelBody& body : model.bodies)
      for (const char* own : {"x", "y", "z", "angle", "p0", "p1", "p2", "p3"})
        if (const std::string name = body.name + "." + own; !found(name).empty()) wanted.push_back(name);
    for (const ModelJoint& joint : model.joints)
      for (const std::string& name : model.mechanism.coordinates(joint.id))
        wanted.push_back(joint.name + "." + name), wanted.push_back(joint.name + "." + name + "'");
    wanted.insert(wanted.end(), {"energy.kinetic", "energy.potential", "energy.total"});
  }
  choose(wanted);
  for (const std::size_t i : chosen_) {
    names_.push_back(all_[i].owner + "." + all_[i].own);
    units_.push_back(all_[i].unit);
  }
}

bool ModelOutputs::pass_zero() const {
  return std::none_of(chosen_.begin(), chosen_.end(),
                      [&](std::size_t i) { return all_[i].sign == Sign::none; });
}

std::vector<double> ModelOutputs::row(const State& state) {
  At at{state, results_, *problem_, turns_};
  std::vector<double> values;
  values.reserve(chosen_.size());
  for (const std::size_t i : chosen_) values.push_back(all_[i].value(at) / all_[i].si);
  return values;
}

std::vector<double> ModelOutputs::signed_row(const State& state) {
  At at{state, results_, *problem_, turns_};
  std::vector<double> values;
  values.reserve(chosen_.size());
  for (const std::size_t i : chosen_) {
    const Column& column = all_[i];
    const double value = column.value(at) / column.si;
    values.push_back(column.sign == Sign::of_multiplier ? std::copysign(value, column.multiplier(at))
                                                        : value);
  }
  return values;
}

}  // namespace driftless::io
