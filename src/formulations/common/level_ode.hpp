// LevelOde: what systems share whose unknowns are the levels of the state, y = z = (x, x', .., x^(m-1)),
//   x_0' = N x_1,   x_j' = x_{j+1},   x_{m-1}' = a
// and which differ in how they come by a.
#pragma once

#include <algorithm>

#include <driftless/core/manifold.hpp>
#include <driftless/core/system.hpp>

namespace driftless::formulations {

class LevelOde : public System, public OdeSystem {
 public:
  explicit LevelOde(const Problem& problem);

  int size() const override { return layout_.size(); }
  void pack(const State& state, VectorOut y) const override { y = state.z; }
  void unpack(double t, VectorIn y, State& state) const override {
    state.t = t;
    state.z = y;
  }
  OdeSystem* ode() override { return this; }

 protected:
  void level_rates(double t, VectorIn y, VectorOut dy) {  // all but a; in every stage
    const int higher = (layout_.order - 2) * layout_.nv;
    if (shape_.own_kinematics)
      problem_.coordinate_rates(t, y.head(layout_.nq), y.tail(layout_.nv), dy.head(layout_.nq), work_);
    else if (layout_.order > 1)
      std::copy_n(y.data() + layout_.nq, layout_.nv + higher, dy.data());
  }
  // The derivative of all, from that of a along displacements.
  Status level_jacobian(double t, VectorIn y, const Matrix& a_z, MatrixOut rhs_y);

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  Workspace work_;

 private:
  Evaluation kinematic_parts_;
  Manifold kinematics_;
};

}  // namespace driftless::formulations
