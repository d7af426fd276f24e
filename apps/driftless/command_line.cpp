#include "command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/version.hpp>

#include "help.hpp"

namespace driftless::app {

namespace {

void add_demo(CLI::App& app, DemoRequest& request) {
  CLI::App* demo = app.add_subcommand("demo", "a slider-crank with and without stabilization");
  demo->add_option("--out", request.out, "new folder for results (results/demo)")->option_text("DIR");
}

void add_set(CLI::App& command, std::vector<std::string>& target, const char* help) {
  command.add_option("--set", target, help)->option_text("NAME=VALUE")->allow_extra_args(false);
}

void add_robot(CLI::App& command, RobotRequest& request) {
  command.add_flag("--strict", request.strict, "of a robot file: what is not simulated is an error")
      ->group("robot files");
  command.add_option("--loops", request.loops, "what the format cannot say (NAME.loops.toml beside it)")
      ->option_text("FILE")
      ->group("robot files");
  command.add_option("--keyframe", request.keyframe, "of MJCF: where to start (the pose of the file)")
      ->option_text("NAME")
      ->group("robot files");
  command.add_flag("--allow-outside", request.allow_outside, "it may include files of other folders")
      ->group("robot files");
}

void add_run(CLI::App& app, RunRequest& request) {
  CLI::App* run = app.add_subcommand("run", "simulate a problem, a model file or a robot file");
  run->add_option("PROBLEM", request.problem, "a name from the list below, or a file")->type_name("");
  const auto flag = [&](const char* group, const char* name, Text& target, const char* value,
                        const char* help) {
    run->add_option(name, target, help)->option_text(value)->group(group);
  };
  const auto repeated = [&](const char* group, const char* name, std::vector<std::string>& target,
                            const char* value, const char* help) {
    run->add_option(name, target, help)->option_text(value)->allow_extra_args(false)->group(group);
  };
  flag("method", "--formulation", request.formulation, "F[:opt=val,..]",
       "the equations that are solved (index1)");
  flag("method", "--integrator", request.integrator, "I[:opt=val,..]",
       "how they are solved (dopri5, or bdf)");
  flag("method", "--stabilizer", request.stabilizer, "S[:opt=val,..]",
       "what stops drift (post:F=block, or none)");
  repeated("method", "--control", request.controls, "C[:opt=val,..]", "energy control; may be repeated");
  flag("method", "--controller", request.controller, "C[:opt=val,..]",
       "how steps are chosen (fixed, pi or bdf-order)");
  flag("method", "--coordinates", request.coordinates, "absolute|relative|auto",
       "of a model: its bodies' (absolute), or its joints'");
  flag("accuracy and extent", "--step", request.step, "H", "a fixed step instead of tolerances");
  flag("accuracy and extent", "--rtol", request.rtol, "R", "relative tolerance (1e-6)");
  flag("accuracy and extent", "--atol", request.atol, "A", "absolute tolerance (rtol, times a body's size)");
  flag("accuracy and extent", "--h0", request.h0, "H", "first step, where steps are chosen");
  flag("accuracy and extent", "--hmax", request.hmax, "H", "largest step");
  flag("accuracy and extent", "--max-steps", request.max_steps, "N", "end after so many steps (10000000)");
  flag("accuracy and extent", "--t-end", request.t_end, "T", "when to end (the problem's own end)");
  repeated("problem", "--set", request.set, "NAME=VALUE",
           "parameter of the problem or model; may be repeated");
  repeated("problem", "--event", request.events, "NAME[:opt=val,..]",
           "note where a column passes a value; may be repeated");
  run->add_flag("--anyway", request.anyway, "run a model although its check finds errors")->group("problem");
  flag("accuracy and extent", "--resume", request.resume, "DIR", "go on with an earlier run (see below)");
  flag("output", "--output", request.output, "steps|every=DT|at=T1;T2", "which states are written (steps)");
  flag("output", "--plot", request.plot, "LIST", "figures to draw, like 'drift;energy;x,y' (see below)");
  flag("output", "--out", request.out, "DIR", "new folder for results (results/PROBLEM)");
  run->add_flag("--json", request.json, "print run.json instead of a summary")->group("output");
  add_robot(*run, request.robot);
  run->footer([] { return events_help() + plots_help() + methods_help(); });
}

void add_modes(CLI::App& app, ModesRequest& request) {
  CLI::App* modes = app.add_subcommand("modes", "where a mechanism rests, its frequencies and stability");
  modes->add_option("PROBLEM", request.problem, "one of driftless list problems, or a model file")
      ->type_name("");
  add_set(*modes, request.set, "parameter of the problem; may be repeated");
  modes->add_option("--at", request.at, "where: equilibrium, start, or a time T (see below)")
      ->option_text("WHERE");
  modes->add_option("--search", request.search, "for an equilibrium: downhill or newton")->option_text("HOW");
  modes->add_flag("--json", request.json, "print a JSON document instead of tables");
  add_robot(*modes, request.robot);
  modes->footer(modes_help);
}

void add_check(CLI::App& app, CheckRequest& request) {
  CLI::App* check = app.add_subcommand("check", "what a model file describes, and what is wrong with it");
  check->add_option("FILE", request.model, "a model file, like models/four-bar.toml, or a robot file")
      ->type_name("");
  add_set(*check, request.set, "parameter of the model; may be repeated");
  check->add_flag("--json", request.json, "print a JSON document instead of text");
  add_robot(*check, request.robot);
  check->footer(check_help);
}

void add_generate(CLI::App& app, GenerateRequest& request) {
  CLI::App* generate = app.add_subcommand("generate", "write a model file of any number of parts");
  generate->add_option("NAME", request.name, "one of those below")->type_name("");
  add_set(*generate, request.set, "how many, how large; may be repeated");
  generate->add_option("--out", request.out, "the file (standard output)")->option_text("FILE");
  generate->footer(generators_help);
}

void add_convert(CLI::App& app, ConvertRequest& request) {
  CLI::App* convert = app.add_subcommand("convert", "write a robot file (MJCF, SDF, URDF) as a model file");
  convert->add_option("FILE", request.file, "a robot file")->type_name("");
  convert->add_option("-o,--out", request.out, "the model file (standard output)")->option_text("FILE");
  add_robot(*convert, request.robot);
}

void add_reproduce(CLI::App& app, ReproduceRequest& request) {
  CLI::App* reproduce = app.add_subcommand("reproduce", "papers' tables and figures, beside what is printed");
  reproduce->add_option("PAPER", request.papers, "one or several of those below (all of them)")
      ->type_name("");
  reproduce->add_option("--out", request.out, "new folder for results (results/reproduce)")
      ->option_text("DIR");
  reproduce->add_flag("--json", request.json, "print reproduce.json instead of tables");
  reproduce->footer(papers_help);
}

void add_list(CLI::App& app, ListRequest& request) {
  CLI::App* list = app.add_subcommand("list", "what there is: problems, methods, joints, forces");
  list->add_option("KIND", request.kind, "one of those below, with options and defaults")->type_name("");
  list->add_flag("--json", request.json, "as a JSON document");
  list->add_flag("--markdown", request.markdown, "all methods as the table of README");
  list->add_flag("--reference", request.reference, "all joints and forces as a page of docs");
  list->add_flag("--schema", request.schema, "the JSON schema of model files");
  list->add_flag("--loops-schema", request.loops_schema, "that of the loops files beside robot files");
  list->footer(kinds_help);
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

void require_command(const CLI::App& app, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const std::vector<std::string> commands = names_of(app);
  if (argc > 1 && first.starts_with("-")) return;
  if (std::find(commands.begin(), commands.end(), first) != commands.end()) return;
  const std::string what = argc < 2 ? "no command is given" : fmt::format("there is no command '{}'", first);
  throw InputError(fmt::format("{}; known: {}{}; see driftless --help", what, fmt::join(commands, ", "),
                               suggestion(first, commands)));
}

// Whatever CLI11 could not place.
void refuse_rest(const CLI::App& app, const std::string& command) {
  const std::string where = command.empty() ? "driftless" : command;
  const std::string help = command.empty() ? "driftless --help" : fmt::format("driftless {} --help", command);
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional()) flags.push_back(option->get_name());
  const std::vector<std::string> rest = app.remaining();
  for (const std::string& word : rest) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string flag = word.substr(0, word.find('='));
    throw InputError(
        fmt::format("{} has no flag '{}'{}; see {}", where, flag, suggestion(flag, flags), help));
  }
  if (!rest.empty())
    throw InputError(fmt::format("{} does not know what to do with '{}'; see {}", where, rest.front(), help));
}

// CLI11's complaints, nearly all about the number of values of a flag, as a sentence.
std::string sentence(const CLI::ParseError& error, const std::string& help) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && text.find(" = ") != std::string::npos) {
    const std::string pair = text.substr(text.find(": ") + 2);
    return fmt::format("{} takes no value, but '{}' is given; see {}", pair.substr(0, pair.find(" = ")),
                       pair.substr(pair.find(" = ") + 3), help);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return text;
  const std::string flag = text.substr(0, text.find(':'));
  if (text.find("received") != std::string::npos) return flag + " is given more than once; give it once";
  return fmt::format("{} needs a value; see {}", flag, help);
}

