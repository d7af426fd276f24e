#include <driftless/catalog/method.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include <driftless/catalog/catalog.hpp>
#include <driftless/observers/drift_monitor.hpp>
#include <driftless/observers/energy_monitor.hpp>
#include <driftless/observers/recorder.hpp>
#include <driftless/observers/step_history.hpp>

#include "observers/tolerance_check.hpp"
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
    if (row.entry.error_estimate && share(row.entry.shapes, shapes))
      text += (text.empty() ? "" : " or ") + row.name;
  return text.empty() ? text : ", or use " + text;
}

void check_positive(const char* flag, const std::optional<double>& value) {
  if (value && !(*value > 0 && std::isfinite(*value)))
    throw InputError(
        fmt::format("`{}` is {} (must be a number above 0); change it or leave it out", flag, *value));
}

void check_options(const Options& o) {
  check_positive("step", o.step);
  check_positive("h0", o.h0);
  check_positive("hmax", o.hmax);
  check_positive("atol", o.atol);
  check_positive("rtol", o.rtol);
  if (o.rtol && *o.rtol >= 1)
    throw InputError(fmt::format("`rtol` is {} (must be below 1); 1e-6 is usual", *o.rtol));
  if (o.h0 && o.hmax && *o.h0 > *o.hmax)
    throw InputError(fmt::format("`h0` is {} and larger than `hmax` {}; make it smaller or leave one out",
                                 *o.h0, *o.hmax));
  if (o.max_steps < 1) throw InputError(fmt::format("`max_steps` is {} (at least 1); raise it", o.max_steps));
}

// A fixed step has no use for what steers an adaptive one.
void check_fixed_step(const Options& o) {
  if (o.rtol || o.atol)
    throw InputError(
        "`step` fixes the step, so that `rtol` and `atol` would be ignored; give either a step or "
        "tolerances");
  if (o.h0) throw InputError("`step` fixes the step, so that `h0` would be ignored; leave one of them out");
  if (o.hmax && *o.hmax < *o.step)
    throw InputError(fmt::format(
        "`step` is {} and larger than `hmax` {}; make it smaller or leave `hmax` out", *o.step, *o.hmax));
}

void check_span(const Options& o, double t_start) {
  if (!std::isfinite(t_start))
    throw InputError(fmt::format("the start lies at t = {} (must be a finite number)", t_start));
  if (!std::isfinite(o.t_end))
    throw InputError(fmt::format("`t_end` is {} (must be a finite number)", o.t_end));
  if (o.t_end < t_start)
    throw InputError(fmt::format("`t_end` is {} (must not lie before the start, {}); choose a later end",
                                 o.t_end, t_start));
  // A first step has to advance the start only; from t = 0 it may be as small as it likes, but not nothing.
  constexpr double resolution = 16 * std::numeric_limits<double>::epsilon();
  const double at_end = resolution * std::max(std::abs(t_start), std::abs(o.t_end)),
               at_start = resolution * std::max(std::abs(t_start), at_end);
  for (const auto& [flag, value, smallest, t] : {std::tuple{"step", o.step, at_end, o.t_end},
                                                 {"h0", o.h0, at_start, t_start},
                                                 {"hmax", o.hmax, at_end, o.t_end}})
    if (value && *value < smallest)
      throw InputError(fmt::format(
          "`{}` is {} (must be above {:.2g}, what double precision can tell apart at t = {}); enlarge it",
          flag, *value, smallest, t));
  if (!o.step) return;
  const double steps = (o.t_end - t_start) / *o.step;
  if (steps > static_cast<double>(o.max_steps) * (1 + 1e-9))
    throw InputError(fmt::format(
        "from {} to {} with step {} takes {:.4g} steps (limit {}); enlarge `step` or raise `max_steps`",
        t_start, o.t_end, *o.step, steps, o.max_steps));
}

// Motions may begin near 0 and grow, hence the room; what an atol does that is merely large a note of the run says.
void check_atol(const Options& o, const Problem& problem, const State& start) {
  constexpr double room = 1e6;
  if (!o.atol) return;
  const double size =
      std::max({1.0, problem.scales(start.t, start.q()).length, start.z.lpNorm<Eigen::Infinity>()});
  if (*o.atol >= room * size)
    throw InputError(fmt::format(
        "`atol` is {} (must be below {:.3g}, a million times the largest number of the motion's start, or "
        "errors of any size would pass); 1e-6 of that number is usual",
        *o.atol, room * size));
}

