// andrews: Andrews' squeezing mechanism, the seven-body problem of the IVP Test Set (T1). Reference at t =
// 0.03: recomputed with an 80-bit extrapolation method; the published vector is good to 9 digits in q and 6
// in the multipliers only.
#include <driftless/problems/andrews.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

#include <driftless/core/auto_problem.hpp>

#include "common/reference.hpp"

namespace driftless::problems {

namespace {

const std::vector<std::pair<const char*, double Andrews::*>>& parameters() {
  using A = Andrews;
  static const std::vector<std::pair<const char*, double A::*>> table = {
      {"m1", &A::m1}, {"m2", &A::m2}, {"m3", &A::m3}, {"m4", &A::m4}, {"m5", &A::m5}, {"m6", &A::m6},
      {"m7", &A::m7}, {"I1", &A::I1}, {"I2", &A::I2}, {"I3", &A::I3}, {"I4", &A::I4}, {"I5", &A::I5},
      {"I6", &A::I6}, {"I7", &A::I7}, {"xa", &A::xa}, {"ya", &A::ya}, {"xb", &A::xb}, {"yb", &A::yb},
      {"xc", &A::xc}, {"yc", &A::yc}, {"d", &A::d},   {"da", &A::da}, {"e", &A::e},   {"ea", &A::ea},
      {"rr", &A::rr}, {"ra", &A::ra}, {"ss", &A::ss}, {"sa", &A::sa}, {"sb", &A::sb}, {"sc", &A::sc},
      {"sd", &A::sd}, {"ta", &A::ta}, {"tb", &A::tb}, {"u", &A::u},   {"ua", &A::ua}, {"ub", &A::ub},
      {"zf", &A::zf}, {"zt", &A::zt}, {"fa", &A::fa}, {"c0", &A::c0}, {"l0", &A::l0}, {"mom", &A::mom}};
  return table;
}

std::string meaning_of(const std::string& name) {
  if (name == "mom") return "drive torque on the first body";
  if (name == "c0") return "stiffness of the spring";
  if (name == "l0") return "rest length of the spring";
  if (name[0] == 'm') return "mass of body " + name.substr(1);
  if (name[0] == 'I') return "inertia of body " + name.substr(1);
  if (name[0] == 'x' || name[0] == 'y')
    return "fixed point, the letter after " + name.substr(0, 1) + " names it";
  return "length, as named in the IVP Test Set";
}

const KnownState& known() {
  static const KnownState state = {
      .t = 0.03,
      .q = {15.810771195153707, -15.756371058411840, 0.040822240119645810, -0.53473011634207956,
            0.52440996587995403, 0.53473011634207956, 1.0480807410419379},
      .v = {1139.9203022591062, -1424.3792951775401, 11.032911910618644, 19.293374105032129,
            0.57356991482950503, -19.293374105032129, 0.32317914924913238},
      .lambda = {199.17534810453864, -29.755309974971780, 23.066543611622151, 31.452725275771137,
                 22.642494786394380, 11.617392352611262}};
  return state;
}

ProblemInstance make(const OptionValues& o) {
  Andrews model;
  for (const auto& [name, member] : parameters()) model.*member = o.number(name);
  ProblemInstance instance;
  instance.problem = make_problem(model);
  instance.start = o.word("start") == "reference"
                       ? make_state(*instance.problem, {known().q, known().v})
                       : make_state(*instance.problem,
                                    {{-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
                                      0.222668390165885884674473185609, 0.487364979543842550225598953530,
                                      -0.222668390165885884674473185609, 1.23054744454982119249735015568}});
  instance.t_end = 0.03;
  if (!o.changed()) instance.reference = table_reference("recomputed in 80-bit arithmetic", {known()});
  return instance;
}

}  // namespace

ProblemEntry andrews() {
  ProblemEntry entry{.summary = "Andrews' squeezing mechanism, seven bodies (7 coordinates, 6 constraints)",
                     .parameters = {},
                     .make = make};
  const Andrews defaults;
  for (const auto& [name, member] : parameters()) {
    OptionSpec spec{.name = name, .fallback = fmt::format("{}", defaults.*member), .help = meaning_of(name)};
    if (spec.help.starts_with("mass") || spec.help.starts_with("inertia")) spec.above = 0;
    entry.parameters.push_back(spec);
  }
  entry.parameters.push_back(
      {.name = "start",
       .fallback = "rest",
       .help =
           "rest: the test set's; reference: at t = 0 the state that the test set's motion has at t = 0.03",
       .choices = {"rest", "reference"}});
  return entry;
}

}  // namespace driftless::problems
