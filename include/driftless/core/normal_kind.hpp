// The kinds of F (normal_map.hpp), as an option of methods.
#pragma once

#include <optional>
#include <string>

#include <driftless/core/method_options.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

enum class NormalKind { full, block, split, transpose, input, position, velocity };

OptionSpec normal_kind_option();
NormalKind normal_kind_of(const OptionValues& options);
std::optional<std::string> normal_kind_refuses(NormalKind kind, const Shape& shape,
                                               bool with_invariants = false);

// How (H D) x = r is solved: by a decomposition, or approximately by sweeps of SOR (D = H^T or G^T only).
struct NormalSolve {
  int sweeps = 0;  // 0: by a decomposition
  double relaxation = 1;
};

}  // namespace driftless
