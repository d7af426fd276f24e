// What the four examples of Ascher, Petzold (1993) share: start, end and exact solution.
#pragma once

#include <memory>
#include <string>

#include <driftless/core/entries.hpp>

namespace driftless::problems {

ProblemInstance ascher_petzold(std::shared_ptr<const Problem> problem);

// Their second example, which is also the first one of Ascher, Chin, Reich (1992).
ProblemEntry ascher_petzold_2(const std::string& paper_and_number);

}  // namespace driftless::problems
