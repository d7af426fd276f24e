#include "choices.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <klu.h>
#include <Eigen/SparseCholesky>

#include <driftless/linalg/block_cholesky.hpp>
#include <driftless/mechanics/mechanism_problem.hpp>

#include "../common/best_batch.hpp"
#include "own.hpp"
#include "progress.hpp"

namespace driftless::benchmarks::scaling {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

double seconds_of_acceleration(const Problem& problem, const State& start) {
  Workspace work;
  const Vector r = Vector::Zero(problem.shape().multipliers());
  Vector a(problem.shape().nv), multipliers(r.size());
  return best_batch([&](std::size_t) {
    if (problem.acceleration(0, start.z, r, a, multipliers, work) != Status::ok)
      throw std::runtime_error("the right-hand side at the start cannot be computed");
  });
}

Storages storages_of(Mechanism kind, int N) {
  const mechanics::Mechanism mechanism = mechanism_of(make_bars(kind, N));
  const State start = mechanism.assembled();
  const auto seconds = [&](mechanics::Matrices matrices) {
    return seconds_of_acceleration(*mechanics::make_problem(mechanism.finished(), matrices), start);
  };
  return {kind, N, mechanism.problem()->shape().nv, seconds(mechanics::Matrices::whole),
          seconds(mechanics::Matrices::sparse)};
}

// S at the start, both triangles.
Sparse schur_complement(const mechanics::Mechanism& mechanism) {
  const auto problem = mechanics::make_problem(mechanism.finished(), mechanics::Matrices::sparse);
  const State start = mechanism.assembled();
  Evaluation e(Storage::sparse);
  problem->evaluate(Part::mass | Part::jacobian, Point(0, start.z), e);
  const linalg::SparseRows& C = e.sparse.C;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < C.rows; ++i)
    for (int k = C.first(i); k < C.last(i); ++k) {
      const int column = C.column_of(k), body = column / 3, axis = column % 3;  // blocks of 3, diagonal
      entries.emplace_back(i, column,
                           C.at(k) / std::sqrt(e.sparse.M[static_cast<std::size_t>(9 * body + 4 * axis)]));
    }
  Sparse X(C.rows, C.columns);
  X.setFromTriplets(entries.begin(), entries.end());
  return X * X.transpose();
}

// Every pin is a node of two rows.
double seconds_of_blocks(const Sparse& S, const Vector& b) {
  const int pins = static_cast<int>(S.rows()) / 2;
  std::vector<std::pair<int, int>> pairs;
  for (int j = 0; j < S.outerSize(); ++j)
    for (Sparse::InnerIterator it(S, j); it; ++it) pairs.emplace_back(static_cast<int>(it.row()) / 2, j / 2);
  const auto pattern = std::make_shared<const linalg::BlockPattern>(
      std::vector<int>(static_cast<std::size_t>(pins), 2), pairs);
  std::vector<std::size_t> places;
  std::vector<double> entries;
  for (int j = 0; j < S.outerSize(); ++j)
    for (Sparse::InnerIterator it(S, j); it; ++it) {
      const int i = static_cast<int>(it.row());
      if (i < j) continue;
      const auto slot = pattern->slot(i / 2, j / 2);
      places.push_back(slot.offset +
                       static_cast<std::size_t>((i % 2) * slot.row_step + (j % 2) * slot.column_step));
      entries.push_back(it.value());
    }
  linalg::BlockCholesky cholesky(pattern);
  Vector x = b;
  const double seconds = best_batch([&](std::size_t) {
    cholesky.clear();
    for (std::size_t k = 0; k < places.size(); ++k) cholesky.values()[places[k]] = entries[k];
    if (cholesky.factor(1e-10, 1e30) != 0) throw std::runtime_error("rows depend on each other at the start");
    x = b;
    cholesky.solve(x.data());
  });
  if (!((S * x - b).norm() < 1e-6 * b.norm())) throw std::runtime_error("blocks do not solve the system");
  return seconds;
}

double seconds_of_eigen(const Sparse& S, const Vector& b) {
  Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> cholesky;
  cholesky.analyzePattern(S);
  Vector x(b.size());
  return best_batch([&](std::size_t) {
    cholesky.factorize(S);
    x = cholesky.solve(b);
  });
}

double seconds_of_klu(Sparse S, const Vector& b) {
  klu_common common;
  klu_defaults(&common);
  S.makeCompressed();
  const int n = static_cast<int>(S.rows());
  klu_symbolic* symbolic = klu_analyze(n, S.outerIndexPtr(), S.innerIndexPtr(), &common);
  klu_numeric* numeric = klu_factor(S.outerIndexPtr(), S.innerIndexPtr(), S.valuePtr(), symbolic, &common);
  Vector x(b.size());
  const double seconds = best_batch([&](std::size_t) {
    klu_refactor(S.outerIndexPtr(), S.innerIndexPtr(), S.valuePtr(), symbolic, numeric, &common);
    x = b;
    klu_solve(symbolic, numeric, n, 1, x.data(), &common);
  });
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return seconds;
}

Factorisations factorisations_of(Mechanism kind, int N) {
  const Sparse S = schur_complement(mechanism_of(make_bars(kind, N)));
  const Vector b = Vector::LinSpaced(S.rows(), -1, 1);
  return {kind,
          N,
          static_cast<int>(S.rows()),
          seconds_of_blocks(S, b),
          seconds_of_eigen(S, b),
          seconds_of_klu(S, b)};
}

}  // namespace

Choices measure_choices(bool quick) {
  Choices choices;
  for (const Mechanism kind : {Mechanism::n_four_bar, Mechanism::chain_loop}) {
    const bool four_bars = kind == Mechanism::n_four_bar;
    for (const int bodies : {5, 7, 9, 11, 13, 17, 25, 41}) {
      show_progress(fmt::format("choices: whole matrices or not, {} of {} bodies", name(kind), bodies));
      choices.storages.push_back(storages_of(kind, four_bars ? (bodies - 1) / 2 : bodies));
    }
    for (const int N : {100, 1000, 10000}) {
      if (quick && N > 100) break;
      show_progress(fmt::format("choices: factorisations, {}, N = {}", name(kind), N));
      choices.factorisations.push_back(factorisations_of(kind, N));
    }
  }
  return choices;
}

}  // namespace driftless::benchmarks::scaling
