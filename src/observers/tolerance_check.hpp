// ToleranceCheck: whether what a run shows of itself bears out its tolerances. Five things are known without a reference:
//   energy       its balance, at the end and where it was largest, compared with what errors of the size of the tolerances make of it,
//                rtol (largest kinetic energy + range of potential energy + |work|) + sum |dE/dz_i| atol_i,
//                and, where something moves, with rtol (largest kinetic energy + |work|); energy that came from nowhere does not count
//   constraints  |g| compared with the same, sum |G_j| w_j, and |g'|, |w| with sum |G_j| w_j' + |L_j| w_j, where
//                w_j = atol_j + rtol |z_j| (Tolerance): each at the step where it was largest, less what redundant rows may be off by
//   consequence  of such a violation for the motion (tolerated_violation.hpp), more than a hundred tolerances
//   size         atol, compared with the largest entry of z
//   roundoff     of the entries of z, compared with what errors of them may be: far from the origin
// Errors of a run are larger than those of a step; a thousand times is beyond that, and noted. Energies (the kinetic one is half of v dE/dv) and
// constraints are looked at in one step out of eight. Private to the room and the catalog.
#pragma once

#include <memory>
#include <string>

#include <driftless/core/manifold.hpp>
#include <driftless/core/observer.hpp>
#include <driftless/core/step_controller.hpp>
#include <driftless/observers/energy_monitor.hpp>

namespace driftless::observers {

class ToleranceCheck final : public Observer {
 public:
  // Comes after the one that knows the energy.
  ToleranceCheck(const Tolerance& tolerance, const EnergyMonitor& energy)
      : tolerance_(tolerance), energy_(energy) {}
  void start(const RunInfo& run) override;
  void step(const AcceptedStep& step) override;
  void finish(Solution& solution) override;

 private:
  struct Worst {
    double size = 0;
    int row = 0;  // of [g; w]
    State before = {}, state = {};
  };
  void look_at_energy(const State& state);
  void look_at_constraints(const State& before, const State& state);
  double tolerated_change(double speeds) const;
  bool parts_as_allowed(const Worst& at) const;
  double energy_part() const;
  std::string energy_note(const EnergyBalance& energy, double duration) const;
  std::string drift_note(double duration) const;
  std::string consequence_note(double duration) const;
  std::string redundant_note() const;
  std::string size_note() const;
  std::string roundoff_note(const State& final) const;

  const Tolerance tolerance_;
  const EnergyMonitor& energy_;
  const Problem* problem_ = nullptr;
  Evaluation parts_;
  Vector granted_;  // that redundant rows may be off by; empty: there are none
  std::unique_ptr<Manifold> manifold_;
  Worst redundant_;  // of redundant rows, within what they may be off by
  double off_at_start_ = 0;
  Worst position_, velocity_;  // the largest |g|, and g^(m-1) or w
  long steps_ = 0;
  double start_ = 0;
  double largest_entry_ = 0;
  double noise_ = 0, speed_ = 0;                     // of energies; of bodies, by their size
  double worst_balance_ = 0, worst_balance_at_ = 0;  // the largest of all looks, and when
  double kinetic_ = 0, least_potential_ = 0, largest_potential_ = 0,
         slope_ = 0;  // slope: sum |dE/dz_i| atol_i
};

}  // namespace driftless::observers
