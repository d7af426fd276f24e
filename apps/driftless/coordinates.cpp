#include "coordinates.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/massless.hpp>

namespace driftless::app {

namespace {

// With more constraints than that for each joint coordinate, what a tree saves is lost on its loops (./dev bench scaling).
constexpr double most_rows_per_coordinate = 0.25;

const IntegratorEntry& integrator_of(const Method& method) {
  return catalog::integrator(parse_choice(with_defaults(method, {}).integrator).name);
}

// All but those of ordinary differential equations, and every integrator where the formulation itself takes M.
bool factors_mass(const Method& method) {
  const auto& shapes = integrator_of(method).shapes;
  const auto takes = [&](SystemShape shape) {
    return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
  };
  return takes(SystemShape::dae) || !takes(SystemShape::ode) ||
         catalog::formulation(parse_choice(method.formulation).name).takes_mass;
}

bool refused(const Method& method, const Shape& shape) {
  const IntegratorEntry& integrator = integrator_of(method);
  return integrator.refuses && integrator.refuses(shape).has_value();
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
  using mechanics::RelativeCoordinates;
  const auto along_tree = [&](int longest_branch) {
    return std::make_shared<const RelativeCoordinates>(model, mechanism.joints(), source.instance.start,
                                                       longest_branch);
  };
  auto relative = along_tree(factors_mass(method) ? RelativeCoordinates::for_implicit_methods
                                                  : RelativeCoordinates::any_length);
  // Bodies beyond a cut are free, and in space have quaternions, which not every method takes.
  if (refused(method, relative->problem()->shape())) relative = along_tree(RelativeCoordinates::any_length);
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