CommandLine::Command command_named(const std::string& name) {
  if (name == "run") return CommandLine::Command::run;
  if (name == "check") return CommandLine::Command::check;
  if (name == "generate") return CommandLine::Command::generate;
  if (name == "convert") return CommandLine::Command::convert;
  if (name == "modes") return CommandLine::Command::modes;
  if (name == "reproduce") return CommandLine::Command::reproduce;
  if (name == "list") return CommandLine::Command::list;
  return CommandLine::Command::demo;
}

// How the program was called, made relative where that is shorter to type.
std::string called_as(const std::string& name) {
  std::error_code error;
  const std::filesystem::path path(name), here = std::filesystem::current_path(error);
  if (error || !path.is_absolute()) return name;
  const std::string relative = path.lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? name : relative;
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv) {
  CommandLine line;
  CLI::App app("Driftless simulates constrained mechanical systems and keeps them on\ntheir constraints.",
               "driftless");
  set_up_help(app);
  add_demo(app, line.demo);
  add_run(app, line.run);
  add_check(app, line.check);
  add_modes(app, line.modes);
  add_generate(app, line.generate);
  add_convert(app, line.convert);
  add_reproduce(app, line.reproduce);
  add_list(app, line.list);
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands({})) {
    command->allow_extras()->group("commands");
    command->get_help_ptr()->group("flags");
  }
  require_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    line.text = help_of(app);
    return line;
  } catch (const CLI::CallForVersion&) {
    line.text = fmt::format("driftless {}\n", version);
    return line;
  } catch (const CLI::ParseError& error) {
    const std::string first = argv[1];  // a command, or a flag of the program itself
    throw InputError(sentence(
        error, first.starts_with("-") ? "driftless --help" : fmt::format("driftless {} --help", first)));
  }
  refuse_rest(app, "");
  const CLI::App* chosen = app.get_subcommands().front();
  refuse_rest(*chosen, chosen->get_name());
  line.command = command_named(chosen->get_name());
  if (const auto& l = line.list;
      l.markdown + l.reference + l.schema + l.loops_schema + (l.json || l.kind) > 1)
    throw InputError(
        "--markdown, --reference, --schema and --loops-schema are documents of their own and go neither with "
        "each other nor with --json or a kind; leave all but one out");
  line.demo.program = called_as(argv[0]);
  return line;
}

}  // namespace driftless::app
