// Checkpoint: where a run can be taken up again as if it had never ended: the continuation has the same bits as a
// longer run. It is the last state that the end of the run had no influence on: the step that was shortened to
// meet t_end is taken again.
#pragma once

#include <optional>
#include <vector>

#include <driftless/core/state.hpp>

namespace driftless {

struct Checkpoint {
  State state;
  double t_start = 0;    // of the run as a whole: fixed steps and output intervals count from there
  long fixed_steps = 0;  // taken since then
  double h = 0;          // the next step; 0: not chosen yet
  std::vector<double> integrator = {};  // what the integrator keeps
  std::vector<double> controller = {};  // what the step controller remembers
  std::vector<double> stabilizer = {};  // what the stabilizer keeps
  std::vector<double> anchor = {};      // values of the invariants that the stabilizer keeps, then the system
  std::vector<int> event_signs = {};
};

struct Shape;
// Throws InputError where it does not belong to a problem of that shape or to that fixed step, or was damaged.
void check_checkpoint(const Checkpoint& checkpoint, const Shape& shape, std::optional<double> fixed_step);

}  // namespace driftless
