// stiff-pendulum: a pendulum whose carriage is held by a spring of any stiffness k, from rest at an angle.
// The start lies on the slow motion: there phi' = 0, so that P' = 0 and
//   P'' = -(m gravity^2/length) sin phi (1 - 4 sin^2 phi)
//   s = P/k - (mu - c^2/k) P''/k^2,   s' = -c P''/k^2
// with relative errors of order 1/k^2 in s; c^2/k counts, because c = 2 damping sqrt(k m0). `stretch` is
// added to s and begins a fast oscillation or, damped, a transient. The series needs a spring that is fast
// against the swing: a softer one is refused. Reference: independent integration in s and phi, for the
// default values with k = 1e3, 1e6, 1e9, 1e12 and damping 1 or 0. Explicit methods take some sqrt(k/m0) steps
// a second.
#include <driftless/problems/stiff_pendulum.hpp>

#include <cmath>

#include <driftless/core/auto_problem.hpp>

#include "common/parameters.hpp"
#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<Parameter<StiffPendulum>>& parameters() {
  using S = StiffPendulum;
  static const std::vector<Parameter<S>> table = {{"k", &S::k, "stiffness of the spring", 0},
                                                  {"m", &S::m, "mass at the end of the rod", 0},
                                                  {"m0", &S::m0, "mass of the carriage", 0},
                                                  {"length", &S::length, "of the rod", 0},
                                                  {"gravity", &S::gravity, "gravity"}};
  return table;
}

// The motion in its two free coordinates.
struct Motion {
  double phi, phi_rate, s, s_rate;
};

double spring_load(const StiffPendulum& p, double phi, double phi_rate) {
  return p.m * std::sin(phi) * (p.gravity * std::cos(phi) + p.length * phi_rate * phi_rate);
}
double moved_mass(const StiffPendulum& p, double phi) {
  return p.m0 + p.m * std::sin(phi) * std::sin(phi);
}

Motion slow_start(const StiffPendulum& p, double phi) {
  const double sine = std::sin(phi), k2 = p.k * p.k,
               load_rate2 = -p.m * p.gravity * p.gravity / p.length * sine * (1 - 4 * sine * sine);
  return {phi, 0, spring_load(p, phi, 0) / p.k - (moved_mass(p, phi) - p.c * p.c / p.k) * load_rate2 / k2,
          -p.c * load_rate2 / k2};
}

void check_slow(const StiffPendulum& p) {
  const double limit = 10 * (p.m0 + p.m + p.c * p.c / p.k) * std::abs(p.gravity) / p.length;
  if (p.k < limit)
    throw InputError(
        fmt::format("the stiffness k is {} (must be at least 10 (m0 (1 + 4 damping^2) + m) |gravity|/length "
                    "= {:.4g}, so that there is a slow motion to start on); choose a stiffer spring or less "
                    "damping",
                    p.k, limit));
}

KnownState known(const StiffPendulum& p, bool absolute, double t, const Motion& at) {
  const double sine = std::sin(at.phi), cosine = std::cos(at.phi), l = p.length;
  const double x = l * sine, x_rate = l * at.phi_rate * cosine;
  const double s_rate2 =
      (spring_load(p, at.phi, at.phi_rate) - p.c * at.s_rate - p.k * at.s) / moved_mass(p, at.phi);
  return {.t = t,
          .q = {at.s, absolute ? at.s + x : x, -l * cosine},
          .v = {at.s_rate, absolute ? at.s_rate + x_rate : x_rate, l * at.phi_rate * sine},
          .lambda = {p.m * (l * at.phi_rate * at.phi_rate + p.gravity * cosine - s_rate2 * sine) / l}};
}

