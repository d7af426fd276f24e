// States between steps of methods that impose constraints: where drives prescribe all, the ends of steps are right whatever the step, and what is shown
// between them must be as well.
#include <gtest/gtest.h>

#include "support/model_runs.hpp"

namespace driftless::tests {
namespace {

TEST(BetweenSteps, PrescribedMechanismsAreOnTheirConstraints) {
  for (const char* name : {"delta-robot", "oldham-coupling"}) {
    const io::Model model = io::read_model(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models" /
                                           (std::string(name) + ".toml"));
    const double t_end = *model.run.t_end / 2;
    Options options{.t_end = t_end, .rtol = 1e-6};
    options.output.kind = Output::Kind::at;
    for (int i = 1; i <= 20; ++i) options.output.times.push_back(t_end * i / 20.5);
    Options tight = options;
    tight.rtol = 1e-11;
    const Solution exact = run_model(model, Way::whole, tight, {.integrator = "dop853"});
    for (const Method& method : {Method{.formulation = "ggl", .integrator = "radau5"},
                                 Method{.formulation = "index2", .integrator = "radau5"},
                                 Method{.formulation = "index2", .integrator = "half-explicit"}}) {
      const Solution run = run_model(model, Way::whole, options, method);
      ASSERT_TRUE(run.complete()) << run.end_message;
      ASSERT_EQ(run.states.size(), exact.states.size());
      for (std::size_t i = 0; i < run.states.size(); ++i)
        EXPECT_LT((run.states[i].z - exact.states[i].z).lpNorm<Eigen::Infinity>(),
                  1e-4 * (1 + exact.states[i].z.lpNorm<Eigen::Infinity>()))
            << name << ", " << method.formulation << " " << method.integrator << " at " << run.states[i].t;
    }
  }
}

}  // namespace
}  // namespace driftless::tests
