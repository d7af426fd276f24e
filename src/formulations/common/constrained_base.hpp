// ConstrainedBase: what a constrained system (constrained_system.hpp) is however its matrices are kept: its unknowns and their order, what
// states carry of them, the unit of time and the offsets that it keeps, and how a step begins.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/kept_offsets.hpp>
#include <driftless/core/manifold.hpp>
#include <driftless/core/unit_of_time.hpp>

#include "constrained_system.hpp"
#include "multiplier_blocks.hpp"
#include "step_notes.hpp"

namespace driftless::formulations {

class ConstrainedBase : public System, public DaeSystem, public CarriedMultipliers, public KeptOffsets {
 public:
  ConstrainedBase(const Problem& problem, const ConstrainedForm& form);

  // System
  int size() const override { return nz_ + ns_; }
  void pack(const State& state, VectorOut y) const override;
  void unpack(double t, VectorIn y, State& state) const override;
  void prepare(State& state) const override { blocks_.prepare(state); }
  Status multipliers(State& state) override;
  Status rates(const State& state, VectorOut yp) override;
  Multipliers carried_multipliers() const override;
  void anchor(const State& state) override;
  // The values of the invariants, offsets, and units of time: that of the last linearization, which an iteration matrix may still
  // have, and what those to come follow from.
  std::vector<double> anchored() const override;
  void restore_anchor(const std::vector<double>& values) override;
  Vector& kept_offsets() override { return offsets_; }
  std::string explain(Status status, double t, VectorIn y) const override;
  bool begin_step(const StepContext& step, VectorIn y) override;
  std::vector<std::string> notes() const override { return notes_.notes(); }
  DaeSystem* dae() override { return this; }
  MechanicalSystem* mechanical() override { return mechanical_.get(); }

  // DaeSystem
  int equations() const override { return nz_ + ns_ + nb_; }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return nz_; }

 protected:
  // Whether lambda and kappa of the last step are those of the state.
  bool keeps_multipliers() const { return form_.differentiated ? form_.generalized.own_lambda : forces_; }
  bool along_forces() const { return form_.D.kind == Direction::input && !form_.D.given; }
  // z with its norms, where everything but the norms themselves is evaluated.
  Point::View place(VectorIn y);
  virtual void measure_time_by(double tau) { tau_ = tau; }

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  const ConstrainedForm form_;
  const bool forces_;         // top by forces
  const bool keeps_offsets_;  // rows of positions keep those of the start
  const Invariants chosen_;
  const int nz_;
  const int ns_;  // multipliers, as many as rows
  const int nb_;  // rows beside
  MultiplierBlocks blocks_;
  std::vector<int> index_;
  Workspace workspace_;
  Vector no_r_, a_, multipliers_;
  Vector offsets_;                      // that rows keep; empty: none
  bool stages_ = false;                 // of the method that integrates it
  bool framed_ = false;                 // N and N^+ stay as they are until the next step or linearization
  double tau_ = 1, linearized_by_ = 1;  // units of time: now, and at the last linearization
  std::unique_ptr<MechanicalSystem> mechanical_;

 private:
  virtual Manifold& manifold() = 0;  // keeps the values of the invariants
  virtual const Manifold& manifold() const = 0;
  virtual const std::vector<int>& left_out() const = 0;  // rows of [G; K]
  virtual void start_step(double t, VectorIn y) = 0;
  virtual double pushed_speed(
      VectorIn y) = 0;  // of positions by stabilizing multipliers; 0 where it is not known
  virtual void keep_frame(double t, VectorIn y) = 0;  // of N and N^+
  virtual double mean_mass(double t, VectorIn y) = 0;
  virtual std::string explain_singular(double t) const = 0;  // a matrix of the step; empty: nothing is known

  void lay_out();
  double unit_of_time(double t, VectorIn y, double h);

  StepNotes notes_;
  double size_of_mechanism_ = -1;  // negative: not asked for yet
  bool compares_levels_;           // pushes move more than one level at once
  UnitOfTime unit_of_time_;
  Vector z_;
};

}  // namespace driftless::formulations
