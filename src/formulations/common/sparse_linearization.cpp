#include "sparse_linearization.hpp"

#include <algorithm>
#include <limits>

#include "push_metric.hpp"

namespace driftless::formulations {

namespace {

void mark(std::vector<char>& rows, const std::vector<int>& marked) {
  for (const int row : marked) rows[static_cast<std::size_t>(row)] = 1;
}

}  // namespace

SparseLinearization::SparseLinearization(const Problem& problem, const ConstrainedForm& form, int invariants)
    : shape_(problem.shape()),
      push_metric_(driftless::formulations::push_metric(problem)),
      forces_(form.top == ConstrainedForm::Top::forces),
      differentiated_(form.differentiated),
      accelerations_(!forces_ || differentiated_),
      by_mass_(!forces_ && (form.mass_metric || form.D.kind == Direction::input)),
      input_(form.stabilized > 0 && form.D.kind == Direction::input),
      coupled_(form.coupled),
      beside_(form.beside > 0),
      stabilized_(form.stabilized),
      invariants_(invariants),
      frozen_(form.generalized.frozen),
      quaternions_(dynamic_cast<const SparseDynamics&>(problem).branches().quaternions),
      at_(problem.sparse_pattern()),
      v_(Vector::Zero(shape_.nv)),
      place_(problem) {
  lay_out(form);
  const int velocities = 2 + (accelerations_ ? 1 : 0) + (input_ ? 1 : 0);
  const int of_positions = stabilized_ > 0 || beside_ ? 1 : 0;
  const linalg::Fields fields{.velocities = velocities,
                              .rows = static_cast<int>(fields_.size()) - of_positions,
                              .positions = of_positions};
  pattern_ = std::make_shared<const linalg::FieldPattern>(
      dynamic_cast<const SparseDynamics&>(problem).branches().sizes, at_.Bl_x, at_.C, shape_.ng, fields);
}

void SparseLinearization::lay_out(const ConstrainedForm& form) {
  const int ng = shape_.ng, nk = shape_.nk, nz = shape_.layout().size(), all = ng + nk;
  const auto imposed = [&](int field, std::size_t i, bool velocities) {
    imposed_.push_back({field, form.imposed[i][0], form.imposed[i][1], velocities});
  };
  if (!forces_) {  // those of accelerations, which nobody sees; mu_1 and eta; mu_0
    fields_.push_back({});
    if (stabilized_ > 1) {
      fields_.push_back({nz + ng, nz + 2 * ng, nz + ng, nz + 2 * ng});
      imposed(1, 1, true);
    }
    fields_.push_back({nz, -1, nz, -1});
    imposed(static_cast<int>(fields_.size()) - 1, 0, false);
    first_invariant_ = nz + stabilized_ * ng + (form.velocities ? nk : 0);
    return;
  }
  const int of_g = static_cast<int>(form.imposed.size()) * ng,
            beside = nz + (differentiated_ ? all : of_g + nk);
  fields_.push_back({nz, nz + (differentiated_ ? ng : of_g), nz, nz + ng});
  if (!differentiated_) imposed(0, 0, true);
  if (form.beside > 1) {
    fields_.push_back({beside + ng, beside + 2 * ng, -1, -1});
    imposed_.push_back({1, 0, 1, true});
  }
  if (form.beside > 0) {
    fields_.push_back({beside, -1, -1, -1});
    imposed_.push_back({static_cast<int>(fields_.size()) - 1, 1, 0, false});
  } else if (stabilized_ > 0) {
    fields_.push_back({nz + ng, -1, nz + all, -1});
    imposed(1, 1, false);
  }
}

void SparseLinearization::set(const Evaluation& parts, VectorIn v, const std::vector<int>& left_out,
                              double tau) {
  // The patterns are those of the beginning.
  for (const auto part :
       {&SparseParts::C, &SparseParts::L, &SparseParts::by_x, &SparseParts::by_v, &SparseParts::Bl_x})
    if (!(parts.sparse.*part).value.empty()) (at_.*part).value = (parts.sparse.*part).value;
  at_.M = parts.sparse.M;
  v_ = v;
  tau_ = tau;
  left_out_ = left_out;
  const auto ng = static_cast<std::ptrdiff_t>(shape_.ng);
  not_imposed_.assign(static_cast<std::size_t>(shape_.multipliers()), 0);
  mark(not_imposed_, left_out);
  not_of_g_ = not_of_w_ = not_imposed_;
  std::fill(not_of_g_.begin() + ng, not_of_g_.end(), 1);
  std::fill(not_of_w_.begin(), not_of_w_.begin() + ng, 1);
}

void SparseLinearization::set_accelerations(const Evaluation& parts, const std::vector<int>& left_out) {
  accelerating_ = parts.sparse;
  left_out_there_ = left_out;
  not_accelerated_.assign(static_cast<std::size_t>(shape_.multipliers()), 0);
  mark(not_accelerated_, left_out);
}

void SparseLinearization::set_beside(const Evaluation& parts) {
  if (beside_C_.value == parts.sparse.C.value && beside_L_.value == parts.sparse.L.value) return;
  beside_C_ = parts.sparse.C;
  beside_L_ = parts.sparse.L;
  ++beside_changes_;
}

void SparseLinearization::measure_beside_by(double tau) {
  if (!beside_ || tau == tau_) return;
  tau_ = tau;
  ++beside_changes_;
}

void SparseLinearization::set_invariants(const Matrix& gradients) {
  gradients_ = gradients;
}

template <class Scalar>
class SparseIterationMatrix final : public FieldIteration<Scalar> {
  using Base = FieldIteration<Scalar>;
  using Base::displacements, Base::velocities, Base::matrix_, Base::x_, Base::border_;
  using typename Base::Border;
  using typename Base::Columns;
  using typename Base::Values;

