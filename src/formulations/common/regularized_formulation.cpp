#include "regularized_formulation.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <driftless/core/manifold.hpp>

#include "acceleration_system.hpp"
#include "regularized_system.hpp"

namespace driftless::formulations {

namespace {

struct RegularizedOptions {
  Regularization how;
  std::optional<double> gamma;  // none: automatic
  bool by_coefficients = false;
  double gamma0 = 0, gamma1 = 0;
  bool velocity_only = false;
  bool automatic() const { return !gamma && !by_coefficients; }
};

class Regularized final : public Formulation {
 public:
  Regularized(std::string name, const RegularizedOptions& options)
      : Formulation(
            {.answer = options.automatic() ? OwnAnswer::feedback : OwnAnswer::none, .suits_any_order = true}),
        name_(std::move(name)),
        options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (shape.order != 2 && options_.by_coefficients)
      return fmt::format(
          "gamma0 and gamma1 belong to systems of order 2, this one has order {}; use {}:gamma=1/h",
          shape.order, name_);
    if (shape.order == 1 && !options_.how.curvature)
      return "curvature=off leaves g_t out of the equations of a system of order 1, which the paper does "
             "not; leave it out";
    if (shape.order != 2 && options_.velocity_only)
      return fmt::format(
          "feedback=velocity belongs to systems of order 2, this one has order {}; use feedback=position",
          shape.order);
    return std::nullopt;
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    return build_as(SystemShape::ode, problem);
  }

  std::unique_ptr<System> build_as(SystemShape shape, const Problem& problem) const override {
    if (problem.shape().multipliers() == 0) return acceleration_system(problem, {});
    const Feedback feedback = feedback_for(problem.shape().order);
    return shape == SystemShape::dae ? regularized_dae(problem, options_.how, feedback)
                                     : regularized_ode(problem, options_.how, feedback);
  }

 private:
  Feedback feedback_for(int m) const {
    Feedback feedback;
    feedback.plain_rates = !options_.how.curvature;
    if (options_.by_coefficients) {
      feedback.gains = {options_.gamma0, options_.gamma1};
      feedback.velocity_gain = options_.gamma1 / 2;
    } else if (!options_.gamma) {
      feedback.automatic = true;
      feedback.highest_only = options_.velocity_only;
    } else {
      feedback.gains = taylor_gains(m, *options_.gamma);
      if (options_.velocity_only) feedback.gains = {0, *options_.gamma};
      feedback.velocity_gain = *options_.gamma;
    }
    return feedback;
  }

  const std::string name_;
  const RegularizedOptions options_;
};

// A number of at least `least`, or none for the word auto.
std::optional<double> number_or_auto(const OptionValues& o, const std::string& owner, const char* name,
                                     bool zero) {
  const std::string& text = o.word(name);
  if (text == "auto") return std::nullopt;
  const double value = parse_number(text, fmt::format("option {} of {}", name, owner));
  if (!(std::isfinite(value) && (zero ? value >= 0 : value > 0)))
    throw InputError(fmt::format("option {} of {} is {} (must be a number {}, or auto); change it", name,
                                 owner, text, zero ? "of at least 0" : "above 0"));
  return value;
}

MassTreatment mass_of(const std::string& word) {
  if (word == "given") return MassTreatment::given;
  if (word == "augmented") return MassTreatment::augmented;
  return word == "paper" ? MassTreatment::paper : MassTreatment::automatic;
}

}  // namespace

std::vector<double> taylor_gains(int m, double gamma) {
  std::vector<double> gains;
  for (int j = 0; j < m; ++j) {
    const double coefficient = m < 5 ? std::tgamma(m + 1) / std::tgamma(j + 1) : binomial(m, j);
    gains.push_back(coefficient * std::pow(gamma, m - j));
  }
  return gains;
}

std::vector<OptionSpec> regularization_options(const std::string& epsilon_help) {
  return {
      {.name = "epsilon", .fallback = "auto", .help = epsilon_help, .text = true},
      {.name = "gamma",
       .fallback = "auto",
       .help =
           "1/h of the step h that resolves the constraints; auto: chosen for the integrator and its step",
       .text = true},
      {.name = "gamma0", .fallback = "", .help = "gain of g, with gamma1 instead of gamma (order 2)"},
      {.name = "gamma1", .fallback = "", .help = "gain of g', with gamma0 instead of gamma (order 2)"},
      {.name = "feedback",
       .fallback = "position",
       .help = "velocity: gamma g' alone, so that positions drift (order 2)",
       .choices = {"position", "velocity"}},
      {.name = "curvature",
       .fallback = "on",
       .help = "off: without the curvature c, so that g settles beside 0",
       .choices = {"on", "off"}},
      {.name = "mass",
       .fallback = "auto",
       .help = "M as given, or M + rho G^T G (augmented), which may be regular for a singular M; auto: that "
               "where M is not positive definite; paper: M^T M + rho I",
       .choices = {"auto", "given", "augmented", "paper"}},
      {.name = "rho", .fallback = "1", .help = "of mass=augmented and mass=paper", .above = 0}};
}

std::unique_ptr<Formulation> regularized_formulation(linalg::Damping kind, const std::string& name,
                                                     const OptionValues& o) {
  RegularizedOptions options;
  options.how = {.kind = kind,
                 .epsilon = number_or_auto(o, name, "epsilon", false),
                 .curvature = o.word("curvature") == "on",
                 .mass = mass_of(o.word("mass")),
                 .rho = o.number("rho")};
  options.gamma = number_or_auto(o, name, "gamma", true);
  options.velocity_only = o.word("feedback") == "velocity";
  options.by_coefficients = o.given("gamma0") || o.given("gamma1");
  if (o.given("gamma0") != o.given("gamma1"))
    throw InputError(fmt::format("{} needs gamma0 and gamma1 together; give {} too, or use gamma", name,
                                 o.given("gamma0") ? "gamma1" : "gamma0"));
  if (options.by_coefficients && (o.given("gamma") || options.velocity_only))
    throw InputError(fmt::format("{} takes gamma0 and gamma1, or {}; leave the others out", name,
                                 o.given("gamma") ? "gamma" : "feedback=velocity with gamma"));
  if (o.given("rho") && options.how.mass == MassTreatment::given)
    throw InputError("rho would be ignored with mass=given; leave it out, or use mass=augmented");
  if (options.by_coefficients) {
    options.gamma0 = o.number("gamma0");
    options.gamma1 = o.number("gamma1");
  }
  return std::make_unique<Regularized>(name, options);
}

}  // namespace driftless::formulations
