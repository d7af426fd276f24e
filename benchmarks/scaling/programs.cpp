#include "programs.hpp"

#include <random>

#include <nlohmann/json.hpp>

#include "../common/best_batch.hpp"
#include "../common/child.hpp"
#include "ggl_equations.hpp"
#include "ida_klu.hpp"
#include "own.hpp"
#include "simbody.hpp"

namespace driftless::benchmarks::scaling {

namespace {

using nlohmann::json;

const char* const ida = "IDA with KLU";
const char* const simbody = "Simbody";

constexpr double set_up_limit = 60;  // seconds, besides those for the run

Program own(Coordinates coordinates, const char* formulation, const char* integrator) {
  const OwnSettings settings{coordinates, Method{.formulation = formulation, .integrator = integrator}};
  return {
      .name = "Driftless, " + name(settings),
      .own = true,
      .run = [settings](Mechanism mechanism, int N, double tolerance, double t_end,
                        double limit) { return run_own(mechanism, N, tolerance, t_end, limit, settings); },
      .seconds_per_rhs = [settings](Mechanism mechanism,
                                    int N) { return seconds_per_right_hand_side(mechanism, N, settings); }};
}

double ida_seconds_per_rhs(Mechanism mechanism, int N) {
  GglEquations equations(make_bars(mechanism, N));
  const auto size = static_cast<std::size_t>(equations.size());
  std::vector<double> y(size), yp(size), F(size);
  equations.start(y.data(), yp.data());
  return best_batch([&](std::size_t) { equations.residual(y.data(), yp.data(), F.data()); });
}

// Numbers that are not finite become null.
json to_json(const Outcome& o) {
  return {{"name", o.name},
          {"N", o.N},
          {"tolerance", o.tolerance},
          {"completed", o.completed},
          {"t", o.t},
          {"error", o.error},
          {"tip", {o.tip[0], o.tip[1]}},
          {"seconds", o.seconds},
          {"steps", o.steps},
          {"rhs", o.rhs},
          {"factorizations", o.factorizations ? json(*o.factorizations) : json()},
          {"failure", o.failure}};
}

double number(const json& value) {
  return value.is_number() ? value.get<double>() : NAN;
}

Outcome outcome_from(const json& j) {
  Outcome o{.name = j["name"],
            .N = j["N"],
            .tolerance = number(j["tolerance"]),
            .completed = j["completed"],
            .t = number(j["t"]),
            .error = number(j["error"]),
            .tip = {number(j["tip"][0]), number(j["tip"][1])},
            .seconds = number(j["seconds"]),
            .steps = j["steps"],
            .rhs = j["rhs"],
            .failure = j["failure"]};
  if (!j["factorizations"].is_null()) o.factorizations = j["factorizations"].get<long>();
  return o;
}

Measured measured_once(const Program& program, Mechanism mechanism, int N, double tolerance, double t_end,
                       double seconds_limit) {
  const ChildReport report =
      in_child([&] { return to_json(program.run(mechanism, N, tolerance, t_end, seconds_limit)); },
               seconds_limit + set_up_limit);
  Measured result;
  if (!report.answer.is_null()) {
    result.outcome = outcome_from(report.answer);
    result.megabytes = report.megabytes;
    result.timed_out = !result.outcome.completed && result.outcome.seconds > seconds_limit;
    result.disturbed = result.outcome.seconds > 1.3 * report.processor_seconds;
  } else {
    result.outcome = {.name = program.name, .N = N, .tolerance = tolerance, .failure = report.failure};
    result.timed_out = true;
  }
  return result;
}

}  // namespace

const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      own(Coordinates::absolute, "index1", "dopri5"),
      own(Coordinates::relative, "index1", "dopri5"),
      own(Coordinates::absolute, "ggl", "bdf"),
      own(Coordinates::relative, "ggl", "bdf"),
      {.name = ida,
       .own = false,
       .run = [](Mechanism mechanism, int N, double tolerance, double t_end,
                 double limit) { return run_ida_klu(mechanism, N, tolerance, t_end, limit); },
       .seconds_per_rhs = ida_seconds_per_rhs},
      {.name = simbody,
       .own = false,
       .run = [](Mechanism mechanism, int N, double tolerance, double t_end,
                 double limit) { return run_simbody(mechanism, N, tolerance, t_end, limit); },
       .seconds_per_rhs = {}}};
  return all;
}

bool is_ida(const Program& program) {
  return program.name == ida;
}
bool is_simbody(const Program& program) {
  return program.name == simbody;
}

Measured measured(const Program& program, Mechanism mechanism, int N, double tolerance, double t_end,
                  const Effort& effort) {
  const auto once = [&] {
    return measured_once(program, mechanism, N, tolerance, t_end, effort.seconds_limit);
  };
  Measured best = once();
  for (int attempt = 0; attempt < 2 && best.disturbed; ++attempt) best = once();
  const double seconds = best.outcome.seconds;
  const int repeats = !effort.repeat || !best.outcome.completed || seconds > 5 ? 0 : seconds > 1 ? 1 : 2;
  for (int i = 0; i < repeats; ++i) {
    Measured again = once();
    if (again.outcome.completed && again.outcome.seconds < best.outcome.seconds) best = std::move(again);
  }
  return best;
}

double measured_rhs(const Program& program, Mechanism mechanism, int N, double seconds_limit,
                    std::string& why) {
  const ChildReport report =
      in_child([&] { return json(program.seconds_per_rhs(mechanism, N)); }, seconds_limit);
  why = report.failure;
  return number(report.answer);
}

}  // namespace driftless::benchmarks::scaling
