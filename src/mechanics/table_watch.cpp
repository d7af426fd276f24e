#include "mechanics/table_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace driftless::mechanics {

namespace {

using Kind = TimeBreak::Kind;

const Motion& motion_of(const MechanismModel& model, const Row& row) {
  return model.motions[static_cast<std::size_t>(row.motion)];
}

// Where two say something of one time, the stronger word counts.
void put(std::map<double, TimeBreak>& all, const TimeBreak& one) {
  const auto [found, fresh] = all.emplace(one.t, one);
  if (fresh || found->second.kind >= one.kind) return;
  found->second = one;
}

// At its last point a table has what holds before.
double time_after(const MotionJump& jump) {
  return jump.place == MotionJump::Place::end
             ? std::nextafter(jump.t, std::numeric_limits<double>::infinity())
             : jump.t;
}

// What a rate and an acceleration that jump do.
struct Effect {
  Kind rate, acceleration;
};

void put_all(std::map<double, TimeBreak>& all, const Motion& motion, double from, double to,
             const Effect& effect, const std::string& name) {
  for (const double t : motion.breaks(from, to)) put(all, {.t = t});
  for (const MotionJump& jump : motion.jumps(from, to))
    if (!jump.blended() && jump.t > from && jump.t <= to)
      put(all, {time_after(jump), jump.order < 2 ? effect.rate : effect.acceleration, name});
}

const char* word_for(const MotionJump& jump) {
  return jump.order == 0 ? "value" : jump.order == 1 ? "rate" : "acceleration";
}

// "its rate jumps by 0.1 m/s at t = 1 s (from 0.1 to 0 m/s, where its points end)"
std::string text_of(const MotionJump& jump, const TableUnits& units) {
  const double unit = units.y / std::pow(units.x, jump.order);
  const std::string name =
      units.y_name.empty() || jump.order == 0
          ? units.y_name
          : fmt::format("{}/{}{}", units.y_name, units.x_name, jump.order == 1 ? "" : "^2");
  const char* where = jump.place == MotionJump::Place::end     ? ", where its points end"
                      : jump.place == MotionJump::Place::begin ? ", where its points begin"
                                                               : "";
  return fmt::format("its {} jumps by {} at t = {} (from {:.6g} to {}{})", word_for(jump),
                     amount_text(jump.after - jump.before, unit, name),
                     amount_text(jump.t, units.x, units.x_name), jump.before / unit,
                     amount_text(jump.after, unit, name), where);
}

std::string handling_of(const MotionJump& jump, const TableUnits& units, bool of_table) {
  if (jump.blended())
    return fmt::format("it is blended from t = {:.10g} to {}, which leads away from {} by up to {}",
                       jump.from / units.x, amount_text(jump.to, units.x, units.x_name),
                       of_table ? "the points" : "the formula", amount_text(jump.off, units.y, units.y_name));
  if (jump.order == 0) return "it is passed as an event, which puts bodies there";
  if (jump.order == 1) return "it is passed as an event, with an impact";
  return "a step ends there";
}

struct Watched {
  enum class Argument { time, stretch, rate };
  std::string owner;  // "force tyre: its curve"
  const Table* table;
  Argument argument = Argument::time;
  int measure = 0;
  double rest = 0;
  // Where it was first beyond, and where farthest.
  double first_t = 0, first = 0, farthest = 0;
  bool left = false;

  double beyond(double x) const { return std::max(table->first_argument() - x, x - table->last_argument()); }
};

std::vector<Watched> watched_in(const MechanismModel& model) {
  std::vector<Watched> all;
  for (const Row& row : model.rows)
    if (row.motion >= 0)
      if (const Table* table = motion_of(model, row).table())
        all.push_back({fmt::format("drive {}: its table", row.name), table});
  for (const Force& force : model.forces) {
    if (const auto* spring = std::get_if<SpringLaw>(&force.law)) {
      if (spring->elastic)
        all.push_back({fmt::format("force {}: its curve", force.name), &*spring->elastic,
                       Watched::Argument::stretch, force.measure, spring->rest});
      if (spring->dashpot)
        all.push_back({fmt::format("force {}: its dashpot", force.name), &*spring->dashpot,
                       Watched::Argument::rate, force.measure});
    } else if (const auto* law = std::get_if<PdLaw>(&force.law)) {
      if (const Table* table = law->target.table())
        all.push_back({fmt::format("force {}: its target", force.name), table});
    }
  }
  return all;
}

class TableWatch final : public Observer {
 public:
  TableWatch(const MechanismModel& model, std::vector<Watched> tables, BodyStateOf bodies)
      : model_(model),
        bodies_(std::move(bodies)),
        tables_(std::move(tables)),
        needs_bodies_(std::any_of(tables_.begin(), tables_.end(),
                                  [](const Watched& w) { return w.argument != Watched::Argument::time; })) {}

