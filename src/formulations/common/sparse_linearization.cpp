#include "sparse_linearization.hpp"

#include <algorithm>

#include "push_metric.hpp"

namespace driftless::formulations {

namespace {

constexpr int most_rows_together = 6;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

SparseLinearization::SparseLinearization(const Problem& problem, const ConstrainedForm& form)
    : problem_(problem),
      shape_(problem.shape()),
      imposed_(form.imposed),
      push_metric_(push_metric(problem)),
      levels_(1 + form.stabilized),
      rows_(static_cast<int>(form.imposed.size()) * shape_.ng + shape_.nk),
      branches_(dynamic_cast<const SparseDynamics&>(problem).branches()),
      v_(Vector::Zero(shape_.nv)),
      left_out_(index(shape_.multipliers()), 0),
      q_(Vector::Zero(shape_.nq)) {
  at_ = problem.sparse_pattern();
  const linalg::SparseRows &C = at_.C, &pairs = at_.Bl_x;

  std::vector<int> sizes, order, body_of(index(shape_.nv));
  for (int body = 0, first = 0; body < static_cast<int>(branches_.sizes.size()); ++body) {
    const int size = branches_.sizes[index(body)];
    body_first_.push_back(first);
    for (int k = 0; k < size; ++k) body_of[index(first + k)] = body;
    sizes.push_back(2 * size);
    order.push_back(0);
    first += size;
  }
  const int bodies = static_cast<int>(sizes.size());
  for (const int first : branches_.quaternions) quaternion_body_.push_back(body_of[index(first)]);
  std::vector<std::pair<int, int>> coupled;
  for (int body = 0; body < bodies; ++body) {
    const int row = body_first_[index(body)];
    for (int k = pairs.first(row); k < pairs.last(row);) {
      const int other = body_of[index(pairs.column_of(k))];
      pairs_.push_back({body, other, k, pairs.last(row) - pairs.first(row)});
      coupled.emplace_back(body, other);
      k += branches_.sizes[index(other)];
    }
  }
  const auto same = [&](int i, int j) {
    return std::equal(C.column.begin() + C.first(i), C.column.begin() + C.last(i),
                      C.column.begin() + C.first(j), C.column.begin() + C.last(j));
  };
  for (int i = 0; i < C.rows; ++i) {
    const bool velocity = i >= shape_.ng;
    if (!groups_.empty() && groups_.back().velocity == velocity &&
        groups_.back().count < most_rows_together && same(i - 1, i)) {
      ++groups_.back().count;
      continue;
    }
    groups_.push_back({i, 1, velocity});
  }
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    const Group& group = groups_[index(g)];
    sizes.push_back(unknowns_of(group));
    order.push_back(1);
    const int row = group.first;
    for (int k = C.first(row); k < C.last(row);) {
      const int body = body_of[index(C.column_of(k))], first = C.column_of(k);
      int count = 1;
      while (k + count < C.last(row) && C.column_of(k + count) == first + count &&
             body_of[index(first + count)] == body)
        ++count;
      segments_.push_back({g, body, k, C.last(row) - C.first(row), first - body_first_[index(body)], count});
      coupled.emplace_back(bodies + g, body);
      k += count;
    }
  }
  pattern_ = std::make_shared<const linalg::BlockPattern>(sizes, coupled, order);
}

void SparseLinearization::add_mass_times(const std::vector<double>& mass, const double* x, double* y) const {
  const double* M = mass.data();
  int first = 0;
  for (const int n : branches_.sizes) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) y[first + i] += M[i + j * n] * x[first + j];
    first += n;
    M += n * n;
  }
}

void SparseLinearization::set(const Evaluation& parts, VectorIn v, const std::vector<int>& left_out) {
  // The patterns are those of the beginning.
  for (const auto part :
       {&SparseParts::C, &SparseParts::L, &SparseParts::by_x, &SparseParts::by_v, &SparseParts::Bl_x})
    (at_.*part).value = (parts.sparse.*part).value;
  at_.M = parts.sparse.M;
  v_ = v;
  std::fill(left_out_.begin(), left_out_.end(), 0);
  for (const int row : left_out) left_out_[index(row)] = 1;
}

void SparseLinearization::set_place(double t, VectorIn q) {
  t_ = t;
  q_ = q;
}

void SparseLinearization::to_displacement(VectorIn change, VectorOut delta) const {
  problem_.displacement_of(q_, change, delta);
}

