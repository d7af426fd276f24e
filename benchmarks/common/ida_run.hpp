// SUNDIALS' IDA on the equations of Driftless: its residual is the residual of a formulation, with the same unknowns in the same order,
// y = (z, lambda, mu), or y = z for an ODE. Its matrix is either its own, by difference quotients, or cj F_y' + F_y from Driftless.
#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <driftless/driftless.hpp>
#include <driftless/observers/drift_monitor.hpp>

namespace driftless::benchmarks {

struct IdaSettings {
  std::string formulation = "ggl";
  bool own_matrix = true;  // by difference quotients
  bool integrated =
      false;  // multipliers enter as derivatives of unknowns: s' in place of s lowers the index by one
  double corrector = 0;  // Newton's method ends below this multiple of the tolerance; 0: IDA's own 0.33
  // What a user has to know about IDA. `plain` is to know nothing of it.
  double first_step =
      1e-6;  // given, instead of IDA's estimate (0). Of 1e-10, 1e-9, .., 1e-5 about the one with the least work
             // on the ggl form of Andrews' mechanism
  bool multiplier_tolerance =
      true;  // 1e6 times that of z, so that Newton's method does not wait for multipliers
  bool out_of_error_test = true;      // multipliers, by IDASetId and IDASetSuppressAlg
  bool consistent_derivative = true;  // y'(0) = (q', a), instead of 0
  long max_steps = 100'000;

