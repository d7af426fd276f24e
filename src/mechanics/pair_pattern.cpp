#include "mechanics/pair_pattern.hpp"

#include <set>

namespace driftless::mechanics {

linalg::SparseRows pair_pattern(const MechanismModel& model) {
  std::vector<std::set<int>> columns(model.bodies.size());  // bodies, of a body
  const auto couple = [&](const Measure& m, const Measure& by) {
    for (const int row : {m.a, m.b})
      for (const int column : {by.a, by.b}) columns[static_cast<std::size_t>(row)].insert(column);
  };
  // What a multiplier along a fixed direction does to a body changes as that body turns, whatever the other one does.
  const auto by_itself = [](const Measure& m) {
    return m.kind == Measure::Kind::component || m.kind == Measure::Kind::angle;
  };
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].insert(static_cast<int>(i));
  for (const auto* rows : {&model.rows, &model.velocity_rows})
    for (const Row& row : *rows)
      for (const Row::Term& term : row.terms)
        if (const Measure& m = model.measure(term.measure); term.power > 1 || !by_itself(m)) couple(m, m);
  for (const Force& force : model.forces) {
    const Measure& m = model.measure(force.measure);
    couple(m, m);
    if (const auto* law = std::get_if<ExpressionLaw>(&force.law))
      for (const int input : law->inputs) couple(m, model.measure(input));
  }
  linalg::SparseRows pattern;
  pattern.columns = model.nv;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::vector<int> entries;
    for (const int other : columns[i])
      for (int k = 0; k < model.body(other).velocities(); ++k) entries.push_back(model.body(other).v + k);
    std::sort(entries.begin(), entries.end());
    for (int k = 0; k < model.bodies[i].velocities(); ++k) pattern.add_row(entries);
  }
  return pattern;
}

}  // namespace driftless::mechanics
