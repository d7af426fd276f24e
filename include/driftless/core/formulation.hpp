// Formulation: turns a Problem into the System that is discretised. It owns its options (gains, epsilon,
// projection) and never steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <driftless/core/problem.hpp>
#include <driftless/core/stabilizer.hpp>
#include <driftless/core/system.hpp>
#include <driftless/core/traits.hpp>

namespace driftless {

class Formulation {
 public:
  explicit Formulation(FormulationTraits known = {}) : traits(std::move(known)) {}
  virtual ~Formulation() = default;
  const FormulationTraits traits;
  // Why this formulation cannot treat a problem of that shape, with what to use instead; nothing if it can.
  virtual std::optional<std::string> refuses(const Shape&) const { return std::nullopt; }
  // What a user should know about it beside that stabilizer; becomes a note of the run. Empty: nothing.
  virtual std::string warning(const Shape&, const Stabilizer&) const { return {}; }
  virtual std::unique_ptr<System> build(const Problem& problem) const = 0;
  // In the shape that the integrator takes, where there is a choice; build() gives the first one.
  virtual std::unique_ptr<System> build_as(SystemShape, const Problem& problem) const {
    return build(problem);
  }
};

// Control: wraps a System or adds to it (energy control). Applied in the order given, after the formulation.
class Control {
 public:
  virtual ~Control() = default;
  virtual std::optional<std::string> refuses(const Shape&) const { return std::nullopt; }
  virtual std::unique_ptr<System> wrap(const Problem& problem, std::unique_ptr<System> system) const = 0;
};

}  // namespace driftless
