#include "combinations.hpp"

#include <driftless/catalog/catalog.hpp>

namespace driftless::benchmarks::conformance {

std::vector<std::string> formulation_forms() {
  return {"invariant-stabilized:F=full",
          "invariant-stabilized:F=split",
          "invariant-stabilized:F=transpose",
          "invariant-stabilized:F=input",
          "invariant-stabilized:form=integral",
          "invariant-stabilized:gain=auto",
          "invariant-stabilized:gain=auto,F=transpose",
          "invariant-stabilized:gain=auto,form=integral",
          "ggl:D=input",
          "overdetermined-index2:solution=null-space",
          "projected-invariants:variant=a",
          "projected-invariants:variant=b",
          "projected-invariants:D=input",
          "baumgarte:gain=auto",
          "baumgarte:form=coupled",
          "trust-region:gamma=5",
          "trust-region:feedback=velocity",
          "direct-regularization:gamma=5",
          "augmented-lagrangian:gain=auto",
          "augmented-lagrangian:variant=srm"};
}

std::vector<std::string> integrator_texts() {
  std::vector<std::string> texts = {"half-explicit:method=euler", "rattle:forces=any"};
  for (const auto& row : catalog::integrator_table()) texts.push_back(row.name);
  return texts;
}

std::vector<std::string> stabilizer_texts() {
  std::vector<std::string> texts = {"none"};
  for (const std::string name : {"forward", "backward", "post", "projection"}) {
    for (const char* F : {"full", "block", "split", "transpose", "input", "position", "velocity"})
      texts.push_back(name + ":F=" + F);
    texts.push_back(name + ":renew=3");
    texts.push_back(name + ":renew=auto,F=full");
    if (name == "backward") continue;
    texts.push_back(name + ":solve=sor");
    texts.push_back(name + ":solve=sor,F=full");
  }
  texts.push_back("projection:normals=current");
  return texts;
}

std::string name_of(const Combination& combination) {
  const Method& m = combination.method;
  return m.formulation + " + " + m.integrator + (m.stabilizer.empty() ? "" : " + " + m.stabilizer);
}

std::vector<Combination> combinations(const Problem& problem, double t_end, double rtol, double step,
                                      const std::string& wanted) {
  std::vector<Combination> all;
  const auto add = [&](Method method) {
    if (!wanted.empty() && method.integrator != wanted) return;
    Options options{.t_end = t_end};
    if (catalog::integrator(parse_choice(method.integrator).name).traits.error_estimate)
      options.rtol = rtol;
    else
      options.step = step;
    try {
      assemble(problem, method, options);
    } catch (const InputError&) {
      return;  // it does not fit
    }
    all.push_back({std::move(method), options});
  };
  std::vector<std::string> formulations = formulation_forms();
  for (const auto& row : catalog::formulation_table()) formulations.push_back(row.name);
  for (const std::string& formulation : formulations)
    for (const std::string& integrator : integrator_texts())
      add({.formulation = formulation, .integrator = integrator});
  for (const std::string& stabilizer : stabilizer_texts())
    add({.integrator = "dopri5", .stabilizer = stabilizer});
  return all;
}

}  // namespace driftless::benchmarks::conformance
