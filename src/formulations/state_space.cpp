// state-space: the ODE of the motions that the constraints leave free, in local coordinates; Ascher, Petzold
// (1993), (3.15)-(3.17),
//   u_0 = R~ q,  u_j = R x_j (j >= 1),        y = (u_0, .., u_{m-1})
//   q from  R~ q = u_0, g(q, t) = 0;          x_j from  R x_j = u_j, g^(j) = 0, and for j = 1 w = 0
//   u_0' = R~ N(q) x_1,  u_j' = R x_{j+1},    u_{m-1}' = R a with a of `index1`
// so that every state satisfies all constraints to roundoff, whatever the integrator does
// (common/local_coordinates.hpp).
//
// R given: constant, R~ = R, (3.16). Not given: chosen as an orthonormal basis of what the constraints leave
// free at a point, q and x_1 with bases of their own where there are velocity constraints, and chosen anew,
// after a step, where the norm of dx/du exceeds 1.2: the free directions have then turned by 34 degrees.
// (Charts exist up to 90 degrees, but near that the motion in u is so curved that steps get short.) A new choice
// has norm 1, so that the next one is far. One-step methods go on as if nothing had happened, multistep methods
// start anew.
//
// Jacobian, exact: with z_y from R~ N delta_0 = 1, G delta_0 = 0 and the derivatives of g^(j) = 0 and w = 0
// (L_j, w_x), u_{m-1}' has R a_z z_y. Newton's method for q in every right-hand side makes it dearer than
// `index1`. Fails where constraints become dependent; with a given R also where R x no longer determines x, as
// u = x does for a pendulum that is horizontal.
#include <driftless/formulations/state_space.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <driftless/core/entries.hpp>

#include "common/state_space_system.hpp"

namespace driftless::formulations {

namespace {

class StateSpace final : public Formulation {
 public:
  // Row after row; columns = 0: as many as the problem has coordinates.
  StateSpace(std::vector<double> numbers, int columns) : numbers_(std::move(numbers)), columns_(columns) {}

  std::optional<std::string> refuses(const Shape& s) const override {
    if (s.nq > s.nv + s.norms())
      return fmt::format(
          "{} coordinates for {} velocities are determined by local ones only if the model says what else "
          "they satisfy; "
          "add a function `normalize`, or use `formulation = index1`",
          s.nq, s.nv);
    if (s.ng >= s.nv || s.multipliers() > s.nv)
      return fmt::format(
          "{} constraints for {} velocities determine all of them, so that no motion is left to integrate, "
          "or depend on each other, and state-space needs independent ones; use `formulation = index1`",
          s.multipliers(), s.nv);
    if (numbers_.empty()) return std::nullopt;
    if (s.own_kinematics)
      return "a constant R is no choice where q' = N(q) v, since velocities have other entries than "
             "coordinates; leave R "
             "out and use chosen coordinates";
    if (s.nk > 0)
      return "velocity constraints need coordinates of their own for velocities; leave R out and use chosen "
             "ones";
    const int rows = s.nv - s.ng;
    if (numbers_.size() != static_cast<std::size_t>(rows * s.nq) || (columns_ > 0 && columns_ != s.nq))
      return fmt::format(
          "R has {} numbers{} (for nq = {} coordinates and ng = {} constraints it has nq - ng = {} rows of "
          "{}); use as many, "
          "or leave R out",
          numbers_.size(), columns_ > 0 ? fmt::format(" in rows of {}", columns_) : "", s.nq, s.ng, rows,
          s.nq);
    return std::nullopt;
  }

  std::unique_ptr<System> build(const Problem& problem) const override {
    const int nq = problem.shape().nq;
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Matrix R = Eigen::Map<const ByRows>(numbers_.data(), static_cast<int>(numbers_.size()) / nq, nq);
    return state_space_system(problem, R);
  }

 private:
  std::vector<double> numbers_;
  int columns_;
};

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& entry : split_list(text))
    numbers.push_back(parse_number(entry, "an entry of option R"));
  return numbers;
}

}  // namespace

std::unique_ptr<Formulation> state_space(const StateSpaceOptions& options) {
  std::vector<double> numbers;
  for (const auto row : options.R.rowwise()) numbers.insert(numbers.end(), row.begin(), row.end());
  if (!options.R.allFinite()) throw InputError("R of state-space has an entry that is not finite; change it");
  return std::make_unique<StateSpace>(std::move(numbers), static_cast<int>(options.R.cols()));
}

FormulationEntry state_space() {
  return {.summary = "ODE of the free motions in local coordinates: all constraints hold to roundoff",
          .shapes = {SystemShape::ode},
          .options = {{.name = "R",
                       .fallback = "",
                       .help = "u = R x for ever: its rows one after another, as in R=1;0; without it "
                               "coordinates are chosen "
                               "and changed automatically",
                       .text = true}},
          .make =
              [](const OptionValues& o) {
                return std::make_unique<StateSpace>(
                    o.given("R") ? numbers_of(o.word("R")) : std::vector<double>{}, 0);
              },
          .stabilizer = "none"};
}

}  // namespace driftless::formulations
