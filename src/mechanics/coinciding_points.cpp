#include "mechanics/coinciding_points.hpp"

#include <algorithm>
#include <type_traits>

#include "mechanics/pair_pattern.hpp"

namespace driftless::mechanics {

namespace {

using Kind = Body::Kind;

template <Kind kind>
using Constant = std::integral_constant<Kind, kind>;

void put_vector(const Vec3& values, int row, int count, double* all) {
  all[row] = values.x;
  all[row + 1] = values.y;
  if (count > 2) all[row + 2] = values.z;
}

// How the rows change with the place of a body.
void put_place(Kind kind, double sign, int count, const RowBlock& rows) {
  if (kind == Kind::ground) return;
  const int axes = std::min(count, kind == Kind::planar ? 2 : 3);
  for (int i = 0; i < axes; ++i) rows(i, i) = sign;
}

// The change of R s, or of its rate, with a turn: arm x e_i for each row.
template <Kind kind>
void put_turns(const Place& at, double sign, const Vec3& arm, int count, const RowBlock& rows) {
  if constexpr (kind == Kind::planar) {
    rows(0, 2) = -sign * arm.y;
    rows(1, 2) = sign * arm.x;
  } else if constexpr (kind == Kind::spatial) {
    const Vec3 torques[] = {{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}};
    for (int i = 0; i < count; ++i) {
      const Vec3 own = to_body(at.pose.R, torques[i]);
      rows(i, 3) = sign * own.x;
      rows(i, 4) = sign * own.y;
      rows(i, 5) = sign * own.z;
    }
  }
}

template <Kind kind>
void add_turn_stiffness(const Place& at, const Vec3& s, double sign, const Vec3& pull, const RowBlock& to) {
  if constexpr (kind == Kind::planar) {
    const Vec3 arm = at.pose.R * s;
    to(2, 2) -= sign * (arm.x * pull.x + arm.y * pull.y);
  } else if constexpr (kind == Kind::spatial) {
    const Vec3 m = to_body(at.pose.R, pull);
    const double across = dot(s, m), pulls[] = {m.x, m.y, m.z}, point[] = {s.x, s.y, s.z};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) to(3 + i, 3 + j) += sign * (pulls[i] * point[j] - (i == j ? across : 0.0));
  }
}

}  // namespace

void CoincidingPoints::add(const MechanismModel& model, const Measure& gap, int row, int count,
                           const RowPattern& pattern) {
  const Body &a = model.body(gap.a), &b = model.body(gap.b);
  by_kinds_[static_cast<std::size_t>(a.kind)][static_cast<std::size_t>(b.kind)].push_back(
      {gap.a, gap.b, gap.pa, gap.pb, row, count, pattern.entry(row, gap.a), pattern.entry(row, gap.b),
       pattern.length(row), a.v, b.v});
}

template <class Action>
void CoincidingPoints::each_kind(const Action& action) const {
  const auto with = [&](auto a, auto b) {
    const auto& all = by_kinds_[static_cast<std::size_t>(a())][static_cast<std::size_t>(b())];
    if (!all.empty()) action(a, b, all);
  };
  const auto with_any = [&](auto a) {
    with(a, Constant<Kind::ground>());
    with(a, Constant<Kind::planar>());
    with(a, Constant<Kind::spatial>());
  };
  with_any(Constant<Kind::ground>());
  with_any(Constant<Kind::planar>());
  with_any(Constant<Kind::spatial>());
}

void CoincidingPoints::mark_bodies(std::vector<char>& marks) const {
  each_kind([&](auto, auto, const std::vector<Points>& all) {
    for (const Points& points : all)
      marks[static_cast<std::size_t>(points.a)] = marks[static_cast<std::size_t>(points.b)] = 1;
  });
}

