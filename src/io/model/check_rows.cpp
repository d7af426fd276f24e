// Whose row is whose, the rank of rows, and which of them depend on which: by RankDecision or SparseConstraints, as a run decides it.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/row_basis.hpp>
#include <driftless/mechanics/massless.hpp>

#include "io/model/check_parts.hpp"
#include "io/model/check_sparse.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Measure;
using mechanics::MechanismModel;
using mechanics::Row;

constexpr double dependent_limit = 1e-5;  // sine: that of rank_decision.hpp

// "hinge, tilt about x" belongs to the joint hinge.
RowOwner owner_of(const Row& row, const std::set<std::string>& joints) {
  if (row.motion >= 0) return {row.name, true};
  for (auto comma = row.name.rfind(", "); comma != std::string::npos && comma > 0;
       comma = row.name.rfind(", ", comma - 1))
    if (joints.contains(row.name.substr(0, comma))) return {row.name.substr(0, comma)};
  return {row.name};
}

MechanismModel without_forces(const MechanismModel& of) {
  MechanismModel model = mechanics::with_stand_in_masses(of);
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
  put("force", d.force);
  put("mass", d.mass);
  put("length", d.length);
  put("angle", d.angle);
  put("time", d.time);
  return over + under;
}

Matrix rows_at(const Problem& problem, double t, VectorIn z) {  // [G; K], in the metric of moved points
  const Shape& s = problem.shape();
  Matrix rows(s.multipliers(), s.nv);
  Evaluation e;
  Parts parts;
  if (s.ng > 0) parts = parts | Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  problem.evaluate(parts, Point(t, z), e);
  if (s.ng > 0) rows.topRows(s.ng) = e.G;
  if (s.nk > 0) rows.bottomRows(s.nk) = e.K;
  const Vector levers = problem.scales(t, z.head(s.nq)).levers;
  if (levers.size() > 0) rows.array().rowwise() /= levers.transpose().array();
  return rows;
}

std::vector<std::vector<int>> whole_supports_at(const Problem& problem, const State& place,
                                                const std::vector<int>& rows) {
  // The others first, so that they are what the rows are told to depend on.
  std::vector<int> order;
  for (int i = 0; i < problem.shape().multipliers(); ++i)
    if (!std::binary_search(rows.begin(), rows.end(), i)) order.push_back(i);
  const auto others = static_cast<int>(order.size());
  order.insert(order.end(), rows.begin(), rows.end());
  const Matrix all = rows_at(problem, place.t, place.z);
  Matrix ordered(all.rows(), all.cols());
  for (std::size_t i = 0; i < order.size(); ++i)
    ordered.row(static_cast<Eigen::Index>(i)) = all.row(order[i]);
  std::vector<std::vector<int>> on(rows.size());
  for (const auto& dependence : linalg::dependent_rows(ordered, dependent_limit))
    if (dependence.row >= others)
      for (const int k : dependence.on)
        on[static_cast<std::size_t>(dependence.row - others)].push_back(order[static_cast<std::size_t>(k)]);
  return on;
}

// Of (d^2 - L^2)/(2 L), which is as large near 0: |d - L|.
double gap_of_square(double length, double row) {
  const double square = length * length + 2 * length * row;
  return square > 0 ? std::abs(std::sqrt(square) - length) : length;
}

}  // namespace

CheckedParts::CheckedParts(const Model& of)
    : model(of),
      parts(of.mechanism.finished()),
      results(of.mechanism.results()),
      measures_of(parts.bodies.size()) {
  for (int i = 0; i < static_cast<int>(parts.measures.size()); ++i) {
    const Measure& m = parts.measure(i);
    measures_of[static_cast<std::size_t>(m.a)].push_back(i);
    if (m.b != m.a) measures_of[static_cast<std::size_t>(m.b)].push_back(i);
  }
}

NamedAmount CheckedParts::in_units(double si, const Dimension& dimension, const std::string& of) const {
  return {si / model.units.of(dimension), unit_name(dimension, model), of};
}

std::string CheckedParts::told(double si, const Dimension& dimension) const {
  const NamedAmount amount = in_units(si, dimension, "");
  return fmt::format("{:.4g} {}", amount.value, amount.unit);
}

CheckedMechanism::CheckedMechanism(const Model& of, mechanics::Matrices matrices)
    : CheckedParts(of),
      problem(mechanics::make_problem(parts, matrices)),
      forceless(mechanics::make_problem(without_forces(parts), matrices)),
      undriven(mechanics::make_problem(without_drives(without_forces(parts)), matrices)) {
  std::set<std::string> joints;
  for (const ModelJoint& joint : model.joints) joints.insert(joint.name);
  for (const auto* rows : {&parts.rows, &parts.velocity_rows})
    for (const Row& row : *rows) owners.push_back(owner_of(row, joints));
}

std::shared_ptr<const Problem> CheckedMechanism::undriven_without(
    const std::function<bool(int row)>& left_out) const {
  MechanismModel less = without_forces(parts);
  std::vector<Row> kept;
  for (std::size_t i = 0; i < less.rows.size(); ++i)
    if (!left_out(static_cast<int>(i))) kept.push_back(less.rows[i]);
  less.rows = kept;
  return mechanics::make_problem(without_drives(std::move(less)));
}

