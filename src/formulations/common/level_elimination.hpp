// The iteration matrix  c F_y' + F_y  of a constrained system, factored with its structure. Rows and unknowns:
//
//   c dx_j - dx_{j+1} - U_j ds = r_j                      levels j < m-1, eliminated by hand:
//                                                         dx_j = (dx_{j+1} + U_j ds + r_j)/c
//   (c M + A_{m-1}) dx_{m-1} + sum A_j dx_j + S ds = r    top
//   sum C_j dx_j = r_c                                    constraints
//
// What is left is a saddle-point matrix of nv + ns rows,
//   [ c M + sum A_j/c^(m-1-j)   S + sum A_j Y_j ] [dx_{m-1}]        Y_j = (Y_{j+1} + U_j)/c,  Y_{m-1} = 0
//   [ sum C_j/c^(m-1-j)         sum C_j Y_j     ] [ds      ]
// factored as such (linalg/bordered_lu.hpp). All derivatives are along displacements; where q' = N v, displacements of x_0 obey
//   (c - W) d_0 = dx_1 + U_0 ds + .. ,   W = N^+ (N v)_q N
#pragma once

#include <driftless/core/system.hpp>
#include <driftless/linalg/bordered_lu.hpp>
#include <driftless/linalg/dense_lu.hpp>
#include <driftless/linalg/rank.hpp>

#include "linearization.hpp"

namespace driftless::formulations {

template <class Scalar>
class LevelElimination final : public IterationMatrix<Scalar> {
  using typename IterationMatrix<Scalar>::Values;
  using Square = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  LevelElimination(const Linearization& at, Work& work)
      : at_(at),
        work_(work),
        nv_(at.layout.nv),
        ns_(static_cast<int>(at.C.rows())),
        top_(Square::Zero(nv_ + ns_, nv_ + ns_)),
        lu_(nv_, ns_),
        Y_(Square::Zero(at.layout.tangent_size(), ns_)),
        pushed_(Square::Zero(nv_, ns_)),
        kinematics_(at.own_kinematics ? nv_ : 0),
        E_(Square::Zero(at.own_kinematics ? nv_ : 0, nv_)),
        right_(Values::Zero(nv_ + ns_)),
        levels_(Values::Zero(at.layout.tangent_size())),
        push_(Values::Zero(nv_)),
        along_(Values::Zero(nv_)),
        across_(Values::Zero(at.own_kinematics ? at.layout.nq : 0)) {}

