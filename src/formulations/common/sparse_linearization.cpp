#include "sparse_linearization.hpp"

#include <algorithm>

#include "push_metric.hpp"

namespace driftless::formulations {

SparseLinearization::SparseLinearization(const Problem& problem, const ConstrainedForm& form)
    : shape_(problem.shape()),
      imposed_(form.imposed),
      push_metric_(push_metric(problem)),
      stabilized_(form.stabilized > 0),
      quaternions_(dynamic_cast<const SparseDynamics&>(problem).branches().quaternions),
      at_(problem.sparse_pattern()),
      v_(Vector::Zero(shape_.nv)),
      place_(problem) {
  pattern_ = std::make_shared<const linalg::FieldPattern>(
      dynamic_cast<const SparseDynamics&>(problem).branches().sizes, at_.Bl_x, at_.C, shape_.ng,
      linalg::Fields{.velocities = 2, .rows = 1, .positions = stabilized_ ? 1 : 0});
}

void SparseLinearization::set(const Evaluation& parts, VectorIn v, const std::vector<int>& left_out) {
  // The patterns are those of the beginning.
  for (const auto part :
       {&SparseParts::C, &SparseParts::L, &SparseParts::by_x, &SparseParts::by_v, &SparseParts::Bl_x})
    (at_.*part).value = (parts.sparse.*part).value;
  at_.M = parts.sparse.M;
  v_ = v;
  left_out_ = left_out;
  const auto ng = static_cast<std::size_t>(shape_.ng), all = static_cast<std::size_t>(shape_.multipliers());
  not_of_g_.assign(all, 0);
  not_of_w_.assign(all, 1);
  std::fill(not_of_g_.begin() + static_cast<std::ptrdiff_t>(ng), not_of_g_.end(), 1);
  std::fill(not_of_w_.begin() + static_cast<std::ptrdiff_t>(ng), not_of_w_.end(), 0);
  for (const int row : left_out)
    not_of_g_[static_cast<std::size_t>(row)] = not_of_w_[static_cast<std::size_t>(row)] = 1;
}

void SparseLinearization::subtract_pushes(const linalg::SparseRows& C, const double* mu,
                                          Vector& speed) const {
  if (push_metric_.size() == 0) {
    C.add_transposed_times(shape_.ng, -1, mu, speed.data());
    return;
  }
  pushed_.setZero(shape_.nv);
  C.add_transposed_times(shape_.ng, -1, mu, pushed_.data());
  speed += pushed_.cwiseProduct(push_metric_);
}

void SparseLinearization::scale_pushes(linalg::SparseRows& C) const {
  if (push_metric_.size() == 0) return;
  for (std::size_t k = 0; k < C.value.size(); ++k) C.value[k] *= push_metric_(C.column[k]);
}

int SparseLinearization::row_of(int i, int k) const {
  const int ng = shape_.ng, count = static_cast<int>(imposed_.size());
  return k < ng ? i * ng + k : count * ng + k - ng;
}

int SparseLinearization::multiplier_of(int i, int k) const {
  return i == 0 ? k : shape_.multipliers() + k;
}

template <class Scalar>
class SparseIterationMatrix final : public FieldIteration<Scalar> {
  using Base = FieldIteration<Scalar>;
  using Base::displacements, Base::velocities, Base::matrix_, Base::x_;
  using typename Base::Values;

 public:
  SparseIterationMatrix(const SparseLinearization& at, Work& work)
      : Base(at.pattern_, at.shape_, at.place_), at_(at), work_(work) {}

  Status factor(Scalar c) override {
    ++work_.factorizations;
    c_ = c;
    const SparseParts& at = at_.at_;
    matrix_.clear();
    this->put_displacements(c, at_.quaternions_, at_.v_);
    matrix_.add_mass(velocities, velocities, at.M, c);
    matrix_.add_pairs(velocities, displacements, at.Bl_x, 1.0);
    matrix_.add_pairs(velocities, displacements, at.by_x, -1.0);
    matrix_.add_pairs(velocities, velocities, at.by_v, -1.0);
    matrix_.add_transposed(velocities, 0, at.C, 1.0);
    if (at_.stabilized_) matrix_.add_transposed(displacements, 1, at.C, -1.0, at_.push_metric_);
    for (int i = 0; i < static_cast<int>(at_.imposed_.size()); ++i) {
      const std::vector<double>& imposed = at_.imposed_[static_cast<std::size_t>(i)];
      put_row(i, imposed[0], imposed[1], at_.not_of_g_);
    }
    if (at_.shape_.nk > 0) put_row(0, 0, 1, at_.not_of_w_);
    for (const int row : at_.left_out_)
      for (int i = 0; i <= (at_.stabilized_ ? 1 : 0); ++i) matrix_.add_to_row(i, i, row, 1.0);
    return matrix_.factor() ? Status::ok : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    const int nz = at_.shape_.nq + at_.shape_.nv, ng = at_.shape_.ng, nk = at_.shape_.nk,
              rows = at_.pattern_->row_field(0), more = at_.pattern_->row_field(1);
    this->take_levels(residual, c_);
    x_.segment(rows, ng) = residual.segment(nz, ng);
    x_.segment(rows + ng, nk) = residual.tail(nk);
    if (at_.stabilized_) x_.segment(more, ng) = residual.segment(nz + ng, ng);
    matrix_.solve(x_);
    this->give_levels(increment);
    increment.segment(nz, ng + nk) = x_.segment(rows, ng + nk);
    if (at_.stabilized_) increment.segment(nz + ng + nk, ng) = x_.segment(more, ng);
  }

 private:
  // by_g times g and by_rate times g', or w for that, by displacements.
  void put_row(int i, double by_g, double by_rate, const std::vector<char>& left_out) {
    const SparseParts& at = at_.at_;
    if (by_g != 0) matrix_.add_rows(i, displacements, at.C, by_g, left_out);
    if (by_rate == 0) return;
    matrix_.add_rows(i, displacements, at.L, by_rate, left_out);
    matrix_.add_rows(i, velocities, at.C, by_rate, left_out);
  }

  const SparseLinearization& at_;
  Work& work_;
  Scalar c_ = 0;
};

std::unique_ptr<IterationMatrix<double>> SparseLinearization::real_matrix(Work& work) const {
  return std::make_unique<SparseIterationMatrix<double>>(*this, work);
}

std::unique_ptr<IterationMatrix<std::complex<double>>> SparseLinearization::complex_matrix(Work& work) const {
  return std::make_unique<SparseIterationMatrix<std::complex<double>>>(*this, work);
}

}  // namespace driftless::formulations
