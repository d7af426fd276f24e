// State: what a user sees of the system at one time, whatever the unknowns were inside.
//   z = (x_0, x_1, .., x_{m-1})   one block of memory; q = x_0 and v = x_1 for mechanical systems (order m = 2)
//   x_0 has nq entries, every higher level nv (they differ only when q' = N(q) v, e.g. unit quaternions)
//   lambda, kappa                 multipliers of position and velocity constraints
//   extras                        named further values of a formulation or control (work integral, chart, ..)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <driftless/linalg/types.hpp>

namespace driftless {

struct Layout {
  int order = 2;
  int nq = 0;
  int nv = 0;

  int size() const { return nq + (order - 1) * nv; }  // entries of z
  int tangent_size() const { return order * nv; }     // entries of a displacement of z
  int offset(int level) const { return level == 0 ? 0 : nq + (level - 1) * nv; }  // where x_level begins
  int width(int level) const { return level == 0 ? nq : nv; }
  bool operator==(const Layout&) const = default;
};

struct Extra {
  std::string name;
  Vector value;
};

struct State {
  State() = default;
  State(const Layout& levels, int lambdas, int kappas)
      : z(Vector::Zero(levels.size())),
        lambda(Vector::Zero(lambdas)),
        kappa(Vector::Zero(kappas)),
        layout(levels) {}

  double t = 0;
  Vector z;
  Vector lambda;
  Vector kappa;
  std::vector<Extra> extras;
  Layout layout;

  // The extra of that name; null: there is none.
  Vector* extra(std::string_view name) {
    for (Extra& e : extras)
      if (e.name == name) return &e.value;
    return nullptr;
  }
  const Vector* extra(std::string_view name) const { return const_cast<State*>(this)->extra(name); }

  auto level(int j) { return z.segment(layout.offset(j), layout.width(j)); }
  auto level(int j) const { return z.segment(layout.offset(j), layout.width(j)); }
  auto q() { return level(0); }
  auto q() const { return level(0); }
  auto v() { return level(1); }  // order 2 and above
  auto v() const { return level(1); }
};

}  // namespace driftless
