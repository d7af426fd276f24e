// WholeProblem: a problem that keeps its matrices to itself unless they are whole. What formulations make of it is an independent computation of
// what they do without zeros, in coordinates of joints too.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <driftless/core/problem.hpp>

namespace driftless::tests {

class WholeProblem final : public Problem {
 public:
  explicit WholeProblem(std::shared_ptr<const Problem> of)
      : Problem(whole(of->shape())), of_(std::move(of)) {}

  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace& work) const override {
    of_->coordinate_rates(t, q, v, rates, work);
  }
  void displacement_of(VectorIn q, VectorIn change, VectorOut delta) const override {
    of_->displacement_of(q, change, delta);
  }
  void normalize(VectorOut q) const override { of_->normalize(q); }
  Scales scales(double t, VectorIn q) const override { return of_->scales(t, q); }
  std::string coordinate_name(int i) const override { return of_->coordinate_name(i); }
  std::string velocity_name(int i) const override { return of_->velocity_name(i); }
  std::string constraint_name(int row) const override { return of_->constraint_name(row); }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& out) const override {
    of_->evaluate(parts, at, out);
  }

 private:
  static Shape whole(Shape shape) {
    shape.bodies.clear();
    return shape;
  }
  std::shared_ptr<const Problem> of_;
};

}  // namespace driftless::tests
