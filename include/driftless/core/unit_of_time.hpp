// The unit of time tau in which a violation of constraints is answered by displacements of positions and of velocities at once,
//   delta_q = G^T mu + tau^2 L^T eta,   delta_v = G^T eta           the smallest |delta_q|^2 + tau^2 |delta_v|^2
//   order m: tau^(2(j-i)) times the transposed row of g^(j) on level i
// The papers have tau = 1, H^T of H = [[G, 0], [L, G]], and so the unit in which the model is written. That adds metres to metres per second:
// a velocity off by e moves positions by up to e/|L| in every step, and where |L| oscillates with the errors these displacements, in part
// along the motion, add up: to 7000 times the tolerance on a pivot shaken at 1e4 rad/s. The errors of a step in positions and velocities differ by
// the time in which the motion changes, whatever the unit:
//   1/tau = largest of |v_i'|/|v_i|      each the largest since the start, v' = (v_n - v_{n-1})/h, at the start the acceleration; tau >= h
// where |v_i| counts as a thousandth of the largest of all at least (for order m the highest level has the place of v). |L| tau is near 1
// where constraints move with the motion: there every level is answered nearly by itself. It is large where they turn faster than the
// motion: there velocities shall not inherit the errors of positions times |L|, and positions move instead. The largest of all entries,
// since one that is large and never changes (a flywheel) says nothing of the others. The step has no part in it, so that orders stay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <driftless/core/method_options.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

class UnitOfTime {
 public:
  // A step of size h begins at (t, z); it may be tried again with another size. Allocates at the start and after a jump only.
  double begin(const Problem& problem, double t, VectorIn z, double h);
  void jumped() { known_ = false; }  // the state was changed from outside
  // Always as many numbers, by which the next steps have the same units.
  std::vector<double> memory(const Layout& layout) const;
  static std::size_t memory_size(const Layout& layout) { return 2 + 3 * static_cast<std::size_t>(layout.nv); }
  void remember(const double* memory, const Layout& layout);

 private:
  void start(const Problem& problem, double t, VectorIn z);

  bool known_ = false;  // where the last step began
  double t_ = 0;
  Vector v_;
  Vector speed_, rate_;  // largest, by entries
};

// Option `time`: the word for what is done here, or `model` for tau = 1 in the units of the model.
OptionSpec unit_of_time_option(const std::string& own = "motion");
// time=model. Throws InputError where it is given and `used` is false.
bool time_of_model(const OptionValues& options, bool used, const std::string& instead);
std::optional<std::string> refuse_time_of_model(bool time_of_model, const Shape& shape);

}  // namespace driftless
