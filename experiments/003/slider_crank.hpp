// Example 5.2: two-link slider-crank, let go at rest on branch A, th2 = pi - th1, at 24 angles from 0.5 to 1.5. The paper states
// neither start nor end; 10 s are 5 or 6 crossings of the singularity. Success: the run reaches its end, and at every step
// |th1 + th2 - pi| < 0.1 and |th1 - exact| < 0.1.
#pragma once

#include <string>
#include <vector>

#include "experiments/common/entry.hpp"

namespace driftless::experiments::paper003 {

// The constants of DASSL's corrector. The paper's error test is without multipliers, and its corrector's test has them; with
// the first setting they are in neither, as in runs of DASSL itself with a huge tolerance for them.
inline constexpr const char *without_multipliers = "bdf:corrector=0.33,iterations=4,ratio=0.6",
                            *with_multipliers =
                                "bdf:corrector=0.33,iterations=4,ratio=0.6,corrector_test=q;v;lambda";

std::vector<std::string> release_angles(int count);  // equally spaced

// For all of these angles.
std::string releases(int count, const std::string& formulation, const std::string& integrator,
                     const std::string& tolerance, const std::string& t_end);

struct Passage {
  bool success = false;
  int survived = 0;  // crossings; one after which the run fails does not count
};
Passage passage(const RunRecord& run);

Reading successes();
Reading mean_survived();

}  // namespace driftless::experiments::paper003
