// The iteration matrix c F_y' + F_y of a system, kept from step to step while it serves: where it was linearized and for which c it was
// factored, so that a run that is taken up again can compute it anew, bit by bit.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/system.hpp>

namespace driftless::integrators {

class KeptMatrix {
 public:
  explicit KeptMatrix(DaeSystem& system);

  Status linearize(double t, VectorIn y, VectorIn yp);
  Status factor(double c);  // after linearize()
  void solve(VectorIn residual, VectorOut increment) { matrix_->solve(residual, increment); }
  // (c F_y' + F_y)^-1 c F_y' x: what the equations make of errors of a discretization.
  void smooth(VectorIn x, VectorOut smoothed);

  double factored() const { return c_; }  // for this c; 0: not factored

  // Always as many numbers; remember() reads them off the front and computes the matrix where there was one.
  std::vector<double> memory() const;
  std::size_t memory_size() const { return 2 + 2 * static_cast<std::size_t>(y_.size()); }
  Status remember(const double* memory);

 private:
  DaeSystem& system_;
  std::unique_ptr<IterationMatrix<double>> matrix_;
  double c_ = 0;
  double t_ = 0;  // where it was linearized
  Vector y_, yp_;
  Matrix F_y_, F_yp_;  // for smooth(), once somebody asked
  Vector product_;
};

}  // namespace driftless::integrators
