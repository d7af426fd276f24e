// StepNotes: what a constrained system sees of a run, and what a user should know of it afterwards.
#pragma once

#include <string>
#include <vector>

namespace driftless::formulations {

class StepNotes {
 public:
  // How fast stabilizing multipliers moved positions in the last step, and how fast the motion itself did.
  void pushed(double push, double speed);
  std::vector<std::string> notes() const;

 private:
  double push_ = 0, speed_ = 0;  // largest
};

}  // namespace driftless::formulations
