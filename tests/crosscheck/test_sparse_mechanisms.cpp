// Mechanisms with matrices without zeros are the mechanisms that they are with whole ones: every file in models/, evaluated and run both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include <driftless/core/sparse_dynamics.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>
#include <driftless/mechanics/relative_coordinates.hpp>

#include "support/compare.hpp"
#include "support/model_files.hpp"
#include "support/run.hpp"
#include "support/whole_matrices.hpp"

namespace driftless::tests {
namespace {

const std::filesystem::path folder = models_folder();

struct Twins {
  explicit Twins(const io::Model& model)
      : whole(mechanics::make_problem(model.mechanism.finished(), mechanics::Matrices::whole)),
        sparse(mechanics::make_problem(model.mechanism.finished(), mechanics::Matrices::sparse)),
        start(model.mechanism.assembled(model.closing)) {}
  std::shared_ptr<const Problem> whole, sparse;
  State start;
};

Matrix dense(const linalg::SparseRows& rows) {
  Matrix all = Matrix::Zero(rows.rows, rows.columns);
  for (int i = 0; i < rows.rows; ++i)
    for (int k = rows.first(i); k < rows.last(i); ++k) all(i, rows.column_of(k)) = rows.at(k);
  return all;
}

double difference(const Matrix& a, const Matrix& b) {
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff());
}

// With Newton's method to roundoff, so that two ways to factor its matrix end alike.
std::vector<Method> implicit_methods() {
  return {
      {.formulation = "ggl", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "ggl", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "index3", .integrator = "bdf:order=2,tolerance=1e-13"},
      {.formulation = "index2", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "ggl", .integrator = "backward-euler:tolerance=1e-13"},
      {.formulation = "index2-baumgarte", .integrator = "implicit-midpoint:tolerance=1e-13"},
      {.formulation = "index1", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "index1", .integrator = "radau5:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "baumgarte", .integrator = "radau5:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "baumgarte:gain=auto", .integrator = "bdf:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "baumgarte", .integrator = "implicit-midpoint:tolerance=1e-13"},
      {.formulation = "ggl:D=input", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "ggl:D=input", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "stabilized-index1", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "stabilized-index1", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "projected-invariants", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "projected-invariants", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "projected-invariants:variant=a", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "projected-invariants:variant=b", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "projected-invariants:D=input", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "projected-invariants:D=input", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "projected-invariants:invariants=energy", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "projected-invariants:D=input,invariants=energy",
       .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "baumgarte:form=coupled", .integrator = "bdf:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "baumgarte:form=coupled", .integrator = "radau5:tolerance=1e-13"},
      {.formulation = "baumgarte:form=coupled,curvature=off",
       .integrator = "radau5:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "overdetermined-index1", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "overdetermined-index1:A2=frozen,lambda=own", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "overdetermined-index2", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "overdetermined-index2:solution=null-space", .integrator = "bdf:tolerance=1e-13"},
      {.formulation = "overdetermined-index2", .integrator = "backward-euler:tolerance=1e-13"},
      {.formulation = "invariant-stabilized", .integrator = "radau5:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "invariant-stabilized", .integrator = "bdf:tolerance=1e-13", .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=full",
       .integrator = "radau5:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=split",
       .integrator = "implicit-midpoint:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=transpose",
       .integrator = "radau5:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=input",
       .integrator = "radau5:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:form=integral",
       .integrator = "bdf:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=full,form=integral,gamma=50",
       .integrator = "backward-euler:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=full,invariants=energy",
       .integrator = "radau5:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=transpose,invariants=energy",
       .integrator = "bdf:tolerance=1e-13",
       .stabilizer = "none"},
      {.formulation = "invariant-stabilized:F=input,form=integral",
       .integrator = "implicit-midpoint:tolerance=1e-13",
       .stabilizer = "none"},
  };
}

class SparseModel : public testing::TestWithParam<std::string> {};

TEST_P(SparseModel, HasTheEntriesOfWholeMatrices) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const Twins twins(model);
  const Shape& s = twins.whole->shape();
  ASSERT_TRUE(twins.sparse->shape().sparse());
  ASSERT_FALSE(s.sparse());
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  State state = twins.start;
  for (double& x : state.v()) x += 0.3 * normal(random);
  const auto some = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return normal(random); })); };
  const Vector a = some(s.nv), lambda = some(s.ng), kappa = some(s.nk);
  Parts parts = Part::mass | Part::force | Part::position | Part::rates | Parts(Part::jacobian) |
                Parts(Part::curvature) | Parts(Part::rate_jacobian) | Parts(Part::force_jacobian) |
                Parts(Part::multiplier_jacobian) | Parts(Part::energy_gradient) |
                Parts(Part::curvature_jacobian);
  if (s.nk > 0) parts = parts | Part::velocity | Part::velocity_jacobian | Parts(Part::velocity_drift);
  Evaluation whole, sparse(Storage::sparse);
  for (const int again : {1, 2}) {  // the second time entries are there already, at another place
    for (double& x : state.z) x += 0.1 * normal(random);
    twins.whole->normalize(state.q());
    const Point at(0.1 * again, state.z, a, lambda, kappa);
    twins.whole->evaluate(parts, at, whole);
    twins.sparse->evaluate(parts, at, sparse);
    Matrix C(s.multipliers(), s.nv), L(s.multipliers(), s.nv);
    C.topRows(s.ng) = whole.G;
    L.topRows(s.ng) = whole.L[0];
    if (s.nk > 0) C.bottomRows(s.nk) = whole.K, L.bottomRows(s.nk) = whole.w_x;
    EXPECT_EQ(difference(dense(sparse.sparse.C), C), 0);
    EXPECT_EQ(difference(dense(sparse.sparse.L), L), 0);
    EXPECT_LT(difference(dense(sparse.sparse.by_x), whole.f_z.leftCols(s.nv)), 1e-14);
    EXPECT_LT(difference(dense(sparse.sparse.by_v), whole.f_z.rightCols(s.nv)), 1e-14);
    EXPECT_LT(difference(dense(sparse.sparse.Bl_x), whole.Bl_x), 1e-14);
    Matrix c_z(s.multipliers(), 2 * s.nv);
    c_z.topRows(s.ng) = whole.c_z;
    if (s.nk > 0) c_z.bottomRows(s.nk) = whole.ck_z;
    EXPECT_LT(difference(dense(sparse.sparse.c_x), c_z.leftCols(s.nv)), 1e-14);
    EXPECT_LT(difference(dense(sparse.sparse.c_v), c_z.rightCols(s.nv)), 1e-14);
    EXPECT_EQ(difference(sparse.f, whole.f), 0);
    EXPECT_EQ(difference(sparse.c, whole.c), 0);
    const double* block = sparse.sparse.M.data();
    Matrix M = Matrix::Zero(s.nv, s.nv);
    int first = 0;
    for (const int n : twins.sparse->shape().bodies) {
      M.block(first, first, n, n) = Eigen::Map<const Matrix>(block, n, n);
      first += n;
      block += n * n;
    }
    EXPECT_EQ(difference(M, whole.M), 0);
    // The inverse of coordinate_rates on what that yields.
    if (s.own_kinematics) {
      Workspace work;
      Vector change(s.nq), back(s.nv);
      twins.whole->coordinate_rates(0, state.q(), a, change, work);
      twins.sparse->displacement_of(state.q(), change, back);
      EXPECT_LT(difference(back, a), 1e-14);
    }
  }
}

