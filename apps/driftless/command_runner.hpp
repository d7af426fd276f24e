// Executes the commands of experiments: the program's own parser and the code of `driftless run`, without a
// folder for results. A command that occurs again is not executed again.
#pragma once

#include <map>
#include <string>

#include "experiments/common/runner.hpp"

namespace driftless::app {

class CommandRunner final : public experiments::Runner {
 public:
  const experiments::RunRecord& run(const std::string& command) override;
  std::size_t runs() const { return records_.size(); }

 private:
  std::map<std::string, experiments::RunRecord> records_;
};

}  // namespace driftless::app
