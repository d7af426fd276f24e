// Readings that several tables share: of the run's document by JSON pointers, of its trajectory by columns.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments {

Reading pointer(const std::string& path);                     // "/error/q"
Reading work(const std::string& counter);                     // "steps", "rhs", .. of the run's work
Reading magnitude(const std::string& path);                   // its absolute value
Reading largest_of(const std::vector<std::string>& paths);    // of their absolute values
Reading ratio(const Reading& reading);                        // of the reference run over that of the run
Reading order(const Reading& reading);                        // log2 of that, for a step and its half
Reading quotient(const Reading& over, const Reading& under);  // of one run
Reading from_table(std::string text, std::function<double(const Table&)> value);
Reading formula(std::string text, std::function<double()> value);  // no run

// Over the runs of a loop.
Reading geometric_mean(const Reading& reading);
Reading median(const Reading& reading);
Reading largest(const Reading& reading);

// f(row of run) - f(row of reference) at the times of the run, from t_from on; one NaN where the reference
// lacks one of these times.
using RowFunction = std::function<double(const Table& table, std::size_t row)>;
std::vector<double> differences(const Table& run, const Table& reference, const RowFunction& f,
                                double t_from = 0);
Reading largest_difference(std::string text, RowFunction f, double t_from = 0);
Reading rms_difference(std::string text, RowFunction f);

// Text of numbers in commands and parameters: the shortest that gives the same bits.
std::string text_of(double value);

}  // namespace driftless::experiments
