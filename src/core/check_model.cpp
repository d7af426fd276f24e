#include <driftless/core/check_model.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <driftless/core/checkable.hpp>

#include "model_comparison.hpp"

namespace driftless {

namespace {

struct Quantity {
  Part part;
  const char* letter;
  const char* from;  // what it is or is derived from; null: by differences
};

constexpr Quantity quantities[] = {
    {Part::mass, "M", "`mass`"},
    {Part::force, "f", "`force`"},
    {Part::position, "g", "`constraint`"},
    {Part::jacobian, "G", "the derivative of `constraint`"},
    {Part::curvature, "c", "the second derivative of `constraint` along the motion"},
    {Part::velocity_jacobian, "K", "the derivative of `velocity_constraint`"},
    {Part::rate_jacobian, "L", "the derivative of G v"},
    {Part::multiplier_jacobian, "(G^T lambda)_q", "the derivative of G^T lambda"},
    {Part::force_jacobian, "f_z", nullptr},
    {Part::mass_product_jacobian, "(M a)_q", nullptr}};

// All of a quantity in one matrix; `curvature` has two.
Matrix values_of(Part part, const Evaluation& e) {
  switch (part) {
    case Part::mass:
      return e.M;
    case Part::force:
      return e.f;
    case Part::position:
      return e.g;
    case Part::jacobian:
      return e.G;
    case Part::curvature: {
      Matrix c(e.c.size() + e.ck.size(), 1);
      c << e.c, e.ck;
      return c;
    }
    case Part::velocity_jacobian:
      return e.K;
    case Part::rate_jacobian: {
      Matrix L(0, 0);
      for (const Matrix& level : e.L) {
        Matrix more(L.rows() + level.rows(), level.cols());
        if (L.rows() > 0) more.topRows(L.rows()) = L;
        more.bottomRows(level.rows()) = level;
        L = more;
      }
      return L;
    }
    case Part::multiplier_jacobian:
      return e.Bl_x;
    case Part::force_jacobian:
      return e.f_z;
    case Part::mass_product_jacobian:
      return e.Ma_x;
    default:
      return {};
  }
}

class Checker {
 public:
  Checker(const Problem& problem, const State& state)
      : problem_(problem),
        known_(dynamic_cast<const Checkable*>(&problem)),
        shape_(problem.shape()),
        t_(state.t),
        z_(state.z),
        a_(generic_values(shape_.nv, 7)),
        lambda_(generic_values(shape_.ng, 31)),
        kappa_(generic_values(shape_.nk, 53)) {
    // A relative change of 1e-9, of either sign.
    const Vector signs = generic_values(static_cast<int>(z_.size()), 0);
    beside_ = z_;
    for (Eigen::Index i = 0; i < z_.size(); ++i) beside_(i) += 1e-9 * signs(i) * z_(i);
    t_beside_ = t_ * (1 + 1e-9);
  }

  std::vector<ModelFinding> run() {
    if (known_ && !shape_.moving)
      if (const TimeDependence found = known_->time_dependence(t_, z_);
          found.kind == TimeDependence::Kind::found)
        findings_.push_back({.part = "moving", .text = undeclared(found)});
    if (known_)
      for (const HandWritten& function : known_->hand_written()) compare(function);
    if (shape_.nk > 0) velocity_rows_are_linear();
    if (shape_.own_kinematics && !shape_.sparse()) rates_are_linear();
    return std::move(findings_);
  }

 private:
  Point at(double t, const Vector& z) const { return Point(t, z, a_, lambda_, kappa_); }

  void compare(const HandWritten& function) {
    problem_.evaluate(function.parts, at(t_, z_), given_);
    problem_.evaluate(function.parts, at(t_beside_, beside_), given_beside_);
    derived_.prepare(shape_, function.parts);
    derived_beside_.prepare(shape_, function.parts);
    // Automatic ones of G^T lambda take nv^2 evaluations.
    Parts asked = function.parts;
    if (shape_.nv > 24) asked = asked.without(Part::multiplier_jacobian);
    const Parts derived = known_->derive(asked, at(t_, z_), derived_);
    known_->derive(asked, at(t_beside_, beside_), derived_beside_);
    for (const Quantity& quantity : quantities) {
      const Part part = quantity.part;
      if (!function.parts.has(part)) continue;
      const Matrix given = values_of(part, given_), moved = values_of(part, given_beside_) - given;
      if (derived.has(part)) {
        const Matrix expected = values_of(part, derived_),
                     noise = moved.cwiseAbs() + (values_of(part, derived_beside_) - expected).cwiseAbs();
        report(function.name, quantity, given, expected, noise);
      } else {
        const Differences differences = by_differences(problem_, *known_, part, at(t_, z_));
        report(function.name, quantity, given, differences.values, differences.errors);
      }
    }
  }

