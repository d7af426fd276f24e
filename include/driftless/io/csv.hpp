// Tables as comma-separated values: a header with names, then one row per state; 17 significant digits, so
// that reading them gives the same bits. Of a model they are in the units of its file, which stand behind the names: "crank.x [mm]".
// Names with commas, quotes or line breaks are quoted (RFC 4180).
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <driftless/core/event.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/solution.hpp>
#include <driftless/core/state.hpp>
#include <driftless/io/state_units.hpp>

namespace driftless::io {

std::string csv_field(std::string_view text);  // quoted where needed

// t, coordinates, velocities (and higher levels), lambda[i], kappa[i], and the extras that the state has.
std::vector<std::string> column_names(const Problem& problem, const State& state);
// Under these names, one row for each state.
void write_trajectory(std::ostream& out, const Problem& problem, const std::vector<State>& states,
                      const StateUnits& units = {});
// The same behind a column `event`.
void write_events(std::ostream& out, const Problem& problem, const std::vector<EventRecord>& events,
                  const StateUnits& units = {});

// t, h, order, rejected: one row for each accepted step.
void write_steps(std::ostream& out, const std::vector<StepRecord>& steps, const StateUnits& units = {});

}  // namespace driftless::io
