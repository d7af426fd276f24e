#include <driftless/core/consistent_state.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/manifold.hpp>

namespace driftless {

namespace {

class Projector {
 public:
  Projector(const Problem& problem, const State& guess, const ConsistencyOptions& options)
      : problem_(problem),
        shape_(problem.shape()),
        options_(options),
        manifold_(problem, {}, storage()),
        sparse_(storage() == Storage::sparse),
        state_(guess),
        moved_(Vector::Zero(shape_.order)) {}

  ConsistentState run() {
    check_guess();
    ConsistentState result;
    check_mass();
    check_moving();
    normalize();
    if (shape_.multipliers() > 0 && !sparse_) {
      position_rank_.decide(problem_, state_.t, state_.z);
      all_rank_.decide(problem_, state_.t, state_.z);
    }
    if (shape_.ng > 0) project_positions();
    for (int level = 1; level < shape_.order; ++level) project_level(level);
    result.acceleration = evaluate_multipliers();
    result.moved = moved_;
    result.changed = (moved_.array() > 0).any();
    if (result.changed) result.report = report();
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

  // Solvers read one triangle of M and what its declared structure holds; the rest must agree with that.
  void check_mass() {
    if (sparse_) return;  // one that has no place for anything else
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

  // Constraints that move do work; whether they do must be declared. g_t is g' at v = 0, w at v = 0 its counterpart.
  void check_moving() {
    if (shape_.moving || shape_.order != 2 || manifold_.empty()) return;
    Vector z = state_.z;
    z.tail(shape_.nv).setZero();
    for (const double t : {state_.t, state_.t + 0.12345}) {
      if (manifold_.evaluate(t, z) != Status::ok) continue;
      for (int i = 0; i < shape_.multipliers(); ++i) {
        const double rate =
            i < shape_.ng ? manifold_.residual(1)(i) : manifold_.velocity_residual()(i - shape_.ng);
        if (rate != 0)
          throw InputError(
              fmt::format("the constraint {} moves (rate {:.3g} at rest, t = {:.6g}); declare `moving = "
                          "true` in the model",
                          problem_.constraint_name(i), rate, t));
      }
    }
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

  // How large the residual of each row may be: what roundoff in the coordinates of order 1 can cause, times
  // 1/eps * tolerance.
  Vector limits(int level) const {
    Vector size = state_.level(level).cwiseAbs().cwiseMax(1.0);
    if (size.size() != shape_.nv) size = Vector::Ones(shape_.nv);
    Vector terms = sizes_of_rows(level, size);
    const Vector& lengths = rank(level).sizes();
    for (Eigen::Index i = 0; i < terms.size(); ++i) {
      if (i < lengths.size())
        terms(i) = std::max(terms(i), 1e-3 * lengths(i));  // it may vanish at the very place
      if (!(terms(i) > 0)) terms(i) = 1;
    }
    return options_.tolerance * terms;
  }

  // Level 0 has the rows of G, level 1 those of [G; K].
  int rows_of(int level) const { return level == 1 ? shape_.multipliers() : shape_.ng; }
  RankDecision& rank(int level) { return level == 1 ? all_rank_ : position_rank_; }
  const RankDecision& rank(int level) const { return level == 1 ? all_rank_ : position_rank_; }
  SparseConstraints& sparse_rank(int level) { return level == 1 ? all_sparse_ : sparse_positions_; }
  bool full(int level) { return sparse_ ? sparse_rank(level).full() : rank(level).full(); }
  Matrix rows_at(int level) const {
    Matrix C(rows_of(level), shape_.nv);
    if (shape_.ng > 0) C.topRows(shape_.ng) = manifold_.G();
    if (level == 1 && shape_.nk > 0) C.bottomRows(shape_.nk) = manifold_.K();
    return C;
  }
  Vector sizes_of_rows(int level, const Vector& size) const {
    if (!sparse_) return rows_at(level).cwiseAbs() * size;
    const linalg::SparseRows& C = manifold_.parts().sparse.C;
    Vector terms = Vector::Zero(rows_of(level));
    for (int i = 0; i < rows_of(level); ++i)
      for (int k = C.first(i); k < C.last(i); ++k) terms(i) += std::abs(C.at(k)) * size(C.column_of(k));
    return terms;
  }

  std::string unmet(const Vector& residual, const Vector& limit, int first_row) const {
    constexpr std::size_t most_told = 12;  // loops of many bodies have pages of them
    std::vector<std::string> rows;
    std::size_t untold = 0;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      if (std::abs(residual(i)) <= limit(i)) continue;
      if (rows.size() == most_told)
        ++untold;
      else
        rows.push_back(fmt::format("residual {:.6g} of {} (limit {:.1e})", residual(i),
                                   problem_.constraint_name(static_cast<int>(i) + first_row), limit(i)));
    }
    if (untold > 0) rows.push_back(fmt::format("and {} more", untold));
    return fmt::format("{}", fmt::join(rows, ", "));
  }

  // The smallest move that solves C delta = -residual in the metric chosen.
  Status step(int level, const Vector& residual, Vector& delta) {
    const int rows = rows_of(level);
    const bool by_mass = options_.metric == ConsistencyOptions::Metric::mass;
    Vector multipliers(rows);
    delta.resize(shape_.nv);
    Status status = Status::ok;
    if (by_mass) problem_.evaluate(Part::mass, Point(state_.t, state_.z), mass_);
    if (sparse_) {
      mass_.sparse.C = manifold_.parts().sparse.C;
      status = sparse_rank(level).factor(problem_, state_.t, state_.z, mass_);
      if (status != Status::ok) return status;
      sparse_rank(level).solve(mass_, Vector::Zero(shape_.nv), -residual, delta, multipliers);
    } else {
      linalg::SaddlePoint saddle({shape_.nv, rows, by_mass ? shape_.mass : linalg::MassStructure::identity,
                                  by_mass ? shape_.mass_blocks : std::vector<int>{}});
      status = rank(level).factor(saddle, problem_, state_.t, state_.z, mass_.M, rows_at(level));
      if (status != Status::ok) return status;
      saddle.solve(Vector::Zero(shape_.nv), -residual, delta, multipliers);
    }
    return delta.allFinite() ? Status::ok : Status::not_finite;
  }

  Storage storage() const {
    const bool offered = shape_.mass_by_bodies || options_.metric != ConsistencyOptions::Metric::mass;
    return offered ? storage_of(shape_) : Storage::whole;
  }
  SparseConstraints::Metric metric() const {
    return options_.metric == ConsistencyOptions::Metric::mass ? SparseConstraints::Metric::mass
                                                               : SparseConstraints::Metric::unit;
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
        "the constraints contradict each other at the start: {}{}{}; remove one of them, or make them agree",
        which, which.empty() ? "" : ", and ", rows));
  }

