#include "direction_map.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "push_metric.hpp"

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
        "coordinates has {} names (as many as position constraints, {}); give so many, or leave it out",
        directions.coordinates.size(), shape.ng);
  return std::nullopt;
}

DirectionMap::DirectionMap(const Problem& problem, const Directions& directions)
    : problem_(problem),
      directions_(directions),
      metric_(push_metric(problem)),
      GD_lu_(problem.shape().ng),
      GD_(Matrix::Zero(problem.shape().ng, problem.shape().ng)),
      D_begin_(Matrix::Zero(problem.shape().nv, problem.shape().ng)),
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
  if (directions_.kind == Direction::input && !directions_.given) return Part::mass | Part::input;
  return Part::jacobian;
}

Status DirectionMap::compute(double t, VectorIn z, const Evaluation& parts, MatrixOut D) {
  if (directions_.given) {
    D.setZero();
    directions_.given(t, z, D);
    if (!D.allFinite()) return Status::not_finite;
  } else if (directions_.kind == Direction::unit) {
    D.setZero();
    for (std::size_t j = 0; j < units_.size(); ++j) D(units_[j], static_cast<Eigen::Index>(j)) = 1;
  } else if (directions_.kind == Direction::transpose) {
    D = parts.G.transpose();
    if (metric_.size() > 0) D.array().colwise() *= metric_.array();
  } else {
    D = parts.B;
    if (const Status status = factor_mass(parts); status != Status::ok) return status;
    divide_by_mass(D);
  }
  if (!chosen() || !parts.G.allFinite()) return Status::ok;
  const int now = side(parts.G, D);
  lost_ = now == 0 || (side_ != 0 && now != side_);
  return lost_ ? Status::singular_step : Status::ok;
}

void DirectionMap::begin(double t, VectorIn z) {
  side_ = 0;
  if (!chosen() || problem_.shape().ng == 0) return;
  problem_.evaluate(Part::jacobian, Point(t, z), begin_parts_);
  if (!begin_parts_.G.allFinite() || compute(t, z, begin_parts_, D_begin_) != Status::ok) return;
  side_ = side(begin_parts_.G, D_begin_);
}

int DirectionMap::side(const Matrix& G, MatrixIn D) {
  GD_.noalias() = G.lazyProduct(D);
  return GD_lu_.factor(GD_) ? GD_lu_.sign() : 0;
}

Status DirectionMap::factor_mass(const Evaluation& parts) {
  if (problem_.shape().mass == linalg::MassStructure::identity) return Status::ok;
  return status_of(mass_.factor(parts.M, no_rows_));
}

void DirectionMap::divide_by_mass(MatrixOut columns) {
  if (problem_.shape().mass == linalg::MassStructure::identity) return;
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    column_ = columns.col(j);
    mass_.solve(column_, none_, column_, none_);
    columns.col(j) = column_;
  }
}

}  // namespace driftless::formulations
