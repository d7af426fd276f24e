// What check_parts.hpp asks about rows, of mechanisms that keep matrices without their zeros (Shape::sparse): work and memory grow like the
// entries of the rows. Of rows that depend on each other those are left out that come last in the order of elimination, as in a run.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <driftless/core/problem.hpp>

namespace driftless::io::sparse {

// [G; K], in .sparse.C.
Evaluation rows_at(const Problem& problem, const State& place);

std::vector<int> dependent_at(const Problem& problem, const State& place);
// Rows to leave out in place of `left_out`, so that as many as possible are those `called_first`, and of these the last: what repeats the
// joints is the drive, wherever elimination meets it.
std::vector<int> exchanged(const Problem& problem, const State& place, const std::vector<int>& left_out,
                           const std::function<bool(int)>& called_first);
std::vector<std::vector<int>> supports_at(const Problem& problem, const State& place,
                                          const std::vector<int>& rows);

// P V, with the projector P on the motions that the rows but `without` allow. No columns where nothing can move; nothing where rows are not
// finite.
std::optional<Matrix> allowed_part(const Problem& problem, const State& place,
                                   const std::vector<int>& without, const Matrix& V);
// The same of a few random columns, of variance 1 in all.
Matrix random_motions(const Shape& shape);

}  // namespace driftless::io::sparse
