#include "mechanics/constraint_rows.hpp"

#include <algorithm>

namespace driftless::mechanics {

ConstraintRows::ConstraintRows(const MechanismModel& model) : model_(model) {
  for (std::size_t i = 0; i < model_.rows.size();) {
    const int together = coinciding_rows(i);
    if (together > 1)
      points_.push_back({model_.measure(model_.rows[i].terms[0].measure), static_cast<int>(i), together});
    else
      others_.push_back(i);
    i += static_cast<std::size_t>(std::max(together, 1));
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

void ConstraintRows::positions(Parts parts, double t, const Places& places, Evaluation& e) const {
  const bool g = parts.has(Part::position), rates = parts.has(Part::rates), G = parts.has(Part::jacobian),
             B = parts.has(Part::input), c = parts.has(Part::curvature), L = parts.has(Part::rate_jacobian);
  if (!(g || rates || G || B || c || L)) return;
  if (G || B) e.G.setZero(model_.ng, model_.nv);
  if (L) e.L[0].setZero();
  for (const Points& points : points_) {
    const Place &a = places[points.gap.a], &b = places[points.gap.b];
    const Vec3 arm_a = a.pose.R * points.gap.pa, arm_b = b.pose.R * points.gap.pb;
    const Vec3 turn_a = cross(a.pose.w, arm_a), turn_b = cross(b.pose.w, arm_b);
    if (g) put(b.pose.r + arm_b - a.pose.r - arm_a, points, e.g.data());
    if (rates) put(b.pose.v + turn_b - a.pose.v - turn_a, points, e.rates.data());
    if (c) put(cross(b.pose.w, turn_b) - cross(a.pose.w, turn_a), points, e.c.data());
    if (G || B) {
      put_place(a, -1, points, e.G);
      put_place(b, 1, points, e.G);
      put_turns(a, -1, arm_a, points, e.G);
      put_turns(b, 1, arm_b, points, e.G);
    }
    if (L) {
      put_turns(a, -1, turn_a, points, e.L[0]);
      put_turns(b, 1, turn_b, points, e.L[0]);
    }
  }
  for (const std::size_t i : others_) {
    const auto row = static_cast<Eigen::Index>(i);
    double value = -model_.rows[i].offset, rate = 0, curved = 0;
    if (const int motion = model_.rows[i].motion; motion >= 0) {
      const auto target =
          model_.motions[static_cast<std::size_t>(motion)].value(autodiff::Jet<2>::variable(t));
      value -= target.derivative(0);
      rate -= target.derivative(1);
      curved -= target.derivative(2);
    }
    for (const Row::Term& term : model_.rows[i].terms) {
      const Measure& m = model_.measure(term.measure);
      const Pose &a = places[m.a].pose, &b = places[m.b].pose;
      const FirstOrder<double> y = first_order<double>(m, a, b, places.q);
      value += term.factor * y.value;
      rate += term.factor * y.rate;
      if (G || B) add_rows(places, m, term.factor, y.gradient, e.G.data() + row, e.G.rows());
      if (c) curved += term.factor * driftless::mechanics::curvature(m, a, b);
      if (L) add_rows(places, m, term.factor, rate_gradient(m, a, b), e.L[0].data() + row, e.L[0].rows());
    }
    if (g) e.g(row) = value;
    if (rates) e.rates(row, 0) = rate;
    if (c) e.c(row) = curved;
  }
  if (B) e.B = e.G.transpose();
}

void ConstraintRows::put(const Vec3& values, const Points& points, double* all) {
  all[points.row] = values.x;
  all[points.row + 1] = values.y;
  if (points.count > 2) all[points.row + 2] = values.z;
}
void ConstraintRows::put_place(const Place& at, double sign, const Points& points, Matrix& rows) {
  if (at.kind == Body::Kind::ground) return;
  const int axes = std::min(points.count, at.kind == Body::Kind::planar ? 2 : 3);
  for (int i = 0; i < axes; ++i) rows(points.row + i, at.v + i) += sign;
}
// The change of R s, or of its rate, with a turn: arm x e_i for each row.
void ConstraintRows::put_turns(const Place& at, double sign, const Vec3& arm, const Points& points,
                               Matrix& rows) {
  if (at.kind == Body::Kind::ground) return;
  if (at.kind == Body::Kind::planar) {
    rows(points.row, at.v + 2) -= sign * arm.y;
    rows(points.row + 1, at.v + 2) += sign * arm.x;
    return;
  }
  const Vec3 torques[] = {{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}};
  for (int i = 0; i < points.count; ++i) {
    const Vec3 own = to_body(at.pose.R, torques[i]);
    rows(points.row + i, at.v + 3) += sign * own.x;
    rows(points.row + i, at.v + 4) += sign * own.y;
    rows(points.row + i, at.v + 5) += sign * own.z;
  }
}

void ConstraintRows::velocities(Parts parts, const Places& places, Evaluation& e) const {
  const bool w = parts.has(Part::velocity), K = parts.has(Part::velocity_jacobian),
             c = parts.has(Part::curvature), drift = parts.has(Part::velocity_drift);
  if (model_.velocity_rows.empty() || !(w || K || c || drift)) return;
  if (K) e.K.setZero();
  if (drift) e.w_x.setZero();
  for (std::size_t i = 0; i < model_.velocity_rows.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    double rate = -model_.velocity_rows[i].offset, curved = 0;
    for (const Row::Term& term : model_.velocity_rows[i].terms) {
      const Measure& m = model_.measure(term.measure);
      const Pose &a = places[m.a].pose, &b = places[m.b].pose;
      const FirstOrder<double> y = first_order<double>(m, a, b, places.q);
      rate += term.factor * y.rate;
      if (K) add_rows(places, m, term.factor, y.gradient, e.K.data() + row, e.K.rows());
      if (c) curved += term.factor * driftless::mechanics::curvature(m, a, b);
      if (drift) add_rows(places, m, term.factor, rate_gradient(m, a, b), e.w_x.data() + row, e.w_x.rows());
    }
    if (w) e.w(row) = rate;
    if (c) e.ck(row) = curved;
  }
}

void ConstraintRows::multiplier_jacobian(const Point& at, const Places& places, Matrix& Bl_x) const {
  Bl_x.setZero();
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
