#include <driftless/mechanics/mechanism_problem.hpp>

#include <algorithm>
#include <utility>

#include <driftless/core/model_derivatives.hpp>

namespace driftless::mechanics {

namespace {

// Where the entries of a body stand, by which axes its turns are measured, and how it moves.
struct Place {
  Pose pose;
  int v = 0;
  Body::Kind kind = Body::Kind::ground;
};

// Without quaternions coordinates and velocities are the same thing.
Shape shape_of(const MechanismModel& model) {
  Shape shape = model::shape_of(model);
  shape.own_kinematics = shape.normalized = model.nq != model.nv;
  shape.has_power = std::any_of(model.forces.begin(), model.forces.end(), [](const Force& f) {
    const auto* spring = std::get_if<SpringLaw>(&f.law);
    return !spring || spring->dissipates();
  });
  return shape;
}

class MechanismProblem final : public Problem {
  using Derivatives = model::Derivatives<MechanismModel>;

 public:
  explicit MechanismProblem(MechanismModel model) : Problem(shape_of(model)), model_(std::move(model)) {
    for (std::size_t i = 0; i < model_.rows.size();) {
      const int together = coinciding_rows(i);
      if (together > 1)
        points_.push_back({model_.measure(model_.rows[i].terms[0].measure), static_cast<int>(i), together});
      else
        others_.push_back(i);
      i += static_cast<std::size_t>(std::max(together, 1));
    }
  }

  void normalize(VectorOut q) const override {
    model_.normalize(std::span<double>(q.data(), static_cast<std::size_t>(q.size())));
  }
  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace&) const override {
    model_.kinematics(t, in(q.data(), q.size()), in(v.data(), v.size()),
                      std::span<double>(rates.data(), static_cast<std::size_t>(rates.size())));
  }
  std::string coordinate_name(int i) const override { return model_.coordinate_name(i); }
  std::string velocity_name(int i) const override { return model_.velocity_name(i); }
  std::string constraint_name(int row) const override { return model_.constraint_name(row); }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& e) const override {
    Arena::Release scope(e.scratch);
    const Here here = evaluate_places(at, e.scratch);
    if (parts.has(Part::mass)) {
      e.M.setZero();
      model_.mass(at.t, here.q, MatrixView<double>(e.M.data(), shape().nv));
    }
    if (parts.has(Part::force)) force(at.t, here, e.f);
    if (parts.has(Part::force_jacobian)) force_jacobian(at.t, here, e.f_z);
    if (parts.has(Part::mass_product_jacobian)) e.Ma_x.setZero();
    position_rows(parts, at.t, here, e);
    velocity_rows(parts, here, e);
    if (parts.has(Part::multiplier_jacobian)) multiplier_jacobian(at, here, e.Bl_x);
    if (parts.has(Part::energy)) e.energy = model_.energy(at.t, here.q, here.v);
    if (parts.has(Part::power)) e.power = model_.power(at.t, here.q, here.v);
    automatic_parts(parts, at, e);
  }

 private:
  struct Here {
    std::span<const double> q, v;
    std::span<const Place> places;
  };

  static std::span<const double> in(const double* p, Eigen::Index n) {
    return {p, static_cast<std::size_t>(n)};
  }

