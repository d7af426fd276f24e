#include <driftless/core/consistent_state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/manifold.hpp>

#include "model_watch.hpp"
#include "second_order_mobility.hpp"

namespace driftless {

namespace {

class Projector {
 public:
  Projector(const Problem& problem, const State& guess, const ConsistencyOptions& options)
      : problem_(problem),
        shape_(problem.shape()),
        options_(options),
        manifold_(problem, {}, storage()),
        positions_(solver(ConstraintSolver::Of::positions, ConstraintSolver::For::corrections)),
        all_(solver(ConstraintSolver::Of::all, ConstraintSolver::For::velocities)),
        state_(guess),
        moved_(Vector::Zero(shape_.order)) {}

  ConsistentState run() {
    check_guess();
    ConsistentState result;
    check_mass();
    check_agreement();
    normalize();
    rows_ = row_sizes(problem_, state_.t, state_.z);
    decide();
    if (shape_.ng > 0) project_positions();
    for (int level = 1; level < shape_.order; ++level) project_level(level);
    result.acceleration = evaluate_multipliers();
    result.moved = moved_;
    result.changed = (moved_.array() > 0).any();
    if (result.changed) result.report = report();
    result.assembly = assembly();
    if (bent_ > 0)
      result.choice =
          "the start was a singular configuration that does not quite close, beside which it closes in "
          "several ways; one was taken: give start values nearer to another if that is meant";
    result.state = std::move(state_);
    return result;
  }

 private:
  void check_guess() {
    if (!(state_.layout == shape_.layout()) || state_.z.size() != shape_.layout().size())
      throw InputError(fmt::format(
          "the start has {} values, the problem needs {}; give one for every coordinate and velocity",
          state_.z.size(), shape_.layout().size()));
    if (!std::isfinite(state_.t))
      throw InputError(fmt::format("the start lies at t = {} (must be a finite number)", state_.t));
    for (Eigen::Index i = 0; i < state_.z.size(); ++i)
      if (!std::isfinite(state_.z(i)))
        throw InputError(fmt::format("start value {} is {} (must be a finite number)", i, state_.z(i)));
    state_.lambda = Vector::Zero(shape_.ng);
    state_.kappa = Vector::Zero(shape_.nk);
  }

  // Which rows count is known before anything is judged by them.
  void decide() {
    if (shape_.multipliers() == 0) return;
    linearize();
    for (int level = 0; level < std::min(shape_.order, 2); ++level)
      if (rows_of(level) > 0) factor(level);
  }

  // Solvers read one triangle of M and what its declared structure holds; the rest must agree with that.
  void check_mass() {
    if (storage() == Storage::sparse) return;  // one that has no place for anything else
    problem_.evaluate(Part::mass, Point(state_.t, state_.z), mass_);
    const Matrix& M = mass_.M;
    const double roundoff = 1e-12 * M.cwiseAbs().maxCoeff();
    std::vector<int> block(static_cast<std::size_t>(shape_.nv), 0);  // which block a coordinate belongs to
    if (shape_.mass == linalg::MassStructure::diagonal)
      for (int i = 0; i < shape_.nv; ++i) block[static_cast<std::size_t>(i)] = i;
    if (shape_.mass == linalg::MassStructure::block_diagonal)
      for (int b = 0, i = 0; b < static_cast<int>(shape_.mass_blocks.size()); ++b)
        for (int k = 0; k < shape_.mass_blocks[static_cast<std::size_t>(b)] && i < shape_.nv; ++k, ++i)
          block[static_cast<std::size_t>(i)] = b;
    for (int j = 0; j < shape_.nv; ++j)
      for (int i = 0; i < shape_.nv; ++i) {
        if (std::abs(M(i, j) - M(j, i)) > roundoff)
          throw InputError(fmt::format(
              "the mass matrix has M({}, {}) = {} and M({}, {}) = {} (must be equal); write both triangles",
              i, j, M(i, j), j, i, M(j, i)));
        if (block[static_cast<std::size_t>(i)] != block[static_cast<std::size_t>(j)] &&
            std::abs(M(i, j)) > roundoff)
          throw InputError(fmt::format(
              "the mass matrix has M({}, {}) = {} (0 by its declared structure); declare another structure",
              i, j, M(i, j)));
      }
  }

  // Constraints that move do work; whether they do must be declared. What a model says twice must agree.
  void check_agreement() {
    if (const auto moving = undeclared_motion(problem_, state_)) throw InputError(*moving);
    if (const auto wrong = self_contradiction(problem_, state_)) throw InputError(*wrong);
  }

