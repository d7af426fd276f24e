// SUNDIALS' ARKODE: its explicit Runge-Kutta methods (ERKStep) with its own step control.
#pragma once

#include "outcome.hpp"
#include "right_hand_side.hpp"

namespace driftless::benchmarks {

enum class ErkTable { dormand_prince_5_4, fehlberg_8_7 };  // names of ARKODE: order, embedded order

Outcome run_arkode(const Task& task, Ode& ode, ErkTable table);

}  // namespace driftless::benchmarks
