// What the parts of a check share: the mechanism in several forms, whose row is whose, and where its rows were looked at. Parts:
//   check_rows         ranks, and which rows depend on which
//   check_start        closing, and what to say where that is not possible
//   check_motion       the rank elsewhere: along a short motion, and a small move away
//   check_freedom      what moves
//   check_bodies       masses, inertias, connections
//   check_numbers      gravity and angles
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <driftless/core/problem.hpp>
#include <driftless/core/rank_decision.hpp>
#include <driftless/io/model_check.hpp>

namespace driftless::io {

struct RowOwner {
  std::string name;
  bool drive = false;
  bool operator==(const RowOwner&) const = default;
};

struct CheckedMechanism {
  explicit CheckedMechanism(const Model& model);  // throws InputError where there is no problem to be had

  const Model& model;
  mechanics::MechanismModel parts;
  mechanics::MechanismResults results;
  std::shared_ptr<const Problem> problem;    // as it would be run
  std::shared_ptr<const Problem> forceless;  // the same rows, and no formula of a force that may fail
  std::shared_ptr<const Problem> undriven;   // rows of joints alone
  std::vector<RowOwner> owners;              // of the rows of `problem`

  const Shape& shape() const { return problem->shape(); }
  NamedAmount in_units(double si, const mechanics::Dimension& dimension, const std::string& of) const;
  NamedAmount row_amount(int row, double si) const;  // of a row of positions
};

// How large a body is: the farthest of the points that joints and forces have on it, and of its shapes, from each other; `reach`: from its
// mass centre. 0: nothing is known.
struct BodyExtent {
  double size = 0, reach = 0;
};
BodyExtent extent_of(const CheckedMechanism& mechanism, const ModelBody& body);

// Rows that count at a place and those that do not, by the decision that a run makes.
struct RowRank {
  std::vector<int> left_out;
  int rank = 0;
};
RowRank rank_at(const Problem& problem, double t, VectorIn z, RankDecision::Of of = RankDecision::Of::all);
Matrix rows_at(const Problem& problem, double t, VectorIn z);  // [G; K]
// Rows that those before them imply at a place where joints are closed and drives need not be where they want.
std::vector<int> dependent_at(const Problem& problem, const State& place);
// The rows named, by their owners, with whom they depend on among the others.
std::vector<DependentRows> dependent_groups(const CheckedMechanism& mechanism, const State& place,
                                            const std::vector<int>& rows);

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

// Columns: the motions that the rows allow, those in `without` not counted. Orthonormal.
Matrix free_motions(const Matrix& rows, const std::vector<int>& without);
void look_at_freedom(const CheckedMechanism& mechanism, const GenericPlace& place, ModelCheck& check);

void look_at_bodies(const CheckedMechanism& mechanism, ModelCheck& check);
void look_at_numbers(const CheckedMechanism& mechanism, ModelCheck& check);

// Names for a sentence: "A, B and C", ".. and 5 more" where there are many.
std::string list_of(const std::vector<std::string>& names, std::size_t most = 8);

inline void add_finding(ModelCheck& check, Finding::Severity severity, std::string kind, std::string subject,
                        std::string text) {
  check.findings.push_back({severity, std::move(kind), std::move(subject), std::move(text)});
}

}  // namespace driftless::io
