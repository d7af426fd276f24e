// The options by which feedback of order m is chosen, the same for every formulation that has it:
//   gamma        (d/dt + gamma)^m g = 0,            w' + gamma w = 0
//   alpha, beta  g'' + alpha g' + beta g = 0,       w' + (alpha/2) w = 0
//   roots        (d/dt + r_1) .. (d/dt + r_m) g = 0,  w' + (mean of the roots) w = 0
//   gain=auto    chosen for the integrator and the step (core/feedback_gains.hpp)
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/method_options.hpp>
#include <driftless/core/problem.hpp>

#include "acceleration_system.hpp"

namespace driftless::formulations {

class FeedbackOptions {
 public:
  static std::vector<OptionSpec> specs();
  // `owner` names the formulation in messages.
  FeedbackOptions(const std::string& owner, const OptionValues& values);

  std::optional<std::string> refuses(const Shape& shape) const;
  bool automatic() const { return automatic_; }
  Feedback feedback(const Shape& shape) const;  // none where nothing is constrained

 private:
  std::string owner_;
  bool automatic_ = false, by_coefficients_ = false;
  double gamma_ = 0, alpha_ = 0, beta_ = 0;
  std::vector<std::complex<double>> roots_;
};

}  // namespace driftless::formulations