void SparseLinearization::to_coordinates(VectorIn delta, VectorOut change) const {
  problem_.coordinate_rates(t_, q_, delta, change, work_);
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

int SparseLinearization::row_of(int i, int k) const {
  const int ng = shape_.ng, count = static_cast<int>(imposed_.size());
  return k < ng ? i * ng + k : count * ng + k - ng;
}

int SparseLinearization::multiplier_of(int i, int k) const {
  return i == 0 ? k : shape_.multipliers() + k;
}

template <class Scalar>
class SparseIterationMatrix final : public IterationMatrix<Scalar> {
  using typename IterationMatrix<Scalar>::Values;

 public:
  SparseIterationMatrix(const SparseLinearization& at, Work& work)
      : at_(at), work_(work), lu_(at.pattern_, joint_nodes(at)), x_(Values::Zero(at.pattern_->rows())) {
    const int nq = at.shape_.nq, nv = at.shape_.nv;
    for (Vector* q : {&real_q_, &imaginary_q_}) q->setZero(nq);
    for (Vector* v : {&real_v_, &imaginary_v_}) v->setZero(nv);
    across_.setZero(at.shape_.own_kinematics ? nq : 0);
    for (const auto& pair : at.pairs_) pair_slots_.push_back(lu_.slot(pair.row_body, pair.column_body));
    for (const auto& segment : at.segments_) {
      rows_slots_.push_back(lu_.slot(joint_node(segment.group), segment.body));
      pull_slots_.push_back(lu_.slot(segment.body, joint_node(segment.group)));
    }
    for (int body = 0; body < bodies(); ++body) own_slots_.push_back(lu_.slot(body, body));
    for (int g = 0; g < static_cast<int>(at.groups_.size()); ++g)
      joint_slots_.push_back(lu_.slot(joint_node(g), joint_node(g)));
  }

  Status factor(Scalar c) override {
    ++work_.factorizations;
    c_ = c;
    lu_.clear();
    put_bodies();
    put_pairs();
    put_rows();
    return lu_.factor() ? Status::ok : Status::singular_step;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override;

 private:
  static std::vector<int> joint_nodes(const SparseLinearization& at) {
    std::vector<int> nodes;
    for (int g = 0; g < static_cast<int>(at.groups_.size()); ++g)
      nodes.push_back(static_cast<int>(at.branches_.sizes.size()) + g);
    return nodes;
  }
  int bodies() const { return static_cast<int>(at_.branches_.sizes.size()); }
  int joint_node(int group) const { return bodies() + group; }
  Scalar& entry(const linalg::BlockPattern::Slot& slot, int i, int j) {
    return lu_.values()[static_cast<std::ptrdiff_t>(slot.offset) + i * slot.row_step + j * slot.column_step];
  }

  void put_bodies() {
    int start = 0;  // of a block of M
    for (int body = 0; body < bodies(); ++body) {
      const int n = at_.branches_.sizes[index(body)];
      const auto& slot = own_slots_[index(body)];
      for (int i = 0; i < n; ++i) {
        entry(slot, i, i) += c_;
        entry(slot, i, n + i) -= 1.0;
        for (int j = 0; j < n; ++j) entry(slot, n + i, n + j) += c_ * at_.at_.M[index(start + i + j * n)];
      }
      start += n * n;
    }
    // W = -w~/2 on the turns that quaternions belong to.
    for (std::size_t k = 0; k < at_.branches_.quaternions.size(); ++k) {
      const int first = at_.branches_.quaternions[k];
      const double* w = at_.v_.data() + first;
      const double tilde[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
      const int body = at_.quaternion_body_[k], own = first - at_.body_first_[index(body)];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) entry(own_slots_[index(body)], own + i, own + j) += tilde[i][j] / 2;
    }
  }

  void put_pairs() {
    for (std::size_t p = 0; p < at_.pairs_.size(); ++p) {
      const auto& pair = at_.pairs_[p];
      const int n = at_.branches_.sizes[index(pair.row_body)],
                m = at_.branches_.sizes[index(pair.column_body)];
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) {
          const std::size_t k = index(pair.entry + i * pair.length + j);
          entry(pair_slots_[p], n + i, j) += at_.at_.Bl_x.value[k] - at_.at_.by_x.value[k];
          entry(pair_slots_[p], n + i, m + j) -= at_.at_.by_v.value[k];
        }
    }
  }

  double push_weight(int body, int j) const {
    return at_.push_metric_.size() > 0 ? at_.push_metric_(at_.body_first_[index(body)] + j) : 1;
  }

  void put_rows() {
    for (std::size_t g = 0; g < at_.groups_.size(); ++g)
      for (int i = 0; i < at_.groups_[g].count; ++i)
        if (at_.left_out_[index(at_.groups_[g].first + i)])
          for (int k = i; k < at_.unknowns_of(at_.groups_[g]); k += at_.groups_[g].count)
            entry(joint_slots_[g], k, k) = 1.0;
    for (std::size_t s = 0; s < at_.segments_.size(); ++s) {
      const auto& segment = at_.segments_[s];
      const auto& group = at_.groups_[index(segment.group)];
      const int n = at_.branches_.sizes[index(segment.body)];
      for (int i = 0; i < group.count; ++i) {
        const bool counts = !at_.left_out_[index(group.first + i)];
        const double *C = at_.at_.C.value.data() + segment.entry + i * segment.length,
                     *L = at_.at_.L.value.data() + segment.entry + i * segment.length;
        for (int k = 0; k < segment.count; ++k) {
          const int j = segment.first + k;
          entry(pull_slots_[s], n + j, i) += C[k];
          if (!group.velocity && at_.levels_ > 1)
            entry(pull_slots_[s], j, group.count + i) -= C[k] * push_weight(segment.body, j);
          if (!counts) continue;
          if (group.velocity) {
            entry(rows_slots_[s], i, j) += L[k];
            entry(rows_slots_[s], i, n + j) += C[k];
            continue;
          }
          for (std::size_t m = 0; m < at_.imposed_.size(); ++m) {
            const int row = static_cast<int>(m) * group.count + i;
            const double by_g = at_.imposed_[m][0], by_rate = at_.imposed_[m][1];
            entry(rows_slots_[s], row, j) += by_g * C[k] + by_rate * L[k];
            entry(rows_slots_[s], row, n + j) += by_rate * C[k];
          }
        }
      }
    }
  }

  // N^+ and N on values that may be complex.
  void to_displacement(const Values& change, Values& delta);
  void to_coordinates(const Values& delta, Values& change);

  const SparseLinearization& at_;
  Work& work_;
  linalg::BlockLu<Scalar> lu_;
  Scalar c_ = 0;
  std::vector<linalg::BlockPattern::Slot> own_slots_, pair_slots_, rows_slots_, pull_slots_, joint_slots_;
  Values x_, across_, along_, moved_;
  Vector real_q_, imaginary_q_, real_v_, imaginary_v_;
};

template <>
void SparseIterationMatrix<double>::to_displacement(const Values& change, Values& delta) {
  at_.to_displacement(change, delta);
}
template <>
void SparseIterationMatrix<double>::to_coordinates(const Values& delta, Values& change) {
  at_.to_coordinates(delta, change);
}
template <>
void SparseIterationMatrix<std::complex<double>>::to_displacement(const Values& change, Values& delta) {
  real_q_ = change.real();
  imaginary_q_ = change.imag();
  at_.to_displacement(real_q_, real_v_);
  at_.to_displacement(imaginary_q_, imaginary_v_);
  delta.real() = real_v_;
  delta.imag() = imaginary_v_;
}
template <>
void SparseIterationMatrix<std::complex<double>>::to_coordinates(const Values& delta, Values& change) {
  real_v_ = delta.real();
  imaginary_v_ = delta.imag();
  at_.to_coordinates(real_v_, real_q_);
  at_.to_coordinates(imaginary_v_, imaginary_q_);
  change.real() = real_q_;
  change.imag() = imaginary_q_;
}

template <class Scalar>
void SparseIterationMatrix<Scalar>::solve(const Eigen::Ref<const Values>& residual,
                                          Eigen::Ref<Values> increment) {
  const Shape& shape = at_.shape_;
  const int nq = shape.nq, nv = shape.nv, nz = nq + nv;
  along_.resize(nv);
  if (shape.own_kinematics) {
    across_ = residual.head(nq);
    to_displacement(across_, along_);
    moved_.resize(nq);
    to_coordinates(along_, moved_);
    across_ -= moved_;
    if (shape.norms() == 0) across_ /= c_;
  } else {
    along_ = residual.head(nv);
  }
  for (int body = 0, at = 0; body < bodies(); ++body) {
    const int n = at_.branches_.sizes[index(body)], first = at_.body_first_[index(body)];
    x_.segment(at, n) = along_.segment(first, n);
    x_.segment(at + n, n) = residual.segment(nq + first, n);
    at += 2 * n;
  }
  const auto each_unknown = [&](auto use) {
    int at = 2 * nv;
    for (const auto& group : at_.groups_) {
      const int kinds = group.velocity ? 1 : at_.levels_;
      for (int i = 0; i < kinds; ++i)
        for (int k = 0; k < group.count; ++k) use(at++, i, group.first + k);
    }
  };
  each_unknown([&](int to, int i, int k) { x_(to) = residual(nz + at_.row_of(i, k)); });
  lu_.solve(x_.data());
  for (int body = 0, at = 0; body < bodies(); ++body) {
    const int n = at_.branches_.sizes[index(body)], first = at_.body_first_[index(body)];
    along_.segment(first, n) = x_.segment(at, n);
    increment.segment(nq + first, n) = x_.segment(at + n, n);
    at += 2 * n;
  }
  if (shape.own_kinematics) {
    to_coordinates(along_, moved_);
    increment.head(nq) = moved_ + across_;
  } else {
    increment.head(nv) = along_;
  }
  each_unknown([&](int from, int i, int k) { increment(nz + at_.multiplier_of(i, k)) = x_(from); });
}

std::unique_ptr<IterationMatrix<double>> SparseLinearization::real_matrix(Work& work) const {
  return std::make_unique<SparseIterationMatrix<double>>(*this, work);
}

std::unique_ptr<IterationMatrix<std::complex<double>>> SparseLinearization::complex_matrix(Work& work) const {
  return std::make_unique<SparseIterationMatrix<std::complex<double>>>(*this, work);
}

}  // namespace driftless::formulations
