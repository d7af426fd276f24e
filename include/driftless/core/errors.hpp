// Two kinds of trouble, kept apart.
//   InputError   misuse or bad input: thrown at once, one sentence (quantity, value, limit, what to do); the
//                program exits with 2.
//   Status       trouble while stepping: a value, never thrown. The loop answers with a smaller step or ends the
//                run with a reason, and everything computed so far is kept.
#pragma once

#include <stdexcept>
#include <string>

namespace driftless {

class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

enum class Status {
  ok,
  not_finite,      // a value of the model or of the state is NaN or infinite
  rank_loss,       // rows of the constraint Jacobian depend on each other
  contradiction,   // rows that depend on each other demand different things
  singular_mass,   // the mass matrix is singular on the motions that the constraints allow
  singular_step,   // the matrix of an implicit step is singular though the constraints are independent
  no_convergence,  // an iteration (Newton, projection) did not converge
  no_multipliers,  // the iteration for the multipliers of a right-hand side did not converge
  too_far,         // the violation is too large for a projection to be trusted
};

}  // namespace driftless
