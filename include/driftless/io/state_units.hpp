// StateUnits: in which units the numbers of a run are told: of a model in those of its file, with their names; of a problem of the
// catalog as they are, without any.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless::io {

struct StateUnits {
  struct Unit {
    std::string name = {};  // "mm"; empty: none is known
    double si = 1;          // one of it
  };
  Unit time = {}, length = {}, energy = {};
  // Of the entries of z and of the multipliers. Empty: as they are.
  std::vector<Unit> z = {}, lambda = {}, kappa = {};
  std::vector<Unit> acceleration = {};  // of v'

  bool known() const { return !time.name.empty(); }
  bool si() const;
  double t(double si) const { return si / time.si; }
  State state(const State& si) const;
  Vector of(VectorIn si, const std::vector<Unit>& units) const;
  // Of what a method has beside the state: the work has a unit, stabilizing multipliers are in SI.
  Unit extra(const std::string& name) const;
};

// "crank.x [mm]"; without a unit the name.
std::string labelled(const std::string& name, const StateUnits::Unit& unit);
// " s"; nothing where there is none.
std::string behind(const StateUnits::Unit& unit);
// Of column_names() (csv.hpp), one each.
std::vector<StateUnits::Unit> column_units(const Problem& problem, const State& state,
                                           const StateUnits& units);

}  // namespace driftless::io
