#include "coupled_baumgarte.hpp"

#include <fmt/format.h>

#include "multiplier_dae.hpp"

namespace driftless::formulations {

namespace {

class CoupledBaumgarte final : public MultiplierDae {
 public:
  CoupledBaumgarte(const Problem& problem, const Feedback& feedback, bool curvature)
      : MultiplierDae(problem),
        curvature_(curvature),
        feedback_(problem, feedback),
        multipliers_(Vector::Zero(ns_)),
        a_(Vector::Zero(shape_.nv)),
        r_z_(Matrix::Zero(ns_, layout_.tangent_size())) {}

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

 private:
  Parts parts() const {
    Parts parts = Part::mass | Part::force | Part::jacobian | Part::input;
    if (curvature_) parts = parts | Part::curvature;
    if (shape_.nk > 0) parts = parts | Part::velocity_jacobian;
    return parts;
  }

  Status motion(double t, VectorIn z, VectorIn rate, VectorIn s, VectorOut top, VectorOut rows) override {
    const int ng = shape_.ng, nk = shape_.nk;
    problem_.evaluate(parts(), Point(t, z), parts_);
    feedback_.evaluate(t, z);
    top = -parts_.f;
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
