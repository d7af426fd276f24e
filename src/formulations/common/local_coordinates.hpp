// Local coordinates u of the motions that the constraints allow, with x_0, .., x_{m-1} as functions of them:
//   u_0 = R~ q,   u_j = R x_j  (j >= 1)                       as many as there are freedoms
//   q:    R~ q = u_0,  g(q, t) = 0                            [R~ N; G] delta = (u_0 - R~ q, -g): Newton
//   x_j:  R x_j = u_j, g^(j) = 0, and for j = 1 w = 0         linear, matrix [R; G; K]
// Newton's method moves q along N delta and normalizes it, so that unit quaternions stay such. A chart is the pair
// R~, R: given and the same for ever, or chosen with its base at a point (t, q): R~ N = Z^T with Z an
// orthonormal basis of ker G, R = Z^T with that of ker [G; K]. There dq/du = Z; elsewhere the norm of dq/du is
// 1/cos of the largest angle between ker G and that of the base, and so is that of dx_1/du_1 for ker [G; K].
//
// Newton's method begins at a point that its user renews from step to step (begin_at), never at the last
// solution: so the result depends on t, y, the chart and that point only, and a repeated step repeats its bits.
#pragma once

#include <limits>
#include <vector>

#include <driftless/core/manifold.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/linalg/dense_lu.hpp>

namespace driftless::formulations {

class LocalCoordinates {
 public:
  struct Beginning {
    double t = 0;
    Vector q;
    bool operator==(const Beginning&) const = default;
  };

  LocalCoordinates(const Problem& problem, MatrixIn R);  // R~ = R for all levels; no rows: charts are chosen

  int size() const { return free_q_ + (layout_.order - 1) * free_v_; }
  bool given() const { return given_; }
  bool ready() const { return ready_; }

  void choose(double t,
              VectorIn z);  // a new chart with its base there, where none is given; begins there too
  void begin_at(double t, VectorIn q);
  const Beginning& beginning() const { return beginning_; }
  // Norm of dx/du at the beginning, of q or x_1; with a given R, times the norm of R.
  double stretch() const { return stretch_; }

  void pack(VectorIn z, VectorOut y) const;
  // z of y. rank_loss: [R~ N; G] or [R; G; K] is singular; too_far: Newton's method does not converge. Then z
  // is where it stopped.
  Status solve(double t, VectorIn y);
  bool solved() const { return solved_ && solved_status_ == Status::ok; }
  const Vector& z() const { return z_; }
  const Matrix& N() const { return parts_.N; }  // where q' = N(q) v

  // After solve(): displacements of the levels of z that belong to a change of y at the same time.
  void linearize();
  void displacement(VectorIn dy, VectorOut delta);

  const Matrix& R(int level) const { return level == 0 ? R_q_ : R_v_; }
  bool one_chart() const { return one_chart_; }  // R~ N = R: u_0' = u_1

  // Chart and beginning as numbers, always as many.
  std::vector<double> memory() const;
  std::size_t memory_size() const;
  void remember(const std::vector<double>& memory);

 private:
  Status find_positions(double t, VectorIn y);
  Status find_levels(double t, VectorIn y);
  void assemble_positions();
  void assemble_levels();
  void evaluate_velocity_parts(double t);
  linalg::DenseLu<double>& level_lu() { return one_chart_ ? position_lu_ : level_lu_; }
  double stretch_of(const linalg::DenseLu<double>& lu, bool regular, int freedoms);

  const Problem& problem_;
  const Shape& shape_;
  const Layout layout_;
  const int free_q_, free_v_;  // entries of u_0 and of every other u_j
  const bool given_, one_chart_;
  const Parts position_parts_, velocity_parts_;
  bool ready_ = false;
  Matrix R_q_, R_v_;

  Beginning beginning_;
  double stretch_ = std::numeric_limits<double>::infinity();
  linalg::DenseLu<double> beginning_lu_;
  bool beginning_regular_ = false;
  Vector beginning_g_t_;

  bool solved_ = false, linearized_ = false;  // z belongs to the following; L and w_x to z
  Status solved_status_ = Status::ok;
  double solved_t_ = 0;
  Vector solved_y_, z_;
  linalg::DenseLu<double> position_lu_, level_lu_;

  Evaluation parts_, velocity_evaluation_, linear_parts_;
  Workspace work_;
  Matrix A_, V_;  // [R~ N; G] and [R; G; K]
  Vector right_, delta_;
};

}  // namespace driftless::formulations
