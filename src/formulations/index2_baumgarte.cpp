// index2-baumgarte: the constraint differentiated m - 1 times, with feedback of what the differentiations forgot,
//   x_j' = x_{j+1},   M x_{m-1}' = f - B lambda - K^T kappa,   0 = (d/dt + r_1) .. (d/dt + r_{m-1}) g,   0 = w
// Ascher, Petzold (1993), (3.11), (3.14): for mechanisms 0 = g' + gamma g, so that drift in positions decays like
// e^(-gamma t). For order 1 there is nothing to stabilize, and it is `index2`. A large gamma makes it `index3`. Fails where
// `index2` does.
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>
#include <driftless/core/manifold.hpp>

#include "common/constrained_system.hpp"
#include "common/decay_roots.hpp"

namespace driftless::formulations {

namespace {

class Index2Baumgarte final : public Formulation {
 public:
  Index2Baumgarte(double gamma, bool chosen, std::vector<std::complex<double>> roots)
      : Formulation({.answer = OwnAnswer::imposed, .answered = FormulationTraits::Answered::positions}),
        gamma_(gamma),
        chosen_(chosen),
        roots_(std::move(roots)) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (shape.order == 1 && chosen_)
      return "a system of order 1 has nothing to feed back, so that gamma would be ignored; use index2";
    const int wanted = shape.order - 1, count = static_cast<int>(roots_.size());
    if (count == 0 || count == wanted) return std::nullopt;
    return fmt::format("roots has {} roots and the system of order {} needs {}; give as many, or use gamma",
                       count, shape.order, wanted);
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    const int degree = problem.shape().order - 1;
    std::vector<double> coefficients;
    if (roots_.empty())
      for (int j = 0; j < degree; ++j)
        coefficients.push_back(binomial(degree, j) * std::pow(gamma_, degree - j));
    else
      coefficients = gains_of_roots(roots_);
    coefficients.push_back(1);
    return constrained_system(problem, {.imposed = {coefficients}});
  }

 private:
  double gamma_;
  bool chosen_;  // gamma was asked for
  std::vector<std::complex<double>> roots_;
};

std::unique_ptr<Formulation> make(const OptionValues& o) {
  if (o.given("gamma") && o.given("roots"))
    throw InputError("index2-baumgarte takes gamma or roots; leave one out");
  const double gamma = o.number("gamma");
  return std::make_unique<Index2Baumgarte>(
      gamma, o.given("gamma"),
      o.given("roots") ? decay_roots(o.word("roots")) : std::vector<std::complex<double>>{});
}

}  // namespace

FormulationEntry index2_baumgarte() {
  return {.summary = "equations of motion with g' + gamma g = 0 imposed",
          .shapes = {SystemShape::dae},
          .options = {{.name = "gamma",
                       .fallback = "5",
                       .help = "feedback (d/dt + gamma)^(m-1) g = 0",
                       .at_least = 0,
                       .at_most = 1e12},
                      {.name = "roots",
                       .fallback = "",
                       .help = "m - 1 decay rates instead of gamma, separated by ';', like 3 or 1+2i;1-2i",
                       .text = true}},
          .make = make,
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
