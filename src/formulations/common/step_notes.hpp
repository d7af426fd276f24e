// StepNotes: what a constrained system sees of a run, and what a user should know of it afterwards.
#pragma once

#include <string>
#include <vector>

namespace driftless::formulations {

class StepNotes {
 public:
  // Before a step of length h: how fast stabilizing multipliers moved positions in the last one, and how fast the motion itself did.
  void pushed(double push, double speed, double h, double size_of_mechanism);
  std::vector<std::string> notes() const;

 private:
  double push_ = 0, speed_ = 0;  // largest
  double moved_ = 0;             // by them in all, as a part of the mechanism's size
};

}  // namespace driftless::formulations
