// MultiplierDae: a DAE of index 1 with the multipliers among its unknowns, y = (z, s), s = (lambda, kappa):
//   x_0' = N x_1,  x_j' = x_{j+1}                 levels
//   0 = top(t, z, x_{m-1}', s)                    the equations of motion, nv rows
//   0 = rows(t, z, x_{m-1}', s)                   what determines the multipliers
// The last two are what a formulation adds. The iteration matrix is factored as a whole, which is simple and right for small systems; a formulation that
// has matrices without zeros overrides what is said of it here.
#pragma once

#include <memory>
#include <vector>

#include <driftless/core/carried_multipliers.hpp>
#include <driftless/core/manifold.hpp>
#include <driftless/core/system.hpp>

namespace driftless::formulations {

class MultiplierDae : public System, public DaeSystem, public CarriedMultipliers {
 public:
  explicit MultiplierDae(const Problem& problem, Storage matrices = Storage::whole);

  int size() const override { return nz_ + ns_; }
  void pack(const State& state, VectorOut y) const override;
  void unpack(double t, VectorIn y, State& state) const override;
  DaeSystem* dae() override { return this; }
  Status rates(const State& state, VectorOut yp) override;
  Status complete(State&) override { return Status::ok; }
  Multipliers carried_multipliers() const override { return Multipliers::of_step; }

  int equations() const override { return nz_ + ns_; }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override;
  Status linearize(double t, VectorIn y, VectorIn yp) override;
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override;
  bool assembles() const override { return matrices_ == Storage::whole; }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return nz_; }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override { return dense_real_matrix(*this, work()); }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return dense_complex_matrix(*this, work());
  }

 protected:
  struct Blocks {
    Matrix top_rate, top_z, top_s, rows_rate, rows_z, rows_s;  // _z: along displacements
  };
  virtual Status motion(double t, VectorIn z, VectorIn rate, VectorIn s, VectorOut top, VectorOut rows) = 0;
  virtual Status motion_jacobian(double t, VectorIn z, VectorIn rate, VectorIn s, Blocks& out) = 0;
  // In its place where matrices are sparse; such a formulation brings its iteration matrices and times_rate_matrix().
  virtual Status sparse_jacobian(double /*t*/, VectorIn /*z*/, VectorIn /*rate*/, VectorIn /*s*/) {
    return Status::ok;
  }
  virtual Status acceleration(double t, VectorIn z, VectorOut a) = 0;  // of the motion through z

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  const int nz_, ns_;
  const Storage matrices_;

 private:
  void prepare_blocks();

  std::vector<int> index_;
  Workspace workspace_;
  Evaluation kinematic_parts_;
  Manifold kinematics_;
  Vector speeds_;
  Blocks blocks_;
  Matrix top_by_z_, rows_by_z_;  // by the entries of z
};

}  // namespace driftless::formulations
