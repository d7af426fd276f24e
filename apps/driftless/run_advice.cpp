#include "run_advice.hpp"

#include <fmt/format.h>

#include <driftless/io/robot_file.hpp>

namespace driftless::app {

namespace {

constexpr double fewest_steps = 10;
constexpr double roundoff = 1e-9;

}  // namespace

std::string step_advice(const std::optional<double>& step, double seconds) {
  if (!step || !(*step > 0) || !(seconds > 0) || seconds / *step > fewest_steps * (1 + roundoff)) return {};
  return fmt::format(
      "a step of {:g} s is {}, and with so long steps the result may have little to do with the motion "
      "(more than {:g} steps expected); give a shorter one, or a tolerance instead",
      *step,
      *step >= seconds ? fmt::format("no shorter than the run of {:g} s", seconds)
                       : fmt::format("{:.3g} of the run of {:g} s", *step / seconds, seconds),
      fewest_steps);
}

std::string end_advice(const io::Model& model) {
  if (model.run.t_end || io::is_robot_file(model.file.string())) return {};
  return fmt::format(
      "no t_end is given: the run ends at t = {:g} s; t_end in [run], or --t-end, says otherwise", usual_end);
}

}  // namespace driftless::app
