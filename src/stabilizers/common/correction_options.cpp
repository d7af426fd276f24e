#include "correction_options.hpp"

#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/invariants_option.hpp>
#include <driftless/core/unit_of_time.hpp>

namespace driftless::stabilizers {

std::vector<OptionSpec> normal_options() {
  return {normal_kind_option(), invariants_option(), unit_of_time_option()};
}

OptionSpec renew_option() {
  return {
      .name = "renew",
      .fallback = "1",
      .help = "F is decomposed anew after so many accepted steps, or auto: when it no longer does its work",
      .text = true};
}

std::vector<OptionSpec> solve_options() {
  return {{.name = "solve",
           .fallback = "exact",
           .help = "how (H D) x = h is solved: by a decomposition, or nearly, by sweeps of SOR",
           .choices = {"exact", "sor"}},
          {.name = "sweeps",
           .fallback = "2",
           .help = "of SOR, each forward and backward",
           .at_least = 1,
           .at_most = 1000,
           .integer = true},
          {.name = "relaxation", .fallback = "1", .help = "of SOR", .above = 0, .below = 2}};
}

OptionSpec alpha_option(double below, const std::string& help) {
  return {.name = "alpha", .fallback = "1", .help = help, .below = below, .at_least = 0};
}

std::vector<OptionSpec> convergence_options(const std::string& iterations_help) {
  return {{.name = "tolerance",
           .fallback = "1e-12",
           .help = "largest displacement left, relative to 1 + |z|",
           .above = 0,
           .below = 1},
          {.name = "iterations",
           .fallback = "10",
           .help = iterations_help,
           .at_least = 1,
           .at_most = 1000,
           .integer = true}};
}

namespace {

Renewal renewal_of(const std::string& text) {
  if (text == "auto") return {.automatic = true};
  const double steps = parse_number(text, "option renew");
  if (!(steps >= 1 && steps <= 1e6) || steps != std::floor(steps))
    throw InputError(fmt::format(
        "option renew is {} (must be a whole number from 1 to 1000000, or auto); change it or leave it out",
        text));
  return {.steps = static_cast<int>(steps)};
}

}  // namespace

CorrectionOptions correction_options(const OptionValues& o, Offers offers) {
  CorrectionOptions options{
      .F = normal_kind_of(o), .invariants = invariant_names(o), .renew = renewal_of(o.word("renew"))};
  const bool whole = options.F == NormalKind::full || options.F == NormalKind::transpose;
  options.model_time = time_of_model(o, whole, "F=full or F=transpose");
  if (offers.only_D && options.F == NormalKind::transpose) options.F = NormalKind::full;
  if (offers.only_D && options.F == NormalKind::split) options.F = NormalKind::block;
  const bool sor = offers.solve && o.word("solve") == "sor", kept = !options.renew.always();
  if (options.F == NormalKind::transpose && (sor || kept))
    throw InputError(fmt::format(
        "F=transpose solves and decomposes nothing, so that {} would be ignored; use F=full, or leave it out",
        sor ? "solve=sor" : "renew"));
  if (!offers.solve) return options;
  if (!sor) {
    for (const char* name : {"sweeps", "relaxation"})
      if (o.given(name))
        throw InputError(fmt::format(
            "{} belongs to solve=sor and would be ignored; use solve=sor, or leave it out", name));
    return options;
  }
  if (kept)
    throw InputError(
        "solve=sor decomposes nothing, so that renew would be ignored; use one of them, not both");
  if (options.F == NormalKind::input)
    throw InputError(
        "solve=sor needs a symmetric H D, and that of F=input is not; use solve=exact, or F=block");
  options.solve = {.sweeps = o.integer("sweeps"), .relaxation = o.number("relaxation")};
  return options;
}

}  // namespace driftless::stabilizers
