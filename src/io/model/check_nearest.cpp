// As near to closed as it gets, by Levenberg and Marquardt:
//   (G^T G + eps I) delta = -G^T g
// Without zeros, which is the same:
//   delta = -G^T l,  (G G^T + eps I) l = g
#include <driftless/linalg/damped_solve.hpp>
#include <driftless/linalg/sparse_saddle.hpp>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

constexpr double closed = 1e-9, gained = 1e-10;
constexpr int most_steps = 200;

class DampedStep {
 public:
  explicit DampedStep(const Problem& problem) : problem_(problem), e_(storage_of(problem.shape())) {
    const Shape& s = problem.shape();
    if (!s.sparse()) whole_ = linalg::DampedSolve(linalg::Damping::shifted, s.nv);
  }

  bool factor(const State& state, double epsilon) {
    const Shape& s = problem_.shape();
    problem_.evaluate(Part::jacobian, Point(state.t, state.z), e_);
    if (!s.sparse()) {
      const Matrix A = e_.G.transpose() * e_.G;
      return whole_.factor(A, epsilon);
    }
    const linalg::SparseRows& C = e_.sparse.C;
    if (sparse_.empty()) sparse_ = linalg::SparseSaddle(C, s.ng, s.bodies);
    return sparse_.factor(nullptr, C, 0, epsilon) == linalg::FactorStatus::ok;
  }

  Vector solve(const Vector& g) {
    Vector delta = Vector::Zero(problem_.shape().nv);
    if (!problem_.shape().sparse()) {
      const Vector right = -(e_.G.transpose() * g);
      whole_.solve(right, delta);
      return delta;
    }
    Vector l = g;
    sparse_.solve_rows(l.data());
    e_.sparse.C.add_transposed_times(sparse_.rows(), -1, l.data(), delta.data());
    return delta;
  }

 private:
  const Problem& problem_;
  Evaluation e_;
  linalg::DampedSolve whole_;
  linalg::SparseSaddle sparse_;
};

}  // namespace

Vector gaps_at(const Problem& problem, const State& place) {
  if (problem.shape().ng == 0) return Vector();
  Evaluation e;
  problem.evaluate(Part::position, Point(place.t, place.z), e);
  return e.g;
}

Vector least_gaps(const Problem& problem, State state) {
  DampedStep step(problem);
  Workspace work;
  Vector g = gaps_at(problem, state);
  double epsilon = 1e-3;
  for (int i = 0; i < most_steps && g.allFinite(); ++i) {
    if (!step.factor(state, epsilon)) break;
    State next = state;
    problem.displace(state.t, next.q(), step.solve(g), work);
    const Vector smaller = gaps_at(problem, next);
    const bool better = smaller.norm() < g.norm();
    if (!better && epsilon > 1e6) break;
    epsilon *= better ? 0.2 : 5;
    if (!better) continue;
    const double gain = g.norm() - smaller.norm();
    g = smaller;
    state = next;
    if (gain < gained * g.norm() || g.norm() < closed) break;
  }
  return g;
}

}  // namespace driftless::io