std::unique_ptr<StepController> make_controller(bool chosen, const Method& method, const Options& o,
                                                const std::string& integrator_name,
                                                const IntegratorEntry& integrator,
                                                const std::vector<SystemShape>& shapes,
                                                const Problem& problem) {
  if (!chosen && !o.step && !integrator.error_estimate)
    throw InputError(
        fmt::format("{} has no error estimate, so that it cannot choose its steps; give `step = H`{}",
                    integrator_name, adaptive_integrators(shapes)));
  const NamedChoice choice = parse_choice(method.controller, "controller");
  const ControllerEntry& entry = catalog::controller(choice.name);
  if (entry.needs_error_estimate && !integrator.error_estimate)
    throw InputError(
        fmt::format("{} needs an error estimate and {} has none; use `controller = fixed` with `step = H`{}",
                    choice.name, integrator_name, adaptive_integrators(shapes)));
  if (entry.chooses_order && integrator.controller != choice.name)
    throw InputError(fmt::format("{} chooses the order and {} has only one; use `controller = {}`",
                                 choice.name, integrator_name, o.step ? "fixed" : integrator.controller));
  if (integrator.changes_order && !entry.chooses_order && !entry.needs_step)
    throw InputError(
        fmt::format("{} chooses the step only, and {} wants a lower order where the solution is not smooth; "
                    "use `controller = {}`",
                    choice.name, integrator_name, integrator.controller));
  if (entry.needs_step && !o.step)
    throw InputError(fmt::format("{} needs the step; give `step = H`", choice.name));
  if (!entry.needs_step && o.step)
    throw InputError(
        fmt::format("{} chooses the step, so that `step` would be ignored; use `h0` for the first step, or "
                    "`controller = fixed`",
                    choice.name));
  if (o.step) check_fixed_step(o);
  const OptionValues values(choice.name, entry.options, choice.options);
  return entry.make(values, {.step = o.step, .tolerance = Tolerance::of(o.rtol, o.atol, problem)});
}

void refuse(const std::string& who, const std::optional<std::string>& why) {
  if (why) throw InputError(fmt::format("{}: {}", who, *why));
}

std::unique_ptr<Formulation> make_formulation(const std::string& text) {
  const NamedChoice choice = parse_choice(text, "formulation");
  const FormulationEntry& entry = catalog::formulation(choice.name);
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

}  // namespace

Method with_defaults(Method method, const Options& options) {
  const FormulationEntry& formulation =
      catalog::formulation(parse_choice(method.formulation, "formulation").name);
  if (method.integrator.empty())
    method.integrator =
        share(shapes_of(*make_formulation(method.formulation), formulation), {SystemShape::ode}) ? "dopri5"
        : options.step ? "backward-euler"
                       : "bdf";
  if (method.stabilizer.empty()) method.stabilizer = formulation.stabilizer;
  if (method.controller.empty())
    method.controller =
        options.step ? "fixed"
                     : catalog::integrator(parse_choice(method.integrator, "integrator").name).controller;
  return method;
}

Pipeline assemble(const Problem& problem, const Method& method, const Options& options) {
  return assemble(problem, *make_formulation(method.formulation), method, options);
}

