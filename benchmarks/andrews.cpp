// What Driftless costs on Andrews' mechanism, and whether anything is tuned to its size:
//   1  one right-hand side of three mechanisms, with hand-written and with automatic derivatives, against the same with a plain pivoted
//      LU of the whole matrix [M G^T; G 0]: instructions and nanoseconds
//   2  Andrews to a relative error of 1e-6 in all positions: the loosest tolerance on 10^(-k/4) from which all tighter ones reach it,
//      instructions inside solve()
//   3  work against precision: default method and dop853
#include <chrono>
#include <cmath>
#include <functional>
#include <string>

#include <fmt/format.h>

#include <driftless/driftless.hpp>
#include <driftless/problems/andrews.hpp>
#include <driftless/problems/closed_chain.hpp>
#include <driftless/problems/spatial_slider_crank.hpp>

#include "common/callgrind.hpp"
#include "common/saddle_lu.hpp"

using namespace driftless;

namespace {

// Models without their hand-written derivatives.
struct AutomaticAndrews {
  static constexpr int nq = 7, ng = 6;
  static constexpr std::array mass_blocks = problems::Andrews::mass_blocks;
  problems::Andrews by_hand;
  void mass(auto t, auto q, auto M) const { by_hand.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { by_hand.force(t, q, v, f); }
  void constraint(auto t, auto q, auto g) const { by_hand.constraint(t, q, g); }
};
struct AutomaticChain {
  static constexpr int nq = problems::ClosedChain::nq, ng = problems::ClosedChain::ng;
  static constexpr auto mass_structure = problems::ClosedChain::mass_structure;
  problems::ClosedChain by_hand;
  void mass(auto t, auto q, auto M) const { by_hand.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { by_hand.force(t, q, v, f); }
  void constraint(auto t, auto q, auto g) const { by_hand.constraint(t, q, g); }
};
struct AutomaticSpatial {
  static constexpr int nq = 9, nv = 8, ng = 7;
  static constexpr auto mass_structure = problems::SpatialSliderCrank::mass_structure;
  problems::SpatialSliderCrank by_hand;
  void mass(auto t, auto q, auto M) const { by_hand.mass(t, q, M); }
  void force(auto t, auto q, auto v, auto f) const { by_hand.force(t, q, v, f); }
  void constraint(auto t, auto q, auto g) const { by_hand.constraint(t, q, g); }
  void kinematics(auto t, auto q, auto v, auto rates) const { by_hand.kinematics(t, q, v, rates); }
  void normalize(auto q) const { by_hand.normalize(q); }
};

std::shared_ptr<const Problem> automatic(const std::string& name) {
  if (name == "andrews") return make_problem(AutomaticAndrews{});
  if (name == "closed-chain") return make_problem(AutomaticChain{});
  return make_problem(AutomaticSpatial{});
}

// --- one right-hand side ---

using Call = std::function<void(const Vector&)>;

Call acceleration(std::shared_ptr<const Problem> problem) {
  const Shape& s = problem->shape();
  return [problem, work = std::make_shared<Workspace>(), a = Vector(Vector::Zero(s.nv)),
          lambda = Vector(Vector::Zero(s.ng)), r = Vector(Vector::Zero(s.ng))](const Vector& z) mutable {
    problem->acceleration(0, z, r, a, lambda, *work);
  };
}

template <int nv, int ng>
struct PlainLu {
  static constexpr int n = nv + ng;
  std::shared_ptr<const Problem> problem;
  Evaluation e = {};
  std::array<double, n* n> A = {};
  std::array<double, n> b = {};

  void operator()(const Vector& z) {
    problem->evaluate(Part::mass | Part::force | Part::jacobian | Part::curvature, Point(0, z), e);
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j < nv; ++j) A[i * n + j] = e.M(i, j);
    for (int i = 0; i < ng; ++i)
      for (int j = 0; j < nv; ++j) A[(nv + i) * n + j] = A[j * n + nv + i] = e.G(i, j);
    for (int i = 0; i < ng; ++i)
      for (int j = 0; j < ng; ++j) A[(nv + i) * n + nv + j] = 0;
    for (int i = 0; i < nv; ++i) b[i] = e.f(i);
    for (int i = 0; i < ng; ++i) b[nv + i] = -e.c(i);
    benchmarks::solve_by_lu<n>(A, b);
  }
};
template <int nv, int ng>
Call plain_lu(std::shared_ptr<const Problem> problem) {
  const auto plain = std::make_shared<PlainLu<nv, ng>>(PlainLu<nv, ng>{std::move(problem)});
  return [plain](const Vector& z) { (*plain)(z); };
}

Call right_hand_side(const std::string& name, const std::string& way) {
  const auto problem = catalog::make_problem(name).problem;
  if (way == "hand-written") return acceleration(problem);
  if (way == "automatic") return acceleration(automatic(name));
  if (name == "andrews") return plain_lu<7, 6>(problem);
  if (name == "closed-chain") return plain_lu<15, 12>(problem);
  return plain_lu<8, 7>(problem);
}

constexpr int counted_calls = 1000;

// Every call gets another state, so that nothing can be left out.
[[gnu::noinline]] void counted(const Call& call, Vector z, int calls) {
  for (int i = 0; i < calls; ++i) {
    z(0) += 1e-9;
    call(z);
  }
}

double nanoseconds(const Call& call, const Vector& z) {
  constexpr int calls = 20000;
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    counted(call, z, calls);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count() / calls);
  }
  return best;
}