TEST_P(SparseModel, HasTheAccelerationsOfWholeMatrices) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const Twins twins(model);
  const Shape& s = twins.whole->shape();
  const Vector r = Vector::LinSpaced(s.multipliers(), -1, 1) * 1e-3;
  Vector a(s.nv), b(s.nv), l(s.multipliers()), m(s.multipliers());
  Workspace whole, sparse;
  const Vector none = Vector::Zero(s.multipliers());
  ASSERT_EQ(twins.whole->acceleration(0, twins.start.z, none, a, l, whole), Status::ok);
  ASSERT_EQ(twins.sparse->acceleration(0, twins.start.z, none, b, m, sparse), Status::ok);
  EXPECT_LT(difference(b, a), 1e-9);
  EXPECT_LT(difference(m, l), 1e-7);  // where rows are redundant by passes with a small shift
  if (!whole.solver->full()) return;
  ASSERT_EQ(twins.whole->acceleration(0, twins.start.z, r, a, l, whole), Status::ok);
  ASSERT_EQ(twins.sparse->acceleration(0, twins.start.z, r, b, m, sparse), Status::ok);
  EXPECT_LT(difference(b, a), 1e-9);
  EXPECT_LT(difference(m, l), 1e-9);
}

// A few steps of the same size.
TEST_P(SparseModel, MovesAlike) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const Twins twins(model);
  std::vector<Method> methods = {
      {},
      {.formulation = "baumgarte", .stabilizer = "none"},
      {.stabilizer = "post:F=full"},
      {.stabilizer = "post:F=input"},
      {.stabilizer = "post:F=transpose,alpha=0.5"},
      {.stabilizer = "post:solve=sor"},
      {.stabilizer = "post:renew=3"},
      {.stabilizer = "post:F=block,invariants=energy"},
      {.stabilizer = "backward:F=split"},
      {.stabilizer = "backward:F=transpose"},
      {.stabilizer = "forward"},
      {.stabilizer = "projection"},
      {.stabilizer = "projection:F=full"},
      {.formulation = "ggl", .integrator = "half-explicit"},
      {.formulation = "index2", .integrator = "half-explicit"},
      {.formulation = "index3", .integrator = "rattle:forces=any"},
      {.formulation = "index3", .integrator = "generalized-alpha:tolerance=1e-13"},
      {.formulation = "ggl", .integrator = "generalized-alpha:tolerance=1e-13"},
  };
  for (const Method& method : implicit_methods()) methods.push_back(method);
  Options options;
  options.step = 2e-4;
  options.t_end = twins.start.t + 10 * *options.step;
  // Coordinates of turns have a part in N^+ of whole matrices and none in that of sparse ones, which index3 and methods of first
  // order feel.
  const bool turns = !model.mechanism.finished().turns.empty();
  for (const Method& method : methods) {
    const bool mechanical =
        method.integrator.starts_with("generalized") || method.integrator.starts_with("rattle");
    if (turns && !mechanical && (method.formulation == "index3" || method.integrator.starts_with("backward")))
      continue;
    Solution whole, sparse;
    try {
      whole = solve(*twins.whole, twins.start, method, options);
    } catch (const InputError&) {
      continue;  // refused for this mechanism
    }
    SCOPED_TRACE(method.formulation + " " + method.integrator + " " + method.stabilizer);
    sparse = solve(*twins.sparse, twins.start, method, options);
    EXPECT_EQ(sparse.complete(), whole.complete()) << sparse.end_message << whole.end_message;
    if (!whole.complete() || !sparse.complete()) continue;
    EXPECT_LT(difference(sparse.final.z, whole.final.z), 1e-9);
  }
}