  Status factor(Scalar c) override {
    c_ = c;
    ++work_.factorizations;
    if (at_.own_kinematics)
      if (const Status status = factor_kinematics(); status != Status::ok) return status;
    const int m = at_.layout.order;
    auto K = top_.topLeftCorner(nv_, nv_);
    auto border = top_.topRightCorner(nv_, ns_);
    auto rows = top_.bottomLeftCorner(ns_, nv_);
    auto corner = top_.bottomRightCorner(ns_, ns_);
    K.setZero();
    if (at_.forces)
      K = c * at_.M.template cast<Scalar>();
    else
      K.diagonal().setConstant(c);
    border = at_.S.template cast<Scalar>();
    rows.setZero();
    corner.setZero();
    Y_.bottomRows(nv_).setZero();
    Scalar power = 1;
    for (int j = m - 1; j >= 0; --j) {
      const auto A = at_.A.middleCols(j * nv_, nv_), C = at_.C.middleCols(j * nv_, nv_);
      auto Y = Y_.middleRows(j * nv_, nv_);
      if (j < m - 1) {
        Y = Y_.middleRows((j + 1) * nv_, nv_) + at_.U.middleRows(j * nv_, nv_).template cast<Scalar>();
        if (j == 0 && at_.own_kinematics) {
          pushed_ = Y;
          Y.noalias() = E_.lazyProduct(pushed_);
          K.noalias() += A.template cast<Scalar>().lazyProduct(E_);
          rows.noalias() += C.template cast<Scalar>().lazyProduct(E_);
        } else {
          Y /= c;
        }
        border.noalias() += A.template cast<Scalar>().lazyProduct(Y);
        corner.noalias() += C.template cast<Scalar>().lazyProduct(Y);
        if (j == 0 && at_.own_kinematics) break;
      }
      K += A.template cast<Scalar>() * power;
      rows += C.template cast<Scalar>() * power;
      power /= c;
    }
    if (!top_.allFinite()) return Status::not_finite;
    if (lu_.factor(top_)) return Status::ok;
    return linalg::rank(at_.constraints) < at_.constraints.rows() ? Status::rank_loss : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    const int m = at_.layout.order, nz = at_.layout.size();
    const auto s = right_.tail(ns_);
    // What the residuals of the levels alone amount to.
    levels_.tail(nv_).setZero();
    for (int j = m - 2; j >= 0; --j) {
      push_ = levels_.segment((j + 1) * nv_, nv_);
      lift(j, residual);
    }
    right_.head(nv_) = residual.segment(nz - nv_, nv_);
    right_.tail(ns_) = residual.tail(ns_);
    for (int j = 0; j < m - 1; ++j) {
      const auto level = levels_.segment(j * nv_, nv_);
      right_.head(nv_).noalias() -= at_.A.middleCols(j * nv_, nv_).template cast<Scalar>().lazyProduct(level);
      right_.tail(ns_).noalias() -= at_.C.middleCols(j * nv_, nv_).template cast<Scalar>().lazyProduct(level);
    }
    lu_.solve(right_);
    levels_.tail(nv_) = right_.head(nv_);
    for (int j = m - 2; j >= 0; --j) {
      push_ = levels_.segment((j + 1) * nv_, nv_);
      push_.noalias() += at_.U.middleRows(j * nv_, nv_).template cast<Scalar>().lazyProduct(s);
      lift(j, residual);
    }
    if (at_.own_kinematics && m > 1) {
      increment.head(at_.layout.nq) = across_;
      increment.head(at_.layout.nq).noalias() += at_.N.template cast<Scalar>().lazyProduct(levels_.head(nv_));
      increment.segment(at_.layout.nq, nz - at_.layout.nq) = levels_.tail(nz - at_.layout.nq);
    } else {
      increment.head(nz) = levels_;
    }
    increment.tail(ns_) = s;
  }

 private:
  Status factor_kinematics() {
    E_ = -at_.W.template cast<Scalar>();
    E_.diagonal().array() += c_;
    if (!kinematics_.factor(E_)) return Status::singular_step;
    for (int j = 0; j < nv_; ++j) {
      push_.setZero();
      push_(j) = 1;
      kinematics_.solve(push_, E_.col(j));
    }
    return Status::ok;
  }

  // levels_ of level j from push_ = dx_{j+1} + U_j ds and the residual of that level.
  void lift(int j, const Eigen::Ref<const Values>& residual) {
    auto level = levels_.segment(j * nv_, nv_);
    if (j > 0 || !at_.own_kinematics) {
      level = (push_ + residual.segment(at_.layout.offset(j), nv_)) / c_;
      return;
    }
    // dq = N d_0 + across, where across is the part of the residual that is orthogonal to N: the norms' own.
    const auto r = residual.head(at_.layout.nq);
    along_.noalias() = at_.N_plus.template cast<Scalar>().lazyProduct(r);
    push_ += along_;
    across_ = r;
    across_.noalias() -= at_.N.template cast<Scalar>().lazyProduct(along_);
    if (!at_.normalized) across_ /= c_;
    level.noalias() = E_.lazyProduct(push_);
  }

  const Linearization& at_;
  Work& work_;
  const int nv_, ns_;
  Scalar c_ = 0;
  Square top_;
  linalg::BorderedLu<Scalar> lu_;
  Square Y_, pushed_;
  linalg::DenseLu<Scalar> kinematics_;
  Square E_;  // (c - W)^-1
  Values right_, levels_, push_, along_, across_;
};

}  // namespace driftless::formulations
