// augmented-lagrangian: multipliers found by iteration, with one matrix M + C^T W C for all of it (C = [G; K], W = diag(penalties)),
//   (M + C^T W C) a_{k+1} = f - C^T W (c - r) - C^T l_k,     l_{k+1} = l_k + W (C a_{k+1} + c - r),     l_0 = 0
//   r = - alpha g' - beta g, in rows of K - (alpha/2) w;  any order m: the feedback of `baumgarte`, with its options
// Bayo, Garcia de Jalon, Serna (1988), whose 2 xi omega and omega^2 are alpha and beta; Bayo, Ledesma (1996) in its form for accelerations;
// Bayo, Avello (1994) for singular configurations. Derived: l_{k+1} inserted into the first equation leaves M a_{k+1} + C^T l_{k+1} = f,
// so that every iterate obeys the equations of motion, and only C a + c = r has to converge, by 1/(1 + s) per iteration with the eigenvalues s of
// W C M^-1 C^T (common/penalty_iteration.hpp, with the roundoff). Converged it is `baumgarte`, also where M is singular, and where
// constraints are redundant: l then is the one of least sum of l_i^2/W_i, because it starts at 0. Starting from the multipliers of the step
// before would save an iteration, make the right-hand side depend on history, and carry a part along that C^T does not see.
//
// Where constraints become singular an eigenvalue s passes through 0. The iterations that are allowed stop short of the limit there,
//   l = (1 - (1 + s)^-k) l_converged,      |l| <= k W |C a + c - r|
// for s below about 1/k: a regularisation by a penalty that only those directions feel.
//
// variant=srm, sequential regularization: Ascher, Lin (1996, 1997) for index 3 in the march of steps,
//   M x_s'' = f - C^T l_s,    l_s = l_{s-1} + (1/epsilon) E (g'' + alpha g' + beta g)(x_s),     s = 1, .., sweeps
// with 1/epsilon = penalty, E = I (without `penalty`: 1/epsilon E = W as above) and l_0 the multipliers at the step's start. g'' = C x'' + c makes it
// the iteration above, with as many iterations as sweeps; their error is O(h (1 + s)^-sweeps), O(epsilon^sweeps) as in the papers.
//
// Fails where M + C^T W C is singular (a free motion without mass). For a given B the iteration has I + W G M^-1 B, which may have
// eigenvalues within the unit circle, and the least norm no meaning: refused.
#include <fmt/format.h>

#include <driftless/core/entries.hpp>

#include "common/augmented_acceleration.hpp"
#include "common/feedback_options.hpp"

namespace driftless::formulations {

namespace {

class AugmentedLagrangian final : public Formulation {
 public:
  AugmentedLagrangian(const FeedbackOptions& feedback, const AugmentedOptions& options)
      : Formulation({.answer = feedback.automatic() ? OwnAnswer::feedback : OwnAnswer::none}),
        feedback_(feedback),
        options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (shape.given_input)
      return "its penalty forces act along G^T, and here the multipliers act along a given B; use baumgarte "
             "or "
             "index1";
    return feedback_.refuses(shape);
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    return acceleration_system(problem, feedback_.feedback(problem.shape()),
                               augmented_acceleration(problem, options_));
  }

 private:
  FeedbackOptions feedback_;
  AugmentedOptions options_;
};

std::unique_ptr<Formulation> make(const OptionValues& o) {
  AugmentedOptions options;
  if (o.given("penalty")) options.penalty = o.number("penalty");
  options.iterations = o.integer("iterations");
  options.tolerance = o.number("tolerance");
  const bool srm = o.word("variant") == "srm";
  if (srm) options.sweeps = o.integer("sweeps");
  for (const char* name : {"iterations", "tolerance"})
    if (srm && o.given(name))
      throw InputError(fmt::format(
          "variant=srm makes as many iterations as it has sweeps, so that {} would be ignored; give sweeps",
          name));
  if (!srm && o.given("sweeps"))
    throw InputError("sweeps belongs to variant=srm and would be ignored; give variant=srm, or iterations");
  return std::make_unique<AugmentedLagrangian>(FeedbackOptions("augmented-lagrangian", o), options);
}

}  // namespace

FormulationEntry augmented_lagrangian() {
  std::vector<OptionSpec> options = FeedbackOptions::specs();
  const OptionSpec own[] = {
      {.name = "penalty",
       .fallback = "",
       .help = "penalty of every constraint; not given: 1e7 in units of each one's C M^-1 C^T",
       .above = 0},
      {.name = "iterations",
       .fallback = "50",
       .help = "largest number of iterations",
       .at_least = 2,
       .at_most = 1e6,
       .integer = true},
      {.name = "tolerance",
       .fallback = "1e-12",
       .help = "relative error of the acceleration at which iterations end",
       .above = 0,
       .below = 1},
      {.name = "variant",
       .fallback = "converged",
       .help = "srm: a fixed number of iterations from the last multipliers (Ascher, Lin)",
       .choices = {"converged", "srm"}},
      {.name = "sweeps",
       .fallback = "2",
       .help = "iterations of variant=srm",
       .at_least = 1,
       .integer = true}};
  options.insert(options.end(), std::begin(own), std::end(own));
  return {.summary = "multipliers by penalty iterations; for redundant and singular constraints, singular M",
          .shapes = {SystemShape::ode},
          .options = std::move(options),
          .make = make,
          .stabilizer = "post:F=block",
          .takes_mass = true};
}

}  // namespace driftless::formulations
