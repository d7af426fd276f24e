#include "augmented_acceleration.hpp"

#include <limits>

#include <fmt/format.h>

#include <driftless/core/sparse_dynamics.hpp>
#include "penalty_iteration.hpp"
#include "row_scales.hpp"

namespace driftless::formulations {

namespace {

class AugmentedAcceleration final : public AccelerationLaw {
 public:
  AugmentedAcceleration(const Problem& problem, const AugmentedOptions& options)
      : problem_(problem),
        shape_(problem.shape()),
        options_(options),
        iteration_(penalty_matrix(problem), options.sweeps > 0
                                                ? IterationLimit{options.sweeps, 0}
                                                : IterationLimit{options.iterations, options.tolerance}),
        scales_(shape_.multipliers()),
        at_(sparse_dynamics(problem) ? Storage::sparse : Storage::whole),
        weights_(Vector::Zero(shape_.multipliers())),
        importance_(Vector::Zero(shape_.nv)),
        rows_(weights_),
        softness_(weights_),
        kept_(weights_),
        zero_(weights_) {}

  Status acceleration(double t, VectorIn z, VectorIn r, VectorOut a, Vector* multipliers,
                      Vector* unforced) override {
    evaluate(Part::mass | Part::force | Part::jacobian | Part::curvature, t, z);
    if (!at_.f.allFinite()) return Status::not_finite;
    if (scales_.empty()) observe_scales();
    if (const Status status = factor(); status != Status::ok) return status;
    rows_.head(shape_.ng) = -at_.c;
    if (shape_.nk > 0) rows_.tail(shape_.nk) = -at_.ck;
    if (unforced) {
      iteration_.solve(at_.f, rows_, kept_, a);
      iteration_.multipliers(at_.f, a, *unforced);
    }
    rows_ += r;
    const Convergence reached = iteration_.solve(at_.f, rows_, kept_, a);
    if (!a.allFinite()) return Status::not_finite;
    if (const Status status = judge(t, reached); status != Status::ok) return status;
    if (multipliers) iteration_.multipliers(at_.f, a, *multipliers);
    return Status::ok;
  }

  const Vector* softness() const override { return at_.storage == Storage::sparse ? &softness_ : nullptr; }
  Status solve_there(VectorIn top, VectorIn bottom, VectorOut a) override {
    iteration_.solve(top, bottom, zero_, a);
    return a.allFinite() ? Status::ok : Status::not_finite;
  }

  bool begin_step(double t, VectorIn z) override {
    observe(t, z);
    return options_.sweeps > 0 && t != kept_at_;  // a step tried again starts from the same multipliers
  }
  void keep(double t, VectorIn multipliers) override {
    kept_ = multipliers;
    kept_at_ = t;
  }

  void anchor(double t, VectorIn z) override {
    observe(t, z);
    kept_at_ = std::numeric_limits<double>::quiet_NaN();
  }
  std::vector<double> anchored() const override {
    std::vector<double> values = scales_.saved();
    if (options_.sweeps > 0) values.insert(values.end(), kept_.data(), kept_.data() + kept_.size());
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    scales_.restore(values.data());
    if (options_.sweeps > 0) kept_ = Eigen::Map<const Vector>(values.data() + kept_.size(), kept_.size());
  }

  std::vector<std::string> notes() const override;
  std::string explain(Status status, double t, VectorIn z) const override;

 private:
  void evaluate(Parts parts, double t, VectorIn z) {
    if (shape_.nk > 0) parts = parts | Part::velocity_jacobian;
    problem_.evaluate(parts, Point(t, z), at_);
    iteration_.matrix().take(at_);
  }

  void observe_scales() { scales_.observe(iteration_.matrix().mass_diagonal(), iteration_.matrix().rows()); }

  void observe(double t, VectorIn z) {
    evaluate(Part::mass | Part::jacobian, t, z);
    observe_scales();
  }

  Status factor() {
    const Vector& s = scales_.values();
    if (options_.penalty > 0)
      weights_.setConstant(options_.penalty);
    else
      weights_ = options_.relative_penalty * s.cwiseInverse();
    importance_ = iteration_.matrix().mass_diagonal();
    const linalg::RowsView C = iteration_.matrix().rows();
    for (int i = 0; i < C.rows(); ++i)
      C.each(i, [&](int j, double entry) { importance_(j) += entry * entry / s(i); });
    if (softness()) softness_ = 1 / (iterations() * weights_.array());
    return iteration_.factor(weights_, importance_);
  }

  // Where the last increments became smaller by `factor`, W C M^-1 C^T has there the eigenvalue 1/factor - 1.
  Status judge(double t, const Convergence& reached) {
    if (!reached.finite) return Status::not_finite;
    // Without rows there are no multipliers to find: what is left is roundoff.
    if (reached.reached || options_.sweeps > 0 || weights_.size() == 0) return Status::ok;
    const double penalty = weights_.cwiseProduct(scales_.values()).maxCoeff();
    const bool grows = reached.factor > 1.01 && reached.moved > 1e-6;  // not by roundoff
    if (grows || 1 / reached.factor - 1 > penalty * AugmentedOptions::singular_below) {
      failed_ = reached;
      return Status::no_multipliers;
    }
    if (singular_ == 0) first_singular_ = t;
    last_singular_ = t;
    ++singular_;
    return Status::ok;
  }

  int iterations() const { return options_.sweeps > 0 ? options_.sweeps : options_.iterations; }

  const Problem& problem_;
  const Shape& shape_;
  const AugmentedOptions options_;
  PenaltyIteration iteration_;
  RowScales scales_;
  Evaluation at_;
  Vector weights_, importance_, rows_, softness_;
  Vector kept_, zero_;  // multipliers from which iterations start
  double kept_at_ = std::numeric_limits<double>::quiet_NaN();
  Convergence failed_;  // the last that did
  long singular_ = 0;   // evaluations in a singular configuration, and when
  double first_singular_ = 0, last_singular_ = 0;
};

std::vector<std::string> AugmentedAcceleration::notes() const {
  if (singular_ == 0) return {};
  return {fmt::format(
      "{} evaluation{} between t = {:.10g} and {:.10g} fell on configurations so near to singular ones that "
      "{} iterations do not converge; "
      "the multipliers there are bounded by the penalty",
      singular_, singular_ == 1 ? "" : "s", first_singular_, last_singular_, options_.iterations)};
}

std::string AugmentedAcceleration::explain(Status status, double t, VectorIn z) const {
  if (status != Status::no_multipliers) return problem_.explain(status, t, z);
  return fmt::format(
      "the multipliers converge by a factor of {:.2g} per iteration at t = {:.10g}, and iteration {} still "
      "moves the acceleration by {:.1e} of it (tolerance {:.1e}); raise the penalty of augmented-lagrangian, "
      "or leave it out, or raise iterations",
      failed_.factor, t, failed_.iterations, failed_.moved, options_.tolerance);
}

}  // namespace

std::unique_ptr<AccelerationLaw> augmented_acceleration(const Problem& problem,
                                                        const AugmentedOptions& options) {
  return std::make_unique<AugmentedAcceleration>(problem, options);
}

}  // namespace driftless::formulations
