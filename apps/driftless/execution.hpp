// One run from beginning to end: solve, compare with the reference, write the files.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <driftless/catalog/method.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/core/observer.hpp>
#include <driftless/io/result_folder.hpp>
#include <driftless/io/run_report.hpp>

#include "problem_source.hpp"

namespace driftless::app {

struct Experiment {
  ProblemSource source;
  std::vector<std::pair<std::string, std::string>> parameters;
  Method method;
  Options options;
  std::vector<std::string> events = {};  // as given; options.events has their functions
  std::string resumed_from = {};         // folder or file of an earlier run
  std::vector<std::string> notes = {};
  std::vector<std::string> warnings = {};  // of the check before the run
};

// Makes the folder for results when the run begins: after everything that can be wrong with the input was
// checked, and before the time of a long run is spent.
class FolderMaker final : public Observer {
 public:
  // `given`: by --out, refused here and now where there are files in it.
  FolderMaker(const std::optional<std::string>& given, const std::string& usual)
      : wanted_(given.value_or(usual)), name_(given ? io::FolderName::given : io::FolderName::suggested) {
    if (given) io::refuse_taken_folder(*given);
  }
  void start(const RunInfo&) override { folder_.emplace(wanted_, name_); }
  const io::ResultFolder& folder() const { return *folder_; }

 private:
  std::string wanted_;
  io::FolderName name_;
  std::optional<io::ResultFolder> folder_;
};

// Solves with a progress bar for whoever is watching; an interrupt ends the run early.
io::RunReport execute(const Experiment& experiment, std::vector<Observer*> observers);

// run.json, checkpoint.json, trajectory.csv, steps.csv where steps were chosen, events.csv where events were asked for, and of a model file outputs.csv and outputs.json. Throws std::runtime_error where that fails.
void write_results(const io::ResultFolder& folder, const io::RunReport& report, const Experiment& experiment);

}  // namespace driftless::app
