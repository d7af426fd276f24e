// invariant-stabilized: the underlying ODE z' = f(z) with a term that pulls back to the manifold h = 0,
//   z' = f(z) - gamma F(z) h(z)                                Ascher, Chin, Reich (1992), (2.3)
// with f of `index1` and h = (g, g', .., g^(m-1), w, chosen invariants), H its Jacobian;
//   F = H^T (H H^T)^-1      full        (1.13) with D = H^T
//   F = D (H D)^-1          block       D = diag(G^T, .., G^T), (4.7)
//   F = diag(G+, .., G+)    split       (4.8)
//   F = H^T                 transpose   (1.14): h decays at gamma times the eigenvalues of H H^T
//   F = D (H D)^-1          input       D = diag(M^-1 B, .., M^-1 B); for order 1 this is `baumgarte`, (1.6)
// and a user's D from C++. H^T of full and transpose is in the unit of time 1/gamma (core/unit_of_time.hpp), with time=model in that of
// the model. Along f, h' = h# = (g', .., g^(m-1), 0, 0, 0), which vanishes on the manifold
// only. form=integral first takes it out, so that h is constant along every motion (2.4), and then
// stabilizes, where H F = I:
//   z' = (I - F H) f - F h_t - gamma F h = f - F (h# + gamma h),    h' = -gamma h
// Invariants have no part in h#: their rate along f is zero on the manifold and taken as zero beside it.
//
// gain=auto: gamma = s/h over the largest eigenvalue of H F, with s that makes multistep methods decay fastest; for
// methods with stages gamma F h is that of the step's start, held, with gamma h = 1: (3.4) with alpha = 1, spread
// over the step. See core/feedback_gains.hpp.
//
// Jacobian: f_z - F (h# + gamma h)_z. The derivative of F is left out: it multiplies h, which is small; where
// F does not depend on z, as in linear problems, nothing is missing. Large gamma is stiff, and with D far
// from H^T (input) it destroys the solution (Table 1.1). Fails where rows of H depend on each other.
#include <driftless/formulations/invariant_stabilized.hpp>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/gain_option.hpp>
#include <driftless/core/invariants_option.hpp>
#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/core/unit_of_time.hpp>
#include <driftless/core/whole_matrices.hpp>

#include "common/acceleration_system.hpp"
#include "common/normal_answer.hpp"
#include "common/sparse_acceleration.hpp"

namespace driftless::formulations {

namespace {

using Settings = InvariantStabilizedOptions;

// A user's D is whole, and M is not always offered without its zeros.
Storage storage_for(const Shape& shape, const Settings& settings) {
  const bool offered = !settings.D && (settings.answer != Settings::F::input || shape.mass_by_bodies);
  return offered ? storage_of(shape) : Storage::whole;
}

SparsePull pull_of(const Settings& settings, int invariants) {
  using F = Settings::F;
  using By = SparsePull::F;
  const F answer = settings.answer;
  return {.answer = answer == F::full        ? By::full
                    : answer == F::split     ? By::split
                    : answer == F::transpose ? By::transpose
                    : answer == F::input     ? By::input
                                             : By::block,
          .integral = settings.form == Settings::Form::integral,
          .invariants = invariants};
}

class InvariantStabilizedSystem final : public System, public OdeSystem {
 public:
  InvariantStabilizedSystem(const Problem& problem, const Settings& settings)
      : problem_(problem),
        layout_(problem.shape().layout()),
        settings_(settings),
        base_(acceleration_system(problem, {})),
        chosen_(choose_invariants(problem, settings.invariants)),
        manifold_(problem, chosen_, storage_for(problem.shape(), settings)),
        answer_(normal_answer(manifold_, settings)),
        pull_(Vector::Zero(manifold_.rows())),
        delta_(Vector::Zero(layout_.tangent_size())),
        rates_(Vector::Zero(layout_.nq)),
        held_pull_(Vector::Zero(layout_.size())),
        no_r_(Vector::Zero(problem.shape().multipliers())),
        a_(Vector::Zero(layout_.nv)),
        multipliers_(no_r_) {
    find_gain();
    if (manifold_.storage() == Storage::sparse && sparse_dynamics(problem))
      sparse_.emplace(problem, pull_of(settings, chosen_.count()));
  }

