// The forces of a mechanism and their derivatives: each is push . gradient of its measure, and the push depends on values and rates of
// measures; on spatial bodies also the gyroscopic torque, with  d(J w x w) = (J dw) x w + J w x dw.
#pragma once

#include "mechanics/places.hpp"

namespace driftless::mechanics {

class AppliedForces {
 public:
  explicit AppliedForces(const MechanismModel& model) : model_(model) {}

  void values(double t, const Places& places, Vector& f) const;
  void jacobian(double t, const Places& places, Matrix& f_z) const;

 private:
  void add_gyroscopic(const Places& places, Matrix& f_z) const;
  void add_slopes(const Places& places, const Measure& m, const FirstOrder<double>& y, const Measure& by,
                  const FirstOrder<double>& u, double by_value, double by_rate, Matrix& f_z) const;
  void add_slopes_by_inputs(double t, const Places& places, const Measure& m, const FirstOrder<double>& y,
                            const ExpressionLaw& law, Matrix& f_z) const;

  const MechanismModel& model_;
};

}  // namespace driftless::mechanics