  Here evaluate_places(const Point& at, Arena& scratch) const {
    const Shape& s = shape();
    Here here{in(at.z.data(), s.nq), in(at.z.data() + s.nq, s.nv), {}};
    const auto places = scratch.take<Place>(static_cast<int>(model_.bodies.size()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Body& body = model_.bodies[i];
      places[i] = {pose_of(body, here.q, here.v), body.v, body.kind};
    }
    here.places = places;
    return here;
  }

  const Place& place(const Here& here, int body) const { return here.places[static_cast<std::size_t>(body)]; }

  // One row of derivatives along displacements, entries begin at `row` and are `stride` apart.
  static void add_row(const Place& place, double factor, const Pull& pull, double* row, Eigen::Index stride) {
    if (place.kind == Body::Kind::ground) return;
    double* entry = row + place.v * stride;
    const auto put = [&](double value) {
      *entry += factor * value;
      entry += stride;
    };
    put(pull.force.x);
    put(pull.force.y);
    if (place.kind == Body::Kind::planar) return put(pull.torque.z);
    put(pull.force.z);
    const Vec3 torque = to_body(place.pose.R, pull.torque);
    put(torque.x);
    put(torque.y);
    put(torque.z);
  }
  void add_rows(const Here& here, const Measure& m, double factor, const Pulls& pulls, double* row,
                Eigen::Index stride) const {
    add_row(place(here, m.a), factor, pulls[0], row, stride);
    add_row(place(here, m.b), factor, pulls[1], row, stride);
  }

  void position_rows(Parts parts, double t, const Here& here, Evaluation& e) const {
    const bool g = parts.has(Part::position), rates = parts.has(Part::rates), G = parts.has(Part::jacobian),
               B = parts.has(Part::input), c = parts.has(Part::curvature), L = parts.has(Part::rate_jacobian);
    if (!(g || rates || G || B || c || L)) return;
    if (G || B) e.G.setZero(shape().ng, shape().nv);
    if (L) e.L[0].setZero();
    for (const Points& points : points_) {
      const Place &a = place(here, points.gap.a), &b = place(here, points.gap.b);
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
        const Pose &a = place(here, m.a).pose, &b = place(here, m.b).pose;
        const FirstOrder<double> y = first_order<double>(m, a, b, here.q);
        value += term.factor * y.value;
        rate += term.factor * y.rate;
        if (G || B) add_rows(here, m, term.factor, y.gradient, e.G.data() + row, e.G.rows());
        if (c) curved += term.factor * driftless::mechanics::curvature(m, a, b);
        if (L) add_rows(here, m, term.factor, rate_gradient(m, a, b), e.L[0].data() + row, e.L[0].rows());
      }
      if (g) e.g(row) = value;
      if (rates) e.rates(row, 0) = rate;
      if (c) e.c(row) = curved;
    }
    if (B) e.B = e.G.transpose();
  }

  // Rows that say together that two points coincide, which is what most rows are: x, y and perhaps z of one gap.
  struct Points {
    Measure gap;
    int row, count;
  };

  // How many of them begin at row i; 0: it is none.
  int coinciding_rows(std::size_t i) const {
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

  static void put(const Vec3& values, const Points& points, double* all) {
    all[points.row] = values.x;
    all[points.row + 1] = values.y;
    if (points.count > 2) all[points.row + 2] = values.z;
  }
  static void put_place(const Place& at, double sign, const Points& points, Matrix& rows) {
    if (at.kind == Body::Kind::ground) return;
    const int axes = std::min(points.count, at.kind == Body::Kind::planar ? 2 : 3);
    for (int i = 0; i < axes; ++i) rows(points.row + i, at.v + i) += sign;
  }
  // The change of R s, or of its rate, with a turn: arm x e_i for each row.
  static void put_turns(const Place& at, double sign, const Vec3& arm, const Points& points, Matrix& rows) {
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

  void velocity_rows(Parts parts, const Here& here, Evaluation& e) const {
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
        const Pose &a = place(here, m.a).pose, &b = place(here, m.b).pose;
        const FirstOrder<double> y = first_order<double>(m, a, b, here.q);
        rate += term.factor * y.rate;
        if (K) add_rows(here, m, term.factor, y.gradient, e.K.data() + row, e.K.rows());
        if (c) curved += term.factor * driftless::mechanics::curvature(m, a, b);
        if (drift) add_rows(here, m, term.factor, rate_gradient(m, a, b), e.w_x.data() + row, e.w_x.rows());
      }
      if (w) e.w(row) = rate;
      if (c) e.ck(row) = curved;
    }
  }

  void force(double t, const Here& here, Vector& f) const {
    f.setZero();
    model_.body_forces<double>(here.v, std::span<double>(f.data(), static_cast<std::size_t>(f.size())));
    for (const Force& force : model_.forces) {
      const Measure& m = model_.measure(force.measure);
      const FirstOrder<double> y = first_at(here, m);
      add_rows(here, m, model_.push(force, t, y, here.q, here.v), y.gradient, f.data(), 1);
    }
  }
  FirstOrder<double> first_at(const Here& here, const Measure& m) const {
    return first_order<double>(m, place(here, m.a).pose, place(here, m.b).pose, here.q);
  }

