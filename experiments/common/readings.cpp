#include "experiments/common/readings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::experiments {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double at(const RunRecord& run, const std::string& path) {
  const auto& value = run.json.at(nlohmann::ordered_json::json_pointer(path));
  return value.is_number() ? value.get<double>() : not_a_number;
}

// One that is not a number makes the whole not a number.
Reading over_runs(const char* what, const Reading& reading,
                  const std::function<double(const std::vector<double>&)>& of) {
  return {.text = fmt::format("{} over the runs of {}", what, reading.text),
          .value = {},
          .of_runs = [value = reading.value, of](const Runs& runs) {
            std::vector<double> values;
            for (const RunRecord* run : runs) {
              values.push_back(value(*run, *run));
              if (std::isnan(values.back())) return not_a_number;
            }
            return of(values);
          }};
}

}  // namespace

std::vector<double> differences(const Table& run, const Table& reference, const RowFunction& f,
                                double t_from) {
  const std::vector<double>&t = run.column("t"), &other = reference.column("t");
  std::vector<double> values;
  std::size_t k = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double same = 1e-9 * std::max(1.0, std::abs(t[i]));
    if (t[i] < t_from - same) continue;
    while (k < other.size() && other[k] < t[i] - same) ++k;
    if (k == other.size() || other[k] > t[i] + same) return {not_a_number};  // a time that it does not have
    values.push_back(f(run, i) - f(reference, k));
  }
  return values;
}

Reading pointer(const std::string& path) {
  return {path, [path](const RunRecord& run, const RunRecord&) { return at(run, path); }};
}

Reading work(const std::string& counter) {
  return pointer(fmt::format("/{}/{}", "work", counter));
}

Reading magnitude(const std::string& path) {
  return {fmt::format("|{}|", path),
          [path](const RunRecord& run, const RunRecord&) { return std::abs(at(run, path)); }};
}

Reading largest_of(const std::vector<std::string>& paths) {
  return {fmt::format("the larger of {}", fmt::join(paths, " and ")),
          [paths](const RunRecord& run, const RunRecord&) {
            double largest = 0;
            for (const std::string& path : paths) largest = std::max(largest, std::abs(at(run, path)));
            return largest;
          }};
}

Reading ratio(const Reading& reading) {
  return {reading.text + " of the reference command over that of the command",
          [value = reading.value](const RunRecord& run, const RunRecord& reference) {
            return value(reference, reference) / value(run, run);
          }};
}

Reading order(const Reading& reading) {
  const Reading quotient = ratio(reading);
  return {"log2 of " + quotient.text,
          [value = quotient.value](const RunRecord& run, const RunRecord& reference) {
            return std::log2(value(run, reference));
          }};
}

Reading quotient(const Reading& over, const Reading& under) {
  return {fmt::format("{} / {}", over.text, under.text),
          [over, under](const RunRecord& run, const RunRecord& reference) {
            return over.value(run, reference) / under.value(run, reference);
          }};
}

Reading geometric_mean(const Reading& reading) {
  return over_runs("geometric mean", reading, [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
  });
}

Reading median(const Reading& reading) {
  return over_runs("median", reading, [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
  });
}

Reading largest(const Reading& reading) {
  return over_runs("largest", reading, [](const std::vector<double>& values) {
    return *std::max_element(values.begin(), values.end());
  });
}

Reading from_table(std::string text, std::function<double(const Table&)> value) {
  return {std::move(text), [value = std::move(value)](const RunRecord& run, const RunRecord&) {
            return value(run.trajectory);
          }};
}

Reading formula(std::string text, std::function<double()> value) {
  return {std::move(text),
          [value = std::move(value)](const RunRecord&, const RunRecord&) { return value(); }};
}

Reading largest_difference(std::string text, RowFunction f, double t_from) {
  return {std::move(text), [f = std::move(f), t_from](const RunRecord& run, const RunRecord& reference) {
            double largest = 0;
            for (const double d : differences(run.trajectory, reference.trajectory, f, t_from))
              if (!(std::abs(d) <= largest)) largest = std::abs(d);  // a NaN stays
            return largest;
          }};
}

Reading rms_difference(std::string text, RowFunction f) {
  return {std::move(text), [f = std::move(f)](const RunRecord& run, const RunRecord& reference) {
            const auto values = differences(run.trajectory, reference.trajectory, f, 0);
            double sum = 0;
            for (const double d : values) sum += d * d;
            return std::sqrt(sum / static_cast<double>(values.size()));
          }};
}

std::string text_of(double value) {
  return fmt::format("{}", value);
}

}  // namespace driftless::experiments
