// Options: what a run is asked to do, as plain values given once. A field that is not set takes the default
// that the method or the problem has. Names are those of the command line.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include <driftless/core/checkpoint.hpp>
#include <driftless/core/event.hpp>

namespace driftless {

struct Output {
  enum class Kind { steps, every, at };
  Kind kind = Kind::steps;
  double interval = 0;             // kind every
  std::vector<double> times = {};  // kind at
};

struct Options {
  double t_end = std::numeric_limits<double>::quiet_NaN();  // must be given
  std::optional<double> step = std::nullopt;                // fixed step; excludes tolerances
  std::optional<double> rtol = std::nullopt;
  std::optional<double> atol = std::nullopt;
  std::optional<double> h0 = std::nullopt;  // first step, adaptive runs
  std::optional<double> hmax = std::nullopt;
  long max_steps = 10'000'000;
  Output output = {};
  std::vector<Event> events = {};
  bool start_as_given = false;                      // a start off the constraints stays there, on purpose
  std::optional<Checkpoint> resume = std::nullopt;  // goes on from there; the start given is not used
};

}  // namespace driftless
