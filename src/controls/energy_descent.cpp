// energy-descent: the state slides down the gradient of psi^2, psi = E - E_0 - W the energy error; Yoon,
// Howe, Greenwood, (10):
//   q' = v - 2 mu_q psi D psi_q^T,    v' = a - 2 mu_v psi D psi_v^T
// with the formulation's v and a, whose multipliers do not know of it; D = I (metric=euclidean, the paper's)
// or D = M^-1 (metric=mass: then D psi_v^T = v is tangent to constraints that stand still, and G v stays as
// it is). Higher levels are steered like v. Nothing is singular, and everything vanishes with psi. The energy
// error decays at the rate
//   2 (mu_v psi_v D psi_v^T + mu_q psi_q D psi_q^T)
// which times the step must stay inside the integrator's stability interval (below 2 for forward-euler, 1 for
// ab2): with larger gains it explodes. At rest psi_v = 0, and mu_v alone has no effect.
//
// gain=auto: psi is that of the step's start, held; D psi_v^T is replaced by its part that is tangent to the constraints (the -d of
// common/tangent_direction.hpp, strength s), since constraint feedback would undo the rest and give the energy back; and
//   2 mu_v = rate/s,   the rate at which the integrator lets an error decay fastest,
// fading within ten steps of a moment of rest and never more than the momentum times the rate. For order 1, mu_q.
//
// Gains of 0 leave the motion as it is and integrate the work beside it.
//
// Jacobian: -2 D grad grad^T; the second derivative of E multiplies psi, which is small, and is left out.
#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/gain_option.hpp>

#include "common/energy_system.hpp"
#include "common/tangent_direction.hpp"

namespace driftless::controls {

namespace {

struct DescentOptions {
  double mu_q = 0;
  double mu_v = 0;
  bool velocities_asked = false;  // mu_v was given
  bool by_mass = false;
  bool automatic = false;
};

class DescentSystem final : public EnergySystem {
 public:
  DescentSystem(const Problem& problem, std::unique_ptr<System> inner, const DescentOptions& options)
      : EnergySystem("energy-descent", problem, std::move(inner)),
        options_(options),
        tangent_(problem, false),
        mass_({shape().nv, 0, shape().mass, shape().mass_blocks}),
        direction_(Vector::Zero(shape().layout().tangent_size())),
        direction_z_(Vector::Zero(shape().layout().size())),
        no_rows_(0, shape().nv),
        gradient_row_(Matrix::Zero(1, direction_.size())),
        gradient_z_(Matrix::Zero(1, direction_z_.size())) {}

  void anchor(const State& state) override {
    EnergySystem::anchor(state);
    step_ = {};
    held_ = 0;
  }
  std::vector<double> anchored() const override {
    std::vector<double> values = EnergySystem::anchored();
    if (options_.automatic) values.push_back(step_.value());
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    const auto own = values.end() - (options_.automatic ? 1 : 0);
    EnergySystem::restore_anchor({values.begin(), own});
    if (options_.automatic) step_.restore(*own);
  }

 protected:
  Status steer(double t, VectorIn z, double, bool node, VectorOut dz) override {
    if (!options_.automatic) {
      if (const Status status = find_direction(t, z); status != Status::ok) return status;
      dz -= psi() * direction_z_;
      return Status::ok;
    }
    const int nv = shape().nv;
    if (const Status status = tangent_.find(t, z, gradient().tail(nv)); status != Status::ok) return status;
    if (node) at_node_ = {psi(), tangent_.s(), gradient().tail(nv).dot(dz.tail(nv))};
    dz.tail(nv) += (node ? term_for(at_node_) : held_) * tangent_.d();
    return Status::ok;
  }

  bool holds() const override { return options_.automatic; }

  bool hold(double t, double h) override {
    const double found = term_for(at_node_);
    step_.begin(t, h);
    held_ = term_for(at_node_);
    return held_ != found;
  }

  Status add_derivatives(double t, VectorIn z, MatrixOut dz_z, VectorOut dz_W) override {
    if (options_.automatic) return Status::ok;  // held: only the derivative of the direction, times psi
    gradient_row_ = gradient().transpose();
    manifold_.by_coordinates(t, z, gradient_row_, gradient_z_);
    dz_z.noalias() -= direction_z_.lazyProduct(gradient_z_);
    dz_W += direction_z_;
    return Status::ok;
  }

