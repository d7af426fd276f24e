// StepController: accepts or rejects a step and proposes the next size. It owns the tolerances and computes
// nothing else.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/integrator.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/traits.hpp>

namespace driftless {

class Problem;

// An error of entry i may be atol_i + rtol |z_i|. Where a problem knows the sizes of its bodies (Scales::error_sizes), |z_i| of a coordinate counts up
// to the size of the whole mechanism (Scales::coordinates), so that a far origin changes nothing, and an atol that is not given is rtol times
// the size of a body: errors of a mechanism in micrometres are judged like those of the same one in kilometres. For velocities it is rtol times
// that size per second, and rtol at most (above a kilometre L, rtol min(L/1024, sqrt(L)) at most).
struct Tolerance {
  double rtol = 1e-6;
  double atol = 1e-6;  // of entries without an own one
  Vector floors = {},
         reaches =
             {};  // atol_i and the largest |z_i| that counts, of the entries of State::z; empty: atol, any
  Vector displacements = {};  // what an error of a displacement may be; empty: not known
  bool by_sizes = false;      // no atol was given, and floors are rtol times sizes

  // Those asked for; an absolute one that is not takes the value of the relative one, times sizes that the problem knows.
  static Tolerance of(std::optional<double> rtol, std::optional<double> atol);
  static Tolerance of(std::optional<double> rtol, std::optional<double> atol, const Problem& problem);

  Tolerance times(double factor) const;
  std::string text() const;
  // What an error of entry i may be where that has this magnitude.
  double allowed(Eigen::Index i, double magnitude) const {
    return i < floors.size() ? floors(i) + rtol * std::min(magnitude, reaches(i)) : atol + rtol * magnitude;
  }
  // Root mean square of e_i / allowed(i, max(|a_i|, |b_i|)): 1 is just acceptable.
  double norm(VectorIn error, VectorIn a, VectorIn b) const;
};

// The norm of a step's error estimate, |e|. Where the step brings a second one of lower order, e2, the two
// together (Hairer, Norsett, Wanner I, II.10):
//   |e|^2 / sqrt(|e|^2 + 0.01 |e2|^2)
// which is at most |e|, and close to it unless e2 is much larger.
double error_size(const Step& step, const Tolerance& tolerance, VectorIn from);

// Norms of the errors that a step would have had at other orders; nothing: not known.
struct OrderSizes {
  int order = 0;  // of the step; 0: the method has only one
  std::optional<double> two_below = std::nullopt, below = std::nullopt, same = std::nullopt,
                        above = std::nullopt;
};
OrderSizes order_sizes(const Step& step, const Tolerance& tolerance, VectorIn from);

// What a controller judges.
struct Assessment {
  double error = 0;     // norm, 1 = tolerance
  int error_order = 0;  // it behaves like h^(error_order + 1)
  double h = 0;
  OrderSizes orders = {};
};

struct Verdict {
  bool accept = true;
  double next_h = 0;   // after acceptance the next step, after rejection the size to try again with
  int next_order = 0;  // 0: as it is
};

class StepController {
 public:
  explicit StepController(const ControllerTraits& known = {}) : traits(known) {}
  virtual ~StepController() = default;
  const ControllerTraits traits;
  // The tolerance, if steps are judged by one: then errors, hopeless steps and too large violations are
  // rejected.
  virtual const Tolerance* tolerance() const { return nullptr; }
  // The fixed step, if the size is not to be chosen from the solution.
  virtual std::optional<double> fixed_step() const { return std::nullopt; }

  // The order to begin with, if the order is to be chosen from the solution.
  virtual std::optional<int> first_order() const { return std::nullopt; }

  virtual void start() {}  // forgets what an earlier run left
  // What it remembers from step to step, always as many numbers, so that a run can be taken up again; false: they
  // make no sense.
  virtual std::vector<double> memory() const { return {}; }
  virtual bool remember(const std::vector<double>& /*memory*/) { return true; }
  virtual Verdict judge(const Assessment& step) = 0;
  // After a step that failed (no convergence, NaN, rank loss, violation): a smaller size, or 0 if the size
  // may not change.
  virtual Verdict shrink(double h) = 0;
};

}  // namespace driftless
