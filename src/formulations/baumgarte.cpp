// baumgarte: the constraint is replaced by a stable combination of its derivatives (Baumgarte 1972),
//   m = 2:  g'' + alpha g' + beta g = 0          (no factor 2, no square)
//   any m:  (d/dt + s)^m g = 0, with gamma = s, so that alpha = 2 s and beta = s^2 for m = 2
//   any m:  (d/dt + r_1) .. (d/dt + r_m) g = 0, with roots = r_1;..;r_m
//   velocity constraints:  w' + (alpha/2) w = 0, which is w' + s w = 0 for gamma = s, and w' + (mean of the roots) w = 0
//   gain=auto: gains that follow the integrator and the step, in core/feedback_gains.hpp; for methods with stages the
//              feedback is that of the step's start, held
// All of it as the right-hand side r of  G a + c = r.  Ascher, Petzold (1993), (3.2) with (3.10).
//   form=coupled: multipliers are unknowns and a the rate of the discretisation, Petzold, Ren, Maly (1997), (2.5); with
//                 curvature=off without c, their (4.3)
// Small gains let the solution drift, large ones make the equations stiff; and where G turns fast, large gains destroy
// the solution itself (Ascher, Petzold, Table 4.2).
#include <driftless/core/entries.hpp>

#include "common/acceleration_system.hpp"
#include "common/coupled_baumgarte.hpp"
#include "common/feedback_options.hpp"

namespace driftless::formulations {

namespace {

class Baumgarte final : public Formulation {
 public:
  Baumgarte(const FeedbackOptions& feedback, bool coupled, bool curvature)
      : Formulation({.answer = feedback.automatic() ? OwnAnswer::feedback : OwnAnswer::none,
                     .shapes = {coupled ? SystemShape::dae : SystemShape::ode}}),
        feedback_(feedback),
        coupled_(coupled),
        curvature_(curvature) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (!curvature_ && shape.order == 1)
      return "curvature=off leaves g_t out of the equations of a system of order 1; leave it out";
    return feedback_.refuses(shape);
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    const Feedback feedback = feedback_.feedback(problem.shape());
    return coupled_ ? coupled_baumgarte(problem, feedback, curvature_)
                    : acceleration_system(problem, feedback);
  }

 private:
  FeedbackOptions feedback_;
  bool coupled_, curvature_;
};

std::unique_ptr<Formulation> make(const OptionValues& o) {
  const FeedbackOptions feedback("baumgarte", o);
  const bool coupled = o.word("form") == "coupled", curvature = o.word("curvature") == "on";
  if (coupled && feedback.automatic())
    throw InputError(
        "gain=auto makes gains for explicit methods, and form=coupled is for implicit ones, which damp any "
        "gain; give gamma, or alpha and beta");
  if (!curvature && !coupled)
    throw InputError("curvature=off belongs to form=coupled; leave it out, or use form=coupled");
  return std::make_unique<Baumgarte>(feedback, coupled, curvature);
}

std::vector<OptionSpec> options() {
  std::vector<OptionSpec> specs = FeedbackOptions::specs();
  specs.push_back({.name = "form",
                   .fallback = "eliminated",
                   .help = "coupled: multipliers are unknowns, for implicit methods",
                   .choices = {"eliminated", "coupled"}});
  specs.push_back({.name = "curvature",
                   .fallback = "on",
                   .help = "off: G a = r without the curvature c, with form=coupled",
                   .choices = {"on", "off"}});
  return specs;
}

}  // namespace

FormulationEntry baumgarte() {
  return {.summary = "g'' + alpha g' + beta g = 0 instead of g'' = 0",
          .shapes = {SystemShape::ode},
          .options = options(),
          .make = make};
}

}  // namespace driftless::formulations
