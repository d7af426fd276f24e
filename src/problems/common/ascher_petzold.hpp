// What the four examples of Ascher, Petzold (1993) share: start, end and exact solution.
#pragma once

#include <memory>

#include <driftless/core/entries.hpp>

namespace driftless::problems {

ProblemInstance ascher_petzold(std::shared_ptr<const Problem> problem);

}  // namespace driftless::problems
