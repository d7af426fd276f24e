#include <driftless/core/problem.hpp>

#include <driftless/core/whole_matrices.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace driftless {

void check_shape(const Shape& s) {
  const auto refuse = [](const std::string& sentence) { throw InputError(sentence); };
  if (s.order < 1)
    refuse(fmt::format("the order of the system is {} (at least 1); set Model::order", s.order));
  if (s.nq < 1 || s.nv < 1)
    refuse(fmt::format("the system has nq = {} coordinates and nv = {} velocities (at least 1 each)", s.nq,
                       s.nv));
  if (s.ng < 0 || s.nk < 0 || s.ni < 0)
    refuse(fmt::format("negative sizes: ng = {}, nk = {}, ni = {} (at least 0 each)", s.ng, s.nk, s.ni));
  if (s.nq != s.nv && !s.own_kinematics)
    refuse(fmt::format(
        "nq = {} differs from nv = {}, so that q' = N(q) v must be given; add a function `kinematics`", s.nq,
        s.nv));
  if (s.own_kinematics && s.order != 2)
    refuse(fmt::format("q' = N(q) v is for systems of order 2, this one has order {}; leave `kinematics` out",
                       s.order));
  if (s.nk > 0 && s.order != 2)
    refuse(
        fmt::format("velocity constraints are for systems of order 2, this one has order {}; state them as "
                    "position constraints",
                    s.order));
}

State make_state(const Problem& problem, const std::vector<std::vector<double>>& levels) {
  const Shape& s = problem.shape();
  State state(s.layout(), s.ng, s.nk);
  if (levels.size() > static_cast<std::size_t>(s.order))
    throw InputError(fmt::format("{} levels are given for a system of order {}; give at most {}",
                                 levels.size(), s.order, s.order));
  for (int j = 0; j < static_cast<int>(levels.size()); ++j) {
    const auto& values = levels[static_cast<std::size_t>(j)];
    const auto size = static_cast<Eigen::Index>(values.size());
    if (size != s.layout().width(j))
      throw InputError(
          fmt::format("level {} of the state has {} values (the problem has {} there); give as many", j, size,
                      s.layout().width(j)));
    state.level(j) = Eigen::Map<const Vector>(values.data(), size);
  }
  return state;
}

Problem::Problem(Shape shape) : shape_(std::move(shape)) {
  check_shape(shape_);
}

namespace {

// What is offered without zeros, and what is not.
constexpr Parts sparse_matrices =
    Part::mass | Part::jacobian | Part::velocity_jacobian | Part::rate_jacobian | Part::velocity_drift |
    Part::force_jacobian | Part::mass_product_jacobian | Part::multiplier_jacobian | Part::curvature_jacobian;
constexpr Parts matrices_only_whole = Part::input | Part::kinematics | Part::kinematics_jacobian;
constexpr Parts matrices = sparse_matrices | matrices_only_whole;

}  // namespace

void check_whole_matrices(const Shape& shape) {
  if (shape.nv <= most_whole_velocities) return;
  if (!shape.sparse())
    throw InputError(
        fmt::format("the problem is given by functions, whose matrices are kept with all their zeros, and "
                    "its {} velocities "
                    "are too many for that (limit {}); make it smaller, or describe it by bodies and joints "
                    "(a model file, "
                    "mechanics::Mechanism), whose matrices are kept without zeros",
                    shape.nv, most_whole_velocities));
  check_whole_matrices(shape.nv);
}

void check_whole_matrices(int velocities) {
  if (velocities > most_whole_velocities)
    throw InputError(fmt::format(
        "this method works with whole matrices, and {} velocities are too many for those (limit {}); "
        "use index1 or baumgarte, index2 with half-explicit, or ggl with bdf or radau5",
        velocities, most_whole_velocities));
}

