#include "event_option.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/io/csv.hpp>
#include <driftless/io/model_outputs.hpp>

#include "coordinates.hpp"

namespace driftless::app {

namespace {

const std::vector<OptionSpec>& specs() {
  static const std::vector<OptionSpec> all = {
      {.name = "value", .fallback = "0", .help = "what it passes"},
      {.name = "direction", .fallback = "any", .help = "how", .choices = {"any", "rising", "falling"}},
      {.name = "stop", .fallback = "no", .help = "does the run end there?", .choices = {"no", "yes"}}};
  return all;
}

using Column = std::function<double(const State&)>;

// t and the entries of z, in this order.
Column column_of(const Problem& problem, const std::string& name) {
  std::vector<std::string> names = io::column_names(problem, State{});
  names.resize(1 + static_cast<std::size_t>(problem.shape().layout().size()));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(
        fmt::format("--event names '{}', which is neither t nor an entry of the state; known: {}{}", name,
                    fmt::join(names, ", "), suggestion(name, names)));
  const auto column = found - names.begin();
  return [=](const State& s) { return column == 0 ? s.t : s.z(column - 1); };
}

Column column_of(const ProblemSource& source, const std::string& name) {
  const auto outputs = std::make_shared<io::ModelOutputs>(*source.model, std::vector<std::string>{name});
  if (outputs->names().size() != 1 || !outputs->of_motion())
    throw InputError(
        fmt::format("--event names '{}'; it must be one output that follows from places and velocities "
                    "alone, like crank.x",
                    name));
  return [=](const State& s) { return outputs->row(by_bodies(source, s)).front(); };
}

}  // namespace

Event event_of(const std::string& text, const ProblemSource& source) {
  const NamedChoice choice = parse_choice(text, "event");
  const OptionValues options("--event " + choice.name, specs(), choice.options);
  const double value = options.number("value");
  const auto column = source.model && choice.name != "t" ? column_of(source, choice.name)
                                                         : column_of(*source.instance.problem, choice.name);
  const std::string& direction = options.word("direction");
  return {.name = fmt::format("{} = {}{}", choice.name, value, direction == "any" ? "" : " " + direction),
          .value = [=](const State& s) { return column(s) - value; },
          .direction = direction == "rising"    ? Direction::rising
                       : direction == "falling" ? Direction::falling
                                                : Direction::any,
          .terminal = options.word("stop") == "yes"};
}

}  // namespace driftless::app
