// StepNotes: what a constrained system sees of a run, and what a user should know of it afterwards.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace driftless::formulations {

class StepNotes {
 public:
  void anchor() {
    step_ = before_ = 0;
    t_ = -std::numeric_limits<double>::infinity();
  }
  void begin(double t, double h) {
    before_ = t > t_ ? step_ : before_;
    step_ = h;
    t_ = t;
  }
  // How fast stabilizing multipliers moved positions in the last step, and how fast the motion itself did.
  void pushed(double push, double speed);
  double last_step() const { return step_; }
  void restore_last_step(double h) { step_ = h; }

  // by_equal_steps: lambda is of index 3 and the method has it right only if the last two steps were equal.
  std::vector<std::string> notes(bool by_equal_steps) const;

 private:
  double push_ = 0, speed_ = 0;                          // largest
  double step_ = 0, before_ = 0;                         // the last two steps, and
  double t_ = -std::numeric_limits<double>::infinity();  // where the last began
};

}  // namespace driftless::formulations
