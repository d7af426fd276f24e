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

// pin.force, pin.torque: pin.own_fx, pin.own_tx
std::string component_of(const std::string& size) {
  const auto dot = size.rfind('.');
  return fmt::format("{}.own_{}x", size.substr(0, dot), size.substr(dot + 1, 1));
}

// t, the entries of z, lambda and kappa, in this order.
Column column_of(const Problem& problem, const std::string& name) {
  const std::vector<std::string> names = io::column_names(problem, State{});
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(fmt::format(
        "--event names '{}', which is neither t nor an entry of the state nor a multiplier; known: {}{}",
        name, fmt::join(names, ", "), suggestion(name, names)));
  const auto column = found - names.begin();
  if (column == 0) return [](const State& s) { return s.t; };
  const auto entry = column - 1, lambda = entry - problem.shape().layout().size(),
             kappa = lambda - problem.shape().ng;
  if (kappa >= 0) return [=](const State& s) { return s.kappa(kappa); };
  if (lambda >= 0) return [=](const State& s) { return s.lambda(lambda); };
  return [=](const State& s) { return s.z(entry); };
}

// The size of a force passes values above zero only; with the sign of its multiplier, where there is one, also others.
Column column_of(const ProblemSource& source, const std::string& name, double value) {
  if (name == "t") return [si = source.model->units.time](const State& s) { return s.t / si; };
  const auto outputs = std::make_shared<io::ModelOutputs>(*source.model, std::vector<std::string>{name});
  if (outputs->names().size() != 1)
    throw InputError(fmt::format("--event names '{}', which are {} outputs; name one of them, like {}", name,
                                 outputs->names().size(), outputs->names().front()));
  if (value > 0) return [=](const State& s) { return outputs->row(by_bodies(source, s)).front(); };
  if (!outputs->pass_zero())
    throw InputError(fmt::format(
        "--event {} is the size of a vector of several components, which does not pass {:g}; give a value "
        "above 0, or name a component, like {}",
        name, value, component_of(name)));
  return [=](const State& s) { return outputs->signed_row(by_bodies(source, s)).front(); };
}

}  // namespace

Event event_of(const std::string& text, const ProblemSource& source) {
  const NamedChoice choice = parse_choice(text, "event");
  const OptionValues options("--event " + choice.name, specs(), choice.options);
  const double value = options.number("value");
  const auto column =
      source.model ? column_of(source, choice.name, value) : column_of(*source.instance.problem, choice.name);
  const std::string& direction = options.word("direction");
  return {.name = fmt::format("{} = {}{}", choice.name, value, direction == "any" ? "" : " " + direction),
          .value = [=](const State& s) { return column(s) - value; },
          .direction = direction == "rising"    ? Direction::rising
                       : direction == "falling" ? Direction::falling
                                                : Direction::any,
          .terminal = options.word("stop") == "yes"};
}

}  // namespace driftless::app
