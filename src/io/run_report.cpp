#include <driftless/io/run_report.hpp>

#include <algorithm>
#include <cmath>

namespace driftless::io {

namespace {

// Not set where the reference has no such part, or one of another size.
std::optional<double> distance(VectorIn a, VectorIn reference) {
  if (reference.size() == 0 || a.size() != reference.size()) return std::nullopt;
  return (a - reference).cwiseAbs().maxCoeff();
}

std::optional<double> relative_distance(VectorIn a, VectorIn reference) {
  if (reference.size() == 0 || a.size() != reference.size()) return std::nullopt;
  double largest = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (a(i) == reference(i)) continue;
    if (reference(i) == 0) return std::nullopt;  // has no meaning there
    largest = std::max(largest, std::abs((a(i) - reference(i)) / reference(i)));
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
  if (final.layout.order > 1 && known->layout.order > 1) error.v = distance(final.v(), known->v());
  error.lambda = distance(final.lambda, known->lambda);
  return error;
}

std::vector<std::string> notes_of(const RunReport& report) {
  std::vector<std::string> notes;
  if (report.start.changed) notes.push_back(report.start.report);
  notes.insert(notes.end(), report.solution.notes.begin(), report.solution.notes.end());
  return notes;
}

}  // namespace driftless::io
