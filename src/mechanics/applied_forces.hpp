// The forces of a mechanism and their derivatives: each is push . gradient of its measure, and the push depends on values and rates of
// measures; on spatial bodies also the gyroscopic torque, with  d(J w x w) = (J dw) x w + J w x dw.
#pragma once

#include "mechanics/pair_pattern.hpp"
#include "mechanics/places.hpp"

namespace driftless::mechanics {

class AppliedForces {
 public:
  explicit AppliedForces(const MechanismModel& model);

  void mark_bodies(std::vector<char>& marks) const;  // those of which it needs whole places

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

  struct Spinning {
    int v;  // where its angular velocity stands
    Mat3 inertia;
  };

  const MechanismModel& model_;
  Vector weights_;
  std::vector<Spinning> spinning_;  // spatial bodies
  std::vector<int> order_;          // of forces, those of a kind together
};

}  // namespace driftless::mechanics
