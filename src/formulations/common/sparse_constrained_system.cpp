#include "sparse_constrained_system.hpp"

#include <algorithm>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/kept_offsets.hpp>
#include <driftless/core/sparse_constraints.hpp>
#include <driftless/core/sparse_directions.hpp>
#include <driftless/core/sparse_dynamics.hpp>

#include "multiplier_blocks.hpp"
#include "sparse_linearization.hpp"
#include "step_notes.hpp"

namespace driftless::formulations {

namespace {

class SparseConstrainedSystem final : public System,
                                      public DaeSystem,
                                      public CarriedMultipliers,
                                      public KeptOffsets,
                                      public SparseDirections {
 public:
  SparseConstrainedSystem(const Problem& problem, const ConstrainedForm& form)
      : problem_(problem),
        shape_(problem.shape()),
        form_(form),
        nz_(shape_.layout().size()),
        ns_(static_cast<int>(form.imposed.size()) * shape_.ng + shape_.nk),
        stabilized_(form.stabilized > 0),
        linear_(problem, form),
        parts_(Storage::sparse),
        no_r_(Vector::Zero(shape_.multipliers())),
        a_(Vector::Zero(shape_.nv)),
        multipliers_(no_r_),
        speed_(Vector::Zero(shape_.nv)),
        across_(Vector::Zero(shape_.nq)),
        z_(Vector::Zero(nz_)),
        held_(Vector::Zero(ns_)) {
    if (stabilized_) blocks_.add("mu", nz_ + shape_.multipliers(), shape_.ng);
    index_.assign(static_cast<std::size_t>(nz_ + ns_), 2);
    for (int i = 0; i < nz_; ++i)
      index_[static_cast<std::size_t>(i)] = i < shape_.nq || shape_.ng == 0 ? 0 : form_.velocity_index;
    for (int i = 0; i < shape_.ng; ++i) index_[static_cast<std::size_t>(nz_ + i)] = form_.lambda_index;
    residual_parts_ = Part::mass | Part::force | Part::jacobian | Part::position | Parts(Part::rates);
    if (shape_.nk > 0) residual_parts_ = residual_parts_ | Part::velocity | Part::velocity_jacobian;
    linear_parts_ =
        residual_parts_ | Part::rate_jacobian | Part::force_jacobian | Parts(Part::multiplier_jacobian);
    if (shape_.nk > 0) linear_parts_ = linear_parts_ | Part::velocity_drift;
    if (form_.mechanical) mechanical_ = mechanical_view(problem, work(), *form_.mechanical);
  }

  // System
  int size() const override { return nz_ + ns_; }
  void pack(const State& state, VectorOut y) const override {
    y.head(nz_) = state.z;
    y.segment(nz_, shape_.ng) = state.lambda;
    y.segment(nz_ + shape_.ng, shape_.nk) = state.kappa;
    blocks_.pack(state, y);
  }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y.head(nz_);
    state.lambda = y.segment(nz_, shape_.ng);
    state.kappa = y.segment(nz_ + shape_.ng, shape_.nk);
    blocks_.unpack(y, state);
  }
  void prepare(State& state) const override { blocks_.prepare(state); }
  Status multipliers(State& state) override {
    ++work().rhs;
    const Status status = problem_.acceleration(state.t, state.z, no_r_, a_, multipliers_, workspace_);
    state.lambda = multipliers_.head(shape_.ng);
    state.kappa = multipliers_.tail(shape_.nk);
    return status;
  }
  // Multipliers of rows left out stay what they are where a step begins (a predictor would let them grow without bound): those of least norm are
  // the ones that are told.
  Status complete(State& state) override {
    if (!left_out_.empty()) return multipliers(state);
    return Status::ok;
  }
  Multipliers carried_multipliers() const override { return Multipliers::of_step; }
  Status rates(const State& state, VectorOut yp) override {
    ++work().rhs;
    yp.setZero();
    if (shape_.own_kinematics)
      problem_.coordinate_rates(state.t, state.q(), state.v(), yp.head(shape_.nq), workspace_);
    else
      yp.head(shape_.nv) = state.v();
    return problem_.acceleration(state.t, state.z, no_r_, yp.segment(shape_.nq, shape_.nv), multipliers_,
                                 workspace_);
  }
  void anchor(const State& state) override {
    if (imposes_positions_alone(form_, shape_)) offsets_ = offsets_at_start(problem_, state.t, state.z);
  }
  std::vector<double> anchored() const override {
    std::vector<double> values;
    if (imposes_positions_alone(form_, shape_)) append_offsets(offsets_, shape_.ng, values);
    return values;
  }
  void restore_anchor(const std::vector<double>& values) override {
    offsets_ = offsets_from(values.data(), static_cast<int>(values.size()));
  }
  Vector& kept_offsets() override { return offsets_; }
  std::string explain(Status status, double t, VectorIn y) const override {
    return problem_.explain(status, t, y.head(nz_));
  }
  bool begin_step(const StepContext& step, VectorIn y) override;
  std::vector<std::string> notes() const override { return notes_.notes(); }
  void sparse_directions(double t, VectorIn z, linalg::SparseRows& D) override {
    problem_.evaluate(Part::jacobian, Point(t, z), at_start_);
    D = at_start_.sparse.C;
    linear_.scale_pushes(D);
  }
  DaeSystem* dae() override { return this; }
  MechanicalSystem* mechanical() override { return mechanical_.get(); }

