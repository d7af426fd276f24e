// How far a start comes: what drives, `hold` and `positions` ask for is met one after the other, each from where it is to where it is to be in steps
// that are halved where the joints cannot follow. The first that does not get there is to blame; where it stops is the nearest that can be had, and
// there the forces that would hold it,
//   y_x = G^T mu,
// say which joints are in the way.
#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>
#include <driftless/linalg/damped_solve.hpp>
#include <driftless/mechanics/massless.hpp>

#include "io/model/check_parts.hpp"
#include "io/model/check_reach.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Measure;
using mechanics::MechanismModel;
using mechanics::Row;

constexpr int most_velocities = 300;    // of mechanisms that are looked at: dense and small
constexpr double smallest_part = 1e-5;  // of the way, of a step
// Many more than the halvings that lead to a part: singular places may be met by chance alone.
constexpr int most_tries = 400;
constexpr double met = 1e-9;         // of what is asked for
constexpr double noticed = 1e-3;     // of a coordinate, in m or rad
constexpr double in_the_way = 0.02;  // of the largest force, for a joint to be named
constexpr std::size_t most_named = 4;

enum class Kind { drive, held, placed };

// A row by itself, without its motion: what it is to be is its offset.
struct Wanted {
  Kind kind;
  std::string name;     // as the file has it: "A.angle", "motor"
  std::string owner;    // the joint whose coordinate it is
  std::string subject;  // "drive motor"
  Row row;
};

class Reach {
 public:
  Reach(const CheckedMechanism& mechanism, const State& given)
      : mechanism_(mechanism), model_(mechanism.parts), given_(given) {
    model_.forces.clear();
    model_.gravity = {};
    model_.velocity_rows.clear();
    model_.moving = false;
    std::vector<Row> joints;
    for (const Row& row : model_.rows) {
      if (row.motion < 0) {
        joints.push_back(row);
        owners_.push_back(mechanism.owners[static_cast<std::size_t>(&row - model_.rows.data())].name);
        continue;
      }
      Wanted wanted{Kind::drive, row.name, "", "drive " + row.name, row};
      wanted.row.offset += model_.motions[static_cast<std::size_t>(row.motion)].value(0.0);
      wanted.row.motion = -1;
      wanted_.push_back(std::move(wanted));
    }
    model_.rows = std::move(joints);
    joints_ = model_.rows.size();
    const mechanics::Closing& closing = mechanism.model.closing;
    for (const std::string& name : closing.hold) ask(Kind::held, name, std::nullopt);
    for (const auto& [name, value] : closing.positions) ask(Kind::placed, name, value);
  }

  std::optional<Unreached> looked_for() {
    std::optional<State> state = closed(given_);
    if (!state || wanted_.empty()) return std::nullopt;
    for (const Wanted& wanted : wanted_) {
      const double from = value(wanted.row, *state), to = wanted.row.offset;
      const double reached = follow(wanted, from, to, *state);
      if (reached != to) return told(wanted, reached, *state);
      model_.rows.push_back(wanted.row);
      owners_.push_back(wanted.kind == Kind::drive ? "drive " + wanted.name : wanted.name);
    }
    return by_another_way(*state);
  }

  std::vector<std::string> in_the_way_of(const std::string& name, const State& place) {
    const std::optional<int> measure = measure_of(name);
    if (!measure) return {};
    for (const Wanted& drive : wanted_)
      if (drive.kind == Kind::drive)
        model_.rows.push_back(drive.row), owners_.push_back("drive " + drive.name);
    const Wanted wanted{Kind::placed, name, joint_of(name), "", Row{name, {{*measure, 1}}, 0, -1}};
    return holders(wanted, place, true);
  }

 private:
  // All that is wanted is met step by step, and not at once: the bodies stand where a first motion of it is none. Told unless it is the rates that
  // cannot be had.
  std::optional<Unreached> by_another_way(const State& reached) {
    mechanics::Closing places = mechanism_.model.closing;
    places.rates.clear();
    try {
      mechanism_.model.mechanism.assembled(places);
      return std::nullopt;
    } catch (const InputError&) {
    }
    for (const Wanted& wanted : wanted_) {
      if (std::abs(value(wanted.row, given_) - wanted.row.offset) <= met) continue;
      const bool dead_centre = stands_still(wanted);
      const auto [other, place] = other_coordinate(wanted, reached);
      if (other.empty() || (!dead_centre && closed(given_))) return std::nullopt;  // it is not the places
      Unreached found{wanted.kind == Kind::drive, wanted.subject, {}, {}};
      const std::string where =
          dead_centre ? fmt::format(
                            "from where the bodies are given: they stand at a dead centre, where {} has no "
                            "rate whatever the others do and two ways lead on",
                            wanted.kind == Kind::drive ? "what it drives" : wanted.name)
                      : std::string("at once from where the bodies are given");
      found.text =
          fmt::format("{}, which can be reached, but not {}; {}", asked_for(wanted), where,
                      wanted.kind == Kind::drive
                          ? fmt::format("place the bodies nearer to it, with {} near {}", other, place)
                          : fmt::format("ask for {} = {} in its place", other, place));
      return found;
    }
    return std::nullopt;
  }

