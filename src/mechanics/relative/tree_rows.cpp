// The rows of a mechanism in relative coordinates and their derivatives; see tree_dynamics.hpp.
#include "mechanics/relative/tree_dynamics.hpp"

#include <cmath>

namespace driftless::mechanics {

namespace {

// Whether a displacement along another freedom of its joint takes the axis of a freedom with it. Axes on the side of the child turn with it;
// P_b, through which turns go, moves with b.
bool carries(bool child_is_b, const Freedom<double>& by, const Freedom<double>& axis) {
  const bool turn = axis.turn != Vec3{}, by_turn = by.turn != Vec3{};
  if (child_is_b) return turn && (axis.by_b || !by_turn);
  return !axis.by_b && by_turn;
}

// s x B for each freedom s of a joint.
void put_carried(const TreeJoint& j, const TreeDynamics::At& at, std::span<Twist> all) {
  std::array<Freedom<double>, 6> freedoms;
  const Pose &parent = at.bodies[j.parent].pose, &child = at.bodies[j.child].pose;
  const bool forth = j.child_is_b();
  const int count = freedoms_of(j, forth ? parent : child, forth ? child : parent, freedoms);
  const auto first = static_cast<std::size_t>(j.v);
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
    Twist B{child.v, child.w};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      if (i == k || !carries(forth, freedoms[k], freedoms[i])) continue;
      B.linear -= at.v[first + i] * at.columns[first + i].linear;
      B.angular -= at.v[first + i] * at.columns[first + i].angular;
    }
    const Twist& s = at.columns[first + k];
    all[first + k] = {cross(s.angular, B.linear) + cross(s.linear, B.angular), cross(s.angular, B.angular)};
  }
}

// Where the entries of a row along its path go: a whole matrix, or rows without zeros, from the end of the row to its beginning.
struct WholeEntries {
  Matrix& rows;
  int row = 0;
  void begin(int i) { row = i; }
  void next(const TreeJoint&) {}
  double& operator()(int k) { return rows(row, k); }
};
struct SparseEntries {
  linalg::SparseRows& rows;
  double* at = nullptr;
  int first = 0;
  void begin(int i) { at = rows.value.data() + rows.last(i); }
  void next(const TreeJoint& j) {
    at -= j.velocities();
    first = j.v;
  }
  double& operator()(int k) { return at[k - first]; }
};

}  // namespace

void TreeDynamics::rows(const At& at, int first, int count, const RowParts& wanted) const {
  for (int i = 0; i < count; ++i) {
    const Row& row = model_.row(first + i);
    double value = -row.offset, rate = first < model_.ng ? 0 : -row.offset, curved = 0;
    if (row.motion >= 0) {
      const auto target = model_.absolute.motions[static_cast<std::size_t>(row.motion)].value(
          autodiff::Jet<2>::variable(at.t));
      value -= target.derivative(0);
      rate -= target.derivative(1);
      curved -= target.derivative(2);
    }
    for (const Row::Term& term : row.terms) {
      const Measure& m = model_.measure(term.measure);
      const FirstOrder<double> y = at.bodies.first(m);
      const double slope = term.slope(y.value);
      value += term.value(y.value);
      rate += slope * y.rate;
      if (!wanted.curvature) continue;
      const Moved &a = at.bodies[m.a], &b = at.bodies[m.b];
      curved += slope * (along({a.acceleration, a.turning}, y.gradient[0]) +
                         along({b.acceleration, b.turning}, y.gradient[1]) +
                         driftless::mechanics::curvature(m, a.pose, b.pose)) +
                term.bend(y.value) * y.rate * y.rate;
    }
    if (wanted.g) wanted.g[i] = value;
    if (wanted.rate) wanted.rate[i] = rate;
    if (wanted.curvature) wanted.curvature[i] = curved;
  }
}

