// Entries: what a method's file tells the catalog about it. Each file in a method room defines one function,
// named like the file, that returns one of these; the build collects them into a table.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/formulation.hpp>
#include <driftless/core/integrator.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/stabilizer.hpp>
#include <driftless/core/step_controller.hpp>
#include <driftless/core/traits.hpp>

namespace driftless {

struct FormulationEntry {
  std::string summary;  // one line for lists and tables
  std::vector<SystemShape> shapes;
  std::vector<OptionSpec> options;
  std::function<std::unique_ptr<Formulation>(const OptionValues&)> make;
  std::string stabilizer =
      "post:F=block";       // where none is asked for; formulations that impose constraints want none
  bool takes_mass = false;  // M itself, with explicit integrators too
};

struct IntegratorEntry {
  std::string summary;
  std::vector<SystemShape> shapes;  // it takes any of these
  int order = 0;
  IntegratorTraits traits = {};
  int dense_order =
      0;  // degree up to which the interpolant is exact: its error behaves like h^(dense_order + 1)
  std::vector<OptionSpec> options;
  std::function<std::unique_ptr<Integrator>(const OptionValues&)> make;
  std::string controller = "pi";  // where none is asked for and no step is given
  // Why it cannot treat a problem of that shape, with what to use instead; empty: it treats all.
  std::function<std::optional<std::string>(const Shape&)> refuses = {};
};

struct StabilizerEntry {
  std::string summary;
  std::vector<OptionSpec> options;
  std::function<std::unique_ptr<Stabilizer>(const OptionValues&)> make;
};

struct ControlEntry {
  std::string summary;
  ControlTraits traits = {};
  std::vector<OptionSpec> options;
  std::function<std::unique_ptr<Control>(const OptionValues&)> make;
};

struct ControllerSetup {
  std::optional<double> step;
  Tolerance tolerance;
};

struct ControllerEntry {
  std::string summary;
  std::function<ControllerTraits(const OptionValues&)> traits;
  std::vector<OptionSpec> options;
  std::function<std::unique_ptr<StepController>(const OptionValues&, const ControllerSetup&)> make;
};

// A known solution: an exact formula, or values at certain times. Empty vectors in the answer: that part is
// not known; an entry that is NaN: that entry is not known.
struct Reference {
  std::function<std::optional<State>(double t)> at;  // empty function: none
  std::string source;
};

struct ProblemInstance {
  std::shared_ptr<const Problem> problem;
  State start;
  double t_end = 1;
  Reference reference;
  bool start_as_given = false;  // the start is off the constraints on purpose and is not moved onto them
};

struct ProblemEntry {
  std::string summary;
  std::vector<OptionSpec> parameters;
  std::function<ProblemInstance(const OptionValues&)> make;
};

template <class Entry>
struct Named {
  std::string name;
  Entry entry;
};

}  // namespace driftless
