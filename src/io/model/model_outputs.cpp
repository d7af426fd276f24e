#include <driftless/io/model_outputs.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include <driftless/core/method_options.hpp>
#include <driftless/io/csv.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Vec3;

constexpr Dimension length{.length = 1}, angle{.angle = 1}, speed{.length = 1, .time = -1},
    rate{.time = -1, .angle = 1}, force{.force = 1}, torque{.length = 1, .force = 1},
    energy{.length = 1, .force = 1}, none{}, power{.length = 1, .time = -1, .force = 1};

// "mm/s", "N mm", "1".
std::string unit_text(const Dimension& d, const std::map<std::string, std::string>& names) {
  std::string over, under;
  const auto put = [&](const char* kind, int exponent) {
    if (exponent == 0) return;
    std::string& to = exponent > 0 ? over : under;
    to += (to.empty() ? "" : " ") + names.at(kind);
    if (std::abs(exponent) > 1) to += fmt::format("^{}", std::abs(exponent));
  };
  put("force", d.force);
  put("mass", d.mass);
  put("length", d.length);
  put("angle", d.angle);
  put("time", d.time);
  if (under.empty()) return over.empty() ? "1" : over;
  return (over.empty() ? "1" : over) + "/" + under;
}

}  // namespace

struct ModelOutputs::At {
  const State& state;
  const mechanics::MechanismResults& results;
  const Problem& problem;
  std::vector<double>& turns;
  // Computed when the first column asks.
  std::vector<std::optional<mechanics::Pose>> poses = {};
  std::vector<std::optional<mechanics::Reaction>> reactions = {};
  std::vector<mechanics::ElementEnergy> energies = {};
  std::optional<Evaluation> rows = {};

  const mechanics::Pose& pose(mechanics::BodyId id) {
    const auto i = static_cast<std::size_t>(id.index);
    if (poses.size() <= i) poses.resize(i + 1);
    if (!poses[i]) poses[i] = results.pose(state, id);
    return *poses[i];
  }
  const mechanics::Reaction& reaction(mechanics::JointId id) {
    const auto i = static_cast<std::size_t>(id.index);
    if (reactions.size() <= i) reactions.resize(i + 1);
    if (!reactions[i]) reactions[i] = results.reaction(state, id);
    return *reactions[i];
  }
  const mechanics::ElementEnergy& element(const std::string& name) {
    const auto& all = all_energies();
    return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  }
  // Of all elements of that name: a bushing has several.
  mechanics::ElementEnergy energy_of(const std::string& name) {
    mechanics::ElementEnergy sum;
    for (const auto& one : all_energies())
      if (one.name == name || one.name.starts_with(name + ", ")) {
        sum.kinetic += one.kinetic;
        sum.potential += one.potential;
        sum.power += one.power;
      }
    return sum;
  }
  mechanics::ElementEnergy whole() {
    mechanics::ElementEnergy sum;
    for (const auto& one : all_energies()) {
      sum.kinetic += one.kinetic;
      sum.potential += one.potential;
      sum.power += one.power;
    }
    return sum;
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

void ModelOutputs::add(const std::string& owner, const std::string& own, const Dimension& d, Value value,
                       bool loads) {
  all_.push_back({owner, own, unit_text(d, unit_names_), of_.of(d), std::move(value), loads});
}

void ModelOutputs::add_bodies(const Model& model) {
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
    const std::string name = body.name;
    add(name, "kinetic", energy, [name](At& at) { return at.energy_of(name).kinetic; });
    add(name, "potential", energy, [name](At& at) { return at.energy_of(name).potential; });
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
      add(joint.name, name, turns ? angle : length, [id, name, slot](At& at) {
        return at.turns[slot] = at.results.coordinate(at.state, id, name, at.turns[slot]).value;
      });
      add(joint.name, name + "'", turns ? rate : speed,
          [id, name](At& at) { return at.results.coordinate(at.state, id, name).rate; });
    }
    const auto vector = [&](const std::string& prefix, const Dimension& d, Vec3 mechanics::Reaction::*part) {
      for (int i = 0; i < 3; ++i)
        add(
            joint.name, prefix + "xyz"[i], d,
            [id, part, i](At& at) {
              const Vec3& v = at.reaction(id).*part;
              return i == 0 ? v.x : i == 1 ? v.y : v.z;
            },
            true);
    };
    vector("f", force, &mechanics::Reaction::force);
    vector("t", torque, &mechanics::Reaction::torque);
    vector("own_f", force, &mechanics::Reaction::own_force);
    vector("own_t", torque, &mechanics::Reaction::own_torque);
    add(
        joint.name, "force", force, [id](At& at) { return norm(at.reaction(id).force); }, true);
    add(
        joint.name, "torque", torque, [id](At& at) { return norm(at.reaction(id).torque); }, true);
  }
}

