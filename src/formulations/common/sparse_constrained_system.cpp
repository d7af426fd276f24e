#include "sparse_constrained_system.hpp"

#include <algorithm>
#include <optional>

#include <driftless/core/sparse_constraints.hpp>
#include <driftless/core/sparse_directions.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "constrained_base.hpp"
#include "direction_map.hpp"
#include "sparse_linearization.hpp"

namespace driftless::formulations {

namespace {

linalg::SparseRows no_rows(int columns) {
  linalg::SparseRows rows;
  rows.columns = columns;
  return rows;
}

class SparseConstrainedSystem final : public ConstrainedBase, public SparseDirections {
 public:
  SparseConstrainedSystem(const Problem& problem, const ConstrainedForm& form)
      : ConstrainedBase(problem, form),
        manifold_(problem, chosen_, Storage::sparse),
        linear_(problem, form, chosen_.count()),
        parts_(Storage::sparse),
        accelerating_(Storage::sparse),
        mass_(no_rows(shape_.nv), 0, sparse_dynamics(problem)->branches().sizes),
        speed_(Vector::Zero(shape_.nv)),
        push_(Vector::Zero(shape_.nv)),
        across_(Vector::Zero(shape_.nq)),
        held_(Vector::Zero(ns_)),
        gradients_(Matrix::Zero(chosen_.count(), 2 * shape_.nv)) {
    choose_parts();
    if (form_.mechanical)
      mechanical_ = mechanical_view(problem, work(), *form_.mechanical,
                                    [this](auto... at) { return directions(at...); });
  }

  // SparseDirections
  bool has_sparse_directions() const override {
    return form_.D.kind == Direction::transpose && !form_.D.given;
  }
  void sparse_directions(double t, VectorIn z, linalg::SparseRows& D) override {
    problem_.evaluate(Part::jacobian, Point(t, z), at_start_);
    D = at_start_.sparse.C;
    const Vector& metric = linear_.push_metric();
    for (std::size_t k = 0; metric.size() > 0 && k < D.value.size(); ++k) D.value[k] *= metric(D.column[k]);
  }

  // System
  // Multipliers of rows left out stay what they are where a step begins (a predictor would let them grow without bound): those of least norm are
  // the ones that are told.
  Status complete(State& state) override {
    return keeps_multipliers() && left_out_.empty() ? Status::ok : multipliers(state);
  }

  // DaeSystem
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  // For tests: columns of solutions would be a matrix too.
  void assemble(MatrixOut, MatrixOut) const override {
    throw std::logic_error("the matrices of a sparse system are not assembled");
  }
  bool assembles() const override { return false; }
  void times_rate_matrix(VectorIn x, VectorOut product) const override;
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return linear_.real_matrix(work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return linear_.complex_matrix(work());
  }

 private:
  Manifold& manifold() override { return manifold_; }
  const Manifold& manifold() const override { return manifold_; }
  const std::vector<int>& left_out() const override { return left_out_; }
  void start_step(double, VectorIn y) override {
    if (y.size() == size()) held_ = y.segment(nz_, ns_);  // mechanical methods keep multipliers to themselves
  }
  double pushed_speed(VectorIn y) override {
    const bool known = !parts_.sparse.C.empty() && push_positions(y) == Status::ok;
    return known ? push_.lpNorm<Eigen::Infinity>() : 0;
  }
  void keep_frame(double t, VectorIn y) override {
    linear_.place().set(t, place(y).head(shape_.nq));
    framed_ = true;
  }
  double mean_mass(double t, VectorIn y) override;
  void measure_time_by(double tau) override {
    ConstrainedBase::measure_time_by(tau);
    linear_.measure_beside_by(tau);
  }
  std::string explain_singular(double) const override { return {}; }

  void choose_parts();
  // D, for methods that take it whole.
  Status directions(double t, VectorIn z, MatrixOut D);
  Status evaluate(Parts parts, const Point& at);  // parts_, and invariants with their gradients
  const double* multipliers_in(VectorIn y,
                               int field) const;  // of rows of that field; null: they are no unknowns
  bool mass_in_top() const { return forces_ || linear_.pushes_by_mass(); }
  Status push_positions(VectorIn y);  // push_: how stabilizing multipliers move them
  void push_velocities(VectorIn y);
  void level_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r);
  Status top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut top);
  Status differentiated_rows(VectorIn yp, VectorOut r);
  void replace_rows_left_out(VectorIn y, VectorOut r) const;
  Status linearize_accelerations(double t, VectorIn z, VectorIn y);

