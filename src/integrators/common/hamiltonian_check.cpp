#include "hamiltonian_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

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

class Check {
 public:
  Check(const Problem& problem, double t, VectorIn z)
      : problem_(problem), n_(problem.shape().nv), t_(t), z_(z) {
    problem_.evaluate(Part::jacobian, Point(t_, z_), e_);
    G_ = e_.G;
    saddle_ = linalg::SaddlePoint({n_, problem.shape().ng, linalg::MassStructure::identity, {}});
    projects_ = G_.allFinite() && saddle_.factor(Matrix::Identity(n_, n_), G_) == linalg::FactorStatus::ok;
  }

  // P of that a.
  const Matrix& mass_product(VectorIn a) {
    problem_.evaluate(Part::mass_product_jacobian, Point(t_, z_, a, none_, none_), e_);
    return e_.Ma_x;
  }

  Found velocity_dependence(VectorIn v) {
    z_.tail(n_) = v;
    problem_.evaluate(Part::force_jacobian, Point(t_, z_), e_);
    const Matrix f_v = e_.f_z.rightCols(n_);
    Matrix by_a(n_, n_);
    for (int j = 0; j < n_; ++j) by_a.col(j) = mass_product(Vector::Unit(n_, j)) * v;
    const Matrix P = mass_product(v);
    return {across(f_v + P + by_a - P.transpose()), std::max({largest(f_v), largest(P), largest(by_a)})};
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

  Found rotation_at_rest() {
    z_.tail(n_).setZero();
    problem_.evaluate(Part::force_jacobian, Point(t_, z_), e_);
    const Matrix f_q = e_.f_z.leftCols(n_);
    return {across(across(f_q - f_q.transpose()).transpose()), largest(f_q)};
  }

  // Columns less their parts along G^T.
  Matrix across(Matrix A) const {
    if (!projects_) return A;
    Vector l(G_.rows());
    const Vector r = Vector::Zero(G_.rows());
    for (int j = 0; j < A.cols(); ++j) saddle_.solve(Vector(A.col(j)), r, A.col(j), l);
    return A;
  }

 private:
  const Problem& problem_;
  const int n_;
  const double t_;
  Vector z_;
  const Vector none_;
  Matrix G_;
  linalg::SaddlePoint saddle_;
  bool projects_ = false;
  Evaluation e_;
};

[[noreturn]] void refuse(const Problem& problem, const char* what, const Found& found, const char* by) {
  Eigen::Index i = 0, j = 0;
  const double size = found.part.cwiseAbs().maxCoeff(&i, &j);
  const int row = static_cast<int>(i), column = static_cast<int>(j);
  throw InputError(
      fmt::format("rattle: {}: the force on {} has a derivative by {} of which {:.3g} is left over (limit "
                  "{:.2g}), and the "
                  "method would not be symplectic; use rattle:forces=any, generalized-alpha, or radau5",
                  what, problem.coordinate_name(row),
                  by[0] == 'v' ? problem.velocity_name(column) : problem.coordinate_name(column), size,
                  limit * found.terms));
}

}  // namespace

bool mass_changes_at(const Problem& problem, double t, VectorIn z) {
  if (problem.shape().mass == linalg::MassStructure::identity) return false;
  return largest(Check(problem, t, z).mass_product(generic(problem.shape().nv, 0.9))) != 0;
}

void check_mass_of_time(const Problem& problem, double t, VectorIn z) {
  if (problem.shape().mass == linalg::MassStructure::identity) return;
  Evaluation e;
  problem.evaluate(Part::mass, Point(t, z), e);
  const Matrix M = e.M;
  for (const double later : {1e-3, 0.1, 0.77, 5.3}) {
    problem.evaluate(Part::mass, Point(t + later, z), e);
    compare_masses(M, t, e.M, t + later);
  }
}

void compare_masses(const Matrix& M, double t, const Matrix& M_later, double t_later) {
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
    const Found D = check.velocity_dependence(velocity);
    if (D.vanishes() || !D.part.allFinite()) continue;
    const Matrix along = check.across(D.part.transpose());
    const bool damping = largest(along + along.transpose()) > limit * D.terms;
    refuse(problem,
           damping ? "forces depend on velocities as damping or drive does"
                   : "forces depend on velocities as those of a magnet do, with momenta other than M v",
           D, "v");
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
  const Found rotation = check.rotation_at_rest();
  if (!rotation.vanishes() && rotation.part.allFinite())
    refuse(problem, "forces have no potential", rotation, "q");
}

}  // namespace driftless::integrators
