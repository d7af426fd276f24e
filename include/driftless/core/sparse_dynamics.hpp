// SparseDynamics: what a problem says beside its constraint rows that offers M, f and their derivatives without zeros too (SparseParts).
#pragma once

#include <vector>

namespace driftless {

class SparseDynamics {
 public:
  virtual ~SparseDynamics() = default;

  struct Branches {
    // Sizes of groups of velocities that M couples, one after the other (bodies; all that hangs on one joint of the ground). Matrices over
    // pairs of them have whole blocks. Empty: it is not offered after all.
    std::vector<int> sizes = {};
    // The first of three rates about own axes whose coordinates are a unit quaternion.
    std::vector<int> quaternions = {};
  };
  virtual Branches branches() const = 0;
};

}  // namespace driftless