  void start(const RunInfo& info) override {
    begin_ = info.start.t;
    look(info.start);
  }
  void step(const AcceptedStep& step) override { look(step.to); }
  void output(const State& state) override { look(state); }
  void finish(Solution& solution) override {
    for (const DriveJumps& one : jumps_of_drives(model_, begin_, solution.final.t))
      solution.notes.push_back(fmt::format("drive {}: {}", one.drive, one.text));
    for (const Watched& one : tables_)
      if (one.left) solution.notes.push_back(text_of(one));
  }

 private:
  void look(const State& state) {
    if (needs_bodies_) bodies_(state.z, q_, v_);
    for (Watched& one : tables_) {
      double x = state.t;
      if (one.argument != Watched::Argument::time) {
        const FirstOrder<double> y = first_order<double>(model_, model_.measure(one.measure), q_, v_);
        x = one.argument == Watched::Argument::rate ? y.rate : y.value - one.rest;
      }
      if (!one.table->beyond(x)) continue;
      if (!one.left || state.t < one.first_t) one.first_t = state.t, one.first = x;
      if (!one.left || one.beyond(x) > one.beyond(one.farthest)) one.farthest = x;
      one.left = true;
    }
  }
  std::string text_of(const Watched& one) const {
    const TableOptions& o = one.table->options();
    // Of a table over time the first time says nothing; where it ended up does.
    const bool over_time = one.argument == Watched::Argument::time;
    const double first = over_time ? one.farthest : one.first;
    std::string text = fmt::format("{} was asked for a value {}", one.owner, one.table->told_beyond(first));
    if (!over_time) {
      text += fmt::format(", first at t = {:.6g} s", one.first_t);
      if (one.farthest != one.first)
        text += fmt::format(" and as far as {}", amount_text(one.farthest, o.units.x, o.units.x_name));
    }
    return text +
           (o.outside == Outside::linear ? "; it goes on straight there" : "; the end value is held there");
  }

  const MechanismModel& model_;
  BodyStateOf bodies_;
  std::vector<Watched> tables_;
  bool needs_bodies_;
  double begin_ = 0;
  std::vector<double> q_, v_;
};

}  // namespace

std::vector<TimeBreak> time_breaks_of(const MechanismModel& model, double from, double to) {
  std::map<double, TimeBreak> all;
  for (const Row& row : model.rows)
    if (row.motion >= 0)
      put_all(all, motion_of(model, row), from, to, {Kind::velocity, Kind::acceleration},
              "drive " + row.name);
  // A target enters a force by its value and its rate.
  for (const Force& force : model.forces)
    if (const auto* law = std::get_if<PdLaw>(&force.law))
      put_all(all, law->target, from, to, {Kind::acceleration, Kind::kink}, {});
  std::vector<TimeBreak> breaks;
  for (auto& [t, one] : all) breaks.push_back(std::move(one));
  return breaks;
}

std::vector<DriveJumps> jumps_of_drives(const MechanismModel& model, double from, double to) {
  std::vector<DriveJumps> all;
  for (const Row& row : model.rows) {
    if (row.motion < 0) continue;
    const Motion& motion = motion_of(model, row);
    std::vector<MotionJump> met = motion.jumps(from, to);
    // A motion that begins at the start with an acceleration begins like any.
    std::erase_if(met, [&](const MotionJump& jump) {
      return jump.order == 2 && jump.t - from <= std::numeric_limits<double>::min();
    });
    if (met.empty()) continue;
    const TableUnits& units = motion.units();
    const auto size = [](const MotionJump& jump) { return std::abs(jump.after - jump.before); };
    // Values count for more than rates, and these for more than accelerations.
    const MotionJump& worst =
        *std::max_element(met.begin(), met.end(), [&](const MotionJump& a, const MotionJump& b) {
          return a.order != b.order ? a.order > b.order : size(a) < size(b);
        });
    std::string text = text_of(worst, units) + "; " + handling_of(worst, units, motion.table() != nullptr);
    if (met.size() > 1)
      text += fmt::format("; {} more jump{}, the first at t = {}, {} alike", met.size() - 1,
                          met.size() == 2 ? "" : "s",
                          amount_text((&worst == &met[0] ? met[1] : met[0]).t, units.x, units.x_name),
                          met.size() == 2 ? "is treated" : "are treated");
    all.push_back({row.name, text});
  }
  return all;
}

std::unique_ptr<Observer> watch_tables(const MechanismModel& model, BodyStateOf bodies) {
  std::vector<Watched> tables = watched_in(model);
  if (tables.empty() && model.motions.empty()) return nullptr;
  return std::make_unique<TableWatch>(model, std::move(tables), std::move(bodies));
}

}  // namespace driftless::mechanics
