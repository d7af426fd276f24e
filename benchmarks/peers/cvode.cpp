#include "cvode.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "sundials.hpp"

namespace driftless::benchmarks {

namespace {

struct Cvode : SundialsRun {
  Cvode(const Task& task, Ode& ode, const CvodeSettings& settings)
      : SundialsRun(task, ode), memory(CVodeCreate(settings.adams ? CV_ADAMS : CV_BDF, context())) {
    check(CVodeSetErrHandlerFn(memory, remember, static_cast<SundialsRun*>(this)), "CVodeSetErrHandlerFn");
    check(CVodeInit(memory, rhs, task.start.t, y()), "CVodeInit");
    check(CVodeSetUserData(memory, static_cast<SundialsRun*>(this)), "CVodeSetUserData");
    check(CVodeSStolerances(memory, task.tolerance, task.tolerance), "CVodeSStolerances");
    check(CVodeSetMaxNumSteps(memory, task.max_steps), "CVodeSetMaxNumSteps");
    check(CVodeSetStopTime(memory, task.instance.t_end), "CVodeSetStopTime");
    if (settings.newton) {
      matrix = SUNDenseMatrix(ode.size(), ode.size(), context());
      linear = SUNLinSol_Dense(y(), matrix, context());
      check(CVodeSetLinearSolver(memory, linear, matrix), "CVodeSetLinearSolver");
      if (!settings.own_matrix) {
        const FormulationEntry& entry = catalog::formulation("index1");
        system = entry.make(OptionValues("index1", entry.options, {}))->build(*task.instance.problem);
        check(CVodeSetJacFn(memory, jacobian), "CVodeSetJacFn");
      }
    } else {
      iteration = SUNNonlinSol_FixedPoint(y(), 0, context());
      check(CVodeSetNonlinearSolver(memory, iteration), "CVodeSetNonlinearSolver");
    }
    if (settings.projected) check(CVodeSetProjFn(memory, projection), "CVodeSetProjFn");
  }
  ~Cvode() {
    CVodeFree(&memory);
    if (linear) SUNLinSolFree(linear);
    if (matrix) SUNMatDestroy(matrix);
    if (iteration) SUNNonlinSolFree(iteration);
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector, N_Vector) {
    auto& self = static_cast<Cvode&>(*static_cast<SundialsRun*>(user));
    const auto n = NV_LENGTH_S(y);
    Eigen::Map<Matrix> out(SM_DATA_D(J), n, n);
    const Eigen::Map<const Vector> at(NV_DATA_S(y), n);
    return self.system->ode()->jacobian(t, at, out) == Status::ok ? 0 : 1;
  }
  static int projection(double t, N_Vector y, N_Vector correction, double, N_Vector error, void* user) {
    Ode& ode = static_cast<SundialsRun*>(user)->ode();
    const auto n = NV_LENGTH_S(y);
    double* moved = NV_DATA_S(correction);
    std::copy(NV_DATA_S(y), NV_DATA_S(y) + n, moved);
    ode.project(t, moved);
    if (error) ode.project_error(t, moved, NV_DATA_S(error));
    for (sunindextype i = 0; i < n; ++i) moved[i] -= NV_Ith_S(y, i);
    return 0;
  }

  void* memory;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver iteration = nullptr;
  std::unique_ptr<System> system;
};

}  // namespace

Outcome run_cvode(const Task& task, Ode& ode, const CvodeSettings& settings) {
  Cvode cvode(task, ode, settings);
  Outcome outcome = cvode.run([&](double t_out, double* t, bool one_step) {
    return CVode(cvode.memory, t_out, cvode.y(), t, one_step ? CV_ONE_STEP : CV_NORMAL);
  });
  CVodeGetNumSteps(cvode.memory, &outcome.steps);
  if (settings.newton) CVodeGetNumLinSolvSetups(cvode.memory, &outcome.factorizations);
  return outcome;
}

}  // namespace driftless::benchmarks
