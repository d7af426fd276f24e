// --coordinates: a model is integrated in the coordinates of its bodies, or in those of its joints along a tree. Whatever the choice, results speak
// of bodies: names, outputs and reactions are the same.
#pragma once

#include <optional>
#include <string>

#include <driftless/catalog/method.hpp>
#include <driftless/io/run_report.hpp>

#include "problem_source.hpp"

namespace driftless::app {

// `given`: absolute, relative or auto; nothing: absolute, unless a body is massless. Changes the problem and the start of the source, and says why in
// its notes where the program chose. Throws InputError where the source is no model, the word is another one, or they are absolute with a massless body.
// `method`: implicit ones want trees with short branches.
void use_coordinates(const std::optional<std::string>& given, const Method& method, ProblemSource& source);

// A state of the run by bodies.
State by_bodies(const ProblemSource& source, const State& state);
// All states of a report, and the constraints it names.
void tell_by_bodies(const ProblemSource& source, io::RunReport& report);

}  // namespace driftless::app
