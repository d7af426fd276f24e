#include "experiments/common/entry.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

#include "experiments/common/loop.hpp"

namespace driftless::experiments {

namespace {

struct Number {
  double value, unit;  // unit of the last digit
};

Number number_of(const std::string& digits) {
  const auto exponent_at = digits.find_first_of("eE");
  const std::string mantissa = digits.substr(0, exponent_at);
  const int exponent = exponent_at == std::string::npos ? 0 : std::atoi(digits.c_str() + exponent_at + 1);
  const auto point = mantissa.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return {std::strtod(digits.c_str(), nullptr), std::pow(10.0, exponent - decimals)};
}

constexpr double slack = 1 + 1e-9;  // of comparisons with decimal fractions

}  // namespace

int significant_digits(const std::string& digits) {
  const std::string mantissa = digits.substr(0, digits.find_first_of("eE"));
  const auto first = mantissa.find_first_of("123456789");
  return first == std::string::npos
             ? 1
             : static_cast<int>(std::count_if(mantissa.begin() + static_cast<long>(first), mantissa.end(),
                                              [](char c) { return c != '.'; }));
}

const std::vector<double>& Table::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(fmt::format("the trajectory has no column '{}'; name one of its header", name));
  return columns[static_cast<std::size_t>(found - names.begin())];
}

Expected digits(std::string found) {
  return {Expected::Rule::digits, std::move(found), 0};
}
Expected relative(std::string found, double limit) {
  return {Expected::Rule::relative, std::move(found), limit};
}
Expected within_factor(std::string found, double limit) {
  return {Expected::Rule::factor, std::move(found), limit};
}
Expected absolute(std::string found, double limit) {
  return {Expected::Rule::absolute, std::move(found), limit};
}
Expected below(double limit, std::string found) {
  return {Expected::Rule::below, std::move(found), limit};
}
Expected above(double limit, std::string found) {
  return {Expected::Rule::above, std::move(found), limit};
}
Expected above_or_none(double limit, std::string found) {
  return {Expected::Rule::above_or_none, std::move(found), limit};
}
Expected overflow() {
  return {Expected::Rule::overflow, {}, 0};
}

double units_beyond(double value, const std::string& printed) {
  const Number number = number_of(printed);
  return (number.value < 0 ? number.value - value : value - number.value) / number.unit;
}

bool matches(double value, const std::string& printed, double roundoff) {
  if (std::abs(number_of(printed).value) < roundoff) return std::abs(value) < roundoff;
  // A value that rounds or truncates to the printed digits lies within one unit of the last.
  return std::abs(units_beyond(value, printed)) <= slack;
}

bool agrees(const std::optional<double>& value, const Expected& expected) {
  if (!value)
    return expected.rule == Expected::Rule::overflow || expected.rule == Expected::Rule::above_or_none;
  const Number number = number_of(expected.digits);
  const double distance = std::abs(*value - number.value), size = std::abs(number.value);
  switch (expected.rule) {
    case Expected::Rule::digits:
      return distance <= slack * std::max(number.unit / 2, (size < 1e-12 ? 0.05 : 5e-4) * size);
    case Expected::Rule::relative:
      return distance <= expected.limit * size;
    case Expected::Rule::factor:
      return *value * number.value > 0 &&
             std::abs(std::log(*value / number.value)) <= std::log(expected.limit);
    case Expected::Rule::absolute:
      return distance <= expected.limit;
    case Expected::Rule::below:
      return std::abs(*value) < expected.limit;
    case Expected::Rule::above:
    case Expected::Rule::above_or_none:
      return *value > expected.limit;
    case Expected::Rule::overflow:
      return false;
  }
  return false;
}

std::string rule_text(const Expected& expected) {
  switch (expected.rule) {
    case Expected::Rule::digits:
      return std::abs(number_of(expected.digits).value) < 1e-12
                 ? "within 5 %"
                 : fmt::format("{} digits", std::min(3, significant_digits(expected.digits)));
    case Expected::Rule::relative:
      return fmt::format("within {:g} %", 100 * expected.limit);
    case Expected::Rule::factor:
      return fmt::format("within a factor of {:g}", expected.limit);
    case Expected::Rule::absolute:
      return fmt::format("within {:g}", expected.limit);
    case Expected::Rule::below:
      return fmt::format("below {:g}", expected.limit);
    case Expected::Rule::above:
      return fmt::format("above {:g}", expected.limit);
    case Expected::Rule::above_or_none:
      return fmt::format("above {:g}, or no value", expected.limit);
    case Expected::Rule::overflow:
      return "not finite";
  }
  return "";
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  bool quoted = false, inside = false;
  for (const char c : command) {
    if (c == ' ' && !quoted) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\'')
      quoted = !quoted;
    else
      words.back() += c;
  }
  return words;
}

double value_of(const Entry& entry, const Records& records) {
  static const RunRecord nothing;
  const auto first = [](const Runs& runs) -> const RunRecord& {
    return runs.empty() ? nothing : *runs.front();
  };
  const auto of = [&](const Runs& runs) {
    return entry.reading.of_runs ? entry.reading.of_runs(runs)
                                 : entry.reading.value(first(runs), first(records.reference));
  };
  const double value = of(records.command);
  return entry.baseline_command.empty() ? value : of(records.baseline) / value;
}

Result evaluate(const Entry& entry, Runner& runner) {
  Result result{entry, std::nullopt, "not-printed", false, entry.note};
  bool complete = true;
  const auto executed = [&](const std::string& commands) {
    Runs runs;
    if (commands.empty()) return runs;
    for (const std::string& command : commands_of(commands)) {
      const RunRecord& record = runner.run(command);
      runs.push_back(&record);
      if (entry.reading.ended_early_too || record.json.at("end").at("reason") == "reached-end") continue;
      complete = false;
      result.note +=
          fmt::format("{}null because the run did not reach its end: {}", result.note.empty() ? "" : "; ",
                      record.json.at("end").at("message").get<std::string>());
    }
    return runs;
  };
  if (!entry.disagreement.empty())
    result.note +=
        fmt::format("{}known to disagree: {}", result.note.empty() ? "" : "; ", entry.disagreement);
  const Records records{executed(entry.command), executed(entry.reference_command),
                        executed(entry.baseline_command)};
  const double value = complete ? value_of(entry, records) : std::nan("");
  if (std::isfinite(value)) result.value = value;
  if (complete && !result.value)
    result.note += fmt::format("{}null because the value is not finite", result.note.empty() ? "" : "; ");
  if (!entry.printed.empty())
    result.verdict =
        result.value && matches(*result.value, entry.printed, entry.roundoff) ? "match" : "differs";
  result.agrees = agrees(result.value, entry.expected);
  return result;
}

}  // namespace driftless::experiments
