#include "experiments/002/example21.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless::experiments::paper002 {

namespace {

constexpr double wanted = 9e-6, least = 7e-6, most = 1.2e-5, near = 10;

Reading distance(int entry, double exact) {
  return {fmt::format("|/final/q/{} - {}|", entry, exact), [=](const RunRecord& run, const RunRecord&) {
            return std::abs(run.json.at("final").at("q").at(static_cast<std::size_t>(entry)).get<double>() -
                            exact);
          }};
}

double of(const Reading& reading, const RunRecord& run) {
  return reading.value(run, run);
}

}  // namespace

const Reading error_x = distance(0, 1), error_y = distance(1, 200);

std::string scan(const Form& form, const Setting& setting) {
  const std::string plain = setting.integrator;
  const char* const separator = plain.find(':') == std::string::npos ? ":" : ",";
  const std::string integrator = *form.counts ? fmt::format("{}{}{}", plain, separator, form.counts) : plain;
  const int count = static_cast<int>(std::lround(10 * (form.last - form.first))) + 1;
  return over(tolerances(form.first, form.last, count), example21(form.formulation, integrator));
}

Reading chosen(const Reading& reading) {
  return {.text = fmt::format("{} of the run with the fewest steps of those with {} in [{}, {}], or "
                              "where there is none of the one with the error nearest to {} by its logarithm",
                              reading.text, error_x.text, least, most, wanted),
          .value = {},
          .of_runs = [reading](const Runs& runs) {
            double fewest = std::numeric_limits<double>::infinity(), nearest = fewest;
            const RunRecord *in_window = nullptr, *nearest_run = nullptr;
            for (const RunRecord* run : runs) {
              const double error = of(error_x, *run), count = of(steps, *run),
                           distance = std::abs(std::log(error / wanted));
              if (error >= least && error <= most && count < fewest) fewest = count, in_window = run;
              if (distance < nearest) nearest = distance, nearest_run = run;
            }
            const RunRecord* const run = in_window ? in_window : nearest_run;
            return run ? of(reading, *run) : std::nan("");
          }};
}

Reading fitted_steps() {
  return {.text = fmt::format(
              "straight line, by least squares, of log steps over log {} for the runs with an error within "
              "a factor of {} of {}; its value there",
              error_x.text, near, wanted),
          .value = {},
          .of_runs = [](const Runs& runs) {
            double n = 0, x = 0, y = 0, xx = 0, xy = 0;  // sums; x is measured from log(wanted)
            for (const RunRecord* run : runs) {
              const double log_error = std::log(of(error_x, *run) / wanted),
                           log_steps = std::log(of(steps, *run));
              if (std::abs(log_error) > std::log(near)) continue;
              n += 1, x += log_error, y += log_steps, xx += log_error * log_error,
                  xy += log_error * log_steps;
            }
            return std::exp((xx * y - x * xy) / (n * xx - x * x));
          }};
}

}  // namespace driftless::experiments::paper002
