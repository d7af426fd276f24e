// driftless modes: equilibrium, eigenvalues and shapes of the motion linearised there.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <driftless/analysis/modes.hpp>
#include <driftless/io/state_units.hpp>

#include "requests.hpp"

namespace driftless::app {

// What the command found, for both views of it.
struct ModesReport {
  std::string name;  // of the problem
  std::vector<std::pair<std::string, std::string>> parameters;
  std::shared_ptr<const Problem> problem;
  analysis::Modes found;
  io::StateUnits units = {};  // in which the state is told; eigenvalues are in 1/s, shapes in SI
  std::vector<std::string> notes;
};

std::string modes_text(const ModesReport& report, const std::string& problem_summary);
std::string modes_json(const ModesReport& report);

int modes_command(const ModesRequest& request);  // the exit status

}  // namespace driftless::app
