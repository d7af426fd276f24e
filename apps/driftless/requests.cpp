#include "requests.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless::app {

namespace {

std::optional<double> number(const Text& text, std::string_view flag) {
  return text ? std::optional(parse_number(*text, flag)) : std::nullopt;
}

long whole_number(const std::string& text, std::string_view flag) {
  double value = 0.5;
  try {
    value = parse_number(text, flag);
  } catch (const InputError&) {  // the sentence below fits better
  }
  if (value != std::floor(value) || std::abs(value) > 9e15)
    throw InputError(
        fmt::format("{} is '{}' (must be a whole number, at most 9e15); write it like 100000", flag, text));
  return static_cast<long>(value);
}

Output output_of(const std::string& text) {
  const auto equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (kind == "steps" && equals == std::string::npos) return {};
  if (kind == "every" && !value.empty())
    return {.kind = Output::Kind::every, .interval = parse_number(value, "--output every"), .times = {}};
  if (kind == "at" && !value.empty()) {
    Output output{.kind = Output::Kind::at, .interval = 0, .times = {}};
    for (const std::string& time : split_list(value))
      output.times.push_back(parse_number(time, "a time of --output at"));
    return output;
  }
  const bool known = kind == "steps" || kind == "every" || kind == "at";
  throw InputError(
      fmt::format("--output is '{}' (must be one of: steps, every=DT, at=T1;T2, for instance every=0.1){}",
                  text, known ? "" : suggestion(kind, {"steps", "every", "at"})));
}

}  // namespace

RunRequest with_model(RunRequest request, const io::ModelRun& run) {
  const auto number = [](Text& flag, const std::optional<double>& own) {
    if (!flag && own) flag = fmt::format("{:.17g}", *own);
  };
  const auto word = [](Text& flag, const std::string& own) {
    if (!flag && !own.empty()) flag = own;
  };
  // A step of the command line replaces the file's tolerances, and the other way round; both at once are refused later.
  const bool tolerances = request.rtol || request.atol;
  if (!request.step && !tolerances) {
    number(request.step, run.step);
    number(request.rtol, run.rtol);
    number(request.atol, run.atol);
  }
  number(request.hmax, run.hmax);
  word(request.formulation, run.formulation);
  word(request.integrator, run.integrator);
  word(request.stabilizer, run.stabilizer);
  word(request.controller, run.controller);
  word(request.coordinates, run.coordinates);
  if (request.controls.empty()) request.controls = run.controls;
  if (!request.output && run.output) request.output = fmt::format("every={:.17g}", *run.output);
  return request;
}

Method method_of(const RunRequest& request) {
  Method method;
  method.formulation = request.formulation.value_or(method.formulation);
  method.integrator = request.integrator.value_or(method.integrator);
  method.stabilizer = request.stabilizer.value_or(method.stabilizer);
  method.controller = request.controller.value_or(method.controller);
  method.controls = request.controls;
  if (request.controller && request.controller->empty())
    throw InputError("--controller names no method; leave it out, or see driftless list controllers");
  return method;
}

Options options_of(const RunRequest& request, double problem_t_end) {
  Options options;
  options.t_end = number(request.t_end, "--t-end").value_or(problem_t_end);
  options.step = number(request.step, "--step");
  options.rtol = number(request.rtol, "--rtol");
  options.atol = number(request.atol, "--atol");
  options.h0 = number(request.h0, "--h0");
  options.hmax = number(request.hmax, "--hmax");
  if (request.max_steps) options.max_steps = whole_number(*request.max_steps, "--max-steps");
  if (request.output) options.output = output_of(*request.output);
  return options;
}

void check_resumed(const RunRequest& r) {
  const std::pair<const char*, bool> not_allowed[] = {{"a problem", r.problem.has_value()},
                                                      {"--formulation", r.formulation.has_value()},
                                                      {"--integrator", r.integrator.has_value()},
                                                      {"--stabilizer", r.stabilizer.has_value()},
                                                      {"--control", !r.controls.empty()},
                                                      {"--controller", r.controller.has_value()},
                                                      {"--coordinates", r.coordinates.has_value()},
                                                      {"--step", r.step.has_value()},
                                                      {"--rtol", r.rtol.has_value()},
                                                      {"--atol", r.atol.has_value()},
                                                      {"--h0", r.h0.has_value()},
                                                      {"--hmax", r.hmax.has_value()},
                                                      {"--set", !r.set.empty()},
                                                      {"--anyway", r.anyway},
                                                      {"--event", !r.events.empty()}};
  for (const auto& [flag, given] : not_allowed)
    if (given)
      throw InputError(
          fmt::format("--resume goes on with the problem and the method of the saved run, so that {} would "
                      "be ignored; leave it out",
                      flag));
}

io::RobotOptions robot_options_of(const RobotRequest& request, const std::string& file) {
  const char* given = request.strict          ? "--strict"
                      : request.allow_outside ? "--allow-outside"
                      : request.loops         ? "--loops"
                      : request.keyframe      ? "--keyframe"
                                              : nullptr;
  if (given && !io::is_robot_file(file))
    throw InputError(fmt::format(
        "{} is for robot files (.urdf, .sdf, .world, .xml, .mjcf), and '{}' is none; leave it out", given,
        file));
  return {.strict = request.strict,
          .keyframe = request.keyframe.value_or(""),
          .allow_outside = request.allow_outside,
          .loops = request.loops.value_or("")};
}

std::vector<std::pair<std::string, std::string>> parameters_of(const std::vector<std::string>& set) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& text : set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(fmt::format("--set is '{}'; write it as --set name=value", text));
    parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return parameters;
}

}  // namespace driftless::app
