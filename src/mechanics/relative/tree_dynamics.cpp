#include "mechanics/relative/tree_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics/matrix_sums.hpp"

namespace driftless::mechanics {

namespace {

// The inertia of a body on which others hang by joints that move: pull = (A a + B w', B^T a + C w').
struct Inertia {
  Mat3 A = {}, B = {}, C = {};

  Pull operator*(const Twist& a) const {
    return {A * a.linear + B * a.angular, to_body(B, a.linear) + C * a.angular};
  }
  void take_away(const Pull& U, double d) {
    add_outer(A, -1 / d, U.force, U.force);
    add_outer(B, -1 / d, U.force, U.torque);
    add_outer(C, -1 / d, U.torque, U.torque);
  }
  // As it is for a point from which its own is s away.
  void add_moved_to(Inertia& parent, const Vec3& s) const {
    const Mat3 arm = tilde(s);
    Mat3 moved = B;
    mechanics::add(moved, -1, A * arm);
    mechanics::add(parent.A, 1, A);
    mechanics::add(parent.B, 1, moved);
    mechanics::add(parent.C, 1, C);
    mechanics::add(parent.C, 1, arm * moved);
    mechanics::add(parent.C, -1, transposed(B) * arm);
  }
};

// Of each body alone.
std::span<Inertia> inertias_of(const RelativeModel& model, const TreeDynamics::At& at, Arena& scratch) {
  const auto inertias = scratch.take<Inertia>(model.bodies());
  for (std::size_t i = 1; i < inertias.size(); ++i) {
    const Body& body = model.absolute.bodies[i];
    const Mat3& R = at.bodies.all[i].pose.R;
    inertias[i].A = {{body.mass, 0, 0}, {0, body.mass, 0}, {0, 0, body.mass}};
    inertias[i].C = R * body.inertia * transposed(R);
  }
  return inertias;
}

}  // namespace

// Paths go from bodies to the ground, so that coordinates along them fall.
TreeDynamics::TreeDynamics(const RelativeModel& model) : model_(model) {
  pattern_.columns = model.nv;
  for (const auto& path : model.paths) {
    std::vector<int> columns;
    for (auto link = path.rbegin(); link != path.rend(); ++link) {
      const TreeJoint& j = model.tree[static_cast<std::size_t>(*link)];
      for (int k = j.v; k < j.v + j.velocities(); ++k) columns.push_back(k);
    }
    pattern_.add_row(columns);
  }
}

TreeDynamics::At TreeDynamics::at(double t, std::span<const double> q, std::span<const double> v,
                                  Arena& scratch) const {
  const auto all = scratch.take<Moved>(model_.bodies());
  const auto columns = scratch.take<Twist>(model_.nv);
  move_tree<Depth::accelerations, double>(model_, q, v, all);
  for (const TreeJoint& j : model_.tree) {
    std::array<Twist, 6> own;
    const int count = columns_of<double>(j, all[static_cast<std::size_t>(j.parent)],
                                         all[static_cast<std::size_t>(j.child)], own);
    std::copy_n(own.begin(), count, columns.begin() + j.v);
  }
  return {t, {model_, q, all}, columns, v};
}

void TreeDynamics::forces(const At& at, Vector& f, Arena& scratch) const {
  Arena::Release scope(scratch);
  const auto pulls = scratch.take<Pull>(model_.bodies());
  at.bodies.pulls(at.t, pulls);
  for (auto j = model_.tree.rbegin(); j != model_.tree.rend(); ++j) {
    const Pull& pull = pulls[static_cast<std::size_t>(j->child)];
    for (int k = j->v; k < j->v + j->velocities(); ++k)
      f(k) = along(at.columns[static_cast<std::size_t>(k)], pull);
    hand_on<double>(pull, at.bodies[j->child].arms.body, pulls[static_cast<std::size_t>(j->parent)]);
  }
}

TreeDynamics::Articulated TreeDynamics::articulated(const At& at, Arena& scratch) const {
  Articulated M{scratch.take<Pull>(model_.nv), scratch.take<double>(model_.nv)};
  Arena::Release scope(scratch);
  const auto inertias = inertias_of(model_, at, scratch);
  for (auto j = model_.tree.rbegin(); j != model_.tree.rend(); ++j) {
    Inertia& own = inertias[static_cast<std::size_t>(j->child)];
    for (auto k = static_cast<std::size_t>(j->v); k < static_cast<std::size_t>(j->v + j->velocities()); ++k) {
      M.U[k] = own * at.columns[k];
      M.d[k] = along(at.columns[k], M.U[k]);
      if (!(M.d[k] > 0) || !std::isfinite(M.d[k])) M.regular = false;
      own.take_away(M.U[k], M.d[k]);
    }
    if (j->parent > 0)
      own.add_moved_to(inertias[static_cast<std::size_t>(j->parent)], at.bodies[j->child].arms.body);
  }
  return M;
}

int TreeDynamics::unresisted(const At& at, Arena& scratch) const {
  constexpr double roundoff = 1e-10;  // of what it would be if no joint beyond could move
  Arena::Release scope(scratch);
  const Articulated M = articulated(at, scratch);
  const auto rigid = inertias_of(model_, at, scratch);
  for (auto j = model_.tree.rbegin(); j != model_.tree.rend(); ++j) {
    const Inertia& own = rigid[static_cast<std::size_t>(j->child)];
    for (auto k = static_cast<std::size_t>(j->v); k < static_cast<std::size_t>(j->v + j->velocities()); ++k)
      if (model_.body(j->child).massless() &&
          !(M.d[k] > roundoff * along(at.columns[k], own * at.columns[k])))
        return static_cast<int>(k);
    if (j->parent > 0)
      own.add_moved_to(rigid[static_cast<std::size_t>(j->parent)], at.bodies[j->child].arms.body);
  }
  return -1;
}

void TreeDynamics::inward(const At& at, const Articulated& M, std::span<Pull> pulls, double* y) const {
  for (auto j = model_.tree.rbegin(); j != model_.tree.rend(); ++j) {
    Pull& pull = pulls[static_cast<std::size_t>(j->child)];
    for (auto k = static_cast<std::size_t>(j->v); k < static_cast<std::size_t>(j->v + j->velocities()); ++k) {
      y[k] = along(at.columns[k], pull);
      take(pull, y[k] / M.d[k], M.U[k]);
    }
    hand_on<double>(pull, at.bodies[j->child].arms.body, pulls[static_cast<std::size_t>(j->parent)]);
  }
}

void TreeDynamics::outward(const At& at, const Articulated& M, const double* y, double* a,
                           std::span<Twist> bodies) const {
  for (const TreeJoint& j : model_.tree) {
    const Twist& parent = bodies[static_cast<std::size_t>(j.parent)];
    Twist& child = bodies[static_cast<std::size_t>(j.child)];
    const Vec3 arm = at.bodies[j.child].arms.body;
    child = {parent.linear + cross(parent.angular, arm), parent.angular};
    for (int i = j.v + j.velocities() - 1; i >= j.v;
         --i) {  // the one nearest to the parent was taken away last
      const auto k = static_cast<std::size_t>(i);
      a[k] = (y[k] - along(child, M.U[k])) / M.d[k];
      child.linear += a[k] * at.columns[k].linear;
      child.angular += a[k] * at.columns[k].angular;
    }
  }
}

void TreeDynamics::transformed_rows(const At& at, const Articulated& M, linalg::SparseRows& Z,
                                    Arena& scratch) const {
  Arena::Release scope(scratch);
  const auto pulls = scratch.take<Pull>(model_.bodies());
  const auto roots = scratch.take<double>(model_.nv);
  for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = 1 / std::sqrt(M.d[k]);
  for (int i = 0; i < Z.rows; ++i) {
    double* z = Z.value.data() + Z.last(i);
    add_row(at, i, 1, pulls);
    for (const int link : model_.paths[static_cast<std::size_t>(i)]) {
      const TreeJoint& j = model_.tree[static_cast<std::size_t>(link)];
      Pull& pull = pulls[static_cast<std::size_t>(j.child)];
      z -= j.velocities();
      for (int n = 0; n < j.velocities(); ++n) {
        const auto k = static_cast<std::size_t>(j.v + n);
        const double x = along(at.columns[k], pull);
        z[n] = x * roots[k];
        take(pull, x / M.d[k], M.U[k]);
      }
      hand_on<double>(pull, at.bodies[j.child].arms.body, pulls[static_cast<std::size_t>(j.parent)]);
      pull = {};
    }
    pulls[0] = {};
  }
}

}  // namespace driftless::mechanics
