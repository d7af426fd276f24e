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

class ByHand {
 public:
  ByHand(const Task& task, Ode& ode, bool out_of_error_test) : ode_(ode), watch_(*task.instance.problem) {
    const auto check = SundialsRun::check;
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    const sunindextype ny = ode.size(), n = ny + task.start.lambda.size();
    for (N_Vector* vector : {&y_, &yp_, &id_}) *vector = N_VNew_Serial(n, context_);
    std::copy(task.start.z.begin(), task.start.z.end(), NV_DATA_S(y_));
    N_VConst(0, yp_);
    ode.rhs(task.start.t, NV_DATA_S(y_), NV_DATA_S(yp_));
    const Vector lambda = ode.multipliers(task.start.t, NV_DATA_S(y_));
    std::copy(lambda.begin(), lambda.end(), NV_DATA_S(y_) + ny);
    memory_ = IDACreate(context_);
    check(IDASetErrHandlerFn(memory_, remember, this), "IDASetErrHandlerFn");
    check(IDAInit(memory_, residual, task.start.t, y_, yp_), "IDAInit");
    check(IDASetUserData(memory_, this), "IDASetUserData");
    check(IDASStolerances(memory_, task.tolerance, task.tolerance), "IDASStolerances");
    if (out_of_error_test) {
      for (sunindextype i = 0; i < n; ++i) NV_Ith_S(id_, i) = i < ny ? 1 : 0;
      check(IDASetId(memory_, id_), "IDASetId");
      check(IDASetSuppressAlg(memory_, SUNTRUE), "IDASetSuppressAlg");
    }
    check(IDASetMaxNumSteps(memory_, task.max_steps), "IDASetMaxNumSteps");
    check(IDASetStopTime(memory_, task.instance.t_end), "IDASetStopTime");
    matrix_ = SUNDenseMatrix(n, n, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    check(IDASetLinearSolver(memory_, solver_, matrix_), "IDASetLinearSolver");
  }
  ~ByHand() {
    IDAFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, yp_, id_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;

  Outcome run(const Task& task) {
    Outcome outcome;
    outcome.final = task.start;
    const double t_end = task.instance.t_end;
    double t = task.start.t;
    int flag = 0;
    const auto take_state = [&] {
      const double* y = NV_DATA_S(y_);
      outcome.final.t = t;
      std::copy(y, y + ode_.size(), outcome.final.z.begin());
      std::copy(y + ode_.size(), y + NV_LENGTH_S(y_), outcome.final.lambda.begin());
    };
    ode_.evaluations = 0;
    outcome.seconds = counted([&] {
      while (flag >= 0 && t < t_end) {
        flag = IDASolve(memory_, t_end, &t, y_, yp_, task.observed ? IDA_ONE_STEP : IDA_NORMAL);
        if (task.observed && flag >= 0) take_state(), watch_.see(outcome.final);
      }
    });
    if (flag < 0) outcome.failure = message_.empty() ? "flag " + std::to_string(flag) : message_;
    take_state();
    outcome.rhs = ode_.evaluations;
    outcome.drift = watch_.drift();
    IDAGetNumSteps(memory_, &outcome.steps);
    IDAGetNumJacEvals(memory_, &outcome.factorizations);
    return outcome;
  }

 private:
  static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
    static_cast<ByHand*>(self)->ode_.residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r));
    return 0;
  }
  static void remember(int code, const char*, const char*, char* message, void* self) {
    if (code < 0) static_cast<ByHand*>(self)->message_ = message;
  }

  Ode& ode_;
  DriftWatch watch_;
  std::string message_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

}  // namespace

Outcome run_ida_by_hand(const Task& task, Ode& ode, bool out_of_error_test) {
  return ByHand(task, ode, out_of_error_test).run(task);
}

}  // namespace driftless::benchmarks
