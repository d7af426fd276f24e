// Shorthands for tests that run the whole pipeline.
#pragma once

#include <driftless/driftless.hpp>

namespace driftless::tests {

inline State state_of(const Problem& problem, const std::vector<double>& z) {
  State state(problem.shape().layout(), problem.shape().ng, problem.shape().nk);
  state.z = Eigen::Map<const Vector>(z.data(), static_cast<Eigen::Index>(z.size()));
  return state;
}

inline std::unique_ptr<System> build_system(const Problem& problem, const std::string& formulation) {
  const NamedChoice choice = parse_choice(formulation);
  const FormulationEntry& entry = catalog::formulation(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options))->build(problem);
}

inline std::unique_ptr<Stabilizer> make_stabilizer(const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  const StabilizerEntry& entry = catalog::stabilizer(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

inline bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

// What a call that must throw InputError says.
template <class Call>
std::string complaint(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no complaint)";
}

}  // namespace driftless::tests
