// What a Problem says about the place where it could not be solved. Cold.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/problem.hpp>
#include <driftless/core/sparse_constraints.hpp>
#include <driftless/linalg/least_norm.hpp>
#include <driftless/linalg/rank.hpp>

#include "missing_response.hpp"

namespace driftless {

namespace {

// Loops of many bodies have pages of them.
constexpr std::size_t most_rows = 12, most_others = 12;

std::string first_bad(const char* what, const Matrix& values) {
  for (int j = 0; j < values.cols(); ++j)
    for (int i = 0; i < values.rows(); ++i)
      if (!std::isfinite(values(i, j))) {
        const std::string where = values.cols() == 1 ? fmt::format("[{}]", i) : fmt::format("({}, {})", i, j);
        return fmt::format("{}{} = {}", what, where, std::abs(values(i, j)));
      }
  return {};
}

Matrix rows_of(const Evaluation& e, const Shape& s) {
  Matrix C(s.multipliers(), s.nv);
  C.topRows(s.ng) = e.G;
  if (s.nk > 0) C.bottomRows(s.nk) = e.K;
  return C;
}

std::string above_index_3(const std::string& when, const std::string& rows) {
  return fmt::format(
      "the index of the constraints {} is above 3 {}: after two derivatives their multipliers still do not "
      "appear (G M^-1 B is singular there and around), and methods here need them to; constrain what B "
      "lambda moves directly, or take the constraints' own forces (no B)",
      rows, when);
}

std::string lost_rank(const std::string& when, const std::string& which, bool given_input) {
  if (which.empty() && !given_input)
    return fmt::format(
        "the constraints are so nearly dependent {} that roundoff decides; use `formulation = trust-region`, "
        "or "
        "looser `rtol` and `atol`",
        when);
  if (which.empty())
    return fmt::format(
        "an impasse {}: the constraints are independent, but their forces cannot keep them any more (G M^-1 "
        "B is "
        "singular) and the multipliers grow without bound, so that the motion ends there; look at B, or end "
        "the run "
        "earlier",
        when);
  return fmt::format(
      "the constraints lose rank {}: {}; this formulation needs independent ones: use index1, baumgarte, ggl "
      "or "
      "trust-region, or remove the redundant ones",
      when, which);
}

}  // namespace

namespace {

// Which rows depend on which others, where matrices are sparse: those that the factorisation leaves out, with what they are made of.
std::vector<linalg::RowDependence> sparse_dependences(const Problem& problem, double t, VectorIn z) {
  constexpr double noticed_share = 1e-6;
  Evaluation e(Storage::sparse);
  problem.evaluate(acceleration_parts(problem.shape()), Point(t, z), e);
  SparseConstraints rows(SparseConstraints::Of::all, SparseConstraints::Metric::points,
                         SparseConstraints::For::steps);
  std::vector<linalg::RowDependence> dependences;
  if (rows.factor(problem, t, z, e) != Status::ok) return dependences;
  linalg::SparseSaddle saddle(e.sparse.C, e.sparse.C.rows, problem.shape().bodies);
  if (saddle.factor(nullptr, e.sparse.C) != linalg::FactorStatus::ok) return dependences;
  std::vector<double> shares;
  for (const int row : rows.left_out()) {
    linalg::RowDependence found{.row = row, .on = {}};
    if (dependences.size() < most_rows && e.sparse.C.square(row) > 0) {
      saddle.shares(row, shares);
      for (int i = 0; i < e.sparse.C.rows; ++i)
        if (std::abs(shares[static_cast<std::size_t>(i)]) * std::sqrt(e.sparse.C.square(i)) >
            noticed_share * std::sqrt(e.sparse.C.square(row)))
          found.on.push_back(i);
    }
    dependences.push_back(std::move(found));
  }
  return dependences;
}

// C a + c for the accelerations that come nearest to zero there.
Vector unmet_accelerations(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  Evaluation e(storage_of(s));
  problem.evaluate(acceleration_parts(s), Point(t, z), e);
  Vector c(s.multipliers());
  c << e.c, e.ck;
  if (!s.sparse()) {
    const Matrix C = rows_of(e, s);
    return C * linalg::least_norm_solution(C, -c) + c;
  }
  SparseConstraints rows(SparseConstraints::Of::all, SparseConstraints::Metric::points,
                         SparseConstraints::For::steps);
  if (rows.factor(problem, t, z, e) != Status::ok) return c;
  Vector a(s.nv), multipliers(s.multipliers());
  rows.solve(e, Vector::Zero(s.nv), -c, a, multipliers);
  e.sparse.C.add_times(e.sparse.C.rows, 1, a.data(), c.data());
  return c;
}

// "pin, x" as "x of pin", so that several can stand in a list.
std::string row_of_owner(const std::string& name) {
  const auto comma = name.find(", ");
  return comma == name.npos ? name : name.substr(comma + 2) + " of " + name.substr(0, comma);
}

}  // namespace

std::string Problem::dependent_constraints(double t, VectorIn z) const {
  std::vector<linalg::RowDependence> dependences;
  if (shape_.sparse()) {
    dependences = sparse_dependences(*this, t, z);
  } else {
    Evaluation e;
    evaluate(acceleration_parts(shape_), Point(t, z), e);
    dependences = linalg::dependent_rows(rows_of(e, shape_));
  }
  std::string text;
  for (std::size_t k = 0; k < dependences.size(); ++k) {
    if (k == most_rows) return text + fmt::format("; and {} more rows", dependences.size() - most_rows);
    const auto& [row, on] = dependences[k];
    text += (text.empty() ? "" : "; ") + constraint_name(row);
    text += on.empty() ? " has a vanishing gradient" : " depends on ";
    for (std::size_t i = 0; i < std::min(on.size(), most_others); ++i)
      text += (i ? ", " : "") + row_of_owner(constraint_name(on[i]));
    if (on.size() > most_others) text += fmt::format(" and {} more", on.size() - most_others);
  }
  return text;
}

// Which rows of G a + c = 0 cannot be met together, and by how much they miss it.
std::string Problem::contradicting_constraints(double t, VectorIn z) const {
  const Vector residual = unmet_accelerations(*this, t, z);
  const double largest = residual.cwiseAbs().maxCoeff();
  std::string text;
  std::size_t told = 0;
  for (int i = 0; i < shape_.multipliers() && told < most_rows; ++i) {
    if (!(std::abs(residual(i)) > 0.1 * largest)) continue;
    text += fmt::format("{}{} is off by {:.3g}", text.empty() ? "" : ", ", constraint_name(i), residual(i));
    ++told;
  }
  const std::string which = dependent_constraints(t, z);
  return which.empty() ? text : fmt::format("{}; at the level of accelerations {}", which, text);
}

std::string Problem::explain(Status status, double t, VectorIn z) const {
  const std::string when = fmt::format("at t = {:.10g}", t);
  if (status == Status::not_finite) {
    if (const auto bad = first_bad("the state z", Matrix(z)); !bad.empty())
      return fmt::format("{} {}", bad, when);
    if (const std::string own = fault(t, z); !own.empty())
      return fmt::format("{} ({}); check the model there", own, when);
    Evaluation e(storage_of(shape_));
    Parts parts = acceleration_parts(shape_) | Part::position;
    if (!shape_.sparse()) parts = parts | Part::kinematics;
    evaluate(parts, Point(t, z), e);
    for (int i = 0; i < shape_.ng; ++i)
      if (!std::isfinite(e.g(i)))
        return fmt::format("the constraint {} (g[{}]) is not finite {}; check the model there",
                           constraint_name(i), i, when);
    const std::pair<const char*, Matrix> candidates[] = {{"force f", e.f},
                                                         {"mass matrix M", e.M},
                                                         {"constraint Jacobian G", e.G},
                                                         {"velocity constraint Jacobian K", e.K},
                                                         {"given B", e.B},
                                                         {"N of q' = N(q) v", e.N},
                                                         {"curvature c", e.c},
                                                         {"curvature ck", e.ck}};
    for (const auto& [what, values] : candidates)
      if (const auto bad = first_bad(what, values); !bad.empty())
        return fmt::format("{} {}; check the model there", bad, when);
    return fmt::format(
        "the acceleration or a multiplier overflowed {}; check the scale of masses and lengths", when);
  }
  if (status == Status::rank_loss) {
    const std::string which = dependent_constraints(t, z);
    if (which.empty())
      if (const std::string rows = constraints_of_high_index(*this, t, z); !rows.empty())
        return above_index_3(when, rows);
    return lost_rank(when, which, shape_.given_input);
  }
  if (status == Status::contradiction)
    return fmt::format(
        "constraints that depend on each other demand different things {}: {}; remove one of them, or make "
        "them agree",
        when, contradicting_constraints(t, z));
  if (status == Status::singular_mass) {
    const std::string which = massless_motion(*this, t, z);
    return fmt::format(
        "the mass matrix is singular on the motions that the constraints allow {}{}{}; give what moves so "
        "mass "
        "or inertia, or look at the axes of the joints that leave it free",
        when, which.empty() ? "" : ": nothing resists a change of ", which);
  }
  if (status == Status::singular_step)
    return fmt::format(
        "the matrix of the implicit step is singular {}, so that the equations there do not determine the "
        "step; use another "
        "step, or another formulation",
        when);
  return fmt::format("no convergence {}; use a smaller step", when);
}

}  // namespace driftless