Pipeline assemble(const Problem& problem, const Formulation& formulation, const Method& words,
                  const Options& options) {
  check_options(options);
  const Method method = with_defaults(words, options);
  const Shape& shape = problem.shape();
  const NamedChoice f = parse_choice(method.formulation, "formulation"),
                    i = parse_choice(method.integrator, "integrator"),
                    s = parse_choice(method.stabilizer, "stabilizer");
  const FormulationEntry& formulation_entry = catalog::formulation(f.name);
  const IntegratorEntry& integrator_entry = catalog::integrator(i.name);
  const StabilizerEntry& stabilizer_entry = catalog::stabilizer(s.name);
  const std::vector<SystemShape> shapes = shapes_of(formulation, formulation_entry);
  if (!share(shapes, integrator_entry.shapes))
    throw InputError(
        fmt::format("{} gives {} and {} integrates {}; use `integrator = {}`, or `formulation = {}`", f.name,
                    names_of(shapes), i.name, names_of(integrator_entry.shapes),
                    fitting(catalog::integrator_table(), shapes),
                    fitting(catalog::formulation_table(), integrator_entry.shapes)));

  refuse(f.name, formulation.refuses(shape));
  if (integrator_entry.refuses) refuse(i.name, integrator_entry.refuses(shape));

  Pipeline pipeline;
  pipeline.stabilizer = stabilizer_entry.make(OptionValues(s.name, stabilizer_entry.options, s.options));
  refuse(s.name, pipeline.stabilizer->refuses(shape));
  pipeline.integrator = integrator_entry.make(OptionValues(i.name, integrator_entry.options, i.options));
  pipeline.controller =
      make_controller(!words.controller.empty(), method, options, i.name, integrator_entry, shapes, problem);
  if (pipeline.controller->judges_tangential_error() && !pipeline.stabilizer->removes_errors())
    throw InputError(
        fmt::format("error=tangential leaves out what a stabilizer removes of an error, and {} removes "
                    "nothing of it; use "
                    "error=whole",
                    s.name));
  const OwnAnswer own = formulation.own_answer(shape);
  if (own == OwnAnswer::feedback && integrator_entry.changes_order && !formulation.suits_any_order())
    throw InputError(
        fmt::format("{} has gains made for one method of one order and its step, and {} changes both; it "
                    "damps any gain: use one "
                    "of your own, or `formulation = index1` with `stabilizer = post`",
                    f.name, i.name));
  if (integrator_entry.continues_values && pipeline.stabilizer->answers_late() && shape.multipliers() > 0)
    throw InputError(
        fmt::format("{} corrects what was wrong before the step, and {} has continued that from its past "
                    "values, so that it may "
                    "grow; use `stabilizer = post`",
                    s.name, i.name));
  if (own == OwnAnswer::positions && !pipeline.stabilizer->bears(own) &&
      pipeline.stabilizer->bears(OwnAnswer::imposed))
    throw InputError(
        fmt::format("{} leaves g' to the order of the method, and {} would move positions for it in every "
                    "step, an error that does "
                    "not get smaller with the step; use `stabilizer = {}:F=block`",
                    f.name, method.stabilizer, s.name));
  if (integrator_entry.leaves_velocities && own == OwnAnswer::positions &&
      pipeline.stabilizer->moves_velocities() && !pipeline.stabilizer->moves_along_forces())
    throw InputError(fmt::format(
        "{} has velocities off the constraints along M^-1 B by design where g = 0 alone is imposed, "
        "and {} would bring them back along another direction in every step, which costs an order; use "
        "`stabilizer = none` or {}:F=input, or `formulation = ggl`",
        i.name, method.stabilizer, s.name));
  if (!pipeline.stabilizer->bears(own))
    throw InputError(fmt::format(
        "{} removes a violation by itself, and {} would answer it once more and leave part of "
        "it, so that it may "
        "grow; use `stabilizer = none`, projection, or post with alpha=1 and another F than transpose{}",
        f.name, method.stabilizer, own == OwnAnswer::feedback ? ", or gains of your own" : ""));
  if (std::string warning = formulation.warning(shape, *pipeline.stabilizer); !warning.empty())
    pipeline.notes.push_back(std::move(warning));
  pipeline.order = integrator_entry.order;
  pipeline.continues_values = integrator_entry.continues_values;
  const SystemShape as = chosen_shape(shapes, integrator_entry.shapes, !method.controls.empty());
  pipeline.system = formulation.build_as(as, problem);
  for (const std::string& text : method.controls) {
    const NamedChoice c = parse_choice(text, "control");
    const ControlEntry& entry = catalog::control(c.name);
    const auto control = entry.make(OptionValues(c.name, entry.options, c.options));
    refuse(c.name, control->refuses(shape));
    pipeline.system = control->wrap(problem, std::move(pipeline.system));
  }
  return pipeline;
}

Solution solve(const Problem& problem, const State& start, const Method& method, const Options& options,
               const std::vector<Observer*>& observers, const std::function<bool()>& interrupted) {
  Pipeline pipeline = assemble(problem, method, options);
  check_span(options, options.resume ? options.resume->state.t : start.t);
  check_atol(options, problem, options.resume ? options.resume->state : start);
  ConsistentState begin;
  if (options.start_as_given) {
    begin.state = start;
    begin.report = "the start is off the constraints on purpose and was not moved onto them";
  } else if (!options.resume) {
    begin = consistent_state(problem, start);
  }
  observers::Recorder recorder;
  observers::DriftMonitor drift;
  observers::EnergyMonitor energy;
  observers::StepHistory steps;
  std::vector<Observer*> all = {&recorder, &drift, &energy};
  std::optional<observers::ToleranceCheck> check;
  if (!options.step) {
    all.push_back(&steps);
    all.push_back(&check.emplace(Tolerance::of(options.rtol, options.atol, problem), energy));
  }
  all.insert(all.end(), observers.begin(), observers.end());
  Solution solution = solve(problem, pipeline, begin.state, options, all, interrupted);
  if (begin.changed || (options.start_as_given && !options.resume))
    solution.notes.insert(solution.notes.begin(), begin.report);
  for (const std::string& told : {begin.assembly, begin.choice})
    if (!told.empty()) solution.notes.push_back(told);
  return solution;
}

}  // namespace driftless
