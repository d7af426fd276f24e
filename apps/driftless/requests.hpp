// What the user asked for, as text: command_line fills these, the commands read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/catalog/method.hpp>
#include <driftless/core/options.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>

namespace driftless::app {

using Text = std::optional<std::string>;  // nothing: the flag was not given

// How a robot file is read.
struct RobotRequest {
  bool strict = false, allow_outside = false;
  Text loops, keyframe;
};

struct RunRequest {
  Text problem;
  RobotRequest robot;
  Text formulation, integrator, stabilizer, controller, coordinates;
  std::vector<std::string> controls;
  Text step, rtol, atol, h0, hmax, max_steps, t_end;
  std::vector<std::string> set;
  std::vector<std::string> events;
  Text resume;  // a folder or file of an earlier run
  Text output, out, plot;
  bool json = false;
  bool anyway = false;  // although the check finds errors
};

struct ModesRequest {
  Text problem;
  RobotRequest robot;
  std::vector<std::string> set;
  Text at;      // start, equilibrium or a time
  Text search;  // how an equilibrium is looked for
  bool json = false;
};

struct CheckRequest {
  Text model;
  RobotRequest robot;
  std::vector<std::string> set;
  bool json = false;
};

struct GenerateRequest {
  Text name;
  std::vector<std::string> set;
  Text out;
};

struct ConvertRequest {
  Text file;
  RobotRequest robot;
  Text out;
};

struct DemoRequest {
  Text out;
  std::string program;  // how the user called it, for the commands that are suggested
};

struct ReproduceRequest {
  std::vector<std::string> papers;  // none: all
  Text out;
  bool json = false;
};

struct ListRequest {
  Text kind;
  bool json = false;
  bool markdown = false, schema = false, loops_schema = false,
       reference = false;  // documents, instead of a list
};

// What a model file says about its run, where the command line says nothing.
RunRequest with_model(RunRequest request, const io::ModelRun& run);

// The request in the words of the library. Throw InputError with the flag in the sentence.
Method method_of(const RunRequest& request);
Options options_of(const RunRequest& request, double problem_t_end);
// A run that goes on with what was saved may only be given another end and other output.
void check_resumed(const RunRequest& request);
// Throws InputError where flags for robot files are given with something else.
io::RobotOptions robot_options_of(const RobotRequest& request, const std::string& file);
// What was given as --set name=value.
std::vector<std::pair<std::string, std::string>> parameters_of(const std::vector<std::string>& set);

}  // namespace driftless::app
