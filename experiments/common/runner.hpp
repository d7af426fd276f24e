// What an experiment may do: have a `driftless run ...` command line executed, and read the run's document
// and trajectory. The program implements it with its own command-line parser and the code of `driftless run`,
// so a value of an experiment can come from nothing but a command that a user can paste.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace driftless::experiments {

// trajectory.csv: one column per name, one value per recorded state.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  const std::vector<double>& column(const std::string& name) const;  // throws InputError
};

struct RunRecord {
  nlohmann::ordered_json json;  // what `driftless run --json` prints
  Table trajectory;
};

class Runner {
 public:
  Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  virtual ~Runner() = default;

  // `command` is a complete command line, "driftless run 001-kepler --step .003 ...". A run that ends early
  // is a record like any other (see /end/reason); a command that the program refuses throws InputError. The
  // record lives as long as the runner, which executes each command once.
  virtual const RunRecord& run(const std::string& command) = 0;
};

}  // namespace driftless::experiments