void ModelOutputs::add_elements(const Model& model) {
  const auto energies = results_.energies(model.mechanism.start());
  for (const std::string& name : model.forces) {
    for (const mechanics::ElementEnergy& one : energies) {
      if (one.name != name) continue;  // a bushing has several of other names
      add(name, "force", one.angle ? torque : force, [name](At& at) { return at.element(name).push; });
      add(name, one.angle ? "angle" : "length", one.angle ? angle : length,
          [name](At& at) { return at.element(name).value; });
    }
    add(name, "energy", energy, [name](At& at) { return at.energy_of(name).potential; });
    add(name, "power", power, [name](At& at) { return at.energy_of(name).power; });
  }
  for (const std::string& name : model.drives) {
    const bool turns = model.mechanism.drives_angle(name);
    add(
        name, "effort", turns ? torque : force, [name](At& at) { return at.results.effort(at.state, name); },
        true);
    add(
        name, "power", power, [name](At& at) { return at.energy_of(name).power; }, true);
  }
}

void ModelOutputs::add_whole() {
  add("energy", "kinetic", energy, [](At& at) { return at.whole().kinetic; });
  add("energy", "potential", energy, [](At& at) { return at.whole().potential; });
  add("energy", "total", energy, [](At& at) { return at.whole().kinetic + at.whole().potential; });
  add(
      "energy", "power", power, [](At& at) { return at.whole().power; }, true);
  const auto largest = [](const auto& values) { return values.size() ? values.cwiseAbs().maxCoeff() : 0.0; };
  add("drift", "position", none, [largest](At& at) { return largest(at.constraints().g); });
  add("drift", "velocity", none, [largest](At& at) {
    const Evaluation& e = at.constraints();
    return std::max(largest(e.rates), at.problem.shape().nk > 0 ? largest(e.w) : 0.0);
  });
}

void ModelOutputs::choose(const std::string& name) {
  const auto dot = name.rfind('.');
  const std::string owner = name.substr(0, dot), own = dot == std::string::npos ? "" : name.substr(dot + 1);
  bool found = false;
  std::vector<char> chosen(all_.size(), 0);
  for (const std::size_t i : chosen_) chosen[i] = 1;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Column& c = all_[i];
    if ((owner != "*" && owner != c.owner) || (own != "*" && own != c.own)) continue;
    found = true;
    if (!chosen[i]) chosen_.push_back(i);
  }
  if (found) return;
  std::vector<std::string> near;
  for (const Column& c : all_) near.push_back(c.owner + "." + c.own);
  std::vector<std::string> of_owner;
  for (const Column& c : all_)
    if (c.owner == owner) of_owner.push_back(c.own);
  if (!of_owner.empty())
    throw InputError(
        fmt::format("there is no output '{}'; {} has {}", name, owner, fmt::join(of_owner, ", ")));
  throw InputError(fmt::format("there is no output '{}'; write NAME.WHAT, like crank.x or energy.total{}",
                               name, suggestion(name, near)));
}

