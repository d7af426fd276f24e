#include "mechanics/row_pattern.hpp"

#include <algorithm>
#include <set>

namespace driftless::mechanics {

RowPattern::RowPattern(const MechanismModel& model) : model_(model) {
  rows_.columns = model.nv;
  const auto add = [&](const Row& row) {
    std::set<int> columns;
    for (const Row::Term& term : row.terms)
      for (const int body : {model.measure(term.measure).a, model.measure(term.measure).b})
        for (int i = 0; i < model.body(body).velocities(); ++i) columns.insert(model.body(body).v + i);
    rows_.add_row({columns.begin(), columns.end()});
  };
  for (const Row& row : model.rows) add(row);
  for (const Row& row : model.velocity_rows) add(row);
}

int RowPattern::entry(int row, int body) const {
  if (model_.body(body).kind == Body::Kind::ground) return 0;
  const auto begin = rows_.column.begin() + rows_.first(row), end = rows_.column.begin() + rows_.last(row);
  return static_cast<int>(std::lower_bound(begin, end, model_.body(body).v) - rows_.column.begin());
}

}  // namespace driftless::mechanics
