#include "missing_response.hpp"

#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <driftless/linalg/null_space.hpp>

namespace driftless {

namespace {

constexpr int most_velocities = 600;  // cubes of it are formed
constexpr int most_named = 6;
constexpr double nothing = 1e-9;   // of the largest singular value
constexpr double involved = 0.05;  // of the largest entry
constexpr int places_around = 3;
constexpr double away = 1e-3;

// "a, b and c", of the rows of `directions` that are not nearly nothing.
template <class Name>
std::string names_in(const Matrix& directions, Name&& name) {
  const Vector sizes = directions.cwiseAbs().rowwise().maxCoeff();
  std::vector<std::string> names;
  for (int i = 0; i < sizes.size(); ++i)
    if (sizes(i) > involved * sizes.maxCoeff()) names.push_back(name(i));
  std::string text;
  const auto shown = std::min<std::size_t>(names.size(), most_named);
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

Matrix mass_of(const Problem& problem, const Evaluation& e) {
  const Shape& s = problem.shape();
  return s.mass == linalg::MassStructure::identity ? Matrix(Matrix::Identity(s.nv, s.nv)) : e.M;
}

// Combinations of constraints whose second derivative no multiplier changes: w^T G M^-1 B = 0.
Matrix unreached(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  Evaluation e;
  problem.evaluate(Part::mass | Part::jacobian | Part::input, Point(t, z), e);
  const Matrix coupling = e.G * mass_of(problem, e).fullPivLu().solve(e.B);
  if (!coupling.allFinite()) return Matrix(s.ng, 0);
  const double size = e.G.norm() * e.B.norm() / mass_of(problem, e).norm();
  const Eigen::JacobiSVD<Matrix> svd(coupling, Eigen::ComputeFullU);
  Eigen::Index rank = 0;
  while (rank < s.ng && svd.singularValues()(rank) > nothing * size) ++rank;
  return svd.matrixU().rightCols(s.ng - rank);
}

}  // namespace

std::string constraints_of_high_index(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  if (!s.given_input || s.ng == 0 || s.nv > most_velocities || s.sparse()) return {};
  const Matrix here = unreached(problem, t, z);
  if (here.cols() == 0) return {};
  for (int place = 1; place <= places_around; ++place) {
    Vector moved = z;
    for (Eigen::Index i = 0; i < z.size(); ++i)
      moved(i) += away * (1 + std::abs(z(i))) * std::sin(static_cast<double>(7 * i + 3 * place + 1));
    if (unreached(problem, t, moved).cols() == 0) return {};
  }
  return names_in(here, [&](int row) { return problem.constraint_name(row); });
}

std::string massless_motion(const Problem& problem, double t, VectorIn z) {
  const Shape& s = problem.shape();
  if (s.order != 2 || s.nv > most_velocities) return {};
  Evaluation e;
  Parts parts = Part::mass | Part::jacobian;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  problem.evaluate(parts, Point(t, z), e);
  Matrix rows(s.multipliers(), s.nv);
  if (s.ng > 0) rows.topRows(s.ng) = e.G;
  if (s.nk > 0) rows.bottomRows(s.nk) = e.K;
  const Matrix allowed = linalg::null_space(rows), mass = mass_of(problem, e);
  if (allowed.cols() == 0 || !mass.allFinite()) return {};
  const Eigen::SelfAdjointEigenSolver<Matrix> found(allowed.transpose() * mass * allowed);
  const double size = mass.cwiseAbs().maxCoeff();
  Eigen::Index lost = 0;
  while (lost < allowed.cols() && !(found.eigenvalues()(lost) > nothing * size)) ++lost;
  if (lost == 0) return {};
  return names_in(allowed * found.eigenvectors().leftCols(lost),
                  [&](int i) { return problem.velocity_name(i); });
}

}  // namespace driftless
