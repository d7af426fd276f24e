#include "arkode.hpp"

#include <arkode/arkode_butcher_erk.h>
#include <arkode/arkode_erkstep.h>

#include "sundials.hpp"

namespace driftless::benchmarks {

Outcome run_arkode(const Task& task, Ode& ode, ErkTable table) {
  SundialsRun run(task, ode);
  const auto check = SundialsRun::check;
  void* memory = ERKStepCreate(SundialsRun::rhs, task.start.t, run.y(), run.context());
  check(ERKStepSetErrHandlerFn(memory, SundialsRun::remember, &run), "ERKStepSetErrHandlerFn");
  check(ERKStepSetUserData(memory, &run), "ERKStepSetUserData");
  check(ERKStepSStolerances(memory, task.tolerance, task.tolerance), "ERKStepSStolerances");
  check(ERKStepSetTableNum(
            memory, table == ErkTable::fehlberg_8_7 ? ARKODE_FEHLBERG_13_7_8 : ARKODE_DORMAND_PRINCE_7_4_5),
        "ERKStepSetTableNum");
  check(ERKStepSetMaxNumSteps(memory, task.max_steps), "ERKStepSetMaxNumSteps");
  check(ERKStepSetStopTime(memory, task.instance.t_end), "ERKStepSetStopTime");
  Outcome outcome = run.run([&](double t_out, double* t, bool one_step) {
    return ERKStepEvolve(memory, t_out, run.y(), t, one_step ? ARK_ONE_STEP : ARK_NORMAL);
  });
  ERKStepGetNumSteps(memory, &outcome.steps);
  ERKStepFree(&memory);
  return outcome;
}

}  // namespace driftless::benchmarks
