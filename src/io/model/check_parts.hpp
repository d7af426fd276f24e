// What the parts of a check share: the mechanism in several forms, whose row is whose, and where its rows were looked at. Parts:
//   check_rows         whose row is whose; ranks, and which rows depend on which
//   check_sparse       the same for mechanisms that keep matrices without their zeros
//   check_start        closing, and what to say where that is not possible
//   check_nearest      as near to closed as it gets
//   check_motion       the rank elsewhere: along a short motion, and a small move away
//   check_freedom      what moves
//   check_free_parts   what moves together
//   check_bodies       masses, inertias, connections
//   check_drives       what jumps in drives, and tables that end too early
//   check_joints       joints beside their bodies
//   check_forces       forces and points beside their bodies, and forces that push the wrong way
//   check_still        drives that do not move, and mechanisms on which nothing acts
//   check_locks        which joint or axis keeps a mechanism from moving
//   check_numbers      gravity and angles
//   check_over_time    formulas of time until the end of the run
//   check_rates        which of the rates that a start asks for cannot be had
//   check_reach        how far what a start asks for can be reached, and what is in the way
//   check_set          what --set moved
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/rank_decision.hpp>
#include <driftless/core/sparse_constraints.hpp>
#include <driftless/io/model_check.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

namespace driftless::io {

struct RowOwner {
  std::string name;
  bool drive = false;
  auto operator<=>(const RowOwner&) const = default;
};

// What can be looked at without equations.
struct CheckedParts {
  explicit CheckedParts(const Model& model);

  const Model& model;
  mechanics::MechanismModel parts;
  mechanics::MechanismResults results;
  std::vector<std::vector<int>> measures_of;  // those that a body has a part in; by the number of the body

  NamedAmount in_units(double si, const mechanics::Dimension& dimension, const std::string& of) const;
  // In units of the file, like "12 mm".
  std::string told(double si, const mechanics::Dimension& dimension) const;
};

struct CheckedMechanism : CheckedParts {
  // Throws InputError where there is no problem to be had.
  explicit CheckedMechanism(const Model& model,
                            mechanics::Matrices matrices = mechanics::Matrices::that_cost_less);

  std::shared_ptr<const Problem> problem;    // as it would be run
  std::shared_ptr<const Problem> forceless;  // the same rows, no formula that may fail, no massless body
  std::shared_ptr<const Problem> undriven;   // rows of joints alone
  std::vector<RowOwner> owners;              // of the rows of `problem`

  const Shape& shape() const { return problem->shape(); }
  // `undriven` without some of its rows of positions.
  std::shared_ptr<const Problem> undriven_without(const std::function<bool(int row)>& left_out) const;
  NamedAmount row_amount(int row, double si) const;  // of a row of positions
};

ModelCounts counts_of(const CheckedMechanism& mechanism);
// Operations of one decision on the rank.
double operations(const Problem& problem);
// Freedoms, redundant and dependent rows.
void look_at_redundancy(const CheckedMechanism& mechanism, const State& start, const MotionMaker& motion,
                        ModelCheck& check);
// check_model() of a mechanism that is there.
void check_mechanism(const CheckedMechanism& mechanism, const MotionMaker& motion, ModelCheck& check);

// How large a body is: the farthest of the points that joints and forces have on it, and of its shapes, from each other; `reach`: from its
// mass centre. 0: nothing is known.
struct BodyExtent {
  double size = 0, reach = 0;
};
BodyExtent extent_of(const CheckedParts& mechanism, const ModelBody& body);

// Rows that count at a place and those that do not, by the decision that a run makes.
struct RowRank {
  std::vector<int> left_out;
  int rank = 0;
};
// For one place after the other.
class RankFinder {
 public:
  using Of = RankDecision::Of;
  explicit RankFinder(const Problem& problem, Of of = Of::all);
  RowRank at(double t, VectorIn z);