  int size() const override { return base_->size(); }
  void pack(const State& state, VectorOut y) const override { base_->pack(state, y); }
  void unpack(double t, VectorIn y, State& state) const override { base_->unpack(t, y, state); }
  Status multipliers(State& state) override {
    ++work().rhs;
    return base_->multipliers(state);
  }
  void anchor(const State& state) override { manifold_.anchor(state.t, state.z); }
  std::vector<double> anchored() const override {
    std::vector<double> values = manifold_.anchored();
    if (settings_.automatic) values.push_back(gain_step_.value());
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    const auto own = values.end() - (settings_.automatic ? 1 : 0);
    manifold_.anchor(std::vector<double>(values.begin(), own));
    if (settings_.automatic) gain_step_.restore(*own);
  }

  bool begin_step(const StepContext& step, VectorIn y) override {
    if (!settings_.automatic || manifold_.empty()) return false;
    if (step.h == 0 || step.starting != waits_ || step.discretization != by_) follow(step);
    if (step.h == 0) return true;
    const bool other = gain_step_.begin(step.t, step.h);
    if (held_) hold(step.t, y);
    return other || held_;
  }
  OdeSystem* ode() override { return this; }

  std::string explain(Status status, double t, VectorIn y) const override {
    if (status == Status::rank_loss && chosen_.count() > 0)
      if (const std::string which =
              Manifold(problem_, chosen_, manifold_.storage()).dependent_invariants(t, y);
          !which.empty())
        return fmt::format(
            "the invariants of invariant-stabilized are not independent at t = {:.10g}: {}; leave it out of "
            "`invariants`",
            t, which);
    return base_->explain(status, t, y);
  }

  Status rhs(double t, VectorIn y, VectorOut dy, State* at) override {
    ++work().rhs;
    Status status = base_->ode()->rhs(t, y, dy, at);
    if (status != Status::ok || manifold_.empty()) return status;
    if (held_) {
      if (held_status_ != Status::ok) return held_status_;
      dy -= held_pull_;
      if (!integral()) return dy.allFinite() ? Status::ok : Status::not_finite;
    }
    status = linearize_manifold(t, y);
    if (status != Status::ok) return status;
    pull_ = (held_ ? 0 : gamma()) * manifold_.h();
    if (integral()) add_shifted(manifold_.h(), pull_);
    answer_->apply(manifold_, pull_, delta_);
    subtract_displacement(t, y, dy);
    return dy.allFinite() ? Status::ok : Status::not_finite;
  }

  Status jacobian(double t, VectorIn y, MatrixOut rhs_y) override {
    ++work().jacobians;
    Status status = base_->ode()->jacobian(t, y, rhs_y);
    if (status != Status::ok || manifold_.empty() || (held_ && !integral())) return status;
    status = linearize_manifold(t, y);
    if (status != Status::ok) return status;
    if (H_.size() == 0) {
      H_.setZero(manifold_.rows(), layout_.tangent_size());
      pull_z_ = H_;
      pull_y_.setZero(manifold_.rows(), layout_.size());
    }
    Manifold& whole = whole_manifold();
    if (&whole != &manifold_) status = whole.linearize(t, y);
    if (status != Status::ok) return status;
    whole.jacobian(H_);
    pull_z_ = (held_ ? 0 : gamma()) * H_;
    if (integral()) add_shifted(H_, pull_z_);
    whole.by_coordinates(t, y, pull_z_, pull_y_);
    for (Eigen::Index j = 0; j < pull_y_.cols(); ++j) {
      answer_->apply(manifold_, pull_y_.col(j), delta_);
      subtract_displacement(t, y, rhs_y.col(j));
    }
    return rhs_y.allFinite() ? Status::ok : Status::not_finite;
  }

