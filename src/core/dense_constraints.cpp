#include "dense_constraints.hpp"

namespace driftless {

namespace {

Vector levers_of(const Problem& problem) {
  return problem.scales(0, Vector::Zero(problem.shape().nq)).levers;
}

linalg::SaddleShape saddle_shape(const Shape& s, int rows, bool by_mass, bool by_points) {
  if (by_mass) return {s.nv, rows, s.mass, s.mass_blocks};
  return {s.nv, rows, by_points ? linalg::MassStructure::diagonal : linalg::MassStructure::identity, {}};
}

}  // namespace

DenseConstraints::DenseConstraints(const Problem& problem, Of of, Metric metric, For use)
    : ConstraintSolver(of, use),
      shape_(problem.shape()),
      nk_(of == Of::all ? shape_.nk : 0),
      metric_(metric),
      C_(Matrix::Zero(nk_ > 0 ? shape_.ng + nk_ : 0, shape_.nv)) {
  const bool by_mass = metric == Metric::mass;
  const Vector levers = by_mass ? Vector() : levers_of(problem);
  if (levers.size() > 0) points_ = levers.cwiseAbs2().asDiagonal();
  saddle_ = linalg::SaddlePoint(saddle_shape(shape_, shape_.ng + nk_, by_mass, levers.size() > 0));
}

const Matrix& DenseConstraints::rows_of(const Evaluation& e) {
  if (nk_ == 0) return e.G;
  if (shape_.ng > 0) C_.topRows(shape_.ng) = e.G;
  C_.bottomRows(nk_) = e.K;
  return C_;
}

const Matrix& DenseConstraints::pushes_of(const Evaluation& e) {
  const int ng = shape_.ng;
  B_.resize(shape_.nv, ng + nk_);
  if (ng > 0 && shape_.given_input)
    B_.leftCols(ng) = e.B;
  else if (ng > 0)
    B_.leftCols(ng) = e.G.transpose();
  if (nk_ > 0) B_.rightCols(nk_) = e.K.transpose();
  return B_;
}

Status DenseConstraints::factor(const Problem& problem, double t, VectorIn z, const Evaluation& forces,
                                const Evaluation& rows) {
  const Matrix& M = metric_ == Metric::mass ? forces.M : points_;
  const bool symmetric = &forces == &rows && (metric_ == Metric::points || !shape_.given_input);
  const Matrix& C = rows_of(rows);
  return symmetric ? rank_.factor(saddle_, problem, t, z, M, C)
                   : rank_.factor(saddle_, problem, t, z, M, pushes_of(forces), C);
}

void DenseConstraints::solve(const Evaluation&, VectorIn f, VectorIn r, VectorOut a, VectorOut l) {
  saddle_.solve(f, r, a, l);
}

bool DenseConstraints::contradicts(const Evaluation& rows, VectorIn a, VectorIn r, double free,
                                   double curved) const {
  static const Matrix none;
  return !full() && rank_.contradicts({rows.G, nk_ > 0 ? rows.K : none}, a, r, free, curved);
}

}  // namespace driftless