 public:
  SparseIterationMatrix(const SparseLinearization& at, Work& work)
      : Base(at.pattern_, at.shape_, at.place_), at_(at), work_(work) {
    border_.setZero(at.invariants_);
  }

  Status factor(Scalar c) override {
    ++work_.factorizations;
    c_ = c;
    return factor_fields() ? Status::ok : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    if (made_with_ != at_.beside_changes_ && !factor_fields()) {
      increment.setConstant(std::numeric_limits<double>::quiet_NaN());  // a step that cannot be made
      return;
    }
    const int ng = at_.shape_.ng, nk = at_.shape_.nk, count = at_.invariants_;
    const auto& fields = at_.fields_;
    this->take_levels(residual, c_);
    x_.tail(x_.size() - 2 * at_.shape_.nv).setZero();
    for (int k = 0; k < static_cast<int>(fields.size()); ++k) {
      const RowField& field = fields[static_cast<std::size_t>(k)];
      const int to = at_.pattern_->row_field(k);
      if (field.residual_of_g >= 0) x_.segment(to, ng) = residual.segment(field.residual_of_g, ng);
      if (field.residual_of_w >= 0) x_.segment(to + ng, nk) = residual.segment(field.residual_of_w, nk);
    }
    border_ = residual.segment(at_.first_invariant_, count);
    this->solve_fields(border_);
    this->give_levels(increment);
    for (int k = 0; k < static_cast<int>(fields.size()); ++k) {
      const RowField& field = fields[static_cast<std::size_t>(k)];
      const int from = at_.pattern_->row_field(k);
      if (field.unknown_of_g >= 0) increment.segment(field.unknown_of_g, ng) = x_.segment(from, ng);
      if (field.unknown_of_w >= 0) increment.segment(field.unknown_of_w, nk) = x_.segment(from + ng, nk);
    }
    increment.segment(at_.first_invariant_, count) = border_;
  }

