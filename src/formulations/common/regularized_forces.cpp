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
      parts_asked_(Part::mass | Part::force | Part::jacobian),
      mass_({shape_.nv, 0, shape_.mass, shape_.mass_blocks}),
      dense_mass_({shape_.nv, 0, linalg::MassStructure::dense, {}}),
      no_rows_(Matrix::Zero(0, shape_.nv)),
      none_(Vector::Zero(0)),
      solver_(how.kind, count_) {
  if (how_.curvature) parts_asked_ = parts_asked_ | Part::curvature;
  if (shape_.given_input) parts_asked_ = parts_asked_ | Part::input;
  if (shape_.nk > 0) parts_asked_ = parts_asked_ | Part::velocity_jacobian;
  const int nv = shape_.nv;
  C_.setZero(count_, nv);
  W_.setZero(nv, nv);
  for (Matrix* m : {&B_, &P_, &WP_}) m->setZero(nv, count_);
  for (Matrix* m : {&A_, &scaled_}) m->setZero(count_, count_);
  for (Vector* v : {&offset_, &R_, &scaled_R_, &y_, &scaled_y_}) v->setZero(count_);
  for (Vector* v : {&F_, &free_, &a_}) v->setZero(nv);
  for (Vector* v : {&D_scale_, &E_scale_}) v->setOnes(count_);
}

void RegularizedForces::divide_by_mass(VectorOut column) const {
  if (dense_)
    dense_mass_.solve(column, none_, column, none_);
  else if (shape_.mass != linalg::MassStructure::identity)
    mass_.solve(column, none_, column, none_);
}

void RegularizedForces::augment() {
  W_.noalias() += how_.rho * C_.transpose().lazyProduct(C_);
  F_.noalias() -= how_.rho * C_.transpose().lazyProduct(offset_);
  augmented_ = true;
}

Status RegularizedForces::factor_mass() {
  W_ = parts_.M;
  F_ = parts_.f;
  P_ = B_;
  augmented_ = false;
  dense_ = how_.mass == MassTreatment::augmented || how_.mass == MassTreatment::paper;
  if (how_.mass == MassTreatment::paper) {
    W_.noalias() = parts_.M.lazyProduct(parts_.M);
    W_.diagonal().array() += how_.rho;
    F_.noalias() = parts_.M.lazyProduct(parts_.f);
    P_.noalias() = parts_.M.lazyProduct(B_);
  } else if (how_.mass == MassTreatment::augmented) {
    augment();
  } else {
    if (shape_.mass == linalg::MassStructure::identity) return Status::ok;
    const auto factored = mass_.factor(W_, no_rows_);
    const bool definite = factored == linalg::FactorStatus::ok && !mass_.used_whole_matrix();
    if (definite || how_.mass == MassTreatment::given) return status_of(factored);
    if (factored == linalg::FactorStatus::not_finite) return Status::not_finite;
    dense_ = true;
    augment();
  }
  return status_of(dense_mass_.factor(W_, no_rows_));
}

Status RegularizedForces::evaluate(double t, VectorIn z, VectorIn r) {
  const int ng = shape_.ng, nk = shape_.nk;
  problem_.evaluate(parts_asked_, Point(t, z), parts_);
  C_.topRows(ng) = parts_.G;
  if (shape_.given_input)
    B_.leftCols(ng) = parts_.B;
  else
    B_.leftCols(ng) = parts_.G.transpose();
  if (nk > 0) {
    C_.bottomRows(nk) = parts_.K;
    B_.rightCols(nk) = parts_.K.transpose();
  }
  offset_ = -r;
  if (how_.curvature) {
    offset_.head(ng) += parts_.c;
    if (nk > 0) offset_.tail(nk) += parts_.ck;
  }
  if (!parts_.M.allFinite() || !parts_.f.allFinite()) return Status::not_finite;
  if (const Status status = factor_mass(); status != Status::ok) return status;
  free_ = F_;
  divide_by_mass(free_);
  WP_ = P_;
  for (int j = 0; j < count_; ++j) divide_by_mass(WP_.col(j));
  A_.noalias() = C_.lazyProduct(WP_);
  R_ = offset_;
  R_.noalias() += C_.lazyProduct(free_);
  return A_.allFinite() && R_.allFinite() ? Status::ok : Status::not_finite;
}

