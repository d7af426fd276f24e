// overdetermined-index1: the equations of motion with lambda determined by the acceleration, and every constraint beside, more equations
// than unknowns,
//   x_j' = x_{j+1},   M x_{m-1}' = f - B lambda - K^T kappa,   0 = g^(m),  0 = w';      beside: 0 = g, .., 0 = g^(m-1),  0 = w
// where 0 = g^(m) is G M^-1 (f - B lambda - K^T kappa) + c. Fuehrer, Leimkuhler (1991), (17). The generalized solution ("ssf", Definition
// 3.1) satisfies all constraints, and its residual lies in the range of A_2^T, A_2 the derivatives of the rows beside (here of W A_2^T, with
// the unit of time of `stabilized-index1`; W = I with time=model). By Theorem 3.1
// it is the solution of `stabilized-index1` without its multipliers mu, eta as unknowns, and lambda is the only algebraic unknown, of
// index 1. That holds to the last digit because A_2 is that of every iterate (common/ssf_matrix.hpp).
// What the corrector leaves of lambda no other unknown feels: with matrices that are kept it may run away while q and v are right. So it is
// evaluated at the accepted state, unless lambda=own.
// Costs derivatives of the curvature and a factorization of M in every iteration. Fails where M is singular or constraints
// lose rank, and with solution=schur where A_1 alone is singular (000-example4, h nu = 1).
#include <driftless/core/entries.hpp>
#include <driftless/core/unit_of_time.hpp>

#include "common/constrained_system.hpp"
#include "common/overdetermined_options.hpp"

namespace driftless::formulations {

namespace {

class OverdeterminedIndex1 final : public Formulation {
 public:
  explicit OverdeterminedIndex1(const OverdeterminedOptions& options) : options_(options) {}

  std::optional<std::string> refuses(const Shape& shape) const override {
    return refuse_time_of_model(options_.model_time, shape);
  }
  std::unique_ptr<System> build(const Problem& problem) const override {
    return constrained_system(problem, {.differentiated = true,
                                        .velocities = false,
                                        .model_time = options_.model_time,
                                        .beside = problem.shape().order,
                                        .generalized = options_,
                                        .lambda_index = 1});
  }

 private:
  OverdeterminedOptions options_;
};

std::vector<OptionSpec> options_of_index1() {
  std::vector<OptionSpec> options = overdetermined_options();
  options.push_back({.name = "lambda",
                     .fallback = "state",
                     .help = "evaluated at the accepted state, or the corrector's own, as in the paper",
                     .choices = {"state", "own"}});
  options.push_back(unit_of_time_option());
  return options;
}

}  // namespace

std::unique_ptr<Formulation> overdetermined_index1(const OverdeterminedOptions& options) {
  return std::make_unique<OverdeterminedIndex1>(options);
}

FormulationEntry overdetermined_index1() {
  return {.summary = "g'' = 0 and, as equations too many, g = 0 and g' = 0; generalized (ssf) solution",
          .shapes = {SystemShape::overdetermined},
          .options = options_of_index1(),
          .make =
              [](const OptionValues& o) {
                OverdeterminedOptions options = overdetermined_options_of(o);
                options.own_lambda = o.word("lambda") == "own";
                options.model_time = o.word("time") == "model";
                return overdetermined_index1(options);
              },
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
