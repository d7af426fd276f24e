// bdf-order: step and order of a method that has several, from the local errors at the orders around (Brenan, Campbell, Petzold 1996,
// section 5.2.3). With E_j the norm of the local error at order j, 1 = tolerance, T_j = (j + 1) E_j and k the order of the step:
//   start      order + 1 and 2 h after every step, until a step fails, T_{k-1} and T_{k-2} are not larger than T_k, or the order rises no more
//   order      k - 1 if max(T_{k-1}, T_{k-2}) <= T_k (k = 2: T_1 <= T_2/2);
//              after more than k steps with this order k + 1 if T_{k+1} < min(T_{k-1}, T_k) (k = 1: T_2 < T_1/2), k - 1 if T_{k-1} <= min(T_k, T_{k+1})
//   accepted   h_new = h r,  r = (safety E + 1e-4)^(-1/(k+1)) at the new order, where r >= growth (then at most 2; not right after a failure)
//              or r < 1 (then between 0.5 and 0.9)
//   rejected   first 0.9 h r, between h/4 and 0.9 h, at an order not larger; then h/4; then order 1 and h/4
//   failed     h/4; from the third time on order 1
// A step that is kept keeps the factored matrix.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <driftless/core/entries.hpp>

namespace driftless::controllers {

namespace {

class BdfOrder final : public StepController {
 public:
  BdfOrder(double growth, double safety, const Tolerance& tolerance)
      : growth_(growth), safety_(safety), tolerance_(tolerance) {}

  const Tolerance* tolerance() const override { return &tolerance_; }
  std::optional<int> first_order() const override { return 1; }

  void start() override {
    starting_ = true;
    failures_ = 0;
    steps_ = 0;
    last_ = 0;
  }

  std::vector<double> memory() const override {
    return {starting_ ? 1.0 : 0.0, static_cast<double>(failures_), static_cast<double>(steps_),
            static_cast<double>(last_)};
  }
  bool remember(const std::vector<double>& memory) override {
    starting_ = memory[0] != 0;
    failures_ = static_cast<int>(memory[1]);
    steps_ = static_cast<int>(memory[2]);
    last_ = static_cast<int>(memory[3]);
    return failures_ >= 0 && steps_ >= 0 && last_ >= 0;
  }

  Verdict judge(const Assessment& step) override {
    const OrderSizes& at = step.orders;
    const int lower = lowered(at);
    return step.error <= 1 ? accepted(step, lower) : rejected(step, lower);  // NaN is rejected
  }

  Verdict shrink(double h) override {
    starting_ = false;
    ++failures_;
    steps_ = 0;
    return {false, h / 4, failures_ >= 3 ? 1 : 0};
  }

 private:
  double factor(double error, int order) const {
    return std::pow(safety_ * error + 1e-4, -1.0 / (order + 1));
  }
  static double term(const std::optional<double>& error, int order) {
    return error ? (order + 1) * *error : std::numeric_limits<double>::infinity();
  }

  // k - 1 where the lower differences say that the solution is not smooth enough for k.
  static int lowered(const OrderSizes& at) {
    const int k = at.order;
    if (k < 2 || !at.below) return k;
    const double same = term(at.same, k), below = term(at.below, k - 1);
    if (k == 2) return below <= 0.5 * same ? 1 : 2;
    return std::max(below, at.two_below ? term(at.two_below, k - 2) : 0) <= same ? k - 1 : k;
  }

  Verdict accepted(const Assessment& step, int lower) {
    const OrderSizes& at = step.orders;
    const int k = at.order;
    const bool after_failure = std::exchange(failures_, 0) > 0;
    ++steps_;
    if (lower < k || k == std::exchange(last_, k)) starting_ = false;  // or the order can rise no further
    int order = lower;
    double error = lower < k ? *at.below : at.same.value_or(step.error);
    if (starting_) return {true, 2 * step.h, k + 1};
    if (lower == k && at.above && steps_ > k) {
      const double same = term(at.same, k), above = term(at.above, k + 1);
      const double below = k > 1 ? term(at.below, k - 1) : std::numeric_limits<double>::infinity();
      if (k == 1 ? above < 0.5 * same : above < same && below > std::min(same, above)) {
        order = k + 1;
        error = *at.above;
      } else if (k > 1 && at.below && below <= std::min(same, above)) {
        order = k - 1;
        error = *at.below;
      }
    }
    if (order != k) steps_ = 0;
    double r = factor(error, order);
    if (r >= growth_ && !after_failure)
      r = std::min(r, 2.0);
    else
      r = r > 1 ? 1 : std::clamp(r, 0.5, 0.9);
    return {true, step.h * r, order};
  }

  Verdict rejected(const Assessment& step, int lower) {
    starting_ = false;
    ++failures_;
    steps_ = 0;
    const int k = std::max(step.orders.order, 1);
    if (!std::isfinite(step.error) || failures_ > 1) return {false, step.h / 4, failures_ > 2 ? 1 : lower};
    const double error = lower < k ? *step.orders.below : step.orders.same.value_or(step.error);
    return {false, step.h * std::clamp(0.9 * factor(error, lower), 0.25, 0.9), lower};
  }

  const double growth_, safety_;
  const Tolerance tolerance_;
  bool starting_ = true;
  int failures_ = 0;  // in a row
  int steps_ = 0;     // since the order changed
  int last_ = 0;      // order of the last accepted step
};

}  // namespace

ControllerEntry bdf_order() {
  return {.summary = "step and order chosen together, for bdf",
          .traits =
              [](const OptionValues&) {
                return ControllerTraits{.needs_error_estimate = true, .chooses_order = true};
              },
          .options = {{.name = "growth",
                       .fallback = "1.5",
                       .help = "the step grows when it may by this factor or more",
                       .above = 1,
                       .at_most = 2},
                      {.name = "safety",
                       .fallback = "3",
                       .help = "the next step is chosen as if errors were so many times larger",
                       .at_least = 1,
                       .at_most = 100}},
          .make =
              [](const OptionValues& o, const ControllerSetup& setup) {
                return std::make_unique<BdfOrder>(o.number("growth"), o.number("safety"), setup.tolerance);
              }};
}

}  // namespace driftless::controllers
