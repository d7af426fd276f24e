// The DAE of constrained_system.hpp for large mechanisms, with matrices without zeros: order 2, top by forces, D = G^T, no invariants, no rows
// beside, nothing differentiated.
#pragma once

#include <memory>

#include "constrained_system.hpp"

namespace driftless::formulations {

bool has_sparse_system(const Problem& problem, const ConstrainedForm& form);
std::unique_ptr<System> sparse_constrained_system(const Problem& problem, const ConstrainedForm& form);

}  // namespace driftless::formulations