  // d(J w x w) = (J dw) x w + J w x dw; a force is push . gradient, and the push depends on values and rates of measures.
  void force_jacobian(double t, const Here& here, Matrix& f_z) const {
    f_z.setZero();
    const int nv = shape().nv;
    for (const Body& body : model_.bodies) {
      if (body.kind != Body::Kind::spatial) continue;
      const int first = body.v + 3;
      const Vec3 w{here.v[static_cast<std::size_t>(first)], here.v[static_cast<std::size_t>(first) + 1],
                   here.v[static_cast<std::size_t>(first) + 2]};
      const Vec3 Jw = body.inertia * w;
      const Vec3 units[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (int j = 0; j < 3; ++j) {
        const Vec3 column = cross(body.inertia * units[j], w) + cross(Jw, units[j]);
        f_z(first, nv + first + j) = column.x;
        f_z(first + 1, nv + first + j) = column.y;
        f_z(first + 2, nv + first + j) = column.z;
      }
    }
    for (const Force& force : model_.forces) {
      const Measure& m = model_.measure(force.measure);
      const FirstOrder<double> y = first_at(here, m);
      add_stiffness(here, m, model_.push(force, t, y, here.q, here.v), f_z);
      if (const auto* law = std::get_if<ExpressionLaw>(&force.law)) {
        add_slopes_by_inputs(t, here, m, y, *law, f_z);
        continue;
      }
      using D = autodiff::Dual<2>;
      const D push = std::visit(
          [&](const auto& law) {
            return law.force(D(t), D::variable(y.value, 0), D::variable(y.rate, 1), std::span<const D>());
          },
          force.law);
      add_slopes(here, m, y, m, y, push.grad[0], push.grad[1], f_z);
    }
  }

  // A push along m that grows with the value and the rate of the measure `by`.
  void add_slopes(const Here& here, const Measure& m, const FirstOrder<double>& y, const Measure& by,
                  const FirstOrder<double>& u, double by_value, double by_rate, Matrix& f_z) const {
    if (by_value == 0 && by_rate == 0) return;
    const Pulls rates = rate_gradient(by, place(here, by.a).pose, place(here, by.b).pose);
    const Local pull = local(here, m, y.gradient), value = local(here, by, u.gradient),
                rate = local(here, by, rates);
    for (int j = 0; j < 12; ++j) {
      const int column = entry(here, by, j);
      if (column < 0) continue;
      const double by_place = by_value * value(j) + by_rate * rate(j), by_speed = by_rate * value(j);
      for (int i = 0; i < 12; ++i) {
        const int row = entry(here, m, i);
        if (row < 0) continue;
        f_z(row, column) += pull(i) * by_place;
        f_z(row, shape().nv + column) += pull(i) * by_speed;
      }
    }
  }

  void add_slopes_by_inputs(double t, const Here& here, const Measure& m, const FirstOrder<double>& y,
                            const ExpressionLaw& law, Matrix& f_z) const {
    constexpr std::size_t chunk = 4;  // measures at a time
    using D = autodiff::Dual<8>;
    std::array<FirstOrder<double>, ExpressionLaw::most_inputs> inputs;
    for (std::size_t i = 0; i < law.inputs.size(); ++i)
      inputs[i] = first_at(here, model_.measure(law.inputs[i]));
    for (std::size_t first = 0; first < law.inputs.size(); first += chunk) {
      std::array<D, 2 * ExpressionLaw::most_inputs> given;
      for (std::size_t i = 0; i < law.inputs.size(); ++i) {
        const bool now = i >= first && i < first + chunk;
        const int index = static_cast<int>(2 * (i - first));
        given[2 * i] = now ? D::variable(inputs[i].value, index) : D(inputs[i].value);
        given[2 * i + 1] = now ? D::variable(inputs[i].rate, index + 1) : D(inputs[i].rate);
      }
      const D push = law.force(D(t), D(), D(), std::span<const D>(given.data(), 2 * law.inputs.size()));
      for (std::size_t i = first; i < std::min(first + chunk, law.inputs.size()); ++i)
        add_slopes(here, m, y, model_.measure(law.inputs[i]), inputs[i], push.grad[2 * (i - first)],
                   push.grad[2 * (i - first) + 1], f_z);
    }
  }

  using Local = Eigen::Matrix<double, 12, 1>;

  // The two bodies of a measure have up to 12 velocities; -1: there is none of that number.
  int entry(const Here& here, const Measure& m, int i) const {
    const Place& p = place(here, i < 6 ? m.a : m.b);
    const int own = i % 6;
    if (p.kind == Body::Kind::ground || (p.kind == Body::Kind::planar && own > 2)) return -1;
    return p.v + own;
  }
  Local local(const Here& here, const Measure& m, const Pulls& pulls) const {
    Local all = Local::Zero();
    for (int slot = 0; slot < 2; ++slot) {
      Place own = place(here, slot == 0 ? m.a : m.b);
      own.v = 0;
      add_row(own, 1, pulls[static_cast<std::size_t>(slot)], all.data() + 6 * slot, 1);
    }
    return all;
  }

  void multiplier_jacobian(const Point& at, const Here& here, Matrix& Bl_x) const {
    Bl_x.setZero();
    const auto add = [&](const std::vector<Row>& rows, const Point::View& multipliers) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (const Row::Term& term : rows[i].terms)
          add_stiffness(here, model_.measure(term.measure),
                        term.factor * multipliers(static_cast<Eigen::Index>(i)), Bl_x);
    };
    add(model_.rows, at.lambda);
    add(model_.velocity_rows, at.kappa);
  }

