// FieldIteration: what iteration matrices of large mechanisms share (linalg/field_matrix.hpp). Their first two fields of velocities are displacements
// d_0 and changes of velocities d_1,
//
//   (c - W) d_0 - d_1 + .. = N^+ r_0,   W = N^+ (N v)_q N = -w~/2 on turns that unit quaternions stand for
//
// Across the range of N a residual is that of a norm: it is solved for by itself.
//
// Rows and columns without zeros (those of invariants) are a border of few rows around the fields,
//   A x + B n = r,   D x + E n = s          n = (E - D A^-1 B)^-1 (s - D A^-1 r)
// and fill nothing in.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/core/system.hpp>
#include <driftless/linalg/dense_lu.hpp>
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

// A and what stands beside accelerations in M a + C^T l = f, C a + c = r, along displacements; where rows are left out, so are their parts.
struct AccelerationParts {
  const SparseParts& at;
  const linalg::SparseRows& C;
  const std::vector<double>& M;
  const std::vector<char>& left_out;
};

template <class Scalar>
class FieldIteration : public IterationMatrix<Scalar> {
 public:
  using typename IterationMatrix<Scalar>::Values;
  using Columns = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  struct Border {
    Columns columns = {}, rows = {}, corner = {};  // B, D, E
  };
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

  // The fields of accelerations and of their multipliers l:
  //   A_0 d_0 + A_1 d_1 + M da + C^T dl = 0            A_0 = -f_x + (M a)_x + (C^T l)_x,  A_1 = -f_v
  //   (C a + c)_x d_0 + (C a + c)_v d_1 + C da         in the equations of l
  void put_accelerations(int accelerations, const AccelerationParts& parts) {
    const SparseParts& at = parts.at;
    matrix_.add_mass(accelerations, accelerations, parts.M, 1.0);
    put_forces(accelerations, at);
    if (matrix_.pattern().rows() == 0) return;
    matrix_.add_transposed(accelerations, 0, parts.C, 1.0);
    matrix_.add_rows(0, accelerations, parts.C, 1.0, parts.left_out);
    matrix_.add_rows(0, displacements, at.c_x, 1.0, parts.left_out);
    matrix_.add_rows(0, velocities, at.c_v, 1.0, parts.left_out);
  }
  // A_0 d_0 + A_1 d_1 in the equations of that field.
  void put_forces(int field, const SparseParts& at) {
    matrix_.add_pairs(field, displacements, at.Bl_x, 1.0);
    matrix_.add_pairs(field, displacements, at.by_x, -1.0);
    matrix_.add_pairs(field, velocities, at.by_v, -1.0);
  }
  // by_g times g and by_rate times g', or w for that, by displacements, in the equations of a field of rows.
  void put_rates(int field, double by_g, double by_rate, const linalg::SparseRows& C,
                 const linalg::SparseRows& L, const std::vector<char>& left_out) {
    if (by_g != 0) matrix_.add_rows(field, displacements, C, by_g, left_out);
    if (by_rate == 0) return;
    matrix_.add_rows(field, displacements, L, by_rate, left_out);
    matrix_.add_rows(field, velocities, C, by_rate, left_out);
  }

  // A, and the border around it. What is left of larger numbers that cancelled is roundoff.
  bool factor_fields(const Border& border = {}) {
    if (!matrix_.factor()) return false;
    const auto count = static_cast<int>(border.corner.rows());
    if (count == 0) return true;
    border_rows_ = border.rows;
    answers_ = border.columns;
    for (int k = 0; k < count; ++k) {
      column_ = answers_.col(k);
      matrix_.solve(column_);
      answers_.col(k) = column_;
    }
    const Columns corner = border.corner - border_rows_ * answers_;
    const Matrix terms = border.corner.cwiseAbs() + border_rows_.cwiseAbs() * answers_.cwiseAbs();
    if (!(corner.cwiseAbs().maxCoeff() > linalg::block_pivot_limit * terms.maxCoeff())) return false;
    corner_ = linalg::DenseLu<Scalar>(count);
    return corner_.factor(corner);
  }
  // x_ and, in `border`, what belongs to the rows around it.
  void solve_fields(Eigen::Ref<Values> border) {
    matrix_.solve(x_);
    if (border.size() == 0) return;
    border.noalias() -= border_rows_ * x_;
    corner_.solve(border, border);
    x_.noalias() -= answers_ * border;
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
  Values border_;                  // residuals of the rows around the fields, then their unknowns
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
  Columns answers_, border_rows_;  // A^-1 B, D
  Values column_;
  linalg::DenseLu<Scalar> corner_;  // E - D A^-1 B
};

}  // namespace driftless::formulations
