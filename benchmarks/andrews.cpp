// Andrews' mechanism: what one right-hand side costs, with hand-written and with automatic derivatives, as a
// ratio to the same with a plain pivoted LU of the 13 x 13 system; and work against precision of the default
// method.
#include <chrono>

#include <fmt/format.h>
#include <Eigen/LU>

#include <driftless/driftless.hpp>
#include <driftless/problems/andrews.hpp>

using namespace driftless;

namespace {

struct Automatic {  // the same model without its hand-written derivatives
  static constexpr int nq = 7, ng = 6;
  static constexpr std::array mass_blocks = problems::Andrews::mass_blocks;
  problems::Andrews by_hand;
  void mass(auto t, auto q, auto M) const { by_hand.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { by_hand.force(t, q, v, f); }
  void constraint(auto t, auto q, auto g) const { by_hand.constraint(t, q, g); }
};

// Nanoseconds per call, the best of several rounds; every call gets another state so that nothing can be left
// out.
template <class Call>
double time_of(const State& start, Call call) {
  constexpr int calls = 20000;
  double best = 1e300;
  Vector z = start.z;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) {
      z(0) = start.z(0) + 1e-9 * i;
      call(z);
    }
    best = std::min(
        best,
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / calls);
  }
  return best;
}

double acceleration_time(const Problem& problem, const State& start) {
  Workspace work;
  Vector a(7), lambda(6);
  const Vector r = Vector::Zero(6);
  return time_of(start, [&](const Vector& z) { problem.acceleration(0, z, r, a, lambda, work); });
}

// The right-hand side as one would first write it.
double plain_lu_time(const Problem& problem, const State& start) {
  Evaluation e;
  Eigen::Matrix<double, 13, 13> A = Eigen::Matrix<double, 13, 13>::Zero();
  Eigen::Matrix<double, 13, 1> b, x;
  return time_of(start, [&](const Vector& z) {
    problem.evaluate(Part::mass | Part::force | Part::jacobian | Part::curvature, Point(0, z), e);
    A.topLeftCorner<7, 7>() = e.M;
    A.bottomLeftCorner<6, 7>() = e.G;
    A.topRightCorner<7, 6>() = e.G.transpose();
    b << e.f, -e.c;
    x = A.partialPivLu().solve(b);
  });
}

}  // namespace

int main() {
  const auto instance = catalog::make_problem("andrews");
  const auto automatic = make_problem(Automatic{});
  const double plain = plain_lu_time(*instance.problem, instance.start);
  fmt::print("one right-hand side        ns   ratio\n");
  fmt::print("  plain LU, 13 x 13    {:6.0f}    1.00\n", plain);
  for (const auto& [name, problem] :
       {std::pair<const char*, const Problem*>{"hand-written", instance.problem.get()},
        {"automatic", automatic.get()}}) {
    const double ns = acceleration_time(*problem, instance.start);
    fmt::print("  {:<18} {:8.0f}    {:.2f}\n", name, ns, ns / plain);
  }

  const State exact = *instance.reference.at(0.03);
  fmt::print("\nindex1 + dopri5 + post:F=block\n      tol   steps     rhs   rel. error q       ms\n");
  for (int k = 4; k <= 10; ++k) {
    const double tolerance = std::pow(10, -k);
    Solution s;
    double best = 1e300;
    for (int round = 0; round < 5; ++round) {
      s = solve(*instance.problem, instance.start, {}, {.t_end = 0.03, .rtol = tolerance, .atol = tolerance});
      best = std::min(best, s.seconds);
    }
    const double error =
        ((s.final.q() - exact.q()).cwiseAbs().cwiseQuotient(exact.q().cwiseAbs())).maxCoeff();
    fmt::print("  {:7.0e}  {:6}  {:6}        {:.1e}   {:6.3f}\n", tolerance, s.work.steps, s.work.rhs, error,
               1e3 * best);
  }
}