  // Blames the entry that is off by most of what is forgiven.
  void report(const char* name, const Quantity& quantity, const Matrix& given, const Matrix& expected,
              const Matrix& noise) {
    const std::optional<Entry> worst = largest_disagreement(given, expected, noise);
    if (!worst) return;
    ModelFinding finding{.part = name,
                         .row = worst->row,
                         .column = given.cols() > 1 ? worst->column : -1,
                         .given = given(worst->row, worst->column),
                         .expected = expected(worst->row, worst->column)};
    const std::string where = finding.column < 0 ? fmt::format("[{}]", finding.row)
                                                 : fmt::format("({}, {})", finding.row, finding.column);
    const std::string source = quantity.from ? quantity.from
                               : quantity.part == Part::force_jacobian
                                   ? "the derivative of `force`, by differences,"
                                   : "the derivative of `mass` times a, by differences,";
    finding.text = fmt::format(
        "the model contradicts itself: `{}` gives {}{} = {:.10g} and {} {:.10g} at t = {:.10g}{}; mend the "
        "wrong one, or leave `{}` out, which is then made automatically",
        name, quantity.letter, where, finding.given, source, finding.expected, t_, row_of(quantity, *worst),
        name);
    findings_.push_back(std::move(finding));
  }

  std::string row_of(const Quantity& quantity, const Entry& entry) const {
    const bool rows_of_g = quantity.part == Part::position || quantity.part == Part::jacobian ||
                           quantity.part == Part::curvature || quantity.part == Part::rate_jacobian;
    if (rows_of_g && shape_.ng + shape_.nk > 0) {
      const int row = quantity.part == Part::rate_jacobian ? entry.row % shape_.ng : entry.row;
      return fmt::format(", in the row of {}", problem_.constraint_name(row));
    }
    if (quantity.part == Part::velocity_jacobian)
      return fmt::format(", in the row of {}", problem_.constraint_name(shape_.ng + entry.row));
    return {};
  }

  // w = K v + k0.
  void velocity_rows_are_linear() {
    const Parts parts = Part::velocity | Part::velocity_jacobian;
    Evaluation e, none;
    if (shape_.sparse()) return;
    Vector z = z_;
    problem_.evaluate(parts, Point(t_, z), e);
    z.tail(shape_.nv).setZero();
    problem_.evaluate(Part::velocity, Point(t_, z), none);
    const Vector v = z_.tail(shape_.nv), linear = e.K * v + none.w,
                 terms = e.K.cwiseAbs() * v.cwiseAbs() + none.w.cwiseAbs();
    const std::optional<Entry> worst = largest_disagreement(e.w, linear, 1e-6 * terms);
    if (!worst) return;
    findings_.push_back(
        {.part = "velocity_constraint",
         .row = worst->row,
         .given = e.w(worst->row),
         .expected = linear(worst->row),
         .text = fmt::format(
             "`velocity_constraint` is not linear in v: {} = {:.10g} and K v + k0 = {:.10g} at "
             "t = {:.10g}; write it as K(q, t) v + k0(q, t)",
             problem_.constraint_name(shape_.ng + worst->row), e.w(worst->row), linear(worst->row), t_)});
  }

  // q' = N v.
  void rates_are_linear() {
    Evaluation e;
    Workspace work;
    problem_.evaluate(Part::kinematics, Point(t_, z_), e);
    const Vector q = z_.head(shape_.nq), v = z_.segment(shape_.nq, shape_.nv), linear = e.N * v,
                 terms = e.N.cwiseAbs() * v.cwiseAbs();
    Vector rates(shape_.nq);
    problem_.coordinate_rates(t_, q, v, rates, work);
    const std::optional<Entry> worst = largest_disagreement(rates, linear, 1e-6 * terms);
    if (!worst) return;
    findings_.push_back(
        {.part = "kinematics",
         .row = worst->row,
         .given = rates(worst->row),
         .expected = linear(worst->row),
         .text =
             fmt::format("`kinematics` is not linear in v: the rate of {} is {:.10g} and N v is {:.10g} at "
                         "t = {:.10g}; write it as N(q, t) v",
                         problem_.coordinate_name(worst->row), rates(worst->row), linear(worst->row), t_)});
  }

  const Problem& problem_;
  const Checkable* known_;
  const Shape& shape_;
  const double t_;
  const Vector z_, a_, lambda_, kappa_;
  double t_beside_;
  Vector beside_;
  Evaluation given_, given_beside_, derived_, derived_beside_;
  std::vector<ModelFinding> findings_;
};

}  // namespace

std::vector<ModelFinding> check_model(const Problem& problem, const State& state) {
  const int size = problem.shape().layout().size();
  if (state.z.size() != size)
    throw InputError(fmt::format("the state has {} values, the problem needs {}; make it by make_state()",
                                 state.z.size(), size));
  return Checker(problem, state).run();
}

}  // namespace driftless
