// What becomes of a model file that may have mistakes in it: refused in words, or run as `driftless run` does, for some hundred steps.
#pragma once

#include <filesystem>
#include <string>

namespace driftless::fuzz {

struct MutatedRun {
  enum class Ending {
    refused,     // before anything was computed
    completed,   // to its end
    ended,       // early, with a reason
    unfinished,  // after as many steps as it was given, or as much time
    not_finite,  // it went on, or said that it was done, with numbers that are none
    failed,      // by an exception that is no InputError
  };
  Ending ending = Ending::failed;
  std::string sentence = {};
};

const char* name_of(MutatedRun::Ending ending);

// `file`: where tables are looked for. Ends itself after so many seconds of processor time, between two steps.
MutatedRun run_mutated(const std::string& text, const std::filesystem::path& file, double seconds_limit);

}  // namespace driftless::fuzz
