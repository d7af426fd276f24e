#include <driftless/mechanics/relative_coordinates.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/linalg/least_norm.hpp>
#include <driftless/mechanics/massless.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

#include "mechanics/places.hpp"
#include "mechanics/relative/body_states.hpp"
#include "mechanics/relative/relative_problem.hpp"
#include "mechanics/relative/spanning_tree.hpp"
#include "mechanics/relative/tree_dynamics.hpp"

namespace driftless::mechanics {

namespace {

void check_size(const char* whose, Eigen::Index has, int expected) {
  if (has != expected)
    throw InputError(
        fmt::format("the state has {} entries (the mechanism has {} {}); take one of this mechanism", has,
                    expected, whose));
}

void refuse_unresisted(const RelativeModel& model, const TreeDynamics& dynamics, const State& start) {
  if (!massless_body(model.absolute)) return;
  Arena scratch;
  const auto q = numbers(start.z.data(), model.nq), v = numbers(start.z.data() + model.nq, model.nv);
  const int freedom = dynamics.unresisted(dynamics.at(start.t, q, v, scratch), scratch);
  if (freedom < 0) return;
  const auto j = std::find_if(model.tree.begin(), model.tree.end(),
                              [&](const TreeJoint& t) { return freedom < t.v + t.velocities(); });
  throw InputError(fmt::format(
      "body {} has no mass of its own, and no inertia beyond its joints resists {} at the start, so "
      "that no acceleration follows; give it mass and inertia, or let a body with both hang on it",
      model.body(j->child).name, model.velocity_name(freedom)));
}

// What holds a body in its plane is not the joint's.
Pull in_plane(const Pull& pull) {
  return {{pull.force.x, pull.force.y, 0}, {0, 0, pull.torque.z}};
}
Pull moved(const Pull& pull, const Vec3& arm) {
  return {pull.force, pull.torque + cross(arm, pull.force)};
}
void put(const Pull& pull, MatrixOut column) {
  column << pull.force.x, pull.force.y, pull.force.z, pull.torque.x, pull.torque.y, pull.torque.z;
}

// Multipliers of the tree's joints, given all others: what the joint must do to its child, so that it and all that hangs on it move as they
// do, is - sum of lambda . pull of the joint's rows.
class Balance {
 public:
  Balance(const RelativeModel& model, const TreeDynamics& dynamics, const State& relative) : model_(model) {
    const auto q = numbers(relative.z.data(), model.nq), v = numbers(relative.z.data() + model.nq, model.nv);
    const auto at = dynamics.at(relative.t, q, v, scratch_);
    const auto pulls = scratch_.take<Pull>(model.bodies()), used_up = scratch_.take<Pull>(model.bodies());
    at.bodies.pulls(relative.t, pulls);
    for (int i = 0; i < model.ng + model.nk; ++i)
      dynamics.add_row(at, i, i < model.ng ? -relative.lambda(i) : -relative.kappa(i - model.ng), pulls);
    std::copy(pulls.begin(), pulls.end(), used_up.begin());
    const auto M = dynamics.articulated(at, scratch_);
    const auto y = scratch_.take<double>(model.nv), a = scratch_.take<double>(model.nv);
    dynamics.inward(at, M, used_up, y.data());
    const auto accelerations = scratch_.take<Twist>(model.bodies());
    dynamics.outward(at, M, y.data(), a.data(), accelerations);
    for (std::size_t i = 1; i < pulls.size(); ++i) {
      const Body& body = model.absolute.bodies[i];
      const Mat3& R = at.bodies.all[i].pose.R;
      pulls[i].force -= body.mass * accelerations[i].linear;
      pulls[i].torque -= R * (body.inertia * to_body(R, accelerations[i].angular));
    }
    at_ = at.bodies.all;
    missing_ = pulls;
  }

  void put_multipliers(Vector& lambda, std::span<const double> absolute_q) {
    for (auto j = model_.tree.rbegin(); j != model_.tree.rend(); ++j) {
      Pull& missing = missing_[static_cast<std::size_t>(j->child)];
      if (model_.body(j->child).kind == Body::Kind::planar) missing = in_plane(missing);
      if (j->joint >= 0) put_joint(*j, missing, lambda, absolute_q);
      hand_on<double>(missing, pose(j->child).r - pose(j->parent).r,
                      missing_[static_cast<std::size_t>(j->parent)]);
    }
  }

 private:
  const Pose& pose(int body) const { return at_[static_cast<std::size_t>(body)].pose; }

  // missing = sum of lambda . pull, both about the joint's own point: there forces and torques are of one size.
  void put_joint(const TreeJoint& j, const Pull& missing, Vector& lambda,
                 std::span<const double> absolute_q) const {
    const Joint& joint = model_.joints[static_cast<std::size_t>(j.joint)];
    const Vec3 arm = pose(j.child).r - pose(j.b.body).r - pose(j.b.body).R * j.b.point;
    const std::size_t side = j.child_is_b() ? 1 : 0;
    Matrix pulls = Matrix::Zero(6, joint.rows), right(6, 1);
    put(moved(missing, arm), right.col(0));
    for (int i = 0; i < joint.rows; ++i) {
      Pull sum;
      for (const Row::Term& term :
           model_.absolute.rows[static_cast<std::size_t>(joint.first_row + i)].terms) {
        const Measure& m = model_.absolute.measure(term.measure);
        const Pull pull = first_order<double>(m, pose(m.a), pose(m.b), absolute_q).gradient[side];
        sum.force += term.factor * pull.force;
        sum.torque += term.factor * pull.torque;
      }
      put(moved(j.flat() ? in_plane(sum) : sum, arm), pulls.col(i));
    }
    lambda.segment(joint.first_row, joint.rows) = linalg::least_norm_solution(pulls, right);
  }