void Evaluation::prepare(const Shape& s, Parts parts) {
  const std::array<int, 6> sizes = {s.order, s.nq, s.nv, s.ng, s.nk, s.ni};
  if (sizes != sizes_) prepared_ = {};  // last used for another problem
  if (prepared_.has_all(parts)) return;
  sizes_ = sizes;
  if (storage == Storage::sparse) {
    if (parts.has_any(matrices_only_whole))
      throw std::logic_error("a matrix is asked for that is kept whole only");
  } else if (parts.has_any(matrices)) {
    check_whole_matrices(s);
  }
  const int nz = s.order * s.nv;
  const auto new_part = [&](Part part) { return parts.has(part) && !prepared_.has(part); };
  const auto sized = [&](Part part) {
    return new_part(part) && !(storage == Storage::sparse && matrices.has(part));
  };
  if (sized(Part::mass)) M.setZero(s.nv, s.nv);
  if (sized(Part::force)) f.setZero(s.nv);
  if (sized(Part::position)) g.setZero(s.ng);
  if (sized(Part::jacobian) || (sized(Part::input) && !prepared_.has(Part::jacobian))) G.setZero(s.ng, s.nv);
  if (sized(Part::rates)) rates.setZero(s.ng, s.order - 1);
  if (sized(Part::curvature)) c.setZero(s.ng), ck.setZero(s.nk);
  if (sized(Part::input)) B.setZero(s.nv, s.ng);
  if (sized(Part::velocity)) w.setZero(s.nk);
  if (sized(Part::velocity_jacobian)) K.setZero(s.nk, s.nv);
  if (sized(Part::kinematics)) N.setZero(s.nq, s.nv);
  if (sized(Part::rate_jacobian)) L.assign(static_cast<std::size_t>(s.order - 1), Matrix::Zero(s.ng, s.nv));
  if (sized(Part::velocity_drift)) w_x.setZero(s.nk, s.nv);
  if (sized(Part::force_jacobian)) f_z.setZero(s.nv, nz);
  if (sized(Part::mass_product_jacobian)) Ma_x.setZero(s.nv, s.nv);
  if (sized(Part::multiplier_jacobian)) Bl_x.setZero(s.nv, s.nv);
  if (sized(Part::curvature_jacobian)) c_z.setZero(s.ng, nz), ck_z.setZero(s.nk, nz);
  if (sized(Part::invariants)) invariants.setZero(s.ni);
  if (sized(Part::invariant_jacobian)) invariants_z.setZero(s.ni, nz);
  if (sized(Part::kinematics_jacobian)) Nv_q.setZero(s.nq, s.nq);
  if (sized(Part::energy_gradient)) energy_z.setZero(nz);
  prepared_ = prepared_ | parts;
}

void Evaluation::times_mass(const Shape& s, VectorIn x, VectorOut product) const {
  if (storage == Storage::whole) {
    product.noalias() = M.lazyProduct(x);
    return;
  }
  const double* block = sparse.M.data();
  int first = 0;
  for (const int size : s.bodies) {
    product.segment(first, size).noalias() =
        Eigen::Map<const Matrix>(block, size, size).lazyProduct(x.segment(first, size));
    block += size * size;
    first += size;
  }
}

Parts acceleration_parts(const Shape& s) {
  Parts parts = Part::mass | Part::force | Part::jacobian | Part::curvature;
  if (s.given_input) parts = parts | Part::input;
  if (s.nk > 0) parts = parts | Part::velocity_jacobian;
  return parts;
}

// What points are accelerated by on curves of the mechanism's size: coordinates of a motion may have no acceleration at all, but for roundoff.
static double curved(const Shape& s, const Scales& scales, VectorIn z) {
  if (s.order < 2) return 0;
  double speed = 0;
  for (int j = 0; j < s.nv; ++j) speed = std::max(speed, std::abs(z(s.nq + j)) * scales.levers(j));
  return speed * speed / scales.length;
}

// What points are accelerated by without constraints, for masses one by one.
static double free_accelerations(const Shape& s, const Evaluation& e, const Vector& levers) {
  double free = 0;
  const auto add = [&](int i, double mass) {
    if (mass > 0) free = std::max(free, levers(i) * std::abs(e.f(i)) / mass);
  };
  if (e.storage == Storage::whole) {
    for (int i = 0; i < s.nv; ++i) add(i, s.mass == linalg::MassStructure::identity ? 1 : e.M(i, i));
    return free;
  }
  std::size_t block = 0;
  int i = 0;
  for (const int size : s.bodies) {
    for (int k = 0; k < size; ++k) add(i++, e.sparse.M[block + static_cast<std::size_t>(k * (size + 1))]);
    block += static_cast<std::size_t>(size * size);
  }
  return free;
}

