// What moves together. With the projector P = Z Z^T on the motions Z that the rows allow (Z^T Z = I):
//   two bodies belong to one part if their block of P is not 0;  the trace of P over a part is its number of freedoms.
// Where matrices are kept without their zeros, P is not there. A row says that what its bodies add to it cancels,
//   sum of c_a d_a = 0 for every motion d.
// Bodies whose c_a d_a vanish in random motions do so in all of them, and the row does not speak of them; the others it joins, two and
// two if they cancel in pairs. So no row leads from one part to another, and rows of bodies that belong to a part count its freedoms:
//   freedoms = velocities of its bodies - rank of its columns.
// Only a row of six or more bodies that cancel in threes may join too much.
#include <algorithm>
#include <cmath>
#include <map>

#include <driftless/linalg/sparse_saddle.hpp>

#include "io/model/check_parts.hpp"
#include "io/model/check_sparse.hpp"

namespace driftless::io {

namespace {

using linalg::SparseRows;

constexpr double nothing = 1e-9;  // of a row: roundoff of its entries

std::vector<FreePart> whole_parts(const CheckedMechanism& mechanism, const Matrix& motions,
                                  const std::vector<Block>& blocks, const std::vector<bool>& moves) {
  const auto count = static_cast<int>(blocks.size());
  Groups groups(blocks.size());
  const auto rows = [&](int i) {
    const Block& block = blocks[static_cast<std::size_t>(i)];
    return motions.middleRows(block.first, block.size);
  };
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i && moves[static_cast<std::size_t>(i)]; ++j) {
      if (!moves[static_cast<std::size_t>(j)]) continue;
      const double shared = (rows(i) * rows(j).transpose()).cwiseAbs().maxCoeff();
      if (shared > still * rows(i).norm() * rows(j).norm()) groups.join(i, j);
    }
  std::vector<FreePart> parts;
  for (int root = 0; root < count; ++root) {
    if (groups.root(root) != root || !moves[static_cast<std::size_t>(root)]) continue;
    FreePart part;
    double trace = 0;
    for (int i = 0; i < count; ++i)
      if (moves[static_cast<std::size_t>(i)] && groups.root(i) == root) {
        part.bodies.push_back(mechanism.model.bodies[static_cast<std::size_t>(i)].name);
        trace += rows(i).squaredNorm();
      }
    part.freedoms = static_cast<int>(std::lround(trace));
    parts.push_back(part);
  }
  return parts;
}

class CoupledParts {
 public:
  CoupledParts(const CheckedMechanism& mechanism, const State& place, const std::vector<int>& without,
               const Matrix& motions, const std::vector<Block>& blocks, const std::vector<bool>& moves)
      : mechanism_(mechanism),
        shape_(mechanism.shape()),
        e_(sparse::rows_at(*mechanism.forceless, place)),
        without_(without),
        motions_(motions),
        blocks_(blocks),
        moves_(moves),
        body_of_(static_cast<std::size_t>(shape_.nv)),
        groups_(blocks.size()) {
    for (std::size_t b = 0; b < blocks.size(); ++b)
      std::fill_n(body_of_.begin() + blocks[b].first, blocks[b].size, static_cast<int>(b));
  }

  std::vector<FreePart> found() {
    for (int i = 0; i < shape_.multipliers(); ++i)
      if (counts(i)) join(i);
    std::vector<FreePart> parts;
    std::map<int, int> number;  // of a root
    part_of_.assign(blocks_.size(), -1);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (!moves_[b]) continue;
      const auto [entry, is_new] =
          number.try_emplace(groups_.root(static_cast<int>(b)), static_cast<int>(parts.size()));
      if (is_new) parts.emplace_back();
      part_of_[b] = entry->second;
      FreePart& part = parts[static_cast<std::size_t>(entry->second)];
      part.bodies.push_back(mechanism_.model.bodies[b].name);
      part.freedoms += blocks_[b].size;
    }
    const int all = std::max(0, shape_.nv - shape_.multipliers() + static_cast<int>(without_.size()));
    if (parts.size() > 1) take_ranks(parts);
    const auto add = [](int sum, const FreePart& part) { return sum + part.freedoms; };
    if (parts.size() == 1 || std::accumulate(parts.begin(), parts.end(), 0, add) != all) return together(all);
    return parts;
  }

 private:
  const SparseRows& rows() const { return e_.sparse.C; }
  bool counts(int row) const { return !std::binary_search(without_.begin(), without_.end(), row); }
  // The entries of one body in a row, from k on, begin there and end before what is returned.
  int end_of_body(int row, int k) const {
    const int body = body_of(k);
    while (k < rows().last(row) && body_of(k) == body) ++k;
    return k;
  }
  int body_of(int k) const { return body_of_[static_cast<std::size_t>(rows().column_of(k))]; }

