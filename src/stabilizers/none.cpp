// No stabilization: the state is left where the integrator put it, and drift shows.
#include <driftless/core/entries.hpp>

namespace driftless::stabilizers {

namespace {

class None final : public Stabilizer {
 public:
  Correction apply(Manifold&, State&, const Occasion&) override { return {}; }
};

}  // namespace

StabilizerEntry none() {
  return {.summary = "leaves the state as it is; drift shows",
          .options = {},
          .make = [](const OptionValues&) { return std::make_unique<None>(); }};
}

}  // namespace driftless::stabilizers