Status Problem::acceleration(double t, VectorIn z, VectorIn r, VectorOut a, VectorOut multipliers,
                             Workspace& work) const {
  const Shape& s = shape_;
  Evaluation& e = work.parts;
  const bool of_another = e.sparse.of && e.sparse.of != identity_;  // of equal sizes
  if (!(work.shape == s) || of_another) {
    e = Evaluation(s.sparse() && s.mass_by_bodies ? Storage::sparse : Storage::whole);
    work.solver =
        make_constraint_solver(*this, ConstraintSolver::Of::all, ConstraintSolver::Metric::mass, work.use);
    work.r.setZero(s.multipliers());
    work.shape = s;
  }
  ConstraintSolver& solver = *work.solver;
  evaluate(acceleration_parts(s), Point(t, z), e);
  work.r.head(s.ng) = r.head(s.ng) - e.c;
  if (s.nk > 0) work.r.tail(s.nk) = r.tail(s.nk) - e.ck;
  if (const Status status = solver.factor(*this, t, z, e); status != Status::ok) return status;
  if (work.unforced) {
    work.r -= r;
    solver.solve(e, e.f, work.r, a, *work.unforced);
    solver.least_norm(e, *work.unforced);
    work.r += r;
  }
  solver.solve(e, e.f, work.r, a, multipliers);
  solver.least_norm(e, multipliers);
  if (!a.allFinite() || !multipliers.allFinite()) return Status::not_finite;
  if (solver.full()) return Status::ok;
  const Scales& scales = solver.rank().scales();
  const double free = free_accelerations(s, e, scales.levers);
  return solver.contradicts(e, a, work.r, free, curved(s, scales, z)) ? Status::contradiction : Status::ok;
}

void Problem::coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace& work) const {
  if (!shape_.own_kinematics) {
    rates = v;
    return;
  }
  // Problems with N(q) of their own override this; by the matrix it works for all.
  Arena::Release scope(work.parts.scratch);
  auto memory = work.parts.scratch.take<double>(shape_.layout().size());
  Eigen::Map<Vector> z(memory.data(), static_cast<Eigen::Index>(memory.size()));
  z.head(shape_.nq) = q;
  z.tail(shape_.nv) = v;
  evaluate(Part::kinematics, Point(t, z), work.parts);
  rates.noalias() = work.parts.N.lazyProduct(v);
}

Scales Problem::scales(double /*t*/, VectorIn q) const {
  Scales scales;
  scales.length = 1 + q.lpNorm<Eigen::Infinity>();
  scales.coordinates = Vector::Ones(shape_.nq);
  scales.moves = Vector::Ones(shape_.nv);
  for (int i = 0; i < std::min(shape_.nv, shape_.nq); ++i) scales.moves(i) += std::abs(q(i));
  return scales;
}

void Problem::displace(double t, VectorOut q, VectorIn delta, Workspace& work) const {
  if (!shape_.own_kinematics) {
    q += delta;
  } else {
    Arena::Release scope(work.parts.scratch);
    auto memory = work.parts.scratch.take<double>(shape_.nq);
    Eigen::Map<Vector> rates(memory.data(), shape_.nq);
    coordinate_rates(t, q, delta, rates, work);
    q += rates;
  }
  normalize(q);
}

std::string Problem::coordinate_name(int i) const {
  return fmt::format("{}[{}]", shape_.order == 2 ? "q" : "x", i);
}
std::string Problem::velocity_name(int i) const {
  return fmt::format("{}[{}]", shape_.order == 2 ? "v" : "x'", i);
}
std::string Problem::constraint_name(int row) const {
  return row < shape_.ng ? fmt::format("g[{}]", row) : fmt::format("w[{}]", row - shape_.ng);
}
std::string Problem::invariant_name(int i) const {
  return fmt::format("invariant[{}]", i);
}

}  // namespace driftless
