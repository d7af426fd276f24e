#include "model_suspicion.hpp"

#include <algorithm>
#include <cmath>

#include "model_comparison.hpp"

namespace driftless {

namespace {

class Suspicion {
 public:
  Suspicion(const Problem& problem, const Checkable& known, const State& state)
      : problem_(problem),
        known_(known),
        shape_(problem.shape()),
        t_(state.t),
        z_(state.z),
        a_(generic_values(shape_.nv, 7)),
        lambda_(generic_values(shape_.ng, 31)),
        kappa_(generic_values(shape_.nk, 53)),
        d_(generic_values(shape_.nv, 71)) {}

  bool any() {
    for (const HandWritten& function : known_.hand_written())
      if (suspicious(function.parts)) return true;
    return false;
  }

 private:
  Point at(const Vector& z) const { return Point(t_, z, a_, lambda_, kappa_); }

  bool suspicious(Parts parts) {
    problem_.evaluate(parts, at(z_), given_);
    const Parts values = Part::mass | Part::force | Part::position | Part::curvature,
                asked = same(parts, values);
    derived_.prepare(shape_, asked);
    const Parts known = known_.derive(asked, at(z_), derived_);
    if (known.has(Part::mass) && differ(given_.M, derived_.M)) return true;
    if (known.has(Part::force) && differ(given_.f, derived_.f)) return true;
    if (known.has(Part::position) && differ(given_.g, derived_.g)) return true;
    if (known.has(Part::curvature) && (differ(given_.c, derived_.c) || differ(given_.ck, derived_.ck)))
      return true;
    if (parts.has(Part::jacobian) && shape_.ng > 0 && differ(given_.G, d_, slope_of_position())) return true;
    if (parts.has(Part::velocity_jacobian) && shape_.nk > 0 && differ(given_.K, d_, slope(Part::velocity, 1)))
      return true;
    if (parts.has(Part::rate_jacobian) && shape_.order == 2 && differ(given_.L[0], d_, slope(Part::rates, 0)))
      return true;
    if (parts.has(Part::force_jacobian))
      for (int level = 0; level < shape_.order; ++level)
        if (differ(given_.f_z.middleCols(level * shape_.nv, shape_.nv), d_, slope(Part::force, level)))
          return true;
    if (parts.has(Part::mass_product_jacobian) && differ(given_.Ma_x, d_, slope(Part::mass, 0))) return true;
    return parts.has(Part::multiplier_jacobian) && differ(given_.Bl_x, d_, slope(Part::jacobian, 0));
  }

  static Parts same(Parts parts, Parts others) { return parts.without(parts.without(others)); }

  // Of what one part is made of, as one vector: g, w, g', f, M a or G^T lambda + K^T kappa.
  Vector value(Part part, const Vector& z) {
    Parts parts = part;
    if (part == Part::jacobian && shape_.nk > 0) parts = parts | Part::velocity_jacobian;
    problem_.evaluate(parts, at(z), there_);
    switch (part) {
      case Part::position:
        return there_.g;
      case Part::velocity:
        return there_.w;
      case Part::rates:
        return there_.rates.col(0);
      case Part::mass:
        return there_.M * a_;
      case Part::jacobian: {
        Vector push = there_.G.transpose() * lambda_;
        if (shape_.nk > 0) push += there_.K.transpose() * kappa_;
        return push;
      }
      default:
        return there_.f;
    }
  }

  // Its derivative along d, by a central difference.
  Vector slope(Part part, int level) {
    const Layout layout = shape_.layout();
    const auto entries = z_.segment(layout.offset(level), layout.width(level));
    const double largest = entries.cwiseAbs().maxCoeff(), h = 1e-4 * (largest > 0 ? largest : 1);
    const auto moved = [&](double by) {
      Vector z = z_;
      if (level == 0)
        problem_.displace(t_, z.head(shape_.nq), by * d_, work_);
      else
        z.segment(layout.offset(level), shape_.nv) += by * d_;
      return value(part, z);
    };
    const Vector ahead = moved(h);
    return (ahead - moved(-h)) / (2 * h);
  }

  // G d: g' at the velocities d less that at rest is exact; g is differentiated where there are none.
  Vector slope_of_position() {
    if (shape_.order == 1) return slope(Part::position, 0);
    Vector z = z_;
    z.tail(z.size() - shape_.nq).setZero();
    const Vector rest = value(Part::rates, z);
    z.segment(shape_.nq, shape_.nv) = d_;
    return value(Part::rates, z) - rest;
  }

  static bool differ(const Matrix& one, const Matrix& other) {
    if (one.size() == 0) return false;
    const double size = std::max(one.cwiseAbs().maxCoeff(), other.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < one.size(); ++i) {
      const double entry = std::max(std::abs(one(i)), std::abs(other(i)));
      if (std::abs(one(i) - other(i)) > 1e-6 * entry + 1e-14 * size) return true;
    }
    return false;
  }
  static bool differ(MatrixIn A, const Vector& d, const Vector& slope) {
    const Vector terms = A.cwiseAbs() * d.cwiseAbs();
    for (Eigen::Index i = 0; i < slope.size(); ++i)
      if (std::abs(A.row(i).dot(d) - slope(i)) > 1e-5 * std::max(terms(i), std::abs(slope(i)))) return true;
    return false;
  }

  const Problem& problem_;
  const Checkable& known_;
  const Shape& shape_;
  const double t_;
  const Vector z_, a_, lambda_, kappa_, d_;
  Evaluation given_, derived_, there_;
  Workspace work_;
};

}  // namespace

bool suspicious(const Problem& problem, const Checkable& known, const State& state) {
  return Suspicion(problem, known, state).any();
}

}  // namespace driftless
