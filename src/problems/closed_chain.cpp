// closed-chain: five links between two ground pins, let go at rest from a lopsided hanging shape: the first
// three angles are given, the last two links close the loop, sagging. Conservative. Reference at t = 2: the
// same chain in joint angles with two constraints, integrated by extrapolation in 113-bit arithmetic. A shape
// that cannot be closed is refused.
#include <driftless/problems/closed_chain.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>
#include <driftless/core/entries.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<ClosedChain>>& parameters() {
  using C = ClosedChain;
  static const std::vector<Parameter<C>> table = {{"length", &C::length, "length of a link", 0},
                                                  {"m", &C::m, "mass of a link", 0},
                                                  {"span", &C::span, "distance between the ground pins"},
                                                  {"gravity", &C::gravity, "gravity, along -y"}};
  return table;
}

State start(const Problem& problem, const ClosedChain& chain, const std::array<double, 3>& given) {
  double x = 0, y = 0;
  for (const double angle : given) {
    x += chain.length * std::cos(angle);
    y += chain.length * std::sin(angle);
  }
  const double gap = std::hypot(chain.span - x, -y), longest = 2 * chain.length;
  if (!(gap > 0 && gap < longest))
    throw InputError(
        fmt::format("three links at the given angles end {} from the far pin (must lie above 0 and below {}, "
                    "what two links can "
                    "bridge); choose other angles or another span",
                    gap, longest));
  const double towards = std::atan2(-y, chain.span - x), sag = std::acos(gap / longest);
  const std::array<double, 5> angles = {given[0], given[1], given[2], towards - sag, towards + sag};
  std::vector<double> q;
  x = y = 0;
  for (const double angle : angles) {
    const double dx = chain.length * std::cos(angle), dy = chain.length * std::sin(angle);
    q.insert(q.end(), {x + dx / 2, y + dy / 2, angle});
    x += dx;
    y += dy;
  }
  return make_state(problem, {q});
}

Reference reference() {
  return table_reference(
      "joint angles, extrapolation in 113-bit arithmetic",
      {{.t = 2,
        .q = {-0.0343279564814886034, -0.498820199474525114, -1.63950629096515665, 0.303040860786272874,
              -1.33206753359036308, -0.732666499843966267, 1.16245602025284468, -1.55635486510269903,
              0.222101108463230008, 1.93389967907785857, -1.03451132213162949, 0.967390010657002273,
              2.60881247609277537, -0.311403791144768429, 0.672326137471332551},
        .v = {-1.12798901829626133, 0.077626282922106549, -2.26131383509433853, -0.318777521309375953,
              2.30834095805382128, 5.79259370613235559, 2.32414710896012779, 1.33635906373068814,
              -6.40753020195554188, 1.2510101213718306, -0.562810645988680245, 4.32073097819546038,
              -0.263925490601411813, 0.331544965412346345, -0.847534609746339148},
        .lambda = {-9.21207543151552801, -44.1916404926401158, 10.3967340470281679, -33.1682680041129595,
                   37.2214089856234148, -9.62227876908619391, 30.191825537595051, 27.075765142924342,
                   28.9340220638755787, 35.5127001335133336, 41.921667498236021, 29.5842079585913985}}});
}

ProblemInstance make(const OptionValues& o) {
  const auto model = model_of(parameters(), o);
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start =
      start(*instance.problem, model, {o.number("angle1"), o.number("angle2"), o.number("angle3")});
  instance.t_end = 2;
  if (!o.changed()) instance.reference = reference();
  return instance;
}

}  // namespace

ProblemEntry closed_chain() {
  ProblemEntry entry{
      .summary = "five links between two ground pins, absolute coordinates (15 coordinates, 12 constraints)",
      .parameters = specs_of(parameters()),
      .make = make};
  entry.parameters.insert(entry.parameters.end(),
                          {{.name = "angle1", .fallback = "-1.5", .help = "start angle of the first link"},
                           {.name = "angle2", .fallback = "0", .help = "start angle of the second link"},
                           {.name = "angle3", .fallback = "0.5", .help = "start angle of the third link"}});
  return entry;
}

}  // namespace driftless::problems