  IdaSettings plain() const {
    IdaSettings s = *this;
    s.first_step = 0;
    s.multiplier_tolerance = s.out_of_error_test = s.consistent_derivative = false;
    return s;
  }
};

struct IdaRun {
  State final;
  std::string failure;  // IDA's message; empty: the end was reached
  long steps = 0, residuals = 0, matrices = 0;
  Drift drift;  // if observed
};

class Ida {
 public:
  Ida(const ProblemInstance& instance, const IdaSettings& settings, double tolerance)
      : settings_(settings), problem_(*instance.problem) {
    const FormulationEntry& entry = catalog::formulation(settings.formulation);
    system_ = entry.make(OptionValues(settings.formulation, entry.options, {}))->build(problem_);
    if (!system_->dae()) ode_view_ = ode_as_dae(*system_);
    n_ = system_->size();
    multipliers_ = n_ - dae().differential_unknowns();
    F_y_ = F_yp_ = Matrix::Zero(n_, n_);
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    for (N_Vector* vector : {&y_, &yp_, &atol_, &id_}) *vector = N_VNew_Serial(n_, context_);
    start(consistent_state(problem_, instance.start).state);
    prepare(tolerance);
  }
  ~Ida() {
    IDAFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, yp_, atol_, id_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  // Observed: returns from IDASolve after every step, to see how far it lies off the constraints.
  IdaRun run(double t_end, bool observed) {
    IdaRun run;
    Manifold manifold(problem_);
    check(IDASetStopTime(memory_, t_end), "IDASetStopTime");
    double t = state_.t;
    int flag = IDA_SUCCESS;
    while (flag >= 0 && t < t_end) {
      flag = IDASolve(memory_, t_end, &t, y_, yp_, observed ? IDA_ONE_STEP : IDA_NORMAL);
      if (!observed || flag < 0) continue;
      unpack(t);
      const auto [at, position, velocity] = observers::drift_at(manifold, state_);
      run.drift = {std::max(run.drift.position, position), std::max(run.drift.velocity, velocity)};
    }
    if (flag < 0) run.failure = message_;
    unpack(t);
    run.final = state_;
    long for_quotients = 0;
    IDAGetNumSteps(memory_, &run.steps);
    IDAGetNumResEvals(memory_, &run.residuals);
    IDAGetNumLinResEvals(memory_, &for_quotients);
    IDAGetNumJacEvals(memory_, &run.matrices);
    run.residuals += for_quotients;
    return run;
  }

 private:
  using View = Eigen::Map<Vector>;
  DaeSystem& dae() { return ode_view_ ? *ode_view_ : *system_->dae(); }
  static View view(N_Vector vector) { return {NV_DATA_S(vector), NV_LENGTH_S(vector)}; }
  static void check(int flag, const char* what) {
    if (flag < 0) throw std::runtime_error(std::string(what) + " failed with flag " + std::to_string(flag));
  }

  void start(const State& begin) {
    state_ = begin;
    system_->prepare(state_);
    View y = view(y_), yp = view(yp_);
    system_->pack(state_, y);
    yp.setZero();
    if (settings_.consistent_derivative && system_->rates(state_, yp) != Status::ok)
      throw std::runtime_error("the derivative at the start cannot be computed");
    if (settings_.integrated) yp.tail(multipliers_).swap(y.tail(multipliers_));
    view(id_).setOnes();
    view(id_).tail(multipliers_).setZero();
  }

  void prepare(double tolerance) {
    memory_ = IDACreate(context_);
    check(IDASetErrHandlerFn(memory_, remember, this), "IDASetErrHandlerFn");
    check(IDAInit(memory_, residual, state_.t, y_, yp_), "IDAInit");
    check(IDASetUserData(memory_, this), "IDASetUserData");
    view(atol_).setConstant(tolerance);
    if (settings_.multiplier_tolerance) view(atol_).tail(multipliers_).setConstant(1e6 * tolerance);
    check(IDASVtolerances(memory_, tolerance, atol_), "IDASVtolerances");
    if (settings_.out_of_error_test) {
      check(IDASetId(memory_, id_), "IDASetId");
      check(IDASetSuppressAlg(memory_, SUNTRUE), "IDASetSuppressAlg");
    }
    if (settings_.corrector > 0)
      check(IDASetNonlinConvCoef(memory_, settings_.corrector), "IDASetNonlinConvCoef");
    if (settings_.first_step > 0) check(IDASetInitStep(memory_, settings_.first_step), "IDASetInitStep");
    check(IDASetMaxNumSteps(memory_, settings_.max_steps), "IDASetMaxNumSteps");
    matrix_ = SUNDenseMatrix(n_, n_, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    check(IDASetLinearSolver(memory_, solver_, matrix_), "IDASetLinearSolver");
    if (!settings_.own_matrix) check(IDASetJacFn(memory_, jacobian), "IDASetJacFn");
  }

  void unpack(double t) {
    state_.t = t;
    system_->unpack(t, values(y_, yp_), state_);
  }

  // 1 asks IDA for a smaller step.
  static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
    Ida& ida = *static_cast<Ida*>(self);
    View out = view(r);
    return ida.dae().residual(t, ida.values(y, yp), view(yp), out) == Status::ok ? 0 : 1;
  }
  static int jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* self,
                      N_Vector, N_Vector, N_Vector) {
    Ida& ida = *static_cast<Ida*>(self);
    if (ida.dae().linearize(t, ida.values(y, yp), view(yp)) != Status::ok) return 1;
    ida.dae().assemble(ida.F_y_, ida.F_yp_);
    if (ida.settings_.integrated) ida.F_y_.rightCols(ida.multipliers_) *= cj;
    Eigen::Map<Matrix>(SM_DATA_D(J), ida.n_, ida.n_) = cj * ida.F_yp_ + ida.F_y_;
    return 0;
  }
  // The unknowns of Driftless, whatever IDA's are.
  Eigen::Ref<const Vector> values(N_Vector y, N_Vector yp) {
    if (!settings_.integrated) return view(y);
    values_ = view(y);
    values_.tail(multipliers_) = view(yp).tail(multipliers_);
    return values_;
  }
  static void remember(int code, const char*, const char*, char* message, void* self) {
    if (code < 0) static_cast<Ida*>(self)->message_ = message;
  }

  IdaSettings settings_;
  const Problem& problem_;
  std::unique_ptr<System> system_;
  std::unique_ptr<DaeSystem> ode_view_;
  int n_ = 0, multipliers_ = 0;
  Matrix F_y_, F_yp_;
  Vector values_;
  State state_;
  std::string message_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, atol_ = nullptr, id_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

}  // namespace driftless::benchmarks