void TreeDynamics::add_row(const At& at, int row, double factor, std::span<Pull> pulls) const {
  for (const Row::Term& term : model_.row(row).terms) {
    const Measure& m = model_.measure(term.measure);
    const FirstOrder<double> y = at.bodies.first(m);
    const double slope = factor * term.slope(y.value);
    take(pulls[static_cast<std::size_t>(m.a)], -slope, y.gradient[0]);
    take(pulls[static_cast<std::size_t>(m.b)], -slope, y.gradient[1]);
  }
}

// Whether an entry of the row is more than its parts leave when they cancel; forces and torques: how large the parts of pulls are.
bool TreeDynamics::moves_row(const At& at, int row, std::span<Pull> pulls, std::span<double> forces,
                             std::span<double> torques) const {
  constexpr double vanishing = 3e-6;  // as angles between rows of bodies (rank_decision.hpp)
  for (const Row::Term& term : model_.row(row).terms) {
    const Measure& m = model_.measure(term.measure);
    const FirstOrder<double> y = at.bodies.first(m);
    const int ends[] = {m.a, m.b};
    for (std::size_t side = 0; side < 2; ++side) {
      const double slope = std::abs(term.slope(y.value));
      forces[static_cast<std::size_t>(ends[side])] += slope * norm(y.gradient[side].force);
      torques[static_cast<std::size_t>(ends[side])] += slope * norm(y.gradient[side].torque);
    }
  }
  add_row(at, row, 1, pulls);
  bool moves = false;
  for (const int link : model_.paths[static_cast<std::size_t>(row)]) {
    const TreeJoint& j = model_.tree[static_cast<std::size_t>(link)];
    const auto child = static_cast<std::size_t>(j.child), parent = static_cast<std::size_t>(j.parent);
    for (auto k = static_cast<std::size_t>(j.v); k < static_cast<std::size_t>(j.v + j.velocities()); ++k) {
      const Twist& s = at.columns[k];
      const double parts = norm(s.linear) * forces[child] + norm(s.angular) * torques[child];
      moves = moves || !(std::abs(along(s, pulls[child])) <= vanishing * parts);
    }
    const Vec3 arm = at.bodies[j.child].arms.body;
    hand_on<double>(pulls[child], arm, pulls[parent]);
    forces[parent] += forces[child];
    torques[parent] += torques[child] + norm(arm) * forces[child];
    pulls[child] = {}, forces[child] = torques[child] = 0;
  }
  pulls[0] = {}, forces[0] = torques[0] = 0;
  return moves;
}

std::vector<int> TreeDynamics::met_rows(double t, std::span<const double> q) const {
  constexpr double off = 1e-10;  // what is farther off is for the start to refuse
  Arena scratch;
  const auto bodies = model_.bodies();
  const auto place = scratch.take<double>(model_.nq), rest = scratch.take<double>(model_.nv),
             g = scratch.take<double>(model_.ng), forces = scratch.take<double>(bodies),
             torques = scratch.take<double>(bodies);
  const auto pulls = scratch.take<Pull>(bodies);
  std::vector<int> met;
  for (int sample = 0; sample < 4; ++sample) {
    Arena::Release scope(scratch);
    for (std::size_t k = 0; k < place.size(); ++k)
      place[k] = q[k] + 0.4 * sample * std::sin(1.0 + 7.0 * static_cast<double>(k) + sample);
    RelativeEquations{model_, scratch}.normalize(place);
    const At there = at(t, place, rest, scratch);
    if (sample == 0) {
      rows(there, 0, model_.ng, {.g = g.data()});
      for (int i = 0; i < model_.ng; ++i)
        if (model_.row(i).motion < 0 && std::abs(g[static_cast<std::size_t>(i)]) <= off) met.push_back(i);
    }
    std::erase_if(met, [&](int i) { return moves_row(there, i, pulls, forces, torques); });
  }
  return met;
}