  Manifold manifold_;  // for invariants
  SparseLinearization linear_;
  std::vector<int> left_out_;
  Parts residual_parts_, linear_parts_, acceleration_parts_;
  Evaluation parts_, accelerating_;
  Evaluation at_start_{Storage::sparse};  // of a step, for sparse_directions()
  SparseConstraints rank_{SparseConstraints::Of::all, SparseConstraints::Metric::points,
                          SparseConstraints::For::steps};
  linalg::SparseSaddle mass_;  // M alone
  Vector speed_, push_, across_, none_;
  Vector held_;           // multipliers where the step begins
  Matrix gradients_;      // of invariants
  mutable Vector along_;  // a rate of coordinates, as a displacement
  std::optional<DirectionMap> directions_;
};

void SparseConstrainedSystem::choose_parts() {
  Parts rates = Part::rate_jacobian;
  residual_parts_ = Part::jacobian | Part::position | Parts(Part::rates);
  if (shape_.nk > 0) {
    residual_parts_ = residual_parts_ | Part::velocity | Part::velocity_jacobian;
    rates = rates | Part::velocity_drift;
  }
  if (forces_) residual_parts_ = residual_parts_ | Part::force;
  if (mass_in_top() || along_forces()) residual_parts_ = residual_parts_ | Part::mass;
  if (form_.differentiated) residual_parts_ = residual_parts_ | Part::curvature;
  if (form_.coupled || form_.beside > 1) residual_parts_ = residual_parts_ | rates;
  linear_parts_ = residual_parts_ | rates | Part::mass;
  const Parts by_places = Part::force_jacobian | Part::multiplier_jacobian;
  if (forces_) linear_parts_ = linear_parts_ | by_places;
  acceleration_parts_ = by_places | Part::mass;
  if (shape_.multipliers() > 0) acceleration_parts_ = acceleration_parts_ | Part::curvature_jacobian;
}

Status SparseConstrainedSystem::directions(double t, VectorIn z, MatrixOut D) {
  if (!directions_) directions_.emplace(problem_, form_.D);
  Evaluation whole;
  problem_.evaluate(directions_->parts(), Point(t, z), whole);
  return directions_->compute(t, z, whole, D);
}

Status SparseConstrainedSystem::evaluate(Parts parts, const Point& at) {
  problem_.evaluate(parts, at, parts_);
  if (chosen_.count() == 0) return Status::ok;
  const Status status = manifold_.linearize(at.t, at.z);
  Vector gradient(2 * shape_.nv);
  for (int i = 0; i < chosen_.count(); ++i) {
    manifold_.invariant_gradient(i, gradient.data());
    gradients_.row(i) = gradient.transpose();
  }
  return status;
}

double SparseConstrainedSystem::mean_mass(double t, VectorIn y) {
  problem_.evaluate(Part::mass, Point(t, place(y)), parts_);
  double sum = 0;
  const double* block = parts_.sparse.M.data();
  for (const int size : sparse_dynamics(problem_)->branches().sizes) {
    for (int k = 0; k < size; ++k) sum += block[k * (size + 1)];
    block += size * size;
  }
  return sum / shape_.nv;
}

const double* SparseConstrainedSystem::multipliers_in(VectorIn y, int field) const {
  const auto& fields = linear_.row_fields();
  if (field >= static_cast<int>(fields.size())) return nullptr;
  const int first = fields[static_cast<std::size_t>(field)].unknown_of_g;
  return first < 0 ? nullptr : y.data() + first;
}

Status SparseConstrainedSystem::push_positions(VectorIn y) {
  const int nv = shape_.nv, positions = linear_.positions();
  const linalg::SparseRows& C = parts_.sparse.C;
  push_.setZero();
  if (form_.coupled && positions > 1)
    parts_.sparse.L.add_transposed_times(shape_.multipliers(), tau_ * tau_, multipliers_in(y, 1),
                                         push_.data());
  push_.noalias() += tau_ * tau_ * gradients_.leftCols(nv).transpose() * y.tail(chosen_.count());
  const double* mu = multipliers_in(y, positions);
  if (mu && !along_forces()) C.add_transposed_times(shape_.ng, 1, mu, push_.data());
  if (linear_.push_metric().size() > 0) push_.array() *= linear_.push_metric().array();
  if (!mu || !along_forces()) return Status::ok;
  speed_.setZero();
  C.add_transposed_times(shape_.ng, 1, mu, speed_.data());
  if (mass_.factor(parts_.sparse.M.data(), C) != linalg::FactorStatus::ok) return Status::singular_mass;
  mass_.solve(C, speed_, none_, speed_, none_);
  push_ += speed_;
  return Status::ok;
}

