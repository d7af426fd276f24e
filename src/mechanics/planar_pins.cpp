#include "mechanics/planar_pins.hpp"

#include "mechanics/pair_pattern.hpp"

namespace driftless::mechanics {

struct PlanarPins::Arm {
  double x, y;
  Arm(const Side& side, const Places& places) {
    const PlanarAxis& axis = places.axes[static_cast<std::size_t>(side.body)];
    x = axis.c * side.x - axis.s * side.y;
    y = axis.s * side.x + axis.c * side.y;
  }
};

bool PlanarPins::takes(const Body& a, const Body& b) {
  const auto fits = [](const Body& body) { return body.kind != Body::Kind::spatial; };
  return fits(a) && fits(b) && (a.kind == Body::Kind::planar || b.kind == Body::Kind::planar);
}

void PlanarPins::add(const MechanismModel& model, const Measure& gap, int row, const RowPattern& pattern) {
  const auto side = [&](int body, const Vec3& point) {
    return Side{body, model.body(body).q, model.body(body).v, pattern.entry(row, body), point.x, point.y};
  };
  const Side a = side(gap.a, gap.pa), b = side(gap.b, gap.pb);
  const int length = pattern.length(row);
  if (model.body(gap.a).kind == Body::Kind::ground)
    grounded_.push_back({b, 1, a.x, a.y, row, length});
  else if (model.body(gap.b).kind == Body::Kind::ground)
    grounded_.push_back({a, -1, b.x, b.y, row, length});
  else
    between_.push_back({a, b, row, length});
}

namespace {

void put_unit(double sign, const RowBlock& rows) {
  rows(0, 0) = sign;
  rows(1, 1) = sign;
}
void put_column(double x, double y, const RowBlock& rows) {
  rows(0, 2) = x;
  rows(1, 2) = y;
}

}  // namespace

void PlanarPins::put_constants(linalg::SparseRows& G) const {
  const ValuesOfRows values{G.value.data()};
  for (const Between& pin : between_) {
    put_unit(-1, values.block(pin.row, pin.a.v, pin.a.entry, pin.length));
    put_unit(1, values.block(pin.row, pin.b.v, pin.b.entry, pin.length));
  }
  for (const Grounded& pin : grounded_)
    put_unit(pin.sign, values.block(pin.row, pin.side.v, pin.side.entry, pin.length));
}

template <class Target>
void PlanarPins::put(const Places& places, const WantedRows<Target>& to) const {
  const double *q = places.q.data(), *v = places.v.data();
  for (const Between& pin : between_) {
    const Arm a(pin.a, places), b(pin.b, places);
    const double *qa = q + pin.a.q, *qb = q + pin.b.q, *va = v + pin.a.v, *vb = v + pin.b.v;
    const double wa = va[2], wb = vb[2];
    if (to.g) {
      to.g[pin.row] = qb[0] + b.x - qa[0] - a.x;
      to.g[pin.row + 1] = qb[1] + b.y - qa[1] - a.y;
    }
    if (to.rates) {
      to.rates[pin.row] = vb[0] - wb * b.y - va[0] + wa * a.y;
      to.rates[pin.row + 1] = vb[1] + wb * b.x - va[1] - wa * a.x;
    }
    if (to.c) {
      to.c[pin.row] = wa * wa * a.x - wb * wb * b.x;
      to.c[pin.row + 1] = wa * wa * a.y - wb * wb * b.y;
    }
    if (to.with_G) {
      const RowBlock of_a = to.G.block(pin.row, pin.a.v, pin.a.entry, pin.length),
                     of_b = to.G.block(pin.row, pin.b.v, pin.b.entry, pin.length);
      if constexpr (!Target::keeps_constants) put_unit(-1, of_a), put_unit(1, of_b);
      put_column(a.y, -a.x, of_a);
      put_column(-b.y, b.x, of_b);
    }
    if (to.with_L) {
      put_column(wa * a.x, wa * a.y, to.L.block(pin.row, pin.a.v, pin.a.entry, pin.length));
      put_column(-wb * b.x, -wb * b.y, to.L.block(pin.row, pin.b.v, pin.b.entry, pin.length));
    }
  }
  for (const Grounded& pin : grounded_) {
    const Arm arm(pin.side, places);
    const double *place = q + pin.side.q, *rate = v + pin.side.v, w = rate[2], sign = pin.sign;
    if (to.g) {
      to.g[pin.row] = sign * (place[0] + arm.x - pin.x);
      to.g[pin.row + 1] = sign * (place[1] + arm.y - pin.y);
    }
    if (to.rates) {
      to.rates[pin.row] = sign * (rate[0] - w * arm.y);
      to.rates[pin.row + 1] = sign * (rate[1] + w * arm.x);
    }
    if (to.c) {
      to.c[pin.row] = -sign * (w * w * arm.x);
      to.c[pin.row + 1] = -sign * (w * w * arm.y);
    }
    if (to.with_G) {
      const RowBlock rows = to.G.block(pin.row, pin.side.v, pin.side.entry, pin.length);
      if constexpr (!Target::keeps_constants) put_unit(sign, rows);
      put_column(-sign * arm.y, sign * arm.x, rows);
    }
    if (to.with_L)
      put_column(-sign * w * arm.x, -sign * w * arm.y,
                 to.L.block(pin.row, pin.side.v, pin.side.entry, pin.length));
  }
}

template <class Pairs>
void PlanarPins::add_stiffness(const Places& places, const double* lambda, const Pairs& to) const {
  const auto add = [&](const Side& side, double sign, int row) {
    const Arm arm(side, places);
    to.block(side.v, side.v)(2, 2) -= sign * (arm.x * lambda[row] + arm.y * lambda[row + 1]);
  };
  for (const Between& pin : between_) {
    add(pin.a, -1, pin.row);
    add(pin.b, 1, pin.row);
  }
  for (const Grounded& pin : grounded_) add(pin.side, pin.sign, pin.row);
}

template void PlanarPins::put(const Places&, const WantedRows<WholeRows>&) const;
template void PlanarPins::put(const Places&, const WantedRows<ValuesOfRows>&) const;
template void PlanarPins::add_stiffness(const Places&, const double*, const WholePairs&) const;
template void PlanarPins::add_stiffness(const Places&, const double*, const SparsePairs&) const;

}  // namespace driftless::mechanics
