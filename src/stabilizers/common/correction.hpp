// What `post` and `projection` share: a correction delta = -alpha F h of a state, and what goes with it.
#pragma once

#include <driftless/core/stabilizer.hpp>

#include <driftless/core/normal_map.hpp>

namespace driftless::stabilizers {

class CorrectingStabilizer : public Stabilizer {
 public:
  CorrectingStabilizer(NormalKind F, std::vector<std::string> invariants)
      : F_(F), names_(std::move(invariants)) {}

  std::optional<std::string> refuses(const Shape& shape) const override;
  Invariants invariants(const Problem& problem) const override;
  void start(const Manifold& manifold) override;
  bool removes_errors() const override { return true; }
  void remove_normal_part(Manifold& manifold, const State& state, VectorOut error) override;

 protected:
  // Quaternions of a problem without constraints want their length too; null if nothing moved.
  const Vector* normalize_only(const Manifold& manifold, State& state);
  // Normalizes the coordinates, linearizes there and moves the state by -alpha F h; violation() is then max |h| before.
  Status correct(Manifold& manifold, State& state, double alpha);

  double violation() const { return violation_; }
  // The largest entry of the last displacement, on each level relative to 1 + the largest entry of that level.
  double size_of_last(const State& state) const;

  Vector move_;  // of z, all corrections of one apply together

 private:
  NormalKind F_;
  std::vector<std::string> names_;  // of invariants that join h
  NormalMap map_;
  Vector delta_, error_delta_;
  double violation_ = 0;
};

}  // namespace driftless::stabilizers