  // Unit quaternions first, whatever the constraints; roundoff is left alone.
  void normalize() {
    Vector q = state_.q();
    problem_.normalize(q);
    const double change = (q - state_.q()).cwiseAbs().maxCoeff();
    if (change <= options_.tolerance) return;
    state_.q() = q;
    moved_(0) = change;
  }

  // How large the residual of each row may be: what roundoff in coordinates of ordinary size can cause, times
  // 1/eps * tolerance.
  Vector limits(int level) const {
    Vector terms = sizes_of_rows(level, level == 0 || shape_.order > 2 ? places() : speeds());
    for (Eigen::Index i = 0; i < terms.size(); ++i) {
      terms(i) =
          std::max(terms(i), 1e-3 * rows_.sizes(i) * rows_.scales.length);  // it may vanish at the very place
      if (!(terms(i) > 0)) terms(i) = 1;
    }
    return std::max(options_.tolerance, roundoff_of_places()) * terms;
  }

  // Far from the origin coordinates have less digits than the mechanism.
  double roundoff_of_places() const {
    const Vector parts = state_.q().cwiseAbs().cwiseQuotient(rows_.scales.coordinates);
    return 4 * std::numeric_limits<double>::epsilon() * parts.maxCoeff();
  }

  bool knows_sizes() const { return problem_.scales(state_.t, state_.q()).levers.size() > 0; }
  // Of ordinary displacements; where a problem knows no sizes, of its coordinates.
  Vector places() const {
    const Vector& moves = rows_.scales.moves;
    const bool by_coordinates = !knows_sizes() && state_.q().size() == moves.size();
    return by_coordinates ? Vector(state_.q().cwiseAbs().cwiseMax(1.0)) : moves;
  }

  // Of an ordinary motion: what velocities are, and at least ordinary displacements in a unit of time.
  Vector speeds() const {
    const Vector least = knows_sizes() ? rows_.scales.moves : Vector::Ones(shape_.nv);
    return state_.level(1).size() == shape_.nv ? Vector(state_.level(1).cwiseAbs().cwiseMax(least)) : least;
  }

  const std::vector<int>& left_out(int level) const { return of_level(level).left_out(); }

  // Redundant rows may be off by what rounded coordinates make of them.
  Vector limits_of_redundant(int level) const {
    const Scales& scales = rows_.scales;
    double speed = scales.length;
    if (level > 0) {
      const Vector v = speeds();
      speed = (scales.levers.size() == v.size() ? Vector(v.cwiseProduct(scales.levers)) : v)
                  .lpNorm<Eigen::Infinity>();
    }
    const double largest = rows_.sizes.size() > 0 ? rows_.sizes.maxCoeff() : 1;
    const Vector sizes = (rows_.sizes.array() > 0).select(rows_.sizes, largest > 0 ? largest : 1);
    return scales.assembly * std::max(speed, scales.length) * sizes;
  }

  // Level 0 has the rows of G, level 1 those of [G; K].
  int rows_of(int level) const { return level == 1 ? shape_.multipliers() : shape_.ng; }
  ConstraintSolver& of_level(int level) const { return level == 1 ? *all_ : *positions_; }
  bool full(int level) const { return of_level(level).full(); }
  Vector sizes_of_rows(int level, const Vector& size) const {
    const linalg::RowsView rows = manifold_.parts().rows();
    Vector terms = Vector::Zero(rows_of(level));
    for (int i = 0; i < rows_of(level); ++i)
      rows.each(i, [&](int column, double entry) { terms(i) += std::abs(entry) * size(column); });
    return terms;
  }

  std::string unmet(int level, const Vector& residual, Vector limit) {
    const Vector allowed = limits_of_redundant(level);
    for (const int i : left_out(level)) limit(i) = std::max(limit(i), allowed(i));

    constexpr std::size_t most_told = 12;  // loops of many bodies have pages of them
    std::vector<std::string> rows;
    std::size_t untold = 0;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      if (std::abs(residual(i)) <= limit(i)) continue;
      if (rows.size() == most_told)
        ++untold;
      else
        rows.push_back(fmt::format("residual {:.6g} of {} (limit {:.1e})", residual(i),
                                   problem_.constraint_name(static_cast<int>(i)), limit(i)));
    }
    if (untold > 0) rows.push_back(fmt::format("and {} more", untold));
    return fmt::format("{}", fmt::join(rows, ", "));
  }

  bool by_mass() const { return options_.metric == ConsistencyOptions::Metric::mass; }