// push_: how stabilizing multipliers move velocities; times M where that is in the rows of the top.
void SparseConstrainedSystem::push_velocities(VectorIn y) {
  const bool by_mass = linear_.pushes_by_mass();
  const Vector& metric = linear_.push_metric();
  push_.noalias() = gradients_.rightCols(shape_.nv).transpose() * y.tail(chosen_.count());
  if (by_mass && chosen_.count() > 0) {
    if (metric.size() > 0) push_.array() *= metric.array();
    speed_ = push_;
    push_.setZero();
    linear_.pattern().add_mass_times(parts_.sparse.M, speed_.data(), push_.data());
  }
  if (linear_.positions() > 1)
    parts_.sparse.C.add_transposed_times(shape_.multipliers(), 1, multipliers_in(y, 1), push_.data());
  if (!by_mass && metric.size() > 0) push_.array() *= metric.array();
}

// x' = N (v + push), in the range of N, and q = normalize(q) across it.
void SparseConstrainedSystem::level_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r) {
  const int nv = shape_.nv, nq = shape_.nq;
  speed_ = -y.segment(nq, nv) - push_;
  if (!shape_.own_kinematics) {
    r.head(nv) = yp.head(nv) + speed_;
    return;
  }
  if (framed_) {
    problem_.coordinate_rates(t, z.head(nq), speed_, across_, workspace_);
    across_ += yp.head(nq);
    across_ -= y.head(nq) - z.head(nq);
    linear_.place().to_displacement(across_, speed_);
  } else {
    linear_.place().set(t, z.head(nq));
    linear_.place().to_displacement(yp.head(nq), a_);
    speed_ += a_;
  }
  linear_.place().to_coordinates(speed_, across_);
  r.head(nq) = y.head(nq) - z.head(nq) + across_;
}

Status SparseConstrainedSystem::top_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut top) {
  const double* rate = yp.data() + shape_.nq;
  if (forces_) {
    top = -parts_.f;
    linear_.pattern().add_mass_times(parts_.sparse.M, rate, top.data());
    parts_.sparse.C.add_transposed_times(shape_.multipliers(), 1, y.data() + nz_, top.data());
    return Status::ok;
  }
  const Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, workspace_);
  if (status != Status::ok) return status;
  push_velocities(y);
  a_ = yp.segment(shape_.nq, shape_.nv) - a_;
  top = -push_;
  if (linear_.pushes_by_mass())
    linear_.pattern().add_mass_times(parts_.sparse.M, a_.data(), top.data());
  else
    top += a_;
  return Status::ok;
}

// G a + c and K a + ck, a = x' - M^-1 top: the accelerations that the multipliers yield.
Status SparseConstrainedSystem::differentiated_rows(VectorIn yp, VectorOut r) {
  const linalg::SparseRows& C = parts_.sparse.C;
  if (mass_.factor(parts_.sparse.M.data(), C) != linalg::FactorStatus::ok) return Status::singular_mass;
  a_ = r.segment(shape_.nq, shape_.nv);
  mass_.solve(C, a_, none_, a_, none_);
  a_ = yp.segment(shape_.nq, shape_.nv) - a_;
  r.segment(nz_, shape_.ng) = parts_.c;
  r.segment(nz_ + shape_.ng, shape_.nk) = parts_.ck;
  C.add_times(shape_.multipliers(), 1, a_.data(), r.data() + nz_);
  return Status::ok;
}

void SparseConstrainedSystem::replace_rows_left_out(VectorIn y, VectorOut r) const {
  const int ng = shape_.ng;
  for (const RowField& field : linear_.row_fields())
    for (const int k : left_out_) {
      const int row = k < ng ? field.residual_of_g : field.residual_of_w,
                unknown = k < ng ? field.unknown_of_g : field.unknown_of_w, own = k < ng ? k : k - ng;
      if (row >= 0) r(row + own) = unknown < 0 ? 0 : y(unknown + own) - held_(unknown + own - nz_);
    }
}

