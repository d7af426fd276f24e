#include "experiments/papers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>

#include "experiments/000/paper.hpp"
#include "experiments/001/paper.hpp"
#include "experiments/002/paper.hpp"
#include "experiments/003/paper.hpp"
#include "experiments/004/paper.hpp"

namespace driftless::experiments {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> table = {
      {"000", "Ascher, Petzold (1993), Stability of computational methods for constrained dynamics systems",
       paper000::entries, paper000::figures},
      {"001", "Ascher, Chin, Reich (1992), Stabilization of DAEs and invariant manifolds", paper001::entries,
       paper001::figures},
      {"002", "Fuehrer, Leimkuhler (1991), Numerical solution of DAEs for constrained mechanical motion",
       paper002::entries, paper002::figures},
      {"003",
       "Petzold, Ren, Maly (1997), Regularization of higher-index DAEs with rank-deficient constraints",
       paper003::entries, paper003::figures},
      {"004", "Yoon, Howe, Greenwood, truncation errors of Baumgarte's method with energy control",
       paper004::entries, paper004::figures}};
  return table;
}

const Paper& find_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : papers()) {
    if (paper.name == name) return paper;
    names.push_back(paper.name);
  }
  throw InputError(
      fmt::format("there is no paper '{}' to reproduce (known: {}); name one of these, or none for all", name,
                  fmt::join(names, ", ")));
}

}  // namespace driftless::experiments