void CoincidingPoints::put_constants(linalg::SparseRows& G) const {
  const ValuesOfRows values{G.value.data()};
  each_kind([&](auto kind_a, auto kind_b, const std::vector<Points>& all) {
    for (const Points& p : all) {
      put_place(kind_a(), -1, p.count, values.block(p.row, p.v_a, p.entry_a, p.length));
      put_place(kind_b(), 1, p.count, values.block(p.row, p.v_b, p.entry_b, p.length));
    }
  });
}

template <Body::Kind kind_a, Body::Kind kind_b, class Target>
void CoincidingPoints::put_all(const std::vector<Points>& all, const Places& places,
                               const WantedRows<Target>& to) {
  for (const Points& p : all) {
    const Place &a = places[p.a], &b = places[p.b];
    const Vec3 arm_a = a.pose.R * p.pa, arm_b = b.pose.R * p.pb;
    const Vec3 turn_a = cross(a.pose.w, arm_a), turn_b = cross(b.pose.w, arm_b);
    if (to.g) put_vector(b.pose.r + arm_b - a.pose.r - arm_a, p.row, p.count, to.g);
    if (to.rates) put_vector(b.pose.v + turn_b - a.pose.v - turn_a, p.row, p.count, to.rates);
    if (to.c) put_vector(cross(b.pose.w, turn_b) - cross(a.pose.w, turn_a), p.row, p.count, to.c);
    if (to.with_G) {
      const RowBlock of_a = to.G.block(p.row, p.v_a, p.entry_a, p.length),
                     of_b = to.G.block(p.row, p.v_b, p.entry_b, p.length);
      if constexpr (!Target::keeps_constants) {
        put_place(kind_a, -1, p.count, of_a);
        put_place(kind_b, 1, p.count, of_b);
      }
      put_turns<kind_a>(a, -1, arm_a, p.count, of_a);
      put_turns<kind_b>(b, 1, arm_b, p.count, of_b);
    }
    if (to.with_L) {
      put_turns<kind_a>(a, -1, turn_a, p.count, to.L.block(p.row, p.v_a, p.entry_a, p.length));
      put_turns<kind_b>(b, 1, turn_b, p.count, to.L.block(p.row, p.v_b, p.entry_b, p.length));
    }
  }
}

template <class Target>
void CoincidingPoints::put(const Places& places, const WantedRows<Target>& to) const {
  each_kind([&](auto kind_a, auto kind_b, const std::vector<Points>& all) {
    put_all<kind_a(), kind_b()>(all, places, to);
  });
}

template <Body::Kind kind_a, Body::Kind kind_b, class Pairs>
void CoincidingPoints::add_stiffness_of_all(const std::vector<Points>& all, const Places& places,
                                            const double* lambda, const Pairs& to) {
  for (const Points& p : all) {
    const Vec3 pull{lambda[p.row], lambda[p.row + 1], p.count > 2 ? lambda[p.row + 2] : 0.0};
    if constexpr (kind_a != Kind::ground)
      add_turn_stiffness<kind_a>(places[p.a], p.pa, -1, pull, to.block(p.v_a, p.v_a));
    if constexpr (kind_b != Kind::ground)
      add_turn_stiffness<kind_b>(places[p.b], p.pb, 1, pull, to.block(p.v_b, p.v_b));
  }
}

template <class Pairs>
void CoincidingPoints::add_stiffness(const Places& places, const double* lambda, const Pairs& to) const {
  each_kind([&](auto kind_a, auto kind_b, const std::vector<Points>& all) {
    add_stiffness_of_all<kind_a(), kind_b()>(all, places, lambda, to);
  });
}

template void CoincidingPoints::put(const Places&, const WantedRows<WholeRows>&) const;
template void CoincidingPoints::put(const Places&, const WantedRows<ValuesOfRows>&) const;
template void CoincidingPoints::add_stiffness(const Places&, const double*, const WholePairs&) const;
template void CoincidingPoints::add_stiffness(const Places&, const double*, const SparsePairs&) const;

}  // namespace driftless::mechanics
