#include "convergence/measured_orders.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace driftless::tests {

namespace {

constexpr int sample_count = 8;

Options sampled(const ProblemInstance& instance, double span) {
  return {.t_end = instance.start.t + span,
          .output = {.kind = Output::Kind::every, .interval = span / sample_count}};
}

std::vector<State> states_of(const ProblemInstance& instance, const Method& method, const Options& options) {
  Solution solution = solve(*instance.problem, instance.start, method, options);
  if (!solution.complete()) throw std::runtime_error(method.integrator + ": " + solution.end_message);
  return std::move(solution.states);
}

// A reference may leave parts out, or entries as NaN.
bool is_complete(const State& known, const State& pattern) {
  return known.z.size() == pattern.z.size() && known.lambda.size() == pattern.lambda.size() &&
         known.kappa.size() == pattern.kappa.size() && known.z.allFinite() && known.lambda.allFinite() &&
         known.kappa.allFinite();
}

// Empty: not known at every sample.
std::vector<State> reference_states(const ProblemInstance& instance, double span) {
  std::vector<State> states;
  for (int i = 0; i <= sample_count; ++i) {
    const double t = instance.start.t + span * i / sample_count;
    const auto known = instance.reference.at ? instance.reference.at(t) : std::nullopt;
    if (!known || !is_complete(*known, instance.start)) return {};
    states.push_back(*known);
  }
  return states;
}

PartErrors error_of(const State& state, const State& exact) {
  const auto above = state.z.size() - state.layout.nq;
  return {
      .q = (state.q() - exact.q()).norm(),
      .v = (state.z.tail(above) - exact.z.tail(above)).norm(),
      .multipliers = std::hypot((state.lambda - exact.lambda).norm(), (state.kappa - exact.kappa).norm())};
}

PartErrors largest_errors(const std::vector<State>& states, const std::vector<State>& exact, int first) {
  if (states.size() != exact.size()) throw std::runtime_error("a run did not give a state for every sample");
  PartErrors largest;
  for (auto i = static_cast<std::size_t>(first); i < states.size(); ++i) {
    const PartErrors error = error_of(states[i], exact[i]);
    largest.q = std::max(largest.q, error.q);
    largest.v = std::max(largest.v, error.v);
    largest.multipliers = std::max(largest.multipliers, error.multipliers);
  }
  return largest;
}

}  // namespace

double MeasuredOrders::q() const {
  return std::log2(coarse.q / fine.q);
}

double MeasuredOrders::v() const {
  return std::log2(coarse.v / fine.v);
}

double MeasuredOrders::multipliers() const {
  return std::log2(coarse.multipliers / fine.multipliers);
}

MeasuredOrders measure_orders(const OrderRun& run) {
  if (run.steps <= 0 || run.steps % sample_count != 0)
    throw std::invalid_argument("the number of steps must be a multiple of 8, so that the samples are steps");
  const ProblemInstance instance = catalog::make_problem(run.problem, run.set);
  Options options = sampled(instance, run.span);

  std::vector<State> exact = reference_states(instance, run.span);
  if (exact.empty()) {
    Options tight = options;
    tight.rtol = tight.atol = 1e-13;
    exact = states_of(instance, {}, tight);
  }
  const auto errors = [&](int steps) {
    options.step = run.span / steps;
    return largest_errors(states_of(instance, run.method, options), exact, run.first_sample);
  };
  return {.coarse = errors(run.steps), .fine = errors(2 * run.steps)};
}

MeasuredOrders measure_start(const OrderRun& run, double count, double step) {
  const ProblemInstance instance = catalog::make_problem(run.problem, run.set);
  const auto errors = [&](double h) {
    const double end = instance.start.t + count * h;
    const auto states =
        states_of(instance, run.method,
                  {.t_end = end, .step = h, .output = {.kind = Output::Kind::at, .times = {end}}});
    return error_of(states.back(), instance.reference.at(end).value());
  };
  return {.coarse = errors(step), .fine = errors(step / 2)};
}

}  // namespace driftless::tests
