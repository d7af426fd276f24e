#include <driftless/io/run_report.hpp>

#include <algorithm>
#include <cmath>

namespace driftless::io {

namespace {

// Entries that the reference does not know (NaN) are left out. Not set where it has no such part, or one of
// another size, or knows none of its entries.
std::optional<double> distance(VectorIn a, VectorIn reference) {
  if (a.size() != reference.size()) return std::nullopt;
  std::optional<double> largest;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (std::isnan(reference(i))) continue;
    const double difference = std::abs(a(i) - reference(i));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest.value_or(0), difference);
  }
  return largest;
}

std::optional<double> relative_distance(VectorIn a, VectorIn reference) {
  if (a.size() != reference.size()) return std::nullopt;
  std::optional<double> largest;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (std::isnan(reference(i))) continue;
    if (a(i) != reference(i) && reference(i) == 0) return std::nullopt;  // has no meaning there
    const double difference = a(i) == reference(i) ? 0 : std::abs((a(i) - reference(i)) / reference(i));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest.value_or(0), difference);
  }
  return largest;
}

}  // namespace

ReferenceError reference_error(const Reference& reference, const State& final) {
  ReferenceError error;
  if (!reference.at) return error;
  error.source = reference.source;
  const std::optional<State> known = reference.at(final.t);
  if (!known) return error;
  error.q = distance(final.q(), known->q());
  error.q_relative = relative_distance(final.q(), known->q());
  if (final.layout.order > 1 && known->layout.order > 1) {
    error.v = distance(final.v(), known->v());
    error.v_relative = relative_distance(final.v(), known->v());
  }
  for (int level = 2; level < final.layout.order; ++level)
    error.higher.push_back(level < known->layout.order ? distance(final.level(level), known->level(level))
                                                       : std::nullopt);
  error.lambda = distance(final.lambda, known->lambda);
  error.lambda_relative = relative_distance(final.lambda, known->lambda);
  error.kappa = distance(final.kappa, known->kappa);
  return error;
}

std::vector<std::string> notes_of(const RunReport& report) {
  std::vector<std::string> notes;
  if (report.start.changed) notes.push_back(report.start.report);
  notes.insert(notes.end(), report.solution.notes.begin(), report.solution.notes.end());
  if ((!notes.empty() || !report.solution.complete()) && report.units.known() && !report.units.si())
    notes.emplace_back(
        "numbers in notes and reasons are in SI where no other unit stands behind them: m, rad, s and N");
  return notes;
}

std::map<int, long> steps_by_order(const Solution& solution) {
  std::map<int, long> counts;
  for (const StepRecord& step : solution.steps) ++counts[step.order];
  return counts;
}

}  // namespace driftless::io