 private:
  bool factor_fields() {
    const SparseParts& at = at_.at_;
    made_with_ = at_.beside_changes_;
    matrix_.clear();
    this->put_displacements(c_, at_.quaternions_, at_.v_);
    put_top(at);
    if (at_.accelerations_)
      this->put_accelerations(accelerations, {at_.accelerating_, at.C, at.M, at_.not_accelerated_});
    for (const auto& row : at_.imposed_) {
      const bool beside = at_.beside_ && (row.field > 0 || at_.differentiated_);
      const linalg::SparseRows &C = beside ? at_.beside_C_ : at.C, &L = beside ? at_.beside_L_ : at.L;
      this->put_rates(row.field, row.by_g, row.by_rate, C, L, at_.not_of_g_);
      if (row.velocities && at_.shape_.nk > 0) this->put_rates(row.field, 0, 1, C, L, at_.not_of_w_);
    }
    put_pushes(at_.beside_ ? at_.beside_C_ : at.C, at_.beside_ ? at_.beside_L_ : at.L);
    const bool apart = at_.accelerations_ && !at_.differentiated_;
    if (apart)
      for (const int row : at_.left_out_there_) matrix_.add_to_row(0, 0, row, 1.0);
    for (const int row : at_.left_out_)
      for (int k = apart ? 1 : 0; k < static_cast<int>(at_.fields_.size()); ++k)
        matrix_.add_to_row(k, k, row, 1.0);
    return Base::factor_fields(border());
  }

  void put_top(const SparseParts& at) {
    if (at_.forces_) {
      matrix_.add_mass(velocities, velocities, at.M, c_);
      this->put_forces(velocities, at);
      if (at_.shape_.multipliers() > 0) matrix_.add_transposed(velocities, 0, at.C, 1.0);
    } else if (at_.by_mass_) {
      matrix_.add_mass(velocities, velocities, at.M, c_);
      matrix_.add_mass(velocities, accelerations, at.M, -1.0);
    } else {
      matrix_.add_identity(velocities, velocities, c_);
      matrix_.add_identity(velocities, accelerations, -1.0);
    }
  }

  // Of multipliers of positions, then of velocities.
  void put_pushes(const linalg::SparseRows& C, const linalg::SparseRows& L) {
    const int positions = at_.positions();
    if (at_.input_) {
      const int push = at_.accelerations_ ? accelerations + 1 : accelerations;
      matrix_.add_mass(push, push, at_.at_.M, c_);
      matrix_.add_transposed(push, positions, C, -1.0);
      matrix_.add_identity(displacements, push, -c_);
    } else if (at_.stabilized_ > 0 || at_.beside_) {
      matrix_.add_transposed(displacements, positions, C, -1.0, at_.push_metric_);
    }
    if (positions < 2) return;
    matrix_.add_transposed(velocities, 1, C, -1.0, at_.by_mass_ ? Vector() : at_.push_metric_);
    if (at_.coupled_ || at_.beside_)
      matrix_.add_transposed(displacements, 1, L, -at_.tau_ * at_.tau_, at_.push_metric_);
  }

  Border border() const {
    const int count = at_.invariants_, nv = at_.shape_.nv;
    if (count == 0) return {};
    Matrix push = -at_.gradients_.transpose();
    push.topRows(nv) *= at_.tau_ * at_.tau_;
    for (int level = 0; level < 2 && at_.push_metric_.size() > 0; ++level)
      push.middleRows(level * nv, nv).array().colwise() *= at_.push_metric_.array();
    if (at_.by_mass_)
      for (int i = 0; i < count; ++i) {
        const Vector own = push.col(i).tail(nv);
        push.col(i).tail(nv).setZero();
        at_.pattern_->add_mass_times(at_.at_.M, own.data(), push.col(i).data() + nv);
      }
    Border border{.columns = Columns::Zero(x_.size(), count),
                  .rows = Columns::Zero(count, x_.size()),
                  .corner = Columns::Zero(count, count)};
    border.columns.topRows(2 * nv) = push.template cast<Scalar>();
    border.rows.leftCols(2 * nv) = at_.gradients_.template cast<Scalar>();
    return border;
  }

  enum { accelerations = Base::velocities + 1 };
  const SparseLinearization& at_;
  Work& work_;
  Scalar c_ = 0;
  long made_with_ = 0;  // which rows beside
};

std::unique_ptr<IterationMatrix<double>> SparseLinearization::real_matrix(Work& work) const {
  return std::make_unique<SparseIterationMatrix<double>>(*this, work);
}

std::unique_ptr<IterationMatrix<std::complex<double>>> SparseLinearization::complex_matrix(Work& work) const {
  return std::make_unique<SparseIterationMatrix<std::complex<double>>>(*this, work);
}

}  // namespace driftless::formulations
