// energy-baumgarte: the energy error psi = E - E_0 - W decays like a constraint, psi' = -eta psi, by a force
// along psi_v = E_v with a multiplier of its own; Yoon, Howe, Greenwood, (7):
//   [ M     B   psi_v^T ] [ a      ]   [ f                       ]       C = [G; K], B joined by K^T
//   [ C     0   0       ] [ lambda ] = [ r - c                   ]       r: the feedback of the formulation
//   [ psi_v 0   0       ] [ sigma  ]   [ P - psi_q v - eta psi   ]
// On top of the formulation's a_0, lambda_0 (sigma = 0) one more solve with the same matrix gives the rest:
//   [M B; C 0] (d, d_lambda) = (-psi_v^T, 0),    s = -psi_v d,    sigma = u/s,   u = eta psi + psi'_0
//   a = a_0 + sigma d,   lambda = lambda_0 + sigma d_lambda,      psi'_0 the rate of psi without the control
// s is psi_v M^-1 psi_v^T less what the constraints take, twice the kinetic energy that can be changed. Where
// constraints or M move, E may contain t; its rate is then what the forces say, psi'_0 = psi_q (q' - v) +
// psi_v a_0 - v (f - B lambda_0), which needs E_v = M v. For order 1 the highest derivative is x' and psi_x
// takes the place of psi_v.
//
// At rest s = 0, and the force would be infinite; near rest it changes velocities much to take up little
// energy, whatever the cause of the error. With c = psi_v a_0 (for orders from 2 on), half the rate of s, and
// tau = limit/eta,
//   sigma = u s/(s^2 + (tau c)^2),   and |sigma| <= eta
// Where the motion comes to rest, s/c is the time t from that moment, and t^2/(t^2 + tau^2) of the force is left;
// where the speed changes slowly this is (7). The force is never more than eta times the momentum; limit = 0
// leaves only that bound.
//
// sigma is found where a step begins and held over the step, with eta at most 1/step, which takes the error away
// in one. In the stages of a Runge-Kutta step u would answer the errors of the stages, which are far larger than
// psi. Methods that evaluate at the ends of steps only (forward Euler, Adams-Bashforth) see no difference.
//
// gain=auto: eta is the rate at which the integrator lets an error decay fastest, s/h for multistep methods and 1/h for
// others, and tau ten steps.
//
// The run says how often the force faded, was bounded, or had its eta lowered. The control has no effect where
// psi_v lies in the rows of the constraints.
//
// Jacobian: nothing. With sigma held only the derivatives of d are left, times sigma, which is small.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/gain_option.hpp>

#include "common/energy_system.hpp"

namespace driftless::controls {

namespace {

struct BaumgarteOptions {
  double eta = 5;
  double limit = 0.3;
  bool automatic = false;
};

class BaumgarteSystem final : public EnergySystem {
 public:
  BaumgarteSystem(const Problem& problem, std::unique_ptr<System> inner, const BaumgarteOptions& options)
      : EnergySystem("energy-baumgarte", problem, std::move(inner)),
        options_(options),
        moves_(shape().moving && shape().order == 2),
        saddle_({shape().nv, shape().multipliers(), shape().mass, shape().mass_blocks}),
        B_(Matrix::Zero(shape().nv, shape().multipliers())),
        C_(Matrix::Zero(shape().multipliers(), shape().nv)),
        d_(Vector::Zero(shape().nv)),
        minus_psi_v_(d_),
        force_(d_),
        d_multipliers_(Vector::Zero(shape().multipliers())),
        no_residual_(d_multipliers_),
        rates_(Vector::Zero(shape().layout().tangent_size())) {}

  void anchor(const State& state) override {
    EnergySystem::anchor(state);
    held_.reset();
    step_ = {};
  }
  std::vector<double> anchored() const override {
    std::vector<double> values = EnergySystem::anchored();
    values.push_back(step_.value());
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    EnergySystem::restore_anchor({values.begin(), values.end() - 1});
    held_.reset();
    step_.restore(values.back());
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = EnergySystem::notes();
    const auto say = [&](const Count& count, const std::string& what, const std::string& why) {
      if (count.times > 0)
        notes.push_back(fmt::format("energy-baumgarte: {} in {} of {} steps, first at t = {:.6g}: {}", what,
                                    count.times, steps_, count.first, why));
    };
    say(faded_, "its force faded to less than half",
        "near rest it would change velocities much to take up little energy");
    say(bounded_, "its force was bounded at eta times the momentum",
        "the energy error is too large for the kinetic energy to take it up");
    say(lowered_, "eta was lowered to 1/step",
        "more would take away more than the energy error; take a smaller eta");
    return notes;
  }

 protected:
  Status steer(double t, VectorIn z, double power, bool node, VectorOut dz) override {
    if (const Status status = find_direction(t, z); status != Status::ok) return status;
    double sigma = held_.value_or(0);
    if (node || !held_) {
      const Need need = {psi(), rate_without(t, z, power, dz), s_, speed_change(dz)};
      sigma = sigma_for(need);
      if (!std::isfinite(sigma)) return Status::not_finite;
      if (node) at_node_ = need;
    }
    dz.tail(shape().nv) += sigma * d_;
    here().lambda += sigma * d_multipliers_.head(shape().ng);
    here().kappa += sigma * d_multipliers_.tail(shape().nk);
    return Status::ok;
  }

  bool holds() const override { return true; }

