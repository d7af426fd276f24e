// One run of a model by one method: where its bodies were, how it ended and what it said.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::benchmarks::random {

using mechanics::Vec3;

enum class Way {
  usual,      // default settings
  tighter,    // the same with a tenth of the tolerance
  perturbed,  // the same from a start that is off by 1e-9 of the size
  relative,   // coordinates of joints
  ggl_bdf,
  twin,           // default settings with the tolerance of references, for the same mechanism near 1 m
  half_explicit,  // asked where the others disagree
  ggl_radau5,
};
struct WayEntry {
  Way way;
  const char* name;
  const char* flags;  // of `driftless run`
};
const WayEntry& entry(Way way);

constexpr double tolerance = 1e-6;            // of the usual run
constexpr double reference_tolerance = 1e-8;  // of relative coordinates and of other methods
constexpr double perturbation = 1e-9;         // of the size
constexpr int watched_times = 8;

struct Run {
  enum class Ending {
    completed,
    ended,        // early, with a reason
    refused,      // before it began
    out_of_time,  // steps went on
    stuck,        // none ended
    crashed,
    failed,  // an exception that is no InputError
  };
  Way way = Way::usual;
  Ending ending = Ending::failed;
  std::string reason = {}, sentence = {};  // why it ended early or was refused
  std::vector<std::string> notes = {};     // all
  bool warned =
      false;  // by a note that is not routine (a moved start, redundant rows, stiffness), or by a singularity
  double t = 0;
  std::vector<std::vector<Vec3>> places = {};  // of the bodies, at the watched times that were reached
  double drift = 0;                            // of positions, by the size
  std::optional<double> balance = {};          // of energy, by what was exchanged
  long steps = 0;
  double seconds = 0;

  // The note that calls rows redundant; null: there is none.
  const std::string* redundancy() const;
  bool completed() const { return ending == Ending::completed; }
};

// Throws nothing that a model can cause. `size`: of the mechanism. Ends itself after so many seconds of
// processor time, between two steps.
Run run_model(const std::string& text, Way way, double size, double seconds_limit);

}  // namespace driftless::benchmarks::random
