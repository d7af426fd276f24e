#include "mechanics/constraint_rows.hpp"

#include <algorithm>
#include <utility>

#include "mechanics/pair_pattern.hpp"

namespace driftless::mechanics {

namespace {

void add_rows(const Place& a, const Place& b, double factor, const Pulls& pulls, const RowBlock& of_a,
              const RowBlock& of_b) {
  add_row(a, factor, pulls[0], of_a.at, of_a.column_step);
  add_row(b, factor, pulls[1], of_b.at, of_b.column_step);
}

}  // namespace

ConstraintRows::ConstraintRows(const MechanismModel& model)
    : model_(model), pattern_(model), constants_(pattern_.rows()) {
  for (std::size_t i = 0; i < model_.rows.size();) {
    const int together = coinciding_rows(i), row = static_cast<int>(i);
    if (together > 1) {
      const Measure& gap = model_.measure(model_.rows[i].terms[0].measure);
      if (together == 2 && PlanarPins::takes(model_.body(gap.a), model_.body(gap.b)))
        pins_.add(model_, gap, row, pattern_);
      else
        points_.add(model_, gap, row, together, pattern_);
    } else {
      add_other(model_.rows[i], row, row, others_);
    }
    i += static_cast<std::size_t>(std::max(together, 1));
  }
  for (std::size_t i = 0; i < model_.velocity_rows.size(); ++i)
    add_other(model_.velocity_rows[i], static_cast<int>(i), model_.ng + static_cast<int>(i), velocity_rows_);
  const auto by_kind = [this](const std::vector<Row>& rows) {
    return [this, &rows](const Other& other) {
      const Row& row = rows[static_cast<std::size_t>(other.row)];
      return std::pair(row.terms.size(),
                       row.terms.empty() ? Measure::Kind() : model_.measure(row.terms[0].measure).kind);
    };
  };
  std::ranges::stable_sort(others_, {}, by_kind(model_.rows));
  std::ranges::stable_sort(velocity_rows_, {}, by_kind(model_.velocity_rows));
  pins_.put_constants(constants_);
  points_.put_constants(constants_);
}

void ConstraintRows::add_other(const Row& row, int number, int in_pattern, std::vector<Other>& to) {
  to.push_back({number, static_cast<int>(entries_.size()), in_pattern});
  for (const Row::Term& term : row.terms) {
    const Measure& m = model_.measure(term.measure);
    entries_.push_back({pattern_.entry(in_pattern, m.a), pattern_.entry(in_pattern, m.b)});
  }
}

void ConstraintRows::mark_bodies(std::vector<char>& marks) const {
  points_.mark_bodies(marks);
  const auto mark = [&](const std::vector<Other>& others, const std::vector<Row>& rows) {
    for (const Other& other : others)
      for (const Row::Term& term : rows[static_cast<std::size_t>(other.row)].terms) {
        const Measure& m = model_.measure(term.measure);
        marks[static_cast<std::size_t>(m.a)] = marks[static_cast<std::size_t>(m.b)] = 1;
      }
  };
  mark(others_, model_.rows);
  mark(velocity_rows_, model_.velocity_rows);
}

// How many of them begin at row i; 0: it is none.
int ConstraintRows::coinciding_rows(std::size_t i) const {
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int count = 0;
  Measure first;
  for (; count < 3 && i + static_cast<std::size_t>(count) < model_.rows.size(); ++count) {
    const Row& row = model_.rows[i + static_cast<std::size_t>(count)];
    if (row.terms.size() != 1 || row.terms[0].factor != 1 || row.terms[0].power != 1 || row.offset != 0 ||
        row.motion >= 0)
      break;
    Measure m = model_.measure(row.terms[0].measure);
    if (m.kind != Measure::Kind::component || m.ua != axes[count] || m.a == m.b) break;
    m.ua = axes[0];
    if (count == 0)
      first = m;
    else if (m != first)
      break;
  }
  return count;
}

void ConstraintRows::prepare(Parts parts, SparseParts& sparse) const {
  const auto given = [&](linalg::SparseRows& rows, const linalg::SparseRows& fresh) {
    if (rows.rows == 0)
      rows = fresh;
    else
      clear_others(rows);
  };
  if (parts.has(Part::jacobian) || parts.has(Part::velocity_jacobian)) given(sparse.C, constants_);
  if (parts.has(Part::rate_jacobian) || parts.has(Part::velocity_drift)) given(sparse.L, pattern_.rows());
}

void ConstraintRows::prepare_curvature(SparseParts& sparse) const {
  if (sparse.c_x.rows > 0) return;
  sparse.c_x = sparse.c_v = pattern_.rows();
  sparse.groups = linalg::column_groups(pattern_.rows());
}

void ConstraintRows::clear_others(linalg::SparseRows& rows) const {
  for (const auto* others : {&others_, &velocity_rows_})
    for (const Other& other : *others)
      std::fill(rows.value.begin() + rows.first(other.in_pattern),
                rows.value.begin() + rows.last(other.in_pattern), 0.0);
}

void ConstraintRows::positions(Parts parts, double t, const Places& places, Evaluation& e) const {
  if (!parts.has_any(Part::position | Part::rates | Parts(Part::jacobian) | Parts(Part::input) |
                     Parts(Part::curvature) | Parts(Part::rate_jacobian)))
    return;
  if (e.storage == Storage::sparse)
    return positions_to(parts, t, places, e, ValuesOfRows{e.sparse.C.value.data()},
                        ValuesOfRows{e.sparse.L.value.data()});
  const bool G = parts.has(Part::jacobian) || parts.has(Part::input), L = parts.has(Part::rate_jacobian);
  if (G) e.G.setZero(model_.ng, model_.nv);
  if (L) e.L[0].setZero();
  positions_to(parts, t, places, e, WholeRows{e.G.data(), model_.ng},
               WholeRows{L ? e.L[0].data() : nullptr, model_.ng});
  if (parts.has(Part::input)) e.B = e.G.transpose();
}

template <class Target>
void ConstraintRows::positions_to(Parts parts, double t, const Places& places, Evaluation& e, const Target& G,
                                  const Target& L) const {
  const bool with_g = parts.has(Part::position), with_rates = parts.has(Part::rates),
             with_G = parts.has(Part::jacobian) || parts.has(Part::input),
             with_c = parts.has(Part::curvature), with_L = parts.has(Part::rate_jacobian);
  const WantedRows<Target> wanted{.g = with_g ? e.g.data() : nullptr,
                                  .rates = with_rates ? e.rates.data() : nullptr,
                                  .c = with_c ? e.c.data() : nullptr,
                                  .with_G = with_G,
                                  .with_L = with_L,
                                  .G = G,
                                  .L = L};
  pins_.put(places, wanted);
  points_.put(places, wanted);
  for (const Other& other : others_) {
    const Row& row = model_.rows[static_cast<std::size_t>(other.row)];
    double value = -row.offset, rate = 0, curved = 0;
    if (row.motion >= 0) {
      const auto target =
          model_.motions[static_cast<std::size_t>(row.motion)].value(autodiff::Jet<2>::variable(t));
      value -= target.derivative(0);
      rate -= target.derivative(1);
      curved -= target.derivative(2);
    }
    const Entries* entries = entries_.data() + other.first_term;
    for (const Row::Term& term : row.terms) {
      const Measure& m = model_.measure(term.measure);
      const Place &a = places[m.a], &b = places[m.b];
      const FirstOrder<double> y = first_order<double>(m, a.pose, b.pose, places.q);
      const double slope = term.slope(y.value), bend = term.bend(y.value);
      value += term.value(y.value);
      rate += slope * y.rate;
      const auto add_to = [&](const Target& rows, double factor, const Pulls& pulls) {
        add_rows(a, b, factor, pulls, rows.block(other.row, a.v, entries->a, 0),
                 rows.block(other.row, b.v, entries->b, 0));
      };
      if (with_G) add_to(G, slope, y.gradient);
      if (with_c)
        curved += slope * driftless::mechanics::curvature(m, a.pose, b.pose) + bend * y.rate * y.rate;
      if (with_L) add_to(L, slope, rate_gradient(m, a.pose, b.pose));
      if (with_L && bend != 0) add_to(L, bend * y.rate, y.gradient);
      ++entries;
    }
    if (with_g) e.g(other.row) = value;
    if (with_rates) e.rates(other.row, 0) = rate;
    if (with_c) e.c(other.row) = curved;
  }
}

void ConstraintRows::velocities(Parts parts, const Places& places, Evaluation& e) const {
  const bool K = parts.has(Part::velocity_jacobian), drift = parts.has(Part::velocity_drift);
  if (model_.velocity_rows.empty() ||
      !(K || drift || parts.has(Part::velocity) || parts.has(Part::curvature)))
    return;
  if (e.storage == Storage::sparse)
    return velocities_to(parts, places, e, ValuesOfRows{e.sparse.C.value.data()},
                         ValuesOfRows{e.sparse.L.value.data()});
  if (K) e.K.setZero();
  if (drift) e.w_x.setZero();
  velocities_to(parts, places, e, WholeRows{e.K.data(), model_.nk}, WholeRows{e.w_x.data(), model_.nk});
}

template <class Target>
void ConstraintRows::velocities_to(Parts parts, const Places& places, Evaluation& e, const Target& K,
                                   const Target& drift) const {
  const bool with_w = parts.has(Part::velocity), with_K = parts.has(Part::velocity_jacobian),
             with_c = parts.has(Part::curvature), with_drift = parts.has(Part::velocity_drift);
  for (const Other& other : velocity_rows_) {
    const Row& row = model_.velocity_rows[static_cast<std::size_t>(other.row)];
    double rate = -row.offset, curved = 0;
    const Entries* entries = entries_.data() + other.first_term;
    for (const Row::Term& term : row.terms) {
      const Measure& m = model_.measure(term.measure);
      const Place &a = places[m.a], &b = places[m.b];
      const FirstOrder<double> y = first_order<double>(m, a.pose, b.pose, places.q);
      rate += term.factor * y.rate;
      if (with_K)
        add_rows(a, b, term.factor, y.gradient, K.block(other.row, a.v, entries->a, 0),
                 K.block(other.row, b.v, entries->b, 0));
      if (with_c) curved += term.factor * driftless::mechanics::curvature(m, a.pose, b.pose);
      if (with_drift)
        add_rows(a, b, term.factor, rate_gradient(m, a.pose, b.pose),
                 drift.block(other.row, a.v, entries->a, 0), drift.block(other.row, b.v, entries->b, 0));
      ++entries;
    }
    if (with_w) e.w(other.row) = rate;
    if (with_c) e.ck(other.row) = curved;
  }
}

void ConstraintRows::multiplier_jacobian(const Point& at, const Places& places, Matrix& Bl_x) const {
  Bl_x.setZero();
  multiplier_jacobian_to(at, places, WholePairs{Bl_x.data(), Bl_x.rows()});
}
void ConstraintRows::multiplier_jacobian(const Point& at, const Places& places,
                                         linalg::SparseRows& Bl_x) const {
  Bl_x.clear();
  multiplier_jacobian_to(at, places, SparsePairs{Bl_x});
}

template <class Pairs>
void ConstraintRows::multiplier_jacobian_to(const Point& at, const Places& places, const Pairs& Bl_x) const {
  pins_.add_stiffness(places, at.lambda.data(), Bl_x);
  points_.add_stiffness(places, at.lambda.data(), Bl_x);
  const auto add = [&](const std::vector<Other>& others, const std::vector<Row>& rows,
                       const Point::View& multipliers) {
    for (const Other& other : others)
      for (const Row::Term& term : rows[static_cast<std::size_t>(other.row)].terms) {
        const Measure& m = model_.measure(term.measure);
        if (term.power == 1) {
          add_stiffness(places, m, term.factor * multipliers(other.row), Bl_x);
          continue;
        }
        const FirstOrder<double> y = first_at(places, m);
        add_stiffness(places, m, term.slope(y.value) * multipliers(other.row), Bl_x);
        add_outer(places, m, term.bend(y.value) * multipliers(other.row), y.gradient, Bl_x);
      }
  };
  add(others_, model_.rows, at.lambda);
  add(velocity_rows_, model_.velocity_rows, at.kappa);
}

}  // namespace driftless::mechanics
