// FieldIteration: what iteration matrices of large mechanisms share (linalg/field_matrix.hpp). Their first two fields of velocities are displacements
// d_0 and changes of velocities d_1,
//
//   (c - W) d_0 - d_1 + .. = N^+ r_0,   W = N^+ (N v)_q N = -w~/2 on turns that unit quaternions stand for
//
// Across the range of N a residual is that of a norm: it is solved for by itself.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/core/system.hpp>
#include <driftless/linalg/field_matrix.hpp>

namespace driftless::formulations {

// Between changes of coordinates and displacements, where it was told to be last.
class FieldPlace {
 public:
  explicit FieldPlace(const Problem& problem) : problem_(problem), q_(Vector::Zero(problem.shape().nq)) {}
  void set(double t, VectorIn q) { t_ = t, q_ = q; }
  void to_displacement(VectorIn change, VectorOut delta) const {  // N^+ change
    problem_.displacement_of(q_, change, delta);
  }
  void to_coordinates(VectorIn delta, VectorOut change) const {  // N delta
    problem_.coordinate_rates(t_, q_, delta, change, work_);
  }

 private:
  const Problem& problem_;
  double t_ = 0;
  Vector q_;
  mutable Workspace work_;
};

template <class Scalar>
class FieldIteration : public IterationMatrix<Scalar> {
 public:
  using typename IterationMatrix<Scalar>::Values;
  enum { displacements, velocities };  // fields

  FieldIteration(std::shared_ptr<const linalg::FieldPattern> pattern, const Shape& shape,
                 const FieldPlace& place)
      : matrix_(pattern),
        x_(Values::Zero(pattern->size())),
        shape_(shape),
        place_(place),
        along_(Values::Zero(shape.nv)),
        across_(Values::Zero(shape.own_kinematics ? shape.nq : 0)),
        moved_(across_),
        real_(Vector::Zero(shape.own_kinematics ? shape.nq : 0)),
        part_(Vector::Zero(shape.nv)) {}

 protected:
  // c d_0 - W d_0 - d_1 in the first equation; `quaternions`: the first of three rates each, v: velocities.
  void put_displacements(Scalar c, const std::vector<int>& quaternions, const Vector& v) {
    matrix_.add_identity(displacements, displacements, c);
    matrix_.add_identity(displacements, velocities, -1.0);
    for (const int first : quaternions) {
      const double* w = v.data() + first;
      const double tilde[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          matrix_.add(displacements, first + i, displacements, first + j, tilde[i][j] / 2);
    }
  }

  // The residuals of both levels to x_, and the increments from it.
  void take_levels(const Eigen::Ref<const Values>& residual, Scalar c) {
    const int nq = shape_.nq, nv = shape_.nv;
    if (shape_.own_kinematics) {
      across_ = residual.head(nq);
      to_displacement(across_, along_);
      to_coordinates(along_, moved_);
      across_ -= moved_;
      if (shape_.norms() == 0 || levels_are_rates_) across_ /= c;
      x_.head(nv) = along_;
    } else {
      x_.head(nv) = residual.head(nv);
    }
    x_.segment(nv, nv) = residual.segment(nq, nv);
  }
  void give_levels(Eigen::Ref<Values> increment) {
    const int nq = shape_.nq, nv = shape_.nv;
    increment.segment(nq, nv) = x_.segment(nv, nv);
    if (shape_.own_kinematics) {
      along_ = x_.head(nv);
      to_coordinates(along_, moved_);
      increment.head(nq) = moved_ + across_;
    } else {
      increment.head(nv) = x_.head(nv);
    }
  }

  linalg::FieldMatrix<Scalar> matrix_;
  Values x_;
  bool levels_are_rates_ = false;  // the equations across the range of N, too: those of an ODE

 private:
  void to_displacement(const Values& change, Values& delta) {
    if constexpr (std::is_same_v<Scalar, double>) {
      place_.to_displacement(change, delta);
    } else {
      real_ = change.real();
      place_.to_displacement(real_, part_);
      delta.real() = part_;
      real_ = change.imag();
      place_.to_displacement(real_, part_);
      delta.imag() = part_;
    }
  }
  void to_coordinates(const Values& delta, Values& change) {
    if constexpr (std::is_same_v<Scalar, double>) {
      place_.to_coordinates(delta, change);
    } else {
      part_ = delta.real();
      place_.to_coordinates(part_, real_);
      change.real() = real_;
      part_ = delta.imag();
      place_.to_coordinates(part_, real_);
      change.imag() = real_;
    }
  }

  const Shape& shape_;
  const FieldPlace& place_;
  Values along_, across_, moved_;
  Vector real_, part_;
};

}  // namespace driftless::formulations
