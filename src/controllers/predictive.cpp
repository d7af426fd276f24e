// predictive: step control that foresees how the error changes (Gustafsson 1994; Hairer, Wanner II, IV.8). With err the error norm,
// 1 = tolerance, k the order of the error estimate, and h_acc, err_acc those of the last accepted step:
//   plain       h_new = h * safety * err^(-1/(k+1))
//   predicted   h_new = h * safety * err^(-1/(k+1)) * (h/h_acc) * (err_acc/err)^(1/(k+1)):   what plain control forgets, that errors grow
//               or fall from step to step, continued as it was
//   accepted    the smaller of both (plain after the first step), between h/5 and 8 h; no growth after a rejection; a growth of up to `keep`
//               is left out, so that factored matrices serve once more
//   rejected    plain, not below h/5
//   failed      h/2
// Steps fall in time where a solution becomes rough; after a kink the forecast is worthless for a step or two.
#include <algorithm>
#include <cmath>

#include <driftless/core/entries.hpp>

namespace driftless::controllers {

namespace {

class Predictive final : public StepController {
 public:
  Predictive(double safety, double keep, const Tolerance& tolerance)
      : safety_(safety), keep_(keep), tolerance_(tolerance) {}

  const Tolerance* tolerance() const override { return &tolerance_; }

  void start() override {
    last_h_ = 0;
    last_error_ = 1;
    rejected_ = false;
  }

  std::vector<double> memory() const override { return {last_h_, last_error_, rejected_ ? 1.0 : 0.0}; }
  bool remember(const std::vector<double>& memory) override {
    last_h_ = memory[0];
    last_error_ = memory[1];
    rejected_ = memory[2] != 0;
    return last_h_ >= 0 && last_error_ > 0;
  }

  Verdict judge(const Assessment& step) override {
    const double error = step.error, h = step.h, exponent = 1.0 / (step.error_order + 1);
    if (!(error <= 1)) {  // also NaN
      rejected_ = true;
      const double factor = std::isfinite(error) ? safety_ * std::pow(error, -exponent) : smallest;
      return {false, h * std::clamp(factor, smallest, 0.95)};
    }
    double factor = largest;
    if (error > 0) {
      factor = safety_ * std::pow(error, -exponent);
      if (last_h_ > 0)
        factor = std::min(factor, factor * h / last_h_ * std::pow(last_error_ / error, exponent));
      factor = std::clamp(factor, smallest, largest);
    }
    last_h_ = h;
    last_error_ = std::max(error, 1e-2);
    if (rejected_) factor = std::min(factor, 1.0);
    rejected_ = false;
    return {true, factor >= 1 && factor <= keep_ ? h : h * factor};
  }

  Verdict shrink(double h) override {
    rejected_ = true;
    return {false, h / 2};
  }

 private:
  static constexpr double smallest = 0.2, largest = 8;
  const double safety_, keep_;
  const Tolerance tolerance_;
  double last_h_ = 0, last_error_ = 1;  // of the last accepted step; 0: there is none
  bool rejected_ = false;
};

}  // namespace

ControllerEntry predictive() {
  return {.summary = "steps chosen by the error estimate and its trend, for radau5",
          .traits = [](const OptionValues&) { return ControllerTraits{.needs_error_estimate = true}; },
          .options = {{.name = "safety",
                       .fallback = "0.8",
                       .help = "factor on the step that would just do",
                       .above = 0,
                       .below = 1},
                      {.name = "keep",
                       .fallback = "1.2",
                       .help = "a step that might grow by up to this factor stays as it is",
                       .at_least = 1,
                       .at_most = 2}},
          .make =
              [](const OptionValues& o, const ControllerSetup& setup) {
                return std::make_unique<Predictive>(o.number("safety"), o.number("keep"), setup.tolerance);
              }};
}

}  // namespace driftless::controllers
