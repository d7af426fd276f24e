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
#include "rules.hpp"
#include "shapes.hpp"

namespace driftless {

namespace {

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

template <class Entry>
auto made(const NamedChoice& choice, const Entry& entry) {
  return entry.make(OptionValues(choice.name, entry.options, choice.options));
}

std::unique_ptr<Formulation> make_formulation(const std::string& text) {
  const NamedChoice choice = parse_choice(text, "formulation");
  return made(choice, catalog::formulation(choice.name));
}

std::vector<ControlCandidate> make_controls(const std::vector<std::string>& texts) {
  std::vector<ControlCandidate> controls;
  for (const std::string& text : texts) {
    const NamedChoice choice = parse_choice(text, "control");
    const ControlEntry& entry = catalog::control(choice.name);
    controls.push_back({choice.name, entry.traits, made(choice, entry)});
  }
  return controls;
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
  const NamedChoice f = parse_choice(method.formulation, "formulation"),
                    i = parse_choice(method.integrator, "integrator"),
                    s = parse_choice(method.stabilizer, "stabilizer"),
                    c = parse_choice(method.controller, "controller");
  const IntegratorEntry& integrator_entry = catalog::integrator(i.name);
  const ControllerEntry& controller_entry = catalog::controller(c.name);
  const OptionValues controller_options(c.name, controller_entry.options, c.options);
  Pipeline pipeline;
  pipeline.stabilizer = made(s, catalog::stabilizer(s.name));
  pipeline.integrator = made(i, integrator_entry);
  const Candidates candidates{.names = {f.name, i.name, s.name, c.name, method.stabilizer},
                              .formulation = formulation,
                              .shapes = shapes_of(formulation, catalog::formulation(f.name)),
                              .integrator = integrator_entry,
                              .stabilizer = *pipeline.stabilizer,
                              .controller = controller_entry.traits(controller_options),
                              .controller_asked_for = !words.controller.empty(),
                              .controls = make_controls(method.controls),
                              .problem = problem.shape(),
                              .options = options};
  check_fit(candidates);
  pipeline.controller = controller_entry.make(
      controller_options,
      {.step = options.step, .tolerance = Tolerance::of(options.rtol, options.atol, problem)});
  if (std::string warning = formulation.warning(problem.shape(), *pipeline.stabilizer); !warning.empty())
    pipeline.notes.push_back(std::move(warning));
  pipeline.order = integrator_entry.order;
  pipeline.continues_values = integrator_entry.traits.continues_values;
  pipeline.system = formulation.build_as(
      chosen_shape(candidates.shapes, integrator_entry.shapes, !method.controls.empty()), problem);
  for (const ControlCandidate& candidate : candidates.controls)
    pipeline.system = candidate.control->wrap(problem, std::move(pipeline.system));
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
