// Ends that singular configurations bring about: contradictions, impasses, lock-ups. What is watched: singularity_watch.cpp.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/linalg/dense_lu.hpp>
#include <driftless/linalg/least_norm.hpp>

#include "singularity_watch.hpp"

namespace driftless {

namespace {

constexpr double broken =
    1e-2;                    // a violation of that size at a crossing: nothing holds the mechanism together
constexpr double grown = 5;  // velocities, beside a singular configuration

}  // namespace

// Formulations that let go of constraints where they lose rank may pass a place that no mechanism passes.
std::optional<SingularityWatch::End> SingularityWatch::violation(const State& state, int row) {
  if (shape_.ng == 0) return std::nullopt;
  Evaluation e;
  problem_.evaluate(Part::position, Point(state.t, state.z), e);
  const double size = problem_.scales(state.t, state.q()).length;
  for (int k = 0; k < rows_.count(); ++k) {
    const int i = rows_.chosen()[static_cast<std::size_t>(k)];
    const double limit = broken * size * angles().length(k);
    if (i >= shape_.ng || !(std::abs(e.g(i)) > limit)) continue;
    rows_.rest(row);
    return End{
        EndReason::lock_up,
        fmt::format(
            "lock-up near t = {:.10g}: past a singular configuration the constraint {} is violated by "
            "{:.3g}, so "
            "that the constraints {} cannot be met any more and the motion ends there; change lengths or the "
            "drive, or end the run earlier",
            state.t, problem_.constraint_name(i), e.g(i), describe({.rows = involved(row)}, problem_))};
  }
  return std::nullopt;
}

// How fast points move, and at least a size of the mechanism in a unit of time: what rates of constraints are compared with.
double SingularityWatch::speed_of(const State& state, const Scales& scales) const {
  if (shape_.order < 2) return scales.length;
  const Vector v = state.z.tail(shape_.nv);
  return scales.length +
         (scales.levers.size() > 0 ? Vector(v.cwiseProduct(scales.levers)) : v).lpNorm<Eigen::Infinity>();
}

// Of a row that may vanish there, or, where a tree of joints meets it by itself, everywhere.
double SingularityWatch::ordinary_length(int row, double here, double longest) const {
  const double elsewhere = row < sizes_.sizes.size() ? sizes_.sizes(row) : 0;
  return std::max(here, elsewhere > 0 ? elsewhere : longest);
}

// What rows that are left out may be off by, as parts of the size and of the speed.
SingularityWatch::AllowedGap SingularityWatch::allowed_gap(const Scales& scales) const {
  const double missed = RankLimits::redundant_off * scales.assembly,
               magnified = RankLimits::magnified(shape_.sparse() ? angles().smallest() : rank_.weakest());
  return {missed * magnified, missed * magnified * magnified};
}

// Rows that the others imply are met where those are; if not, nothing meets all. What they imply: the combination of the others that the
// row is. Off the manifold, by delta, it is so up to terms of second order.
std::optional<SingularityWatch::End> SingularityWatch::contradiction(const State& state) {
  if (shape_.sparse()) return sparse_contradiction(state);
  const int ng = shape_.ng, all = shape_.multipliers();
  Evaluation e;
  Parts parts;
  if (ng > 0) parts = parts | Part::jacobian | Part::position;
  if (ng > 0 && shape_.order > 1) parts = parts | Part::rates;
  if (shape_.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian;
  problem_.evaluate(parts, Point(state.t, state.z), e);
  Matrix C(all, shape_.nv);
  Vector positions = Vector::Zero(all), velocities = Vector::Zero(all);
  if (ng > 0) C.topRows(ng) = e.G, positions.head(ng) = e.g;
  if (ng > 0 && shape_.order > 1) velocities.head(ng) = e.rates.col(0);
  if (shape_.nk > 0) C.bottomRows(shape_.nk) = e.K, velocities.tail(shape_.nk) = e.w;
  if (!C.allFinite() || !positions.allFinite() || !velocities.allFinite()) return std::nullopt;
  const Scales scales = problem_.scales(state.t, state.q());
  if (scales.levers.size() > 0) C.array().rowwise() /= scales.levers.transpose().array();
  const auto kept = [&](auto&& values) { return Matrix(values(rows_.chosen(), Eigen::all)); };
  const Matrix C_kept = kept(C);
  const Vector p = kept(Matrix(positions)), v = kept(Matrix(velocities));
  const double longest = std::max(C.rowwise().norm().maxCoeff(), 1e-300);
  const Vector by_length = C_kept.rowwise().norm().cwiseMax(1e-300);
  const double off = p.size() > 0 ? p.cwiseAbs().cwiseQuotient(by_length).maxCoeff() : 0,
               off_speed = v.size() > 0 ? v.cwiseAbs().cwiseQuotient(by_length).maxCoeff() : 0;
  const double size = scales.length, speed = speed_of(state, scales);
  const AllowedGap allowed = allowed_gap(scales);
  for (const int i : rank_.left_out()) {
    const Vector shares = linalg::least_norm_solution(C_kept.transpose(), C.row(i).transpose());
    const double length = ordinary_length(i, C.row(i).norm(), longest);
    const double gap = i < ng ? positions(i) - shares.dot(p) : 0, gap_speed = velocities(i) - shares.dot(v);
    const bool position_met = std::abs(gap) <= length * (allowed.position * size + 1e-2 * off);
    const bool met =
        position_met && std::abs(gap_speed) <=
                            length * (allowed.velocity * speed + 1e-2 * off_speed + 10 * off / size * speed);
    if (!met) return contradicting(state, i, !position_met, position_met ? gap_speed : gap);
  }
  return std::nullopt;
}

SingularityWatch::End SingularityWatch::contradicting(const State& state, int row, bool by_position,
                                                      double gap) const {
  const std::string which = problem_.dependent_constraints(state.t, state.z);
  return {EndReason::contradiction,
          fmt::format("constraints that depend on each other demand different things at t = {:.10g}: {}{}the "
                      "residual of "
                      "{}{} differs by {:.3g} from what they imply; remove one of them, or make them agree",
                      state.t, which, which.empty() ? "" : ", and ", problem_.constraint_name(row),
                      by_position || row >= shape_.ng ? "" : "'", gap)};
}

// The same where rows are sparse.
std::optional<SingularityWatch::End> SingularityWatch::sparse_contradiction(const State& state) {
  const int ng = shape_.ng, all = shape_.multipliers();
  Evaluation e(Storage::sparse);
  Parts parts = Part::position | Part::rates;
  if (shape_.nk > 0) parts = parts | Part::velocity;
  problem_.evaluate(parts, Point(state.t, state.z), e);
  Vector positions = Vector::Zero(all), velocities = Vector::Zero(all);
  positions.head(ng) = e.g;
  velocities.head(ng) = e.rates.col(0);
  if (shape_.nk > 0) velocities.tail(shape_.nk) = e.w;
  if (!positions.allFinite() || !velocities.allFinite()) return std::nullopt;
  double off = 0, off_speed = 0, longest = 1e-300;
  for (int i = 0; i < all; ++i) {
    const double length = std::max(angles().length(i), 1e-300);
    longest = std::max(longest, length);
    if (std::binary_search(left_out_.begin(), left_out_.end(), i)) continue;
    off = std::max(off, std::abs(positions(i)) / length);
    off_speed = std::max(off_speed, std::abs(velocities(i)) / length);
  }
  const Scales scales = problem_.scales(state.t, state.q());
  const double size = scales.length, speed = speed_of(state, scales);
  const AllowedGap allowed = allowed_gap(scales);
  for (const int i : left_out_) {
    const Vector shares = rows_.combination(i);
    const double length = ordinary_length(i, angles().length(i), longest);
    const double gap = i < ng ? positions(i) - shares.dot(positions) : 0,
                 gap_speed = velocities(i) - shares.dot(velocities);
    // A row that was independent before, and is let go only for the moment that the passage takes, may be off by what it gathers then.
    const bool passing = left_out_.size() > always_left_out_.size() &&
                         !std::binary_search(always_left_out_.begin(), always_left_out_.end(), i);
    const bool position_met =
        std::abs(gap) <= length * ((passing ? broken : allowed.position) * size + 1e-2 * off);
    const bool met =
        position_met && std::abs(gap_speed) <= length * ((passing ? broken : allowed.velocity) * speed +
                                                         1e-2 * off_speed + 10 * off / size * speed);
    if (!met) return contradicting(state, i, !position_met, position_met ? gap_speed : gap);
  }
  return std::nullopt;
}

// Sign of det(C M^-1 B), by det [M B; C 0] = det M det(-C M^-1 B); 0: singular.
int SingularityWatch::coupling_sign(const State& state) const {
  Evaluation e;
  problem_.evaluate(acceleration_parts(shape_), Point(state.t, state.z), e);
  const int n = shape_.nv, ng = shape_.ng, rows = shape_.multipliers();
  Matrix whole = Matrix::Zero(n + rows, n + rows);
  whole.topLeftCorner(n, n) = e.M;
  if (shape_.mass == linalg::MassStructure::identity) whole.topLeftCorner(n, n).setIdentity();
  whole.block(n, 0, ng, n) = e.G;
  whole.block(0, n, n, ng) = e.B;
  if (shape_.nk > 0) {
    whole.bottomLeftCorner(shape_.nk, n) = e.K;
    whole.topRightCorner(n, shape_.nk) = e.K.transpose();
  }
  linalg::DenseLu<double> lu(n + rows);
  if (!lu.factor(whole)) return 0;
  return rows % 2 == 0 ? lu.sign() : -lu.sign();
}

// Multipliers that leave through infinity and come back from the other side, where C M^-1 B loses rank.
std::optional<SingularityWatch::End> SingularityWatch::impasse(StepInterior& step) {
  const Vector &before = step.from().lambda, &after = step.to().lambda;
  if (before.size() == 0 || !rank_.full() || !(before.dot(after) < 0)) return std::nullopt;
  if (coupling_sign(step.from()) * coupling_sign(step.to()) >= 0) return std::nullopt;
  return End{EndReason::impasse, problem_.explain(Status::rank_loss, step.from().t, step.from().z)};
}

SingularityWatch::Verdict SingularityWatch::verdict(const State& last) const {
  if (!part_locked_.empty()) return {false, part_locked_};
  if (steps_since_close_ > lately) return {};
  const double speed = shape_.order > 1 ? last.z.tail(shape_.nv).lpNorm<Eigen::Infinity>() : 0;
  if (calm_speed_ > 0 && !(speed <= grown * calm_speed_))
    return {true, fmt::format(
                      "lock-up at t = {:.10g}: the constraints {} can no longer be met together by finite "
                      "velocities (largest {:.3g}, elsewhere {:.3g}), so that the motion ends there; change "
                      "lengths or the drive, or end the run earlier",
                      last.t, close_rows_, speed, calm_speed_)};
  return {false,
          fmt::format(
              "the constraints {} are nearly dependent there; `formulation = trust-region` may get through",
              close_rows_)};
}

}  // namespace driftless
