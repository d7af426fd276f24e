#include "support/problems.hpp"

#include <cmath>
#include <ostream>
#include <stdexcept>

#include <driftless/core/consistent_state.hpp>

#include "support/models.hpp"

namespace driftless::tests {

namespace {

ShapeCase make_case(std::string name, std::shared_ptr<const Problem> problem, const std::vector<double>& z,
                    double t_end) {
  State guess(problem->shape().layout(), problem->shape().ng, problem->shape().nk);
  guess.z = Eigen::Map<const Vector>(z.data(), static_cast<Eigen::Index>(z.size()));
  State start = consistent_state(*problem, guess).state;
  return {std::move(name), std::move(problem), std::move(start), t_end};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ShapeCase& c) {
  return out << c.name;
}

const std::vector<ShapeCase>& shape_cases() {
  static const std::vector<ShapeCase> cases = {
      make_case("mechanical", make_problem(problems::Pendulum{}), {1, 0, 0, 1}, 1),
      make_case("time-dependent", make_problem(MovingPivot{}), {0.6, -0.9, 0.5, 0.2}, 1),
      make_case("nonholonomic", make_problem(Sleigh{}),
                {0, 0, 0.3, 1 * std::cos(0.3), 1 * std::sin(0.3), 0.7}, 1),
      make_case("both-constraints", make_problem(MovingKnife{}), {0.4, 0.3, 0.4, 0.5, 0.1, 0.2}, 1),
      make_case("quaternions", make_problem(HeavyTop{}),
                {0, 1, 0, 1, 0, 0, 0, 4.61538, 0, 0, 0, 15, -4.61538}, 0.2),
      make_case("order-1", make_problem(Hessenberg1{}), {1, 1}, 1),
      make_case("order-3", make_problem(Jerk{}), {0.5, -0.1, 0.3, 0.1, 0.2, -0.1, 0.1, 0.05, 0.2}, 0.5),
      make_case("unconstrained", make_problem(Oscillators{}), {1, 0.5, 0, 0.2}, 1),
  };
  return cases;
}

const ShapeCase& shape_case(const std::string& name) {
  for (const auto& c : shape_cases())
    if (c.name == name) return c;
  throw std::logic_error("no shape case " + name);
}

}  // namespace driftless::tests
