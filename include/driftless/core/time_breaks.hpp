// Times at which the functions of a problem are not smooth: the points of a table over time, the moment at which a drive changes its rate.
// A step that reaches across one has an error that no estimate sees. A problem that knows such times says so by being a PiecewiseInTime as
// well, and a run makes its steps end there:
//   kink          accelerations are continuous, their derivatives are not: a step ends there, and the next one goes on
//   acceleration  they jump: the step ends just before (what a problem gives AT such a time is what holds after it), and the integrator
//                 starts anew
//   velocity      so do velocities that the constraints prescribe: the others follow by the smallest change in the metric of M, as
//                 in an impact, and the integrator starts anew. It counts as an event.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace driftless {

class Observer;

struct TimeBreak {
  enum class Kind { kink, acceleration, velocity };
  double t = 0;
  Kind kind = Kind::kink;
  std::string name = {};  // of a jump of velocities: what brings it about
};

class PiecewiseInTime {
 public:
  virtual ~PiecewiseInTime() = default;

  // After `from` and up to `to`, ascending. Asked once per run.
  virtual std::vector<TimeBreak> time_breaks(double from, double to) const = 0;

  // Sees what a run makes of the problem's pieces, and adds notes to its solution; null: there is nothing to see.
  virtual std::unique_ptr<Observer> watch() const;
};

}  // namespace driftless
