#include <driftless/catalog/mass_matrix.hpp>

#include <algorithm>
#include <iterator>

namespace driftless::catalog {

bool takes_mass_matrix(std::string_view formulation) {
  constexpr std::string_view all[] = {"augmented-lagrangian", "direct-regularization", "trust-region"};
  return std::find(std::begin(all), std::end(all), formulation) != std::end(all);
}

}  // namespace driftless::catalog
