// Formulas of time alone, over the whole run: where one stops having a value, the run will end.
#include <fmt/format.h>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

constexpr double usual_end = 10;  // s, of a model that does not say
constexpr int samples = 1000;
constexpr int halvings = 60;

// Drives, and forces by formulas that no place and no speed enters.
mechanics::MechanismModel of_time_alone(const mechanics::MechanismModel& parts) {
  mechanics::MechanismModel model = parts;
  std::erase_if(model.forces, [&](const mechanics::Force& force) {
    const auto* law = std::get_if<mechanics::ExpressionLaw>(&force.law);
    return !law || !law->inputs.empty() ||
           model.measure(force.measure).kind == mechanics::Measure::Kind::distance;
  });
  return model;
}

}  // namespace

void look_at_time(const CheckedParts& mechanism, ModelCheck& check) {
  const mechanics::MechanismModel model = of_time_alone(mechanism.parts);
  const State start = mechanism.model.mechanism.start();
  const Vector q = start.q(), v = start.v();
  const auto fault = [&](double t) {
    return model.fault(t, {q.data(), static_cast<std::size_t>(q.size())},
                       {v.data(), static_cast<std::size_t>(v.size())});
  };
  const double end = mechanism.model.run.t_end.value_or(usual_end);
  if (!(end > start.t) || !fault(start.t).empty()) return;  // the start is told elsewhere
  double good = start.t, bad = start.t;
  for (int i = 1; i <= samples && bad == start.t; ++i) {
    const double t = start.t + (end - start.t) * i / samples;
    (fault(t).empty() ? good : bad) = t;
  }
  if (bad == start.t) return;
  for (int i = 0; i < halvings; ++i) {
    const double middle = good + (bad - good) / 2;
    (fault(middle).empty() ? good : bad) = middle;
  }
  const std::string why = fault(bad);
  const auto colon = why.find(": ");
  const double unit = mechanism.model.units.time;
  add_finding(
      check, Finding::Severity::warning, "formula", why.substr(0, colon),
      fmt::format("{} from t = {:.6g} {} on, and the run is to go to {:.6g} {}; change the formula, or end "
                  "the run earlier",
                  colon == why.npos ? why : why.substr(colon + 2), bad / unit, check.time_unit, end / unit,
                  check.time_unit));
}

}  // namespace driftless::io
