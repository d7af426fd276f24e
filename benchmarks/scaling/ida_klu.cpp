#include "ida_klu.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "ggl_equations.hpp"
#include "run_watch.hpp"

namespace driftless::benchmarks::scaling {

namespace {

void check(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(fmt::format("{} failed with the flag {}", what, flag));
}

class IdaKlu {
 public:
  IdaKlu(Bars bars, double tolerance, const IdaKluSettings& settings) : equations_(std::move(bars)) {
    const sunindextype n = equations_.size(), entries = static_cast<sunindextype>(equations_.rows().size());
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    for (N_Vector* vector : {&y_, &yp_, &id_, &atol_}) *vector = N_VNew_Serial(n, context_);
    equations_.start(NV_DATA_S(y_), NV_DATA_S(yp_));
    for (sunindextype i = 0; i < n; ++i) {
      const bool multiplier = i >= equations_.differential();
      NV_Ith_S(id_, i) = multiplier ? 0 : 1;
      NV_Ith_S(atol_, i) = multiplier ? settings.multiplier_tolerance * tolerance : tolerance;
    }
    memory_ = IDACreate(context_);
    check(IDASetErrHandlerFn(memory_, remember, this), "IDASetErrHandlerFn");
    check(IDAInit(memory_, residual, 0, y_, yp_), "IDAInit");
    check(IDASetUserData(memory_, this), "IDASetUserData");
    check(IDASVtolerances(memory_, tolerance, atol_), "IDASVtolerances");
    check(IDASetId(memory_, id_), "IDASetId");
    check(IDASetSuppressAlg(memory_, settings.out_of_error_test), "IDASetSuppressAlg");
    check(IDASetMaxOrd(memory_, settings.max_order), "IDASetMaxOrd");
    check(IDASetInitStep(memory_, settings.first_step), "IDASetInitStep");
    check(IDASetNonlinConvCoef(memory_, settings.corrector), "IDASetNonlinConvCoef");
    matrix_ = SUNSparseMatrix(n, n, entries, CSC_MAT, context_);
    solver_ = SUNLinSol_KLU(y_, matrix_, context_);
    check(SUNLinSol_KLUSetOrdering(solver_, static_cast<int>(settings.ordering)), "SUNLinSol_KLUSetOrdering");
    SUNLinSol_KLUGetCommon(solver_)->btf = settings.block_triangular;
    check(IDASetLinearSolver(memory_, solver_, matrix_), "IDASetLinearSolver");
    check(IDASetJacFn(memory_, matrix), "IDASetJacFn");
  }
  ~IdaKlu() {
    IDAFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector vector : {y_, yp_, id_, atol_}) N_VDestroy(vector);
    SUNContext_Free(&context_);
  }
  IdaKlu(const IdaKlu&) = delete;
  IdaKlu& operator=(const IdaKlu&) = delete;

  void run(double t_end, RunWatch& watch, Outcome& outcome) {
    check(IDASetStopTime(memory_, t_end), "IDASetStopTime");
    see(watch);
    int flag = IDA_SUCCESS;
    while (flag >= 0 && outcome.t < t_end && !watch.out_of_time()) {
      flag = watch.timed([&] { return IDASolve(memory_, t_end, &outcome.t, y_, yp_, IDA_ONE_STEP); });
      see(watch);
    }
    outcome.completed = flag >= 0 && outcome.t >= t_end;
    if (flag < 0)
      outcome.failure = "IDA stopped: " + message_;
    else if (!outcome.completed)
      outcome.failure =
          fmt::format("the time limit was reached after {:.0f} s at t = {:.4g}", watch.seconds(), outcome.t);
    long factorizations = 0;
    IDAGetNumSteps(memory_, &outcome.steps);
    IDAGetNumResEvals(memory_, &outcome.rhs);
    IDAGetNumJacEvals(memory_, &factorizations);
    outcome.factorizations = factorizations;
  }

  Eigen::Vector2d tip() const {  // of the first bar
    const double *q = NV_DATA_S(y_), c = std::cos(q[2]), s = std::sin(q[2]);
    const Bar& bar = equations_.bars().bars[0];
    return {q[0] + c * bar.half_x - s * bar.half_y, q[1] + s * bar.half_x + c * bar.half_y};
  }

 private:
  void see(RunWatch& watch) const {
    const Bars& bars = equations_.bars();
    const double* q = NV_DATA_S(y_);
    watch.see(bars.kinetic_energy(q + bars.coordinates()), bars.potential_energy(q));
  }

  static int residual(double, N_Vector y, N_Vector yp, N_Vector F, void* self) {
    static_cast<IdaKlu*>(self)->equations_.residual(NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(F));
    return 0;
  }
  // IDA clears the pattern too before every call.
  static int matrix(double, double cj, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* self, N_Vector,
                    N_Vector, N_Vector) {
    GglEquations& equations = static_cast<IdaKlu*>(self)->equations_;
    std::copy(equations.column_begins().begin(), equations.column_begins().end(), SM_INDEXPTRS_S(J));
    std::copy(equations.rows().begin(), equations.rows().end(), SM_INDEXVALS_S(J));
    equations.matrix(cj, NV_DATA_S(y), SM_DATA_S(J));
    return 0;
  }
  static void remember(int code, const char*, const char*, char* message, void* self) {
    if (code < 0) static_cast<IdaKlu*>(self)->message_ = message;
  }

  GglEquations equations_;
  std::string message_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr, atol_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
};

}  // namespace

Outcome run_ida_klu(Mechanism mechanism, int N, double tolerance, double t_end, double seconds_limit,
                    const IdaKluSettings& settings) {
  Outcome outcome{.name = "IDA with KLU", .N = N, .tolerance = tolerance};
  RunWatch watch(seconds_limit);
  IdaKlu ida(make_bars(mechanism, N), tolerance, settings);
  ida.run(t_end, watch, outcome);
  outcome.seconds = watch.seconds();
  outcome.memory = watch.memory();
  outcome.tip = ida.tip();
  if (outcome.completed) outcome.error = watch.error(mechanism, N, t_end, outcome.tip);
  return outcome;
}

}  // namespace driftless::benchmarks::scaling