  bool factors_itself() const override { return sparse_.has_value(); }
  Status linearize(double t, VectorIn y) override {
    ++work().jacobians;
    const Shape& s = problem_.shape();
    Status status = problem_.acceleration(t, y, no_r_, a_, multipliers_, work_);
    if (status == Status::ok) status = linearize_manifold(t, y);
    if (status != Status::ok) return status;
    status = sparse_->linearize(t, y, a_, multipliers_,
                                s.multipliers() > 0 ? work_.solver->left_out() : std::vector<int>(), {}, 0);
    Matrix gradients(layout_.tangent_size(), chosen_.count());
    for (int i = 0; i < chosen_.count(); ++i) manifold_.invariant_gradient(i, gradients.col(i).data());
    sparse_->set_pull(held_ ? 0 : gamma(), unit_of_time(), gradients.transpose());
    return status;
  }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return sparse_->real_matrix(work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return sparse_->complex_matrix(work());
  }

 private:
  // For the Jacobian, which is whole.
  Manifold& whole_manifold() {
    if (manifold_.storage() == Storage::whole) return manifold_;
    if (!whole_manifold_) whole_manifold_.emplace(problem_, chosen_);
    return *whole_manifold_;
  }
  bool integral() const { return settings_.form == Settings::Form::integral; }

  // Of the feedback, before what F = transpose makes of it; 0: there is none, and no scale of time but that of the model.
  double rate() const {
    if (!settings_.automatic) return settings_.gamma;
    return gain_step_.value() > 0 && !waits_ ? unit_gain_ / gain_step_.value() : 0;
  }

  // After linearize(): F = transpose acts with the eigenvalues of H H^T.
  double gamma() { return settings_.automatic ? rate() / answer_->strength() : rate(); }

  void follow(const StepContext& step) {
    waits_ = step.starting;
    held_pull_.setZero();
    gain_step_.renew();
    if (step.discretization == by_) return;
    by_ = step.discretization;
    find_gain();
  }

  void find_gain() {
    if (!settings_.automatic) return;
    unit_gain_ = feedback_gains(by_, 1).front();
    held_ = holds_feedback(by_);
  }

  // gamma F h of the step's start, in entries of z. A failure there is one of the right-hand side.
  void hold(double t, VectorIn y) {
    held_pull_.setZero();
    held_status_ = linearize_manifold(t, y);
    if (held_status_ != Status::ok) return;
    pull_ = gamma() * manifold_.h();
    answer_->apply(manifold_, pull_, delta_);
    subtract_displacement(t, y, held_pull_);
    held_pull_ = -held_pull_;
  }

  double unit_of_time() const { return settings_.model_time || !(rate() > 0) ? 1 : 1 / rate(); }

  Status linearize_manifold(double t, VectorIn y) {
    answer_->measure_time_by(unit_of_time());
    const Status status = manifold_.linearize(t, y);
    return status == Status::ok ? answer_->factor(t, y, manifold_) : status;
  }

  // Adds h# or its derivative: the rows of g^(j+1) to those of g^(j).
  template <class Rows>
  void add_shifted(const Rows& of, Rows& to) const {
    const int shifted = (layout_.order - 1) * problem_.shape().ng;
    to.topRows(shifted) += of.middleRows(problem_.shape().ng, shifted);
  }

  // The displacement delta_ of z, in entries of z: x_0 moves along N delta_0.
  void subtract_displacement(double t, VectorIn y, VectorOut dy) {
    const int rest = (layout_.order - 1) * layout_.nv;
    problem_.coordinate_rates(t, y.head(layout_.nq), delta_.head(layout_.nv), rates_, work_);
    dy.head(layout_.nq) -= rates_;
    dy.tail(rest) -= delta_.tail(rest);
  }