  // The joints alone hold it where they are closed first: its row is a sum of theirs.
  bool stands_still(const Wanted& wanted) const {
    MechanismModel joints = model_;
    joints.rows.resize(joints_);
    const std::optional<State> start = closed(given_, nullptr, joints_);
    const std::optional<Held> held = start ? held_by(std::move(joints), wanted, *start) : std::nullopt;
    return held && held->left < 1e-4;
  }

  // Another joint's coordinate that changes on the way, first of those on the ground, and its value at the end.
  std::pair<std::string, std::string> other_coordinate(const Wanted& wanted, const State& reached) {
    for (const bool on_ground : {true, false})
      for (const ModelJoint& joint : mechanism_.model.joints) {
        const bool grounded = std::find(joint.of.begin(), joint.of.end(), "ground") != joint.of.end();
        if (grounded != on_ground) continue;
        for (const std::string& own : mechanism_.model.mechanism.coordinates(joint.id)) {
          const std::string name = joint.name + "." + own;
          const std::optional<int> measure = measure_of(name);
          if (!measure || *measure == wanted.row.terms.front().measure) continue;
          const Row row{name, {{*measure, 1}}, 0, -1};
          if (std::abs(value(row, reached) - value(row, given_)) > noticed)
            return {name, amount_of(row, value(row, reached))};
        }
      }
    return {};
  }

  void ask(Kind kind, const std::string& name, std::optional<double> value_of_it) {
    const std::optional<int> measure = measure_of(name);
    if (!measure) return;
    Wanted wanted{kind, name, joint_of(name), "start of " + name, Row{name, {{*measure, 1}}, 0, -1}};
    wanted.row.offset = value_of_it ? *value_of_it : value(wanted.row, given_);
    wanted_.push_back(std::move(wanted));
  }

  // Of "elbow.angle" elbow; empty where that is a body.
  std::string joint_of(const std::string& name) const {
    const std::string owner = name.substr(0, name.rfind('.'));
    for (const ModelJoint& own : mechanism_.model.joints)
      if (own.name == owner) return owner;
    return {};
  }

  std::optional<int> measure_of(const std::string& name) {
    const auto usable = [&](int measure) {
      const Measure& m = model_.measure(measure);
      return m.kind != Measure::Kind::turn || m.entry >= 0;
    };
    const auto dot = name.rfind('.');
    for (const ModelJoint& own : mechanism_.model.joints) {
      if (dot == std::string::npos || own.name != name.substr(0, dot)) continue;
      for (const mechanics::JointCoordinate& c :
           mechanism_.model.mechanism.joints()[static_cast<std::size_t>(own.id.index)].coordinates)
        if (c.name == name.substr(dot + 1) && usable(c.measure)) return c.measure;
    }
    for (const ModelBody& own : mechanism_.model.bodies) {
      if (dot == std::string::npos || own.name != name.substr(0, dot)) continue;
      const std::string entry = name.substr(dot + 1);
      Measure m{.kind = Measure::Kind::component, .b = own.id.index, .pb = -own.center};
      if (entry == "angle")
        m = {.kind = Measure::Kind::angle, .b = own.id.index};
      else
        m.ua = {entry == "x" ? 1.0 : 0, entry == "y" ? 1.0 : 0, entry == "z" ? 1.0 : 0};
      model_.measures.push_back(m);
      return static_cast<int>(model_.measures.size()) - 1;
    }
    return std::nullopt;
  }

  double value(const Row& row, const State& state) const {
    const std::span<const double> q(state.z.data(), static_cast<std::size_t>(state.layout.nq));
    double sum = 0;
    for (const Row::Term& term : row.terms) {
      const Measure& m = model_.measure(term.measure);
      sum += term.value(value_of(m, pose_of(model_.body(m.a), q), pose_of(model_.body(m.b), q), q));
    }
    return sum;
  }

