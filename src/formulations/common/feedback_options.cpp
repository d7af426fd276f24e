#include "feedback_options.hpp"

#include <cmath>

#include <fmt/format.h>

#include <driftless/core/gain_option.hpp>
#include <driftless/core/manifold.hpp>

#include "decay_roots.hpp"

namespace driftless::formulations {

std::vector<OptionSpec> FeedbackOptions::specs() {
  return {gain_option(),
          {.name = "gamma", .fallback = "5", .help = "feedback (d/dt + gamma)^m g = 0", .at_least = 0},
          {.name = "roots",
           .fallback = "",
           .help = "m decay rates instead of gamma, separated by ';', like 3;5 or 1+2i;1-2i",
           .text = true},
          {.name = "alpha", .fallback = "", .help = "gain of g', with beta instead of gamma (order 2)"},
          {.name = "beta", .fallback = "", .help = "gain of g, with alpha instead of gamma (order 2)"}};
}

FeedbackOptions::FeedbackOptions(const std::string& owner, const OptionValues& values)
    : owner_(owner),
      automatic_(gain_is_automatic(values, {"gamma", "roots", "alpha", "beta"})),
      by_coefficients_(values.given("alpha") || values.given("beta")) {
  if (values.given("roots")) roots_ = decay_roots(values.word("roots"));
  if ((by_coefficients_ ? 1 : 0) + (values.given("gamma") ? 1 : 0) + (values.given("roots") ? 1 : 0) > 1)
    throw InputError(fmt::format("{} takes gamma, or roots, or alpha and beta; leave the others out", owner));
  if (values.given("alpha") != values.given("beta"))
    throw InputError(fmt::format("{} needs alpha and beta together; give {} too, or use gamma", owner,
                                 values.given("alpha") ? "beta" : "alpha"));
  if (by_coefficients_) {
    alpha_ = values.number("alpha");
    beta_ = values.number("beta");
  } else {
    gamma_ = values.number("gamma");
  }
}

std::optional<std::string> FeedbackOptions::refuses(const Shape& shape) const {
  if (by_coefficients_ && shape.order != 2)
    return fmt::format("alpha and beta belong to systems of order 2, this one has order {}; use {}:gamma=s",
                       shape.order, owner_);
  const auto count = static_cast<int>(roots_.size());
  if (count > 0 && count != shape.order)
    return fmt::format("roots has {} roots and the system has order {}; give as many, or use {}:gamma=s",
                       count, shape.order, owner_);
  return std::nullopt;
}

Feedback FeedbackOptions::feedback(const Shape& shape) const {
  Feedback feedback;
  const int m = shape.order;
  if (shape.multipliers() == 0) return feedback;
  if (automatic_) {
    feedback.automatic = true;
  } else if (by_coefficients_) {
    feedback.gains = {beta_, alpha_};
    feedback.velocity_gain = alpha_ / 2;
  } else if (!roots_.empty()) {
    feedback.gains = gains_of_roots(roots_);
    feedback.velocity_gain = feedback.gains.back() / m;
  } else {
    for (int j = 0; j < m; ++j) feedback.gains.push_back(binomial(m, j) * std::pow(gamma_, m - j));
    feedback.velocity_gain = gamma_;
  }
  return feedback;
}

}  // namespace driftless::formulations
