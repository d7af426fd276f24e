#include "branch_gap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "curvatures.hpp"

namespace driftless {

namespace {

constexpr int most_velocities = 100;  // singular values are dear
constexpr int iterations = 8;
constexpr double farthest = 0.2;  // of the size: from the state to the place
constexpr double arrived = 1e-8;  // of it: the next move of Newton's method is roundoff
constexpr double others = 1e-3;   // singular values of the other combinations
constexpr double clear = 1e-4;    // eigenvalues of S, by the largest
constexpr double part_of = 1e-9;  // of a combination in a row that moves
constexpr double roundoff = 256 * std::numeric_limits<double>::epsilon();

// The rows at one place, displacements in lengths of moved points, residuals as lengths.
class Search {
 public:
  Search(const Problem& problem, const RowSizes& sizes, const std::vector<int>& rows, double t, VectorIn z)
      : problem_(problem), shape_(problem.shape()), sizes_(sizes), rows_(rows), t_(t), place_(z) {}

  std::optional<BranchGap> run() {
    const double size = sizes_.scales.length;
    double far = 0;
    for (int i = 0; i < iterations; ++i) {
      if (!look()) return std::nullopt;
      const Vector move = to_others_ + Z_ * to_place_;
      far += move.norm();
      if (!(far < farthest * size)) return std::nullopt;
      if (move.norm() < arrived * size) return gap();
      displace(move);
    }
    return std::nullopt;
  }

 private:
  void displace(const Vector& move) {
    problem_.displace(t_, place_.head(shape_.nq), move.cwiseQuotient(sizes_.scales.levers), work_);
  }

  bool look() {
    const auto m = static_cast<Eigen::Index>(rows_.size()), n = static_cast<Eigen::Index>(shape_.nv);
    problem_.evaluate(Part::position | Part::jacobian, Point(t_, place_), e_);
    Matrix R(m, n);
    Vector missed(m);
    for (Eigen::Index k = 0; k < m; ++k) {
      const int i = rows_[static_cast<std::size_t>(k)];
      if (!(sizes_.sizes(i) > 0)) return false;
      R.row(k) = e_.G.row(i).transpose().cwiseQuotient(sizes_.scales.levers).transpose() / sizes_.sizes(i);
      missed(k) = e_.g(i) / sizes_.sizes(i);
    }
    if (!R.allFinite() || !missed.allFinite()) return false;
    const Eigen::JacobiSVD<Matrix> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Vector& values = svd.singularValues();
    if (m > 1 && !(values(m - 2) > others)) return false;
    const Vector off = svd.matrixU().transpose() * missed;
    to_others_ = -svd.matrixV().leftCols(m - 1) * off.head(m - 1).cwiseQuotient(values.head(m - 1));
    Z_ = svd.matrixV().rightCols(n - m + 1);
    phi_ = off(m - 1);
    w_ = svd.matrixU().col(m - 1);
    return bend(w_) && lead(values(m - 1));
  }

  // S, of the combination w.
  bool bend(const Vector& w) {
    Vector z = place_;
    const Matrix directions = Z_.array().colwise() / sizes_.scales.levers.array();
    const Curvatures curved = curvatures(problem_, t_, z, directions);
    S_ = Matrix::Zero(Z_.cols(), Z_.cols());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const auto i = static_cast<std::size_t>(rows_[k]);
      const double share = w(static_cast<Eigen::Index>(k));
      if (curved.moves[i] && std::abs(share) > part_of) return false;
      S_ += share / sizes_.sizes(rows_[k]) * curved.forms[i];
    }
    return S_.allFinite();
  }

  // By Newton's method to where phi has no slope; its slope is `slope` along the first direction.
  bool lead(double slope) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(S_);
    values_ = eigen.eigenvalues();
    vectors_ = eigen.eigenvectors();
    const double limit = clear * values_.cwiseAbs().maxCoeff();
    if (!(values_(0) < -limit) || !(values_(values_.size() - 1) > limit)) return false;  // not passed
    Vector part = slope * vectors_.row(0).transpose();
    for (Eigen::Index k = 0; k < part.size(); ++k)
      part(k) = std::abs(values_(k)) > limit ? -part(k) / values_(k) : 0;
    to_place_ = vectors_ * part;
    return to_place_.allFinite();
  }