// Products of axes are sines of angles.
NamedAmount CheckedMechanism::row_amount(int row, double si) const {
  const Row& own = parts.rows[static_cast<std::size_t>(row)];
  const Measure& first = parts.measure(own.terms.front().measure);
  const bool angle = first.is_angle() || first.kind == Measure::Kind::axes;
  if (first.kind == Measure::Kind::square && own.terms.size() == 1) si = gap_of_square(first.length, si);
  return in_units(std::abs(si), angle ? Dimension{.angle = 1} : Dimension{.length = 1}, own.name);
}

RankFinder::RankFinder(const Problem& problem, Of of)
    : problem_(problem),
      of_(of),
      e_(storage_of(problem.shape())),
      sparse_(of == Of::all ? SparseConstraints::Of::all : SparseConstraints::Of::positions,
              SparseConstraints::Metric::points, SparseConstraints::For::steps) {}

RowRank RankFinder::at(double t, VectorIn z) {
  const Shape& s = problem_.shape();
  if (!s.sparse()) {
    RankDecision decision(of_);
    decision.decide(problem_, t, z);
    return {decision.left_out(), static_cast<int>(decision.rows().size())};
  }
  const int rows = of_ == Of::all ? s.multipliers() : s.ng;
  if (rows == 0) return {};
  Parts parts = Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  problem_.evaluate(parts, Point(t, z), e_);
  if (sparse_.factor(problem_, t, z, e_) != Status::ok) return {{}, rows};  // as RankDecision has it
  return {sparse_.left_out(), rows - static_cast<int>(sparse_.left_out().size())};
}

RowRank rank_at(const Problem& problem, const State& place, RankDecision::Of of) {
  return RankFinder(problem, of).at(place.t, place.z);
}

std::vector<int> dependent_at(const Problem& problem, const State& place) {
  if (problem.shape().sparse()) return sparse::dependent_at(problem, place);
  std::vector<int> rows;
  for (const auto& dependence : linalg::dependent_rows(rows_at(problem, place.t, place.z), dependent_limit))
    rows.push_back(dependence.row);
  return rows;
}

// RankDecision leaves out later rows anyway, and those are they.
std::vector<int> repeating_rows(const CheckedMechanism& mechanism, const State& place,
                                const std::vector<int>& left_out) {
  const Shape& s = mechanism.shape();
  if (!s.sparse() || left_out.empty() || (s.nk == 0 && mechanism.model.drives.empty())) return left_out;
  return sparse::exchanged(*mechanism.forceless, place, left_out, [&](int row) {
    return row >= s.ng || mechanism.owners[static_cast<std::size_t>(row)].drive;
  });
}

std::vector<std::vector<int>> supports_at(const Problem& problem, const State& place,
                                          const std::vector<int>& rows) {
  if (rows.empty()) return {};
  return problem.shape().sparse() ? sparse::supports_at(problem, place, rows)
                                  : whole_supports_at(problem, place, rows);
}

std::optional<Matrix> free_motions(const Problem& problem, const State& place,
                                   const std::vector<int>& without) {
  if (problem.shape().sparse())
    return sparse::allowed_part(problem, place, without, sparse::random_motions(problem.shape()));
  const Matrix rows = rows_at(problem, place.t, place.z);
  if (!rows.allFinite()) return std::nullopt;
  Matrix kept(rows.rows() - static_cast<Eigen::Index>(without.size()), rows.cols());
  Eigen::Index count = 0;
  for (int i = 0; i < rows.rows(); ++i)
    if (!std::binary_search(without.begin(), without.end(), i)) kept.row(count++) = rows.row(i);
  return linalg::RowBasis(linalg::row_normalised(kept)).complement(std::min(count, kept.cols()));
}

std::vector<DependentRows> dependent_groups(const CheckedMechanism& mechanism, const State& place,
                                            const std::vector<int>& rows) {
  const std::vector<std::vector<int>> on = supports_at(*mechanism.forceless, place, rows);
  const auto owner = [&](int row) -> const RowOwner& {
    return mechanism.owners[static_cast<std::size_t>(row)];
  };
  std::vector<DependentRows> groups;
  std::vector<std::set<int>> supports;  // rows that each group depends on
  std::map<RowOwner, std::size_t> number;
  std::map<RowOwner, int> counts;
  if (!rows.empty())
    for (const RowOwner& each : mechanism.owners) ++counts[each];
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const RowOwner& own = owner(rows[k]);
    const auto [entry, is_new] = number.try_emplace(own, groups.size());
    if (is_new) {
      groups.push_back({own.name, own.drive, {}, counts.at(own), {}});
      supports.emplace_back();
    }
    groups[entry->second].rows.push_back(mechanism.problem->constraint_name(rows[k]));
    supports[entry->second].insert(on[k].begin(), on[k].end());
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::set<std::string> told;
    for (const int row : supports[i])
      if (owner(row).name != groups[i].owner && told.insert(owner(row).name).second)
        groups[i].on.push_back(owner(row).name);
  }
  return groups;
}

}  // namespace driftless::io
