#include "contestants.hpp"

#include <stdexcept>

#include "arkode.hpp"
#include "cvode.hpp"
#include "ida.hpp"
#include "odeint.hpp"
#include "own.hpp"

namespace driftless::benchmarks {

namespace {

Contestant own(const std::string& formulation, const std::string& integrator, const std::string& stabilizer) {
  const Method method{.formulation = formulation, .integrator = integrator, .stabilizer = stabilizer};
  const std::string name =
      formulation + " + " + integrator + (stabilizer == "none" ? "" : " + " + stabilizer);
  return {.program = "Driftless", .method = name, .run = [method](const Task& task) {
            return run_own(task, method);
          }};
}

Contestant ida(const std::string& method, const std::string& setting, const IdaSettings& settings) {
  return {"IDA", method, setting, settings.formulation == "index1", [settings](const Task& task) {
            IdaSettings scaled = settings;  // the first step is given as a part of the interval
            scaled.first_step *= task.instance.t_end - task.start.t;
            return run_ida(task, scaled);
          }};
}

// What IDA needs to be told on equations of index 2, one thing after the other; the consistent y'(0) that every solver of implicit
// equations asks for it always gets.
void add_ida_ggl(std::vector<Contestant>& list) {
  IdaSettings s{
      .own_matrix = false, .first_step = 0, .multiplier_tolerance = false, .out_of_error_test = false};
  const auto add = [&](const std::string& setting) { list.push_back(ida("ggl", setting, s)); };
  add("defaults");
  s.first_step = 3e-5;
  add("first step");
  s.first_step = 0, s.multiplier_tolerance = s.out_of_error_test = true;
  add("multipliers loose");
  s.first_step = 3e-5;
  add("both");
  s.corrector = 0.01;
  add("both, c = 0.01");
  s.integrated = true;
  add("both, c = 0.01, s'");
  s.corrector = 0;
  add("both, s'");
  s.integrated = false, s.own_matrix = true;
  add("both, quotients");
}

template <template <class> class Rhs, class Model>
void add_ode_solvers(std::vector<Contestant>& list, bool rhs_of_driftless) {
  using R = Rhs<Model>;
  constexpr bool constrained = Model::ng > 0;
  const auto add = [&](const char* program, const char* method, const char* setting, auto run) {
    list.push_back({program, method, setting, rhs_of_driftless, run});
  };
  const auto cvode = [&](const char* method, const char* setting, const CvodeSettings& settings) {
    add("CVODE", method, setting, [settings](const Task& task) {
      R ode(*task.instance.problem);
      return run_cvode(task, ode, settings);
    });
  };
  cvode("Adams, fixed point", "", {.adams = true, .newton = false});
  if (!rhs_of_driftless || !constrained) {
    cvode("BDF, Newton", "quotients", {});
    cvode("BDF, Newton", "matrix", {.own_matrix = false});
  }
  if (constrained) {
    cvode("BDF, Newton, projection", "quotients", {.projected = true});
    cvode("BDF, Newton, projection", "matrix", {.own_matrix = false, .projected = true});
    if (!rhs_of_driftless) cvode("BDF, fixed point, projection", "", {.newton = false, .projected = true});
  }
  const auto arkode = [&](const char* method, ErkTable table) {
    add("ARKODE", method, "", [table](const Task& task) {
      R ode(*task.instance.problem);
      return run_arkode(task, ode, table);
    });
  };
  arkode("Dormand-Prince 5(4)", ErkTable::dormand_prince_5_4);
  arkode("Fehlberg 8(7)", ErkTable::fehlberg_8_7);
  namespace odeint = boost::numeric::odeint;
  for (const bool projected : {false, true}) {
    if (projected && !constrained) continue;
    add("odeint", projected ? "Dormand-Prince 5(4), projection" : "Dormand-Prince 5(4)", "",
        [projected](const Task& task) { return run_odeint<odeint::runge_kutta_dopri5, R>(task, projected); });
    add("odeint", projected ? "Fehlberg 7(8), projection" : "Fehlberg 7(8)", "",
        [projected](const Task& task) {
          return run_odeint<odeint::runge_kutta_fehlberg78, R>(task, projected);
        });
  }
}

template <class Model>
std::vector<Contestant> all() {
  constexpr bool constrained = Model::ng > 0;
  std::vector<Contestant> list = {own("index1", "dopri5", "post:F=block"),
                                  own("index1", "dop853", "post:F=block"), own("index1", "bdf", "post")};
  if (constrained) {
    list.push_back(own("baumgarte:gain=auto", "dopri5", "none"));
    list.push_back(own("index2", "half-explicit", "none"));
    list.push_back(own("ggl", "bdf", "none"));
    list.push_back(own("overdetermined-index2", "bdf", "none"));
    list.push_back(own("index2", "radau5", "none"));
    list.push_back(own("ggl", "radau5", "none"));
    add_ida_ggl(list);
  } else {
    list.push_back(own("index1", "radau5", "none"));
  }
  for (const bool loose : {false, true}) {
    if (loose && !constrained) continue;
    list.push_back(
        {"IDA", "index 1", loose ? "multipliers loose" : "defaults", false, [loose](const Task& task) {
           HandWritten<Model> ode(*task.instance.problem);
           return run_ida_by_hand(task, ode, loose);
         }});
  }
  for (const bool quotients : {false, true})
    list.push_back(ida("index 1", quotients ? "quotients" : "matrix",
                       {.formulation = "index1", .own_matrix = quotients, .first_step = 0}));
  add_ode_solvers<HandWritten, Model>(list, false);
  add_ode_solvers<OfDriftless, Model>(list, true);
  return list;
}

}  // namespace

std::vector<Contestant> contestants(const std::string& problem) {
  if (problem == "andrews") return all<AndrewsModel>();
  if (problem == "car-axis") return all<CarAxisModel>();
  if (problem == "flyball") return all<FlyballModel>();
  if (problem == "heavy-top") return all<HeavyTopModel>();
  if (problem == "sundials-slider-crank") return all<SliderCrankModel>();
  if (problem == "pendulum-A01") return all<IftommPendulumModel>();
  if (problem == "pendulum") return all<PendulumModel>();
  throw std::runtime_error("nobody takes part in '" + problem + "'");
}

}  // namespace driftless::benchmarks
