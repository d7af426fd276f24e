// A general point of a problem: every entry of z, a and the multipliers different from zero, always the same
// ones.
#pragma once

#include <random>

#include <driftless/core/problem.hpp>

namespace driftless::tests {

struct RandomPoint {
  explicit RandomPoint(const Shape& s, unsigned seed = 1) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> draw(0.2, 1.1);
    const auto fill = [&](Vector& v, int n) {
      v.resize(n);
      for (double& x : v) x = (generator() % 2 ? 1 : -1) * draw(generator);
    };
    t = draw(generator);
    fill(z, s.layout().size());
    fill(a, s.nv);
    fill(lambda, s.ng);
    fill(kappa, s.nk);
  }
  Point point() const { return Point(t, z, a, lambda, kappa); }
  double t;
  Vector z, a, lambda, kappa;
};

}  // namespace driftless::tests