// What rattle refuses: forces that come from no energy, with whole matrices and by a few products of those without zeros.
TEST_P(SparseModel, RefusesAlike) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const Twins twins(model);
  const mechanics::RelativeCoordinates relative(model.mechanism.finished(), model.mechanism.joints(),
                                                twins.start);
  const auto refused = [](const Problem& problem, const State& start) {
    const std::string said = complaint([&] {
      solve(problem, start, {.formulation = "index3", .integrator = "rattle"},
            {.t_end = start.t + 1e-4, .step = 1e-4});
    });
    return said.substr(0, said.find(':', said.find(':') + 1));  // without numbers
  };
  EXPECT_EQ(refused(*twins.sparse, twins.start), refused(*twins.whole, twins.start));
  const WholeMatrices whole(relative.problem());
  EXPECT_EQ(refused(*relative.problem(), relative.start()), refused(whole, relative.start()));
}

// Trees with short branches have M, f and their derivatives without zeros too: the derivatives against those by dual numbers of all coordinates.
TEST_P(SparseModel, HasTheDerivativesOfBranches) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const auto& mechanism = model.mechanism;
  const State start = mechanism.assembled(model.closing);
  for (const int longest : {2, mechanics::RelativeCoordinates::any_length}) {
    const mechanics::RelativeCoordinates relative(mechanism.finished(), mechanism.joints(), start, longest);
    const Problem& problem = *relative.problem();
    const auto branches = dynamic_cast<const SparseDynamics&>(problem).branches();
    if (branches.sizes.empty()) continue;
    const Shape& s = problem.shape();
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    const auto some = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return normal(random); })); };
    State state = relative.start();
    for (double& x : state.v()) x += 0.3 * normal(random);
    const Vector a = some(s.nv), lambda = some(s.ng), kappa = some(s.nk);
    Parts parts = Part::mass | Part::force_jacobian | Parts(Part::mass_product_jacobian) |
                  Parts(Part::multiplier_jacobian);
    if (s.multipliers() > 0) parts = parts | Part::curvature_jacobian;
    Evaluation whole, sparse(Storage::sparse);
    const Point at(0.1, state.z, a, lambda, kappa);
    problem.evaluate(parts, at, whole);
    problem.evaluate(parts, at, sparse);
    const Matrix by_x = whole.Ma_x + whole.Bl_x - whole.f_z.leftCols(s.nv);
    EXPECT_LT(difference(dense(sparse.sparse.Bl_x) - dense(sparse.sparse.by_x), by_x), 1e-12);
    EXPECT_LT(difference(dense(sparse.sparse.by_v), whole.f_z.rightCols(s.nv)), 1e-12);
    if (s.multipliers() > 0) {
      Matrix c_z(s.multipliers(), 2 * s.nv);
      c_z.topRows(s.ng) = whole.c_z;
      if (s.nk > 0) c_z.bottomRows(s.nk) = whole.ck_z;
      EXPECT_LT(difference(dense(sparse.sparse.c_x), c_z.leftCols(s.nv)), 1e-12);
      EXPECT_LT(difference(dense(sparse.sparse.c_v), c_z.rightCols(s.nv)), 1e-12);
    }
    const double* block = sparse.sparse.M.data();
    Matrix M = Matrix::Zero(s.nv, s.nv);
    int first = 0;
    for (const int n : branches.sizes) {
      M.block(first, first, n, n) = Eigen::Map<const Matrix>(block, n, n);
      first += n;
      block += n * n;
    }
    EXPECT_LT(difference(M, whole.M), 1e-14);
  }
}

