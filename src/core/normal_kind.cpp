// The option F and what it can be used for.
#include <driftless/core/normal_map.hpp>

namespace driftless {

OptionSpec normal_kind_option() {
  return {.name = "F",
          .fallback = "block",
          .help = "which correction answers a violation; see docs/notation.md",
          .choices = {"full", "block", "split", "transpose", "input", "position", "velocity"}};
}

NormalKind normal_kind_of(const OptionValues& options) {
  const std::string& word = options.word("F");
  if (word == "full") return NormalKind::full;
  if (word == "split") return NormalKind::split;
  if (word == "transpose") return NormalKind::transpose;
  if (word == "input") return NormalKind::input;
  if (word == "position") return NormalKind::position;
  if (word == "velocity") return NormalKind::velocity;
  return NormalKind::block;
}

std::optional<std::string> normal_kind_refuses(NormalKind kind, const Shape& s, bool with_invariants) {
  const bool levels_only =
      kind == NormalKind::block || kind == NormalKind::split || kind == NormalKind::input;
  if (with_invariants && levels_only)
    return "D of F=block, split and input has no direction in which invariants could be met; use F=full, "
           "transpose, position or velocity, or leave invariants out";
  if (s.multipliers() == 0 && !with_invariants) return std::nullopt;  // nothing to correct, whatever F
  if (kind == NormalKind::velocity && s.order == 1)
    return "F=velocity corrects velocities, a problem of order 1 has none; use F=block, or F=full with "
           "invariants";
  if (kind == NormalKind::position && s.ng == 0 && !with_invariants)
    return "F=position corrects position constraints, this problem has velocity constraints only; use "
           "F=block or F=velocity";
  return std::nullopt;
}

}  // namespace driftless