  // The rows of a level where the manifold was linearized last, and M with them if that is the metric.
  const Evaluation& rows_and_metric() {
    if (!by_mass()) return manifold_.parts();
    Parts parts = Part::mass | Part::jacobian;
    if (shape_.nk > 0) parts = parts | Part::velocity_jacobian;
    problem_.evaluate(parts, Point(state_.t, state_.z), mass_);
    return mass_;
  }
  Status factor(int level) { return of_level(level).factor(problem_, state_.t, state_.z, rows_and_metric()); }

  // The smallest move that solves C delta = -residual in the metric chosen.
  Status step(int level, const Vector& residual, Vector& delta) {
    Vector multipliers(rows_of(level));
    delta.resize(shape_.nv);
    if (const Status status = factor(level); status != Status::ok) return status;
    of_level(level).solve(by_mass() ? mass_ : manifold_.parts(), Vector::Zero(shape_.nv), -residual, delta,
                          multipliers);
    return delta.allFinite() ? Status::ok : Status::not_finite;
  }

  Storage storage() const {
    const bool offered = shape_.mass_by_bodies || options_.metric != ConsistencyOptions::Metric::mass;
    return offered ? storage_of(shape_) : Storage::whole;
  }
  std::unique_ptr<ConstraintSolver> solver(ConstraintSolver::Of of, ConstraintSolver::For use) const {
    return make_constraint_solver(
        problem_, of, by_mass() ? ConstraintSolver::Metric::mass : ConstraintSolver::Metric::points, use);
  }

  [[noreturn]] void give_up(const std::string& rows, const std::string& why) const {
    throw InputError(fmt::format(
        "the start cannot be made consistent, {}: {}; give start values nearer to a possible configuration",
        why, rows));
  }

  [[noreturn]] void contradiction(const std::string& rows) const {
    const std::string which = problem_.dependent_constraints(state_.t, state_.z);
    if (!which.empty() && which.find("depends on") == std::string::npos)
      give_up(rows, "the constraints lose rank there (" + which + ")");
    throw InputError(fmt::format(
        "the constraints contradict each other at the start: {}{}{}; remove one of them, make them agree, "
        "or, if these are "
        "rounded coordinates, raise the model's assembly_tolerance ({:g} of the size, {:.3g})",
        which, which.empty() ? "" : ", and ", rows, rows_.scales.assembly, rows_.scales.missed()));
  }

  // Whether constraints depend on each other there that do not elsewhere.
  bool singular() const {
    return static_cast<int>(positions_->left_out().size()) > positions_->rank().redundant();
  }

  [[noreturn]] void no_such_motion(const std::string& rows) const {
    if (second_order_mobility(problem_, state_.t, state_.z) >= Mobility::stiff_here)
      throw InputError(fmt::format(
          "the start is a singular configuration, where the mechanism, or a part of it, cannot move, and its "
          "velocities "
          "ask it to: {}; give it no velocities there, or make bars longer, so that they are not in line",
          rows));
    throw InputError(fmt::format(
        "the start is a singular configuration, where several motions may meet, and its velocities belong to "
        "none "
        "of them: {}; give velocities of one of these motions, none at all, or a start beside the place",
        rows));
  }

  void linearize() {
    if (manifold_.linearize(state_.t, state_.z) != Status::ok)
      throw InputError(fmt::format("the constraints are not finite at the start: {}",
                                   problem_.explain(Status::not_finite, state_.t, state_.z)));
  }

  // What is to be met: rows that count, and others as far as they are off by more than redundant rows may be.
  Vector to_be_met(int level, const Vector& residual) {
    Vector all = residual;
    const Vector allowed = limits_of_redundant(level);
    for (const int i : left_out(level))
      if (std::abs(all(i)) <= allowed(i)) all(i) = 0;
    return all;
  }

  void keep_off_rows(const Vector& residual, const Vector& limit) {
    constexpr std::size_t most_told = 12;
    for (const int i : left_out(0)) {
      if (std::abs(residual(i)) <= limit(i)) continue;
      if (off_.size() == most_told)
        ++untold_off_;
      else
        off_.push_back(fmt::format("{} by {:.3g}", problem_.constraint_name(i), residual(i)));
    }
  }

