#include "regularized_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::formulations {

namespace {

constexpr double growth = 3;     // of multipliers within a step: farther the trust does not reach
constexpr double long_ago = 50;  // usual steps after which the longest one is forgotten
// Of eps, for a matrix scaled to 1. Consistent redundant rows have right-hand sides of roundoff size u across the range of A, of
// which u/(2 sqrt(eps)) or u/eps arrives in y.
constexpr double squares_floor = 1e-18, shift_floor = 1e-11;
// With redundant rows and an implicit method: its iterates are off the manifold by what its step allows, so that these rows differ by much more
// than roundoff. Divided by 1e-11 that is all that Newton's method sees.
constexpr double implicit_shift_floor = 1e-8;

}  // namespace

RegularizedForces::RegularizedForces(const Problem& problem, const Regularization& how)
    : problem_(problem),
      shape_(problem.shape()),
      how_(how),
      count_(shape_.multipliers()),
      parts_asked_(Part::mass | Part::force | Part::jacobian) {
  if (how_.curvature) parts_asked_ = parts_asked_ | Part::curvature;
  if (shape_.nk > 0) parts_asked_ = parts_asked_ | Part::velocity_jacobian;
  for (Vector* v : {&offset_, &R_, &scaled_R_, &y_, &scaled_y_, &w_}) v->setZero(count_);
  for (Vector* v : {&F_, &free_, &a_}) v->setZero(shape_.nv);
  for (Vector* v : {&D_scale_, &E_scale_}) v->setOnes(count_);
}

Status RegularizedForces::solve() {
  const double floor = least_squares() ? squares_floor : redundant_ ? implicit_shift_floor : shift_floor;
  scaled_R_ = D_scale_.cwiseProduct(R_);
  const Status status = factor(floor);
  indefinite_ = status != Status::ok && !least_squares();
  if (status != Status::ok) return status;
  bounded_ = !how_.epsilon && epsilon() > floor;
  solve_scaled(scaled_R_, scaled_y_);
  y_ = E_scale_.cwiseProduct(scaled_y_);
  acceleration(y_, a_);
  return a_.allFinite() ? Status::ok : Status::not_finite;
}

void RegularizedForces::rows(VectorIn y, VectorOut out) {
  if (how_.epsilon)
    plain_rows(y, out);
  else
    out = y - y_;
}

void RegularizedForces::shrink(double& scale, double size) {
  if (!(size > 0 && size * scale > 1)) return;
  scale = std::exp2(-std::ceil(std::log2(size)));
  rescaled_ = true;
}

// The units of rows and columns, by the largest entries that they have had, as powers of two: exact, and seldom others. A symmetric
// matrix stays so.
void RegularizedForces::note_sizes() {
  rescaled_ = false;
  constexpr double none = std::numeric_limits<double>::max();
  if (observed_t_ == unknown) {
    D_scale_.setConstant(none);
    E_scale_ = D_scale_;
  }
  note_rows();
  for (int i = 0; i < count_; ++i)  // rows that have vanished so far
    for (double* scale : {&D_scale_[i], &E_scale_[i]})
      if (*scale == none) *scale = 1;
}

// What constraints may have to hold: the forces, in the metric of M, in which |C_i M^-1 f| <= sqrt(A_ii) |f|, and the curvature.
double RegularizedForces::load() const {
  return std::sqrt(std::max(F_.dot(free_), 0.0)) + D_scale_.cwiseProduct(offset_).norm();
}

// What the mechanism needs is that without feedback; feedback may add as much as it has of late, for its size. The recent size
// is remembered over time, not steps: near a singular place steps may become tiny, and multipliers must not talk themselves
// up in them. Where the load grows at once (an impact), so may the multipliers, by as much as they have exceeded it of late.
Status RegularizedForces::observe(double t, VectorIn z, VectorIn r, double h) {
  if (how_.epsilon || count_ == 0 || t == observed_t_) return Status::ok;
  column_.setZero(count_);
  if (const Status status = evaluate(t, z, column_); status != Status::ok) return status;
  note_sizes();
  const bool first = observed_t_ == unknown;
  if (first) radius_ = std::numeric_limits<double>::max();
  observed_t_ = t;
  if (const Status status = solve(); status != Status::ok) return status;
  const double size = scaled_y_.norm(), carried = load();
  column_ = D_scale_.cwiseProduct(r);
  const double asked = column_.norm();
  solve_scaled(column_, column_);
  usual_step_ = std::max(h, usual_step_ - h / long_ago);
  const double weight = usual_step_ > 0 ? h / (h + usual_step_) : 0;
  size_ = first ? size : size_ + weight * (size - size_);
  const auto follow = [&](double& gain, double answer, double cause) {
    if (cause > 0)
      gain = std::max(1.0, std::min(answer / cause, first ? answer / cause : (1 + weight) * gain));
  };
  if (first) gain_ = feedback_gain_ = 1;
  follow(gain_, size, carried);
  follow(feedback_gain_, column_.norm(), asked);
  radius_ = growth * (std::max(size_, gain_ * carried) + feedback_gain_ * asked);
  if (radius_ == 0) radius_ = std::numeric_limits<double>::max();  // nothing is known yet
  return Status::ok;
}

void RegularizedForces::save(VectorOut memory) const {
  if (how_.epsilon) return;
  memory << observed_t_, size_, gain_, feedback_gain_, usual_step_, radius_, D_scale_, E_scale_;
}

void RegularizedForces::restore(VectorIn memory) {
  if (how_.epsilon) return;
  observed_t_ = memory[0];
  size_ = memory[1];
  gain_ = memory[2];
  feedback_gain_ = memory[3];
  usual_step_ = memory[4];
  radius_ = memory[5];
  D_scale_ = memory.segment(6, count_);
  E_scale_ = memory.tail(count_);
}

}  // namespace driftless::formulations
