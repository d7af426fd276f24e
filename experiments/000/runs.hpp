// The runs of the paper, all of them with backward Euler on [0, 1], and how their numbers are read.
#pragma once

#include <string>

#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper000 {

struct Run {
  std::string problem;  // with its parameters, "000-example4 --set nu=100"
  std::string formulation;
  std::string step = "0.01";
  std::string stabilizer = "none";
};
std::string command(const Run& run);

std::string example1(const std::string& nu);
std::string example2();
std::string example3(const std::string& nu, const std::string& eps);
std::string example4(const std::string& nu);

// (4.7), (4.14) and (4.15) with the paper's names of D: "B", "C^T", "unit"; (4.16), (4.17): variants b, c.
std::string projected(const std::string& D, char variant = 'a');
std::string stabilized(const std::string& D);
inline const std::string direct = "index2";                  // "d-2", Baumgarte with an infinite gamma
inline const std::string state_space = "state-space:R=1;0";  // R~ = (1, 0)

// Errors are those of all components at the end. In (4.14) the constraint holds and its derivative drifts;
// where its derivative is imposed alone, the constraint does.
inline const Reading error_p = pointer("/error/q"), error_v = pointer("/error/v"),
                     drift_p = pointer("/final/drift/position"), drift_v = pointer("/final/drift/velocity"),
                     mu = magnitude("/final/extras/mu/0");

// Says in the note of a printed number how its last digit came about where it is not by rounding.
void explain_last_digit(Entry& entry);

}  // namespace driftless::experiments::paper000
