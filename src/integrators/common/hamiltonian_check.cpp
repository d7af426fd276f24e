#include "hamiltonian_check.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/sparse_constraints.hpp>

#include "mass_matrix.hpp"

namespace driftless::integrators {

namespace {

constexpr double limit = 1e-10;  // of what must vanish, relative to the terms that it is made of

double largest(MatrixIn A) {
  return A.size() == 0 ? 0 : A.lpNorm<Eigen::Infinity>();
}

// Entries between -1 and 1 that are in no simple relation to each other.
Vector generic(int n, double seed) {
  Vector v(n);
  for (int i = 0; i < n; ++i) v(i) = std::sin(seed * (i + 1) * (i + 1) + 1);
  return v;
}

struct Found {
  Matrix part;       // what must vanish
  double terms = 0;  // the largest of what it is made of
  bool vanishes() const { return largest(part) <= limit * terms; }
};

// A matrix over velocities, whole or without its zeros, and what it makes of columns x; of none: of all unit vectors.
struct Derivative {
  bool sparse = false;
  Matrix whole = {};
  linalg::SparseRows rows = {};

  Matrix times(const Matrix& x) const {
    if (!sparse) return x.size() == 0 ? whole : whole * x;
    Matrix product = Matrix::Zero(rows.rows, x.cols());
    for (int j = 0; j < x.cols(); ++j) rows.add_times(rows.rows, 1, x.col(j).data(), product.col(j).data());
    return product;
  }
  Matrix transposed_times(const Matrix& x) const {
    if (!sparse) return whole.transpose() * x;
    Matrix product = Matrix::Zero(rows.columns, x.cols());
    for (int j = 0; j < x.cols(); ++j)
      rows.add_transposed_times(rows.rows, 1, x.col(j).data(), product.col(j).data());
    return product;
  }
  int largest_in_row(int i) const {
    Eigen::Index column = 0;
    if (!sparse) {
      whole.row(i).cwiseAbs().maxCoeff(&column);
      return static_cast<int>(column);
    }
    const auto first = rows.value.begin() + rows.first(i), last = rows.value.begin() + rows.last(i);
    const auto most =
        std::max_element(first, last, [](double a, double b) { return std::abs(a) < std::abs(b); });
    return most == last ? i : rows.column_of(static_cast<int>(most - rows.value.begin()));
  }
};

double largest(const linalg::SparseRows& rows) {
  double most = 0;
  for (const double entry : rows.value) most = std::max(most, std::abs(entry));
  return most;
}

// Whole matrices are looked at column by column; those without zeros by what they make of a few columns of numbers that are in no relation to
// them.
class Check {
 public:
  Check(const Problem& problem, double t, VectorIn z)
      : problem_(problem),
        dynamics_(sparse_dynamics(problem)),
        n_(problem.shape().nv),
        t_(t),
        z_(z),
        rows_(storage_of_dynamics(problem)),
        e_(rows_.storage) {
    problem_.evaluate(Part::jacobian, Point(t_, z_), rows_);
    if (dynamics_) {
      by_points_.emplace(ConstraintSolver::Of::all, ConstraintSolver::Metric::points,
                         ConstraintSolver::For::corrections);
      projects_ = rows_.rows().all_finite() && by_points_->factor(problem, t, z, rows_) == Status::ok;
      tried_.resize(n_, 2);
      tried_ << generic(n_, 0.37), generic(n_, 1.9);
      for (const int size : dynamics_->branches().sizes) {
        for (int k = 0; k < size; ++k) first_.push_back(static_cast<int>(first_.size()) - k);
        widest_ = std::max(widest_, size);
      }
      return;
    }
    saddle_ = linalg::SaddlePoint({n_, problem.shape().ng, linalg::MassStructure::identity, {}});
    projects_ =
        rows_.G.allFinite() && saddle_.factor(Matrix::Identity(n_, n_), rows_.G) == linalg::FactorStatus::ok;
  }

  // Whether M has any derivative.
  bool mass_changes() {
    const Vector a = generic(n_, 0.9);
    if (dynamics_) return largest(mass_rate(a, generic(n_, 1.1))) != 0;
    return largest(mass_product(a)) != 0;
  }

  // D at that v, and what is left of it across the constraints.
  Found velocity_dependence(VectorIn v, Derivative& D) {
    z_.tail(n_) = v;
    const double terms = dynamics_ ? set_sparse(v, D) : set_whole(v, D);
    return {across(D.times(tried_)), terms};
  }
  // Its symmetric part, along the constraints.
  Matrix symmetric(const Derivative& D) {
    return across(D.times(tangent())) + across(D.transposed_times(tangent()));
  }

