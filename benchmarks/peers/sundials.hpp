// What CVODE, ARKODE and IDA have in common here: vectors, the right-hand side behind a C function, messages, and a loop that looks at the
// drift after every step where that is asked for.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "outcome.hpp"
#include "right_hand_side.hpp"

namespace driftless::benchmarks {

class SundialsRun {
 public:
  // With so many unknowns behind those of the ODE.
  SundialsRun(const Task& task, Ode& ode, sunindextype algebraic = 0)
      : task_(task), ode_(ode), watch_(*task.instance.problem) {
    check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
    y_ = N_VNew_Serial(ode.size() + algebraic, context_);
    std::copy(task.start.z.begin(), task.start.z.end(), NV_DATA_S(y_));
  }
  ~SundialsRun() {
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  SundialsRun(const SundialsRun&) = delete;
  SundialsRun& operator=(const SundialsRun&) = delete;

  static void check(int flag, const char* what) {
    if (flag < 0) throw std::runtime_error(std::string(what) + " failed with flag " + std::to_string(flag));
  }

  // Arguments of the libraries' own functions; `user` is this object.
  static int rhs(double t, N_Vector y, N_Vector dy, void* user) {
    static_cast<SundialsRun*>(user)->ode_.rhs(t, NV_DATA_S(y), NV_DATA_S(dy));
    return std::isfinite(NV_Ith_S(dy, NV_LENGTH_S(dy) - 1)) ? 0 : 1;  // 1 asks for a smaller step
  }
  static void remember(int code, const char*, const char*, char* message, void* user) {
    if (code < 0) static_cast<SundialsRun*>(user)->message_ = message;
  }

  // advance(t_out, &t, one_step) returns the flag of CVode, ERKStepEvolve or IDASolve.
  template <class Advance>
  Outcome run(Advance&& advance) {
    Outcome outcome;
    outcome.final = task_.start;
    const double t_end = task_.instance.t_end;
    double t = task_.start.t;
    int flag = 0;
    const auto take_state = [&] {
      outcome.final.t = t;
      std::copy(NV_DATA_S(y_), NV_DATA_S(y_) + ode_.size(), outcome.final.z.begin());
    };
    outcome.seconds = counted([&] {
      while (flag >= 0 && t < t_end) {
        flag = advance(t_end, &t, task_.observed);
        if (task_.observed && flag >= 0) take_state(), watch_.see(outcome.final);
      }
    });
    if (flag < 0) outcome.failure = message_.empty() ? "flag " + std::to_string(flag) : message_;
    take_state();
    outcome.final.lambda = ode_.multipliers(t, outcome.final.z.data());
    outcome.rhs = ode_.evaluations;
    outcome.drift = watch_.drift();
    return outcome;
  }

  const Task& task() const { return task_; }
  Ode& ode() { return ode_; }
  N_Vector y() { return y_; }
  SUNContext context() { return context_; }

 private:
  const Task& task_;
  Ode& ode_;
  DriftWatch watch_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  std::string message_;
};

}  // namespace driftless::benchmarks
