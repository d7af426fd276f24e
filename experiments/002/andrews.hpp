// Andrews' mechanism in the forms of Tables 2 and 3, at one tolerance and averaged over several.
#pragma once

#include <string>
#include <vector>

#include "experiments/002/runs.hpp"

namespace driftless::experiments::paper002 {

struct Mechanism {
  std::string name, formulation;
};
inline const Mechanism stabilized_1{"stab. index 1", "overdetermined-index1:lambda=own,time=model"},
    stabilized_2{"stab. index 2", "overdetermined-index2"}, plain_2{"index 2", "index2"},
    plain_1{"index 1", "index1"};

inline std::string command(const Mechanism& mechanism, const Setting& setting) {
  return andrews(mechanism.formulation, setting.integrator);
}

// The tolerances over which an independent program has averages, too.
struct Average {
  Setting setting;
  std::string range;
  std::vector<std::string> tolerances;
};
inline const Average average_a{setting_a, "1e-4 to 1e-7", tolerances(4, 7, 13)},
    average_c{setting_c, "10^-4.5 to 10^-6.5", tolerances(4.5, 6.5, 9)};

inline std::string loop_of(const Average& average, const Mechanism& mechanism) {
  return over(average.tolerances, command(mechanism, average.setting));
}

// A number of the runs of such a loop; what is expected of it and a note are added.
inline Entry averaged(const std::string& item, const Average& average, const Mechanism& mechanism,
                      const std::string& quantity, const Reading& reading) {
  return {
      .item = item,
      .quantity = quantity,
      .parameters = {{"form", mechanism.name}, {"setting", average.setting.name}, {"over", average.range}},
      .expected = {},
      .command = loop_of(average, mechanism),
      .reading = reading};
}

}  // namespace driftless::experiments::paper002
