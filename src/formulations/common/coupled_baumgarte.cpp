#include "coupled_baumgarte.hpp"

#include <optional>

#include <fmt/format.h>

#include <driftless/core/sparse_constraints.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "multiplier_dae.hpp"
#include "sparse_acceleration.hpp"

namespace driftless::formulations {

namespace {

class CoupledBaumgarte final : public MultiplierDae {
 public:
  CoupledBaumgarte(const Problem& problem, const Feedback& feedback, bool curvature)
      : MultiplierDae(problem, sparse_dynamics(problem) ? Storage::sparse : Storage::whole),
        curvature_(curvature),
        feedback_(problem, feedback),
        parts_(matrices_),
        multipliers_(Vector::Zero(ns_)),
        a_(Vector::Zero(shape_.nv)) {
    if (matrices_ == Storage::sparse)
      sparse_.emplace(problem, std::nullopt, SparseAcceleration::Unknowns::levels_and_multipliers);
    else
      r_z_.setZero(ns_, layout_.tangent_size());
  }

  std::string explain(Status status, double t, VectorIn y) const override {
    if (status == Status::singular_step || status == Status::rank_loss)
      if (const std::string which = problem_.dependent_constraints(t, y.head(nz_)); !which.empty())
        return fmt::format(
            "the constraints are not independent at t = {:.10g}: {}; form=coupled needs that, use baumgarte "
            "without it",
            t, which);
    return problem_.explain(status, t, y.head(nz_));
  }
  Status multipliers(State& state) override {
    ++work().rhs;
    const Status status = acceleration(state.t, state.z, a_);
    state.lambda = multipliers_.head(shape_.ng);
    state.kappa = multipliers_.tail(shape_.nk);
    return status;
  }

  void times_rate_matrix(VectorIn x, VectorOut product) const override {
    const SparseParts& at = sparse_->parts().sparse;
    const auto rate = x.segment(shape_.nq, shape_.nv);
    product.setZero();
    product.head(shape_.nq) = x.head(shape_.nq);
    sparse_->pattern().add_mass_times(at.M, rate.data(), product.data() + shape_.nq);
    at.C.add_times(ns_, 1, rate.data(), product.data() + nz_);
  }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override {
    return sparse_ ? sparse_->real_matrix(work()) : MultiplierDae::real_matrix();
  }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return sparse_ ? sparse_->complex_matrix(work()) : MultiplierDae::complex_matrix();
  }

 private:
  Parts parts() const {
    Parts parts = Part::mass | Part::force | Part::jacobian;
    if (!sparse_) parts = parts | Part::input;
    if (curvature_) parts = parts | Part::curvature;
    if (shape_.nk > 0) parts = parts | Part::velocity_jacobian;
    return parts;
  }

  Status motion(double t, VectorIn z, VectorIn rate, VectorIn s, VectorOut top, VectorOut rows) override {
    const int ng = shape_.ng, nk = shape_.nk;
    problem_.evaluate(parts(), Point(t, z), parts_);
    feedback_.evaluate(t, z);
    top = -parts_.f;
    if (sparse_) return sparse_motion(rate, s, top, rows);
    top.noalias() += parts_.M.lazyProduct(rate);
    top.noalias() += parts_.B.lazyProduct(s.head(ng));
    rows = -feedback_.r();
    rows.head(ng).noalias() += parts_.G.lazyProduct(rate);
    if (curvature_) rows.head(ng) += parts_.c;
    if (nk > 0) {
      top.noalias() += parts_.K.transpose().lazyProduct(s.tail(nk));
      rows.tail(nk).noalias() += parts_.K.lazyProduct(rate);
      if (curvature_) rows.tail(nk) += parts_.ck;
    }
    return top.allFinite() && rows.allFinite() ? Status::ok : Status::not_finite;
  }

  Status sparse_motion(VectorIn rate, VectorIn s, VectorOut top, VectorOut rows) {
    const linalg::SparseRows& C = parts_.sparse.C;
    sparse_->pattern().add_mass_times(parts_.sparse.M, rate.data(), top.data());
    C.add_transposed_times(ns_, 1, s.data(), top.data());
    rows = -feedback_.r();
    C.add_times(ns_, 1, rate.data(), rows.data());
    if (curvature_) rows.head(shape_.ng) += parts_.c;
    if (curvature_) rows.tail(shape_.nk) += parts_.ck;
    return top.allFinite() && rows.allFinite() ? Status::ok : Status::not_finite;
  }

  Status sparse_jacobian(double t, VectorIn z, VectorIn rate, VectorIn s) override {
    const bool follows = feedback_.active();
    const Status status =
        sparse_->linearize(t, z, rate, s, {}, follows ? feedback_.gains() : std::vector<double>(),
                           follows ? feedback_.velocity_gain() : 0);
    if (status != Status::ok || ns_ == 0) return status;
    if (!curvature_) sparse_->leave_out_curvature(t, z);
    if (const Status rank = rank_.factor(problem_, t, z, sparse_->parts()); rank != Status::ok) return rank;
    return rank_.rank().redundant() > 0 ? Status::rank_loss : Status::ok;
  }

  Status motion_jacobian(double t, VectorIn z, VectorIn rate, VectorIn s, Blocks& out) override {
    const int ng = shape_.ng, nk = shape_.nk, nv = shape_.nv;
    problem_.evaluate(parts() | Part::force_jacobian | Part::mass_product_jacobian |
                          Part::multiplier_jacobian | Part::curvature_jacobian,
                      Point(t, z, rate, s.head(ng), s.tail(nk)), parts_);
    feedback_.jacobian(t, z, r_z_);
    out.top_rate = parts_.M;
    out.top_z = -parts_.f_z;
    out.top_z.leftCols(nv) += parts_.Ma_x + parts_.Bl_x;
    out.top_s.leftCols(ng) = parts_.B;
    out.rows_rate.topRows(ng) = parts_.G;
    out.rows_z = -r_z_;
    out.rows_z.topRows(ng) += parts_.c_z;
    if (nk > 0) {
      out.top_s.rightCols(nk) = parts_.K.transpose();
      out.rows_rate.bottomRows(nk) = parts_.K;
      out.rows_z.bottomRows(nk) += parts_.ck_z;
    }
    if (!curvature_) {
      problem_.evaluate(Part::curvature_jacobian, Point(t, z), still_);
      out.rows_z.topRows(ng) -= still_.c_z;
      if (nk > 0) out.rows_z.bottomRows(nk) -= still_.ck_z;
    }
    return out.top_z.allFinite() && out.rows_z.allFinite() ? Status::ok : Status::not_finite;
  }

  // Always with curvature: of the motion, not of its error.
  Status acceleration(double t, VectorIn z, VectorOut a) override {
    feedback_.evaluate(t, z);
    return problem_.acceleration(t, z, feedback_.r(), a, multipliers_, workspace_);
  }

  const bool curvature_;
  ConstraintFeedback feedback_;
  Evaluation parts_, still_;
  std::optional<SparseAcceleration> sparse_;
  SparseConstraints rank_{SparseConstraints::Of::all, SparseConstraints::Metric::points,
                          SparseConstraints::For::steps};
  Workspace workspace_;
  Vector multipliers_, a_;
  Matrix r_z_;
};

}  // namespace

std::unique_ptr<System> coupled_baumgarte(const Problem& problem, const Feedback& feedback, bool curvature) {
  Feedback of_form = feedback;
  of_form.plain_rates = !curvature;
  return std::make_unique<CoupledBaumgarte>(problem, of_form, curvature);
}

}  // namespace driftless::formulations
