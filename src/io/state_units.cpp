#include <driftless/io/state_units.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace driftless::io {

Vector StateUnits::of(VectorIn si, const std::vector<Unit>& units) const {
  Vector own = si;
  for (Eigen::Index i = 0; i < own.size() && i < static_cast<Eigen::Index>(units.size()); ++i)
    own(i) /= units[static_cast<std::size_t>(i)].si;
  return own;
}

bool StateUnits::si() const {
  const auto one = [](const Unit& unit) { return unit.si == 1; };
  return one(time) && one(length) && one(energy) && std::all_of(z.begin(), z.end(), one);
}

State StateUnits::state(const State& si) const {
  State own = si;
  own.t = t(si.t);
  own.z = of(si.z, z);
  own.lambda = of(si.lambda, lambda);
  own.kappa = of(si.kappa, kappa);
  for (Extra& one : own.extras) one.value /= extra(one.name).si;
  return own;
}

StateUnits::Unit StateUnits::extra(const std::string& name) const {
  if (!known()) return {};
  return name == "work" ? energy : Unit{.name = "SI"};
}

std::string labelled(const std::string& name, const StateUnits::Unit& unit) {
  return unit.name.empty() ? name : fmt::format("{} [{}]", name, unit.name);
}

std::string behind(const StateUnits::Unit& unit) {
  return unit.name.empty() || unit.name == "1" ? "" : " " + unit.name;
}

std::vector<StateUnits::Unit> column_units(const Problem& problem, const State& state,
                                           const StateUnits& units) {
  const Shape& shape = problem.shape();
  std::vector<StateUnits::Unit> all = {units.time};
  const auto add = [&](const std::vector<StateUnits::Unit>& own, int size) {
    const std::size_t end = all.size() + static_cast<std::size_t>(size);
    all.insert(all.end(), own.begin(), own.end());
    all.resize(end);
  };
  add(units.z, shape.layout().size());
  add(units.lambda, shape.ng);
  add(units.kappa, shape.nk);
  for (const Extra& extra : state.extras)
    all.insert(all.end(), static_cast<std::size_t>(extra.value.size()), units.extra(extra.name));
  return all;
}

}  // namespace driftless::io
