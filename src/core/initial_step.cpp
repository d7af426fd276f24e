#include <algorithm>
#include <cmath>

#include <driftless/core/solve.hpp>

namespace driftless {

namespace {

// The unknowns that have a rate: all of an ordinary differential equation, those in State::z of other systems.
class Motion {
 public:
  Motion(System& system, const State& start)
      : system_(system), state_(start), yp_(Vector::Zero(system.size())) {}

  Vector begin() {
    if (!system_.ode()) return state_.z;
    Vector y(system_.size());
    system_.pack(state_, y);
    return y;
  }
  Status rates(double t, const Vector& y, Vector& rates) {
    if (system_.ode()) return system_.ode()->rhs(t, y, rates);
    state_.t = t;
    state_.z = y;
    const Status status = system_.rates(state_, yp_);
    rates = yp_.head(y.size());
    return status;
  }

 private:
  System& system_;
  State state_;
  Vector yp_;
};

}  // namespace

double initial_step(System& system, const State& start, const Tolerance& tolerance, int order, double span) {
  Motion motion(system, start);
  const Vector y0 = motion.begin();
  Vector f0(y0.size()), y1(y0.size()), f1(y0.size());
  if (motion.rates(start.t, y0, f0) != Status::ok) return 1e-6 * span;
  const double d0 = tolerance.norm(y0, y0, y0), d1 = tolerance.norm(f0, y0, y0);
  const double h0 = std::min(span, d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * span : 0.01 * d0 / d1);
  y1 = y0 + h0 * f0;
  if (motion.rates(start.t + h0, y1, f1) != Status::ok) return 0.01 * h0;
  f1 -= f0;
  const double d2 = tolerance.norm(f1, y0, y0) / h0;
  const double steepest = std::max(d1, d2);
  const double h1 =
      steepest <= 1e-15 ? std::max(1e-6 * span, 1e-3 * h0) : std::pow(0.01 / steepest, 1.0 / (order + 1));
  return std::min({100 * h0, h1, span});
}

}  // namespace driftless
