// What fits with what: one table of rules, in the order in which they are told. A rule's name says what must be so; it reads names, traits, the
// shape of the problem and the options of the run, and where they do not fit its sentence says why and what to use instead.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <driftless/core/entries.hpp>
#include <driftless/core/options.hpp>

namespace driftless {

struct ControlCandidate {
  std::string name;
  ControlTraits traits;
  std::unique_ptr<Control> control;
};

// The parts of a method, chosen for a problem and not yet connected.
struct Candidates {
  struct Names {
    std::string formulation, integrator, stabilizer, controller;
    std::string stabilizer_with_options;
  };
  Names names;
  const Formulation& formulation;
  std::vector<SystemShape> shapes;  // that it gives
  const IntegratorEntry& integrator;
  const Stabilizer& stabilizer;
  ControllerTraits controller;
  bool controller_asked_for;
  std::vector<ControlCandidate> controls;
  const Shape& problem;
  const Options& options;
};

struct Rule {
  const char* name;
  bool (*when)(const Candidates&);  // they do not fit
  std::string (*sentence)(const Candidates&);
};

std::span<const Rule> rules();

// Throws InputError with the sentence of the first rule that is broken.
void check_fit(const Candidates& candidates);

}  // namespace driftless
