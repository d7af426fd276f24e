// Whose row is whose, the rank of rows, and which of them depend on which: by RankDecision, as a run decides it.
#include <algorithm>
#include <map>

#include <driftless/linalg/rank.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Measure;
using mechanics::MechanismModel;
using mechanics::Row;

constexpr double dependent_limit = 1e-5;  // sine: that of rank_decision.hpp

// "hinge, tilt about x" belongs to the joint hinge.
RowOwner owner_of(const Row& row, const Model& model) {
  if (row.motion >= 0) return {row.name, true};
  const auto is_joint = [&](const std::string& name) {
    return std::any_of(model.joints.begin(), model.joints.end(),
                       [&](const ModelJoint& joint) { return joint.name == name; });
  };
  for (auto comma = row.name.rfind(", "); comma != std::string::npos && comma > 0;
       comma = row.name.rfind(", ", comma - 1))
    if (is_joint(row.name.substr(0, comma))) return {row.name.substr(0, comma)};
  return {row.name};
}

MechanismModel without_forces(MechanismModel model) {
  model.forces.clear();
  model.gravity = {};
  return model;
}

MechanismModel without_drives(MechanismModel model) {
  std::erase_if(model.rows, [](const Row& row) { return row.motion >= 0; });
  model.ng = static_cast<int>(model.rows.size());
  model.moving = false;
  return model;
}

std::string unit_name(const Dimension& d, const Model& model) {
  std::string over, under;
  const auto put = [&](const char* kind, int exponent) {
    if (exponent > 0) over += (over.empty() ? "" : " ") + model.unit_names.at(kind);
    if (exponent < 0) under += "/" + model.unit_names.at(kind);
    if (exponent > 1) over += std::to_string(exponent);
    if (exponent < -1) under += std::to_string(-exponent);
  };
  put("mass", d.mass);
  put("length", d.length);
  put("angle", d.angle);
  put("time", d.time);
  return over + under;
}

}  // namespace

CheckedMechanism::CheckedMechanism(const Model& of)
    : model(of),
      parts(of.mechanism.finished()),
      results(of.mechanism.results()),
      problem(mechanics::make_problem(parts)),
      forceless(mechanics::make_problem(without_forces(parts))),
      undriven(mechanics::make_problem(without_drives(without_forces(parts)))) {
  for (const auto* rows : {&parts.rows, &parts.velocity_rows})
    for (const Row& row : *rows) owners.push_back(owner_of(row, model));
}

NamedAmount CheckedMechanism::in_units(double si, const Dimension& dimension, const std::string& of) const {
  return {si / model.units.of(dimension), unit_name(dimension, model), of};
}

// Products of axes are sines of angles.
NamedAmount CheckedMechanism::row_amount(int row, double si) const {
  const Row& own = parts.rows[static_cast<std::size_t>(row)];
  const Measure& first = parts.measure(own.terms.front().measure);
  const bool angle = first.is_angle() || first.kind == Measure::Kind::axes;
  return in_units(si, angle ? Dimension{.angle = 1} : Dimension{.length = 1}, own.name);
}

RowRank rank_at(const Problem& problem, double t, VectorIn z, RankDecision::Of of) {
  RankDecision decision(of);
  decision.decide(problem, t, z);
  return {decision.left_out(), static_cast<int>(decision.rows().size())};
}

Matrix rows_at(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  Matrix rows(s.multipliers(), s.nv);
  Evaluation e;
  Parts parts;
  if (s.ng > 0) parts = parts | Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  problem.evaluate(parts, Point(t, z), e);
  if (s.ng > 0) rows.topRows(s.ng) = e.G;
  if (s.nk > 0) rows.bottomRows(s.nk) = e.K;
  return rows;
}

std::vector<int> dependent_at(const Problem& problem, const State& place) {
  std::vector<int> rows;
  for (const auto& dependence : linalg::dependent_rows(rows_at(problem, place.t, place.z), dependent_limit))
    rows.push_back(dependence.row);
  return rows;
}

std::vector<DependentRows> dependent_groups(const CheckedMechanism& mechanism, const State& place,
                                            const std::vector<int>& rows) {
  if (rows.empty()) return {};
  // The others first, so that they are what the rows are told to depend on.
  std::vector<int> order;
  for (int i = 0; i < mechanism.shape().multipliers(); ++i)
    if (!std::binary_search(rows.begin(), rows.end(), i)) order.push_back(i);
  const auto others = static_cast<int>(order.size());
  order.insert(order.end(), rows.begin(), rows.end());
  const Matrix all = rows_at(*mechanism.forceless, place.t, place.z);
  Matrix ordered(all.rows(), all.cols());
  for (std::size_t i = 0; i < order.size(); ++i)
    ordered.row(static_cast<Eigen::Index>(i)) = all.row(order[i]);
  std::map<int, std::vector<int>> on;
  for (const auto& dependence : linalg::dependent_rows(ordered, dependent_limit))
    if (dependence.row >= others)
      for (const int k : dependence.on)
        on[order[static_cast<std::size_t>(dependence.row)]].push_back(order[static_cast<std::size_t>(k)]);

  std::vector<DependentRows> groups;
  std::vector<std::vector<int>> supports;  // rows that each group depends on
  const auto owner = [&](int row) -> const RowOwner& {
    return mechanism.owners[static_cast<std::size_t>(row)];
  };
  for (const int row : rows) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const DependentRows& group) {
      return group.owner == owner(row).name && group.drive == owner(row).drive;
    });
    const auto index = static_cast<std::size_t>(found - groups.begin());
    if (found == groups.end()) {
      const auto count = std::count(mechanism.owners.begin(), mechanism.owners.end(), owner(row));
      groups.push_back({owner(row).name, owner(row).drive, {}, static_cast<int>(count), {}});
      supports.emplace_back();
    }
    groups[index].rows.push_back(mechanism.problem->constraint_name(row));
    supports[index].insert(supports[index].end(), on[row].begin(), on[row].end());
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::sort(supports[i].begin(), supports[i].end());
    auto& names = groups[i].on;
    for (const int row : supports[i])
      if (owner(row).name != groups[i].owner &&
          std::find(names.begin(), names.end(), owner(row).name) == names.end())
        names.push_back(owner(row).name);
  }
  return groups;
}

}  // namespace driftless::io