ModelOutputs::ModelOutputs(const Model& model, const std::vector<std::string>& columns)
    : of_(model.units),
      unit_names_(model.unit_names),
      results_(model.mechanism.results()),
      problem_(mechanics::make_problem(model.mechanism.finished())) {
  add_bodies(model);
  add_points(model);
  add_joints(model);
  add_elements(model);
  add_whole();
  std::vector<std::string> wanted = columns.empty() ? model.columns : columns;
  if (wanted.empty()) {
    for (const ModelBody& body : model.bodies)
      for (const char* own : {"x", "y", "z", "angle", "p0", "p1", "p2", "p3"})
        for (const Column& c : all_)
          if (c.owner == body.name && c.own == own) wanted.push_back(c.owner + "." + c.own);
    for (const ModelJoint& joint : model.joints)
      for (const std::string& name : model.mechanism.coordinates(joint.id))
        wanted.push_back(joint.name + "." + name), wanted.push_back(joint.name + "." + name + "'");
    wanted.insert(wanted.end(), {"energy.kinetic", "energy.potential", "energy.total"});
  }
  for (const std::string& name : wanted) choose(name);
  for (const std::size_t i : chosen_) {
    names_.push_back(all_[i].owner + "." + all_[i].own);
    units_.push_back(all_[i].unit);
  }
}

bool ModelOutputs::of_motion() const {
  return std::none_of(chosen_.begin(), chosen_.end(), [&](std::size_t i) { return all_[i].loads; });
}

std::vector<double> ModelOutputs::row(const State& state) {
  At at{state, results_, *problem_, turns_};
  std::vector<double> values;
  for (const std::size_t i : chosen_) values.push_back(all_[i].value(at) / all_[i].si);
  return values;
}

NamedResults named_results(const Model& model, const Solution& solution) {
  ModelOutputs outputs(model);
  NamedResults results{.time_unit = outputs.time_unit(), .end = outputs.time(solution.final)};
  std::vector<double> last;
  for (const State& state : solution.states) last = outputs.row(state);  // angles go on
  last = outputs.row(solution.final);
  for (std::size_t i = 0; i < last.size(); ++i)
    results.values.push_back({outputs.names()[i], outputs.units()[i], last[i]});
  for (const Expectation& e : model.expectations) {
    ModelOutputs one(model, {e.column});
    MetExpectation met{.name = e.column,
                       .unit = one.units().front(),
                       .why = e.why,
                       .at = e.at,
                       .expected = e.value,
                       .tolerance = e.tolerance};
    // Only states that the run has: between them nothing is known of multipliers.
    const auto there = [&](const State& state) {
      return std::abs(one.time(state) - e.at) <= 1e-9 * (1 + std::abs(e.at));
    };
    for (const State& state : solution.states) {
      const double value = one.row(state).front();
      if (there(state)) met.value = value;
    }
    if (!met.value && there(solution.final)) met.value = one.row(solution.final).front();
    results.expectations.push_back(met);
  }
  return results;
}

void write_outputs(std::ostream& out, ModelOutputs& outputs, const std::vector<State>& states) {
  out << "t";
  for (const std::string& name : outputs.names()) out << ',' << csv_field(name);
  out << '\n';
  fmt::memory_buffer line;
  for (const State& state : states) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{:.17g}", outputs.time(state));
    for (const double value : outputs.row(state)) fmt::format_to(std::back_inserter(line), ",{:.17g}", value);
    line.push_back('\n');
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
}

void write_outputs_json(std::ostream& out, ModelOutputs& outputs, const std::vector<State>& states) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::array({{{"name", "t"}, {"unit", outputs.time_unit()}}});
  for (std::size_t i = 0; i < outputs.names().size(); ++i)
    columns.push_back({{"name", outputs.names()[i]}, {"unit", outputs.units()[i]}});
  out << "{\n  \"columns\": " << columns.dump() << ",\n  \"rows\": [";
  for (std::size_t k = 0; k < states.size(); ++k) {
    Json row = Json::array({outputs.time(states[k])});
    for (const double value : outputs.row(states[k]))
      row.push_back(std::isfinite(value) ? Json(value) : Json());
    out << (k == 0 ? "\n    " : ",\n    ") << row.dump();
  }
  out << "\n  ]\n}\n";
}

}  // namespace driftless::io
