// The equations of one step of the generalized-alpha method, and modified Newton's method for them. Unknowns are the acceleration a and the
// multipliers at the end of the step, there
//   q = q_0 (+) d,   d = p + b2 (a + D nu),     v = u + b1 a          p, u, b1, b2: from the method and the step
//   M a = f - B lambda - K^T kappa,    g = 0,    w = 0,    and g' = 0 where both are imposed, with nu (else none)
// q (+) d is that of long_displacement.hpp: q + d where N = I. Newton's matrix, with X = (M a)_x + (B lambda)_x - f_x, is that of
// alpha_matrices.hpp: whole (whole_alpha_matrices.cpp) or without zeros (sparse_alpha_matrices.cpp).
// Rows that others imply are left out (rank_decision.hpp), and the multipliers are those of least norm.
// The linearization is kept from step to step while it serves, as in newton.hpp; the rule of convergence is that of contraction.hpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <driftless/core/kept_offsets.hpp>
#include <driftless/core/step_controller.hpp>
#include <driftless/core/system.hpp>

#include "alpha_matrices.hpp"
#include "long_displacement.hpp"
#include "newton.hpp"

namespace driftless::integrators {

inline constexpr double same_step = 1e-6;  // relative: steps of equal length differ by the roundoff of t

struct AlphaStep {
  double t = 0;  // of the end
  double b1 = 0, b2 = 0;
  Vector q0, p, u;
  PushDirections D;  // where both are imposed
};

class AlphaEquations {
 public:
  // `judged_by`: steps are judged by that tolerance, and a thousandth of it may be left; else `settings.tolerance`, relative to 1 + |z|.
  AlphaEquations(MechanicalSystem& system, std::unique_ptr<AlphaMatrices> matrices, Work& work,
                 const NewtonSettings& settings, const std::optional<Tolerance>& judged_by, Vector* offsets);
  // Positions at the start have that much roundoff, relative to 1 + |z|.
  void allow_roundoff(double of_positions) { position_roundoff_ = of_positions; }

  Storage storage() const { return matrices_->storage(); }
  Status directions(double t, VectorIn z, PushDirections& D) { return matrices_->directions(t, z, D); }

  // x comes in as the start value and leaves as the solution, with z there; or as the iterate where it failed.
  Status solve(const AlphaStep& step, AlphaUnknowns& x, Vector& z);
  void accepted();  // the step made of the last solve()
  bool rows_left_out() const { return !matrices_->left_out().empty(); }
  void follow_rows_left_out(double t, VectorIn z) {  // a step begins there
    if (offsets_) driftless::follow_rows_left_out(problem_, t, z, matrices_->left_out(), *offsets_);
  }
  // What a stiff step makes of a velocity or acceleration: itself to first order in h, bounded where forces are stiff; what it has across the
  // constraints is left out, or kept. With the matrix of the last solve() or prepare().
  enum class Across { drop, keep };
  void smooth(VectorIn values, Across across, VectorOut smoothed) {
    matrices_->smooth(values, across == Across::keep, smoothed);
  }
  Status prepare(const AlphaStep& step, const AlphaUnknowns& x);  // a matrix for this step, if there is none

  std::vector<double> memory() const;
  std::size_t memory_size() const;
  Status remember(const double* memory);

 private:
  enum class Kept { none, tried, kept };
  enum class Mode { modified, full };
  struct Size {
    double relative = 0;   // to 1 + |z|
    double positions = 0;  // the same, of positions alone
    double judged = 0;     // 1 may be left
  };

  void place(const AlphaStep& step, const AlphaUnknowns& x, Vector& z);
  Status residual(const AlphaStep& step, const AlphaUnknowns& x,
                  VectorIn z);  // right_ and r_g_, with their sign
  Status renew(const AlphaStep& step, const AlphaUnknowns& x, Vector& z);
  Status linearize(double t, VectorIn z, const AlphaUnknowns& x);
  Status factor(double b1, double b2, const PushDirections& D);
  Size increment(const AlphaStep& step, AlphaUnknowns& x, VectorIn z);
  Status iterate(const AlphaStep& step, AlphaUnknowns& x, Vector& z, Mode mode);

  MechanicalSystem& system_;
  Work& work_;
  const Problem& problem_;
  const Shape& shape_;
  const bool both_;
  const NewtonSettings settings_;
  const std::optional<Tolerance> judged_by_;
  double position_roundoff_ = 0;
  const std::unique_ptr<AlphaMatrices> matrices_;
  Evaluation at_;
  Vector* offsets_;  // that rows of g keep (core/kept_offsets.hpp); null: none
  Vector right_, r_g_, push_, q_increment_, z_increment_;
  AlphaUnknowns start_;
  LongDisplacement displacement_;
  // Where it was linearized, and for what it was factored.
  Kept state_ = Kept::none;
  double t_ = 0, b1_ = 0, b2_ = 0;
  Vector z_;
  AlphaUnknowns x_;
  double rate_ = 0;  // of convergence in the last solve()
};

}  // namespace driftless::integrators
