// Models that have no motion: values that are not numbers, no mass. Every formulation refuses them, or ends at once, with a sentence that
// names what is wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "conformance/methods.hpp"

namespace driftless::tests {
namespace {

struct Whole {
  static constexpr int nq = 2, ng = 1;
  void mass(auto, auto, auto M) const { M(0, 0) = 2.0, M(1, 1) = 1.0; }
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto, auto q, auto g) const { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0; }
};
struct NanForce : Whole {
  void force(auto, auto q, auto, auto f) const {
    using std::sqrt;
    f[1] = -9.81 + sqrt(q[0] - 5.0);
  }
};
struct NanConstraint : Whole {
  void constraint(auto, auto q, auto g) const {
    using std::log;
    g[0] = q[1] + log(q[0] - 5.0);
  }
};
struct NanMass : Whole {
  void mass(auto, auto q, auto M) const {
    using std::sqrt;
    M(0, 0) = 2.0 + sqrt(q[0] - 5.0), M(1, 1) = 1.0;
  }
};
struct NoMass : Whole {
  void mass(auto, auto, auto) const {}
};

TEST(BrokenModels, AreRefusedByEveryFormulation) {
  const struct {
    const char* name;
    std::shared_ptr<const Problem> problem;
    const char* blamed;
  } cases[] = {{"force", make_problem(NanForce{}), "f[1] = nan"},
               {"constraint", make_problem(NanConstraint{}), "g[0]"},
               {"mass", make_problem(NanMass{}), "M(0, 0) = nan"},
               {"no mass", make_problem(NoMass{}), "the mass matrix is singular"}};
  for (const auto& c : cases)
    for (const std::string& formulation : names_of(catalog::formulation_table()))
      for (const char* integrator : {"dopri5", "bdf", "generalized-alpha", "rattle"}) {
        Options options{.t_end = 0.1};
        if (std::string(integrator) == "rattle") options.step = 0.01;
        const std::string what = formulation + std::string(" ") + integrator + " without " + c.name;
        const std::string text = complaint([&] {
          const State start = make_state(*c.problem, {{0.6, -0.8}, {0.8, 0.6}});
          const Solution s =
              solve(*c.problem, start, {.formulation = formulation, .integrator = integrator}, options);
          EXPECT_FALSE(s.complete()) << what;
          EXPECT_TRUE(contains(s.end_message, c.blamed)) << what << ": " << s.end_message;
          throw InputError("use another: ended early");
        });
        EXPECT_TRUE(contains(text, c.blamed) || contains(text, "use ")) << what << ": " << text;
      }
}

}  // namespace
}  // namespace driftless::tests
