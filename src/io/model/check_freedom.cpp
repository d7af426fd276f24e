// What moves: a body does if its rows of the motions that the constraint rows allow are not 0.
#include <algorithm>

#include <fmt/format.h>

#include "io/model/check_parts.hpp"

namespace driftless::io {

namespace {

using Severity = Finding::Severity;

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

void tell_drives(ModelCheck& check) {
  for (const DependentRows& rows : check.redundant)
    if (rows.drive)
      add_finding(
          check, Severity::warning, "over-driven", "drive " + rows.owner,
          rows.on.empty()
              ? "the drive moves nothing: what it drives does not change with any motion; remove it"
              : fmt::format("the drive repeats what {} already {} ({} drives for {} of the joints); "
                            "remove it, or {}",
                            list_of(rows.on), rows.on.size() == 1 ? "says" : "say", check.counts.drives,
                            check.freedom.joint_freedoms == 1
                                ? "1 degree of freedom"
                                : fmt::format("{} degrees of freedom", check.freedom.joint_freedoms),
                            rows.on.size() == 1 ? rows.on.front() : "one of them"));
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

void tell_locked(const CheckedMechanism& mechanism, const State& place, ModelCheck& check) {
  if (check.locked.empty()) return;
  const bool all = static_cast<int>(check.locked.size()) == check.counts.bodies;
  const std::string by = all ? what_locks(mechanism, place) : "";
  const std::string reactions = "unless reactions are what is looked for";
  add_finding(
      check, all ? Severity::warning : Severity::note, "locked",
      (check.locked.size() == 1 ? "body " : "bodies ") + list_of(check.locked),
      all ? fmt::format("the joints leave 0 degrees of freedom, so that nothing moves: {}, {}",
                        by.empty() ? "free a joint" : by, reactions)
          : fmt::format(
                "no motion that the joints allow moves it; free a joint, or make it part of the ground, {}",
                reactions));
}

}  // namespace

void look_at_freedom(const CheckedMechanism& mechanism, const GenericPlace& place, ModelCheck& check) {
  const std::vector<Block> blocks = blocks_of(mechanism);
  const Problem &all = *mechanism.forceless, &joints = *mechanism.undriven;
  const bool drives = !mechanism.model.drives.empty();
  std::vector<State> places = place.others;
  places.insert(places.begin(), place.state);
  std::vector<bool> free(blocks.size()), movable(blocks.size());
  std::ptrdiff_t most = -1;
  RankFinder rank_of_joints(joints);
  for (const State& there : places) {
    const std::optional<Matrix> motions = free_motions(all, there, place.left_out);
    if (!motions) continue;
    const std::vector<bool> moves = moving(*motions, blocks);
    if (const auto count = std::count(moves.begin(), moves.end(), true); count > most) {
      check.free = free_parts(mechanism, there, place.left_out, *motions, blocks, moves);
      most = count;
    }
    add(free, moves);
    if (!drives) continue;
    const RowRank rank = rank_of_joints.at(there.t, there.z);
    if (const auto driven = free_motions(joints, there, rank.left_out)) add(movable, moving(*driven, blocks));
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
  if (check.start.closed) tell_locked(mechanism, place.state, check);
}

}  // namespace driftless::io