  bool hold(double t, double h) override {
    const double found = sigma_for(at_node_);
    step_.begin(t, h);
    held_ = sigma_for(at_node_);
    ++steps_;
    const Need& n = at_node_;
    if (fade(n) < 0.5) faded_.add(t);
    if (std::abs(wanted(n)) > largest_eta() * n.s && largest_eta() > 0) bounded_.add(t);
    if (eta() < largest_eta() && n.psi != 0) lowered_.add(t);
    return *held_ != found;
  }

  Status add_derivatives(double, VectorIn, MatrixOut, VectorOut) override { return Status::ok; }

 private:
  struct Need {  // what sigma depends on
    double psi = 0, rate = 0, s = 0, c = 0;
  };
  struct Count {
    long times = 0;
    double first = 0;
    void add(double t) {
      if (times++ == 0) first = t;
    }
  };

  double largest_eta() const {
    return !options_.automatic ? options_.eta : step_.value() > 0 ? fastest_rate(step_.value()) : 0;
  }
  double eta() const {
    return step_.value() > 0 ? std::min(largest_eta(), 1 / step_.value()) : largest_eta();
  }
  double fading_time() const {
    return options_.automatic ? 10 * step_.value() : options_.limit / options_.eta;
  }

  // The part of (7) that is left near rest: 1/(1 + (tau c/s)^2).
  double fade(const Need& n) const {
    const double change = fading_time() * n.c;
    return n.s > 0 ? n.s * n.s / (n.s * n.s + change * change) : 0;
  }
  // u of the equations above, with what is left of it.
  double wanted(const Need& n) const { return fade(n) * (eta() * n.psi + n.rate); }

  double sigma_for(const Need& n) const {
    if (largest_eta() == 0) return 0;  // it waits
    const double u = wanted(n), divisor = std::max(n.s, std::abs(u) / largest_eta());
    return divisor > 0 ? u / divisor : u;  // u = 0, or not a number
  }

  double speed_change(VectorIn dz) const {
    const int nv = shape().nv;
    return shape().order > 1 ? gradient().tail(nv).dot(dz.tail(nv)) : 0;
  }

  // d, d_lambda and s, with the gradient there at hand.
  Status find_direction(double t, VectorIn z) {
    if (const Status status = factor(t, z); status != Status::ok) return status;
    minus_psi_v_ = -gradient().tail(shape().nv);
    saddle_.solve(minus_psi_v_, no_residual_, d_, d_multipliers_);
    s_ = std::max(0.0, minus_psi_v_.dot(d_));
    return Status::ok;
  }

  Status factor(double t, VectorIn z) {
    const int ng = shape().ng, nk = shape().nk;
    Parts parts = Part::mass;
    if (ng > 0) parts = parts | Part::jacobian | Part::input;
    if (nk > 0) parts = parts | Part::velocity_jacobian;
    if (moves_) parts = parts | Part::force;
    problem_.evaluate(parts, Point(t, z), parts_);
    if (ng > 0) {
      C_.topRows(ng) = parts_.G;
      B_.leftCols(ng) = parts_.B;
    }
    if (nk > 0) {
      C_.bottomRows(nk) = parts_.K;
      B_.rightCols(nk) = parts_.K.transpose();
    }
    return status_of(shape().given_input ? saddle_.factor(parts_.M, B_, C_) : saddle_.factor(parts_.M, C_));
  }

  // force_ = B lambda + K^T kappa
  void constraint_force() {
    force_.noalias() = B_.leftCols(shape().ng).lazyProduct(here().lambda);
    force_.noalias() += B_.rightCols(shape().nk).lazyProduct(here().kappa);
  }

  // psi'_0, the rate of psi along the formulation's own z'.
  double rate_without(double t, VectorIn z, double power, VectorIn dz) {
    manifold_.to_displacement(t, z, dz, rates_);
    if (!moves_) return gradient().dot(rates_) - power;
    const auto v = z.tail(shape().nv);
    constraint_force();
    rates_.head(shape().nv) -= v;
    return gradient().dot(rates_) - v.dot(parts_.f) + v.dot(force_);
  }

  const BaumgarteOptions options_;
  const bool moves_;
  linalg::SaddlePoint saddle_;
  Evaluation parts_;
  Matrix B_, C_;
  Vector d_, minus_psi_v_, force_, d_multipliers_, no_residual_, rates_;
  double s_ = 0;
  Need at_node_;
  std::optional<double> held_;  // sigma of the step that is being made; none before the first
  GainStep step_;
  long steps_ = 0;
  Count faded_, bounded_, lowered_;
};

class EnergyBaumgarte final : public Control {
 public:
  explicit EnergyBaumgarte(const BaumgarteOptions& options) : options_(options) {}
  std::optional<std::string> refuses(const Shape& shape) const override {
    return energy_control_refuses(shape);
  }
  std::unique_ptr<System> wrap(const Problem& problem, std::unique_ptr<System> system) const override {
    return std::make_unique<BaumgarteSystem>(problem, std::move(system), options_);
  }

 private:
  BaumgarteOptions options_;
};

}  // namespace

ControlEntry energy_baumgarte() {
  return {.summary = "the energy error decays like a constraint with feedback, by a force of its own",
          .options =
              {gain_option(),
               {.name = "eta", .fallback = "5", .help = "rate at which the energy error decays", .above = 0},
               {.name = "limit",
                .fallback = "0.3",
                .help = "the force fades within this time, in units of 1/eta, of a moment of rest; 0: it "
                        "does not fade",
                .at_least = 0}},
          .make = [](const OptionValues& o) {
            return std::make_unique<EnergyBaumgarte>(
                BaumgarteOptions{.eta = o.number("eta"),
                                 .limit = o.number("limit"),
                                 .automatic = gain_is_automatic(o, {"eta", "limit"})});
          }};
}

}  // namespace driftless::controls
