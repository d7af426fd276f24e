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
// energy, whatever the cause of the error. So sigma = u/max(s, limit s_max, |u|/eta), with s_max the largest
// s at the beginnings of the steps so far: near rest the force is bounded, and never more than eta times the
// momentum. The run says how often. The control has no effect where psi_v lies in the rows of the
// constraints.
//
// Jacobian: d u_z/s; the derivatives of d and s multiply sigma, which is small, and are left out, so that it
// is exact on the manifold with psi = 0.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>

#include "common/energy_system.hpp"

namespace driftless::controls {

namespace {

struct BaumgarteOptions {
  double eta = 5;
  double limit = 0.1;
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
        rates_(Vector::Zero(shape().layout().tangent_size())),
        found_z_(Vector::Zero(shape().layout().size())),
        u_along_(Matrix::Zero(1, rates_.size())),
        u_z_(Matrix::Zero(1, found_z_.size())) {}

  void anchor(const State& state) override {
    EnergySystem::anchor(state);  // which leaves the gradient there
    s_max_ = find_direction(state.t, state.z) == Status::ok ? s_ : 0;
  }
  std::vector<double> anchored() const override {
    std::vector<double> values = EnergySystem::anchored();
    values.push_back(s_max_);
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    EnergySystem::restore_anchor({values.begin(), values.end() - 1});
    s_max_ = values.back();
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = EnergySystem::notes();
    if (bounded_ > 0)
      notes.push_back(
          fmt::format("energy-baumgarte: its force was bounded in {} of {} right-hand sides, first at t = "
                      "{:.6g}: near rest "
                      "the kinetic energy is too small to take up the energy error; see its option limit",
                      bounded_, evaluated_, first_bounded_));
    return notes;
  }

 protected:
  Status steer(double t, VectorIn z, double power, VectorOut dz) override {
    if (const Status status = find_direction(t, z); status != Status::ok) return status;
    const double u = options_.eta * psi() + rate_without(t, z, power, dz);
    if (!std::isfinite(u)) return Status::not_finite;
    const double least = std::max(options_.limit * s_max_, std::abs(u) / options_.eta);
    divisor_ = std::max(s_, least);
    const double sigma = divisor_ > 0 ? u / divisor_ : 0;
    ++evaluated_;
    if (s_ < least && bounded_++ == 0) first_bounded_ = t;
    dz.tail(shape().nv) += sigma * d_;
    here().lambda += sigma * d_multipliers_.head(shape().ng);
    here().kappa += sigma * d_multipliers_.tail(shape().nk);
    return Status::ok;
  }

  // s_max may rise to the s there, which is above its own bound: the force there stays the same.
  void note_base(double t, VectorIn z) override {
    if (t != found_t_ || z != found_z_) {  // most integrators have just evaluated there
      evaluate_energy(t, z);
      if (find_direction(t, z) != Status::ok) return;
    }
    s_max_ = std::max(s_max_, s_);
  }

  Status add_derivatives(double t, VectorIn z, MatrixOut dz_z, VectorOut dz_W) override {
    if (!(divisor_ > 0)) return Status::ok;
    const int nv = shape().nv;
    u_along_ = options_.eta * gradient().transpose();
    // psi'_0 = -v (B lambda_0 + K^T kappa_0), which vanishes on the manifold; its derivatives do not.
    if (shape().order == 2 && !moves_ && shape().multipliers() > 0) {
      problem_.evaluate(Part::multiplier_jacobian, Point(t, z, d_, here().lambda, here().kappa), parts_);
      constraint_force();
      u_along_.leftCols(nv) -= z.tail(nv).transpose().lazyProduct(parts_.Bl_x);
      u_along_.rightCols(nv) -= force_.transpose();
    }
    manifold_.by_coordinates(t, z, u_along_, u_z_);
    dz_z.bottomRows(nv).noalias() += (1 / divisor_) * d_.lazyProduct(u_z_);
    dz_W.tail(nv) -= (options_.eta / divisor_) * d_;
    return Status::ok;
  }

 private:
  // d, d_lambda and s, with the gradient there at hand.
  Status find_direction(double t, VectorIn z) {
    found_t_ = std::numeric_limits<double>::quiet_NaN();
    if (const Status status = factor(t, z); status != Status::ok) return status;
    minus_psi_v_ = -gradient().tail(shape().nv);
    saddle_.solve(minus_psi_v_, no_residual_, d_, d_multipliers_);
    s_ = std::max(0.0, minus_psi_v_.dot(d_));
    found_t_ = t;
    found_z_ = z;
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
  double s_ = 0, s_max_ = 0, divisor_ = 0;
  double found_t_ = 0;  // where d and s were found last
  Vector found_z_;
  Matrix u_along_, u_z_;
  long evaluated_ = 0, bounded_ = 0;
  double first_bounded_ = 0;
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
  return {
      .summary = "the energy error decays like a constraint with feedback, by a force of its own",
      .options =
          {{.name = "eta", .fallback = "5", .help = "rate at which the energy error decays", .above = 0},
           {.name = "limit",
            .fallback = "0.1",
            .help =
                "the force is bounded where s, twice the kinetic energy, is below this part of its largest "
                "value so far (near rest)",
            .below = 1,
            .at_least = 0}},
      .make = [](const OptionValues& o) {
        return std::make_unique<EnergyBaumgarte>(
            BaumgarteOptions{.eta = o.number("eta"), .limit = o.number("limit")});
      }};
}

}  // namespace driftless::controls