  // Kinetic energies are even in v, and so are their forces: what is odd in it (dry friction, whose derivative vanishes) must not be there.
  Found odd_in_velocity(VectorIn v) {
    z_.tail(n_) = v;
    problem_.evaluate(Part::force, Point(t_, z_), e_);
    const Vector forward = e_.f;
    z_.tail(n_) = -v;
    problem_.evaluate(Part::force, Point(t_, z_), e_);
    return {across(forward - e_.f), std::max(largest(forward), largest(e_.f))};
  }

  Found rotation_at_rest(Derivative& A) {
    z_.tail(n_).setZero();
    evaluate_forces();
    A.sparse = dynamics_ != nullptr;
    double terms = 0;
    if (dynamics_) {
      linalg::SparseRows f_q = e_.sparse.by_x;
      for (std::size_t k = 0; k < f_q.value.size(); ++k) f_q.value[k] -= e_.sparse.Bl_x.value[k];
      A.rows = f_q;
      for (int i = 0; i < n_; ++i)
        for (int k = f_q.first(i); k < f_q.last(i); ++k)
          A.rows.value[static_cast<std::size_t>(k)] -= entry(f_q, f_q.column_of(k), i);
      terms = largest(f_q);
    } else {
      A.whole = e_.f_z.leftCols(n_) - e_.f_z.leftCols(n_).transpose();
      terms = largest(e_.f_z.leftCols(n_));
    }
    return {across(A.times(tangent())), terms};
  }

  // Columns less their parts along G^T.
  Matrix across(Matrix A) {
    if (!projects_) return A;
    Vector l(rows_.rows().rows()), moved(n_);
    const Vector r = Vector::Zero(l.size());
    for (int j = 0; j < A.cols(); ++j) {
      if (dynamics_) {
        by_points_->solve(rows_, A.col(j), r, moved, l);
        rows_.rows().add_transposed_times(-1, l.data(), A.col(j).data());
      } else {
        saddle_.solve(Vector(A.col(j)), r, A.col(j), l);
      }
    }
    return A;
  }

  // The entry of what was found to be told.
  struct Entry {
    int row = 0, column = 0;
    double size = 0;
  };
  Entry worst(const Found& found, const Derivative& D) {
    Eigen::Index i = 0, j = 0;
    const double size = found.part.cwiseAbs().maxCoeff(&i, &j);
    if (!dynamics_) return {static_cast<int>(i), static_cast<int>(j), size};
    const int column = D.largest_in_row(static_cast<int>(i));
    const Matrix alone = across(D.times(Vector::Unit(n_, column)));
    const double own = alone.cwiseAbs().maxCoeff(&i, &j);
    return {static_cast<int>(i), column, own};
  }

 private:
  void evaluate_forces() {
    if (!dynamics_) return problem_.evaluate(Part::force_jacobian, Point(t_, z_), e_);
    const Vector a = Vector::Zero(n_), lambda = Vector::Zero(problem_.shape().ng);
    problem_.evaluate(Part::force_jacobian | Part::multiplier_jacobian, Point(t_, z_, a, lambda, none_), e_);
  }
  // P of that a.
  const Matrix& mass_product(VectorIn a) {
    problem_.evaluate(Part::mass_product_jacobian, Point(t_, z_, a, none_, none_), e_);
    return e_.Ma_x;
  }
  // (M a)_q along that displacement.
  Vector mass_rate(VectorIn a, VectorIn along) {
    Vector z = z_, rate = Vector::Zero(n_);
    z.tail(n_) = along;
    dynamics_->add_mass_rate(Point(t_, z, a, none_, none_), rate, e_.scratch);
    return rate;
  }
  static double entry(const linalg::SparseRows& rows, int i, int j) {
    const auto first = rows.column.begin() + rows.first(i), last = rows.column.begin() + rows.last(i),
               found = std::lower_bound(first, last, j);
    return found == last || *found != j ? 0 : rows.at(static_cast<int>(found - rows.column.begin()));
  }

  double set_whole(VectorIn v, Derivative& D) {
    evaluate_forces();
    const Matrix f_v = e_.f_z.rightCols(n_);
    Matrix by_a(n_, n_);
    for (int j = 0; j < n_; ++j) by_a.col(j) = mass_product(Vector::Unit(n_, j)) * v;
    const Matrix P = mass_product(v);
    D.whole = f_v + P + by_a - P.transpose();
    return std::max({largest(f_v), largest(P), largest(by_a)});
  }
  // M is made of branches, whose k-th columns are had at once.
  double set_sparse(VectorIn v, Derivative& D) {
    evaluate_forces();
    D.sparse = true;
    D.rows = e_.sparse.by_v;
    Matrix P(n_, widest_), by_a(n_, widest_);
    Vector unit(n_);
    for (int k = 0; k < widest_; ++k) {
      for (int i = 0; i < n_; ++i) unit(i) = i - first_[static_cast<std::size_t>(i)] == k ? 1 : 0;
      P.col(k) = mass_rate(v, unit);
      by_a.col(k) = mass_rate(unit, v);
    }
    for (int i = 0; i < n_; ++i)
      for (int k = D.rows.first(i); k < D.rows.last(i); ++k) {
        const int j = D.rows.column_of(k), first = first_[static_cast<std::size_t>(i)];
        if (first_[static_cast<std::size_t>(j)] == first)
          D.rows.value[static_cast<std::size_t>(k)] += P(i, j - first) + by_a(i, j - first) - P(j, i - first);
      }
    return std::max({largest(e_.sparse.by_v), largest(P), largest(by_a)});
  }
  // What is tried, along the constraints.
  const Matrix& tangent() {
    if (tangent_.size() == 0) tangent_ = across(dynamics_ ? tried_ : Matrix(Matrix::Identity(n_, n_)));
    return tangent_;
  }

