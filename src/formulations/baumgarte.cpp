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
#include <cmath>
#include <complex>
#include <vector>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/gain_option.hpp>
#include <driftless/core/manifold.hpp>

#include "common/acceleration_system.hpp"
#include "common/coupled_baumgarte.hpp"
#include "common/decay_roots.hpp"

namespace driftless::formulations {

namespace {

struct BaumgarteOptions {
  double gamma = 5;
  bool by_coefficients = false;  // alpha and beta instead of gamma
  double alpha = 0;
  double beta = 0;
  std::vector<std::complex<double>> roots = {};  // instead of gamma
  bool automatic = false;
  bool coupled = false;
  bool curvature = true;
};

class Baumgarte final : public Formulation {
 public:
  explicit Baumgarte(const BaumgarteOptions& options) : options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (options_.by_coefficients && shape.order != 2)
      return fmt::format(
          "alpha and beta belong to systems of order 2, this one has order {}; use baumgarte:gamma=s",
          shape.order);
    const auto count = static_cast<int>(options_.roots.size());
    if (count > 0 && count != shape.order)
      return fmt::format(
          "roots has {} roots and the system has order {}; give as many, or use baumgarte:gamma=s", count,
          shape.order);
    return std::nullopt;
  }

  OwnAnswer own_answer(const Shape& shape) const override {
    return options_.automatic && shape.multipliers() > 0 ? OwnAnswer::feedback : OwnAnswer::none;
  }

  std::vector<SystemShape> shapes() const override {
    return {options_.coupled ? SystemShape::dae : SystemShape::ode};
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    if (options_.coupled) return coupled_baumgarte(problem, feedback(problem.shape()), options_.curvature);
    const bool free = problem.shape().multipliers() == 0;
    return acceleration_system(problem, free ? Feedback{} : feedback(problem.shape()));
  }

 private:
  Feedback feedback(const Shape& shape) const {
    Feedback feedback;
    const int m = shape.order;
    if (options_.automatic) {
      feedback.automatic = true;
    } else if (options_.by_coefficients) {
      feedback.gains = {options_.beta, options_.alpha};
      feedback.velocity_gain = options_.alpha / 2;
    } else if (!options_.roots.empty()) {
      feedback.gains = gains_of_roots(options_.roots);
      feedback.velocity_gain = feedback.gains.back() / m;
    } else {
      for (int j = 0; j < m; ++j) feedback.gains.push_back(binomial(m, j) * std::pow(options_.gamma, m - j));
      feedback.velocity_gain = options_.gamma;
    }
    return feedback;
  }

  BaumgarteOptions options_;
};

std::unique_ptr<Formulation> make(const OptionValues& o) {
  BaumgarteOptions options;
  options.automatic = gain_is_automatic(o, {"gamma", "roots", "alpha", "beta"});
  options.coupled = o.word("form") == "coupled";
  options.curvature = o.word("curvature") == "on";
  if (options.coupled && options.automatic)
    throw InputError(
        "gain=auto makes gains for explicit methods, and form=coupled is for implicit ones, which damp any "
        "gain; give gamma, or alpha and beta");
  if (!options.curvature && !options.coupled)
    throw InputError("curvature=off belongs to form=coupled; leave it out, or use form=coupled");
  options.by_coefficients = o.given("alpha") || o.given("beta");
  if (o.given("roots")) options.roots = decay_roots(o.word("roots"));
  if ((options.by_coefficients ? 1 : 0) + (o.given("gamma") ? 1 : 0) + (o.given("roots") ? 1 : 0) > 1)
    throw InputError("baumgarte takes gamma, or roots, or alpha and beta; leave the others out");
  if (o.given("alpha") != o.given("beta"))
    throw InputError(fmt::format("baumgarte needs alpha and beta together; give {} too, or use gamma",
                                 o.given("alpha") ? "beta" : "alpha"));
  if (options.by_coefficients) {
    options.alpha = o.number("alpha");
    options.beta = o.number("beta");
  } else {
    options.gamma = o.number("gamma");
  }
  return std::make_unique<Baumgarte>(options);
}

}  // namespace

FormulationEntry baumgarte() {
  return {.summary = "g'' + alpha g' + beta g = 0 instead of g'' = 0",
          .shapes = {SystemShape::ode},
          .options =
              {gain_option(),
               {.name = "gamma", .fallback = "5", .help = "feedback (d/dt + gamma)^m g = 0", .at_least = 0},
               {.name = "roots",
                .fallback = "",
                .help = "m decay rates instead of gamma, separated by ';', like 3;5 or 1+2i;1-2i",
                .text = true},
               {.name = "alpha", .fallback = "", .help = "gain of g', with beta instead of gamma (order 2)"},
               {.name = "beta", .fallback = "", .help = "gain of g, with alpha instead of gamma (order 2)"},
               {.name = "form",
                .fallback = "eliminated",
                .help = "coupled: multipliers are unknowns, for implicit methods",
                .choices = {"eliminated", "coupled"}},
               {.name = "curvature",
                .fallback = "on",
                .help = "off: G a = r without the curvature c, with form=coupled",
                .choices = {"on", "off"}}},
          .make = make};
}

}  // namespace driftless::formulations