  void project_positions() {
    const Vector begin = state_.q();
    double last = 0;
    for (int i = 0;; ++i) {
      linearize();
      const Vector all = manifold_.residual(0), limit = limits(0), g = to_be_met(0, all);
      bool met = (g.cwiseAbs().array() <= limit.array()).all();
      // A consistent guess stays as it is; one that had to be moved is moved all the way, down to roundoff.
      if (met && (i == 0 || g.norm() <= 1e-4 * limit.norm() || g.norm() >= 0.5 * last)) break;
      last = g.norm();
      if (i == options_.max_iterations && !full(0)) contradiction(unmet(0, g, limit));
      if (i == options_.max_iterations)
        give_up(unmet(0, g, limit), fmt::format("Newton's method did not converge in {} iterations", i));
      Vector delta;
      const Status status = step(0, all, delta);
      if (status != Status::ok) give_up(unmet(0, g, limit), "the mass matrix is singular");
      const Vector open = to_be_met(0, all);  // other rows may count now
      met = met || (open.cwiseAbs().array() <= limit.array()).all();
      if (!take_step(open.norm(), delta)) {
        if (met) break;
        if (!full(0) && leave_singular(all)) continue;
        if (!full(0)) contradiction(unmet(0, open, limit));
        give_up(unmet(0, open, limit), "no nearby configuration violates the constraints less");
      }
    }
    if (!full(0)) keep_off_rows(manifold_.residual(0), limits(0));
    moved_(0) = std::max(moved_(0), (state_.q() - begin).cwiseAbs().maxCoeff());
  }

  // Takes the Newton step, halved until the violation falls; false if it never does.
  bool take_step(double violation, const Vector& delta) {
    const Vector z = state_.z;
    Vector all = Vector::Zero(shape_.layout().tangent_size());
    for (double factor = 1; factor > 1e-6; factor /= 2) {
      state_.z = z;
      all.head(shape_.nv) = factor * delta;
      manifold_.displace(state_.t, all, state_.z);
      if (manifold_.evaluate(state_.t, state_.z) == Status::ok &&
          to_be_met(0, manifold_.residual(0)).norm() < violation)
        return true;
    }
    state_.z = z;
    return false;
  }

  // Where rows depend on each other for the moment, and a move to first order gains nothing: along a curve. Newton's method goes on from there.
  bool leave_singular(const Vector& residual) {
    constexpr int most = 3;
    constexpr double farthest = 0.1;  // of ordinary displacements
    if (bent_ == most) return false;
    const std::optional<Vector> move = second_order_move(problem_, state_.t, state_.z, residual);
    if (!move || !move->allFinite() || !(rows_.scales.distance(*move) < farthest)) return false;
    Vector all = Vector::Zero(shape_.layout().tangent_size());
    all.head(shape_.nv) = *move;
    manifold_.displace(state_.t, all, state_.z);
    ++bent_;
    return true;
  }

  // Level j >= 1: g^(j) is linear in x_j, and so is w in x_1.
  void project_level(int level) {
    const int kappas = level == 1 ? shape_.nk : 0, rows = shape_.ng + kappas;
    if (rows == 0) return;
    const Vector begin = state_.level(level);
    for (int i = 0;; ++i) {
      linearize();
      Vector residual(rows);
      residual.head(shape_.ng) = manifold_.residual(level);
      if (kappas > 0) residual.tail(kappas) = manifold_.velocity_residual();
      const Vector limit = limits(level);
      const Vector open = level == 1 ? to_be_met(level, residual) : residual;
      if ((open.cwiseAbs().array() <= limit.array()).all()) break;
      Vector delta;
      const Status status = step(level, residual, delta);
      if (i == 5 && !full(level) && level == 1 && singular()) no_such_motion(unmet(level, open, limit));
      if (i == 5 && !full(level)) contradiction(unmet(level, open, limit));
      if (status != Status::ok || i == 5)
        give_up(unmet(level, open, limit), "the velocities could not be met");
      state_.level(level) += delta;
    }
    moved_(level) = (state_.level(level) - begin).cwiseAbs().maxCoeff();
  }

  Vector evaluate_multipliers() {
    Workspace work;
    Vector a(shape_.nv), multipliers(shape_.multipliers());
    const Status status =
        problem_.acceleration(state_.t, state_.z, Vector::Zero(shape_.multipliers()), a, multipliers, work);
    if (status == Status::contradiction && singular())
      no_such_motion(problem_.contradicting_constraints(state_.t, state_.z));
    if (status != Status::ok)
      throw InputError("the start has no acceleration: " + problem_.explain(status, state_.t, state_.z));
    if (singular()) check_accelerations(a);
    state_.lambda = multipliers.head(shape_.ng);
    state_.kappa = multipliers.tail(shape_.nk);
    return a;
  }

