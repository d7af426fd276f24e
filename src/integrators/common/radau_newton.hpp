// The stages of a Radau step by simplified Newton iteration in transformed variables (Hairer, Wanner II, IV.8):
//   F(t_0 + c_i h, y_0 + Z_i, (1/h) sum_j (A^-1)_ij Z_j) = 0,   i = 1, 2, 3,      Z = T W     (radau_table.hpp)
//   ( gamma/h           F_y' + F_y) dW_1            = -(T^-1 F)_1
//   ((alpha + i beta)/h F_y' + F_y) (dW_2 + i dW_3) = -(T^-1 F)_2 - i (T^-1 F)_3
// with F_y', F_y of one point: the second stage as the last step's polynomial continues to it, which is nearer to all stages than the
// base is and saves iterations; the base where there is no such polynomial; or a point of an earlier step.
//   - |dW|^2 is the sum of the squares of dW_i times the weights, a third of it: the weights make it a mean;
//   - theta, the geometric mean of the last two ratios of successive |dW|, is the rate; converged when theta/(1 - theta) |dW| <= limit,
//     or when increments are roundoff; given up when they grow, or when theta says that the iterations left will not do, but not after two
//     increments: errors of q and v take turns, and one ratio misleads. After the first increment the rate of the last accepted step is
//     used, but none below 0.01: it may have been that of a linear start;
//   - a Jacobian of an earlier step that did not serve is computed anew, at the same h;
//   - it is kept for the next step where theta was small; factors are kept while h does not change;
//   - where the iteration fails often, or h cannot be made smaller, all stages are solved for at once (radau_coupled.hpp), in that step and
//     the next ten; the matrix that is left is then that of the base.
// What a rejected attempt learns about the rate is forgotten, so that a repeated attempt repeats its result.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include <driftless/core/system.hpp>

#include "kept_matrix.hpp"
#include "radau_coupled.hpp"

namespace driftless::integrators {

struct RadauNewtonSettings {
  int iterations = 10;
  bool persistent = false;  // the step cannot be made smaller
  double keep = 0.01;       // the rate up to which a Jacobian serves once more
};

// What a step starts from.
struct RadauBase {
  double t = 0;
  Vector y, yp;
};

class RadauNewton {
 public:
  RadauNewton(DaeSystem& system, Work& work, const RadauNewtonSettings& settings);

  // Z: three columns, which come in as start values, and if `continued` are good ones. Where it fails, failed_t() and failed_y() show
  // a stage.
  Status solve(const RadauBase& base, double h, VectorIn weights, double limit, bool continued, Matrix& Z);
  // (gamma/h F_y' + F_y)^-1 r, with the matrix of the last solve().
  void solve_real(VectorIn r, VectorOut x) { real_.solve(r, x); }
  void stage_rate(const Matrix& Z, double h, int stage, VectorOut yp) const;
  void accepted();                 // the step made of the last solve()
  void renew() { kept_ = false; }  // the next solve() computes a new Jacobian

  double failed_t() const { return failed_t_; }
  const Vector& failed_y() const { return y_; }

  std::vector<double> memory() const;
  std::size_t memory_size() const { return own_numbers + real_.memory_size(); }
  bool remember(const double* memory);

 private:
  static constexpr int own_numbers = 7;  // in memory()

  Status solve_transformed(const RadauBase& base, double h, VectorIn weights, double limit, bool continued,
                           Matrix& Z);
  bool coupled_possible() const;
  Status linearize(const RadauBase& base, double h, const Matrix& Z, bool continued);
  Status factor(double h);
  Status iterate(const RadauBase& base, double h, VectorIn weights, double limit, Matrix& Z);
  Status residuals(const RadauBase& base, double h, const Matrix& Z);
  double improve(VectorIn weights, Matrix& Z);  // one iteration; the size of its increment
  bool roundoff(VectorIn weights, const Matrix& Z, VectorIn y, double h, double size, bool shrinks) const;

  DaeSystem& system_;
  Work& work_;
  const RadauNewtonSettings settings_;
  KeptMatrix real_;
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_;
  double h_ = 0;                      // for which both are factored; 0: for none
  bool kept_ = false;                 // the Jacobian serves
  bool fresh_ = false;                // it belongs to this step's base
  double trust_ = 1;                  // theta/(1 - theta) of the last accepted step
  double rate_ = 0, last_trust_ = 1;  // of the last solve()
  int failures_ = 0,
      failures_before_ = 0;  // solves that failed, less accepted steps without; as of the last accepted step
  std::optional<RadauCoupled> coupled_;
  bool by_coupled_ = false;  // the last solve()
  int coupled_steps_ = 0;    // to come
  Matrix F_, W_, start_;
  Vector y_, yp_, right_, increment_;
  Eigen::VectorXcd complex_right_, complex_increment_;
  double failed_t_ = 0;
};

}  // namespace driftless::integrators
