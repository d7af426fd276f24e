#include "coordinates.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/catalog/mass_matrix.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/massless.hpp>

namespace driftless::app {

namespace {

// With more constraints than that for each joint coordinate, what a tree saves is lost on its loops (./dev bench scaling).
constexpr double most_rows_per_coordinate = 0.25;

// Explicit methods come by accelerations without it, with most formulations.
bool forms_mass(const Method& method) {
  const Method all = with_defaults(method, {});
  const auto& shapes = catalog::integrator(parse_choice(all.integrator).name).shapes;
  return std::find(shapes.begin(), shapes.end(), SystemShape::dae) != shapes.end() ||
         catalog::takes_mass_matrix(parse_choice(all.formulation).name);
}

}  // namespace

void use_coordinates(const std::optional<std::string>& given, const Method& method, ProblemSource& source) {
  const std::vector<std::string> words = {"absolute", "relative", "auto"};
  std::string wanted = given.value_or("absolute");
  if (std::find(words.begin(), words.end(), wanted) == words.end())
    throw InputError(fmt::format("--coordinates is '{}' (must be absolute, relative or auto){}", wanted,
                                 suggestion(wanted, words)));
  if (!source.model) {
    if (wanted == "absolute") return;
    throw InputError(
        fmt::format("--coordinates {} is for model files, and {} is a problem with coordinates of its own; "
                    "leave it out",
                    wanted, source.name));
  }
  source.coordinates = "absolute";
  const auto& mechanism = source.model->mechanism;
  const mechanics::MechanismModel model = mechanism.finished();
  const mechanics::Body* massless = mechanics::massless_body(model);
  if (massless && !given) wanted = "auto";
  if (wanted == "absolute") {
    mechanics::refuse_massless(model);
    return;
  }
  auto relative = std::make_shared<const mechanics::RelativeCoordinates>(
      model, mechanism.joints(), source.instance.start,
      forms_mass(method) ? mechanics::RelativeCoordinates::for_implicit_methods
                         : mechanics::RelativeCoordinates::any_length);
  const Shape& by_bodies = source.instance.problem->shape();
  const Shape& by_joints = relative->problem()->shape();
  const int rows = by_joints.multipliers();
  const bool better = rows <= most_rows_per_coordinate * by_joints.nv;
  if (wanted == "auto" && massless) {
    source.coordinates_reason =
        fmt::format("relative coordinates: body {} has no mass of its own", massless->name);
  } else if (wanted == "auto") {
    source.coordinates_reason = fmt::format(
        "{} coordinates: by joints {} velocities and {} constraints are left, by bodies {} and {}",
        better ? "relative" : "absolute", by_joints.nv, rows, by_bodies.nv, by_bodies.multipliers());
    if (!better) return;
  }
  source.coordinates = "relative";
  source.relative = relative;
  source.absolute_problem = source.instance.problem;
  source.instance.problem = relative->problem();
  source.instance.start = relative->start();
}

State by_bodies(const ProblemSource& source, const State& state) {
  return source.relative ? source.relative->absolute(state) : state;
}

void tell_by_bodies(const ProblemSource& source, io::RunReport& report) {
  if (!source.relative) return;
  report.solution = source.relative->absolute(std::move(report.solution));
  report.start.state = by_bodies(source, report.start.state);
  report.problem = source.absolute_problem;
}

}  // namespace driftless::app