  std::optional<BranchGap> gap() {
    const double size = sizes_.scales.length;
    const Eigen::Index d = values_.size(), k = phi_ > 0 ? 0 : d - 1;  // x^T S x = -2 phi*
    // The other eigenvalues of that sign would lead around, from one branch to the other.
    const double limit = clear * values_.cwiseAbs().maxCoeff();
    if (d > 2 && (k == 0 ? values_(1) < -limit : values_(d - 2) > limit)) return std::nullopt;
    const double half = std::sqrt(2 * std::abs(phi_ / values_(k)));
    const Vector parts = place_.head(shape_.nq).cwiseAbs().cwiseQuotient(sizes_.scales.coordinates);
    BranchGap found;
    found.missed = std::abs(phi_) / size;
    found.apart = 2 * half / size;
    found.meet = found.missed <= roundoff * std::max(1.0, parts.maxCoeff());
    const Vector here = place_;
    displace(2 * half * (Z_ * vectors_.col(k)));
    found.across = Vector::Zero(here.size());
    found.across.head(shape_.nq) = (place_ - here).head(shape_.nq);
    found.weights = Vector::Zero(shape_.ng);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      found.weights(rows_[r]) = w_(static_cast<Eigen::Index>(r)) / sizes_.sizes(rows_[r]);
    found.directions = Z_.array().colwise() / sizes_.scales.levers.array();
    found.S = S_;
    found.toward = vectors_.col(k);
    found.bend = values_(k);
    return found;
  }

  const Problem& problem_;
  const Shape& shape_;
  const RowSizes& sizes_;
  const std::vector<int>& rows_;
  const double t_;
  Vector place_, to_others_, to_place_, values_, w_;
  Matrix Z_, S_, vectors_;  // directions that the other combinations allow; S and its eigenvectors along them
  double phi_ = 0;
  Evaluation e_;
  Workspace work_;
};

// phi's slope along the directions.
Vector slope_at(const BranchGap& gap, const Problem& problem, const State& state) {
  Evaluation e;
  problem.evaluate(Part::jacobian, Point(state.t, state.z), e);
  return gap.directions.transpose() * (e.G.transpose() * gap.weights);
}

}  // namespace

double BranchGap::slope(const Problem& problem, const State& state) const {
  return slope_at(*this, problem, state).norm();
}

// S x is the slope: along the way across, x by its eigenvalue.
int BranchGap::side(const Problem& problem, const State& state) const {
  constexpr double plain = 0.05;
  const Vector slopes = slope_at(*this, problem, state);
  const double along = slopes.dot(toward);
  if (!(std::abs(along) > plain * slopes.norm())) return 0;
  return (along > 0) == (bend > 0) ? 1 : -1;
}

// Two lines x and y with x^T S x = y^T S y = 0: x^T S x vanishes, and x^T S y does not.
std::optional<double> BranchGap::off_branch(const Problem& problem, const State& state, VectorIn v) const {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(S);
  const double limit = clear * eigen.eigenvalues().cwiseAbs().maxCoeff();
  if ((eigen.eigenvalues().array().abs() > limit).count() != 2) return std::nullopt;
  const Vector along = directions.colPivHouseholderQr().solve(Vector(v));
  Vector parts = eigen.eigenvectors().transpose() * along;
  parts = (eigen.eigenvalues().array().abs() > limit).select(parts, 0.0);
  const Vector slopes = slope_at(*this, problem, state);
  const double size = slopes.norm() * parts.norm();
  const double a = eigen.eigenvalues().maxCoeff(), b = -eigen.eigenvalues().minCoeff();
  const double between = 2 * std::sqrt(a * b) / (a + b);  // the sine of the lines' angle
  if (!(size * between > 0)) return std::nullopt;
  return std::abs(slopes.dot(eigen.eigenvectors() * parts)) / (size * between);
}

std::optional<BranchGap> branch_gap(const Problem& problem, const RowSizes& sizes,
                                    const std::vector<int>& rows, double t, VectorIn z) {
  const Shape& s = problem.shape();
  const bool positions = !rows.empty() && rows.back() < s.ng;
  if (s.order != 2 || s.moving || s.given_input || s.nk > 0 || !positions || s.nv > most_velocities ||
      static_cast<int>(rows.size()) >= s.nv + 1)
    return std::nullopt;
  return Search(problem, sizes, rows, t, z).run();
}

}  // namespace driftless
