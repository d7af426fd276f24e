// driftless check: what can be said about a model file before it is run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <driftless/catalog/method.hpp>
#include <driftless/io/model_check.hpp>

#include "requests.hpp"

namespace driftless::app {

// How the model would be run.
struct CheckedMethod {
  Method words;              // those of the file, and the defaults
  bool own = false;          // the file has words of its own
  std::string accuracy;      // "rtol = atol = 1e-6"
  std::string refusal = {};  // why it cannot be used; empty: it can
};

// What the command found, for both views of it.
struct CheckReport {
  std::vector<std::pair<std::string, std::string>> parameters;  // --set
  io::ModelCheck check;
  CheckedMethod method;
};

std::string check_text(const CheckReport& report);
std::string check_json(const CheckReport& report);
std::string faults_json(const std::string& file,
                        const io::ModelError& error);  // of a file that cannot be read

// The exit status: 0 fine or warnings, 1 errors among the findings. Throws InputError where the file cannot be read.
int check_command(const CheckRequest& request);

}  // namespace driftless::app
