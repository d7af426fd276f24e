// How the cost of every program grows with the size N of a mechanism.
#pragma once

#include <string>
#include <vector>

#include "programs.hpp"

namespace driftless::benchmarks::scaling {

constexpr double growth_tolerance = 1e-5;
constexpr double largest_slope = 1.1;  // of what should grow with N

struct GrowthPoint {
  int N = 0;
  double t_end = 0;  // how far the run was to go
  Measured run;
  double rhs_seconds = NAN;
  std::vector<std::string> remarks;  // why something is missing, a sentence each
};

struct GrowthLine {
  Mechanism mechanism;
  std::string program;
  std::vector<GrowthPoint> points;
};

// What is looked at. A run that was broken off says how long a step takes, too, and not how much memory it takes.
struct Quantity {
  std::string name, unit;
  double (*value)(const GrowthPoint&);  // in the unit; not a number: not known
  // Steps of the chain are as short as its links are small: with N links there are about N times as many of them in a second.
  bool steps_of_the_chain_count = false;
};
const std::vector<Quantity>& quantities();

// By least squares through the logarithms of all points from N = 100 on; not a number where there are fewer than two.
double slope(const GrowthLine& line, const Quantity& quantity);

// N = 10, 100, .., largest; both mechanisms, all programs.
std::vector<GrowthLine> measure_growth(int largest, const Effort& effort);

}  // namespace driftless::benchmarks::scaling
