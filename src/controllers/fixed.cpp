// fixed: every step has the size given (--step) and is accepted. A step that fails ends the run, since its
// size may not change.
#include <driftless/core/entries.hpp>

namespace driftless::controllers {

namespace {

class Fixed final : public StepController {
 public:
  explicit Fixed(double step) : step_(step) {}
  std::optional<double> fixed_step() const override { return step_; }
  Verdict judge(const Assessment&) override { return {true, step_}; }
  Verdict shrink(double) override { return {false, 0}; }

 private:
  double step_;
};

}  // namespace

ControllerEntry fixed() {
  return {.summary = "the given step, always accepted",
          .traits = [](const OptionValues&) { return ControllerTraits{.needs_step = true}; },
          .options = {},
          .make = [](const OptionValues&,
                     const ControllerSetup& setup) { return std::make_unique<Fixed>(*setup.step); }};
}

}  // namespace driftless::controllers
