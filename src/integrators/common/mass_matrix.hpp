// MassMatrix: what integrators do with M, however evaluations keep it: whole, or without its zeros, as the blocks of branches one after the other.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/linalg/field_matrix.hpp>

namespace driftless::integrators {

class MassMatrix {
 public:
  using Entries = Eigen::Map<const Vector>;

  MassMatrix() = default;
  explicit MassMatrix(const Problem& problem) : n_(problem.shape().nv), dynamics_(sparse_dynamics(problem)) {
    const Shape& s = problem.shape();
    if (dynamics_) {
      const linalg::SparseRows none;
      pattern_ = std::make_shared<const linalg::FieldPattern>(dynamics_->branches().sizes, none, none, 0,
                                                              linalg::Fields{});
      blocks_.emplace(pattern_);
    } else {
      whole_ = linalg::SaddlePoint({n_, 0, s.mass, s.mass_blocks});
      no_rows_.setZero(0, n_);
    }
  }

  Storage storage() const { return dynamics_ ? Storage::sparse : Storage::whole; }
  // What add_rate() needs in an evaluation, at a point with a.
  Parts parts_of_rate() const { return dynamics_ ? Parts() : Parts(Part::mass_product_jacobian); }

  Entries entries(const Evaluation& e) const {
    return dynamics_ ? Entries(e.sparse.M.data(), static_cast<Eigen::Index>(e.sparse.M.size()))
                     : Entries(e.M.data(), e.M.size());
  }
  void times(const Evaluation& e, VectorIn x, VectorOut product) const {
    if (!dynamics_) {
      product.noalias() = e.M.lazyProduct(x);
      return;
    }
    product.setZero();
    pattern_->add_mass_times(e.sparse.M, x.data(), product.data());
  }
  // product = (M - M_later) x
  void times_loss(const Evaluation& e, const Evaluation& later, VectorIn x, VectorOut product) {
    if (!dynamics_) {
      whole_loss_ = e.M - later.M;
      product.noalias() = whole_loss_.lazyProduct(x);
      return;
    }
    loss_.resize(e.sparse.M.size());
    Eigen::Map<Vector>(loss_.data(), entries(e).size()) = entries(e) - entries(later);
    product.setZero();
    pattern_->add_mass_times(loss_, x.data(), product.data());
  }
  // sum += (M a)_x v
  void add_rate(const Point& at, Evaluation& e, VectorOut sum) const {
    if (dynamics_)
      dynamics_->add_mass_rate(at, sum, e.scratch);
    else
      sum.noalias() += e.Ma_x.lazyProduct(at.z.tail(n_));
  }

  Status factor(const Evaluation& e) {
    if (!dynamics_) return status_of(whole_.factor(e.M, no_rows_));
    blocks_->clear();
    blocks_->add_mass(0, 0, e.sparse.M, 1);
    return blocks_->factor() ? Status::ok : Status::singular_mass;
  }
  void solve(VectorIn f, VectorOut a) {
    if (!dynamics_) return whole_.solve(f, none_, a, none_);
    x_ = f;
    blocks_->solve(x_);
    a = x_;
  }

 private:
  int n_ = 0;
  const SparseDynamics* dynamics_ = nullptr;  // null: it is whole
  linalg::SaddlePoint whole_;
  Matrix no_rows_, whole_loss_;
  std::shared_ptr<const linalg::FieldPattern> pattern_;
  std::optional<linalg::FieldMatrix<double>> blocks_;
  std::vector<double> loss_;
  Vector none_, x_;
};

}  // namespace driftless::integrators
