// Pairs of problems with the same motion: one plain, one with constraints written again, which depend on the others on the manifold.
#pragma once

#include <string>
#include <vector>

#include "support/models.hpp"
#include "support/problems.hpp"
#include "support/run.hpp"

namespace driftless::tests {

// A pendulum with a mass matrix that is not diagonal.
struct Swing {
  static constexpr int nq = 2, ng = 1;
  void mass(auto, auto, auto M) const {
    M(0, 0) = M(1, 1) = 1.0;
    M(0, 1) = M(1, 0) = 0.25;
  }
  void force(auto, auto, auto, auto f) const {
    f[0] = 0.3;
    f[1] = -9.81;
  }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
  auto energy(auto, auto q, auto v) const {
    return (v[0] * v[0] + v[1] * v[1] + 0.5 * v[0] * v[1]) / 2.0 + 9.81 * q[1] - 0.3 * q[0];
  }
};

// The third coordinate has no mass, and is tied to the others.
struct Massless {
  static constexpr int nq = 3, ng = 2;
  void mass(auto, auto, auto M) const {
    M(0, 0) = M(1, 1) = 1.0;
    M(2, 2) = 0.0;
  }
  void force(auto, auto, auto, auto f) const {
    f[1] = -9.81;
    f[2] = 0.7;
  }
  void constraint(auto, auto q, auto g) const {
    g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0;
    g[1] = q[2] - q[0] * q[1];
  }
  auto energy(auto, auto q, auto v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2.0 + 9.81 * q[1] - 0.7 * q[2];
  }
};

// The first rows once more, with a factor.
template <class Base, int more>
struct Again : Base {
  static constexpr int ng = Base::ng + more;
  double scale = 1;
  void constraint(auto t, auto q, auto g) const {
    Base::constraint(t, q, g);
    for (int i = 0; i < more; ++i) g[Base::ng + i] = scale * g[i % Base::ng];
  }
};

// And their columns of the given B.
template <class Base>
struct AgainWithInput : Again<Base, 1> {
  void input(auto t, auto x, auto B) const {
    Base::input(t, x, B);
    for (int i = 0; i < Base::nq; ++i) B(i, 1) = B(i, 0);
  }
};

// All derivatives automatic: those written by hand know one row.
struct SleighAgain {
  static constexpr int nq = 3, nk = 2;
  problems::ChaplyginSleigh sleigh = {};
  void mass(auto t, auto q, auto M) const { sleigh.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { sleigh.force(t, q, v, f); }
  void velocity_constraint(auto t, auto q, auto v, auto w) const {
    sleigh.velocity_constraint(t, q, v, w);
    w[1] = -2.0 * w[0];
  }
  auto energy(auto t, auto q, auto v) const { return sleigh.energy(t, q, v); }
};

// The second velocity constraint is g' in other words.
struct KnifeWithRate : MovingKnife {
  static constexpr int nk = 2;
  void velocity_constraint(auto t, auto q, auto v, auto w) const {
    using std::cos, std::sin;
    MovingKnife::velocity_constraint(t, q, v, w);
    w[1] = 4.0 *
           (v[2] - cos(q[0]) * cos(q[1]) * v[0] + sin(q[0]) * sin(q[1]) * v[1] - 0.1 * q[0] - 0.1 * t * v[0]);
  }
};

struct Twin {
  std::string name;
  std::shared_ptr<const Problem> plain, again;
  State plain_start, start;
  double step, t_end;
};

inline std::ostream& operator<<(std::ostream& out, const Twin& twin) {
  return out << twin.name;
}

inline Twin make_twin(const std::string& name, std::shared_ptr<const Problem> plain,
                      std::shared_ptr<const Problem> again, const std::vector<double>& guess, double step,
                      double t_end) {
  const State plain_start = consistent_state(*plain, state_of(*plain, guess)).state;
  State start(again->shape().layout(), again->shape().ng, again->shape().nk);
  start.z = plain_start.z;
  return {name, std::move(plain), std::move(again), plain_start, start, step, t_end};
}

inline std::vector<Twin> redundant_twins() {
  const auto again = [](auto model, double scale) {
    model.scale = scale;
    return make_problem(model);
  };
  const std::vector<double> swing = {0.8, -0.6, 0.3, 0.4};
  const auto bare = catalog::make_problem("parallelogram", {{"bar", "none"}}),
             braced = catalog::make_problem("parallelogram");
  return {
      make_twin("pendulum", make_problem(Swing{}), again(Again<Swing, 1>{}, 1), swing, 0.01, 0.3),
      make_twin("scaled", make_problem(Swing{}), again(Again<Swing, 1>{}, 3), swing, 0.01, 0.3),
      make_twin("more_rows_than_velocities", make_problem(Swing{}), again(Again<Swing, 2>{}, 2), swing, 0.01,
                0.3),
      make_twin("moving", shape_case("time-dependent").problem, again(Again<MovingPivot, 1>{}, 1),
                {0.6, -0.9, 0.5, 0.2}, 0.01, 0.3),
      make_twin("quaternions", shape_case("quaternions").problem, again(Again<HeavyTop, 1>{}, 1),
                {0, 1, 0, 1, 0, 0, 0, 4.61538, 0, 0, 0, 15, -4.61538}, 0.002, 0.06),
      make_twin("sleigh", shape_case("nonholonomic").problem, make_problem(SleighAgain{}),
                {0, 0, 0.3, std::cos(0.3), std::sin(0.3), 0.7}, 0.01, 0.3),
      make_twin("rate_of_a_position", shape_case("both-constraints").problem, make_problem(KnifeWithRate{}),
                {0.4, 0.3, 0.4, 0.5, 0.1, 0.2}, 0.01, 0.3),
      make_twin("order_1", shape_case("order-1").problem, make_problem(AgainWithInput<Hessenberg1>{}), {1, 1},
                0.01, 0.3),
      make_twin("order_3", shape_case("order-3").problem, make_problem(AgainWithInput<Jerk>{}),
                {0.5, -0.1, 0.3, 0.1, 0.2, -0.1, 0.1, 0.05, 0.2}, 0.01, 0.3),
      make_twin("massless", make_problem(Massless{}), again(Again<Massless, 2>{}, 1.5),
                {0.8, -0.6, -0.48, 0.3, 0.4, 0.14}, 0.01, 0.3),
      {"parallelogram", bare.problem, braced.problem, bare.start, braced.start, 0.01, 0.3},
  };
}

}  // namespace driftless::tests
