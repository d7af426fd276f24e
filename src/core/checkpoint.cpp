#include <driftless/core/checkpoint.hpp>

#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/problem.hpp>

namespace driftless {

void check_checkpoint(const Checkpoint& checkpoint, const Shape& shape, std::optional<double> fixed_step) {
  const State& s = checkpoint.state;
  if (s.layout != shape.layout() || s.z.size() != shape.layout().size() || s.lambda.size() != shape.ng ||
      s.kappa.size() != shape.nk)
    throw InputError(fmt::format(
        "the checkpoint's state has {} entries and {} multipliers (this problem has {} and {}); it "
        "belongs to another problem",
        s.z.size(), s.lambda.size() + s.kappa.size(), shape.layout().size(), shape.multipliers()));
  if (!s.z.allFinite() || !std::isfinite(s.t) || !(checkpoint.h >= 0 && std::isfinite(checkpoint.h)) ||
      !(checkpoint.t_start <= s.t) || checkpoint.fixed_steps < 0)
    throw InputError("the checkpoint contains numbers that no run leaves behind; it was changed or damaged");
  const double grid =
      fixed_step ? (s.t - checkpoint.t_start) / *fixed_step - static_cast<double>(checkpoint.fixed_steps) : 0;
  if (!(grid > -1e-5 && grid < 1 + 1e-5) && checkpoint.h == fixed_step)
    throw InputError(
        fmt::format("the checkpoint is at t = {} after {} steps of {} from t = {}, which do not lead "
                    "there; it was changed or damaged",
                    s.t, checkpoint.fixed_steps, *fixed_step, checkpoint.t_start));
  if (fixed_step && checkpoint.h != *fixed_step)
    throw InputError(fmt::format(
        "the step is {} and that of the checkpoint {}; go on with the same step, or start anew from "
        "its state",
        *fixed_step, checkpoint.h));
}

}  // namespace driftless
