#include "direction_map.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::formulations {

std::vector<OptionSpec> direction_options() {
  return {
      {.name = "D",
       .fallback = "transpose",
       .help = "where stabilizing multipliers push: transpose (G^T), input (M^-1 B) or unit",
       .choices = {"transpose", "input", "unit"}},
      {.name = "coordinates",
       .fallback = "",
       .help =
           "for D=unit: as many coordinates as constraints, by name, separated by ';' (else the last ones)",
       .text = true}};
}

Directions directions_of(const OptionValues& o) {
  Directions directions;
  const std::string& word = o.word("D");
  directions.kind = word == "input"  ? Direction::input
                    : word == "unit" ? Direction::unit
                                     : Direction::transpose;
  if (o.given("coordinates")) {
    if (directions.kind != Direction::unit)
      throw InputError(
          "coordinates choose the unit vectors of D=unit and would be ignored; use D=unit, or leave them "
          "out");
    directions.coordinates = split_list(o.word("coordinates"));
  }
  return directions;
}

std::optional<std::string> refuse_directions(const Directions& directions, const Shape& shape) {
  if (directions.given || directions.kind != Direction::unit) return std::nullopt;
  if (shape.own_kinematics)
    return "D=unit moves single coordinates, and here coordinates (quaternions) move together only; use "
           "D=transpose or D=input";
  if (!directions.coordinates.empty() && static_cast<int>(directions.coordinates.size()) != shape.ng)
    return fmt::format(
        "coordinates has {} names and the problem has {} constraints; give as many, or leave it out",
        directions.coordinates.size(), shape.ng);
  return std::nullopt;
}

DirectionMap::DirectionMap(const Problem& problem, const Directions& directions)
    : problem_(problem),
      directions_(directions),
      mass_({problem.shape().nv, 0, problem.shape().mass, problem.shape().mass_blocks}),
      no_rows_(0, problem.shape().nv),
      column_(Vector::Zero(problem.shape().nv)) {
  if (directions.kind != Direction::unit || directions.given) return;
  const int nq = problem.shape().nq, ng = problem.shape().ng;
  std::vector<std::string> names;
  for (int i = 0; i < nq; ++i) names.push_back(problem.coordinate_name(i));
  if (directions.coordinates.empty())
    for (int i = nq - ng; i < nq; ++i) units_.push_back(i);
  for (const std::string& name : directions.coordinates) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(
          fmt::format("coordinates names '{}' (must be among {})", name, fmt::join(names, ", ")));
    const int i = static_cast<int>(found - names.begin());
    if (std::find(units_.begin(), units_.end(), i) != units_.end())
      throw InputError(fmt::format("coordinates names '{}' twice; name another one", name));
    units_.push_back(i);
  }
}

Parts DirectionMap::parts() const {
  if (directions_.given || directions_.kind == Direction::unit) return {};
  if (directions_.kind == Direction::input) return Part::mass | Part::input;
  return Part::jacobian;
}

Status DirectionMap::compute(double t, VectorIn z, const Evaluation& parts, MatrixOut D) {
  if (directions_.given) {
    D.setZero();
    directions_.given(t, z, D);
    return D.allFinite() ? Status::ok : Status::not_finite;
  }
  switch (directions_.kind) {
    case Direction::transpose:
      D = parts.G.transpose();
      return Status::ok;
    case Direction::input:
      D = parts.B;
      return divide_by_mass(parts, D);
    case Direction::unit:
      D.setZero();
      for (std::size_t j = 0; j < units_.size(); ++j) D(units_[j], static_cast<Eigen::Index>(j)) = 1;
  }
  return Status::ok;
}

Status DirectionMap::divide_by_mass(const Evaluation& parts, MatrixOut columns) {
  if (problem_.shape().mass == linalg::MassStructure::identity) return Status::ok;
  if (const auto factored = mass_.factor(parts.M, no_rows_); factored != linalg::FactorStatus::ok)
    return status_of(factored);
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    column_ = columns.col(j);
    mass_.solve(column_, none_, column_, none_);
    columns.col(j) = column_;
  }
  return columns.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace driftless::formulations
