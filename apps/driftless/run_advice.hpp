// What is to be said of a run's end and step before it is made; empty: nothing.
#pragma once

#include <optional>
#include <string>

#include <driftless/io/model_file.hpp>

namespace driftless::app {

constexpr double usual_end = 10;  // s, of a model that does not say

// Of a step, in s, that a run of so many seconds is to be made with.
std::string step_advice(const std::optional<double>& step, double seconds);
// Of a model that does not say when its run ends. Robot files cannot.
std::string end_advice(const io::Model& model);

}  // namespace driftless::app
