#include "mechanics/constraint_rows.hpp"

#include <algorithm>

#include "mechanics/pair_pattern.hpp"

namespace driftless::mechanics {

namespace {

void put(const Vec3& values, int row, int count, double* all) {
  all[row] = values.x;
  all[row + 1] = values.y;
  if (count > 2) all[row + 2] = values.z;
}

// Of rows that say that two points coincide: how they change with the place of a body.
void put_place(const Place& at, double sign, int count, const RowBlock& rows) {
  if (at.kind == Body::Kind::ground) return;
  const int axes = std::min(count, at.kind == Body::Kind::planar ? 2 : 3);
  for (int i = 0; i < axes; ++i) rows(i, i) += sign;
}

// The change of R s, or of its rate, with a turn: arm x e_i for each row.
void put_turns(const Place& at, double sign, const Vec3& arm, int count, const RowBlock& rows) {
  if (at.kind == Body::Kind::ground) return;
  if (at.kind == Body::Kind::planar) {
    rows(0, 2) -= sign * arm.y;
    rows(1, 2) += sign * arm.x;
    return;
  }
  const Vec3 torques[] = {{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}};
  for (int i = 0; i < count; ++i) {
    const Vec3 own = to_body(at.pose.R, torques[i]);
    rows(i, 3) += sign * own.x;
    rows(i, 4) += sign * own.y;
    rows(i, 5) += sign * own.z;
  }
}

void add_rows(const Place& a, const Place& b, double factor, const Pulls& pulls, const RowBlock& of_a,
              const RowBlock& of_b) {
  add_row(a, factor, pulls[0], of_a.at, of_a.column_step);
  add_row(b, factor, pulls[1], of_b.at, of_b.column_step);
}

}  // namespace

ConstraintRows::ConstraintRows(const MechanismModel& model) : model_(model), pattern_(model) {
  for (std::size_t i = 0; i < model_.rows.size();) {
    const int together = coinciding_rows(i), row = static_cast<int>(i);
    if (together > 1) {
      const Measure& gap = model_.measure(model_.rows[i].terms[0].measure);
      points_.push_back(
          {gap, row, together, pattern_.entry(row, gap.a), pattern_.entry(row, gap.b), pattern_.length(row)});
    } else {
      others_.push_back({row, static_cast<int>(entries_.size())});
      add_entries(model_.rows[i], row);
    }
    i += static_cast<std::size_t>(std::max(together, 1));
  }
  for (std::size_t i = 0; i < model_.velocity_rows.size(); ++i) {
    velocity_rows_.push_back({static_cast<int>(i), static_cast<int>(entries_.size())});
    add_entries(model_.velocity_rows[i], model_.ng + static_cast<int>(i));
  }
}

void ConstraintRows::add_entries(const Row& row, int number) {
  for (const Row::Term& term : row.terms) {
    const Measure& m = model_.measure(term.measure);
    entries_.push_back({pattern_.entry(number, m.a), pattern_.entry(number, m.b)});
  }
}

// How many of them begin at row i; 0: it is none.
int ConstraintRows::coinciding_rows(std::size_t i) const {
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int count = 0;
  Measure first;
  for (; count < 3 && i + static_cast<std::size_t>(count) < model_.rows.size(); ++count) {
    const Row& row = model_.rows[i + static_cast<std::size_t>(count)];
    if (row.terms.size() != 1 || row.terms[0].factor != 1 || row.offset != 0 || row.motion >= 0) break;
    Measure m = model_.measure(row.terms[0].measure);
    if (m.kind != Measure::Kind::component || m.ua != axes[count]) break;
    m.ua = axes[0];
    if (count == 0)
      first = m;
    else if (m != first)
      break;
  }
  return count;
}

void ConstraintRows::prepare(Parts parts, SparseParts& sparse) const {
  const auto given = [&](linalg::SparseRows& rows) {
    if (rows.rows == 0)
      rows = pattern_.rows();
    else
      rows.clear();
  };
  if (parts.has(Part::jacobian) || parts.has(Part::velocity_jacobian)) given(sparse.C);
  if (parts.has(Part::rate_jacobian) || parts.has(Part::velocity_drift)) given(sparse.L);
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
  for (const Points& points : points_) {
    const int row = points.row, count = points.count;
    const Place &a = places[points.gap.a], &b = places[points.gap.b];
    const Vec3 arm_a = a.pose.R * points.gap.pa, arm_b = b.pose.R * points.gap.pb;
    const Vec3 turn_a = cross(a.pose.w, arm_a), turn_b = cross(b.pose.w, arm_b);
    if (with_g) put(b.pose.r + arm_b - a.pose.r - arm_a, row, count, e.g.data());
    if (with_rates) put(b.pose.v + turn_b - a.pose.v - turn_a, row, count, e.rates.data());
    if (with_c) put(cross(b.pose.w, turn_b) - cross(a.pose.w, turn_a), row, count, e.c.data());
    if (with_G) {
      const RowBlock of_a = G.block(row, a.v, points.entry_a, points.length),
                     of_b = G.block(row, b.v, points.entry_b, points.length);
      put_place(a, -1, count, of_a);
      put_place(b, 1, count, of_b);
      put_turns(a, -1, arm_a, count, of_a);
      put_turns(b, 1, arm_b, count, of_b);
    }
    if (with_L) {
      put_turns(a, -1, turn_a, count, L.block(row, a.v, points.entry_a, points.length));
      put_turns(b, 1, turn_b, count, L.block(row, b.v, points.entry_b, points.length));
    }
  }
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
      value += term.factor * y.value;
      rate += term.factor * y.rate;
      if (with_G)
        add_rows(a, b, term.factor, y.gradient, G.block(other.row, a.v, entries->a, 0),
                 G.block(other.row, b.v, entries->b, 0));
      if (with_c) curved += term.factor * driftless::mechanics::curvature(m, a.pose, b.pose);
      if (with_L)
        add_rows(a, b, term.factor, rate_gradient(m, a.pose, b.pose), L.block(other.row, a.v, entries->a, 0),
                 L.block(other.row, b.v, entries->b, 0));
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
  const auto add = [&](const std::vector<Row>& rows, const Point::View& multipliers) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const Row::Term& term : rows[i].terms)
        add_stiffness(places, model_.measure(term.measure),
                      term.factor * multipliers(static_cast<Eigen::Index>(i)), Bl_x);
  };
  add(model_.rows, at.lambda);
  add(model_.velocity_rows, at.kappa);
}

}  // namespace driftless::mechanics
