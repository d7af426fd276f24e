// energy-baumgarte: the energy error psi = E - E_0 - W decays like a constraint, psi' = -eta psi, by a force
// along psi_v = E_v with a multiplier of its own; Yoon, Howe, Greenwood, (7):
//   [ M     B   psi_v^T ] [ a      ]   [ f                       ]       C = [G; K], B joined by K^T
//   [ C     0   0       ] [ lambda ] = [ r - c                   ]       r: the feedback of the formulation
//   [ psi_v 0   0       ] [ sigma  ]   [ P - psi_q v - eta psi   ]
// On top of the formulation's a_0, lambda_0 (sigma = 0) one more solve with the same matrix gives the rest:
//   [M B; C 0] (d, d_lambda) = (-psi_v^T, 0),    s = -psi_v d,    sigma = u/s,   u = eta psi + psi'_0
//   a = a_0 + sigma d,   lambda = lambda_0 + sigma d_lambda,      psi'_0 the rate of psi without the control
// s is psi_v M^-1 psi_v^T less what the constraints take, twice the kinetic energy that can be changed. Where
// constraints or M move or there is a power input, E may contain t; its rate is then what the forces say, psi'_0 =
// psi_q (q' - v) + psi_v a_0 - v (f - B lambda_0), which needs E_v = M v (without lambda_0 where W' is without the
// constraint forces). For order 1 the highest derivative is x' and psi_x
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
// sigma is found where a step begins and held over the step, with eta at most the rate at which the integrator lets an
// error decay fastest, 1/step for one-step methods. In the stages of a Runge-Kutta step u would answer the errors of the stages, which are far larger than
// psi. Methods that evaluate at the ends of steps only (forward Euler, Adams-Bashforth) see no difference.
//
// gain=auto: eta is the rate at which the integrator lets an error decay fastest, s/h for multistep methods and 1/h for
// others, and tau ten steps.
//
// The run says how often the force faded, was bounded, or had its eta lowered. The control has no effect where
// psi_v lies in the rows of the constraints.
//
// Jacobian: sigma d_v, with d as linear in v as the momentum M v is; what d changes with q is left out.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/gain_option.hpp>

#include "common/energy_system.hpp"
#include "common/tangent_direction.hpp"

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
        by_forces_((shape().moving || shape().has_power) && shape().order == 2),
        direction_(problem, by_forces_),
        force_(Vector::Zero(shape().nv)),
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
    say(lowered_, fmt::format("eta was lowered to {:.4g}", eta()),
        "the integrator with this step lets no error decay faster; take a smaller eta, or gain=auto");
    return notes;
  }

 protected:
  Status steer(double t, VectorIn z, double power, bool node, VectorOut dz) override {
    const Status status = direction_.find(t, z, gradient().tail(shape().nv));
    if (status != Status::ok) return status;
    double sigma = held_.value_or(0);
    if (node || !held_) {
      const Need need = {psi(), rate_without(t, z, power, dz), direction_.s(), speed_change(dz)};
      sigma = sigma_for(need);
      if (!std::isfinite(sigma)) return Status::not_finite;
      if (node) at_node_ = need;
    }
    dz.tail(shape().nv) += sigma * direction_.d();
    here().lambda += sigma * direction_.multipliers().head(shape().ng);
    here().kappa += sigma * direction_.multipliers().tail(shape().nk);
    return Status::ok;
  }

  bool holds() const override { return true; }

  bool hold(double t, double h) override {
    const double found = sigma_for(at_node_);
    step_.begin(t, h);
    held_ = sigma_for(at_node_);
    if (t != last_t_) count(t);  // not when a step is tried again
    last_t_ = t;
    return *held_ != found;
  }

  Status add_derivatives(double, VectorIn, MatrixOut dz_z, VectorOut) override {
    const int nv = shape().nv;
    if (shape().order != 2) return Status::ok;
    if (d_v_.size() == 0) d_v_.setZero(nv, nv);
    direction_.derivative_by_v(d_v_);
    dz_z.bottomRightCorner(nv, nv) += held_.value_or(0) * d_v_;
    return Status::ok;
  }

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

  void count(double t) {
    const Need& n = at_node_;
    ++steps_;
    if (fades() && fade(n) < 0.5) faded_.add(t);
    if (std::abs(wanted(n)) > eta() * n.s && eta() > 0) bounded_.add(t);
    if (!options_.automatic && eta() < options_.eta && n.psi != 0) lowered_.add(t);
  }

  // Never faster than the integrator can follow.
  double eta() const {
    const double h = step_.value();
    if (h == 0) return options_.automatic ? 0 : options_.eta;
    return options_.automatic ? fastest_rate(h) : std::min(options_.eta, largest_rate(h));
  }
  bool fades() const { return options_.automatic || options_.limit > 0; }
  double fading_time() const {
    return options_.automatic ? 10 * step_.value() : options_.limit / options_.eta;
  }

  // The part of (7) that is left near rest: 1/(1 + (tau c/s)^2).
  double fade(const Need& n) const { return n.s * inverse_fading(n.s, n.c, fading_time()); }
  // u of the equations above, with what is left of it.
  double wanted(const Need& n) const { return fade(n) * (eta() * n.psi + n.rate); }

  double sigma_for(const Need& n) const {
    if (eta() == 0) return 0;  // it waits
    const double u = wanted(n), divisor = std::max(n.s, std::abs(u) / eta());
    return divisor > 0 ? u / divisor : u;  // u = 0, or not a number
  }

  double speed_change(VectorIn dz) const {
    const int nv = shape().nv;
    return shape().order > 1 ? gradient().tail(nv).dot(dz.tail(nv)) : 0;
  }

  // psi'_0, the rate of psi along the formulation's own z'.
  double rate_without(double t, VectorIn z, double power, VectorIn dz) {
    manifold_.to_displacement(t, z, dz, rates_);
    if (!by_forces_) return gradient().dot(rates_) - power;
    const auto v = z.tail(shape().nv);
    rates_.head(shape().nv) -= v;
    const double rate = gradient().dot(rates_) - v.dot(direction_.parts().f);
    if (!Power::of_constraints(shape())) return rate;
    direction_.constraint_force(here().lambda, here().kappa, force_);
    return rate + v.dot(force_);
  }

  const BaumgarteOptions options_;
  const bool by_forces_;  // E may contain t
  TangentDirection direction_;
  Vector force_, rates_;
  Matrix d_v_;  // for the Jacobian; sized when it is first asked for
  double last_t_ = std::numeric_limits<double>::quiet_NaN();  // where a step was begun last
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
          .traits = {.steers_energy = true},
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
