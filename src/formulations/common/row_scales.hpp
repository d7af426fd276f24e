// RowScales: how large C M^-1 C^T is for each constraint, s_i = sum_j C_ij^2/M_jj, as the largest value seen at the beginnings of steps.
// A penalty in these units is the same whatever the units of constraints, coordinates and masses. It must not follow a row down to
// a singular configuration: there the row vanishes against what it was, and its penalty must not grow.
#pragma once

#include <vector>

#include <driftless/linalg/rows_view.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::formulations {

class RowScales {
 public:
  explicit RowScales(int rows) : seen_(Vector::Zero(rows)), used_(Vector::Ones(rows)) {}

  bool empty() const { return seen_.size() > 0 && seen_.maxCoeff() == 0; }
  void observe(const Vector& mass_diagonal, const linalg::RowsView& C) {
    const double largest_mass = mass_diagonal.maxCoeff();
    const double substitute = largest_mass > 0 ? largest_mass : 1;  // for coordinates without mass
    for (int i = 0; i < C.rows(); ++i) {
      double s = 0;
      C.each(i, [&](int j, double entry) {
        s += entry * entry / (mass_diagonal(j) > 0 ? mass_diagonal(j) : substitute);
      });
      if (s > seen_(i)) seen_(i) = s;  // not for NaN
    }
    update();
  }

  // Rows that have always been zero are taken as large as the largest other one.
  const Vector& values() const { return used_; }

  std::vector<double> saved() const { return {seen_.data(), seen_.data() + seen_.size()}; }
  void restore(const double* values) {
    seen_ = Eigen::Map<const Vector>(values, seen_.size());
    update();
  }

 private:
  void update() {
    const double largest = seen_.size() > 0 ? seen_.maxCoeff() : 0;
    for (Eigen::Index i = 0; i < seen_.size(); ++i)
      used_(i) = seen_(i) > 0 ? seen_(i) : largest > 0 ? largest : 1;
  }

  Vector seen_, used_;
};

}  // namespace driftless::formulations
