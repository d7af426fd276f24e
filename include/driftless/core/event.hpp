// Events: roots of functions of (t, q, v) along the motion. They are looked for on the stabilized interpolant of every accepted step
// and located to the last digits of t. An event may end the run, or change the state: then the start is made consistent again and the
// integrator begins anew, like at the start of the run.
//   - A value of exactly zero at the start of the run, or right after an event's own action, is no event: what counts is the change
//     of sign that follows. A value that jumps because of another event's action is none either.
//   - Each step is looked at in four parts, so that two roots within one part can be missed: use a smaller --hmax where a function
//     has roots close to each other.
//   - An event at an output time: the output shows the state before the action.
#pragma once

#include <functional>
#include <string>

#include <driftless/core/state.hpp>

namespace driftless {

enum class Direction { any, rising, falling };

struct Event {
  std::string name;
  std::function<double(const State&)> value;  // of t, q, v; multipliers are not known while a root is sought
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
