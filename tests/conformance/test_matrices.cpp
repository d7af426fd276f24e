// Every combination of methods on mechanisms of 20 bodies (4 with redundant rows), by whole matrices and by matrices without their zeros: the same steps, the same
// motion, the same multipliers, the same refusals.
#include <gtest/gtest.h>

#include <map>

#include <driftless/mechanics/mechanism_problem.hpp>

#include "benchmarks/conformance/combinations.hpp"
#include "benchmarks/conformance/mechanisms.hpp"
#include "support/run.hpp"
#include "support/test_name.hpp"

namespace driftless::tests {
namespace {

using benchmarks::conformance::Combination;
using benchmarks::conformance::Subject;
using mechanics::Matrices;

#ifdef __SANITIZE_ADDRESS__  // twenty times slower
constexpr int bodies = 4;
const std::vector<std::string> mechanisms = {"planar", "nonholonomic"};
#else
constexpr int bodies = 20;
const std::vector<std::string> mechanisms = {"planar", "nonholonomic", "spatial", "redundant"};
#endif
constexpr double t_end = 0.006, rtol = 1e-6, step = 2e-3;

struct Both {
  explicit Both(Subject subject)
      : whole(mechanics::make_problem(subject.mechanism.finished(), Matrices::whole)),
        sparse(mechanics::make_problem(subject.mechanism.finished(), Matrices::sparse)),
        start(std::move(subject.start)) {}
  std::shared_ptr<const Problem> whole, sparse;
  State start;
};

const Both& mechanism(const std::string& name) {
  using namespace benchmarks::conformance;
  static const std::map<std::string, Both> all = [] {
    std::map<std::string, Both> made;
    made.emplace("planar", planar_row(bodies, Sleighs::none));
    made.emplace("nonholonomic", planar_row(bodies, Sleighs::one_each));
    made.emplace("spatial", spatial_row(bodies, Axes::independent));
    made.emplace("redundant", spatial_row(4, Axes::redundant));
    return made;
  }();
  return all.at(name);
}

void expect_near(const char* what, const Vector& a, const Vector& b, double part) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LE((a - b).norm(), part * a.norm()) << what;
}

bool is_regularized(const Method& method) {
  return method.formulation.starts_with("trust-region") ||
         method.formulation.starts_with("direct-regularization");
}

// state-space and the coupled form of baumgarte say so; by whole matrices Newton's method of backward-euler does not converge with regularized rows
// that are redundant.
bool has_no_use_for_redundant_rows(const Method& method) {
  return method.formulation.starts_with("state-space") || method.formulation == "baumgarte:form=coupled" ||
         (method.integrator == "backward-euler" && is_regularized(method));
}

// Newton's method stops at a hundredth of the tolerance; with regularized rows, which answer errors by gains of the size of 1/h, it stops there by
// other ways. Sweeps stop where they are near enough, and go through the rows in another order.
double allowed(const Method& method) {
  if (is_regularized(method)) return 10 * rtol;
  return method.stabilizer.find("sor") != std::string::npos ? 1e-7 : 1e-8;
}

// By integrators, so that they run side by side.
class BothMatrices : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(BothMatrices, GiveTheSameRuns) {
  const auto& [name, integrator] = GetParam();
  const Both& both = mechanism(name);
  ASSERT_FALSE(both.whole->shape().sparse());
  ASSERT_TRUE(both.sparse->shape().sparse());
  int ran = 0;
  for (const Combination& one :
       benchmarks::conformance::combinations(*both.whole, t_end, rtol, step, integrator)) {
    SCOPED_TRACE(name_of(one));
    const Solution whole = solve(*both.whole, both.start, one.method, one.options);
    ASSERT_NO_THROW(assemble(*both.sparse, one.method, one.options));
    const Solution sparse = solve(*both.sparse, both.start, one.method, one.options);
    ++ran;
    if (name == "redundant" && has_no_use_for_redundant_rows(one.method)) continue;
    EXPECT_TRUE(whole.complete()) << whole.end_message;
    EXPECT_TRUE(sparse.complete()) << sparse.end_message;
    // Whole matrices of regularized rows that are redundant serve Newton's method worse, and steps are taken again.
    const bool serve_alike = name != "redundant" || !is_regularized(one.method);
    EXPECT_TRUE(whole.work.steps == sparse.work.steps || !serve_alike);
    expect_near("motion", whole.final.z, sparse.final.z, allowed(one.method));
    expect_near("multipliers", whole.final.lambda, sparse.final.lambda, 1e-6);
    expect_near("multipliers of velocity constraints", whole.final.kappa, sparse.final.kappa, 1e-6);
  }
  // Rattle needs momenta that velocities are.
  EXPECT_EQ(ran > 0, name == "planar" || !integrator.starts_with("rattle"));
}

INSTANTIATE_TEST_SUITE_P(All, BothMatrices,
                         testing::Combine(testing::ValuesIn(mechanisms),
                                          testing::ValuesIn(benchmarks::conformance::integrator_texts())),
                         [](const auto& c) {
                           return test_name(std::get<0>(c.param) + "_" + std::get<1>(c.param));
                         });

}  // namespace
}  // namespace driftless::tests
