// Whether t enters what Shape::moving speaks of, found by evaluating a model on numbers that know whether
// they come from t (autodiff/traced.hpp). That sees t behind max(t - 1, 0), t * q at q = 0 and in branches
// not taken yet:
//   a comparison with t    is a dependence on t
//   one with the state     may hide t in the branch that is not taken: `unknown`, and g_t has to be watched
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include <driftless/autodiff/traced.hpp>
#include <driftless/core/checkable.hpp>
#include <driftless/core/model.hpp>

namespace driftless::model {

// Known to move at compile time: nothing is left to ask.
template <class M>
consteval bool always_moving() {
  if constexpr (requires { M::moving; }) {
    if constexpr (std::is_same_v<decltype(&M::moving), const bool*>) return M::moving;
  }
  return false;
}

// Which entry of a matrix or vector of traced numbers t enters, in the words of `name`(entry); empty: none.
template <class Name>
std::string found_time(const std::vector<autodiff::Traced>& values, const autodiff::Trace& trace, Name name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].from & autodiff::Traced::time) return name(static_cast<int>(i)) + " depends on t";
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].depends_on_time() || (trace.time_seen && i + 1 == values.size()))
      return name(static_cast<int>(i)) +
             " is computed after a comparison with t, so that it may depend on it";
  return {};
}

template <class Model>
TimeDependence time_dependence(const Model& model, const Problem& problem, double t, VectorIn z) {
  using Kind = TimeDependence::Kind;
  TimeDependence result{Kind::none, {}};
  if constexpr (!always_moving<Model>()) {
    using autodiff::Trace, autodiff::Traced;
    const Shape& s = problem.shape();
    // Calls evaluate(t, q, v, out) on traced numbers; whoever cannot be evaluated there stays unknown.
    const auto look = [&](int size, auto evaluate, auto name) {
      if (result.kind == Kind::found || size == 0) return;
      Trace trace;
      std::vector<Traced> q, v, out(static_cast<std::size_t>(size));
      for (int i = 0; i < s.nq; ++i) q.emplace_back(z(i), Traced::state, trace);
      for (int i = 0; i < s.nv && s.order > 1; ++i) v.emplace_back(z(s.nq + i), Traced::state, trace);
      try {
        evaluate(Traced(t, Traced::time, trace), std::span<const Traced>(q), std::span<const Traced>(v),
                 std::span<Traced>(out));
      } catch (...) {
        trace.state_seen = true;
      }
      if (std::string what = found_time(out, trace, name); !what.empty())
        result = {Kind::found, std::move(what)};
      else if (trace.state_seen)
        result.kind = Kind::unknown;
    };
    const auto row = [&](int first) {
      return [&problem, first](int i) { return "the constraint " + problem.constraint_name(first + i); };
    };
    if constexpr (HasPositions<Model>)
      look(
          s.ng, [&](auto time, auto q, auto, auto g) { model.constraint(time, q, g); }, row(0));
    if constexpr (HasVelocities<Model>)
      look(
          s.nk, [&](auto time, auto q, auto v, auto w) { model.velocity_constraint(time, q, v, w); },
          row(s.ng));
    // One with a hand-written derivative may be on double only.
    if constexpr (HasMass<Model> && !HasMassProductJacobian<Model>)
      look(
          s.nv * s.nv,
          [&](auto time, auto q, auto, auto M) { model.mass(time, q, MatrixView<Traced>(M.data(), s.nv)); },
          [&](int i) {
            return "the mass M(" + std::to_string(i % s.nv) + ", " + std::to_string(i / s.nv) + ")";
          });
    if constexpr (HasKinematics<Model>)
      look(
          s.nq, [&](auto time, auto q, auto v, auto rates) { model.kinematics(time, q, v, rates); },
          [&](int i) { return "the rate of " + problem.coordinate_name(i); });
  }
  return result;
}

}  // namespace driftless::model
