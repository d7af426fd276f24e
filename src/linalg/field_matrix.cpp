#include <driftless/linalg/field_matrix.hpp>

#include <algorithm>
#include <utility>

namespace driftless::linalg {

namespace {

constexpr int most_rows_together = 6;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

FieldPattern::FieldPattern(const std::vector<int>& bodies, const SparseRows& pairs, const SparseRows& C,
                           int positions, Fields fields)
    : velocities_(0), rows_(C.rows), positions_(positions), fields_(fields) {
  std::vector<int> sizes, order, body_of;
  for (const int size : bodies) {
    body_of.insert(body_of.end(), index(size), static_cast<int>(bodies_.size()));
    bodies_.push_back({velocities_, size});
    velocities_ += size;
    sizes.push_back(fields.velocities * size);
    order.push_back(0);
  }
  std::vector<std::pair<int, int>> coupled;
  for (int body = 0; body < static_cast<int>(bodies_.size()) && !pairs.empty(); ++body) {
    const int row = bodies_[index(body)].first;
    for (int k = pairs.first(row); k < pairs.last(row);) {
      const int other = body_of[index(pairs.column_of(k))];
      pairs_.push_back({body, other, k, pairs.last(row) - pairs.first(row)});
      coupled.emplace_back(body, other);
      k += bodies_[index(other)].size;
    }
  }
  const auto same = [&](int i, int j) {
    return std::equal(C.column.begin() + C.first(i), C.column.begin() + C.last(i),
                      C.column.begin() + C.first(j), C.column.begin() + C.last(j));
  };
  for (int i = 0; i < C.rows; ++i) {
    const bool of_positions = i < positions;
    if (!groups_.empty() && groups_.back().positions == of_positions &&
        groups_.back().count < most_rows_together && same(i - 1, i))
      ++groups_.back().count;
    else
      groups_.push_back({i, 1, of_positions});
  }
  for (int g = 0; g < static_cast<int>(groups_.size()); ++g) {
    const Group& group = groups_[index(g)];
    sizes.push_back(group.count * row_fields_of(group));
    order.push_back(1);
    const int row = group.first;
    for (int k = C.first(row); k < C.last(row);) {
      const int first = C.column_of(k), body = body_of[index(first)];
      int count = 1;
      while (k + count < C.last(row) && C.column_of(k + count) == first + count &&
             body_of[index(first + count)] == body)
        ++count;
      segments_.push_back(
          {g, body, k, C.last(row) - C.first(row), first - bodies_[index(body)].first, count});
      coupled.emplace_back(node_of(g), body);
      k += count;
    }
  }
  order_ = std::make_shared<const BlockPattern>(sizes, coupled, order);
}

void FieldPattern::add_mass_times(const std::vector<double>& mass, const double* x, double* y) const {
  const double* M = mass.data();
  for (const Body& body : bodies_) {
    const int n = body.size;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) y[body.first + i] += M[i + j * n] * x[body.first + j];
    M += n * n;
  }
}

namespace {

std::vector<int> from_to(int first, int last) {
  std::vector<int> numbers;
  for (int i = first; i < last; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace

template <class Scalar>
FieldMatrix<Scalar>::FieldMatrix(std::shared_ptr<const FieldPattern> pattern)
    : at_(std::move(pattern)),
      lu_(at_->order_, from_to(static_cast<int>(at_->bodies_.size()), at_->order_->nodes())),
      ordered_(Values::Zero(at_->size())) {
  for (int body = 0; body < static_cast<int>(at_->bodies_.size()); ++body) {
    own_.push_back(lu_.slot(body, body));
    body_of_.insert(body_of_.end(), index(at_->bodies_[index(body)].size), body);
  }
  for (const auto& pair : at_->pairs_) pairs_.push_back(lu_.slot(pair.row_body, pair.column_body));
  for (const auto& segment : at_->segments_) {
    rows_.push_back(lu_.slot(at_->node_of(segment.group), segment.body));
    pulls_.push_back(lu_.slot(segment.body, at_->node_of(segment.group)));
  }
  for (int g = 0; g < static_cast<int>(at_->groups_.size()); ++g) {
    groups_.push_back(lu_.slot(at_->node_of(g), at_->node_of(g)));
    group_of_.insert(group_of_.end(), index(at_->groups_[index(g)].count), g);
  }
}

template <class Scalar>
void FieldMatrix<Scalar>::add_identity(int i, int j, Scalar factor) {
  for (std::size_t b = 0; b < own_.size(); ++b) {
    const int n = at_->bodies_[b].size;
    for (int k = 0; k < n; ++k) entry(own_[b], i * n + k, j * n + k) += factor;
  }
}

template <class Scalar>
void FieldMatrix<Scalar>::add_mass(int i, int j, const std::vector<double>& M, Scalar factor) {
  const double* block = M.data();
  for (std::size_t b = 0; b < own_.size(); ++b) {
    const int n = at_->bodies_[b].size;
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < n; ++row)
        entry(own_[b], i * n + row, j * n + column) += factor * block[row + column * n];
    block += n * n;
  }
}

template <class Scalar>
void FieldMatrix<Scalar>::add_pairs(int i, int j, const SparseRows& A, Scalar factor) {
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const auto& pair = at_->pairs_[p];
    const int n = at_->bodies_[index(pair.row_body)].size, m = at_->bodies_[index(pair.column_body)].size;
    for (int row = 0; row < n; ++row) {
      const double* values = A.value.data() + pair.entry + row * pair.length;
      for (int column = 0; column < m; ++column)
        entry(pairs_[p], i * n + row, j * m + column) += factor * values[column];
    }
  }
}

template <class Scalar>
void FieldMatrix<Scalar>::add_rows(int k, int j, const SparseRows& C, Scalar factor,
                                   const std::vector<char>& left_out) {
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    const auto& segment = at_->segments_[s];
    const auto& group = at_->groups_[index(segment.group)];
    if (k >= at_->row_fields_of(group)) continue;
    const int n = at_->bodies_[index(segment.body)].size;
    for (int i = 0; i < group.count; ++i) {
      if (left_out[index(group.first + i)]) continue;
      const double* values = C.value.data() + segment.entry + i * segment.length;
      for (int column = 0; column < segment.count; ++column)
        entry(rows_[s], k * group.count + i, j * n + segment.first + column) += factor * values[column];
    }
  }
}

template <class Scalar>
void FieldMatrix<Scalar>::add_transposed(int i, int l, const SparseRows& C, Scalar factor,
                                         const Vector& scale) {
  for (std::size_t s = 0; s < pulls_.size(); ++s) {
    const auto& segment = at_->segments_[s];
    const auto& group = at_->groups_[index(segment.group)];
    if (l >= at_->row_fields_of(group)) continue;
    const auto& body = at_->bodies_[index(segment.body)];
    for (int row = 0; row < group.count; ++row) {
      const double* values = C.value.data() + segment.entry + row * segment.length;
      for (int k = 0; k < segment.count; ++k) {
        const int own = segment.first + k;
        const double by = scale.size() > 0 ? scale(body.first + own) : 1;
        entry(pulls_[s], i * body.size + own, l * group.count + row) += factor * (by * values[k]);
      }
    }
  }
}

template <class Scalar>
void FieldMatrix<Scalar>::add_to_row(int k, int l, int row, Scalar value) {
  const int g = group_of_[index(row)];
  const auto& group = at_->groups_[index(g)];
  const int i = row - group.first, fields = at_->row_fields_of(group);
  if (k < fields && l < fields) entry(groups_[index(g)], k * group.count + i, l * group.count + i) += value;
}

template <class Scalar>
void FieldMatrix<Scalar>::add(int i, int row, int j, int column, Scalar value) {
  const int b = body_of_[index(row)];
  const auto& body = at_->bodies_[index(b)];
  entry(own_[index(b)], i * body.size + row - body.first, j * body.size + column - body.first) += value;
}

template <class Scalar>
template <class Use>
void FieldMatrix<Scalar>::each_entry(Use use) const {
  int place = 0;
  for (const auto& body : at_->bodies_)
    for (int i = 0; i < at_->fields_.velocities; ++i)
      for (int k = 0; k < body.size; ++k) use(place++, at_->velocity_field(i) + body.first + k);
  for (const auto& group : at_->groups_)
    for (int i = 0; i < at_->row_fields_of(group); ++i)
      for (int k = 0; k < group.count; ++k) use(place++, at_->row_field(i) + group.first + k);
}

template <class Scalar>
void FieldMatrix<Scalar>::solve(Values& x) {
  each_entry([&](int place, int in_x) { ordered_(place) = x(in_x); });
  lu_.solve(ordered_.data());
  each_entry([&](int place, int in_x) { x(in_x) = ordered_(place); });
}

template class FieldMatrix<double>;
template class FieldMatrix<std::complex<double>>;

}  // namespace driftless::linalg