  void linearize() {
    if (manifold_.linearize(state_.t, state_.z) != Status::ok)
      throw InputError(fmt::format("the constraints are not finite at the start: {}",
                                   problem_.explain(Status::not_finite, state_.t, state_.z)));
  }

  void project_positions() {
    const Vector begin = state_.q();
    double last = 0;
    for (int i = 0;; ++i) {
      linearize();
      const Vector g = manifold_.residual(0), limit = limits(0);
      const bool met = (g.cwiseAbs().array() <= limit.array()).all();
      // A consistent guess stays as it is; one that had to be moved is moved all the way, down to roundoff.
      if (met && (i == 0 || g.norm() <= 1e-4 * limit.norm() || g.norm() >= 0.5 * last)) break;
      last = g.norm();
      if (i == options_.max_iterations && !full(0)) contradiction(unmet(g, limit, 0));
      if (i == options_.max_iterations)
        give_up(unmet(g, limit, 0), fmt::format("Newton's method did not converge in {} iterations", i));
      Vector delta;
      const Status status = step(0, g, delta);
      if (status != Status::ok) give_up(unmet(g, limit, 0), "the mass matrix is singular");
      if (!take_step(g, delta)) {
        if (met) break;
        if (!full(0)) contradiction(unmet(g, limit, 0));
        give_up(unmet(g, limit, 0), "no nearby configuration violates the constraints less");
      }
    }
    moved_(0) = std::max(moved_(0), (state_.q() - begin).cwiseAbs().maxCoeff());
  }

  // Takes the Newton step, halved until the violation falls; false if it never does.
  bool take_step(const Vector& g, const Vector& delta) {
    const Vector z = state_.z;
    Vector all = Vector::Zero(shape_.layout().tangent_size());
    for (double factor = 1; factor > 1e-6; factor /= 2) {
      state_.z = z;
      all.head(shape_.nv) = factor * delta;
      manifold_.displace(state_.t, all, state_.z);
      if (manifold_.evaluate(state_.t, state_.z) == Status::ok && manifold_.residual(0).norm() < g.norm())
        return true;
    }
    state_.z = z;
    return false;
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
      if ((residual.cwiseAbs().array() <= limit.array()).all()) break;
      Vector delta;
      const Status status = step(level, residual, delta);
      if (i == 5 && !full(level)) contradiction(unmet(residual, limit, 0));
      if (status != Status::ok || i == 5)
        give_up(unmet(residual, limit, 0), "the velocities could not be met");
      state_.level(level) += delta;
    }
    moved_(level) = (state_.level(level) - begin).cwiseAbs().maxCoeff();
  }

  Vector evaluate_multipliers() {
    Workspace work;
    Vector a(shape_.nv), multipliers(shape_.multipliers());
    const Status status =
        problem_.acceleration(state_.t, state_.z, Vector::Zero(shape_.multipliers()), a, multipliers, work);
    if (status != Status::ok)
      throw InputError("the start has no acceleration: " + problem_.explain(status, state_.t, state_.z));
    state_.lambda = multipliers.head(shape_.ng);
    state_.kappa = multipliers.tail(shape_.nk);
    return a;
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
  const bool sparse_;
  Evaluation mass_{storage()};
  SparseConstraints sparse_positions_{SparseConstraints::Of::positions, metric()},
      all_sparse_{SparseConstraints::Of::all, metric()};
  RankDecision position_rank_{RankDecision::Of::positions}, all_rank_;
  State state_;
  Vector moved_;
};

}  // namespace

ConsistentState consistent_state(const Problem& problem, const State& guess,
                                 const ConsistencyOptions& options) {
  return Projector(problem, guess, options).run();
}

}  // namespace driftless
