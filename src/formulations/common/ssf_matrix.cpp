#include "ssf_matrix.hpp"

#include <algorithm>
#include <limits>

#include <driftless/linalg/blocks.hpp>
#include <driftless/linalg/congruent_lu.hpp>

#include "level_elimination.hpp"

namespace driftless::formulations {

namespace {

using linalg::blocks::up;

class SsfMatrix final : public IterationMatrix<double> {
 public:
  SsfMatrix(const Linearization& at, int levels, Work& work)
      : at_(at),
        A_1_(at, work),
        nv_(at.layout.nv),
        nz_(at.layout.size()),
        ns_(static_cast<int>(at.C.rows())),
        rows_(at.beside()),
        columns_(levels * nv_),
        padded_columns_(up(columns_)),
        padded_all_(up(at.layout.tangent_size() + ns_)),
        Z_(Matrix::Zero(padded_all_, padded_columns_)),
        ZW_(Z_),
        Q_(rows_, columns_),
        moved_(Vector::Zero(padded_all_)),
        push_(Vector::Zero(padded_columns_)),
        m_(Vector::Zero(rows_)) {}

  Status factor(double c) override {
    if (const Status status = A_1_.factor(c); status != Status::ok) return status;
    A_1_.unit_responses(columns_ / nv_, Z_);
    weigh();
    const int left_out = static_cast<int>(at_.beside_left_out.size());
    if (m_.size() != rows_ - left_out) {
      Q_ = linalg::CongruentLu(rows_ - left_out, columns_);
      m_.setZero(rows_ - left_out);
    }
    return Status::ok;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    A_1_.solve(residual.head(nz_ + ns_), increment);
    if (at_.tau != tau_) weigh();
    const bool all = at_.beside_left_out.empty();
    if (!all) A_2_ = at_.A2(at_.beside_imposed(), Eigen::all).leftCols(columns_);
    if (!Q_.factor(all ? at_.A2.data() : A_2_.data(), ZW_.data(),
                   padded_all_)) {                                      // its other columns are zero
      increment.setConstant(std::numeric_limits<double>::quiet_NaN());  // a step that cannot be made
      return;
    }
    to_displacement(increment, moved_);
    const auto r_2 = residual.tail(rows_);
    if (all)
      m_ = r_2;
    else
      m_ = r_2(at_.beside_imposed());
    Q_.times_minus(moved_.data(), m_.data());
    Q_.solve(m_.data());
    Q_.transposed_times(m_.data(), push_.data());
    moved_.setZero();
    linalg::blocks::subtract_product(0, padded_all_, moved_.data(), padded_columns_, ZW_.data(), padded_all_,
                                     push_.data());
    add_displacement(increment);
  }

 private:
  void weigh() {
    tau_ = at_.tau;
    ZW_ = Z_;
    const int levels = columns_ / nv_;
    for (int j = 0; j < levels && at_.push_metric.size() > 0; ++j)
      ZW_.middleCols(j * nv_, nv_).array().rowwise() *= at_.push_metric.transpose().array();
    for (int j = 0; j + 1 < levels; ++j) ZW_.middleCols(j * nv_, nv_) *= at_.beside_weight(j, levels);
  }
  // Of all levels, and the multipliers behind them.
  void to_displacement(VectorIn increment, Eigen::Ref<Vector> moved) const {
    const int nq = at_.layout.nq;
    if (!at_.own_kinematics) {
      std::copy_n(increment.data(), nz_ + ns_, moved.data());
      return;
    }
    moved.head(nv_).noalias() = at_.N_plus.lazyProduct(increment.head(nq));
    moved.segment(nv_, nz_ - nq + ns_) = increment.tail(nz_ - nq + ns_);
  }
  void add_displacement(Eigen::Ref<Values> increment) const {
    const int nq = at_.layout.nq;
    if (!at_.own_kinematics) {
      increment += moved_.head(nz_ + ns_);
      return;
    }
    increment.head(nq).noalias() += at_.N.lazyProduct(moved_.head(nv_));
    increment.tail(nz_ - nq + ns_) += moved_.segment(nv_, nz_ - nq + ns_);
  }

  const Linearization& at_;
  LevelElimination<double> A_1_;
  const int nv_, nz_, ns_, rows_, columns_, padded_columns_, padded_all_;
  Matrix A_2_;  // without rows left out
  Matrix Z_;    // columns of A_1^-1, padded to whole blocks (blocks.hpp)
  Matrix ZW_;   // the same for the unit of time tau_
  double tau_ = 1;
  linalg::CongruentLu Q_;
  Vector moved_, push_, m_;
};

}  // namespace

std::unique_ptr<IterationMatrix<double>> ssf_matrix(const Linearization& at, int levels, Work& work) {
  return std::make_unique<SsfMatrix>(at, levels, work);
}

}  // namespace driftless::formulations
