// A problem that offers its matrices with all their zeros alone, whatever the one behind it has: an independent computation for methods that work
// without zeros.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <driftless/core/problem.hpp>
#include <driftless/core/time_breaks.hpp>

namespace driftless::tests {

class WholeMatrices final : public Problem, public PiecewiseInTime {
 public:
  explicit WholeMatrices(std::shared_ptr<const Problem> behind)
      : Problem(shape_of(*behind)), behind_(std::move(behind)) {}

  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace& work) const override {
    behind_->coordinate_rates(t, q, v, rates, work);
  }
  void displacement_of(VectorIn q, VectorIn change, VectorOut delta) const override {
    behind_->displacement_of(q, change, delta);
  }
  void normalize(VectorOut q) const override { behind_->normalize(q); }
  Scales scales(double t, VectorIn q) const override { return behind_->scales(t, q); }
  std::string coordinate_name(int i) const override { return behind_->coordinate_name(i); }
  std::string velocity_name(int i) const override { return behind_->velocity_name(i); }
  std::string constraint_name(int row) const override { return behind_->constraint_name(row); }

  std::vector<TimeBreak> time_breaks(double from, double to) const override {
    const auto* pieces = dynamic_cast<const PiecewiseInTime*>(behind_.get());
    return pieces ? pieces->time_breaks(from, to) : std::vector<TimeBreak>();
  }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& out) const override {
    behind_->evaluate(parts, at, out);
  }

 private:
  static Shape shape_of(const Problem& behind) {
    Shape shape = behind.shape();
    shape.bodies.clear();
    shape.mass_by_bodies = true;
    return shape;
  }

  std::shared_ptr<const Problem> behind_;
};

}  // namespace driftless::tests
