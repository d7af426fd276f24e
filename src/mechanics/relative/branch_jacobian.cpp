#include "mechanics/relative/branch_jacobian.hpp"

#include <algorithm>
#include <set>

namespace driftless::mechanics {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

// Entries of the blocks of M, as the matrix that RelativeEquations::mass writes.
struct BranchBlocks {
  double* blocks;
  const std::vector<int>&branch_of, &first, &sizes;
  const std::vector<std::size_t>& start;
  double& operator()(int i, int j) const {
    const int b = branch_of[index(i)], n = sizes[index(b)], own = first[index(b)];
    return blocks[start[index(b)] + index(i - own) + index(j - own) * index(n)];
  }
};

}  // namespace

BranchJacobian::BranchJacobian(const RelativeModel& model) : model_(model) {
  std::vector<int> of_body(index(model.bodies()), -1);  // -1: of the ground, and of what is fixed to it
  for (const TreeJoint& j : model.tree) {
    int& branch = of_body[index(j.child)] = of_body[index(j.parent)];
    if (branch < 0 && j.velocities() > 0) {
      branch = static_cast<int>(sizes_.size());
      first_.push_back(j.v);
      sizes_.push_back(0);
    }
    for (int k = 0; k < j.velocities(); ++k) branch_of_.push_back(branch);
    if (branch >= 0) sizes_[index(branch)] += j.velocities();
  }
  for (const int n : sizes_) largest_ = std::max(largest_, n);
  std::size_t entries = 0;
  for (const int n : sizes_) {
    block_start_.push_back(entries);
    entries += index(n) * index(n);
  }
  if (largest_ <= longest) find_pattern(of_body);
}

void BranchJacobian::find_pattern(const std::vector<int>& of_body) {
  std::vector<std::set<int>> touching(sizes_.size());
  const auto touch = [&](const Measure& m, const Measure& by) {
    for (const int x : {m.a, m.b})
      for (const int y : {by.a, by.b})
        if (of_body[index(x)] >= 0 && of_body[index(y)] >= 0) {
          touching[index(of_body[index(x)])].insert(of_body[index(y)]);
          touching[index(of_body[index(y)])].insert(of_body[index(x)]);
        }
  };
  for (std::size_t b = 0; b < touching.size(); ++b) touching[b].insert(static_cast<int>(b));
  for (int i = 0; i < model_.ng + model_.nk; ++i)
    for (const Row::Term& term : model_.row(i).terms) {
      const Measure& m = model_.measure(term.measure);
      // What a multiplier along a fixed direction does to a branch does not change as another one moves.
      if (term.power > 1 || (m.kind != Measure::Kind::component && m.kind != Measure::Kind::angle))
        touch(m, m);
    }
  for (const Force& force : model_.absolute.forces) {
    const Measure& m = model_.measure(force.measure);
    touch(m, m);
    if (const auto* law = std::get_if<ExpressionLaw>(&force.law))
      for (const int input : law->inputs) touch(m, model_.measure(input));
  }
  // Greedy: what any neighbour touches must have another colour.
  color_.assign(sizes_.size(), -1);
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    std::set<int> taken;
    for (const int near : touching[b])
      for (const int next : touching[index(near)]) taken.insert(color_[index(next)]);
    int color = 0;
    while (taken.count(color)) ++color;
    color_[b] = color;
    colors_ = std::max(colors_, color + 1);
  }
  pattern_.columns = model_.nv;
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    std::vector<int> columns;
    for (const int other : touching[b])
      for (int k = 0; k < sizes_[index(other)]; ++k) columns.push_back(first_[index(other)] + k);
    for (int k = 0; k < sizes_[b]; ++k) pattern_.add_row(columns);
  }
}

void BranchJacobian::mass(std::span<const double> q, double t, std::vector<double>& blocks,
                          Arena& scratch) const {
  blocks.assign(block_start_.empty() ? 0 : block_start_.back() + index(sizes_.back()) * index(sizes_.back()),
                0.0);
  RelativeEquations{model_, scratch}.mass(
      t, q, BranchBlocks{blocks.data(), branch_of_, first_, sizes_, block_start_});
}

// What it takes to give joints the accelerations a, less from the pulls.
void BranchJacobian::pull_by_inertia(VectorIn a, const Bodies<D>& bodies, std::span<PullOf<D>> pulls,
                                     Arena& scratch) const {
  const auto added = scratch.take<TwistOf<D>>(model_.bodies());  // accelerations that a makes
  for (const TreeJoint& j : model_.tree) {
    std::array<TwistOf<D>, 6> columns;
    const int count = columns_of<D>(j, bodies[j.parent], bodies[j.child], columns);
    const TwistOf<D>& parent = added[index(j.parent)];
    TwistOf<D>& child = added[index(j.child)];
    const Vector3<D> arm = bodies[j.child].arms.body;
    child = {parent.linear + cross(parent.angular, arm), parent.angular};
    for (int k = 0; k < count; ++k) {
      child.linear += a(j.v + k) * columns[index(k)].linear;
      child.angular += a(j.v + k) * columns[index(k)].angular;
    }
    const Body& body = model_.body(j.child);
    const Matrix3<D>& R = bodies[j.child].pose.R;
    PullOf<D>& pull = pulls[index(j.child)];
    pull.force -= body.mass * child.linear;
    pull.torque -= R * (body.inertia * to_body(R, child.angular));
  }
}

