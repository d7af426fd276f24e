#include "rules.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>

#include "shapes.hpp"

namespace driftless {

namespace {

// The names in a table whose shapes fit, for "use X or Y".
template <class Entry>
std::string fitting(const std::vector<Named<Entry>>& table, const std::vector<SystemShape>& shapes) {
  std::string text;
  for (const auto& row : table)
    if (share(row.entry.shapes, shapes)) text += (text.empty() ? "" : " or ") + row.name;
  return text;
}

// ", or use X or Y": integrators that choose their steps, among those that take one of these shapes; empty: there is none.
std::string adaptive_integrators(const std::vector<SystemShape>& shapes) {
  std::string text;
  for (const auto& row : catalog::integrator_table())
    if (row.entry.traits.error_estimate && share(row.entry.shapes, shapes))
      text += (text.empty() ? "" : " or ") + row.name;
  return text.empty() ? text : ", or use " + text;
}

// ---- what a part itself says of the problem ----

std::string told_by(const std::string& who, const std::optional<std::string>& why) {
  return fmt::format("{}: {}", who, why.value_or(""));
}

std::optional<std::string> integrator_refuses(const Candidates& c) {
  return c.integrator.refuses ? c.integrator.refuses(c.problem) : std::nullopt;
}

const ControlCandidate* control_that_refuses(const Candidates& c) {
  const auto found = std::find_if(c.controls.begin(), c.controls.end(), [&](const auto& candidate) {
    return candidate.control->refuses(c.problem).has_value();
  });
  return found == c.controls.end() ? nullptr : &*found;
}

const ControlCandidate* second_that_steers_energy(const Candidates& c) {
  int steering = 0;
  for (const ControlCandidate& candidate : c.controls)
    if (candidate.traits.steers_energy && ++steering == 2) return &candidate;
  return nullptr;
}

// ---- formulations beside stabilizers ----

OwnAnswer own_answer(const Candidates& c) {
  using Answered = FormulationTraits::Answered;
  const FormulationTraits& traits = c.formulation.traits;
  const bool positions = c.problem.ng > 0 && c.problem.order > 1, constraints = c.problem.multipliers() > 0;
  const bool answers = traits.answered == Answered::anything    ? true
                       : traits.answered == Answered::positions ? positions
                                                                : constraints;
  return answers ? traits.answer : OwnAnswer::none;
}

bool bears(const StabilizerTraits& stabilizer, OwnAnswer answer) {
  if (answer == OwnAnswer::none || !stabilizer.corrects) return true;
  if (answer != OwnAnswer::feedback && !stabilizer.moves_positions) return true;
  if (answer == OwnAnswer::positions && stabilizer.positions_for_velocities) return false;
  if (answer == OwnAnswer::feedback && !stabilizer.each_level_by_itself) return false;
  return stabilizer.leaves_nothing;
}

// ---- the table ----

using C = const Candidates&;

constexpr Rule table[] = {
    {"the integrator takes a shape that the formulation gives",
     [](C c) { return !share(c.shapes, c.integrator.shapes); },
     [](C c) {
       return fmt::format("{} gives {} and {} integrates {}; use `integrator = {}`, or `formulation = {}`",
                          c.names.formulation, names_of(c.shapes), c.names.integrator,
                          names_of(c.integrator.shapes), fitting(catalog::integrator_table(), c.shapes),
                          fitting(catalog::formulation_table(), c.integrator.shapes));
     }},
    {"the formulation treats the problem", [](C c) { return c.formulation.refuses(c.problem).has_value(); },
     [](C c) { return told_by(c.names.formulation, c.formulation.refuses(c.problem)); }},
    {"the integrator treats the problem", [](C c) { return integrator_refuses(c).has_value(); },
     [](C c) { return told_by(c.names.integrator, integrator_refuses(c)); }},
    {"the stabilizer treats the problem", [](C c) { return c.stabilizer.refuses(c.problem).has_value(); },
     [](C c) { return told_by(c.names.stabilizer, c.stabilizer.refuses(c.problem)); }},

    // Steps and orders
    {"steps are given where none can be chosen",
     [](C c) { return !c.controller_asked_for && !c.options.step && !c.integrator.traits.error_estimate; },
     [](C c) {
       return fmt::format("{} has no error estimate, so that it cannot choose its steps; give `step = H`{}",
                          c.names.integrator, adaptive_integrators(c.shapes));
     }},
    {"the controller has the error estimate that it needs",
     [](C c) { return c.controller.needs_error_estimate && !c.integrator.traits.error_estimate; },
     [](C c) {
       return fmt::format(
           "{} needs an error estimate and {} has none; use `controller = fixed` with `step = H`{}",
           c.names.controller, c.names.integrator, adaptive_integrators(c.shapes));
     }},
    {"an order is chosen of methods that have several",
     [](C c) { return c.controller.chooses_order && c.integrator.controller != c.names.controller; },
     [](C c) {
       return fmt::format("{} chooses the order and {} has only one; use `controller = {}`",
                          c.names.controller, c.names.integrator,
                          c.options.step ? "fixed" : c.integrator.controller);
     }},
    {"steps are chosen together with the order",
     [](C c) {
       return c.integrator.traits.changes_order && !c.controller.chooses_order && !c.controller.needs_step;
     },
     [](C c) {
       return fmt::format(
           "{} chooses the step only, and {} wants a lower order where the solution is not smooth; "
           "use `controller = {}`",
           c.names.controller, c.names.integrator, c.integrator.controller);
     }},
    {"the controller has the step that it needs",
     [](C c) { return c.controller.needs_step && !c.options.step; },
     [](C c) { return fmt::format("{} needs the step; give `step = H`", c.names.controller); }},
    {"no step is given where it is chosen",
     [](C c) { return !c.controller.needs_step && c.options.step.has_value(); },
     [](C c) {
       return fmt::format(
           "{} chooses the step, so that `step` would be ignored; use `h0` for the first step, or "
           "`controller = fixed`",
           c.names.controller);
     }},

    // A fixed step has no use for what steers an adaptive one.
    {"no tolerances beside a fixed step",
     [](C c) { return c.options.step && (c.options.rtol || c.options.atol); },
     [](C) {
       return std::string(
           "`step` fixes the step, so that `rtol` and `atol` would be ignored; give either a step or "
           "tolerances");
     }},
    {"no first step beside a fixed one", [](C c) { return c.options.step && c.options.h0; },
     [](C) {
       return std::string("`step` fixes the step, so that `h0` would be ignored; leave one of them out");
     }},
    {"a fixed step is not larger than the largest",
     [](C c) { return c.options.step && c.options.hmax && *c.options.hmax < *c.options.step; },
     [](C c) {
       return fmt::format("`step` is {} and larger than `hmax` {}; make it smaller or leave `hmax` out",
                          *c.options.step, *c.options.hmax);
     }},

    // What is done to errors and violations
    {"errors are judged in part where a part is removed",
     [](C c) { return c.controller.judges_tangential && !c.stabilizer.traits.removes_errors(); },
     [](C c) {
       return fmt::format(
           "error=tangential leaves out what a stabilizer removes of an error, and {} removes nothing of it; "
           "use error=whole",
           c.names.stabilizer);
     }},
    {"gains are made for one order",
     [](C c) {
       return own_answer(c) == OwnAnswer::feedback && c.integrator.traits.changes_order &&
              !c.formulation.traits.suits_any_order;
     },
     [](C c) {
       return fmt::format(
           "{} has gains made for one method of one order and its step, and {} changes both; it damps any "
           "gain: use one of your own, or `formulation = index1` with `stabilizer = post`",
           c.names.formulation, c.names.integrator);
     }},
    {"nothing is corrected late that has been continued",
     [](C c) {
       return c.integrator.traits.continues_values && c.stabilizer.traits.late && c.problem.multipliers() > 0;
     },
     [](C c) {
       return fmt::format(
           "{} corrects what was wrong before the step, and {} has continued that from its past values, so "
           "that it may grow; use `stabilizer = post`",
           c.names.stabilizer, c.names.integrator);
     }},
    {"positions are not moved for velocities that are left to the method",
     [](C c) {
       const StabilizerTraits& stabilizer = c.stabilizer.traits;
       return own_answer(c) == OwnAnswer::positions && !bears(stabilizer, OwnAnswer::positions) &&
              bears(stabilizer, OwnAnswer::imposed);
     },
     [](C c) {
       return fmt::format(
           "{} leaves g' to the order of the method, and {} would move positions for it in every step, an "
           "error that does not get smaller with the step; use `stabilizer = {}:F=block`",
           c.names.formulation, c.names.stabilizer_with_options, c.names.stabilizer);
     }},
    {"velocities off the constraints by design are left alone",
     [](C c) {
       const StabilizerTraits& stabilizer = c.stabilizer.traits;
       return c.integrator.traits.leaves_velocities && own_answer(c) == OwnAnswer::positions &&
              stabilizer.moves_velocities && !stabilizer.along_forces;
     },
     [](C c) {
       return fmt::format(
           "{} has velocities off the constraints along M^-1 B by design where g = 0 alone is imposed, and "
           "{} would bring them back along another direction in every step, which costs an order; use "
           "`stabilizer = none` or {}:F=input, or `formulation = ggl`",
           c.names.integrator, c.names.stabilizer_with_options, c.names.stabilizer);
     }},
    {"violations are answered once", [](C c) { return !bears(c.stabilizer.traits, own_answer(c)); },
     [](C c) {
       return fmt::format(
           "{} removes a violation by itself, and {} would answer it once more and leave part of it, so that "
           "it may grow; use `stabilizer = none`, projection, or post with alpha=1 and another F than "
           "transpose{}",
           c.names.formulation, c.names.stabilizer_with_options,
           own_answer(c) == OwnAnswer::feedback ? ", or gains of your own" : "");
     }},

    // Controls
    {"the control treats the problem", [](C c) { return control_that_refuses(c) != nullptr; },
     [](C c) {
       const ControlCandidate& candidate = *control_that_refuses(c);
       return told_by(candidate.name, candidate.control->refuses(c.problem));
     }},
    {"one control steers the energy", [](C c) { return second_that_steers_energy(c) != nullptr; },
     [](C c) {
       return fmt::format("{}: another control steers the energy already; use one of them",
                          second_that_steers_energy(c)->name);
     }},
};

}  // namespace

std::span<const Rule> rules() {
  return table;
}

void check_fit(const Candidates& candidates) {
  for (const Rule& rule : table)
    if (rule.when(candidates)) throw InputError(rule.sentence(candidates));
}

}  // namespace driftless
