// Instructions counted by callgrind: the program calls itself under valgrind with other arguments, and only what happens
// inside one function is counted. Counts do not depend on how busy the machine is.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace driftless::benchmarks {

// `function` is a pattern of callgrind's --toggle-collect. Nothing where valgrind is missing or the call failed.
std::optional<double> instructions(const std::string& function, const std::vector<std::string>& arguments);

// What this program prints when it is called with these arguments; empty where that failed. A run in a process of its own finds
// memory as the counted one does: with the wide vector instructions of the preset `bench` sums depend on where memory lies, in their
// last bits, and steps of a nervous integrator do too.
std::string output_of(const std::vector<std::string>& arguments);

// Inside the loop itself, without setting a problem up.
extern const char* const solve_function;

}  // namespace driftless::benchmarks
