#include <driftless/mechanics/mechanism_model.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "shown_text.hpp"

namespace driftless::mechanics {

namespace {

constexpr std::array planar_names{"x", "y", "angle"};
constexpr std::array planar_rates{"vx", "vy", "spin"};
constexpr std::array spatial_names{"x", "y", "z", "p0", "p1", "p2", "p3"};
constexpr std::array spatial_rates{"vx", "vy", "vz", "wx", "wy", "wz"};

// "crank.x", as among the results. The state has mass centres; where the body's origin, which crank.x is there, lies elsewhere:
// "crank.center_x".
std::string entry_name(const Body& body, std::size_t own, const char* name) {
  const std::size_t linear = body.kind == Body::Kind::planar ? 2 : 3;
  const bool away = own < linear && norm(body.origin) > 0;
  return body.name + (away ? ".center_" : ".") + name;
}

// Entries of bodies follow each other; the ground, which has none, comes first.
const Body& body_with(const std::vector<Body>& bodies, int Body::*first, int entry) {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), entry,
                                      [&](int i, const Body& body) { return i < body.*first; });
  return *std::prev(after);
}

// A motion is needed with two derivatives.
std::string fault_of(const Motion& motion, double t) {
  if (const std::string why = motion.fault(t); !why.empty()) return why;
  const auto value = motion.value(autodiff::Jet<2>::variable(t));
  const std::string formula = motion.text();
  for (const int order : {1, 2})
    if (!std::isfinite(value.derivative(order)))
      return fmt::format("derivative {} by t{} is {}", order,
                         formula.empty() ? "" : fmt::format(" of '{}'", shown(formula)),
                         std::abs(value.derivative(order)));
  return {};
}

// With the value and the rate of the measure that it acts along.
std::string fault_of(const SpringLaw& law, double, double push, std::span<const double> along) {
  std::string why;
  if (law.elastic) why = law.elastic->fault(along[0] - law.rest);
  if (!why.empty()) return "in its curve, " + why;
  if (law.dashpot) why = law.dashpot->fault(along[1]);
  if (!why.empty()) return "in its dashpot, " + why;
  return std::isfinite(push) ? std::string() : fmt::format("it pushes with {}", std::abs(push));
}
std::string fault_of(const PdLaw& law, double t, double, std::span<const double>) {
  const std::string why = fault_of(law.target, t);
  return why.empty() ? why : "in its target, " + why;
}
std::string fault_of(const ExpressionLaw& law, double t, double, std::span<const double> inputs) {
  std::vector<double> all(1 + inputs.size());
  law.arguments<double>(t, inputs, all);
  return law.expression.fault(all);
}
std::string fault_of(const UserLaw&, double, double push, std::span<const double>) {
  return std::isfinite(push) ? std::string() : fmt::format("its function gives {}", std::abs(push));
}

}  // namespace

std::string MechanismModel::fault(double t, std::span<const double> q, std::span<const double> v) const {
  for (const Row& row : rows)
    if (row.motion >= 0)
      if (const auto why = fault_of(motions[static_cast<std::size_t>(row.motion)], t); !why.empty())
        return fmt::format("drive {}: {}", row.name, why);
  for (const Force& force : forces) {
    const FirstOrder<double> y = first_order(*this, measure(force.measure), q, v);
    std::vector<double> inputs;
    if (std::holds_alternative<SpringLaw>(force.law)) inputs = {y.value, y.rate};
    if (const auto* law = std::get_if<ExpressionLaw>(&force.law))
      for (const int i : law->inputs) {
        const FirstOrder<double> u = first_order(*this, measure(i), q, v);
        inputs.insert(inputs.end(), {u.value, u.rate});
      }
    if (y.value == 0 && measure(force.measure).kind == Measure::Kind::distance)
      return fmt::format("force {}: its points meet, so that it has no direction", force.name);
    const double push = this->push(force, t, y, q, v);
    const std::string why =
        std::visit([&](const auto& law) { return fault_of(law, t, push, inputs); }, force.law);
    if (!why.empty()) return fmt::format("force {}: {}", force.name, why);
  }
  return {};
}

MechanismModel::Extent MechanismModel::extent() const {
  return {measures.size(), turns.size(),   rows.size(),  velocity_rows.size(),
          facing.size(),   motions.size(), forces.size()};
}

void MechanismModel::cut_back(const Extent& to) {
  const auto cut = [](auto& all, std::size_t size) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(size), all.end());
  };
  cut(measures, to.measures);
  cut(turns, to.turns);
  cut(rows, to.rows);
  cut(velocity_rows, to.velocity_rows);
  cut(facing, to.facing);
  cut(motions, to.motions);
  cut(forces, to.forces);
}

void MechanismModel::ask_for(int i) {
  if (measure(i).kind == Measure::Kind::turn && std::find(turns.begin(), turns.end(), i) == turns.end())
    turns.push_back(i);
}

std::string MechanismModel::coordinate_name(int i) const {
  const Body& body = body_with(bodies, &Body::q, i);
  if (const int own = i - body.q; own < body.coordinates()) {
    const auto k = static_cast<std::size_t>(own);
    return entry_name(body, k, body.kind == Body::Kind::planar ? planar_names[k] : spatial_names[k]);
  }
  for (std::size_t k = 0; k < turns.size(); ++k)
    if (measure(turns[k]).entry == i) return turn_names[k];
  return {};
}

std::string MechanismModel::velocity_name(int i) const {
  const Body& body = body_with(bodies, &Body::v, i);
  if (const int own = i - body.v; own < body.velocities()) {
    const auto k = static_cast<std::size_t>(own);
    return entry_name(body, k, body.kind == Body::Kind::planar ? planar_rates[k] : spatial_rates[k]);
  }
  return {};
}

std::string MechanismModel::constraint_name(int row) const {
  const auto i = static_cast<std::size_t>(row);
  return i < rows.size() ? rows[i].name : velocity_rows[i - rows.size()].name;
}

}  // namespace driftless::mechanics