  const RelativeModel& model_;
  Arena scratch_;
  Arena::Release release_{scratch_};
  std::span<const Moved> at_;
  std::span<Pull> missing_;
};

// Where rows depend on each other, multipliers are those of least norm among all that pull the bodies alike, as they would be without a
// tree.
void share_evenly(const Problem& bodies, State& state) {
  const Shape& s = bodies.shape();
  Parts parts = Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  Evaluation e(storage_of(s));
  bodies.evaluate(parts, Point(state.t, state.z), e);
  Vector all(s.multipliers());
  all << state.lambda, state.kappa;
  using Solver = ConstraintSolver;
  const auto solver =
      make_constraint_solver(bodies, Solver::Of::all, Solver::Metric::points, Solver::For::corrections);
  if (solver->factor(bodies, state.t, state.z, e) == Status::ok) {
    Vector pull = Vector::Zero(s.nv);
    e.rows().add_transposed_times(1, all.data(), pull.data());
    solver->solve(e, pull, Vector::Zero(s.multipliers()), pull, all);
    solver->least_norm(e, all);
  }
  state.lambda = all.head(s.ng), state.kappa = all.tail(s.nk);
}

}  // namespace

RelativeCoordinates::RelativeCoordinates(MechanismModel model, std::vector<Joint> joints,
                                         const State& absolute_start, int longest_branch)
    : tree_(spanning_tree(model, joints, longest_branch)) {
  check_size("by bodies", absolute_start.z.size(), model.nq + model.nv);
  const auto own = std::make_shared<RelativeModel>(
      std::move(model), std::move(joints), tree_, numbers(absolute_start.z.data(), absolute_start.layout.nq));
  const Vector z = joint_states(*own, absolute_start.q(), absolute_start.v());
  const std::vector<int> met = TreeDynamics(*own).met_rows(absolute_start.t, numbers(z.data(), own->nq));
  own->leave_to_tree(met);
  choose_signs(*own, z, absolute_start.q());
  model_ = own;
  dynamics_ = std::make_shared<const TreeDynamics>(*model_);
  problem_ = make_relative_problem(model_, dynamics_);
  start_ = relative(absolute_start);
  refuse_unresisted(*model_, *dynamics_, start_);
  const Shape& s = problem_->shape();
  bool redundant = !met.empty();
  if (s.multipliers() > 0) {
    Workspace work;
    Vector a(s.nv), multipliers(s.multipliers());
    problem_->acceleration(start_.t, start_.z, Vector::Zero(s.multipliers()), a, multipliers, work);
    redundant = redundant || !work.solver->full();
  }
  if (redundant) redundant_bodies_ = make_problem(model_->absolute);
}

State RelativeCoordinates::relative(const State& absolute) const {
  check_size("by bodies", absolute.z.size(), model_->absolute.nq + model_->absolute.nv);
  State state(problem_->shape().layout(), model_->ng, model_->nk);
  state.t = absolute.t;
  state.z = joint_states(*model_, absolute.q(), absolute.v());
  if (absolute.lambda.size() == model_->absolute.ng)
    for (int i = 0; i < model_->ng; ++i)
      state.lambda(i) = absolute.lambda(model_->rows[static_cast<std::size_t>(i)]);
  if (absolute.kappa.size() == model_->nk) state.kappa = absolute.kappa;
  state.extras = absolute.extras;
  return state;
}

State RelativeCoordinates::absolute(const State& relative) const {
  check_size("by joints", relative.z.size(), model_->nq + model_->nv);
  State known = relative;
  if (known.lambda.size() != model_->ng || known.kappa.size() != model_->nk) {
    Workspace work;
    Vector a(model_->nv), multipliers = Vector::Zero(model_->ng + model_->nk);
    problem_->acceleration(known.t, known.z, Vector::Zero(multipliers.size()), a, multipliers, work);
    known.lambda = multipliers.head(model_->ng), known.kappa = multipliers.tail(model_->nk);
  }
  const MechanismModel& all = model_->absolute;
  State state({2, all.nq, all.nv}, all.ng, all.nk);
  const BodyStates there = body_states(*model_, known.z);
  state.t = known.t;
  state.q() = there.q, state.v() = there.v;
  for (int i = 0; i < model_->ng; ++i)
    state.lambda(model_->rows[static_cast<std::size_t>(i)]) = known.lambda(i);
  state.kappa = known.kappa;
  state.extras = known.extras;
  Balance balance(*model_, *dynamics_, known);
  balance.put_multipliers(state.lambda, numbers(state.z.data(), all.nq));
  if (redundant_bodies_) share_evenly(*redundant_bodies_, state);
  return state;
}

Solution RelativeCoordinates::absolute(Solution run) const {
  for (State& state : run.states) state = absolute(state);
  for (EventRecord& event : run.events) event.state = absolute(event.state);
  for (Singularity& singularity : run.singularities) {
    singularity.state = absolute(singularity.state);
    for (int& row : singularity.rows)
      row = row < model_->ng ? model_->rows[static_cast<std::size_t>(row)]
                             : row - model_->ng + model_->absolute.ng;
  }
  run.final = absolute(run.final);
  return run;
}

}  // namespace driftless::mechanics
