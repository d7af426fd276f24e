#include "curvatures.hpp"

namespace driftless {

Curvatures curvatures(const Problem& problem, double t, VectorIn z, const Matrix& U) {
  const Shape& s = problem.shape();
  const Eigen::Index d = U.cols();
  Evaluation e;
  Vector there = z;
  const auto along = [&](const Vector& u) {
    there.segment(s.nq, s.nv) = u;
    problem.evaluate(Part::curvature, Point(t, there), e);
    return Vector(e.c);
  };
  Curvatures found{std::vector<Matrix>(static_cast<std::size_t>(s.ng), Matrix::Zero(d, d)),
                   std::vector<char>(static_cast<std::size_t>(s.ng), 0)};
  const Vector rest = s.moving ? along(Vector::Zero(s.nv)) : Vector(Vector::Zero(s.ng));
  const auto square = [&](const Vector& u) {
    const Vector there_and = along(u);
    if (!s.moving) return there_and;
    const Vector back = along(-u);
    for (int row = 0; row < s.ng; ++row)
      if (rest(row) != 0 || there_and(row) != back(row)) found.moves[static_cast<std::size_t>(row)] = 1;
    return Vector((there_and + back) / 2 - rest);
  };
  std::vector<Vector> own;
  for (Eigen::Index i = 0; i < d; ++i) own.push_back(square(U.col(i)));
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Vector& a = own[static_cast<std::size_t>(i)];
      const Vector mixed =
          i == j ? a : Vector((square(U.col(i) + U.col(j)) - a - own[static_cast<std::size_t>(j)]) / 2);
      for (std::size_t row = 0; row < found.forms.size(); ++row)
        found.forms[row](i, j) = found.forms[row](j, i) = mixed(static_cast<Eigen::Index>(row));
    }
  return found;
}

}  // namespace driftless