  struct Term {
    int body;
    Vector values;  // in every motion
    double size;    // what it would be if nothing cancelled
  };
  std::vector<Term> terms_of(int row) const {
    std::vector<Term> terms;
    for (int k = rows().first(row), end; k < rows().last(row); k = end) {
      end = end_of_body(row, k);
      const Block& block = blocks_[static_cast<std::size_t>(body_of(k))];
      Term term{body_of(k), Vector::Zero(motions_.cols()), 0};
      double square = 0;
      for (int i = k; i < end; ++i) {
        term.values += rows().at(i) * motions_.row(rows().column_of(i)).transpose();
        square += rows().at(i) * rows().at(i);
      }
      term.size = std::sqrt(square) * motions_.middleRows(block.first, block.size).norm();
      if (moves_[static_cast<std::size_t>(term.body)] && term.values.norm() > still * term.size)
        terms.push_back(std::move(term));
    }
    return terms;
  }

  void join(int row) {
    std::vector<Term> terms = terms_of(row);
    const auto cancel = [](const Term& a, const Term& b) {
      return (a.values + b.values).norm() <= still * (a.size + b.size);
    };
    for (std::size_t i = 0; terms.size() > 3 && i < terms.size();) {
      const auto other = std::find_if(terms.begin() + static_cast<std::ptrdiff_t>(i) + 1, terms.end(),
                                      [&](const Term& term) { return cancel(terms[i], term); });
      if (other == terms.end()) {
        ++i;
        continue;
      }
      groups_.join(other->body, terms[i].body);
      terms.erase(other);
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (std::size_t i = 1; i < terms.size(); ++i) groups_.join(terms[i].body, terms[0].body);
  }

  // Rows that speak of several parts are taken apart.
  void take_ranks(std::vector<FreePart>& parts) const {
    SparseRows split;
    split.columns = shape_.nv;
    std::vector<int> owners, entries;
    for (int i = 0; i < shape_.multipliers(); ++i) {
      if (!counts(i)) continue;
      std::map<int, std::vector<int>> own;  // entries, by part
      const double least = nothing * nothing * rows().square(i);
      for (int k = rows().first(i), end; k < rows().last(i); k = end) {
        end = end_of_body(i, k);
        double square = 0;
        for (int j = k; j < end; ++j) square += rows().at(j) * rows().at(j);
        const int part = part_of_[static_cast<std::size_t>(body_of(k))];
        if (part >= 0 && square > least)
          for (int j = k; j < end; ++j) own[part].push_back(j);
      }
      for (const auto& [part, those] : own) {
        std::vector<int> columns;
        for (const int k : those) columns.push_back(rows().column_of(k));
        split.add_row(columns);
        entries.insert(entries.end(), those.begin(), those.end());
        owners.push_back(part);
      }
    }
    for (std::size_t k = 0; k < entries.size(); ++k) split.value[k] = rows().at(entries[k]);
    linalg::SparseSaddle saddle(split, split.rows, shape_.bodies);
    if (saddle.factor(nullptr, split) != linalg::FactorStatus::ok) return;
    const auto freedoms = [&](int row) -> int& {
      return parts[static_cast<std::size_t>(owners[static_cast<std::size_t>(row)])].freedoms;
    };
    for (int i = 0; i < split.rows; ++i) --freedoms(i);
    for (const int i : saddle.dependent()) ++freedoms(i);
  }

  // Where the numbers do not agree, only their sum is told.
  std::vector<FreePart> together(int freedoms) const {
    FreePart part{.freedoms = freedoms, .bodies = {}};
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (moves_[b]) part.bodies.push_back(mechanism_.model.bodies[b].name);
    if (part.bodies.empty()) return {};
    return {std::move(part)};
  }

  const CheckedMechanism& mechanism_;
  const Shape& shape_;
  const Evaluation e_;
  const std::vector<int>& without_;
  const Matrix& motions_;
  const std::vector<Block>& blocks_;
  const std::vector<bool>& moves_;
  std::vector<int> body_of_;  // of a column
  std::vector<int> part_of_;  // of a body; -1: none
  Groups groups_;
};

}  // namespace

std::vector<FreePart> free_parts(const CheckedMechanism& mechanism, const State& place,
                                 const std::vector<int>& without, const Matrix& motions,
                                 const std::vector<Block>& blocks, const std::vector<bool>& moves) {
  if (mechanism.shape().sparse())
    return CoupledParts(mechanism, place, without, motions, blocks, moves).found();
  return whole_parts(mechanism, motions, blocks, moves);
}

}  // namespace driftless::io