// The same in coordinates of joints, where whole matrices are those that the problem has beside the others, and M is made of branches.
void expect_the_same_along_branches(const std::string& name, const std::vector<Method>& methods) {
  const io::Model model = io::read_model(folder / (name + ".toml"));
  const auto& mechanism = model.mechanism;
  const State start = mechanism.assembled(model.closing);
  Options options;
  options.step = 2e-4;
  options.t_end = start.t + 10 * *options.step;
  for (const int longest : {2, mechanics::RelativeCoordinates::any_length}) {
    const mechanics::RelativeCoordinates relative(mechanism.finished(), mechanism.joints(), start, longest);
    if (dynamic_cast<const SparseDynamics&>(*relative.problem()).branches().sizes.empty()) continue;
    const WholeMatrices whole_problem(relative.problem());
    for (const Method& method : methods) {
      Solution whole;
      try {
        whole = solve(whole_problem, relative.start(), method, options);
      } catch (const InputError&) {
        continue;  // refused for this mechanism
      }
      SCOPED_TRACE(method.formulation + " " + method.integrator + " " + method.stabilizer);
      const Solution sparse = solve(*relative.problem(), relative.start(), method, options);
      EXPECT_EQ(sparse.complete(), whole.complete()) << sparse.end_message << whole.end_message;
      if (!whole.complete() || !sparse.complete()) continue;
      EXPECT_LT(difference(sparse.final.z, whole.final.z), 1e-9);
    }
  }
}

