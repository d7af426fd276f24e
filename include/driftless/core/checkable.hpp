// Checkable: a Problem that can tell more of itself than a run needs, so that a contradiction in it is found
// before it is believed (check_model.hpp). AutoProblem tells it of any model; nothing is known of a Problem
// that is not of this class.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless {

// Whether t enters g, w, M or N.
struct TimeDependence {
  enum class Kind { none, found, unknown };
  Kind kind = Kind::unknown;
  std::string what = {};  // of one that was found: "the constraint g[0] depends on t"
};

// A function that a model has beside those that it can be derived from, and what it gives.
struct HandWritten {
  const char* name;  // "jacobian"
  Parts parts;       // to ask for these together calls it
};

class Checkable {
 public:
  virtual ~Checkable() = default;

  // Found in the equations themselves, not by trying some times.
  virtual TimeDependence time_dependence(double t, VectorIn z) const = 0;

  virtual std::vector<HandWritten> hand_written() const { return {}; }
  // Writes those of `parts` that can be had without such functions, and returns which. `out` is prepared.
  virtual Parts derive(Parts /*parts*/, const Point& /*at*/, Evaluation& /*out*/) const { return {}; }
};

}  // namespace driftless