void TreeDynamics::jacobian(const At& at, int first, int count, Matrix& rows, Arena& scratch) const {
  rows.setZero();
  put_jacobian(at, first, count, WholeEntries{rows}, scratch);
}
void TreeDynamics::jacobian(const At& at, linalg::SparseRows& rows, Arena& scratch) const {
  put_jacobian(at, 0, rows.rows, SparseEntries{rows}, scratch);
}
void TreeDynamics::rate_jacobian(const At& at, int first, int count, Matrix& rows, Arena& scratch) const {
  rows.setZero();
  put_rate_jacobian(at, first, count, WholeEntries{rows}, scratch);
}
void TreeDynamics::rate_jacobian(const At& at, linalg::SparseRows& rows, Arena& scratch) const {
  put_rate_jacobian(at, 0, rows.rows, SparseEntries{rows}, scratch);
}

template <class Rows>
void TreeDynamics::put_jacobian(const At& at, int first, int count, Rows rows, Arena& scratch) const {
  Arena::Release scope(scratch);
  const auto pulls = scratch.take<Pull>(model_.bodies());
  for (int i = 0; i < count; ++i) {
    rows.begin(i);
    add_row(at, first + i, 1, pulls);
    for (const int link : model_.paths[static_cast<std::size_t>(first + i)]) {
      const TreeJoint& j = model_.tree[static_cast<std::size_t>(link)];
      Pull& pull = pulls[static_cast<std::size_t>(j.child)];
      rows.next(j);
      for (int k = j.v; k < j.v + j.velocities(); ++k)
        rows(k) = along(at.columns[static_cast<std::size_t>(k)], pull);
      hand_on<double>(pull, at.bodies[j.child].arms.body, pulls[static_cast<std::size_t>(j.parent)]);
      pull = {};
    }
    pulls[0] = {};
  }
}

template <class Rows>
void TreeDynamics::put_rate_jacobian(const At& at, int first, int count, Rows rows, Arena& scratch) const {
  Arena::Release scope(scratch);
  const auto pulls = scratch.take<Pull>(model_.bodies()), changes = scratch.take<Pull>(model_.bodies());
  const auto carried = scratch.take<Twist>(model_.nv);
  for (const TreeJoint& j : model_.tree) put_carried(j, at, carried);
  for (int i = 0; i < count; ++i) {
    rows.begin(i);
    add_row(at, first + i, 1, pulls);
    for (const Row::Term& term : model_.row(first + i).terms) {
      const Measure& m = model_.measure(term.measure);
      const FirstOrder<double> y = at.bodies.first(m);
      const Pulls change = rate_gradient(m, at.bodies[m.a].pose, at.bodies[m.b].pose);
      const int ends[] = {m.a, m.b};
      for (std::size_t side = 0; side < 2; ++side) {
        const Vec3 turned = cross(at.bodies[ends[side]].pose.v, y.gradient[side].force);
        Pull& sum = changes[static_cast<std::size_t>(ends[side])];
        take(sum, -term.slope(y.value), {change[side].force, change[side].torque + turned});
        take(sum, -term.bend(y.value) * y.rate, y.gradient[side]);
      }
    }
    for (const int link : model_.paths[static_cast<std::size_t>(first + i)]) {
      const TreeJoint& j = model_.tree[static_cast<std::size_t>(link)];
      Pull &pull = pulls[static_cast<std::size_t>(j.child)],
           &change = changes[static_cast<std::size_t>(j.child)];
      rows.next(j);
      for (int k = j.v; k < j.v + j.velocities(); ++k)
        rows(k) = along(at.columns[static_cast<std::size_t>(k)], change) -
                  along(carried[static_cast<std::size_t>(k)], pull);
      const Vec3 arm = at.bodies[j.child].arms.body;
      hand_on<double>(pull, arm, pulls[static_cast<std::size_t>(j.parent)]);
      hand_on<double>(change, arm, changes[static_cast<std::size_t>(j.parent)]);
      pull = change = {};
    }
    pulls[0] = changes[0] = {};
  }
}

}  // namespace driftless::mechanics
