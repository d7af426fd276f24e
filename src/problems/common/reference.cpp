#include "reference.hpp"

#include <cmath>

namespace driftless::problems {

namespace {

Vector as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

Reference table_reference(std::string source, std::vector<KnownState> states) {
  const auto at = [states = std::move(states)](double t) -> std::optional<State> {
    for (const auto& known : states) {
      if (std::abs(known.t - t) > 1e-12 * std::abs(known.t)) continue;
      State state;
      state.t = known.t;
      state.layout = {known.v.empty() ? 1 : 2, static_cast<int>(known.q.size()),
                      static_cast<int>(known.v.size())};
      state.z.resize(state.layout.size());
      state.q() = as_vector(known.q);
      if (!known.v.empty()) state.v() = as_vector(known.v);
      state.lambda = as_vector(known.lambda);
      return state;
    }
    return std::nullopt;
  };
  return {.at = at, .source = std::move(source)};
}

}  // namespace driftless::problems