  // DaeSystem
  int equations() const override { return nz_ + ns_; }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  // For tests: columns of solutions would be a matrix too.
  void assemble(MatrixOut, MatrixOut) const override {
    throw std::logic_error("the matrices of a sparse system are not assembled");
  }
  bool assembles() const override { return false; }
  void times_rate_matrix(VectorIn x, VectorOut product) const override {
    const int nv = shape_.nv, nq = shape_.nq;
    product.setZero();
    if (shape_.norms() > 0) {
      along_.resize(nv);
      linear_.place().to_displacement(x.head(nq), along_);
      linear_.place().to_coordinates(along_, product.head(nq));
    } else {
      product.head(nq) = x.head(nq);
    }
    linear_.pattern().add_mass_times(parts_.sparse.M, x.data() + nq, product.data() + nq);
  }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return nz_; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return linear_.real_matrix(work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return linear_.complex_matrix(work());
  }

 private:
  Point::View place(VectorIn y) {
    if (shape_.norms() == 0) return {y.data(), nz_};
    z_ = y.head(nz_);
    problem_.normalize(z_.head(shape_.nq));
    return {z_.data(), nz_};
  }
  void level_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r);

  const Problem& problem_;
  const Shape& shape_;
  const ConstrainedForm form_;
  const int nz_, ns_;
  const bool stabilized_;
  SparseLinearization linear_;
  MultiplierBlocks blocks_;
  StepNotes notes_;
  double size_ = -1;                      // of the mechanism; negative: not asked for yet
  bool stages_ = false, framed_ = false;  // see constrained_system.cpp
  std::vector<int> index_, left_out_;
  Parts residual_parts_, linear_parts_;
  Evaluation parts_;
  Evaluation at_start_{Storage::sparse};  // of a step, for sparse_directions()
  Workspace workspace_;
  SparseConstraints rank_{SparseConstraints::Of::all, SparseConstraints::Metric::points};
  Vector no_r_, a_, multipliers_, speed_, across_, z_;
  Vector offsets_;        // that rows keep; empty: none
  Vector held_;           // multipliers where the step begins
  mutable Vector along_;  // a rate of coordinates, as a displacement
  std::unique_ptr<MechanicalSystem> mechanical_;
};