 private:
  const Problem& problem_;
  Of of_;
  Evaluation e_;
  SparseConstraints sparse_;
};
RowRank rank_at(const Problem& problem, const State& place, RankDecision::Of of = RankDecision::Of::all);

// Rows that those before them imply at a place where joints are closed and drives need not be where they want.
std::vector<int> dependent_at(const Problem& problem, const State& place);
// The same number of rows to leave out there, of velocities and drives rather than of positions and joints: these repeat what is there.
std::vector<int> repeating_rows(const CheckedMechanism& mechanism, const State& place,
                                const std::vector<int>& left_out);
// Of each of the rows named (ascending), those others that it depends on.
std::vector<std::vector<int>> supports_at(const Problem& problem, const State& place,
                                          const std::vector<int>& rows);
// The rows named, by their owners, with whom they depend on among the others.
std::vector<DependentRows> dependent_groups(const CheckedMechanism& mechanism, const State& place,
                                            const std::vector<int>& rows);

Vector gaps_at(const Problem& problem, const State& place);  // g
Vector least_gaps(const Problem& problem, State place);      // as near to closed as it gets from there

// What a start asks for in vain: a drive, or what [start] holds or places.
struct Unreached {
  bool drive = false;
  std::string subject;               // "drive motor", "start of A.angle"
  std::vector<std::string> against;  // drives and joints
  std::string text;                  // what was asked, what can be had, what is in the way
};
std::optional<Unreached> unreached(const CheckedMechanism& mechanism, const State& given);
// The same of rates, where positions can be had.
std::optional<Unreached> rate_out_of_reach(const CheckedMechanism& mechanism);

// The closed start, or the bodies as given where it cannot be closed.
State close_start(const CheckedMechanism& mechanism, ModelCheck& check);

// A place where the rows show what they are everywhere, and others to look at: at a dead point bodies stand still that move elsewhere.
struct GenericPlace {
  State state;
  std::vector<int> left_out;
  std::vector<State> others = {};
};
// `all` and `joints`: the ranks at the start with and without drives.
GenericPlace generic_place(const CheckedMechanism& mechanism, const State& start, const RowRank& all,
                           const RowRank& joints, const MotionMaker& motion, ModelCheck& check);

// Columns: motions that the rows allow, those in `without` not counted; nothing where rows are not finite. Either all, Z with Z^T Z = I, or
// for a mechanism that keeps matrices without their zeros a few at random, Z W, with rows that are on average as long as those of Z.
std::optional<Matrix> free_motions(const Problem& problem, const State& place,
                                   const std::vector<int>& without);
void look_at_freedom(const CheckedMechanism& mechanism, const GenericPlace& place, ModelCheck& check);

constexpr double still =
    1e-6;  // of a motion of size 1: smaller is roundoff of rows that are nearly dependent

// Velocities of a body.
struct Block {
  int first, size;
};
// What moves together, with `motions` those that the rows but `without` allow there; `moves`: bodies, in the order of the file.
std::vector<FreePart> free_parts(const CheckedMechanism& mechanism, const State& place,
                                 const std::vector<int>& without, const Matrix& motions,
                                 const std::vector<Block>& blocks, const std::vector<bool>& moves);

// Of a mechanism that cannot move: the joint or axis that keeps it from that, as the second half of a sentence; empty: none is found.
std::string what_locks(const CheckedMechanism& mechanism, const State& place);

void look_at_bodies(const CheckedParts& mechanism, ModelCheck& check);
void look_at_joints(const CheckedParts& mechanism, ModelCheck& check);
void look_at_forces(const CheckedParts& mechanism, ModelCheck& check);
void look_at_still_drives(const CheckedParts& mechanism, ModelCheck& check);
// `start`: closed.
void look_at_stillness(const CheckedMechanism& mechanism, const State& start, ModelCheck& check);
void look_at_numbers(const CheckedParts& mechanism, ModelCheck& check);
void look_at_time(const CheckedParts& mechanism, ModelCheck& check);
void look_at_drives(const CheckedMechanism& mechanism, ModelCheck& check);

// Things that are joined two by two.
class Groups {
 public:
  explicit Groups(std::size_t things) : parents_(things) { std::iota(parents_.begin(), parents_.end(), 0); }
  int root(int i) {
    while (parent(i) != i) i = parent(i) = parent(parent(i));
    return i;
  }
  void join(int a, int b) { parent(root(a)) = root(b); }  // the root of b stays one

 private:
  int& parent(int i) { return parents_[static_cast<std::size_t>(i)]; }
  std::vector<int> parents_;
};

// Names for a sentence: "A, B and C", ".. and 5 more" where there are many.
std::string list_of(const std::vector<std::string>& names, std::size_t most = 8);

inline void add_finding(ModelCheck& check, Finding::Severity severity, std::string kind, std::string subject,
                        std::string text) {
  check.findings.push_back({severity, std::move(kind), std::move(subject), std::move(text)});
}

}  // namespace driftless::io
