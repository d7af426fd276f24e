// What a run makes of a mechanism's tables: where steps have to end because of them (core/time_breaks.hpp), what jumps in drives, and which
// tables were asked beyond their points.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <driftless/core/observer.hpp>
#include <driftless/core/time_breaks.hpp>
#include <driftless/mechanics/mechanism_model.hpp>

namespace driftless::mechanics {

std::vector<TimeBreak> time_breaks_of(const MechanismModel& model, double from, double to);

// One sentence for each drive in which something jumps between two times, with when and how much, and what becomes of it.
struct DriveJumps {
  std::string drive, text;
};
std::vector<DriveJumps> jumps_of_drives(const MechanismModel& model, double from, double to);

// Coordinates and velocities of the model's bodies from those of the problem's state.
using BodyStateOf = std::function<void(VectorIn z, std::vector<double>& q, std::vector<double>& v)>;
// Adds to the notes of a solution what jumped and, once for each table, where it was first asked beyond its points, and how far.
// Null where there is no table. The model has to live as long.
std::unique_ptr<Observer> watch_tables(const MechanismModel& model, BodyStateOf bodies);

}  // namespace driftless::mechanics
