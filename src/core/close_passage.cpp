#include "close_passage.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {

namespace {

constexpr double close = 1e-2;  // ratio: look at the violation
constexpr double decided =
    10;  // ratio squared by violation, which is 2 where the violation alone keeps the motion away

}  // namespace

void ClosePassage::look(const Problem& problem, const WatchedRows& rows, int row, const State& state,
                        bool crossed) {
  crossed_ = crossed_ || crossed;
  const double ratio = rows.angles().ratio(row);
  if (crossed_ || ratio >= std::min(close, ratio_)) return;
  const Shape& shape = problem.shape();
  row_ = rows.chosen()[static_cast<std::size_t>(row)];
  if (row_ >= shape.ng) return;
  ratio_ = ratio;
  t_ = state.t;
  length_ = rows.angles().length(row);
  parts_.storage = storage_of(shape);
  problem.evaluate(Part::position, Point(state.t, state.z), parts_);
  violation_ = parts_.g.lpNorm<Eigen::Infinity>();
}

void ClosePassage::leave(const Problem& problem) {
  if (!crossed_ && ratio_ < close && ratio_ * ratio_ * length_ < decided * violation_ && count_++ == 0) {
    first_ = fmt::format("at t = {:.8g} ({})", t_, problem.constraint_name(row_));
    first_violation_ = violation_;
  }
  crossed_ = false;
  ratio_ = 1;
}

std::string ClosePassage::note() const {
  if (count_ == 0) return {};
  return fmt::format(
      "the run turned away from a singular configuration {}{}, where it came as close as constraints that "
      "are off by "
      "{:.1g} allow: which of the motions that meet there it went on with was decided by that error, and may "
      "be the "
      "wrong one; use `stabilizer = post`, or `formulation = ggl` or index1",
      first_, count_ > 1 ? fmt::format(", and from {} more", count_ - 1) : std::string(), first_violation_);
}

}  // namespace driftless