bool SparseConstrainedSystem::begin_step(const StepContext& step, VectorIn y) {
  stages_ = has_stages(step.discretization);
  if (step.h == 0) {
    framed_ = false;
    return false;
  }
  const double t = step.t, h = step.h;
  if (size_ < 0) size_ = problem_.scales(t, y.head(shape_.nq)).length;
  held_ = y.segment(nz_, ns_);
  if (offsets_.size() > 0) follow_rows_left_out(problem_, t, y.head(nz_), left_out_, offsets_);
  if (stabilized_ && !parts_.sparse.C.empty()) {
    speed_.setZero();
    linear_.subtract_pushes(parts_.sparse.C, y.data() + nz_ + shape_.multipliers(), speed_);
    notes_.pushed(speed_.lpNorm<Eigen::Infinity>(), y.segment(shape_.nq, shape_.nv).lpNorm<Eigen::Infinity>(),
                  h, size_);
  }
  if (stages_ && shape_.norms() > 0) {
    linear_.place().set(t, place(y).head(shape_.nq));
    framed_ = true;
  }
  return false;
}

// x' = N (v + G^T mu), in the range of N, and q = normalize(q) across it.
void SparseConstrainedSystem::level_rows(double t, VectorIn z, VectorIn y, VectorIn yp, VectorOut r) {
  const int nv = shape_.nv, nq = shape_.nq;
  speed_ = -y.segment(nq, nv);
  if (stabilized_) linear_.subtract_pushes(parts_.sparse.C, y.data() + nz_ + shape_.multipliers(), speed_);
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

Status SparseConstrainedSystem::residual(double t, VectorIn y, VectorIn yp, VectorOut r) {
  ++work().rhs;
  const int nv = shape_.nv, nq = shape_.nq, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  problem_.evaluate(residual_parts_, Point(t, z), parts_);
  level_rows(t, z, y, yp, r);
  auto top = r.segment(nq, nv);
  top = -parts_.f;
  linear_.pattern().add_mass_times(parts_.sparse.M, yp.data() + nq, top.data());
  parts_.sparse.C.add_transposed_times(ng + nk, 1, y.data() + nz_, top.data());
  int row = nz_;
  for (const std::vector<double>& coefficients : form_.imposed) {
    r.segment(row, ng) = coefficients[0] * parts_.g + coefficients[1] * parts_.rates.col(0);
    if (offsets_.size() > 0) r.segment(row, ng) -= offsets_;
    row += ng;
  }
  if (nk > 0) r.segment(row, nk) = parts_.w;
  for (const int k : left_out_)
    for (int i = 0; i < (k < ng ? static_cast<int>(form_.imposed.size()) : 1); ++i)
      r(nz_ + linear_.row_of(i, k)) =
          y(nz_ + linear_.multiplier_of(i, k)) - held_(linear_.multiplier_of(i, k));
  return r.allFinite() ? Status::ok : Status::not_finite;
}

Status SparseConstrainedSystem::linearize(double t, VectorIn y, VectorIn yp) {
  ++work().jacobians;
  const int nv = shape_.nv, nq = shape_.nq, ng = shape_.ng, nk = shape_.nk;
  const Point::View z = place(y);
  const Point at(t, z, yp.segment(nq, nv), y.segment(nz_, ng), y.segment(nz_ + ng, nk));
  problem_.evaluate(linear_parts_, at, parts_);
  if (shape_.multipliers() > 0) {
    if (const Status status = rank_.factor(problem_, t, z, parts_); status != Status::ok) return status;
    left_out_ = rank_.left_out();
  }
  if (shape_.own_kinematics) {
    linear_.place().set(t, z.head(nq));
    framed_ = stages_ && shape_.norms() > 0;
  }
  linear_.set(parts_, z.segment(nq, nv), left_out_);
  return Status::ok;
}

}  // namespace

bool has_sparse_system(const Problem& problem, const ConstrainedForm& form) {
  const auto* dynamics = dynamic_cast<const SparseDynamics*>(&problem);
  return problem.shape().sparse() && dynamics && !dynamics->branches().sizes.empty() &&
         form.top == ConstrainedForm::Top::forces && !form.differentiated && form.stabilized <= 1 &&
         form.imposed.size() == static_cast<std::size_t>(1 + form.stabilized) && form.beside == 0 &&
         form.invariants.empty() && !form.D.given && form.D.kind == Direction::transpose;
}

std::unique_ptr<System> sparse_constrained_system(const Problem& problem, const ConstrainedForm& form) {
  return std::make_unique<SparseConstrainedSystem>(problem, form);
}

}  // namespace driftless::formulations
