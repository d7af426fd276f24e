// Problem: the physics, immutable; it knows nothing about time stepping. One shape holds everything:
//
//   M(x,t) x^(m) = f(z,t) - B(x,t) lambda - K(x,t)^T kappa,   z = (x, x', .., x^(m-1)), order m
//   0 = g(x,t)                              position constraints; G = g_x; B = G^T unless given
//   0 = w(x,x',t) = K(x,t) x' + k0(x,t)     velocity (nonholonomic) constraints, m = 2
//   q' = N(q) v                             where coordinates and velocities differ; then G = g_q N
//
// Derived quantities:  g^(m) = G x^(m) + c,  w' = K x^(m) + ck,  L_j = (d g^(j) / d x) N  (L = L_1).
// All derivatives by "x" are taken along displacements: x moves along N delta, so that they have nv columns.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <driftless/core/arena.hpp>
#include <driftless/core/constraint_solver.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/core/scales.hpp>
#include <driftless/core/state.hpp>
#include <driftless/linalg/column_groups.hpp>
#include <driftless/linalg/rows_view.hpp>
#include <driftless/linalg/saddle_point.hpp>
#include <driftless/linalg/sparse_rows.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless {

inline Status status_of(linalg::FactorStatus status) {
  switch (status) {
    case linalg::FactorStatus::ok:
      return Status::ok;
    case linalg::FactorStatus::rank_loss:
      return Status::rank_loss;
    case linalg::FactorStatus::singular_mass:
      return Status::singular_mass;
    case linalg::FactorStatus::not_finite:
      return Status::not_finite;
  }
  return Status::not_finite;
}

// Sizes and declared structure of a Problem.
struct Shape {
  int order = 2;                // m
  int nq = 0;                   // entries of x
  int nv = 0;                   // entries of x', .., x^(m)
  int ng = 0;                   // position constraints
  int nk = 0;                   // velocity constraints
  int ni = 0;                   // invariants beside the energy
  bool given_input = false;     // B is given and not G^T
  bool own_kinematics = false;  // q' = N(q) v with N != I
  bool normalized = false;      // coordinates satisfy something of their own: see Problem::normalize
  bool has_energy = false;      // energy E(t, z) is known
  bool has_power = false;       // power P(t, z) of the forces not contained in E is known; without it P = 0
  bool moving = false;          // g, w or M depend on t
  bool vanishing_invariants = false;  // the invariants are 0 on the motions that count, whatever the start
  linalg::MassStructure mass = linalg::MassStructure::dense;
  std::vector<int> mass_blocks = {};  // for MassStructure::block_diagonal
  // Sizes of what velocities belong to (bodies, joints), where the problem offers matrices without their zeros.
  std::vector<int> bodies = {};
  bool mass_by_bodies = true;  // M is made of such blocks; else it is not offered without its zeros

  bool operator==(const Shape&) const = default;
  Layout layout() const { return {order, nq, nv}; }
  int multipliers() const { return ng + nk; }
  bool sparse() const { return !bodies.empty(); }
  int norms() const { return normalized ? nq - nv : 0; }  // conditions that normalize() restores
};

// What `evaluate` can be asked for; combine with |.
enum class Part : std::uint32_t {
  mass = 1u << 0,                    // M
  force = 1u << 1,                   // f
  position = 1u << 2,                // g
  jacobian = 1u << 3,                // G
  rates = 1u << 4,                   // g', .., g^(m-1)
  curvature = 1u << 5,               // c and ck
  input = 1u << 6,                   // B (G^T where it is not given)
  velocity = 1u << 7,                // w
  velocity_jacobian = 1u << 8,       // K
  kinematics = 1u << 9,              // N
  rate_jacobian = 1u << 10,          // L_1, .., L_{m-1}
  velocity_drift = 1u << 11,         // w_x
  force_jacobian = 1u << 12,         // f_z
  mass_product_jacobian = 1u << 13,  // (M a)_x                          needs Point::a
  multiplier_jacobian = 1u << 14,    // (B lambda)_x + (K^T kappa)_x     needs Point::lambda, kappa
  curvature_jacobian = 1u << 15,  // (G a + c)_z and (K a + ck)_z       with Point::a, zero if it is not given
  invariants = 1u << 16,
  invariant_jacobian = 1u << 17,
  energy = 1u << 18,
  energy_gradient = 1u << 19,
  power = 1u << 20,
  kinematics_jacobian = 1u << 21,  // (N v)_q by the coordinates themselves: nq columns
};

