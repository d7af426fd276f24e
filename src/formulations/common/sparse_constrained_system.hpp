// The DAE of constrained_system.hpp for large mechanisms, with matrices without zeros (sparse_linearization.hpp): order 2, D = G^T or M^-1 G^T.
// With pushes M^-1 C^T on velocities the rows of the top are multiplied by M.
#pragma once

#include <memory>

#include "constrained_system.hpp"

namespace driftless::formulations {

bool has_sparse_system(const Problem& problem, const ConstrainedForm& form);
std::unique_ptr<System> sparse_constrained_system(const Problem& problem, const ConstrainedForm& form);

}  // namespace driftless::formulations
