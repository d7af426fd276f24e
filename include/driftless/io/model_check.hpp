// check_model(): what can be said about a model before it is run. Freedoms are counted by the rank of the constraint rows, never by a
// formula of bodies and joints:
//   freedoms = velocities - rank [G; K]        at the closed start, and along a short motion
//   driven   = rank with the drives - rank without them
// A row that others imply wherever the mechanism goes is redundant; one that others imply at the start alone makes the start singular.
// Everything is told by the names of the file and in its units.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/options.hpp>
#include <driftless/core/solution.hpp>
#include <driftless/io/model_file.hpp>

namespace driftless::io {

struct Finding {
  enum class Severity { error, warning, note };
  Severity severity = Severity::note;
  std::string kind;     // a word for programs, "gravity"
  std::string subject;  // "body crank"
  std::string text;     // one sentence: quantity, value, limit, what to do
};
const char* name_of(Finding::Severity severity);

// A number in units of the file, and what it belongs to.
struct NamedAmount {
  double value = 0;
  std::string unit, of;
};

struct ModelCounts {
  int bodies = 0, joints = 0, forces = 0, drives = 0;
  int velocities = 0;
  int position_rows = 0, velocity_rows = 0;  // those of drives are position rows
  int rows() const { return position_rows + velocity_rows; }
};

struct FreedomCheck {
  int rank = 0;        // of all rows
  int freedoms = 0;    // of velocities, that the drives leave
  int joint_rank = 0;  // without drives
  int joint_freedoms = 0;
  int driven = 0;         // freedoms that drives take
  int configuration = 0;  // like `joint_freedoms`, of positions: more where rows constrain velocities only
};

// Bodies whose free motions depend on each other, and how many freedoms they have together.
struct FreePart {
  int freedoms = 0;
  std::vector<std::string> bodies;
};

// Rows of one joint or drive that others imply.
struct DependentRows {
  std::string owner;
  bool drive = false;
  std::vector<std::string> rows;  // as a run names them
  int of = 0;                     // rows that the owner has
  std::vector<std::string> on;    // other joints and drives; none: the gradients of the rows vanish
};

struct SingularStart {
  int rank = 0, nearby = 0;
  std::vector<DependentRows> rows;  // that depend on others at the start alone
};

struct StartCheck {
  bool closed = false;               // false: it cannot be, and ranks are told for the nearest that can
  bool moved = false, sped = false;  // bodies, and their velocities, were changed by more than roundoff
  NamedAmount gap;                   // largest residual of a row, bodies as given
  NamedAmount shift, turn;           // the body that was moved most, and turned most, when it was closed
  NamedAmount velocity, spin;        // whose velocity, and rate of turning, was changed most
  std::vector<std::string> held, placed, rated;  // what [start] asks for
};

struct MotionCheck {
  bool made = false;
  double until = 0;  // in the time unit of the file
  int states = 0;    // at which the rank was decided
  int least_rank = 0, largest_rank = 0;
  bool complete = true;
  std::string end_message;    // of a run that ended early
  bool rank_refused = false;  // the method needs independent rows
};

struct ModelCheck {
  std::string file, title;
  std::string time_unit;
  std::vector<std::string> drives;
  ModelCounts counts;
  FreedomCheck freedom;
  std::vector<FreePart> free;               // what drives leave
  std::vector<std::string> driven, locked;  // bodies that move with drives alone, and those that cannot move
  std::vector<DependentRows> redundant;
  std::optional<SingularStart> singular;
  StartCheck start;
  MotionCheck motion;
  std::vector<Finding> findings;  // errors first

  int redundant_rows() const;
  bool has_errors() const;
};

// Carries a start on, by the method that the model would be run with; this room knows none.
using MotionMaker = std::function<Solution(const Problem&, const State&, const Options&)>;

// Without a maker no motion is looked at. Does not throw for what is wrong with the mechanism: that is an error among the findings.
ModelCheck check_model(const Model& model, const MotionMaker& motion = {});

// Errors and warnings of check_model(), and notes on why nothing moves, that cost little beside the start of a run: of a large mechanism without those that need ranks, and of none
// what only a motion shows. The start is taken for one that can be closed.
std::vector<Finding> quick_findings(const Model& model);

// Why a start cannot be closed, in the sentences of check_model(); `why` where it has none.
std::string start_faults(const Model& model, const std::string& why);

// Of a model that was read with other parameters: joints that sit elsewhere on their bodies by that, as a sentence; empty: none. Reads the file
// again.
std::string moved_by_set(const Model& model);

}  // namespace driftless::io
