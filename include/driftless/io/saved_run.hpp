// A run as it is saved beside its results (checkpoint.json), so that it can be taken up again: what was asked for, in the words of the
// command line, and the checkpoint. Numbers are written so that reading them gives the same bits.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <driftless/core/checkpoint.hpp>
#include <driftless/core/options.hpp>
#include <driftless/io/run_report.hpp>

namespace driftless::io {

struct SavedRun {
  std::string version;  // of the program that wrote it
  std::string problem;  // or the model file, from the root
  std::vector<std::pair<std::string, std::string>> parameters;
  MethodWords method;
  Options options;  // t_end, step, rtol, atol, hmax
  std::vector<std::string> events;
  Checkpoint checkpoint;
  std::string loops = {};         // of a robot file: the file beside it, where another one was named
  std::string keyframe = {};      // where it started
  bool allow_outside = false;     // and whether it may include files of other folders
  std::string model_digest = {};  // of the model file and its tables; empty: there is none
};

std::string saved_run_json(const SavedRun& run);

// From the file, or from checkpoint.json in a folder. Throws InputError where it cannot be read or understood.
SavedRun read_saved_run(const std::filesystem::path& path);

}  // namespace driftless::io
