#include "help.hpp"

#include <memory>

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/io/model_generators.hpp>

#include "experiments/papers.hpp"

#include "catalog_view.hpp"
#include "text.hpp"

namespace driftless::app {

namespace {

constexpr int help_column = 26;

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(help_column);
    label("OPTIONS", "FLAGS");
    label("SUBCOMMAND", "COMMAND");
    label("Usage", "usage");
    label("Positionals", "argument");
  }
  // Only a problem must be named.
  std::string make_option_usage(const CLI::Option* option) const override {
    const std::string name = option->get_name(true, false);
    if (name == "PROBLEM" || name == "FILE" || name == "NAME") return name;
    return fmt::format("[{}{}]", name, option->get_expected_max() > 1 ? " ..." : "");
  }
};

}  // namespace

void set_up_help(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.option_defaults()->group("flags");
  app.set_help_flag("--help,-h", "this text");
  app.set_version_flag("--version", "", "print the version");
}

std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  if (app.get_subcommands().empty()) text += "Help on a command: driftless COMMAND --help\n";
  for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n")) text.erase(at, 1);
  text.erase(text.find_last_not_of('\n') + 1);
  return text + "\n";
}

std::string plots_help() {
  std::string text = "\nitems of --plot LIST, separated by ';': each becomes an SVG file\n";
  text += entry(2, "drift", help_column, "|g| and |g'|, the distance from the constraints");
  text += entry(2, "energy", help_column, "E - E(start) - work, zero for an exact solution");
  text += entry(2, "steps", help_column, "sizes of all steps, coloured by the order of the method");
  text += entry(2, "x,y", help_column,
                "columns of trajectory.csv over time, by their names; of a model file, results like A.angle");
  return text + entry(2, "x|y", help_column, "y over x");
}

std::string events_help() {
  std::string text =
      "\nan --event is noted where NAME (t, a coordinate, a velocity or a multiplier like\nlambda[0]; of a "
      "model file a result like A.angle or rope.force) passes a value\n";
  text += entry(2, "value=0", help_column, "the value it passes");
  text += entry(2, "direction=any", help_column, "or rising, or falling");
  text += entry(2, "stop=no", help_column, "yes: the run ends there");
  text += "\n--resume DIR goes on bit by bit: driftless run --resume results/NAME --t-end T\n";
  return text + entry(2, "DIR", help_column, "an earlier run's folder, or its checkpoint.json");
}

std::string methods_help() {
  std::string text;
  for (const Kind& kind : kinds_of_run()) {
    text += fmt::format("\n{}: {}\n", kind.name, kind.usage);
    if (kind.items.empty()) text += "  none yet\n";
    for (const Item& item : kind.items) {
      std::vector<std::string> names;
      for (const OptionSpec& option : item.options) names.push_back(option.name);
      text += entry(2, item.name, help_column, fmt::format("{}", fmt::join(names, ", ")));
    }
  }
  return text + "\nWhat they are: driftless list; what their options mean: driftless list KIND";
}

std::string modes_help() {
  std::string text = "places of --at\n";
  text += entry(2, "equilibrium", help_column,
                "the default: a state of rest, looked for from the problem's start; --search downhill ends "
                "where friction would bring it, newton at the nearest, stable or not");
  text += entry(2, "start", help_column, "the problem's start, made consistent");
  text += entry(2, "T", help_column, "the state at time T of a run with the default method, tolerance 1e-10");
  return text +
         "\nAway from an equilibrium the linearisation is frozen: it depends on the\n"
         "coordinates and proves nothing about stability. Exit status: 0 done, 1 no\n"
         "equilibrium found or the run to T ended early, 2 bad usage or input.";
}

std::string check_help() {
  return "Degrees of freedom by rank, redundant constraints, how the start was closed, and\n"
         "what looks wrong. Exit status: 0 nothing worse than warnings, 1 errors, 2 the\n"
         "file cannot be read.";
}

std::string generators_help() {
  std::string text = "generators and what may be set\n";
  for (const io::ModelGenerator& generator : io::model_generators()) {
    std::string set;
    for (const OptionSpec& p : generator.parameters)
      set += fmt::format("{}{}={} ({})", set.empty() ? "" : ", ", p.name, p.fallback, p.help);
    text += entry(2, generator.name, help_column, fmt::format("{}; {}", generator.summary, set));
  }
  return text;
}

std::string papers_help() {
  std::string text = "papers\n";
  for (const experiments::Paper& paper : experiments::papers())
    text += entry(2, paper.name, help_column, paper.title);
  text += "\nverdicts\n";
  text += entry(2, "match", help_column,
                "rounds or truncates to the printed digits, or is within one unit of the last");
  text += entry(2, "differs", help_column, "from the printed digits; a note says why");
  text += entry(2, "not-printed", help_column, "the paper prints nothing, or it is lost");
  return text +
         "\nEvery value is also compared with one that an independent program found. Exit\n"
         "status: 0 all agree, 1 one does not. Each entry of the JSON document has the\n"
         "command that yields it.";
}

std::string kinds_help() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return entry(0, "kinds", help_column, fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace driftless::app