  // The start satisfies the constraints, so that rows left out for the moment are satisfied by the accelerations of a motion, to second order,
  // far better than in a run that has drifted.
  void check_accelerations(const Vector& a) {
    constexpr double limit = 1e-3, roundoff = 1e-9;  // of the terms of a row, and of what forces do to it
    Evaluation e(storage());
    Parts parts = acceleration_parts(shape_).without(Part::input);
    if (!masses_by_blocks()) parts = parts.without(Part::mass);
    problem_.evaluate(parts, Point(state_.t, state_.z), e);
    const bool known = rows_.scales.levers.size() > 0;
    const Vector levers = known ? rows_.scales.levers : Vector(Vector::Ones(shape_.nv));
    const double free = levers.cwiseProduct(free_accelerations(e)).maxCoeff(),
                 speed = levers.cwiseProduct(state_.level(1)).lpNorm<Eigen::Infinity>(),
                 curved = speed * speed / rows_.scales.length;
    for (const int i : left_out(0)) {
      const double size = rows_.sizes(i) > 0 ? rows_.sizes(i) : rows_.sizes.maxCoeff();
      double off = e.c(i), terms = std::max(std::abs(e.c(i)), size * curved), forced = 0;
      const auto add = [&](double entry, Eigen::Index column) {
        off += entry * a(column);
        terms += std::abs(entry * a(column));
        forced += std::abs(entry) * free / levers(column);
      };
      e.rows().each(i, [&](int column, double entry) { add(entry, column); });
      if (std::abs(off) > limit * terms + roundoff * forced)
        no_such_motion(fmt::format("the accelerations of {} would be off by {:.3g}, of {:.3g}",
                                   problem_.constraint_name(i), off, terms));
    }
  }

  // Those of a tree are not offered as blocks of its joints.
  bool masses_by_blocks() const { return storage() == Storage::whole || shape_.mass_by_bodies; }

  // Sizes of accelerations without constraints, for masses one by one.
  Vector free_accelerations(const Evaluation& e) const {
    Vector free = e.f.cwiseAbs();
    const auto divide = [&](Eigen::Index i, double mass) {
      if (mass > 0) free(i) /= mass;
    };
    Eigen::Index i = 0;
    std::size_t entry = 0;
    if (!masses_by_blocks()) {
      Evaluation whole;
      problem_.evaluate(Part::mass, Point(state_.t, state_.z), whole);
      for (; i < shape_.nv; ++i) divide(i, whole.M(i, i));
    } else if (storage() == Storage::sparse) {
      for (const int size : shape_.bodies) {
        for (int k = 0; k < size; ++k, ++i)
          divide(i, e.sparse.M[entry + static_cast<std::size_t>(k * (size + 1))]);
        entry += static_cast<std::size_t>(size * size);
      }
    } else if (shape_.mass != linalg::MassStructure::identity) {
      for (; i < shape_.nv; ++i) divide(i, e.M(i, i));
    }
    return free;
  }

  std::string assembly() const {
    if (off_.empty()) return {};
    return fmt::format(
        "redundant constraints do not quite meet at the start: {}{}; the others hold, and these are left as "
        "they are, since "
        "that is within the assembly tolerance of {:.3g} (size {:.3g}): rounded coordinates",
        fmt::join(off_, ", "), untold_off_ > 0 ? fmt::format(", and {} more", untold_off_) : "",
        rows_.scales.missed(), rows_.scales.length);
  }

  std::string report() const {
    std::string text = "the start was moved onto the constraints, by at most";
    for (int level = 0; level < shape_.order; ++level)
      text += fmt::format("{} {:.3g} in {}", level ? "," : "", moved_(level),
                          shape_.order == 2 ? (level == 0 ? std::string("q") : std::string("v"))
                                            : fmt::format("x_{}", level));
    return text;
  }

  const Problem& problem_;
  const Shape& shape_;
  ConsistencyOptions options_;
  Manifold manifold_;
  Evaluation mass_{storage()};
  const std::unique_ptr<ConstraintSolver> positions_, all_;  // rows of G, and of [G; K]
  State state_;
  RowSizes rows_;
  Vector moved_;
  std::vector<std::string> off_;  // redundant rows that are not met
  std::size_t untold_off_ = 0;
  int bent_ = 0;  // moves of positions to second order
};

}  // namespace

ConsistentState consistent_state(const Problem& problem, const State& guess,
                                 const ConsistencyOptions& options) {
  return Projector(problem, guess, options).run();
}

}  // namespace driftless
