// overdetermined-index2: the equations of `index2` and the constraint itself, more equations than unknowns,
//   x_j' = x_{j+1},   M x_{m-1}' = f - B lambda - K^T kappa,   0 = g^(m-1),  0 = w;      beside: 0 = g, .., 0 = g^(m-2)
// Fuehrer, Leimkuhler (1991), (47) for mechanisms: 0 = g' and, beside, 0 = g. After discretization there is in general no solution; the
// generalized one ("ssf", Definition 3.1) satisfies all constraints, and its residual lies in the range of A_2^T, A_2 the derivatives of the rows
// beside. By Theorem 4.1 it is the solution of `ggl` with D = transpose, without its multipliers mu as unknowns; that holds to the last
// digit because A_2 is that of every iterate (common/ssf_matrix.hpp).
// For order 1 nothing is beside: it is `index2`. Fails where `ggl` does, and with solution=schur where A_1 alone
// is singular. Two steps of a multistep method share no multipliers; one-step
// methods with several stages would need a common A_2 for all of them.
#include <driftless/core/entries.hpp>

#include "common/constrained_system.hpp"
#include "common/overdetermined_options.hpp"

namespace driftless::formulations {

namespace {

class OverdeterminedIndex2 final : public Formulation {
 public:
  explicit OverdeterminedIndex2(const OverdeterminedOptions& options) : options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    if (shape.order == 1 && (options_.definition || options_.frozen))
      return "a system of order 1 has no equations too many, so that solution and A2 would be ignored; use "
             "index2, or leave them out";
    return std::nullopt;
  }
  std::unique_ptr<System> build(const Problem& problem) const override {
    const int m = problem.shape().order;
    return constrained_system(problem, {.imposed = {only(m - 1, m)},
                                        .model_time = options_.model_time,
                                        .beside = m - 1,
                                        .generalized = options_});
  }

 private:
  OverdeterminedOptions options_;
};

}  // namespace

std::unique_ptr<Formulation> overdetermined_index2(const OverdeterminedOptions& options) {
  return std::make_unique<OverdeterminedIndex2>(options);
}

FormulationEntry overdetermined_index2() {
  return {
      .summary =
          "g' = 0 and, as equations too many, g = 0; generalized (ssf) solution instead of multipliers mu",
      .shapes = {SystemShape::overdetermined},
      .options = overdetermined_options(),
      .make = [](const OptionValues& o) { return overdetermined_index2(overdetermined_options_of(o)); },
      .stabilizer = "none"};
}

}  // namespace driftless::formulations
