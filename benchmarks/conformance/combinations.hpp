// Every formulation in each of its forms with every integrator, and every stabilizer in each of its forms beside the default method, as far as
// they fit each other and a problem.
#pragma once

#include <string>
#include <vector>

#include <driftless/catalog/method.hpp>

namespace driftless::benchmarks::conformance {

// Formulations with options that change what they compute, beside the plain ones.
std::vector<std::string> formulation_forms();
std::vector<std::string> integrator_texts();
// Every F and what else changes the way to it.
std::vector<std::string> stabilizer_texts();

struct Combination {
  Method method;
  Options options;  // to t_end, by steps of its own where it chooses them
};
std::string name_of(const Combination& combination);

// By the tolerance, or by `step` where steps cannot be chosen; of one integrator alone, if it is named.
std::vector<Combination> combinations(const Problem& problem, double t_end, double rtol, double step,
                                      const std::string& integrator = "");

}  // namespace driftless::benchmarks::conformance