class Parts {
 public:
  constexpr Parts() = default;
  constexpr Parts(Part part) : bits_(static_cast<std::uint32_t>(part)) {}
  constexpr bool has(Part part) const { return (bits_ & static_cast<std::uint32_t>(part)) != 0; }
  constexpr bool has_any(Parts other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool has_all(Parts other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr Parts operator|(Parts other) const { return Parts(bits_ | other.bits_); }
  constexpr Parts without(Parts other) const { return Parts(bits_ & ~other.bits_); }

 private:
  constexpr explicit Parts(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0;
};
constexpr Parts operator|(Part a, Part b) {
  return Parts(a) | Parts(b);
}

// Where a Problem is evaluated. Views only: the caller keeps the data alive.
struct Point {
  using View = Eigen::Map<const Vector>;
  Point(double time, VectorIn levels) : t(time), z(levels.data(), levels.size()) {}
  Point(double time, VectorIn levels, VectorIn highest, VectorIn lambdas, VectorIn kappas)
      : t(time),
        z(levels.data(), levels.size()),
        a(highest.data(), highest.size()),
        lambda(lambdas.data(), lambdas.size()),
        kappa(kappas.data(), kappas.size()) {}
  double t;
  View z;
  View a{nullptr, 0};
  View lambda{nullptr, 0};
  View kappa{nullptr, 0};
};

// How matrices are kept: whole, or without their zeros, which a problem offers by Shape::bodies.
enum class Storage { whole, sparse };
inline Storage storage_of(const Shape& shape) {
  return shape.sparse() ? Storage::sparse : Storage::whole;
}

// What takes the place of matrices where these are kept without their zeros.
struct SparseParts {
  linalg::SparseRows C;         // [G; K]
  linalg::SparseRows L;         // [L; w_x], with the entries of C
  linalg::SparseRows c_x, c_v;  // of C a + (c, ck), with the entries of C, by displacements and by velocities
  linalg::ColumnGroups groups;  // of the columns of C
  linalg::SparseRows by_x, by_v;  // of f, by displacements and by velocities
  linalg::SparseRows Bl_x;        // of B lambda + K^T kappa, with the entries of by_x
  std::vector<double> M;          // its blocks one after the other
  std::shared_ptr<const void>
      of;  // which problem they are prepared for: where entries stand, and those that are constant
};

// What a Problem writes, with the scratch memory it may use. Only what was asked for is sized and valid.
struct Evaluation {
  Evaluation() = default;
  explicit Evaluation(Storage matrices) : storage(matrices) {}

  // Throws InputError where whole matrices would not fit into memory.
  void prepare(const Shape& shape, Parts parts);

  Storage storage = Storage::whole;  // of matrices
  SparseParts sparse;                // in place of M, G, B, K, L, w_x, f_z, Bl_x; (M a)_x = 0 there

  // [G; K]; or G alone, where nobody asked for K.
  linalg::RowsView rows() const {
    return storage == Storage::sparse ? linalg::RowsView(sparse.C, sparse.C.rows) : linalg::RowsView(G, K);
  }

  void times_mass(const Shape& shape, VectorIn x, VectorOut product) const;  // M x

  Matrix M, G, B, K, N;
  Vector f, g, c, w, ck;
  Matrix rates;           // column j-1 holds g^(j)
  std::vector<Matrix> L;  // L[j-1] = L_j
  Matrix w_x, f_z, Ma_x, Bl_x, c_z, ck_z, Nv_q;
  Vector invariants;
  Matrix invariants_z;
  double energy = 0;
  Vector energy_z;
  double power = 0;
  Arena scratch;

 private:
  Parts prepared_;
  std::array<int, 6> sizes_ = {};  // of the problem that it was prepared for
};

// Memory for one `acceleration` caller; nothing is allocated after the first call. A copy is for another caller, and empty.
struct Workspace {
  Workspace() = default;
  Workspace(const Workspace& other) : use(other.use) {}
  Workspace& operator=(const Workspace&) = delete;

  Evaluation parts;
  std::unique_ptr<ConstraintSolver> solver;
  // How its rows are judged: as a law of accelerations, or for steps that impose the rows themselves.
  RankDecision::For use = RankDecision::For::accelerations;
  Vector r;     // right-hand side of the constraint rows
  Shape shape;  // for which the above is sized; nq = 0: for none yet
  // If set, `acceleration` also writes there the multipliers that belong to r = 0: those of the mechanism itself.
  Vector* unforced = nullptr;
};

class Problem {
 public:
  virtual ~Problem() = default;

  const Shape& shape() const { return shape_; }

  void evaluate(Parts parts, const Point& at, Evaluation& out) const {
    out.prepare(shape_, parts);
    if (out.storage == Storage::sparse && out.sparse.of != identity_) {
      out.sparse = SparseParts();
      out.sparse.of = identity_;
    }
    compute(parts, at, out);
  }

  // Solves  M a + B lambda + K^T kappa = f,  G a + c = r_g,  K a + ck = r_k  with r = (r_g, r_k): r = 0 keeps
  // g^(m) = 0, r = -alpha g' - beta g is Baumgarte's feedback. multipliers = (lambda, kappa); where constraints depend on
  // each other, those of least norm.
  virtual Status acceleration(double t, VectorIn z, VectorIn r, VectorOut a, VectorOut multipliers,
                              Workspace& work) const;

  // x_0' = N(q) v; where N = I this is never called in a hot loop.
  virtual void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace& work) const;

  // The displacement that a change of coordinates amounts to, the inverse of coordinate_rates() on what that yields; needed where matrices
  // are kept without their zeros.
  virtual void displacement_of(VectorIn /*q*/, VectorIn change, VectorOut delta) const { delta = change; }

  // Puts coordinates back where they belong whatever the constraints: quaternions to unit length.
  virtual void normalize(VectorOut /*q*/) const {}

  // Moves x_0 by a displacement of nv entries: normalize(q + N delta).
  void displace(double t, VectorOut q, VectorIn delta, Workspace& work) const;

  // By default those of coordinates without a unit: 1, or their own size where that is larger.
  virtual Scales scales(double t, VectorIn q) const;

  // The entries of sparse matrices, without values: C and L, by_x, by_v and Bl_x, M.
  virtual SparseParts sparse_pattern() const { return {}; }

  virtual std::string coordinate_name(int i) const;  // for columns and messages
  virtual std::string velocity_name(int i) const;
  virtual std::string constraint_name(int row) const;  // rows of g, then rows of w
  virtual std::string invariant_name(int i) const;

  // What the model itself knows about a value that is not finite there, as one phrase; empty: nothing. Cold.
  virtual std::string fault(double, VectorIn) const { return {}; }

  // Which constraints depend on which others there, as "a depends on b; c has a vanishing gradient". Cold.
  std::string dependent_constraints(double t, VectorIn z) const;
  std::string contradicting_constraints(double t, VectorIn z) const;

  // After a failed acceleration: which quantity, component or row is to blame. Cold.
  std::string explain(Status status, double t, VectorIn z) const;

 protected:
  explicit Problem(Shape shape);
  virtual void compute(Parts parts, const Point& at, Evaluation& out) const = 0;

 private:
  Shape shape_;
  std::shared_ptr<const void> identity_ = std::make_shared<char>();
};

// What one acceleration needs.
Parts acceleration_parts(const Shape& shape);

// A state of the problem at t = 0 from its levels, first to last: {q, v} for order 2. Levels left out are
// zero.
State make_state(const Problem& problem, const std::vector<std::vector<double>>& levels);

// Throws InputError where sizes contradict each other or are not supported.
void check_shape(const Shape& shape);

}  // namespace driftless
