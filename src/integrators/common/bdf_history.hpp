// The past of a BDF method with fixed leading coefficient, as modified divided differences (Brenan, Campbell, Petzold 1996, section
// 5.2). With t_n the last time, h the step to t_{n+1}, psi_i = t_{n+1} - t_{n+1-i} and psi_i^old the same one step earlier:
//   phi_1 = y_n,   phi_i = psi_1^old .. psi_{i-1}^old [y_n, .., y_{n-i+1}]       divided differences
//   beta_1 = 1,    beta_i = beta_{i-1} psi_{i-1}/psi_{i-1}^old                   phi_i^* = beta_i phi_i
// Step of order k: predictor, which continues the polynomial through the last k + 1 values, and corrector
//   y^P = sum_{i<=k+1} phi_i^*,      y'^P = sum_{i<=k+1} phi_i^* sum_{j<i} 1/psi_j
//   F(t_{n+1}, y, y'^P + c (y - y^P)) = 0,      c = (1 + 1/2 + .. + 1/k)/h
// c depends on h and k only ("fixed leading coefficient"); at equal steps this is the classical BDF method.
// Local error at order j, from the differences of the new value: sigma_{j+1} phi_{j+2}, where phi_{k+2} = y - y^P,
//   phi_{k+1} = phi_{k+2} + phi_{k+1}^*  and so on downwards,  phi_{k+3} = phi_{k+2} - phi_{k+2}^*,
//   sigma_1 = 1,  sigma_i = (i - 1) sigma_{i-1} h/psi_i.
// What is judged is  max(alpha_{k+1}, |alpha_{k+1} + sum_{j<=k} (alpha_j - 1/j)|) (y - y^P),  alpha_j = h/psi_j: the error of the
// corrector, or of the interpolant if that is larger.
//
// A start has one value and its rate: the value before it is taken to be y_0 - h y_0'.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless::integrators {

class BdfHistory {
 public:
  static constexpr int largest_order = 5;
  static constexpr int columns = largest_order + 3;

  void start(VectorIn y, VectorIn yp);
  // From the first `count` of values at several times, oldest first; steps between them, newest first.
  void start(const std::vector<Vector>& values, std::size_t count, const std::vector<double>& steps);

  // Sets a step up; the history itself stays as it is.
  void prepare(double h, int order);
  void predict(VectorOut y, VectorOut yp) const;
  int order() const { return order_; }
  double c() const { return c_; }
  double judged() const { return judged_; }  // factor of y - y^P
  // The local error of that order in the step prepared, from the difference y - y^P, for order - 2 .. order + 1.
  bool knows_error(int order) const;
  void local_error(int order, VectorIn difference, VectorOut error) const;

  void accept(VectorIn y);                           // the value at the end of the step prepared
  void interpolate(double back, VectorOut y) const;  // `back` before the last value, in the last step

  bool begun() const { return last_order_ > 0; }                             // a step has been accepted
  int highest_order() const { return std::min(known_ - 1, largest_order); }  // for which there are values
  // How many values, not counting the one that a start makes up.
  int values() const { return real_; }
  auto value() const { return phi_.col(0); }

  std::vector<double> memory() const;
  const double* remember(
      const double* memory);  // reads as many, returns what follows; null: they make no sense

 private:
  void reset(VectorIn y);

  Matrix phi_;                              // columns phi_1, phi_2, ..
  Vector yp_start_;                         // rate at a start
  std::array<double, columns> steps_ = {};  // the last ones, newest first
  int known_ = 0;                           // columns that have a meaning
  int real_ = 0;
  int last_order_ = 0;
  // of the step prepared
  double h_ = 0, c_ = 0, judged_ = 0;
  int order_ = 0;
  std::array<double, columns> beta_ = {}, gamma_ = {}, sigma_ = {};
};

}  // namespace driftless::integrators
