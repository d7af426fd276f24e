// What moves. With Z, the motions that the rows allow (Z^T Z = I), the projector P = Z Z^T does not depend on the choice of Z:
//   a body moves if its rows of Z are not 0;  two bodies belong to one part if their block of P is not 0;
//   the trace of P over a part is its number of freedoms.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <driftless/linalg/rank.hpp>
#include <driftless/linalg/row_basis.hpp>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using Severity = Finding::Severity;

constexpr double still =
    1e-6;  // of a motion of size 1: smaller is roundoff of rows that are nearly dependent

struct Block {
  int first, size;
};

std::vector<Block> blocks_of(const CheckedMechanism& mechanism) {
  std::vector<Block> blocks;
  for (const ModelBody& body : mechanism.model.bodies) {
    const mechanics::Body& own = mechanism.parts.body(body.id.index);
    blocks.push_back({own.v, own.velocities()});
  }
  return blocks;
}

std::vector<bool> moving(const Matrix& motions, const std::vector<Block>& blocks) {
  std::vector<bool> moves;
  for (const Block& block : blocks)
    moves.push_back(motions.cols() > 0 &&
                    motions.middleRows(block.first, block.size).rowwise().norm().maxCoeff() > still);
  return moves;
}

void add(std::vector<bool>& to, const std::vector<bool>& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = to[i] || more[i];
}

int root_of(std::vector<int>& parents, int i) {
  while (parents[static_cast<std::size_t>(i)] != i) i = parents[static_cast<std::size_t>(i)];
  return i;
}

std::vector<FreePart> parts_of(const CheckedMechanism& mechanism, const Matrix& motions,
                               const std::vector<Block>& blocks) {
  const std::vector<bool> moves = moving(motions, blocks);
  const auto count = static_cast<int>(blocks.size());
  std::vector<int> parents(blocks.size());
  std::iota(parents.begin(), parents.end(), 0);
  const auto rows = [&](int i) {
    const Block& block = blocks[static_cast<std::size_t>(i)];
    return motions.middleRows(block.first, block.size);
  };
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i && moves[static_cast<std::size_t>(i)]; ++j) {
      if (!moves[static_cast<std::size_t>(j)]) continue;
      const double shared = (rows(i) * rows(j).transpose()).cwiseAbs().maxCoeff();
      if (shared > still * rows(i).norm() * rows(j).norm())
        parents[static_cast<std::size_t>(root_of(parents, i))] = root_of(parents, j);
    }
  std::vector<FreePart> parts;
  for (int root = 0; root < count; ++root) {
    if (root_of(parents, root) != root || !moves[static_cast<std::size_t>(root)]) continue;
    FreePart part;
    double trace = 0;
    for (int i = 0; i < count; ++i)
      if (moves[static_cast<std::size_t>(i)] && root_of(parents, i) == root) {
        part.bodies.push_back(mechanism.model.bodies[static_cast<std::size_t>(i)].name);
        trace += rows(i).squaredNorm();
      }
    part.freedoms = static_cast<int>(std::lround(trace));
    parts.push_back(part);
  }
  return parts;
}

void tell_drives(ModelCheck& check) {
  for (const DependentRows& rows : check.redundant)
    if (rows.drive)
      add_finding(
          check, Severity::warning, "over-driven", "drive " + rows.owner,
          rows.on.empty()
              ? "the drive moves nothing: what it drives does not change with any motion; remove it"
              : fmt::format(
                    "the drive repeats what {} already say ({} drives for {} freedoms of the joints); "
                    "remove it, or one of them",
                    list_of(rows.on), check.counts.drives, check.freedom.joint_freedoms));
  int left = 0;
  std::vector<std::string> bodies;
  for (const FreePart& part : check.free) {
    left += part.freedoms;
    bodies.insert(bodies.end(), part.bodies.begin(), part.bodies.end());
  }
  if (check.counts.drives > 0 && left > 0)
    add_finding(
        check, Severity::note, "under-driven", (bodies.size() == 1 ? "body " : "bodies ") + list_of(bodies),
        fmt::format("the drives leave {} of {} degrees of freedom to the forces; drive them too if they are "
                    "meant to follow",
                    left, left + check.freedom.driven));
}

void tell_locked(ModelCheck& check) {
  if (check.locked.empty()) return;
  const bool all = static_cast<int>(check.locked.size()) == check.counts.bodies;
  add_finding(
      check, all ? Severity::warning : Severity::note, "locked",
      (check.locked.size() == 1 ? "body " : "bodies ") + list_of(check.locked),
      all ? "the joints leave 0 degrees of freedom, so that nothing moves; free a joint, unless reactions "
            "are what is looked for"
          : "no motion that the joints allow moves it; free a joint, or make it part of the ground, unless "
            "reactions are what is looked for");
}

}  // namespace

Matrix free_motions(const Matrix& rows, const std::vector<int>& without) {
  Matrix kept(rows.rows() - static_cast<Eigen::Index>(without.size()), rows.cols());
  Eigen::Index count = 0;
  for (int i = 0; i < rows.rows(); ++i)
    if (!std::binary_search(without.begin(), without.end(), i)) kept.row(count++) = rows.row(i);
  return linalg::RowBasis(linalg::row_normalised(kept)).complement(std::min(count, kept.cols()));
}

void look_at_freedom(const CheckedMechanism& mechanism, const GenericPlace& place, ModelCheck& check) {
  const std::vector<Block> blocks = blocks_of(mechanism);
  const Problem &all = *mechanism.forceless, &joints = *mechanism.undriven;
  const bool drives = !mechanism.model.drives.empty();
  std::vector<State> places = place.others;
  places.insert(places.begin(), place.state);
  std::vector<bool> free(blocks.size()), movable(blocks.size());
  std::ptrdiff_t most = -1;
  for (const State& there : places) {
    const Matrix rows = rows_at(all, there.t, there.z);
    if (!rows.allFinite()) continue;
    const Matrix motions = free_motions(rows, place.left_out);
    const std::vector<bool> moves = moving(motions, blocks);
    if (const auto count = std::count(moves.begin(), moves.end(), true); count > most) {
      check.free = parts_of(mechanism, motions, blocks);
      most = count;
    }
    add(free, moves);
    if (!drives) continue;
    const RowRank rank = rank_at(joints, there.t, there.z);
    add(movable, moving(free_motions(rows_at(joints, there.t, there.z), rank.left_out), blocks));
  }
  add(movable, free);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::string& name = mechanism.model.bodies[i].name;
    if (!movable[i])
      check.locked.push_back(name);
    else if (!free[i])
      check.driven.push_back(name);
  }
  tell_drives(check);
  if (check.start.closed) tell_locked(check);
}

}  // namespace driftless::io
