#include "event_option.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/io/csv.hpp>

namespace driftless::app {

namespace {

const std::vector<OptionSpec>& specs() {
  static const std::vector<OptionSpec> all = {
      {.name = "value", .fallback = "0", .help = "what it passes"},
      {.name = "direction", .fallback = "any", .help = "how", .choices = {"any", "rising", "falling"}},
      {.name = "stop", .fallback = "no", .help = "does the run end there?", .choices = {"no", "yes"}}};
  return all;
}

}  // namespace

Event event_of(const std::string& text, const Problem& problem) {
  const NamedChoice choice = parse_choice(text, "event");
  // t and the entries of z, in this order.
  std::vector<std::string> names = io::column_names(problem, State{});
  names.resize(1 + static_cast<std::size_t>(problem.shape().layout().size()));
  const auto found = std::find(names.begin(), names.end(), choice.name);
  if (found == names.end())
    throw InputError(
        fmt::format("--event names '{}', which is neither t nor an entry of the state; known: {}{}",
                    choice.name, fmt::join(names, ", "), suggestion(choice.name, names)));
  const OptionValues options("--event " + choice.name, specs(), choice.options);
  const double value = options.number("value");
  const auto column = found - names.begin();
  const std::string& direction = options.word("direction");
  return {.name = fmt::format("{} = {}{}", choice.name, value, direction == "any" ? "" : " " + direction),
          .value = [=](const State& s) { return (column == 0 ? s.t : s.z(column - 1)) - value; },
          .direction = direction == "rising"    ? Direction::rising
                       : direction == "falling" ? Direction::falling
                                                : Direction::any,
          .terminal = options.word("stop") == "yes"};
}

}  // namespace driftless::app
