#include "level_ode.hpp"

namespace driftless::formulations {

LevelOde::LevelOde(const Problem& problem)
    : problem_(problem), shape_(problem.shape()), layout_(shape_.layout()), kinematics_(problem) {}

Status LevelOde::level_jacobian(double t, VectorIn y, const Matrix& a_z, MatrixOut rhs_y) {
  const int nv = shape_.nv, nq = shape_.nq;
  rhs_y.setZero();
  const int rest = (layout_.order - 1) * nv;  // columns of the levels from 1 on
  if (shape_.own_kinematics) {
    problem_.evaluate(Part::kinematics | Part::kinematics_jacobian, Point(t, y), kinematic_parts_);
    rhs_y.topLeftCorner(nq, nq) = kinematic_parts_.Nv_q;
    rhs_y.block(0, nq, nq, nv) = kinematic_parts_.N;
  } else {
    rhs_y.block(0, nq, rest, rest).diagonal().setOnes();
  }
  kinematics_.by_coordinates(t, y, a_z, rhs_y.bottomRows(nv));
  return rhs_y.allFinite() ? Status::ok : Status::not_finite;
}

}  // namespace driftless::formulations
