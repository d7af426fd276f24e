#include "normal_answer.hpp"

#include <driftless/linalg/dense_lu.hpp>

namespace driftless::formulations {

namespace {

using F = InvariantStabilizedOptions::F;

class ByNormalMap final : public NormalAnswer {
 public:
  ByNormalMap(const Manifold& manifold, NormalKind kind) : kind_(kind) { map_.start(manifold, kind); }
  void measure_time_by(double tau) override { map_.measure_time_by(tau); }
  Status factor(double t, VectorIn z, const Manifold& manifold) override {
    return map_.factor(manifold, t, z);
  }
  void apply(const Manifold& manifold, VectorIn r, VectorOut delta) override {
    map_.apply(manifold, r, delta);
  }

  double strength() override { return kind_ == NormalKind::transpose ? map_.largest_eigenvalue() : 1; }

 private:
  NormalKind kind_;
  NormalMap map_;
};

class ByGivenD final : public NormalAnswer {
 public:
  ByGivenD(const Manifold& manifold, std::function<void(double, VectorIn, MatrixOut)> D)
      : write_D_(std::move(D)),
        H_(Matrix::Zero(manifold.rows(), manifold.shape().layout().tangent_size())),
        D_(H_.transpose()),
        HD_(Matrix::Zero(manifold.rows(), manifold.rows())),
        lu_(manifold.rows()),
        solved_(Vector::Zero(manifold.rows())) {}

  Status factor(double t, VectorIn z, const Manifold& manifold) override {
    D_.setZero();
    write_D_(t, z, D_);
    if (!D_.allFinite()) return Status::not_finite;
    manifold.jacobian(H_);
    HD_ = H_.lazyProduct(D_);
    return lu_.factor(HD_) ? Status::ok : Status::rank_loss;
  }
  void apply(const Manifold&, VectorIn r, VectorOut delta) override {
    lu_.solve(r, solved_);
    delta = D_.lazyProduct(solved_);
  }

 private:
  std::function<void(double, VectorIn, MatrixOut)> write_D_;
  Matrix H_, D_, HD_;
  linalg::DenseLu<double> lu_;
  Vector solved_;
};

NormalKind kind_of(F answer) {
  switch (answer) {
    case F::full:
      return NormalKind::full;
    case F::split:
      return NormalKind::split;
    case F::transpose:
      return NormalKind::transpose;
    case F::input:
      return NormalKind::input;
    case F::block:
      break;
  }
  return NormalKind::block;
}

}  // namespace

std::unique_ptr<NormalAnswer> normal_answer(const Manifold& manifold,
                                            const InvariantStabilizedOptions& options) {
  if (options.D) return std::make_unique<ByGivenD>(manifold, options.D);
  return std::make_unique<ByNormalMap>(manifold, kind_of(options.answer));
}

}  // namespace driftless::formulations
