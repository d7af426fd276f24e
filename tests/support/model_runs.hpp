// Model files run by every way that rows of constraints may be kept: whole matrices, matrices without their zeros, coordinates of joints.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/run.hpp"

namespace driftless::tests {

enum class Way { whole, sparse, relative };

inline const char* name_of(Way way) {
  return way == Way::whole    ? "whole matrices"
         : way == Way::sparse ? "sparse matrices"
                              : "relative coordinates";
}

inline std::filesystem::path test_model(const std::string& name) {
  return std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "tests" / "models" / (name + ".toml");
}

// The solution with its final state by bodies.
inline Solution run_model(const io::Model& model, Way way, const Options& options,
                          const Method& method = {}) {
  const mechanics::Mechanism& mechanism = model.mechanism;
  const State start = mechanism.assembled(model.closing);
  if (way == Way::relative) {
    const mechanics::RelativeCoordinates relative(mechanism.finished(), mechanism.joints(), start);
    Solution run = solve(*relative.problem(), relative.start(), method, options);
    run.final = relative.absolute(run.final);
    return run;
  }
  const auto problem = mechanics::make_problem(
      mechanism.finished(), way == Way::sparse ? mechanics::Matrices::sparse : mechanics::Matrices::whole);
  return solve(*problem, start, method, options);
}

inline bool has_note(const Solution& run, const std::string& piece) {
  for (const std::string& note : run.notes)
    if (contains(note, piece)) return true;
  return false;
}

}  // namespace driftless::tests