TEST_P(SparseModel, ImplicitMethodsMoveAlikeAlongBranches) {
  if (GetParam() == "schmidt-coupling")
    GTEST_SKIP() << "redundant nearly everywhere, and the rank changes on the way";
  expect_the_same_along_branches(GetParam(), implicit_methods());
}

TEST_P(SparseModel, MechanicalMethodsMoveAlikeAlongBranches) {
  if (GetParam() == "delta-robot")
    GTEST_SKIP()
        << "its accelerations by whole matrices jump beside the start, and a first step takes a' from them";
  expect_the_same_along_branches(
      GetParam(), {{.formulation = "index3", .integrator = "rattle:forces=any"},
                   {.formulation = "index2", .integrator = "half-explicit"},
                   {.formulation = "index3", .integrator = "generalized-alpha:tolerance=1e-13"},
                   {.formulation = "ggl", .integrator = "generalized-alpha:tolerance=1e-13"}});
}

// Implicit methods along a tree with short branches, which work without zeros, against the whole tree.
TEST_P(SparseModel, ImplicitMethodsAlongShortBranches) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const auto& mechanism = model.mechanism;
  const State start = mechanism.assembled(model.closing);
  const mechanics::RelativeCoordinates relative(mechanism.finished(), mechanism.joints(), start, 2);
  if (dynamic_cast<const SparseDynamics&>(*relative.problem()).branches().sizes.empty()) GTEST_SKIP();
  if (GetParam() == "schmidt-coupling")
    GTEST_SKIP() << "redundant nearly everywhere, and the rank changes on the way";
  Options options;
  options.step = 2e-4;
  options.t_end = start.t + 10 * *options.step;
  for (const char* integrator : {"bdf:tolerance=1e-13", "radau5:tolerance=1e-13"}) {
    const Solution by_bodies =
        solve(*mechanism.problem(), start, {.formulation = "ggl", .integrator = integrator}, options);
    const Solution by_joints = solve(*relative.problem(), relative.start(),
                                     {.formulation = "ggl", .integrator = integrator}, options);
    ASSERT_EQ(by_joints.complete(), by_bodies.complete()) << by_joints.end_message << by_bodies.end_message;
    if (!by_bodies.complete()) continue;
    // Two discretisations of one motion: of the order of their errors, beginning with one step of first order.
    EXPECT_LT(difference(relative.absolute(by_joints.final).z, by_bodies.final.z),
              integrator[0] == 'b' ? 1e-4 : 1e-9);
  }
}

// With steps by their errors: what error estimates need of the matrices is there too.
TEST_P(SparseModel, ChoosesStepsAlike) {
  const io::Model model = io::read_model(folder / (GetParam() + ".toml"));
  const Twins twins(model);
  Options options;
  options.rtol = options.atol = 1e-3;
  options.t_end = twins.start.t + 2e-3;
  for (const char* integrator : {"bdf", "radau5", "generalized-alpha"}) {
    const Method method{.formulation = "ggl", .integrator = integrator};
    const Solution whole = solve(*twins.whole, twins.start, method, options),
                   sparse = solve(*twins.sparse, twins.start, method, options);
    ASSERT_EQ(sparse.complete(), whole.complete()) << integrator << sparse.end_message << whole.end_message;
    EXPECT_NEAR(static_cast<double>(sparse.work.steps), static_cast<double>(whole.work.steps),
                2 + 0.1 * static_cast<double>(whole.work.steps))
        << integrator;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SparseModel, testing::ValuesIn(model_names()), [](const auto& c) {
  std::string name = c.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace driftless::tests
