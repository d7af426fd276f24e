#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "../common/callgrind.hpp"
#include "contestants.hpp"
#include "problems.hpp"

namespace driftless::benchmarks {

namespace {

constexpr int repeats = 20;
constexpr double seconds_enough = 0.2;  // of repeats, where 20 take longer

double median_seconds(const Contestant& who, const Task& task) {
  std::vector<double> all;
  double sum = 0;
  while (all.size() < repeats && (all.size() < 3 || sum < seconds_enough)) {
    all.push_back(who.run(task).seconds);
    sum += all.back();
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace

std::vector<std::string> run_arguments(const std::string& problem, std::size_t who, double tolerance,
                                       Purpose purpose) {
  return {"run", problem, std::to_string(who), fmt::format("{:.17g}", tolerance),
          purpose == Purpose::observed ? "observed"
          : purpose == Purpose::timed  ? "timed"
                                       : "plain"};
}

bool is_run(const std::vector<std::string>& arguments) {
  return arguments.size() == 5 && arguments[0] == "run";
}

void print_run(const std::vector<std::string>& arguments) {
  const PeerProblem problem = peer_problem(arguments[1]);
  const Contestant who = contestants(arguments[1]).at(std::stoul(arguments[2]));
  const State start = consistent_state(*problem.instance.problem, problem.instance.start).state;
  const Task task{problem.instance, start, std::stod(arguments[3]), max_steps, arguments[4] == "observed"};
  const Outcome o = who.run(task);
  Errors e{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  if (o.failure.empty()) e = errors(problem, o.final);
  const double seconds = arguments[4] == "timed" && o.failure.empty() ? median_seconds(who, task) : o.seconds;
  fmt::print("{} {} {} {} {} {} {} {} {} {}", e.q, e.v, e.lambda, o.steps, o.rhs, o.factorizations,
             o.drift.position, o.drift.velocity, seconds, o.failure);
}

Figures figures(const std::string& problem, std::size_t who, double tolerance, Purpose purpose) {
  const auto arguments = run_arguments(problem, who, tolerance, purpose);
  const std::string answer = output_of(arguments);
  if (answer.empty())
    throw std::runtime_error(fmt::format("the run '{}' ended without a word", fmt::join(arguments, " ")));
  std::istringstream text(answer);
  // Streams do not read "inf" and "nan".
  const auto number = [&text] {
    std::string word;
    text >> word;
    return std::strtod(word.c_str(), nullptr);
  };
  Figures f;
  f.tolerance = tolerance;
  f.q = number(), f.v = number(), f.lambda = number();
  text >> f.steps >> f.rhs >> f.factorizations;
  f.drift.position = number(), f.drift.velocity = number(), f.seconds = number();
  text >> std::ws;
  std::getline(text, f.failure);
  return f;
}

std::optional<double> million_instructions(const std::string& problem, std::size_t who, double tolerance) {
  const auto count = instructions(counted_function, run_arguments(problem, who, tolerance, Purpose::plain));
  if (!count) return std::nullopt;
  return 1e-6 * *count;
}

Search loosest_tolerance(const std::string& problem, std::size_t who, double error) {
  Search search;
  std::string failure;
  for (int k = 40; k >= 8; --k) {
    const double tolerance = std::pow(10, -k / 4.0);
    const Figures f = figures(problem, who, tolerance, Purpose::plain);
    if (!f.failure.empty()) {
      if (k >= 24) failure = fmt::format("at {:.1e}: {}", tolerance, f.failure);  // 1e-6 and tighter
      continue;
    }
    if (f.q <= error) {
      search.tolerance = tolerance;
      continue;
    }
    failure = fmt::format("error {:.1e} at {:.1e}{}", f.q, tolerance,
                          failure.empty() ? "" : ", tighter ones break off");
    break;
  }
  if (!search.tolerance) search.why_not = failure;
  return search;
}

}  // namespace driftless::benchmarks
