#include "shapes.hpp"

#include <algorithm>

namespace driftless {

namespace {

const char* name_of(SystemShape shape) {
  switch (shape) {
    case SystemShape::ode:
      return "an ordinary differential equation";
    case SystemShape::dae:
      return "a differential-algebraic equation";
    case SystemShape::overdetermined:
      return "a differential-algebraic equation with more equations than unknowns";
    case SystemShape::mechanical_positions:
      return "the mechanical system with g = 0 imposed";
    case SystemShape::mechanical_velocities:
      return "the mechanical system with g' = 0 imposed";
    case SystemShape::mechanical_both:
      return "the mechanical system with g = 0 and g' = 0 imposed";
  }
  return "";
}

}  // namespace

bool share(const std::vector<SystemShape>& a, const std::vector<SystemShape>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](SystemShape s) { return std::find(b.begin(), b.end(), s) != b.end(); });
}

std::string names_of(const std::vector<SystemShape>& shapes) {
  std::string text;
  for (const SystemShape shape : shapes) text += (text.empty() ? "" : " or ") + std::string(name_of(shape));
  return text;
}

std::vector<SystemShape> shapes_of(const Formulation& formulation, const FormulationEntry& entry) {
  const std::vector<SystemShape>& own = formulation.traits.shapes;
  return own.empty() ? entry.shapes : own;
}

SystemShape chosen_shape(const std::vector<SystemShape>& shapes, const std::vector<SystemShape>& taken,
                         bool controlled) {
  const auto both = [&](SystemShape s) { return share(shapes, {s}) && share(taken, {s}); };
  if (both(SystemShape::dae) && !(controlled && both(SystemShape::ode))) return SystemShape::dae;
  return shapes.front();
}

}  // namespace driftless
