// Motion: how something is to move, as a function of time: a number, an expression in t, or a table.
//
// A drive asks for a motion with two derivatives: the mechanism has a velocity y' and forces that go with y''. Tables of smooth pieces
// have them between their ends (table.hpp). What jumps in a table is known (MotionJump): the rate at every bend of straight pieces, rate or
// acceleration where the last point is reached on the move. In a formula it is looked for where one of its cases (if, abs, max, ..) changes.
// It is blended where that is asked for: over an interval the polynomial of degree 5 takes the place of the motion that meets it at both
// ends with value, rate and acceleration. Within the points of smooth pieces nothing is touched; blends at the ends lie outside of them.
// Accelerations that jump in a formula stay as they are, and so does all in targets, which need no second derivative: a step ends there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <driftless/mechanics/expression.hpp>
#include <driftless/mechanics/table.hpp>

namespace driftless::mechanics {

// A value (order 0; in formulas alone), a rate (1) or an acceleration (2) that jumps.
struct MotionJump {
  enum class Place { begin, inside, end };
  double t = 0;
  Place place = Place::inside;
  int order = 1;
  double before = 0, after = 0;
  double from = 0, to = 0;  // over which it is blended; from = to: it is not
  double off = 0;           // how far that leads away from what is given, at most

  bool blended() const { return from < to; }
};

// What becomes of a drive's jumps.
struct JumpHandling {
  bool blend = true;  // else a step ends there and velocities jump
  // s; where nothing is said a twentieth of the distance to the next point of a table, and for a formula a millisecond.
  std::optional<double> over = {};
  TableUnits units = {};  // in which jumps of formulas are told
};

class Motion {
 public:
  explicit Motion(const std::string& expression_in_t, const std::map<std::string, double>& parameters = {})
      : Motion(Expression::parse(expression_in_t, {.variables = {"t"}, .constants = parameters}), 1, 1) {}
  // Units that it is written in: of t, and of what it gives.
  Motion(Expression in_t, double time_unit, double unit)
      : of_t_(std::move(in_t)), time_unit_(time_unit), unit_(unit) {}
  explicit Motion(double constant) : of_t_(constant) {}
  // As the table has it, jumps included.
  explicit Motion(const Table& table);

  template <class T>
  T value(const T& t) const {
    if (const auto* constant = std::get_if<double>(&of_t_)) return T(*constant);
    if (const auto* table = std::get_if<Table>(&of_t_)) {
      if (const Polynomial* blend = blend_at(autodiff::value_of(t))) return blend->value(T(t - blend->at));
      return table->value(t);
    }
    if (blends_formula_)
      if (const auto blend = blend_of_formula(autodiff::value_of(t))) return blend->value(T(t - blend->at));
    return of_formula(t);
  }

  // From now on as a drive has it. Throws InputError where an interval does not fit between the points of a table.
  void handle(const JumpHandling& handling);

  // Why it has no value at t, as Expression::fault() says it; empty: it has one.
  std::string fault(double t) const;

  // The formula; empty: it is given otherwise.
  std::string text() const {
    const auto* expression = std::get_if<Expression>(&of_t_);
    return expression ? expression->text() : std::string();
  }

  const Table* table() const { return std::get_if<Table>(&of_t_); }
  // Those at or blended between two times, in order. Cold: formulas are searched.
  std::vector<MotionJump> jumps(double from, double to) const;
  const TableUnits& units() const { return table() ? table()->options().units : handling_.units; }
  // Times after `from` and up to `to`, ascending, at which y''' or something below it jumps; those of jumps that are not blended too.
  std::vector<double> breaks(double from, double to) const;

 private:
  template <class T>
  T of_formula(const T& t) const {
    const T own = t / time_unit_;
    return unit_ * std::get<Expression>(of_t_).evaluate<T>(std::span<const T>(&own, 1));
  }
  std::uint64_t branches(double t) const;  // of a formula
  // The last time up to which a formula goes the ways that it goes at `from`, and the next that a double can hold.
  struct Switch {
    double before, after;
  };
  Switch switch_between(double from, double to) const;
  std::optional<MotionJump> jump_at(const Switch& there) const;  // nothing: the formula goes on smoothly
  std::optional<Polynomial> blend_of_formula(double t) const;
  std::vector<MotionJump> formula_jumps(double from, double to) const;

  const Polynomial* blend_at(double t) const {
    if (blends_.empty() || !(t > blend_ends_.front())) return nullptr;
    const auto i = static_cast<std::size_t>(std::upper_bound(blend_ends_.begin(), blend_ends_.end(), t) -
                                            blend_ends_.begin());
    return i % 2 == 1 ? &blends_[i / 2] : nullptr;
  }
  void blend(MotionJump& jump);

  std::variant<double, Expression, Table> of_t_;
  double time_unit_ = 1, unit_ = 1;
  JumpHandling handling_{.blend = false};
  bool blends_formula_ = false;    // it has cases, and jumps between them are blended
  std::vector<MotionJump> jumps_;  // of a table
  std::vector<Polynomial> blends_;
  std::vector<double> blend_ends_;  // from, to, from, to, ..
};

}  // namespace driftless::mechanics
