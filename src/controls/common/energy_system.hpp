// A System whose energy error is steered: y = (unknowns of the formulation, W),
//   psi = E(t, z) - E_0 - W,    W' = power input (core/power.hpp), W = 0 at the start
// Yoon, Howe, Greenwood, (8) and (9). E_0 is taken at the start and after actions, such that psi = 0 there; W
// is the extra `work` of the state, integrated like any unknown but with no say in the error of a step. The
// multipliers in W' are those that the formulation reports, without the control.
//
// A control adds its term to the formulation's z' and to the Jacobian. It may tell nodes from stages: integrators
// want the multipliers (`at`) where a step begins or ends, and there only. In the Jacobian the row of W stays zero: W'
// depends on z through the model's power, of which no derivative is known; Newton's method then converges a
// little slower, to the same solution.
#pragma once

#include <memory>
#include <string>

#include <driftless/core/formulation.hpp>
#include <driftless/core/manifold.hpp>
#include <driftless/core/power.hpp>

namespace driftless::controls {

class EnergySystem : public System, public OdeSystem {
 public:
  int size() const final { return n_ + 1; }
  void pack(const State& state, VectorOut y) const final;
  void unpack(double t, VectorIn y, State& state) const final;
  Status multipliers(State& state) final;
  void unpack_error(VectorIn error_y, VectorOut error_z) const final;
  void prepare(State& state) const final;
  void anchor(const State& state) override;
  std::vector<double> anchored() const override;
  void restore_anchor(const std::vector<double>& values) override;
  bool begin_step(const StepContext& step, VectorIn y) final;
  bool refresh(State& state) final { return inner_->refresh(state); }
  std::string explain(Status status, double t, VectorIn y) const final;
  std::vector<std::string> notes() const override { return inner_->notes(); }
  OdeSystem* ode() final { return this; }

  Status rhs(double t, VectorIn y, VectorOut dy, State* at) final;
  Status jacobian(double t, VectorIn y, MatrixOut rhs_y) final;

 protected:
  // Throws InputError, in the name of the control, for a formulation that it cannot wrap.
  EnergySystem(const char* control, const Problem& problem, std::unique_ptr<System> inner);

  // Adds the control's term to dz = z'; where it changes multipliers, to those in here(). power is W'.
  virtual Status steer(double t, VectorIn z, double power, bool node, VectorOut dz) = 0;
  // After a steer() at the same point: adds the derivatives of the term by the entries of z and by W.
  virtual Status add_derivatives(double t, VectorIn z, MatrixOut dz_z, VectorOut dz_W) = 0;

  // A control whose term is found at nodes and held over the step that begins there says so; hold() comes after
  // steer() at that node. True: the term there is now another one.
  virtual bool holds() const { return false; }
  virtual bool hold(double /*t*/, double /*h*/) { return false; }

  // The rate at which the integrator lets an error decay fastest (core/feedback_gains.hpp), for gain=auto; 0 where
  // feedback waits.
  double fastest_rate(double h) const { return waits_ ? 0 : unit_rate_ / h; }
  double largest_rate(double h) const { return (waits_ ? 1 : unit_rate_) / h; }  // for gains that do not wait

  const Shape& shape() const { return problem_.shape(); }
  double psi() const { return psi_; }
  const Vector& gradient() const { return energy_.energy_z; }  // of psi, along displacements
  State& here() { return here_; }                              // with the multipliers there

  const Problem& problem_;
  Manifold manifold_;  // for displacements

 private:
  void evaluate_energy(double t, VectorIn z);
  Status evaluate(double t, VectorIn y, bool node, VectorOut dy);

  std::unique_ptr<System> inner_;
  const int n_;  // unknowns of the formulation
  Power power_;
  Evaluation energy_;
  double E0_ = 0, psi_ = 0;
  Discretization by_;  // that the rate belongs to
  double unit_rate_ = 1;
  bool waits_ = false;
  State here_;
  Vector y_, dy_;
  double node_t_;  // the node evaluated last; NaN: none
  Vector node_y_;
};

// Why an energy control cannot treat a problem of that shape.
std::optional<std::string> energy_control_refuses(const Shape& shape);

}  // namespace driftless::controls
