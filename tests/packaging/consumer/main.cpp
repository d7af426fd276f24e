// What a user's program sees of the installed package: the umbrella header and the library behind it.
#include <driftless/driftless.hpp>

#include <iostream>

int main() {
  const auto instance = driftless::catalog::make_problem("pendulum");
  const auto solution =
      driftless::solve(*instance.problem, instance.start, {}, {.t_end = 1, .rtol = 1e-9, .atol = 1e-9});
  const double error = (solution.final.q() - instance.reference.at(1)->q()).norm();
  std::cout << "driftless " << driftless::version << '\n';
  return solution.complete() && error < 1e-7 ? 0 : 1;
}