  // The joints and what was met before, and one row more; at rest.
  std::optional<State> closed(const State& from, const Row* more = nullptr,
                              std::optional<std::size_t> first = {}) const {
    MechanismModel model = model_;
    if (first) model.rows.resize(*first);
    if (more) model.rows.push_back(*more);
    model.ng = static_cast<int>(model.rows.size());
    model.nk = 0;
    State guess({2, model.nq, model.nv}, model.ng, 0);
    guess.q() = from.q().head(model.nq);
    try {
      return consistent_state(*mechanics::make_problem(mechanics::with_stand_in_masses(model)), guess).state;
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  // To the last value that can be had, and the state there.
  double follow(const Wanted& wanted, double from, double to, State& state) const {
    if (std::abs(to - from) <= met * std::max(1.0, std::abs(to))) return to;
    Row row = wanted.row;
    double done = 0, step = 1;
    for (int tries = 0; tries < most_tries && step >= smallest_part && done < 1; ++tries) {
      const double next = std::min(1.0, done + step);
      row.offset = next == 1 ? to : from + next * (to - from);
      const std::optional<State> there = closed(state, &row);
      if (!there) {
        step /= 2;
        continue;
      }
      state = *there;
      done = next;
    }
    return done == 1 ? to : from + done * (to - from);
  }

  // Forces of the rows that would hold it, and what they leave of its own row, of 1.
  struct Held {
    Matrix G;
    Vector mu;
    double left = 1;
  };
  static std::optional<Held> held_by(MechanismModel model, const Wanted& wanted, const State& state) {
    model.rows.push_back(wanted.row);
    model.ng = static_cast<int>(model.rows.size());
    model.nk = 0;
    const auto problem = mechanics::make_problem(mechanics::with_stand_in_masses(model));
    Evaluation e;
    Vector z = Vector::Zero(problem->shape().layout().size());
    z.head(model.nq) = state.q().head(model.nq);
    problem->evaluate(Part::jacobian, Point(0.0, z), e);
    const Eigen::Index rows = e.G.rows() - 1;
    Held held{e.G.topRows(rows), Vector(rows)};
    const Matrix A = held.G * held.G.transpose();
    linalg::DampedSolve solve(linalg::Damping::shifted, static_cast<int>(rows));
    if (rows == 0 || !solve.factor(A, 1e-9 * A.trace())) return std::nullopt;
    const Vector row = e.G.row(rows).transpose(), right = held.G * row;
    solve.solve(right, held.mu);
    held.left = (row - held.G.transpose() * held.mu).norm() / row.norm();
    return held;
  }

  // Owners of rows that would hold it, those with the largest forces first.
  std::vector<std::string> holders(const Wanted& wanted, const State& state, bool itself = false) const {
    const std::optional<Held> held = held_by(model_, wanted, state);
    if (!held) return {};
    const Matrix& G = held->G;
    const Vector& mu = held->mu;
    const Eigen::Index rows = G.rows();
    std::vector<std::pair<double, std::string>> weights;
    for (Eigen::Index i = 0; i < rows; ++i)
      weights.emplace_back(std::abs(mu(i)) * G.row(i).norm(), owners_[static_cast<std::size_t>(i)]);
    std::stable_sort(weights.begin(), weights.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> names;
    std::set<std::string> known = {wanted.owner};
    for (const auto& [weight, name] : weights)
      if (weight > in_the_way * weights.front().first && known.insert(name).second) names.push_back(name);
    if (itself && names.empty() && !weights.empty() && weights.front().first > 0)
      names.push_back(wanted.owner + " itself");
    return names;
  }

  std::string amount_of(const Row& row, double si) const {
    const bool angle = model_.measure(row.terms.front().measure).is_angle();
    return mechanism_.told(si, angle ? Dimension{.angle = 1} : Dimension{.length = 1});
  }

  std::string asked_for(const Wanted& wanted) const {
    const std::string amount = amount_of(wanted.row, wanted.row.offset);
    return wanted.kind == Kind::drive  ? fmt::format("drive {} asks for {} at the start", wanted.name, amount)
           : wanted.kind == Kind::held ? fmt::format("[start] holds {} at {}", wanted.name, amount)
                                       : fmt::format("[start] asks for {} = {}", wanted.name, amount);
  }

  Unreached told(const Wanted& wanted, double reached, const State& state) const {
    Unreached found{wanted.kind == Kind::drive, wanted.subject, holders(wanted, state), {}};
    const std::string by =
        found.against.empty() ? std::string("the joints") : list_of(found.against, most_named);
    found.text = fmt::format(
        "{}, and from where the bodies are given the nearest that can be reached is {}: there {} {} in the "
        "way; "
        "give a value up to there, begin on the other side, or change the lengths",
        asked_for(wanted), amount_of(wanted.row, reached), by, found.against.size() == 1 ? "is" : "are");
    return found;
  }

  const CheckedMechanism& mechanism_;
  MechanismModel model_;             // joints, and what was met
  std::vector<std::string> owners_;  // of its rows
  std::size_t joints_ = 0;           // the first of them
  std::vector<Wanted> wanted_;
  State given_;
};

}  // namespace

std::optional<Unreached> unreached(const CheckedMechanism& mechanism, const State& given) {
  if (mechanism.shape().nv > most_velocities) return std::nullopt;
  return Reach(mechanism, given).looked_for();
}

std::vector<std::string> in_the_way_of(const CheckedMechanism& mechanism, const std::string& name,
                                       const State& place) {
  if (mechanism.shape().nv > most_velocities) return {};
  return Reach(mechanism, place).in_the_way_of(name, place);
}

}  // namespace driftless::io
