// ConstraintFeedback: what drives violated constraints back,
//   r_g = - sum_j gains[j] g^(j),     r_k = - velocity_gain w
// in  G a + c = r_g,  K a + ck = r_k,  and its derivatives along displacements. Automatic gains follow the integrator and the step
// (core/feedback_gains.hpp): r of the place for multistep methods, r of the step's start, held, for methods with stages; 1/(4 h) at
// the new point for implicit multistep methods, and where multipliers are unknowns of an implicit one: those damp any decay.
#pragma once

#include <limits>
#include <vector>

#include <driftless/core/feedback_gains.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/step_context.hpp>

namespace driftless::formulations {

struct Feedback {
  std::vector<double> gains = {};  // of g, g', .., g^(m-1); empty: no feedback
  double velocity_gain = 0;        // of w
  bool automatic = false;          // chosen for each step; the above are not used
  bool highest_only = false;       // automatic gains of g^(m-1) alone
  bool at_new_point = false;       // automatic gains 1/(4 h); always so for implicit multistep methods
  bool plain_rates = false;        // G x_j instead of g^(j), j >= 2: without curvature
  bool active() const { return automatic || !gains.empty(); }
};

class ConstraintFeedback {
 public:
  ConstraintFeedback(const Problem& problem, const Feedback& feedback);

  bool active() const { return feedback_.active(); }
  bool automatic() const { return feedback_.automatic; }
  bool held() const { return held_; }  // r is that of the step's start

  bool begin_step(const StepContext& step, VectorIn z);  // as System has it
  // What automatic gains depend on.
  static constexpr int memory_size = 5;
  void save(VectorOut memory) const;
  void restore(VectorIn memory);

  const std::vector<double>& gains() const { return feedback_.gains; }
  double velocity_gain() const { return feedback_.velocity_gain; }

  void evaluate(double t, VectorIn z);  // r()
  Vector& r() { return r_; }
  void jacobian(double t, VectorIn z, MatrixOut r_z);

 private:
  void follow(const StepContext& step);
  void find_unit_gains();
  void set_gains();
  bool settle(double t, double h);

  const Problem& problem_;
  const Shape& shape_;
  Feedback feedback_;
  Discretization by_;               // that automatic gains are made for
  std::vector<double> unit_gains_;  // for step 1
  double unit_velocity_gain_ = 0;
  bool held_ = false;
  bool waits_ = false;  // for the end of a multistep method's start
  GainStep gain_step_;
  // Of gains at the new point: their step, and for how many steps they have been and steps were far shorter.
  struct SlowStep {
    double step = 0, t = -1e300, age = 0, shorter = 0;
  };
  SlowStep slow_;
  bool at_new_point_ = false, multistep_ = false;  // implicit; and of several steps
  Evaluation parts_;
  Vector r_, level_;
  Matrix c_z_;
};

}  // namespace driftless::formulations
