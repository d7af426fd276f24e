// A problem as it is with whole matrices, whatever others it offers.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/time_breaks.hpp>

namespace driftless::tests {

class WholeView final : public Problem, public PiecewiseInTime {
 public:
  explicit WholeView(const Problem& problem) : Problem(shape_of(problem)), problem_(problem) {}

  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace& work) const override {
    problem_.coordinate_rates(t, q, v, rates, work);
  }
  void normalize(VectorOut q) const override { problem_.normalize(q); }
  Scales scales(double t, VectorIn q) const override { return problem_.scales(t, q); }
  std::string coordinate_name(int i) const override { return problem_.coordinate_name(i); }
  std::string constraint_name(int row) const override { return problem_.constraint_name(row); }

  std::vector<TimeBreak> time_breaks(double from, double to) const override {
    const auto* pieces = dynamic_cast<const PiecewiseInTime*>(&problem_);
    return pieces ? pieces->time_breaks(from, to) : std::vector<TimeBreak>();
  }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& out) const override {
    problem_.evaluate(parts, at, out);
  }

 private:
  static Shape shape_of(const Problem& problem) {
    Shape shape = problem.shape();
    shape.bodies.clear();
    shape.mass_by_bodies = true;
    return shape;
  }
  const Problem& problem_;
};

}  // namespace driftless::tests
