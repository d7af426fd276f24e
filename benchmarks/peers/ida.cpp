#include "ida.hpp"

#include "sundials.hpp"

namespace driftless::benchmarks {

Outcome run_ida(const Task& task, IdaSettings settings) {
  settings.max_steps = task.max_steps;
  Ida ida(task.instance, settings, task.tolerance);
  IdaRun run;
  Outcome outcome;
  outcome.seconds = counted([&] { run = ida.run(task.instance.t_end, task.observed); });
  outcome.failure = run.failure;
  outcome.final = run.final;
  if (settings.formulation == "index1") {  // multipliers are no unknowns there
    const Problem& problem = *task.instance.problem;
    Workspace work;
    Vector a(problem.shape().nv);
    problem.acceleration(run.final.t, run.final.z, Vector::Zero(problem.shape().ng), a, outcome.final.lambda,
                         work);
  }
  outcome.steps = run.steps;
  outcome.rhs = run.residuals;
  outcome.factorizations = run.matrices;
  outcome.drift = run.drift;
  return outcome;
}

namespace {

// y = (z, lambda).
class ByHand : SundialsRun {
 public:
  ByHand(const Task& task, Ode& ode, bool out_of_error_test)
      : SundialsRun(task, ode, task.start.lambda.size()) {
    const sunindextype ny = ode.size(), n = NV_LENGTH_S(y());
    for (N_Vector* vector : {&yp_, &id_}) *vector = N_VNew_Serial(n, context());
    N_VConst(0, yp_);
    ode.rhs(task.start.t, NV_DATA_S(y()), NV_DATA_S(yp_));
    const Vector lambda = ode.multipliers(task.start.t, NV_DATA_S(y()));
    std::copy(lambda.begin(), lambda.end(), NV_DATA_S(y()) + ny);
    memory_ = IDACreate(context());
    check(IDASetErrHandlerFn(memory_, remember, static_cast<SundialsRun*>(this)), "IDASetErrHandlerFn");
    check(IDAInit(memory_, residual, task.start.t, y(), yp_), "IDAInit");
    check(IDASetUserData(memory_, this), "IDASetUserData");
    check(IDASStolerances(memory_, task.tolerance, task.tolerance), "IDASStolerances");
    if (out_of_error_test) {
      for (sunindextype i = 0; i < n; ++i) NV_Ith_S(id_, i) = i < ny ? 1 : 0;
      check(IDASetId(memory_, id_), "IDASetId");
      check(IDASetSuppressAlg(memory_, SUNTRUE), "IDASetSuppressAlg");
    }
    check(IDASetMaxNumSteps(memory_, task.max_steps), "IDASetMaxNumSteps");
    check(IDASetStopTime(memory_, task.instance.t_end), "IDASetStopTime");
    matrix_ = SUNDenseMatrix(n, n, context());
    solver_ = SUNLinSol_Dense(y(), matrix_, context());
    check(IDASetLinearSolver(memory_, solver_, matrix_), "IDASetLinearSolver");
  }
  ~ByHand() {
    IDAFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {yp_, id_}) N_VDestroy(vector);
  }

  Outcome run() {
    ode().evaluations = 0;
    Outcome outcome = SundialsRun::run([&](double t_out, double* t, bool one_step) {
      return IDASolve(memory_, t_out, t, y(), yp_, one_step ? IDA_ONE_STEP : IDA_NORMAL);
    });
    const double* own = NV_DATA_S(y()) + ode().size();
    std::copy_n(own, outcome.final.lambda.size(), outcome.final.lambda.begin());
    IDAGetNumSteps(memory_, &outcome.steps);
    IDAGetNumJacEvals(memory_, &outcome.factorizations);
    return outcome;
  }

 private:
  static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
    static_cast<ByHand*>(self)->ode().residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r));
    return 0;
  }

  void* memory_ = nullptr;
  N_Vector yp_ = nullptr, id_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

}  // namespace

Outcome run_ida_by_hand(const Task& task, Ode& ode, bool out_of_error_test) {
  return ByHand(task, ode, out_of_error_test).run();
}

}  // namespace driftless::benchmarks