// r = what resists the pulls, inward.
void BranchJacobian::gather(const Bodies<D>& bodies, std::span<PullOf<D>> pulls, std::span<D> r) const {
  for (auto j = model_.tree.rbegin(); j != model_.tree.rend(); ++j) {
    std::array<TwistOf<D>, 6> columns;
    const int count = columns_of<D>(*j, bodies[j->parent], bodies[j->child], columns);
    const PullOf<D>& pull = pulls[index(j->child)];
    for (int k = 0; k < count; ++k) r[index(j->v + k)] = -power_of(columns[index(k)], pull);
    hand_on<D>(pull, bodies[j->child].arms.body, pulls[index(j->parent)]);
  }
}

void BranchJacobian::residual(const Point& at, std::span<const D> q, std::span<const D> v, std::span<D> r,
                              Arena& scratch) const {
  Arena::Release scope(scratch);
  const Bodies<D> bodies = RelativeEquations{model_, scratch}.bodies<Depth::accelerations, D>(q, v);
  const auto pulls = scratch.take<PullOf<D>>(model_.bodies());
  bodies.pulls(D(at.t), pulls);
  pull_by_inertia(at.a, bodies, pulls, scratch);
  for (int i = 0; i < model_.ng + model_.nk; ++i) {
    const double multiplier = i < model_.ng ? at.lambda(i) : at.kappa(i - model_.ng);
    for (const Row::Term& term : model_.row(i).terms) {
      const Measure& m = model_.measure(term.measure);
      const FirstOrder<D> y = bodies.first(m);
      const D slope = multiplier * term.slope(y.value);
      const int ends[] = {m.a, m.b};
      for (std::size_t side = 0; side < 2; ++side) {
        PullOf<D>& pull = pulls[index(ends[side])];
        pull.force -= slope * y.gradient[side].force;
        pull.torque -= slope * y.gradient[side].torque;
      }
    }
  }
  gather(bodies, pulls, r);
}

// The derivative of M_r a along v.
void BranchJacobian::add_mass_rate(const Point& at, VectorOut sum, Arena& scratch) const {
  Arena::Release scope(scratch);
  const int nq = model_.nq, nv = model_.nv;
  const auto q = scratch.take<D>(nq), r = scratch.take<D>(nv);
  const auto rates = scratch.take<double>(nq);
  const std::span<const double> place(at.z.data(), index(nq)), v(at.z.data() + nq, index(nv));
  for (const TreeJoint& j : model_.tree) joint_rates<double>(j, place, v, rates);
  for (int i = 0; i < nq; ++i) {
    q[index(i)] = D(at.z(i));
    q[index(i)].grad[0] = rates[index(i)];
  }
  const Bodies<D> bodies = RelativeEquations{model_, scratch}.bodies<Depth::places, D>(q, {});
  const auto pulls = scratch.take<PullOf<D>>(model_.bodies());
  pull_by_inertia(at.a, bodies, pulls, scratch);
  gather(bodies, pulls, r);
  for (int i = 0; i < nv; ++i) sum(i) += r[index(i)].grad[0];
}

void BranchJacobian::columns(const Point& at, bool of_velocities, linalg::SparseRows& to,
                             Arena& scratch) const {
  Arena::Release scope(scratch);
  const int nq = model_.nq, nv = model_.nv;
  const std::span<const double> place(at.z.data(), index(nq));
  const auto q = scratch.take<D>(nq), v = scratch.take<D>(nv), r = scratch.take<D>(nv);
  const auto unit = scratch.take<double>(nv), rates = scratch.take<double>(nq);
  for (int color = 0; color < colors_; ++color)
    for (int from = 0; from < largest_; from += chunk) {
      for (int i = 0; i < nq; ++i) q[index(i)] = D(at.z(i));
      for (int i = 0; i < nv; ++i) v[index(i)] = D(at.z(nq + i));
      for (std::size_t b = 0; b < sizes_.size() && of_velocities; ++b)
        for (int k = 0; k < chunk && color_[b] == color && from + k < sizes_[b]; ++k)
          v[index(first_[b] + from + k)].grad[index(k)] = 1;
      for (int k = 0; k < chunk && !of_velocities; ++k) {
        // Displacements of the k-th velocity of the chunk alone.
        for (int i = 0; i < nv; ++i) {
          const int b = branch_of_[index(i)];
          unit[index(i)] = color_[index(b)] == color && i - first_[index(b)] == from + k ? 1 : 0;
        }
        for (const TreeJoint& j : model_.tree) joint_rates<double>(j, place, unit, rates);
        for (int i = 0; i < nq; ++i) q[index(i)].grad[index(k)] = rates[index(i)];
      }
      residual(at, q, v, r, scratch);
      for (int i = 0; i < nv; ++i)
        for (int e = to.first(i); e < to.last(i); ++e) {
          const int b = branch_of_[index(to.column_of(e))], own = to.column_of(e) - first_[index(b)];
          if (color_[index(b)] == color && own >= from && own < from + chunk)
            to.value[index(e)] = r[index(i)].grad[index(own - from)];
        }
    }
}

void BranchJacobian::compute(const Point& at, linalg::SparseRows& by_x, linalg::SparseRows& by_v,
                             Arena& scratch) const {
  columns(at, false, by_x, scratch);
  columns(at, true, by_v, scratch);
}

}  // namespace driftless::mechanics