  void add_stiffness(const Here& here, const Measure& m, double factor, Matrix& to) const {
    if (factor == 0) return;
    const Stiffness s = stiffness(m, place(here, m.a).pose, place(here, m.b).pose);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const Place &row = place(here, i == 0 ? m.a : m.b), &column = place(here, j == 0 ? m.a : m.b);
        if (row.kind == Body::Kind::ground || column.kind == Body::Kind::ground) continue;
        // Columns: how the pull changes with a unit displacement of one kind.
        const auto put = [&](int k, const Vec3& force, const Vec3& torque) {
          add_row(row, factor, {force, torque}, to.data() + (column.v + k) * to.rows(), 1);
        };
        put(0, s.force_by_place[i][j].x, s.torque_by_place[i][j].x);
        put(1, s.force_by_place[i][j].y, s.torque_by_place[i][j].y);
        if (column.kind == Body::Kind::planar) {
          put(2, s.force_by_turn[i][j].z, s.torque_by_turn[i][j].z);
          continue;
        }
        put(2, s.force_by_place[i][j].z, s.torque_by_place[i][j].z);
        const Mat3& R = column.pose.R;
        put(3, s.force_by_turn[i][j] * R.x, s.torque_by_turn[i][j] * R.x);
        put(4, s.force_by_turn[i][j] * R.y, s.torque_by_turn[i][j] * R.y);
        put(5, s.force_by_turn[i][j] * R.z, s.torque_by_turn[i][j] * R.z);
      }
  }

  void automatic_parts(Parts parts, const Point& at, Evaluation& e) const {
    constexpr Parts automatic = Part::kinematics | Part::kinematics_jacobian |
                                Parts(Part::curvature_jacobian) | Parts(Part::energy_gradient);
    if (parts.without(automatic).has_all(parts)) return;
    Derivatives d(model_, shape(), at.t, at.z.data(), e.scratch);
    if (parts.has(Part::kinematics)) d.kinematics(e.N);
    if (parts.has(Part::kinematics_jacobian)) d.kinematics_jacobian(e.Nv_q);
    if (parts.has(Part::energy_gradient)) d.energy_gradient(e.energy_z);
    if (parts.has(Part::curvature_jacobian)) {
      d.curvature_jacobian(at.a.data(), e.c_z);
      if (shape().nk > 0) d.velocity_curvature_jacobian(at.a.data(), e.ck_z);
    }
  }

  MechanismModel model_;
  std::vector<Points> points_;
  std::vector<std::size_t> others_;  // all other rows
};

}  // namespace

std::shared_ptr<const Problem> make_problem(MechanismModel model) {
  return std::make_shared<const MechanismProblem>(std::move(model));
}

}  // namespace driftless::mechanics