void table_of_right_hand_sides() {
  fmt::print("One right-hand side                      instructions   ratio      ns   ratio\n");
  for (const char* name : {"andrews", "closed-chain", "spatial-slider-crank"}) {
    const auto instance = catalog::make_problem(name);
    const Shape& s = instance.problem->shape();
    double plain_count = 0, plain_time = 0;
    for (const char* way : {"plain LU", "hand-written", "automatic"}) {
      const double count =
          benchmarks::instructions("*counted*", {"rhs", name, way}).value_or(std::nan("")) / counted_calls;
      const double time = nanoseconds(right_hand_side(name, way), instance.start.z);
      if (plain_time == 0) plain_count = count, plain_time = time;
      const std::string size = fmt::format("{} x {}", s.nv, s.ng);
      fmt::print("  {:<21}{:>8}  {:<13}{:8.0f}   {:5.2f}  {:6.0f}   {:5.2f}\n", name, size, way, count,
                 count / plain_count, time, time / plain_time);
    }
  }
}

// --- whole runs of Andrews' mechanism ---

struct Run {
  Solution solution;
  double error;  // largest relative error of a position
};

Run run_andrews(const Problem& problem, const std::string& integrator, double tolerance, bool observed) {
  const auto instance = catalog::make_problem("andrews");
  const Options options{.t_end = 0.03,
                        .rtol = tolerance,
                        .atol = tolerance,
                        .output = {.kind = Output::Kind::at, .times = {0.03}}};
  const Method method{.integrator = integrator};
  Run run;
  if (observed) {
    run.solution = solve(problem, instance.start, method, options);
  } else {
    const State start = consistent_state(problem, instance.start).state;
    Pipeline pipeline = assemble(problem, method, options);
    run.solution = solve(problem, pipeline, start, options);
  }
  const State exact = *instance.reference.at(0.03);
  run.error = (run.solution.final.q() - exact.q()).cwiseAbs().cwiseQuotient(exact.q().cwiseAbs()).maxCoeff();
  return run;
}

// The loosest of 10^(-k/4) from which all tighter ones, down to 1e-10, reach the error.
double loosest_tolerance(const Problem& problem, const std::string& integrator, double error) {
  double loosest = std::nan("");
  for (int k = 40; k >= 8; --k) {
    const double tolerance = std::pow(10, -k / 4.0);
    if (run_andrews(problem, integrator, tolerance, false).error > error) break;
    loosest = tolerance;
  }
  return loosest;
}

void table_of_andrews(double error) {
  fmt::print(
      "\nAndrews' mechanism to a relative error of {:.0e} in q, post:F=block\n"
      "  integrator  derivatives         tol    error   steps     rhs  million instructions  with monitors   "
      "   ms\n",
      error);
  for (const char* integrator : {"dopri5", "dop853"})
    for (const char* way : {"hand-written", "automatic"}) {
      const auto problem = way[0] == 'h' ? catalog::make_problem("andrews").problem : automatic("andrews");
      const double tolerance = loosest_tolerance(*problem, integrator, error);
      const Run run = run_andrews(*problem, integrator, tolerance, false);
      double best = 1e300;
      for (int round = 0; round < 20; ++round)
        best = std::min(best, run_andrews(*problem, integrator, tolerance, false).solution.seconds);
      const auto count = [&](const char* observed) {
        return 1e-6 *
               benchmarks::instructions(benchmarks::solve_function,
                                        {"run", way, integrator, fmt::format("{:.17g}", tolerance), observed})
                   .value_or(std::nan(""));
      };
      fmt::print("  {:<12}{:<15}{:8.1e} {:8.1e}  {:6}  {:6}  {:20.2f}  {:13.2f}  {:6.3f}\n", integrator, way,
                 tolerance, run.error, run.solution.work.steps, run.solution.work.rhs, count("no"),
                 count("yes"), 1e3 * best);
    }
}

void table_of_tolerances() {
  const auto problem = catalog::make_problem("andrews").problem;
  for (const char* integrator : {"dopri5", "dop853"}) {
    fmt::print("\nindex1 + {} + post:F=block\n      tol   steps     rhs   rel. error q       ms\n",
               integrator);
    for (int k = 4; k <= 12; k += 2) {
      const double tolerance = std::pow(10, -k);
      double best = 1e300;
      Run run;
      for (int round = 0; round < 5; ++round) {
        run = run_andrews(*problem, integrator, tolerance, false);
        best = std::min(best, run.solution.seconds);
      }
      fmt::print("  {:7.0e}  {:6}  {:6}        {:.1e}   {:6.3f}\n", tolerance, run.solution.work.steps,
                 run.solution.work.rhs, run.error, 1e3 * best);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "rhs") {
    const auto instance = catalog::make_problem(arguments[1]);
    const Call call = right_hand_side(arguments[1], arguments[2]);
    call(instance.start.z);  // memory is allocated here
    counted(call, instance.start.z, counted_calls);
    return 0;
  }
  if (arguments.size() == 5 && arguments[0] == "run") {
    const auto problem =
        arguments[1] == "automatic" ? automatic("andrews") : catalog::make_problem("andrews").problem;
    run_andrews(*problem, arguments[2], std::stod(arguments[3]), arguments[4] == "yes");
    return 0;
  }
  table_of_right_hand_sides();
  table_of_andrews(1e-6);
  table_of_tolerances();
}
