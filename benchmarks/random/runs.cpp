#include "runs.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

#include <driftless/catalog/method.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "draw.hpp"

namespace driftless::benchmarks::random {

namespace {

const WayEntry entries[] = {
    {Way::usual, "default", "--rtol 1e-6"},
    {Way::tighter, "default, tenfold tighter", "--rtol 1e-7"},
    {Way::perturbed, "default, start moved by 1e-9", "--rtol 1e-6"},
    {Way::relative, "relative coordinates", "--coordinates relative --rtol 1e-8"},
    {Way::ggl_bdf, "ggl + bdf", "--formulation ggl --integrator bdf --rtol 1e-8"},
    {Way::twin, "its twin near 1 m", "--rtol 1e-8"},
    {Way::half_explicit, "half-explicit", "--formulation index2 --integrator half-explicit --rtol 1e-8"},
    {Way::ggl_radau5, "ggl + radau5", "--formulation ggl --integrator radau5 --rtol 1e-8"},
};

bool is_reference(Way way) {
  return way != Way::usual && way != Way::tighter && way != Way::perturbed;
}

Method method_of(Way way) {
  switch (way) {
    case Way::ggl_bdf:
      return {.formulation = "ggl", .integrator = "bdf"};
    case Way::ggl_radau5:
      return {.formulation = "ggl", .integrator = "radau5"};
    case Way::half_explicit:
      return {.formulation = "index2", .integrator = "half-explicit"};
    default:
      return {};
  }
}

Options options_of(Way way, double t_end) {
  Options options{.t_end = t_end};
  options.rtol = way == Way::tighter ? tolerance / 10 : is_reference(way) ? reference_tolerance : tolerance;
  options.output.kind = Output::Kind::at;
  for (int i = 1; i <= watched_times; ++i) options.output.times.push_back(t_end * i / watched_times);
  return options;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void perturb(const mechanics::MechanismModel& model, double size, State& state) {
  Draw draw(1, 1);
  for (const mechanics::Body& body : model.bodies)
    for (int i = 0; i < body.coordinates(); ++i) {
      const bool angle = i >= (body.kind == mechanics::Body::Kind::planar ? 2 : 3);
      state.q()(body.q + i) += perturbation * draw.between(-1, 1) * (angle ? 1 : size);
    }
}

// By what was there to exchange: the largest kinetic energy, or the work of drives and dampers; at least that
// of bodies that move a thousandth of the size in the time of the run, since below that there is nothing but
// tolerance.
std::optional<double> relative_balance(const mechanics::MechanismModel& model,
                                       const mechanics::MechanismResults& results, const Solution& solution,
                                       double size, double t_end) {
  if (!solution.energy) return std::nullopt;
  double mass = 0, exchanged = std::abs(solution.energy->work);
  for (const mechanics::Body& body : model.bodies) mass += body.mass;
  exchanged = std::max(exchanged, mass * std::pow(1e-3 * size / t_end, 2));
  for (const State& state : solution.states) {
    double kinetic = 0;
    for (const auto& element : results.energies(state)) kinetic += element.kinetic;
    exchanged = std::max(exchanged, kinetic);
  }
  return std::abs(solution.energy->balance) / exchanged;
}

// Routine, whatever comes of the run.
bool is_routine(const std::string& note) {
  return note.find("redundant") != std::string::npos || note.starts_with("the start was moved") ||
         note.find("the problem is stiff") != std::string::npos;
}

void keep(const Solution& solution, Run& run) {
  run.notes = solution.notes;
  run.warned = std::any_of(solution.notes.begin(), solution.notes.end(),
                           [](const std::string& note) { return !is_routine(note); }) ||
               std::any_of(solution.singularities.begin(), solution.singularities.end(),
                           [](const Singularity& s) { return s.kind != Singularity::Kind::approaching; });
  for (const Singularity& s : solution.singularities)
    run.notes.push_back(std::string("singularity: ") + name_of(s.kind) + " at t = " + std::to_string(s.t));
  run.t = solution.final.t;
  run.steps = solution.work.steps;
  run.seconds = solution.seconds;
}

}  // namespace

const std::string* Run::redundancy() const {
  const auto found = std::find_if(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("redundant") != std::string::npos;
  });
  return found == notes.end() ? nullptr : &*found;
}

const WayEntry& entry(Way way) {
  return *std::find_if(std::begin(entries), std::end(entries),
                       [&](const WayEntry& e) { return e.way == way; });
}

Run run_model(const std::string& text, Way way, double size, double seconds_limit) {
  Run run{.way = way};
  const double begin = processor_seconds();
  try {
    const io::Model model = io::read_model_text(text, "random.toml");
    const mechanics::MechanismModel finished = model.mechanism.finished();
    std::shared_ptr<const Problem> problem = model.mechanism.problem();
    State start = model.mechanism.assembled(model.closing);
    std::optional<mechanics::RelativeCoordinates> relative;
    if (way == Way::relative) {
      relative.emplace(finished, model.mechanism.joints(), start);
      problem = relative->problem();
      start = relative->start();
    }
    if (way == Way::perturbed) perturb(finished, size, start);
    const Solution solution = solve(*problem, start, method_of(way), options_of(way, *model.run.t_end), {},
                                    [&] { return processor_seconds() - begin > seconds_limit; });
    keep(solution, run);
    run.ending = solution.complete()                      ? Run::Ending::completed
                 : solution.end == EndReason::interrupted ? Run::Ending::out_of_time
                                                          : Run::Ending::ended;
    run.reason = solution.complete() ? "" : name_of(solution.end);
    run.sentence = solution.end_message;
    Solution by_bodies = solution;
    if (relative)
      for (State& state : by_bodies.states) state = relative->absolute(state);
    const mechanics::MechanismResults results = model.mechanism.results();
    for (const State& state : by_bodies.states) {
      std::vector<Vec3>& all = run.places.emplace_back();
      for (const io::ModelBody& body : model.bodies) all.push_back(results.pose(state, body.id).r);
    }
    if (solution.drift) run.drift = solution.drift->position / size;
    run.balance = relative_balance(finished, results, by_bodies, size, *model.run.t_end);
  } catch (const InputError& error) {
    run.ending = Run::Ending::refused;
    run.sentence = error.what();
  } catch (const std::exception& error) {
    run.ending = Run::Ending::failed;
    run.sentence = error.what();
  }
  return run;
}

}  // namespace driftless::benchmarks::random
