#include "demo_command.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <ostream>

#include <fmt/format.h>

#include <driftless/observers/drift_monitor.hpp>

#include "execution.hpp"
#include "flags.hpp"
#include "plot.hpp"
#include "summary.hpp"
#include "text.hpp"

namespace driftless::app {

namespace {

constexpr const char* problem_name = "001-slider-crank";
constexpr double longer = 100;  // times the problem's own end: long enough for drift to do harm

struct DemoRun {
  io::RunReport report;
  std::vector<observers::DriftSample> drift;
};

Experiment with(const Method& method) {
  Experiment experiment;
  experiment.source = open_problem(problem_name, {});
  experiment.method = method;
  experiment.options.t_end = longer * experiment.source.instance.t_end;
  return experiment;
}

DemoRun simulate(const Method& method, const std::vector<Observer*>& observers) {
  const Experiment experiment = with(method);
  observers::DriftMonitor monitor(true);
  std::vector<Observer*> all = observers;
  all.push_back(&monitor);
  DemoRun run;
  run.report = execute(experiment, all);
  run.drift = monitor.history();
  return run;
}

void write(const std::filesystem::path& path, DemoRun& run) {
  const io::ResultFolder folder(path);
  run.report.folder = folder.path().string();
  write_results(folder, run.report, with({}));
  folder.write("drift.csv", [&](std::ostream& out) {
    out << "t,position,velocity\n";
    for (const auto& sample : run.drift)
      out << fmt::format("{:.17g},{:.17g},{:.17g}\n", sample.t, sample.position, sample.velocity);
  });
}

std::string introduction(const io::RunReport& report) {
  std::string text = "A slider-crank, simulated with and without stabilization\n\n";
  const Shape& shape = report.problem->shape();
  text += entry(2, "problem", 12,
                fmt::format("{}: {}, {}", report.name, count(shape.nq, "coordinate"),
                            count(shape.multipliers(), "constraint")));
  text += entry(
      2, "method", 12,
      fmt::format("{} + {}, {}", report.method.formulation, report.method.integrator, accuracy_text(report)));
  text += entry(2, "time", 12,
                fmt::format("{:g} to {:g}, {:g} times the problem's own end so that drift can grow",
                            report.start.state.t, report.options.t_end, longer));
  return text;
}

std::string table(const DemoRun& without, const DemoRun& with) {
  std::string text;
  const auto line = [&](const char* label, const std::string& left, const std::string& right) {
    text += fmt::format("  {:<34}{:>20}{:>20}\n", label, left, right);
  };
  const auto row = [&](const char* label, const std::function<std::string(const Solution&)>& cell) {
    line(label, cell(without.report.solution), cell(with.report.solution));
  };
  line("", "without", "with stabilization");
  line("stabilizer", without.report.method.stabilizer, with.report.method.stabilizer);
  row("drift in position, largest |g|", [](auto& s) { return fmt::format("{:.2g}", s.drift->position); });
  row("drift in velocity, largest |g'|", [](auto& s) { return fmt::format("{:.2g}", s.drift->velocity); });
  row("energy balance", [](auto& s) { return fmt::format("{:.2g}", s.energy->balance); });
  row("steps (rejected)", [](auto& s) { return fmt::format("{} ({})", s.work.steps, s.work.rejected); });
  row("computing time", [](auto& s) { return duration(s.seconds); });
  return text;
}

// What the numbers mean: g is a length, and so is the crank's 1.
std::string meaning(const DemoRun& without, const DemoRun& with) {
  return wrap(
      fmt::format("g = 0 says that the loop of crank, rod and slider is closed. Without "
                  "stabilization it opens by {:.2g}, and the crank is 1 long; one Newton step back to "
                  "g = 0 and g' = 0 after every time step keeps it closed to {:.0e}.",
                  without.report.solution.drift->position, with.report.solution.drift->position),
      0);
}

Curve curve(const DemoRun& run, const char* label, char mark, double observers::DriftSample::*quantity) {
  Curve result{label, mark, {}};
  for (const auto& sample : run.drift) result.points.emplace_back(sample.t, sample.*quantity);
  return result;
}

std::string plot(const DemoRun& without, const DemoRun& with, double observers::DriftSample::*quantity) {
  const PlotFrame frame{with.report.start.state.t, with.report.options.t_end, 8, terminal_shows_unicode()};
  return log_plot(
      frame, {curve(without, "without", 'x', quantity), curve(with, "with stabilization", 'o', quantity)});
}

std::string next_steps(const std::string& program) {
  const bool plain = program.find_first_of(" \t'\"\\$&;()") == std::string::npos;
  const std::string command = plain ? program : "'" + program + "'";
  return fmt::format(
      "Try next\n"
      "  seven bodies, six constraints, and a known solution to compare with:\n"
      "    $ {0} run andrews --rtol 1e-8 --atol 1e-8\n"
      "  this mechanism again, with a projection that goes on to convergence:\n"
      "    $ {0} run {1} --stabilizer projection\n"
      "  everything there is:\n"
      "    $ {0} list\n",
      command, problem_name);
}

bool all_written(const std::filesystem::path& folder, DemoRun& without, DemoRun& with) {
  try {
    write(folder / "without", without);
    write(folder / "with", with);
    return true;
  } catch (const std::exception& error) {
    fmt::print(stderr, "driftless: {}\n", with_flags(error.what()));
    return false;
  }
}

}  // namespace

int demo_command(const DemoRequest& request) {
  FolderMaker maker(request.out, "results/demo");
  Method unstabilized;
  unstabilized.stabilizer = "none";
  DemoRun with = simulate({}, {&maker});
  DemoRun without = simulate(unstabilized, {});
  const bool written = all_written(maker.folder().path(), without, with);
  fmt::print("{}\n{}\n{}\n\n", introduction(with.report), table(without, with), meaning(without, with));
  fmt::print("drift in position, |g| over time\n{}\n",
             plot(without, with, &observers::DriftSample::position));
  fmt::print("drift in velocity, |g'| over time\n{}\n",
             plot(without, with, &observers::DriftSample::velocity));
  fmt::print("Results: {}/ (with/ and without/: run.json, trajectory.csv, drift.csv)\n\n",
             maker.folder().path().string());
  fmt::print("{}", next_steps(request.program));
  std::fflush(stdout);
  for (const DemoRun* run : {&with, &without})
    if (!run->report.solution.complete()) {
      fmt::print(stderr, "driftless: the run ended early: {}\n", run->report.solution.end_message);
      return 1;
    }
  return written ? 0 : 1;
}

}  // namespace driftless::app