// phi, phi', s, s' at t = 1 and 2 by Gauss methods of orders 16 and 20 in 113-bit arithmetic, steps 1/60 and
// 1/100. They agree to 1e-17 in phi and phi', and relatively to 1e-15 in s and 1e-10 in s'. Without damping
// the start's distance from the slow motion swings on; so that this is resolved too, k = 1e6 was done with
// steps 1/1000 and 1/1500, k = 1e9 with order 12 and step 1/30000.
struct Row {
  double k, damping;
  Motion at_1, at_2;
};
constexpr Row rows[] = {
    {1e3,
     1,
     {-0.97271137606926905, -0.60151130505642592, -0.0057521823457635799, 0.015078083270496388},
     {0.90340020168500301, 1.1710455519970298, 0.006821507803803516, -0.013251397372297628}},
    {1e6,
     1,
     {-0.98006418131805961, -0.57184370915571747, -4.8293270623207212e-6, 1.0011139503408389e-5},
     {0.92078318237096302, 1.1283767307927632, 5.7722377990759373e-6, -1.6218349873689878e-5}},
    {1e9,
     1,
     {-0.98006699028998756, -0.57180376090687068, -4.810082135701769e-9, 9.771499713483589e-9},
     {0.92079381678705241, 1.128301933154997, 5.7407438703880485e-9, -1.6124105360753734e-8}},
    {1e12,
     1,
     {-0.98006699293076682, -0.57180372075985419, -4.8094838216789636e-12, 9.7638942054697297e-12},
     {0.92079382714561131, 1.1283018575773534, 5.7397562611877511e-12, -1.6121038312250047e-11}},
    {1e3,
     0,
     {-0.97720322211131827, -0.6142258576402958, -0.00462157348349518, 0.011062100468721194},
     {0.90952110735474689, 1.2086276241112985, 0.0057976491304206536, -0.019594769523827264}},
    {1e6,
     0,
     {-0.98006435479208176, -0.57184391673736923, -4.8093019420957032e-6, 9.7656027018840115e-6},
     {0.92078346641569497, 1.1283775401011538, 5.7397972962713343e-6, -1.6123916237151729e-5}},
    {1e9,
     0,
     {-0.98006699029548638, -0.57180376091323259, -4.8094641317083551e-9, 9.7636477497591928e-9},
     {0.92079381679608563, 1.1283019331801951, 5.7397240923056464e-9, -1.6120941018877423e-8}},
    {1e12,
     0,
     {-0.98006699293076693, -0.57180372075985442, -4.8094642938905499e-12, 9.763645818677974e-12},
     {0.92079382714561153, 1.1283018575773542, 5.7397240191111227e-12, -1.6120938072199504e-11}},
};

Reference reference(const StiffPendulum& p, double damping, bool absolute) {
  std::vector<KnownState> states;
  for (const Row& row : rows)
    if (row.k == p.k && row.damping == damping)
      states = {known(p, absolute, 1, row.at_1), known(p, absolute, 2, row.at_2)};
  if (states.empty()) return {};
  return table_reference(
      "independent integration in stretch and angle, Gauss methods of orders 16 and 20 in 113-bit arithmetic",
      std::move(states));
}

ProblemInstance make(const OptionValues& o) {
  auto model = model_of(parameters(), o);
  const double damping = o.number("damping"), stretch = o.number("stretch"), phi = o.number("angle");
  const bool absolute = o.word("coordinates") == "absolute";
  model.c = 2 * damping * std::sqrt(model.k * model.m0);
  check_slow(model);
  ProblemInstance instance;
  if (absolute)
    instance.problem = make_problem(StiffPendulumAbsolute{model});
  else
    instance.problem = make_problem(model);
  Motion begin = slow_start(model, phi);
  begin.s += stretch;
  const KnownState start = known(model, absolute, 0, begin);
  instance.start = make_state(*instance.problem, {start.q, start.v});
  instance.t_end = 2;
  const StiffPendulum usual;
  if (model.m == usual.m && model.m0 == usual.m0 && model.length == usual.length &&
      model.gravity == usual.gravity && phi == 1 && stretch == 0)
    instance.reference = reference(model, damping, absolute);
  return instance;
}

}  // namespace

ProblemEntry stiff_pendulum() {
  ProblemEntry entry{.summary = "pendulum on a carriage held by a stiff spring (3 coordinates, 1 constraint)",
                     .parameters = specs_of(parameters()),
                     .make = make};
  entry.parameters.insert(
      entry.parameters.end(),
      {{.name = "damping",
        .fallback = "1",
        .help = "c/(2 sqrt(k m0)): 1 is critical for the empty carriage, 0 has no damper",
        .at_least = 0},
       {.name = "angle", .fallback = "1", .help = "of the rod from the vertical at the start, at rest"},
       {.name = "stretch",
        .fallback = "0",
        .help = "of the spring at the start, beyond that of the slow motion"},
       {.name = "coordinates",
        .fallback = "relative",
        .help = "x from the carriage, or absolute: from the spring's rest position",
        .choices = {"relative", "absolute"}}});
  return entry;
}

}  // namespace driftless::problems