  const Problem& problem_;
  const SparseDynamics* dynamics_;  // null: matrices are whole
  const int n_;
  const double t_;
  Vector z_;
  const Vector none_;
  Evaluation rows_;
  linalg::SaddlePoint saddle_;
  std::optional<SparseConstraints> by_points_;
  bool projects_ = false;
  Matrix tried_, tangent_;
  std::vector<int> first_;  // of the branch of a velocity
  int widest_ = 0;
  Evaluation e_;
};

[[noreturn]] void refuse(const Problem& problem, const char* what, const Check::Entry& worst, double terms,
                         const char* by) {
  throw InputError(
      fmt::format("rattle: {}: the force on {} has a derivative by {} of which {:.3g} is left over (limit "
                  "{:.2g}), and the "
                  "method would not be symplectic; use rattle:forces=any, generalized-alpha, or radau5",
                  what, problem.coordinate_name(worst.row),
                  by[0] == 'v' ? problem.velocity_name(worst.column) : problem.coordinate_name(worst.column),
                  worst.size, limit * terms));
}

// The entries of M in a row.
Vector mass_entries(const Problem& problem, double t, VectorIn z) {
  Evaluation e(storage_of_dynamics(problem));
  problem.evaluate(Part::mass, Point(t, z), e);
  return MassMatrix(problem).entries(e);
}

}  // namespace

bool mass_changes_at(const Problem& problem, double t, VectorIn z) {
  if (problem.shape().mass == linalg::MassStructure::identity) return false;
  return Check(problem, t, z).mass_changes();
}

void check_mass_of_time(const Problem& problem, double t, VectorIn z) {
  if (problem.shape().mass == linalg::MassStructure::identity) return;
  const Vector M = mass_entries(problem, t, z);
  for (const double later : {1e-3, 0.1, 0.77, 5.3})
    compare_masses(M, t, mass_entries(problem, t + later, z), t + later);
}

void compare_masses(VectorIn M, double t, VectorIn M_later, double t_later) {
  const double change = largest(M_later - M);
  if (change <= 1e-12 * largest(M)) return;
  throw InputError(fmt::format(
      "rattle: M depends on t (it changes by {:.3g} from t = {:.10g} to {:.10g} at the same place), and the "
      "rate of "
      "momenta M v would need its derivative; use radau5, or `formulation = index2` with half-explicit",
      change, t, t_later));
}

void check_conservative(const Problem& problem, double t, VectorIn z) {
  const int n = problem.shape().nv;
  Check check(problem, t, z);
  const Vector v = z.tail(n);
  const double speed = largest(v) > 0 ? largest(v) : 1;
  for (const Vector& velocity :
       {v, Vector(speed * generic(n, 0.7)), Vector(1e-3 * speed * generic(n, 1.3))}) {
    Derivative D;
    const Found left = check.velocity_dependence(velocity, D);
    if (left.vanishes() || !left.part.allFinite()) continue;
    const bool damping = largest(check.symmetric(D)) > limit * left.terms;
    refuse(problem,
           damping ? "forces depend on velocities as damping or drive does"
                   : "forces depend on velocities as those of a magnet do, with momenta other than M v",
           check.worst(left, D), left.terms, "v");
  }
  for (const Vector& velocity :
       {v, Vector(speed * generic(n, 0.7)), Vector(1e-3 * speed * generic(n, 1.3))}) {
    const Found odd = check.odd_in_velocity(velocity);
    if (odd.vanishes() || !odd.part.allFinite()) continue;
    Eigen::Index row = 0;
    const double size = odd.part.cwiseAbs().col(0).maxCoeff(&row);
    throw InputError(
        fmt::format("rattle: the force on {} changes by {:.3g} when all velocities are reversed (limit "
                    "{:.2g}), as friction does, and "
                    "the method would not be symplectic; use rattle:forces=any, generalized-alpha, or radau5",
                    problem.coordinate_name(static_cast<int>(row)), size, limit * odd.terms));
  }
  Derivative A;
  const Found rotation = check.rotation_at_rest(A);
  if (!rotation.vanishes() && rotation.part.allFinite())
    refuse(problem, "forces have no potential", check.worst(rotation, A), rotation.terms, "q");
}

}  // namespace driftless::integrators
