#include "linearization.hpp"

#include <algorithm>
#include <utility>

#include <driftless/linalg/rank.hpp>

#include "push_metric.hpp"

namespace driftless::formulations {

Linearization::Linearization(const Problem& problem, bool by_forces, int rows, int beside)
    : Linearization(problem.shape(), driftless::formulations::push_metric(problem), by_forces, rows, beside) {
}

Linearization::Linearization(const Shape& shape, Vector metric, bool by_forces, int rows, int beside)
    : layout(shape.layout()),
      own_kinematics(shape.own_kinematics),
      normalized(shape.norms() > 0),
      forces(by_forces),
      M(Matrix::Zero(shape.nv, shape.nv)),
      A(Matrix::Zero(shape.nv, layout.tangent_size())),
      S(Matrix::Zero(shape.nv, rows)),
      C(Matrix::Zero(rows, layout.tangent_size())),
      U(Matrix::Zero(layout.tangent_size(), rows)),
      A2(Matrix::Zero(beside, layout.tangent_size())),
      push_metric(std::move(metric)),
      constraints(Matrix::Zero(shape.multipliers(), shape.nv)) {
  if (!own_kinematics) return;
  W.setZero(shape.nv, shape.nv);
  N.setZero(shape.nq, shape.nv);
  N_plus.setZero(shape.nv, shape.nq);
  NtN_.setZero(shape.nv, shape.nv);
  Nv_qN_.setZero(shape.nq, shape.nv);
  normal_ = linalg::DenseLu<double>(shape.nv);
}

bool Linearization::set_kinematics(const Matrix& of_place) {
  N = of_place;
  NtN_.noalias() = N.transpose().lazyProduct(N);
  if (!normal_.factor(NtN_)) return false;
  for (int i = 0; i < layout.nq; ++i) {
    N_plus.col(i) = N.row(i).transpose();
    normal_.solve(N_plus.col(i), N_plus.col(i));
  }
  return true;
}

void Linearization::set_kinematics_jacobian(const Matrix& Nv_q) {
  Nv_qN_.noalias() = Nv_q.lazyProduct(N);
  W.noalias() = N_plus.lazyProduct(Nv_qN_);
}

void Linearization::leave_out(int row, VectorIn combination) {
  if (E.size() == 0) E.setZero(C.rows(), C.rows());
  C.row(row).setZero();
  E.row(row).setZero();
  E.row(row).head(combination.size()) = combination.transpose();
}

void Linearization::leave_out(int row, int multiplier) {
  leave_out(row, Vector());
  S.col(multiplier).setZero();
  U.col(multiplier).setZero();
  E.col(multiplier).setZero();
  E(row, multiplier) = 1;
}

std::vector<int> Linearization::beside_imposed() const {
  std::vector<int> rows;
  for (int i = 0; i < beside(); ++i)
    if (!std::binary_search(beside_left_out.begin(), beside_left_out.end(), i)) rows.push_back(i);
  return rows;
}

void Linearization::assemble(MatrixOut F_y, MatrixOut F_yp) const {
  const int nv = layout.nv, nq = layout.nq, nz = layout.size(), ns = static_cast<int>(C.rows());
  // Rows of derivatives along displacements, by the entries of z.
  const auto by_entries = [&](const Matrix& along, auto by) {
    by.rightCols(nz - nq) = along.rightCols(nz - nq);
    if (own_kinematics)
      by.leftCols(nq) = along.leftCols(nv) * N_plus;
    else
      by.leftCols(nq) = along.leftCols(nv);
  };
  F_y.setZero();
  F_yp.setZero();
  F_yp.topLeftCorner(nz - nv, nz - nv).setIdentity();
  for (int j = 0; j + 1 < layout.order; ++j) {
    const Matrix speeds = j == 0 && own_kinematics ? N : Matrix::Identity(nv, nv);
    F_y.block(layout.offset(j), layout.offset(j + 1), speeds.rows(), nv) = -speeds;
    F_y.block(layout.offset(j), nz, speeds.rows(), ns) = -speeds * U.middleRows(j * nv, nv);
  }
  if (own_kinematics) {
    const Matrix in_range = normalized ? Matrix(N * N_plus) : Matrix::Identity(nq, nq);
    F_yp.topLeftCorner(nq, nq) = in_range;
    F_y.topLeftCorner(nq, nq) = Matrix::Identity(nq, nq) - in_range - N * W * N_plus;
  }
  F_yp.block(nz - nv, nz - nv, nv, nv) = forces ? M : Matrix::Identity(nv, nv);
  by_entries(A, F_y.block(nz - nv, 0, nv, nz));
  F_y.block(nz - nv, nz, nv, ns) = S;
  by_entries(C, F_y.block(nz, 0, ns, nz));
  if (E.size() > 0) F_y.block(nz, nz, ns, ns) = E;
  if (F_y.rows() > nz + ns) by_entries(A2, F_y.block(nz + ns, 0, beside(), nz));
}

bool Linearization::dependent() const {
  if (push_metric.size() == 0) return linalg::rank(constraints) < constraints.rows();
  const Matrix rows = constraints * push_metric.cwiseSqrt().asDiagonal();
  return linalg::rank(rows) < rows.rows();
}

double Linearization::beside_weight(int level, int levels) const {
  double weight = 1;
  for (int i = level; i + 1 < levels; ++i) weight *= tau * tau;
  return weight;
}

void Linearization::assemble_beside(Matrix& A_2, Matrix& pushes) const {
  const int nv = layout.nv, nq = layout.nq, nz = layout.size(), ns = static_cast<int>(C.rows());
  A_2.setZero(beside(), nz + ns);
  pushes.setZero(nz + ns, beside());
  A_2.middleCols(nq, nz - nq) = A2.rightCols(nz - nq);
  Matrix transposed = A2.transpose();
  for (int j = 0; j < layout.order && push_metric.size() > 0; ++j)
    transposed.middleRows(j * nv, nv).array().colwise() *= push_metric.array();
  pushes.middleRows(nq, nz - nq) = transposed.bottomRows(nz - nq);
  if (own_kinematics) {
    A_2.leftCols(nq) = A2.leftCols(nv) * N_plus;
    pushes.topRows(nq) = N * transposed.topRows(nv);
  } else {
    A_2.leftCols(nq) = A2.leftCols(nv);
    pushes.topRows(nq) = transposed.topRows(nv);
  }
  for (int j = 0; j < layout.order; ++j)
    pushes.middleRows(layout.offset(j), j == 0 ? nq : nv) *= beside_weight(j, layout.order);
}

}  // namespace driftless::formulations
