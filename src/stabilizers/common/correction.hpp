// What the stabilizers share: the displacement -F h that answers a violation, with F of the place itself or kept
// from an earlier step, and what goes with it. A kept F is the whole of it, D (H D)^-1: while it is kept only h
// is evaluated. States for output are answered by an F of their own, so that they do not touch the run.
#pragma once

#include <optional>

#include <driftless/core/stabilizer.hpp>
#include <driftless/core/unit_of_time.hpp>

#include "correction_options.hpp"

namespace driftless::stabilizers {

// What a scheme does, whatever its F.
struct Scheme {
  bool late = false;            // answers what was wrong before the step
  bool leaves_nothing = false;  // of a violation, with an F that solves for it
};

StabilizerTraits traits_of(const Scheme& scheme, NormalKind F);

class CorrectingStabilizer : public Stabilizer {
 public:
  CorrectingStabilizer(CorrectionOptions options, const Scheme& scheme)
      : Stabilizer(traits_of(scheme, options.F)), options_(std::move(options)) {}

  std::optional<std::string> refuses(const Shape& shape) const override;
  Invariants invariants(const Problem& problem) const override;
  void start(const Manifold& manifold) override;
  void accepted() override;
  void jumped() override;
  void remove_normal_part(Manifold& manifold, const State& state, VectorOut error) override;
  bool row_pivots(VectorOut squares, VectorOut pivots) const override {
    return options_.renew.always() && own_map_.row_pivots(squares, pivots);
  }
  std::vector<double> memory() const override;
  bool remember(const std::vector<double>& memory) override;

 protected:
  using Purpose = Occasion::Purpose;

  // Quaternions of a problem without constraints want their length too; null if nothing moved.
  const Vector* normalize_only(const Manifold& manifold, State& state);
  // First of all in apply(): H^T of a step is in its unit of time.
  void begin(const Manifold& manifold, const Occasion& occasion) {
    if (compares_levels() && occasion.purpose == Purpose::candidate)
      tau_ = unit_of_time_.begin(manifold.problem(), occasion.from.t, occasion.from.z, occasion.h);
  }
  // Brackets around what changes state.z; the first one normalizes the coordinates.
  void begin_move(const Manifold& manifold, State& state);
  const Vector* end_move(const State& state);

  // h at (t, z) in manifold.h(), and F for answers: that of the place, or the kept one where there is one.
  Status look(Manifold& manifold, double t, VectorIn z, Purpose purpose);
  Status look_afresh(Manifold& manifold, double t, VectorIn z);
  bool with_kept() const { return active_ == &kept_map_; }
  // The kept F did badly: renewed with the next candidate.
  void give_up_kept() { age_ = -1; }

  // delta_ = -alpha F h after look() at (t, z). `auto`: where the kept F leaves too much it is renewed there.
  Status answer(Manifold& manifold, double t, VectorIn z, double alpha, Purpose purpose);
  // What apply() removes from a small displacement e: e - removal of H e.
  virtual void removal(VectorIn He, VectorOut out) = 0;

  static double largest(const Vector& v) { return v.cwiseAbs().maxCoeff(); }
  // The largest entry of a displacement, on each level relative to 1 + the largest entry of that level.
  double size_of(const Vector& delta, const State& state) const;

  NormalMap& map() { return *active_; }
  const Manifold& jacobians() const { return *jacobians_; }
  double scale() const { return scale_; }  // of F: 1/lambda_max(H H^T) for `transpose`, else 1
  const CorrectionOptions& options() const { return options_; }

  Vector delta_, move_;  // displacement of the levels; of z, all corrections of one apply together

 private:
  // More than one level is moved by the same rows of H.
  bool compares_levels() const {
    return !options_.model_time && traits.positions_for_velocities && layout_.order > 1;
  }
  Status renew(double t, VectorIn z, double tau);
  Status rescale();
  bool leaves_too_much(Manifold& manifold, double t, VectorIn z, double alpha);

  CorrectionOptions options_;
  Layout layout_;
  NormalMap own_map_, kept_map_;
  NormalMap* active_ = &own_map_;
  const Manifold* jacobians_ = nullptr;  // those that the active map was made of
  std::optional<Manifold> kept_;         // where the kept F was made
  int age_ = -1;                         // accepted steps since then; -1: to be renewed
  double kept_t_ = 0;
  UnitOfTime unit_of_time_;
  double tau_ = 1;  // of the last candidate's step
  Vector kept_z_;
  Vector x_, x_new_;  // of the sweeps: of the last accepted step, of the candidate
  double scale_ = 1;
  Vector error_delta_, He_, trial_, second_;
};

}  // namespace driftless::stabilizers
