// AccelerationLaw: another way than Problem::acceleration to solve
//   M a + B lambda + K^T kappa = f,   G a + c = r_g,   K a + ck = r_k
// for constraints that are redundant or singular, or with memory of the multipliers of the step before.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless::formulations {

class AccelerationLaw {
 public:
  virtual ~AccelerationLaw() = default;

  // multipliers and unforced (those that belong to r = 0) are computed where they are asked for.
  virtual Status acceleration(double t, VectorIn z, VectorIn r, VectorOut a, Vector* multipliers,
                              Vector* unforced) = 0;
  // The same equations with other right-hand sides, M a + [B, K^T] l = top, [G; K] a = bottom, at the point of the last acceleration().
  virtual Status solve_there(VectorIn top, VectorIn bottom, VectorOut a) = 0;

  // Laws that work without zeros say there what takes the place of C a = r in matrices of implicit steps, C da - diag(softness) dl = ..
  // (sparse_acceleration.hpp); null: they do not.
  virtual const Vector* softness() const { return nullptr; }

  // A step begins at (t, z). True: the law wants the multipliers there, by keep(), and is another one with them.
  virtual bool begin_step(double t, VectorIn z) = 0;
  virtual void keep(double t, VectorIn multipliers) = 0;

  virtual void anchor(double t, VectorIn z) = 0;
  virtual std::vector<double> anchored() const = 0;  // always as many numbers
  virtual void restore_anchor(const std::vector<double>& values) = 0;
  virtual std::vector<std::string> notes() const = 0;
  virtual std::string explain(Status status, double t, VectorIn z) const = 0;
};

}  // namespace driftless::formulations
