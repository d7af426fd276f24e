// bdf: backward differentiation formulas of order 1 to 5, variable step and order, fixed leading coefficient (common/bdf_history.hpp),
// for y' = f and for DAEs of index 1 to 3. Brenan, Campbell, Petzold (1996), chapter 5; the corrector is iterated until its error does not
// count (common/corrector.hpp).
//   - The order is chosen by a controller (bdf-order) from local errors at the orders around. With a fixed step it is the largest one allowed,
//     and the first steps are made of smaller ones of orders 1, 2, .., so that their error is not that of order 1.
//   - A rate y'(0) is computed from the equations; multipliers need neither a rate nor a tolerance: they are out of both tests.
//   - What a stabilizer moves is part of y - y^P, so that every difference sees it.
// Dense output is the polynomial of the last step's order through the last values: continuous, error h^(k+1).
// Fails on lightly damped fast oscillations: orders 3 to 5 are unstable near the imaginary axis.
#include <fmt/format.h>

#include <driftless/core/entries.hpp>

#include "common/bdf_steps.hpp"

namespace driftless::integrators {

namespace {

BdfSettings settings_of(const OptionValues& o) {
  const std::string& jacobian = o.word("jacobian");
  using Renewal = CorrectorSettings::Renewal;
  if (o.given("order") && o.given("max_order"))
    throw InputError("order of bdf is the only one, so that max_order would be ignored; leave one out");
  if (o.given("ratio") && jacobian != "kept")
    throw InputError(
        fmt::format("ratio of bdf says how long a kept matrix serves and would be ignored with jacobian={}; "
                    "leave one out, or "
                    "use jacobian=kept",
                    jacobian));
  return {.order = o.given("order") ? o.integer("order") : o.integer("max_order"),
          .only = o.given("order"),
          .corrector = {.constant = o.number("corrector"),
                        .iterations = o.integer("iterations"),
                        .jacobian = jacobian == "step"        ? Renewal::step
                                    : jacobian == "iteration" ? Renewal::iteration
                                                              : Renewal::kept,
                        .ratio = o.number("ratio")},
          .corrector_given = o.given("corrector"),
          .tolerance = o.number("tolerance"),
          .tolerance_given = o.given("tolerance"),
          .error_test = {"error_test", o.word("error_test")},
          .corrector_test = {"corrector_test", o.word("corrector_test")},
          .error_test_given = o.given("error_test")};
}

}  // namespace

IntegratorEntry bdf() {
  return {
      .summary =
          "backward differentiation formulas, order 1 to 5, step and order chosen by the error, for stiff "
          "systems",
      .shapes = {SystemShape::ode, SystemShape::dae, SystemShape::overdetermined},
      .order = BdfHistory::largest_order,
      .traits = {.error_estimate = true, .changes_order = true, .continues_values = true},
      .dense_order = BdfHistory::largest_order,
      .options =
          {{.name = "max_order",
            .fallback = "5",
            .help = "the largest order; with a fixed step, the order",
            .at_least = 1,
            .at_most = BdfHistory::largest_order,
            .integer = true},
           {.name = "order",
            .fallback = "",
            .help = "one order for all steps, reached as soon as possible",
            .at_least = 1,
            .at_most = BdfHistory::largest_order,
            .integer = true},
           {.name = "corrector",
            .fallback = "0.001",
            .help = "error left by the corrector, as a fraction of the tolerance",
            .above = 0,
            .at_most = 1},
           {.name = "tolerance",
            .fallback = "1e-10",
            .help = "with a fixed step: error left by the corrector, relative to 1 + |y|",
            .above = 0,
            .below = 1},
           {.name = "iterations",
            .fallback = "6",
            .help = "at most so many corrector iterations",
            .at_least = 2,
            .at_most = 1000,
            .integer = true},
           {.name = "jacobian",
            .fallback = "kept",
            .help = "computed anew when it no longer serves (kept), in every step or in every iteration",
            .choices = {"kept", "step", "iteration"}},
           {.name = "ratio",
            .fallback = "0.95",
            .help =
                "the matrix is factored again when its leading coefficient changed by more than this factor",
            .above = 0,
            .at_most = 1},
           {.name = "error_test",
            .fallback = "auto",
            .help = "what counts in the error test, of q;v;x2;..;lambda, or entries as in q[0]; auto: all "
                    "differential unknowns",
            .text = true},
           {.name = "corrector_test",
            .fallback = "auto",
            .help = "what counts in the corrector's test, in the same words; auto: all but multipliers",
            .text = true}},
      .make = [](const OptionValues& o) { return bdf_steps(settings_of(o)); },
      .controller = "bdf-order"};
}

}  // namespace driftless::integrators
