// System: the equations that are discretised, in one or more of three shapes. An integrator says which shape
// it takes.
//   OdeSystem         y' = rhs(t, y)
//   DaeSystem         F(t, y, y') = 0, square or overdetermined
//   MechanicalSystem  M, f, g, G themselves, for methods that are no discretisation of a first-order system
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <driftless/core/errors.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>
#include <driftless/core/step_context.hpp>

namespace driftless {

// The last three are MechanicalSystems with g = 0, with g' = 0 (order m: g^(m-1) = 0), with both imposed.
enum class SystemShape {
  ode,
  dae,
  overdetermined,
  mechanical_positions,
  mechanical_velocities,
  mechanical_both
};

// How much was computed; a System counts what it does itself.
struct Work {
  long steps = 0;
  long rejected = 0;
  long rhs = 0;  // right-hand sides or residuals
  long jacobians = 0;
  long factorizations = 0;  // of iteration matrices (the solve inside a right-hand side is part of `rhs`)
  long newton = 0;          // Newton iterations
  long projections = 0;     // stabilizer iterations
};

// c F_y' + F_y of the System's last linearize(), factored; c is real for multistep methods and also complex for Radau, which share
// one linearization, and a step that changes c needs no new one.
// solve() applies the inverse, or for overdetermined systems the generalized inverse that the System brings.
template <class Scalar>
class IterationMatrix {
 public:
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  virtual ~IterationMatrix() = default;
  virtual Status factor(Scalar c) = 0;
  virtual void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) = 0;
};

class OdeSystem {
 public:
  virtual ~OdeSystem() = default;
  // With `at` given the multipliers of this very evaluation are written there: multipliers left over from
  // some earlier stage are an order less accurate than the state, so nobody keeps them.
  virtual Status rhs(double t, VectorIn y, VectorOut dy, State* at = nullptr) = 0;
  virtual Status jacobian(double t, VectorIn y, MatrixOut rhs_y) = 0;

  // Systems of large mechanisms factor c I - rhs_y themselves, without its zeros, with the derivatives of the last linearize(); jacobian() is
  // not asked then.
  virtual bool factors_itself() const { return false; }
  virtual Status linearize(double /*t*/, VectorIn /*y*/) { return Status::ok; }
  virtual std::unique_ptr<IterationMatrix<double>> real_matrix();
  virtual std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix();
};

class DaeSystem {
 public:
  virtual ~DaeSystem() = default;
  virtual int equations() const = 0;  // more than unknowns: overdetermined
  virtual Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) = 0;
  // Computes F_y and F_y' there and keeps them.
  virtual Status linearize(double t, VectorIn y, VectorIn yp) = 0;
  // Both as whole matrices: what iteration matrices without a better way and tests use. Not of systems that are too large for it.
  virtual void assemble(MatrixOut F_y, MatrixOut F_yp) const = 0;
  virtual bool assembles() const { return true; }
  // F_y' x in place of that, of the last linearize().
  virtual void times_rate_matrix(VectorIn /*x*/, VectorOut /*product*/) const {}
  // 0 for differential unknowns, else the index (1, 2, 3) of an algebraic one, or 2 of a velocity that inherits the error of a
  // position divided by h: error weights and Newton scaling need it.
  virtual const std::vector<int>& index_of_unknowns() const = 0;
  // The first so many unknowns are differential: what a step leaves of them the next one starts from.
  virtual int differential_unknowns() const = 0;
  virtual std::unique_ptr<IterationMatrix<double>> real_matrix() = 0;
  virtual std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() = 0;
};

// What a formulation imposes on the discrete solution: g = 0, or g' = 0 (order m: g^(m-1) = 0), or both; velocity constraints always.
enum class Imposed { positions, velocities, both };

class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;
  virtual const Problem& problem() const = 0;
  virtual Imposed imposed() const = 0;
  // Counts a right-hand side where M or f is asked for, a Jacobian where their derivatives are.
  virtual Status evaluate(Parts parts, const Point& at, Evaluation& out) = 0;
  // Of `index1` at that state, with multipliers = (lambda, kappa); counts a right-hand side.
  virtual Status acceleration(double t, VectorIn z, VectorOut a, VectorOut multipliers) = 0;
  // Where both are imposed: the D along which positions are pushed back, nv rows and ng columns.
  virtual Status directions(double t, VectorIn z, MatrixOut D) = 0;
};

class System {
 public:
  virtual ~System() = default;
  virtual int size() const = 0;  // unknowns y
  virtual void pack(const State& state, VectorOut y) const = 0;
  // z and every unknown beside it; multipliers that are no unknowns are left to complete().
  virtual void unpack(double t, VectorIn y, State& state) const = 0;
  virtual Status multipliers(State& state) = 0;  // lambda and kappa that belong to z, whatever they were
  // y' of the motion through that state; 0 for unknowns that have none (multipliers).
  virtual Status rates(const State& state, VectorOut yp);
  // After unpack(), perhaps moved by a stabilizer: the multipliers, where they are no unknowns of the system.
  virtual Status complete(State& state) { return multipliers(state); }
  // An error in the unknowns, expressed in the entries of State::z. Equal where y = z.
  virtual void unpack_error(VectorIn error_y, VectorOut error_z) const {
    error_z = error_y.head(error_z.size());
  }
  // Adds to a start what the system carries beside z (extras), at its first value, where it is not there yet.
  virtual void prepare(State&) const {}
  // A run starts at that state, or an action has changed it: takes from it what is to be kept (energy,
  // invariants), and says which values these are, so that a run can be taken up again with them.
  virtual void anchor(const State&) {}
  virtual std::vector<double> anchored() const { return {}; }
  virtual void restore_anchor(const std::vector<double>& /*values*/) {}  // as many as anchored() has
  // [G; K] where the last step was solved, if it was evaluated for that; null: not.
  virtual const Matrix* constraint_rows() const { return nullptr; }
  // What the run wants to be known about the equations: a force that had to be bounded, for instance.
  virtual std::vector<std::string> notes() const { return {}; }
  // A step begins at y; with h = 0 a run, and y is not looked at. True: the right-hand side there is another one than before (feedback that
  // follows the step), so that a stored value of it must be computed anew.
  virtual bool begin_step(const StepContext&, VectorIn /*y*/) { return false; }
  // A chance to change charts; true means that y now has another meaning and history must be rebuilt.
  virtual bool refresh(State&) { return false; }
  virtual std::string explain(Status status, double t, VectorIn y) const = 0;

  virtual OdeSystem* ode() { return nullptr; }
  virtual DaeSystem* dae() { return nullptr; }
  virtual MechanicalSystem* mechanical() { return nullptr; }

  Work& work() { return work_; }
  const Work& work() const { return work_; }

 private:
  Work work_;
};

// Every OdeSystem is a DaeSystem, F = y' - rhs(t, y), so that implicit integrators are written once.
std::unique_ptr<DaeSystem> ode_as_dae(System& system);

// M, f, g, G of a Problem as a shape of their own. `directions` is needed where both are imposed.
using DirectionsAt = std::function<Status(double t, VectorIn z, MatrixOut D)>;
std::unique_ptr<MechanicalSystem> mechanical_view(const Problem& problem, Work& work, Imposed imposed,
                                                  DirectionsAt directions = {});

// The dense way to factor c F_y' + F_y, for systems without a better one; F must be square.
std::unique_ptr<IterationMatrix<double>> dense_real_matrix(DaeSystem& system, Work& work);
std::unique_ptr<IterationMatrix<std::complex<double>>> dense_complex_matrix(DaeSystem& system, Work& work);

}  // namespace driftless