void RegularizedForces::weigh() {
  scaled_.noalias() = D_scale_.asDiagonal() * A_;
  scaled_ = scaled_ * E_scale_.asDiagonal();
  scaled_R_ = D_scale_.cwiseProduct(R_);
}

Status RegularizedForces::solve() {
  weigh();
  indefinite_ = false;
  if (!least_squares()) {
    const double size = scaled_.cwiseAbs().maxCoeff();
    indefinite_ = (scaled_ - scaled_.transpose()).cwiseAbs().maxCoeff() > 1e-8 * size;
    if (indefinite_) return Status::singular_step;
  }
  const double floor = least_squares() ? squares_floor : redundant_ ? implicit_shift_floor : shift_floor;
  const bool factored = how_.epsilon ? solver_.factor(scaled_, *how_.epsilon)
                                     : solver_.factor_within(scaled_, scaled_R_, floor, radius_);
  if (!factored) {
    indefinite_ = !least_squares();
    return Status::singular_step;
  }
  bounded_ = !how_.epsilon && solver_.epsilon() > floor;
  solver_.solve(scaled_R_, scaled_y_);
  y_ = E_scale_.cwiseProduct(scaled_y_);
  acceleration(y_, a_);
  return a_.allFinite() ? Status::ok : Status::not_finite;
}

void RegularizedForces::acceleration(VectorIn y, VectorOut a) const {
  a = free_;
  a.noalias() -= WP_.lazyProduct(y);
}

void RegularizedForces::rows(VectorIn y, VectorOut out) {
  if (!how_.epsilon) {
    out = y - y_;
    return;
  }
  w_ = R_;
  w_.noalias() -= A_.lazyProduct(y);
  out = *how_.epsilon * y;
  if (least_squares())
    out.noalias() -= A_.transpose().lazyProduct(w_);
  else
    out -= w_;
}

void RegularizedForces::top(VectorIn rate, VectorIn y, VectorOut out) {
  out = -F_;
  out.noalias() += W_.lazyProduct(rate);
  out.noalias() += P_.lazyProduct(y);
}

// The units of rows and columns, by the largest entries that they have had, as powers of two: exact, and seldom others. A symmetric
// matrix stays so.
void RegularizedForces::note_sizes() {
  rescaled_ = false;
  const auto shrink = [this](double& scale, double size) {
    if (!(size > 0 && size * scale > 1)) return;
    scale = std::exp2(-std::ceil(std::log2(size)));
    rescaled_ = true;
  };
  if (observed_t_ == unknown) {
    D_scale_.setConstant(std::numeric_limits<double>::max());
    E_scale_ = D_scale_;
  }
  const bool symmetric = !shape_.given_input || !least_squares();
  for (int i = 0; i < count_; ++i) {
    if (symmetric) {
      shrink(D_scale_[i], std::sqrt(std::max(A_(i, i), 0.0)));
      E_scale_[i] = D_scale_[i];
    } else {
      shrink(D_scale_[i], A_.row(i).cwiseAbs().maxCoeff());
    }
  }
  for (int j = 0; j < count_ && !symmetric; ++j)
    shrink(E_scale_[j], A_.col(j).cwiseProduct(D_scale_).cwiseAbs().maxCoeff());
  const auto bring_down = [](double& scale) {  // a row that has vanished so far
    if (scale == std::numeric_limits<double>::max()) scale = 1;
  };
  for (int i = 0; i < count_; ++i) {
    bring_down(D_scale_[i]);
    bring_down(E_scale_[i]);
  }
}

// What constraints may have to hold: the forces, in the metric of M, in which |C_i M^-1 f| <= sqrt(A_ii) |f|, and the curvature.
double RegularizedForces::load() const {
  const double curvature = D_scale_.cwiseProduct(offset_).norm();
  if (!shape_.given_input) return std::sqrt(std::max(F_.dot(free_), 0.0)) + curvature;
  return D_scale_.cwiseProduct(C_.rowwise().norm()).norm() * free_.norm() + curvature;
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
  solver_.solve(column_, column_);
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
