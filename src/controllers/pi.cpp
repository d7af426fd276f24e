// pi: proportional-integral step control (Gustafsson 1991; Hairer, Wanner II, IV.2). With err the error norm,
// 1 = tolerance, and k the order of the error estimate:
//   accepted   h_new = h * safety * err^-(1/(k+1) - 0.75 beta) * err_last^beta,   between h/5 and 10 h,
//              no growth after a rejection
//   rejected   h_new = h * safety * err^-(1/(k+1)),                               not below h/5
// beta = 0 is the classical controller; beta > 0 damps the oscillation of step sizes where stability limits the step.
// The whole error estimate is judged, although a stabilizer removes its normal part: see docs/loop.md.
#include <algorithm>
#include <cmath>

#include <driftless/core/entries.hpp>

namespace driftless::controllers {

namespace {

struct PiOptions {
  double safety = 0.9;
  double beta = 0.04;
};

class Pi final : public StepController {
 public:
  Pi(const ControllerTraits& known, const PiOptions& options, const Tolerance& tolerance)
      : StepController(known), options_(options), tolerance_(tolerance) {}

  const Tolerance* tolerance() const override { return &tolerance_; }

  void start() override {
    last_error_ = 1e-4;
    rejected_ = false;
  }

  std::vector<double> memory() const override { return {last_error_, rejected_ ? 1.0 : 0.0}; }
  bool remember(const std::vector<double>& memory) override {
    last_error_ = memory[0];
    rejected_ = memory[1] != 0;
    return last_error_ > 0 && last_error_ <= 1;
  }

  Verdict judge(const Assessment& step) override {
    const double error = step.error, h = step.h, exponent = 1.0 / (step.error_order + 1);
    if (!(error <= 1)) {  // also NaN
      rejected_ = true;
      const double factor = std::isfinite(error) ? options_.safety * std::pow(error, -exponent) : smallest;
      return {false, h * std::clamp(factor, smallest, 0.95)};
    }
    double factor = largest;
    if (error > 0) {
      factor = options_.safety * std::pow(error, -(exponent - 0.75 * options_.beta)) *
               std::pow(last_error_, options_.beta);
      factor = std::clamp(factor, smallest, rejected_ ? 1.0 : largest);
    }
    last_error_ = std::max(error, 1e-4);
    rejected_ = false;
    return {true, h * factor};
  }

  Verdict shrink(double h) override {
    rejected_ = true;
    return {false, h / 4};
  }

 private:
  static constexpr double smallest = 0.2, largest = 10;
  PiOptions options_;
  Tolerance tolerance_;
  double last_error_ = 1e-4;
  bool rejected_ = false;
};

ControllerTraits traits_of(const OptionValues& o) {
  return {.needs_error_estimate = true, .judges_tangential = o.word("error") == "tangential"};
}

}  // namespace

ControllerEntry pi() {
  return {
      .summary = "steps chosen by the error estimate so that the tolerances are met",
      .traits = traits_of,
      .options = {{.name = "safety",
                   .fallback = "0.9",
                   .help = "factor on the step that would just do",
                   .above = 0,
                   .below = 1},
                  {.name = "beta",
                   .fallback = "0.04",
                   .help = "weight of the last error; 0 is plain error control",
                   .below = 0.2,
                   .at_least = 0},
                  {.name = "error",
                   .fallback = "whole",
                   .help = "what is judged: the whole error estimate, or only its part along the constraints",
                   .choices = {"whole", "tangential"}}},
      .make = [](const OptionValues& o, const ControllerSetup& setup) {
        const PiOptions options{.safety = o.number("safety"), .beta = o.number("beta")};
        return std::make_unique<Pi>(traits_of(o), options, setup.tolerance);
      }};
}

}  // namespace driftless::controllers
