#include "redundant_rows.hpp"

#include <algorithm>

#include <driftless/core/idle_multipliers.hpp>

namespace driftless::formulations {

RedundantRows::RedundantRows(const Problem& problem, const ConstrainedForm& form)
    : problem_(problem),
      shape_(problem.shape()),
      form_(form),
      forces_(form.top == ConstrainedForm::Top::forces) {}

void RedundantRows::leave_out(double t, VectorIn z, const Evaluation& parts, Linearization& linear) {
  if (rank_.pending()) rank_.decide(problem_, t, z);
  left_out_.clear();
  linear.beside_left_out.clear();
  if (!form_.differentiated && linear.E.size() > 0) linear.E.setZero();
  if (rank_.full()) return;
  const int ng = shape_.ng, nk = shape_.nk;
  const int position_rows = form_.differentiated ? ng : static_cast<int>(form_.imposed.size()) * ng;
  const int by_forces = forces_ ? ng + nk : 0, pushes = form_.stabilized * ng;
  std::vector<int> multipliers, idle_pushes;
  for (const int i : rank_.left_out()) {
    if (i < ng) idle_pushes.push_back(i);
    for (int row = i; i < ng && row < position_rows; row += ng) left_out_.push_back(row);
    if (i >= ng && (form_.velocities || forces_)) left_out_.push_back(position_rows + i - ng);
    if (i >= ng && !forces_ && form_.velocities) multipliers.push_back(pushes + i - ng);
    for (int row = i; i < ng && row < form_.beside * ng; row += ng) linear.beside_left_out.push_back(row);
    if (i >= ng && form_.beside == shape_.order) linear.beside_left_out.push_back(form_.beside * ng + i - ng);
  }
  std::sort(linear.beside_left_out.begin(), linear.beside_left_out.end());
  const bool along_B = form_.D.kind == Direction::input && !form_.D.given;
  if (form_.stabilized > 0 && along_B) idle_pushes = idle_columns(parts.B, idle_pushes.size());
  for (const int i : idle_pushes)
    for (int level = 0; level < form_.stabilized; ++level) multipliers.push_back(by_forces + level * ng + i);
  std::size_t next = 0;
  if (forces_) {
    idle_columns_ =
        shape_.given_input ? idle_columns(forces(parts), rank_.left_out().size()) : rank_.left_out();
    Matrix B = forces(parts);
    put_in_span(B, idle_columns_);
    idle_ = idle_multipliers(B, idle_columns_);
    for (const int j : idle_columns_) linear.S.col(j) = B.col(j);
    for (const auto n : idle_.colwise()) linear.leave_out(left_out_[next++], n);
  }
  unpushed_ = multipliers;
  for (const int multiplier : multipliers) linear.leave_out(left_out_[next++], multiplier);
}

Matrix RedundantRows::forces(const Evaluation& parts) const {
  Matrix B(shape_.nv, shape_.multipliers());
  if (shape_.given_input)
    B.leftCols(shape_.ng) = parts.B;
  else
    B.leftCols(shape_.ng) = parts.G.transpose();
  if (shape_.nk > 0) B.rightCols(shape_.nk) = parts.K.transpose();
  return B;
}

void RedundantRows::add_to_forces(const Evaluation& parts, VectorIn multipliers, VectorOut top) const {
  const Matrix own = forces(parts);
  Matrix B = own;
  put_in_span(B, idle_columns_);
  top += (B - own) * multipliers;
}

void RedundantRows::replace(const Evaluation& parts, VectorIn s, VectorOut r) const {
  std::size_t next = 0;
  if (forces_) {
    const Matrix now = idle_multipliers(forces(parts), idle_columns_);
    const Vector idle = idle_.transpose() * (now * (now.transpose() * s.head(shape_.multipliers())));
    for (const double part : idle) r(left_out_[next++]) = part;
  }
  for (const int multiplier : unpushed_) r(left_out_[next++]) = s(multiplier);
}

void RedundantRows::least_norm(const Evaluation& parts, State& state) const {
  Vector all(shape_.multipliers());
  all << state.lambda, state.kappa;
  const Matrix idle = idle_multipliers(forces(parts), idle_columns_);
  all -= idle * (idle.transpose() * all).eval();
  state.lambda = all.head(shape_.ng);
  state.kappa = all.tail(shape_.nk);
}

}  // namespace driftless::formulations
