#include "generate.hpp"

#include <algorithm>
#include <cmath>

#include "circumstances.hpp"
#include "draw.hpp"
#include "forces.hpp"
#include "linkages.hpp"
#include "loops.hpp"
#include "redundant.hpp"
#include "trees.hpp"

namespace driftless::benchmarks::random {

namespace {

enum class Family { tree, loops, lifted, doubled, triangles, linkage };

Family family(Draw& draw) {
  const double u = draw.unit();
  return u < 0.15   ? Family::tree
         : u < 0.55 ? Family::loops
         : u < 0.65 ? Family::lifted
         : u < 0.75 ? Family::doubled
         : u < 0.85 ? Family::triangles
                    : Family::linkage;
}

// Few, mostly.
int how_many(Draw& draw) {
  return std::max(1, static_cast<int>(40 * std::pow(draw.unit(), 2.2)));
}

void draw_linkage(Sketch& sketch, Draw& draw) {
  switch (draw.whole(0, 3)) {
    case 0:
      four_bar(sketch, draw);
      return;
    case 1:
      parallelograms(sketch, draw);
      break;
    case 2:
      equal_slider_crank(sketch, draw);
      break;
    default:
      stretched_arch(sketch, draw);
      break;
  }
  sketch.classes.insert("singular");
}

void draw_bodies(Sketch& sketch, Draw& draw, Family what, int bodies) {
  if (what == Family::linkage || (what == Family::lifted && draw.chance(0.5))) {
    draw_linkage(sketch, draw);
    sketch.classes.insert("loops");
    if (draw.chance(0.4)) grow_tree(sketch, draw, draw.whole(1, 6));
    return;
  }
  if (what == Family::triangles) {
    const int count = draw.whole(1, 3);
    for (int i = 0; i < count; ++i) rigid_triangle(sketch, draw);
    sketch.classes.insert("loops");
    bodies = draw.chance(0.5) ? 0 : std::min(bodies, 8);
  }
  grow_tree(sketch, draw, bodies);
  if (what != Family::tree && what != Family::triangles)
    close_loops(sketch, draw, draw.whole(1, std::max(1, bodies / 3)));
}

void draw_start(Sketch& sketch, Draw& draw) {
  for (SketchBody& body : sketch.bodies) {
    body.velocity += draw.within(sketch.planar);
    body.rates += sketch.planar ? Vec3{0, 0, draw.between(-2, 2)} : 2.0 * draw.within(false);
  }
}

}  // namespace

Sketch generate(std::uint64_t seed, std::uint64_t number) {
  Draw draw(seed, number);
  Sketch sketch;
  const Family what = family(draw);
  sketch.planar = what == Family::lifted || what == Family::linkage || draw.chance(0.5);
  if (!sketch.planar) sketch.gravity = {0, 0, -9.81};
  draw_bodies(sketch, draw, what, how_many(draw));
  if (draw.chance(0.02)) add_bar_without_length(sketch, draw);
  if (draw.chance(0.15)) couple_joints(sketch, draw);
  if (what == Family::lifted || (what == Family::linkage && draw.chance(0.25))) lift_into_space(sketch, draw);
  if (what == Family::doubled) double_joints(sketch, draw);
  if (!sketch.planar && (what == Family::lifted || what == Family::linkage || what == Family::triangles))
    sketch.classes.insert("redundant");
  if (what == Family::doubled) sketch.classes.insert("redundant");

  if (draw.chance(0.5)) {
    const double decades = draw.chance(0.4) ? 1 : draw.between(1, 9);
    spread_masses(sketch, draw, decades);
    if (decades > 3) sketch.classes.insert("masses");
  }
  const bool stiff = draw.chance(0.2);
  if (stiff || draw.chance(0.4)) add_forces(sketch, draw, draw.whole(1, 4), stiff ? 7 : 2);
  if (stiff) sketch.classes.insert("stiff");
  // Loops may hold single joints of theirs fast, which cannot be driven; and where a mechanism may go on in
  // two ways, velocities that are drawn belong to neither.
  if (draw.chance(0.12) && !sketch.classes.contains("loops")) add_drive(sketch, draw);
  if (draw.chance(0.4) && !sketch.classes.contains("singular")) draw_start(sketch, draw);
  sketch.t_end = draw.between(0.5, 2);
  if (draw.chance(0.2)) rescale(sketch, draw), sketch.classes.insert("scaled");
  if (draw.chance(0.08)) move_far_away(sketch, draw), sketch.classes.insert("far");
  if (draw.chance(0.12)) make_inconsistent(sketch, draw), sketch.classes.insert("inconsistent");

  sketch.classes.insert(sketch.planar ? "planar" : "spatial");
  sketch.classes.insert(sketch.velocities() < 36 ? "small" : "large");
  if (!sketch.classes.contains("loops")) sketch.classes.insert("trees");
  return sketch;
}

}  // namespace driftless::benchmarks::random