Status SparseConstrainedSystem::residual(double t, VectorIn y, VectorIn yp, VectorOut r) {
  ++work().rhs;
  const int nv = shape_.nv, nq = shape_.nq, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  if (const Status status = evaluate(residual_parts_, Point(t, z)); status != Status::ok) return status;
  if (const Status status = push_positions(y); status != Status::ok) return status;
  level_rows(t, z, y, yp, r);
  if (const Status status = top_rows(t, z, y, yp, r.segment(nq, nv)); status != Status::ok) return status;
  if (form_.differentiated)
    if (const Status status = differentiated_rows(yp, r); status != Status::ok) return status;
  int row = nz_;
  for (const std::vector<double>& coefficients : form_.imposed) {
    r.segment(row, ng) = coefficients[0] * parts_.g + coefficients[1] * parts_.rates.col(0);
    if (offsets_.size() > 0) r.segment(row, ng) -= offsets_;
    row += ng;
  }
  if (form_.velocities && nk > 0) r.segment(row, nk) = parts_.w;
  r.segment(nz_ + ns_ - chosen_.count(), chosen_.count()) = manifold_.h().tail(chosen_.count());
  if (nb_ > 0) {
    r.segment(nz_ + ns_, ng) = parts_.g;
    if (form_.beside > 1) r.segment(nz_ + ns_ + ng, ng) = parts_.rates.col(0);
    if (form_.beside > 1 && nk > 0) r.tail(nk) = parts_.w;
    if (!form_.generalized.frozen) linear_.set_beside(parts_);
  }
  replace_rows_left_out(y, r);
  return r.allFinite() ? Status::ok : Status::not_finite;
}

void SparseConstrainedSystem::times_rate_matrix(VectorIn x, VectorOut product) const {
  const int nv = shape_.nv, nq = shape_.nq;
  product.setZero();
  if (shape_.norms() > 0) {
    along_.resize(nv);
    linear_.place().to_displacement(x.head(nq), along_);
    linear_.place().to_coordinates(along_, product.head(nq));
  } else {
    product.head(nq) = x.head(nq);
  }
  if (mass_in_top())
    linear_.pattern().add_mass_times(parts_.sparse.M, x.data() + nq, product.data() + nq);
  else
    product.segment(nq, nv) = x.segment(nq, nv);
}

Status SparseConstrainedSystem::linearize(double t, VectorIn y, VectorIn yp) {
  ++work().jacobians;
  const int nv = shape_.nv, nq = shape_.nq, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  const Point at =
      forces_ ? Point(t, z, yp.segment(nq, nv), y.segment(nz_, ng), y.segment(nz_ + ng, nk)) : Point(t, z);
  if (const Status status = evaluate(linear_parts_, at); status != Status::ok) return status;
  if (shape_.multipliers() > 0) {
    if (const Status status = rank_.factor(problem_, t, z, parts_); status != Status::ok) return status;
    left_out_ = rank_.left_out();
  }
  if (shape_.own_kinematics) {
    linear_.place().set(t, z.head(nq));
    framed_ = stages_ && shape_.norms() > 0;
  }
  linearized_by_ = tau_;
  linear_.set(parts_, z.segment(nq, nv), left_out_, tau_);
  linear_.set_invariants(gradients_);
  if (nb_ > 0) linear_.set_beside(parts_);
  return linear_.has_accelerations() ? linearize_accelerations(t, z, y) : Status::ok;
}

// At the accelerations that the multipliers yield, which are those of a step only where it has come to its end.
Status SparseConstrainedSystem::linearize_accelerations(double t, VectorIn z, VectorIn y) {
  const int ng = shape_.ng, nk = shape_.nk;
  const linalg::SparseRows& C = parts_.sparse.C;
  const bool own = form_.differentiated;
  if (own) {
    multipliers_ = y.segment(nz_, ns_);
    a_ = parts_.f;
    C.add_transposed_times(ng + nk, -1, multipliers_.data(), a_.data());
    if (mass_.factor(parts_.sparse.M.data(), C) != linalg::FactorStatus::ok) return Status::singular_mass;
    mass_.solve(C, a_, none_, a_, none_);
  } else if (const Status status = problem_.acceleration(t, z, no_r_, a_, multipliers_, workspace_);
             status != Status::ok) {
    return status;
  }
  problem_.evaluate(acceleration_parts_, Point(t, z, a_, multipliers_.head(ng), multipliers_.tail(nk)),
                    accelerating_);
  linear_.set_accelerations(accelerating_, own           ? left_out_
                                           : ng + nk > 0 ? workspace_.solver->left_out()
                                                         : std::vector<int>());
  return Status::ok;
}

// Of ssf solutions, which are one by all three definitions.
bool has_sparse_solution(const OverdeterminedOptions& options) {
  using linalg::GeneralizedSolution;
  return !options.definition || *options.definition == GeneralizedSolution::null_space ||
         *options.definition == GeneralizedSolution::extended;
}

}  // namespace

bool has_sparse_system(const Problem& problem, const ConstrainedForm& form) {
  return sparse_dynamics(problem) && problem.shape().order == 2 && !form.D.given &&
         form.D.kind != Direction::unit && (form.beside == 0 || has_sparse_solution(form.generalized));
}

std::unique_ptr<System> sparse_constrained_system(const Problem& problem, const ConstrainedForm& form) {
  return std::make_unique<SparseConstrainedSystem>(problem, form);
}

}  // namespace driftless::formulations