  const Problem& problem_;
  const Layout layout_;
  const Settings settings_;
  std::unique_ptr<System> base_;
  const Invariants chosen_;
  Manifold manifold_;
  std::optional<Manifold> whole_manifold_;
  std::unique_ptr<NormalAnswer> answer_;
  Workspace work_;
  Vector pull_, delta_, rates_;
  Discretization by_;     // that automatic gains are made for
  double unit_gain_ = 0;  // for step 1
  bool held_ = false;     // gamma F h is that of the step's start
  bool waits_ = false;    // for the end of a multistep method's start
  GainStep gain_step_;
  Vector held_pull_;
  Status held_status_ = Status::ok;
  const Vector no_r_;
  Vector a_, multipliers_;
  std::optional<SparseAcceleration> sparse_;
  Matrix H_, pull_z_, pull_y_;  // for the Jacobian; sized when it is first asked for
};

class InvariantStabilized final : public Formulation {
 public:
  explicit InvariantStabilized(const Settings& settings)
      : Formulation({.answer = settings.automatic ? OwnAnswer::feedback : OwnAnswer::none,
                     .answered = settings.invariants.empty() ? FormulationTraits::Answered::constraints
                                                             : FormulationTraits::Answered::anything}),
        settings_(settings) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (const auto reason = refuse_time_of_model(settings_.model_time, shape)) return reason;
    if (settings_.D) return std::nullopt;
    using F = Settings::F;
    const bool whole = settings_.answer == F::full || settings_.answer == F::transpose;
    if (!settings_.invariants.empty() && !whole)
      return "invariants join the constraints with F=full or F=transpose only; use one of these, or leave "
             "invariants out";
    if (settings_.form == Settings::Form::integral &&
        (settings_.answer == F::split || settings_.answer == F::transpose))
      return "form=integral takes a rate out exactly, for which H F = I is needed (1.13); use F=full, "
             "F=block or "
             "F=input, or form=weak";
    return std::nullopt;
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    if (storage_for(problem.shape(), settings_) == Storage::whole) check_whole_matrices(problem.shape());
    return std::make_unique<InvariantStabilizedSystem>(problem, settings_);
  }

 private:
  Settings settings_;
};

std::unique_ptr<Formulation> make(const OptionValues& o) {
  using F = Settings::F;
  const std::string& word = o.word("F");
  const F answer = word == "full"        ? F::full
                   : word == "split"     ? F::split
                   : word == "transpose" ? F::transpose
                   : word == "input"     ? F::input
                                         : F::block;
  const bool whole = answer == F::full || answer == F::transpose;
  return invariant_stabilized(
      {.gamma = o.number("gamma"),
       .automatic = gain_is_automatic(o, {"gamma"}),
       .answer = answer,
       .form = o.word("form") == "integral" ? Settings::Form::integral : Settings::Form::weak,
       .invariants = invariant_names(o),
       .model_time = time_of_model(o, whole, "F=full or F=transpose")});
}

}  // namespace

std::unique_ptr<Formulation> invariant_stabilized(const InvariantStabilizedOptions& options) {
  if (!(options.gamma >= 0))
    throw InputError(
        fmt::format("gamma of invariant-stabilized is {} (at least 0); change it", options.gamma));
  return std::make_unique<InvariantStabilized>(options);
}

FormulationEntry invariant_stabilized() {
  return {
      .summary = "z' = f - gamma F h: the underlying ODE is pulled back to the constraints all the time",
      .shapes = {SystemShape::ode},
      .options = {gain_option(),
                  {.name = "gamma", .fallback = "5", .help = "rate at which h decays", .at_least = 0},
                  {.name = "F",
                   .fallback = "block",
                   .help = "how a violation is answered; see docs/methods/invariant-stabilized.md",
                   .choices = {"full", "block", "split", "transpose", "input"}},
                  {.name = "form",
                   .fallback = "weak",
                   .help = "weak: f of index1; integral: f less the rate of h, so that h' = -gamma h (2.4)",
                   .choices = {"weak", "integral"}},
                  invariants_option(),
                  unit_of_time_option("gamma")},
      .make = make};
}

}  // namespace driftless::formulations
