#include "linkages.hpp"

#include <cmath>
#include <numbers>

#include "trees.hpp"

namespace driftless::benchmarks::random {

namespace {

constexpr double pi = std::numbers::pi;

Vec3 along(double angle) {
  return {std::cos(angle), std::sin(angle), 0};
}

// Between two points, its centre in the middle.
int link(Sketch& sketch, Draw& draw, const Vec3& from, const Vec3& to) {
  const int body = add_body(sketch, draw, 0.5 * (from + to));
  const Vec3 way = to - from;
  sketch.body(body).angle = std::atan2(way.y, way.x);
  return body;
}

// A body that turns about a point of the ground.
void spin(Sketch& sketch, int body, const Vec3& center, double rate) {
  const Vec3 arm = sketch.body(body).at - center;
  sketch.body(body).velocity = {-rate * arm.y, rate * arm.x, 0};
  sketch.body(body).rates.z = rate;
}

// Anywhere, or with the links in line.
double start_angle(Draw& draw) {
  const double angle = draw.between(0.1, pi - 0.1);
  return draw.chance(0.2) ? 0 : angle;
}

}  // namespace

void four_bar(Sketch& sketch, Draw& draw) {
  const double crank = draw.between(0.3, 1), angle = draw.between(0.3, pi - 0.3),
               width = draw.between(0.8, 2), other = draw.between(0.3, 1.2),
               other_angle = draw.between(0.3, pi - 0.3);
  const Vec3 A = crank * along(angle), D{width, 0, 0}, B = D + other * along(other_angle);
  const int a = link(sketch, draw, {}, A), b = link(sketch, draw, A, B), c = link(sketch, draw, B, D);
  add_joint(sketch, "revolute", 0, a, {});
  add_joint(sketch, "revolute", a, b, A);
  add_joint(sketch, "revolute", b, c, B);
  add_joint(sketch, "revolute", c, 0, D);
  spin(sketch, a, {}, draw.between(-3, 3));
  sketch.freedoms += 1;
}

void parallelograms(Sketch& sketch, Draw& draw) {
  const int cells = draw.whole(1, 6);
  const double width = draw.between(0.4, 1.2), rate = draw.either(draw.between(1, 6)),
               angle = start_angle(draw);
  const Vec3 tip = (draw.chance(0.3) ? width : draw.between(0.3, 1)) * along(angle), next{width, 0, 0};
  Vec3 foot;
  int before = 0;
  for (int i = 0; i <= cells; ++i, foot += next) {
    const int crank = link(sketch, draw, foot, foot + tip);
    add_joint(sketch, "revolute", 0, crank, foot);
    spin(sketch, crank, foot, rate);
    if (i > 0) {
      const int coupler = link(sketch, draw, foot + tip - next, foot + tip);
      add_joint(sketch, "revolute", before, coupler, foot + tip - next);
      add_joint(sketch, "revolute", crank, coupler, foot + tip);
      sketch.body(coupler).velocity = rate * Vec3{-tip.y, tip.x, 0};
    }
    before = crank;
  }
  sketch.freedoms += 1;
}

void equal_slider_crank(Sketch& sketch, Draw& draw) {
  const double angle = draw.between(0.2, 1.2);
  const Vec3 pin = along(angle), end{2 * pin.x, 0, 0};
  const int crank = link(sketch, draw, {}, pin), rod = link(sketch, draw, pin, end),
            slider = add_body(sketch, draw, end);
  add_joint(sketch, "revolute", 0, crank, {});
  add_joint(sketch, "revolute", crank, rod, pin);
  add_joint(sketch, "revolute", rod, slider, end);
  add_joint(sketch, "prismatic", 0, slider, end, {1, 0, 0});
  spin(sketch, crank, {}, draw.between(0, 6));
  sketch.freedoms += 1;
}

void stretched_arch(Sketch& sketch, Draw& draw) {
  const double span = draw.between(0.6, 1.6), place = draw.between(0.3, 0.7) * span,
               height = draw.chance(0.3) ? 0 : draw.decades(-9, -1);
  const Vec3 pin{place, height, 0}, end{span, 0, 0};
  const int left = link(sketch, draw, {}, pin), right = link(sketch, draw, pin, end);
  add_joint(sketch, "revolute", 0, left, {});
  add_joint(sketch, "revolute", left, right, pin);
  if (draw.chance(0.5)) {
    add_joint(sketch, "revolute", right, 0, end);  // cannot move
  } else {
    const int slider = add_body(sketch, draw, end);
    add_joint(sketch, "revolute", right, slider, end);
    add_joint(sketch, "prismatic", 0, slider, end, {1, 0, 0});
    sketch.freedoms += 1;
  }
}

}  // namespace driftless::benchmarks::random
