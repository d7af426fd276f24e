#include "summary.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "text.hpp"

namespace driftless::app {

namespace {

constexpr int label_column = 12;
constexpr int most_rows = 24;  // of the state; the rest is in run.json

std::string line(std::string_view label, std::string_view text) {
  return entry(0, label, label_column, text);
}

std::string named_value(const std::string& name, double value) {
  return fmt::format("{:<12} {:< 20.12g}", name, value);
}

std::string level_name(const Problem& problem, int level, int i) {
  if (level == 0) return problem.coordinate_name(i);
  return problem.velocity_name(i) + std::string(static_cast<std::size_t>(level - 1), '\'');
}

// Two levels of the state side by side: coordinates and velocities.
std::string level_table(const io::RunReport& report, int level) {
  const State& state = report.solution.final;
  const int left = state.layout.width(level), right = level + 1 < state.layout.order ? state.layout.nv : 0;
  const int rows = std::max(left, right);
  std::string text;
  for (int i = 0; i < std::min(rows, most_rows); ++i) {
    std::string row =
        i < left ? named_value(level_name(*report.problem, level, i), state.level(level)(i)) : "";
    if (i < right)
      row = fmt::format("{:34}{}", row,
                        named_value(level_name(*report.problem, level + 1, i), state.level(level + 1)(i)));
    text += "  " + row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  if (rows > most_rows) text += fmt::format("  .. and {} more lines, in run.json\n", rows - most_rows);
  return text;
}

std::string state_table(const io::RunReport& report) {
  std::string text;
  for (int level = 0; level < report.solution.final.layout.order; level += 2)
    text += level_table(report, level);
  return text;
}

// Multipliers with the constraints they belong to.
std::string multiplier_table(const io::RunReport& report) {
  const State& state = report.solution.final;
  const auto ng = static_cast<int>(state.lambda.size()), rows = ng + static_cast<int>(state.kappa.size());
  std::string text;
  for (int i = 0; i < std::min(rows, most_rows); ++i) {
    const std::string name = i < ng ? fmt::format("lambda[{}]", i) : fmt::format("kappa[{}]", i - ng);
    const double value = i < ng ? state.lambda(i) : state.kappa(i - ng);
    text += fmt::format("  {} of {}\n", named_value(name, value), report.problem->constraint_name(i));
  }
  if (rows > most_rows) text += fmt::format("  .. and {} more, in run.json\n", rows - most_rows);
  for (const Extra& extra : state.extras)
    for (Eigen::Index i = 0; i < std::min<Eigen::Index>(extra.value.size(), most_rows); ++i) {
      const bool single = extra.value.size() == 1;
      text += fmt::format(
          "  {}\n", named_value(single ? extra.name : fmt::format("{}[{}]", extra.name, i), extra.value(i)));
    }
  return text;
}

// What a model file calls its results, with their units; joints and bodies instead of entries of vectors.
std::string named_table(const io::NamedResults& named) {
  constexpr std::size_t most = 40;
  std::size_t width = 12;
  for (const io::NamedValue& v : named.values) width = std::max(width, v.name.size());
  width = std::min<std::size_t>(width, 30);
  std::string text;
  for (std::size_t i = 0; i < std::min(named.values.size(), most); ++i) {
    const io::NamedValue& v = named.values[i];
    text +=
        fmt::format("  {:<{}} {:< 18.10g}{}\n", v.name, width, v.value, v.unit == "1" ? "" : " " + v.unit);
  }
  if (named.values.size() > most)
    text += fmt::format("  .. and {} more, in run.json\n", named.values.size() - most);
  return text;
}

std::string expectation_lines(const io::NamedResults& named) {
  std::string text;
  for (std::size_t i = 0; i < named.expectations.size(); ++i) {
    const io::MetExpectation& e = named.expectations[i];
    const std::string unit = io::behind({e.unit}),
                      wanted = fmt::format("{} = {:g}{} within {:g}{} at t = {:g} {}", e.name, e.expected,
                                           unit, e.tolerance, unit, e.at, named.time_unit);
    text += line(
        i == 0 ? "expected" : "",
        !e.value ? wanted + ": not known, the run has no state there"
                 : fmt::format("{}: {}{:.8g}{}", wanted, e.met() ? "met, " : "NOT met, ", *e.value, unit));
  }
  return text;
}

// "0.5 s"
std::string time_text(const io::RunReport& report, double t, int digits = 10) {
  return fmt::format("{:.{}g}{}", report.units.t(t), digits, io::behind(report.units.time));
}

std::string end_text(const io::RunReport& report) {
  const Solution& s = report.solution;
  const io::StateUnits::Unit& time = report.units.time;
  if (s.end == EndReason::event)
    return s.end_message +
           (time.si == 1 ? io::behind(time) : fmt::format(" s, {}", time_text(report, s.final.t, 15)));
  if (s.complete()) return "reached t = " + time_text(report, s.final.t);
  return fmt::format("early, at t = {} of {} ({})", time_text(report, s.final.t),
                     time_text(report, report.options.t_end), name_of(s.end));
}

// Only what the problem has: positions are constrained by g, velocities by g' (and higher derivatives) or w.
std::string drift_text(const io::RunReport& report) {
  const Solution& s = report.solution;
  const Shape& shape = report.problem->shape();
  if (!s.drift) return "no constraints";
  const Scales scales = report.problem->scales(s.final.t, s.final.q());
  std::string position = fmt::format("position {:.2e}", s.drift->position);
  if (scales.levers.size() > 0)  // a mechanism
    position += fmt::format(" ({:.1e} of its size, {:.3g} {})", s.drift->position / scales.length,
                            scales.length / report.units.length.si,
                            report.units.known() ? report.units.length.name : "m");
  const std::string velocity = fmt::format("velocity {:.2e}", s.drift->velocity);
  if (shape.ng == 0) return velocity + " (largest |w|)";
  if (shape.order == 1) return position + " (largest |g|)";
  std::string rates = shape.nk > 0 || shape.order > 2 ? ", |g'|" : " and |g'|";
  for (int level = 2; level < shape.order; ++level)
    rates += fmt::format(", |g{}|", std::string(static_cast<std::size_t>(level), '\''));
  if (shape.nk > 0) rates += ", |w|";
  // Of lengths and angles the largest.
  return fmt::format("{}, {} (largest |g|{}{})", position, velocity, rates,
                     report.units.known() ? ", in m, rad and s" : "");
}

constexpr std::size_t most_events = 10;

std::string event_lines(const io::RunReport& report) {
  const auto& events = report.solution.events;
  std::string text;
  for (std::size_t i = 0; i < std::min(events.size(), most_events); ++i)
    text += line(i == 0 ? "events" : "",
                 fmt::format("{} at t = {}", events[i].name, time_text(report, events[i].t, 15)));
  if (events.size() > most_events)
    text += line("", fmt::format(".. and {} more, in events.csv", events.size() - most_events));
  return text;
}

// A crossing says that it was approached; an approach is told where none follows.
std::string singularity_lines(const io::RunReport& report) {
  const auto& all = report.solution.singularities;
  std::vector<const Singularity*> told;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].kind != Singularity::Kind::approaching || i + 1 == all.size() ||
        all[i + 1].kind == Singularity::Kind::approaching)
      told.push_back(&all[i]);
  std::string text, before;
  for (std::size_t i = 0; i < std::min(told.size(), most_events); ++i) {
    std::string what = describe(*told[i], *report.problem);
    const bool again = what == std::exchange(before, what);
    const char* verb = told[i]->kind == Singularity::Kind::approaching ? "approached"
                       : told[i]->kind == Singularity::Kind::crossed   ? "crossed"
                                                                       : "rank changed";
    text +=
        line(i == 0 ? "singular" : "", fmt::format("{} at t = {}{}{}", verb, time_text(report, told[i]->t),
                                                   again ? ", as before" : ", ", again ? "" : what));
  }
  if (told.size() > most_events)
    text += line("", fmt::format(".. and {} more, in run.json", told.size() - most_events));
  return text;
}

std::string energy_text(const io::RunReport& report) {
  const Solution& s = report.solution;
  if (!s.energy) return "not known for this problem";
  const std::string unit = io::behind(report.units.energy);
  const double si = report.units.energy.si;
  const std::string work =
      s.energy->work == 0 ? "" : fmt::format(", work put in {:.8g}{}", s.energy->work / si, unit);
  return fmt::format("start {:.8g}{}, end {:.8g}{}{}; balance {:.2e}{}", s.energy->start / si, unit,
                     s.energy->end / si, unit, work, s.energy->balance / si, unit);
}

std::string error_text(const io::RunReport& report) {
  const io::ReferenceError& e = report.error;
  if (e.source.empty()) return "not known: no reference for these parameters";
  if (!e.q && !e.v && !e.lambda && !e.kappa)
    return fmt::format("not known: no reference value at t = {:.10g}", report.solution.final.t);
  const auto part = [](const char* name, const std::optional<double>& value) {
    return value ? fmt::format("{} {:.2e}, ", name, *value) : "";
  };
  std::string text = part("q", e.q) + part("v", e.v);
  for (std::size_t i = 0; i < e.higher.size(); ++i)
    text += part(fmt::format("x{}", i + 2).c_str(), e.higher[i]);
  text += part("lambda", e.lambda) + part("kappa", e.kappa);
  text.resize(text.size() - 2);
  return fmt::format("{} (largest entry; reference: {})", text, e.source);
}

// "1: 3, 2: 2, 5: 391 steps"; empty where there was only one order.
std::string orders_text(const io::RunReport& report) {
  const auto counts = io::steps_by_order(report.solution);
  if (counts.size() < 2) return "";
  std::string text;
  for (const auto& [order, steps] : counts)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", order, steps);
  return text + " steps";
}

std::string work_text(const Work& w) {
  std::string text =
      fmt::format("{}, {} rejected, {}", count(w.steps, "step"), w.rejected, count(w.rhs, "right-hand side"));
  if (w.projections > 0) text += ", " + count(w.projections, "projection");
  if (w.jacobians > 0) text += ", " + count(w.jacobians, "Jacobian");
  if (w.factorizations > 0) text += ", " + count(w.factorizations, "factorization");
  if (w.newton > 0) text += ", " + count(w.newton, "Newton iteration");
  return text;
}

}  // namespace

