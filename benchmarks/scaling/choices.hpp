// What Driftless chooses by measurement: from which size on matrices are kept without zeros, and by which factorisation.
#pragma once

#include <string>
#include <vector>

#include "bars.hpp"

namespace driftless::benchmarks::scaling {

// Seconds of one right-hand side (index1) with whole matrices and without zeros.
struct Storages {
  Mechanism mechanism;
  int N, velocities;
  double whole, sparse;
};

// Seconds that S = G M^-1 G^T takes, from its entries to a solution, once its structure is known: by blocks of joints, as Driftless does it; by
// Eigen's SimplicialLLT, in the order of AMD; by KLU, which factors again with the pivots of the first time.
struct Factorisations {
  Mechanism mechanism;
  int N, rows;
  double blocks, eigen, klu;
};

struct Choices {
  std::vector<Storages> storages;
  std::vector<Factorisations> factorisations;
};
Choices measure_choices(bool quick);

}  // namespace driftless::benchmarks::scaling