 private:
  struct Need {  // what the term depends on
    double psi = 0, s = 0, c = 0;
  };

  // 2 mu psi
  double term_for(const Need& n) const {
    const double h = step_.value(), rate = h > 0 ? fastest_rate(h) : 0;
    const double c = shape().order > 1 ? n.c : 0;  // order 1 knows no rest
    return rate * std::clamp(n.psi * inverse_fading(n.s, c, 10 * h), -1.0, 1.0);
  }

  // 2 mu D grad, as a displacement and in entries of z.
  Status find_direction(double t, VectorIn z) {
    const Layout layout = shape().layout();
    const int nv = layout.nv, nq = layout.nq, rest = (layout.order - 1) * nv;
    direction_.head(nv) = 2 * options_.mu_q * gradient().head(nv);
    direction_.tail(rest) = 2 * options_.mu_v * gradient().tail(rest);
    if (options_.by_mass) {
      problem_.evaluate(Part::mass, Point(t, z), parts_);
      if (const auto status = mass_.factor(parts_.M, no_rows_); status != linalg::FactorStatus::ok)
        return status_of(status);
      for (int j = 0; j < layout.order; ++j) {
        auto level = direction_.segment(j * nv, nv);
        mass_.solve(level, none_, level, none_);
      }
    }
    problem_.coordinate_rates(t, z.head(nq), direction_.head(nv), direction_z_.head(nq), work_);
    direction_z_.tail(rest) = direction_.tail(rest);
    return Status::ok;
  }

  const DescentOptions options_;
  Need at_node_;
  GainStep step_;
  double held_ = 0;  // 2 mu psi of the step that is being made
  TangentDirection tangent_;
  linalg::SaddlePoint mass_;
  Evaluation parts_;
  Workspace work_;
  Vector direction_, direction_z_, none_;
  Matrix no_rows_, gradient_row_, gradient_z_;
};

class EnergyDescent final : public Control {
 public:
  explicit EnergyDescent(const DescentOptions& options) : options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (const auto why = energy_control_refuses(shape)) return why;
    if (!options_.automatic && shape.order == 1 && options_.velocities_asked)
      return "mu_v steers velocities, a problem of order 1 has none; use mu_q instead";
    return std::nullopt;
  }

  std::unique_ptr<System> wrap(const Problem& problem, std::unique_ptr<System> system) const override {
    DescentOptions options = options_;
    if (options.automatic)
      (problem.shape().order == 1 ? options.mu_q : options.mu_v) = 0.5;  // times 2 mu psi
    return std::make_unique<DescentSystem>(problem, std::move(system), options);
  }

 private:
  DescentOptions options_;
};

std::unique_ptr<Control> make(const OptionValues& o) {
  DescentOptions options{.mu_q = o.number("mu_q"),
                         .mu_v = o.given("mu_v") ? o.number("mu_v") : 0,
                         .velocities_asked = o.given("mu_v"),
                         .by_mass = o.word("metric") == "mass",
                         .automatic = gain_is_automatic(o, {"mu_v", "mu_q", "metric"})};
  if (!options.automatic && !o.given("mu_v") && !o.given("mu_q"))
    throw InputError(
        "energy-descent has no gain; use gain=auto, or mu_v, or mu_q, such that the step times 2 mu_v "
        "|psi_v|^2 stays "
        "below 1 "
        "(psi_v is the momentum M v)");
  return std::make_unique<EnergyDescent>(options);
}

}  // namespace

ControlEntry energy_descent() {
  return {
      .summary = "the state slides down the gradient of the squared energy error",
      .traits = {.steers_energy = true},
      .options = {gain_option(),
                  {.name = "mu_v", .fallback = "", .help = "gain on velocities", .at_least = 0},
                  {.name = "mu_q", .fallback = "0", .help = "gain on coordinates", .at_least = 0},
                  {.name = "metric",
                   .fallback = "euclidean",
                   .help = "of the gradient: euclidean as in the paper, or mass, which respects constraints",
                   .choices = {"euclidean", "mass"}}},
      .make = make};
}

}  // namespace driftless::controls
