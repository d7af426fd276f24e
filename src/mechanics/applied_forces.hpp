// The forces of a mechanism and their derivatives: each is push . gradient of its measure, and the push depends on values and rates of
// measures; on spatial bodies also the gyroscopic torque, with  d(J w x w) = (J dw) x w + J w x dw.
#pragma once

#include "mechanics/pair_pattern.hpp"
#include "mechanics/places.hpp"

namespace driftless::mechanics {

class AppliedForces {
 public:
  explicit AppliedForces(const MechanismModel& model) : model_(model) {}

  void values(double t, const Places& places, Vector& f) const;
  void jacobian(double t, const Places& places, Matrix& f_z) const;
  void jacobian(double t, const Places& places, linalg::SparseRows& by_x, linalg::SparseRows& by_v) const;
  void energy_gradient(const Places& places, Vector& energy_z) const;

 private:
  template <class Pairs>
  void jacobian_to(double t, const Places& places, const Pairs& by_x, const Pairs& by_v) const;
  template <class Pairs>
  void add_gyroscopic(const Places& places, const Pairs& by_v) const;
  template <class Pairs>
  void add_slopes(const Places& places, const Measure& m, const FirstOrder<double>& y, const Measure& by,
                  const FirstOrder<double>& u, double by_value, double by_rate, const Pairs& by_x,
                  const Pairs& by_v) const;
  template <class Pairs>
  void add_slopes_by_inputs(double t, const Places& places, const Measure& m, const FirstOrder<double>& y,
                            const ExpressionLaw& law, const Pairs& by_x, const Pairs& by_v) const;

  const MechanismModel& model_;
};

}  // namespace driftless::mechanics