std::string method_text(const io::MethodWords& method) {
  std::string text = method.formulation + " + " + method.integrator + " + " + method.stabilizer;
  for (const std::string& control : method.controls) text += " + " + control;
  return text;
}

std::string accuracy_text(const io::RunReport& report) {
  const Options& o = report.options;
  if (o.step) return fmt::format("step {:g}{}", report.units.t(*o.step), io::behind(report.units.time));
  return o.atol ? fmt::format("rtol = {:g}, atol = {:g}", *o.rtol, *o.atol)
                : fmt::format("rtol = {:g}", *o.rtol);
}

std::string summary(const io::RunReport& report, const std::string& problem_summary) {
  const Solution& s = report.solution;
  std::string text = line("problem", report.name + ", " + problem_summary);
  std::string parameters;
  for (const auto& [name, value] : report.parameters)
    parameters += fmt::format("{}{} = {}", parameters.empty() ? "" : ", ", name, value);
  if (!parameters.empty()) text += line("parameters", parameters);
  text += line("method", fmt::format("{}; {}: {}", method_text(report.method), report.method.controller,
                                     accuracy_text(report)));
  if (!report.resumed_from.empty())
    text += line("resumed", fmt::format("from {} at t = {}; drift, energy, work and events since then",
                                        report.resumed_from, time_text(report, report.start.state.t)));
  text += line("end", end_text(report));
  if (report.named)
    text += fmt::format("\nat t = {:.10g} {}\n{}\n", report.named->end, report.named->time_unit,
                        named_table(*report.named));
  else
    text += fmt::format("\nstate at t = {:.10g}\n{}{}\n", s.final.t, state_table(report),
                        multiplier_table(report));
  text += event_lines(report);
  if (s.events.empty() && !report.options.events.empty()) text += line("events", "none happened");
  text += singularity_lines(report);
  text += line("drift", drift_text(report));
  text += line("energy", energy_text(report));
  if (!report.named) text += line("error", error_text(report));
  if (report.named) text += expectation_lines(*report.named);
  text += line("work", work_text(s.work));
  if (const std::string orders = orders_text(report); !orders.empty()) text += line("orders", orders);
  text += line("time", duration(s.seconds));
  for (const std::string& note : io::notes_of(report)) text += line("note", note);
  if (!report.folder.empty()) {
    std::string files = "run.json, checkpoint.json, trajectory.csv";
    if (!report.options.step) files += ", steps.csv";
    if (!report.options.events.empty()) files += ", events.csv";
    if (report.named) files += ", outputs.csv, outputs.json";
    for (const std::string& file : report.plots) files += ", " + file;
    text += line("results", fmt::format("{} in {}/", files, report.folder));
  }
  return text;
}

}  // namespace driftless::app
