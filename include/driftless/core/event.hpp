// Events: roots of functions of t, q, v and multipliers along the motion. They are looked for on the
// stabilized interpolant of every accepted step and located to the last digits of t. An event may end the
// run, or change the state: then the start is made consistent again and the integrator begins anew, like at
// the start of the run.
//   - A value of exactly zero at the start of the run, or right after an event's own action, is no event:
//     what counts is the change of sign that follows. A value that jumps because of another event's action
//     is none either.
//   - Each step is looked at in four parts, so that two roots within one part can be missed: use a smaller
//     --hmax where a function has roots close to each other.
//   - An event at an output time: the output shows the state before the action.
//   - A function that reads lambda or kappa (a rope goes slack, a wheel lifts off) gets those of the very
//     state that it is given. They cost a right-hand side wherever it is asked, and are evaluated for
//     functions that read them only. Which ones do shows in their values: at the ends of steps, where
//     multipliers are known, a function is also asked with NaN in their place, and inside of steps with NaN
//     first; a value that changes, a NaN or an exception means that it reads them, from then on. So a
//     function is to depend on its argument alone; it may be asked more than once at the same time, and in
//     any order of times.
#pragma once

#include <functional>
#include <string>

#include <driftless/core/state.hpp>

namespace driftless {

enum class Direction { any, rising, falling };

struct Event {
  std::string name;
  std::function<double(const State&)> value;  // of t, q, v, lambda, kappa
  Direction direction = Direction::any;
  bool terminal = false;
  std::function<void(State&)> action = {};  // changes q, v; may be empty
};

// One that happened.
struct EventRecord {
  double t = 0;
  std::string name;
  State state;  // before any action
};

}  // namespace driftless
