// The iteration matrix  c F_y' + F_y  of a constrained system, factored with its structure. Rows and unknowns:
//
//   c dx_j - dx_{j+1} - U_j ds = r_j                      levels j < m-1, eliminated by hand:
//                                                         dx_j = (dx_{j+1} + U_j ds + r_j)/c
//   (c M + A_{m-1}) dx_{m-1} + sum A_j dx_j + S ds = r    top
//   sum C_j dx_j + E ds = r_c                             constraints; E = 0 for most
//
// What is left is a saddle-point matrix of nv + ns rows,
//   [ c M + sum A_j/c^(m-1-j)   S + sum A_j Y_j ] [dx_{m-1}]        Y_j = (Y_{j+1} + U_j)/c,  Y_{m-1} = 0
//   [ sum C_j/c^(m-1-j)         E + sum C_j Y_j ] [ds      ]
// factored as such (linalg/bordered_lu.hpp). Y has the columns of multipliers that push only; those of forces are zero.
// All derivatives are along displacements; where q' = N v, displacements of x_0 obey
//   (c - W) d_0 = dx_1 + U_0 ds + .. ,   W = N^+ (N v)_q N
#pragma once

#include <algorithm>

#include <driftless/core/system.hpp>
#include <driftless/linalg/blocks.hpp>
#include <driftless/linalg/bordered_lu.hpp>
#include <driftless/linalg/dense_lu.hpp>

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
        m_(at.layout.order),
        nv_(at.layout.nv),
        ns_(static_cast<int>(at.C.rows())),
        pushes_(at.pushes()),
        rows_(nv_ + ns_),
        padded_rows_(linalg::blocks::up(rows_)),
        padded_nv_(linalg::blocks::up(nv_)),
        padded_pushes_(linalg::blocks::up(pushes_)),
        AC_(Square::Zero(padded_rows_, m_ * padded_nv_)),
        top_(Square::Zero(padded_rows_, rows_)),
        lu_(nv_, ns_),
        U_(Square::Zero(padded_nv_, (m_ - 1) * padded_pushes_)),
        Y_(Square::Zero(padded_nv_, pushes_)),
        pushed_(Y_),
        kinematics_(at.own_kinematics ? nv_ : 0),
        E_(Square::Zero(at.own_kinematics ? padded_nv_ : 0, nv_)),
        right_(Values::Zero(padded_rows_ + 4)),
        levels_(Values::Zero(m_ * padded_nv_)),
        residuals_(levels_),
        push_(Values::Zero(padded_nv_)),
        along_(Values::Zero(nv_)),
        across_(Values::Zero(at.own_kinematics ? at.layout.nq : 0)),
        displaced_(at.push_metric.cwiseSqrt()),
        pulled_(at.forces ? displaced_ : Vector(displaced_.cwiseInverse())) {}

  Status factor(Scalar c) override {
    c_ = c;
    ++work_.factorizations;
    if (at_.own_kinematics)
      if (const Status status = factor_kinematics(); status != Status::ok) return status;
    for (int j = 0; j < m_; ++j)
      for (int k = 0; k < nv_; ++k) {
        Scalar* to = AC_.data() + (j * padded_nv_ + k) * padded_rows_;
        std::copy_n(at_.A.data() + (j * nv_ + k) * nv_, nv_, to);
        std::copy_n(at_.C.data() + (j * nv_ + k) * ns_, ns_, to + nv_);
      }
    top_.leftCols(nv_) = AC_.middleCols((m_ - 1) * padded_nv_, nv_);
    if (at_.forces)
      top_.topLeftCorner(nv_, nv_) += c * at_.M.template cast<Scalar>();
    else
      top_.topLeftCorner(nv_, nv_).diagonal().array() += c;
    top_.rightCols(ns_).setZero();
    for (int k = 0; k < ns_; ++k)
      std::copy_n(at_.S.data() + k * nv_, nv_, top_.data() + (nv_ + k) * padded_rows_);
    if (at_.E.size() > 0)
      for (int k = 0; k < ns_; ++k)
        std::copy_n(at_.E.data() + k * ns_, ns_, top_.data() + (nv_ + k) * padded_rows_ + nv_);
    Y_.setZero();
    Scalar power = 1;
    for (int j = m_ - 2; j >= 0; --j) {
      auto U = U_.middleCols(j * padded_pushes_, pushes_);
      U.topRows(nv_) = at_.U.block(j * nv_, ns_ - pushes_, nv_, pushes_).template cast<Scalar>();
      if (j == 0 && at_.own_kinematics) {
        pushed_ = Y_ + U;
        Y_.noalias() = E_.lazyProduct(pushed_.topRows(nv_));
        add_product(j, E_, 0);
      } else {
        Y_ = (Y_ + U) / c;
        top_.leftCols(nv_) += AC_.middleCols(j * padded_nv_, nv_) * (power /= c);
      }
      add_product(j, Y_, rows_ - pushes_);
    }
    measure();
    if (lu_.factor(top_.topRows(rows_))) return Status::ok;
    if (!top_.allFinite()) return Status::not_finite;
    return at_.dependent() ? Status::rank_loss : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    const int nz = at_.layout.size();
    Scalar *right = right_.data(), *top = level(m_ - 1);
    std::copy_n(residual.data() + nz - nv_, rows_, right);  // the top rows, and those of the constraints
    std::fill(right + rows_, right + right_.size(), Scalar(0));
    // What the residuals of the levels alone amount to.
    std::fill(top, top + padded_nv_, Scalar(0));
    for (int j = m_ - 2; j >= 0; --j) {
      std::copy_n(residual.data() + at_.layout.offset(j), nv_, residuals_.data() + j * padded_nv_);
      lift(j, level(j + 1), residual);
      linalg::blocks::subtract_product(0, padded_rows_, right, padded_nv_, AC(j), padded_rows_, level(j));
    }
    for (Eigen::Index i = 0; i < displaced_.size(); ++i) right_[i] *= pulled_[i];
    lu_.solve(right_.head(rows_));
    for (Eigen::Index i = 0; i < displaced_.size(); ++i) right_[i] *= displaced_[i];
    std::copy_n(right, nv_, top);
    for (int j = m_ - 2; j >= 0; --j) {
      std::copy_n(level(j + 1), padded_nv_, push_.data());
      linalg::blocks::add_product(0, padded_nv_, push_.data(), padded_pushes_,
                                  U_.data() + j * padded_pushes_ * padded_nv_, padded_nv_,
                                  right + rows_ - pushes_);
      lift(j, push_.data(), residual);
    }
    Scalar* to = increment.data();
    for (int j = 0; j < m_; ++j) std::copy_n(level(j), nv_, to + at_.layout.offset(j));
    if (at_.own_kinematics) {
      auto dq = increment.head(at_.layout.nq);
      dq = across_;
      dq.noalias() += at_.N.template cast<Scalar>().lazyProduct(levels_.head(nv_));
    }
    std::copy_n(right + nv_, ns_, to + nz);
  }

  // The displacements of all levels, and s, that answer unit residuals (along displacements) of the levels 0, .., levels - 1: a column for
  // each. Without multipliers that push.
  void unit_responses(int levels, Eigen::Ref<Square> Z) {
    const int count = levels * nv_, s = m_ * nv_;
    const auto E = E_.topRows(at_.own_kinematics ? nv_ : 0);
    if (units_.cols() == 0) units_.setZero(linalg::blocks::up(count), rows_);
    units_.setZero();
    for (int j = 0; j < levels; ++j) {
      auto of_level = units_.middleRows(j * nv_, nv_);
      if (j == m_ - 1) of_level.leftCols(nv_).setIdentity();
      Scalar power = 1;
      for (int l = j; l >= 0 && j < m_ - 1; --l) {
        const auto AC = AC_.block(0, l * padded_nv_, rows_, nv_);
        if (l > 0 || !at_.own_kinematics)
          of_level -= AC.transpose() * (power /= c_);
        else
          of_level -= power * AC.lazyProduct(E).transpose();
      }
    }
    for (Eigen::Index i = 0; i < displaced_.size(); ++i) units_.col(i) *= pulled_[i];
    lu_.solve_rows(units_);
    for (Eigen::Index i = 0; i < displaced_.size(); ++i) units_.col(i) *= displaced_[i];
    Z.middleRows(s - nv_, nv_).leftCols(count) = units_.topRows(count).leftCols(nv_).transpose();
    Z.middleRows(s, ns_).leftCols(count) = units_.topRows(count).rightCols(ns_).transpose();
    for (int j = m_ - 2; j >= 0; --j) {
      auto of_level = Z.middleRows(j * nv_, nv_).leftCols(count);
      of_level = Z.middleRows((j + 1) * nv_, nv_).leftCols(count);
      if (j < levels) of_level.middleCols(j * nv_, nv_).diagonal().array() += Scalar(1);
      if (j > 0 || !at_.own_kinematics) {
        of_level /= c_;
        continue;
      }
      for (int k = 0; k < count; ++k) {
        along_ = of_level.col(k);
        of_level.col(k).noalias() = E.lazyProduct(along_);
      }
    }
  }

 private:
  // Displacements of long bodies by the points that they move, and what changes them accordingly: rows of constraints are not all angles then.
  void measure() {
    for (Eigen::Index i = 0; i < displaced_.size(); ++i) top_.col(i) *= displaced_[i];
    for (Eigen::Index i = 0; i < displaced_.size(); ++i) top_.row(i) *= pulled_[i];
  }

  Scalar* level(int j) { return levels_.data() + j * padded_nv_; }
  const Scalar* AC(int j) const { return AC_.data() + j * padded_nv_ * padded_rows_; }

  Status factor_kinematics() {
    auto E = E_.topRows(nv_);
    E = -at_.W.template cast<Scalar>();
    E.diagonal().array() += c_;
    if (!kinematics_.factor(E)) return Status::singular_step;
    for (int j = 0; j < nv_; ++j) {
      along_.setZero();
      along_(j) = 1;
      kinematics_.solve(along_, E.col(j));
    }
    return Status::ok;
  }

  // [A_j; C_j] X is added to the columns of top_ from `first` on.
  void add_product(int j, const Square& X, int first) {
    for (int k = 0; k < X.cols(); ++k)
      linalg::blocks::add_product(0, padded_rows_, top_.data() + (first + k) * padded_rows_, padded_nv_,
                                  AC(j), padded_rows_, X.data() + k * padded_nv_);
  }

  // Level j from push = dx_{j+1} + U_j ds and the residual of that level.
  void lift(int j, const Scalar* push, const Eigen::Ref<const Values>& residual) {
    using linalg::blocks::at;
    if (j > 0 || !at_.own_kinematics) {
      const Scalar* r = residuals_.data() + j * padded_nv_;
      for (int i = 0; i < padded_nv_; i += 4) at(level(j) + i) = (at(push + i) + at(r + i)) / c_;
      return;
    }
    // dq = N d_0 + across, where across is the part of the residual that is orthogonal to N: the norms' own.
    const auto r = residual.head(at_.layout.nq);
    along_.noalias() = at_.N_plus.template cast<Scalar>().lazyProduct(r);
    across_ = r;
    across_.noalias() -= at_.N.template cast<Scalar>().lazyProduct(along_);
    if (!at_.normalized) across_ /= c_;
    along_ += Eigen::Map<const Values>(push, nv_);
    levels_.head(padded_nv_).noalias() = E_.lazyProduct(along_);
  }

  const Linearization& at_;
  Work& work_;
  const int m_, nv_, ns_, pushes_, rows_, padded_rows_, padded_nv_, padded_pushes_;
  Scalar c_ = 0;
  // Columns and, where they are multiplied, numbers of columns are padded to whole blocks (blocks.hpp).
  Square AC_;   // [A; C], a level after the other
  Square top_;  // what is left, the constraint rows last
  linalg::BorderedLu<Scalar> lu_;
  Square U_;  // of multipliers that push, a level after the other
  Square Y_, pushed_;
  linalg::DenseLu<Scalar> kinematics_;
  Square E_;  // (c - W)^-1
  Square units_;
  Values right_, levels_, residuals_, push_, along_, across_;
  const Vector displaced_, pulled_;  // units of displacements and of top rows; empty: those of the model
};

}  // namespace driftless::formulations
