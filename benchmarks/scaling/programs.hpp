// Who takes part, and single measurements of them, each in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bars.hpp"
#include "outcome.hpp"

namespace driftless::benchmarks::scaling {

struct Program {
  std::string name;
  bool own;  // Driftless
  std::function<Outcome(Mechanism, int N, double tolerance, double t_end, double seconds_limit)> run;
  // Of one right-hand side or residual; empty: known from runs only, as time over evaluations.
  std::function<double(Mechanism, int N)> seconds_per_rhs;
};

// The two of Driftless in absolute and the two in relative coordinates, IDA, Simbody.
const std::vector<Program>& programs();
bool is_ida(const Program& program);
bool is_simbody(const Program& program);

// How much trouble is taken with a measurement.
struct Effort {
  double seconds_limit = 60;  // inside the solver's calls of a run
  bool repeat = true;         // short runs, of which the fastest counts
};

struct Measured {
  Outcome outcome;
  double megabytes = NAN;  // of the whole process, its model included
  bool timed_out = false;  // a larger N or a tighter tolerance would be too
  bool disturbed =
      false;  // it waited for the processor: the time says more about the machine than about the program
};

Measured measured(const Program& program, Mechanism mechanism, int N, double tolerance, double t_end,
                  const Effort& effort);
// Not a number where it fails; `why` says the reason.
double measured_rhs(const Program& program, Mechanism mechanism, int N, double seconds_limit,
                    std::string& why);

}  // namespace driftless::benchmarks::scaling
