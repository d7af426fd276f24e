// An ODE seen as a DAE, and the dense way to factor the iteration matrix  c F_y' + F_y.
#include <driftless/core/system.hpp>

#include <driftless/core/whole_matrices.hpp>

#include <utility>

#include <driftless/linalg/dense_lu.hpp>

namespace driftless {

namespace {

template <class Scalar>
class DenseIterationMatrix final : public IterationMatrix<Scalar> {
  using typename IterationMatrix<Scalar>::Values;
  using Values2 = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  DenseIterationMatrix(DaeSystem& system, Work& work)
      : system_(system),
        work_(work),
        F_y_(Matrix::Zero(system.equations(), system.equations())),
        F_yp_(F_y_),
        matrix_(system.equations(), system.equations()),
        lu_(system.equations()) {}

  Status factor(Scalar c) override {
    system_.assemble(F_y_, F_yp_);
    matrix_ = c * F_yp_.template cast<Scalar>() + F_y_.template cast<Scalar>();
    ++work_.factorizations;
    if (!matrix_.allFinite()) return Status::not_finite;
    return lu_.factor(matrix_) ? Status::ok : Status::singular_step;
  }
  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    lu_.solve(residual, increment);
  }

 private:
  DaeSystem& system_;
  Work& work_;
  Matrix F_y_, F_yp_;
  Values2 matrix_;
  linalg::DenseLu<Scalar> lu_;
};

class OdeAsDae final : public DaeSystem {
 public:
  explicit OdeAsDae(System& system)
      : system_(system),
        index_(static_cast<std::size_t>(system.size()), 0),
        rhs_(Vector::Zero(system.size())) {
    if (!system.ode()->factors_itself()) rhs_y_.setZero(system.size(), system.size());
  }

  int equations() const override { return system_.size(); }
  Status residual(double t, VectorIn y, VectorIn yp, VectorOut r) override {
    const Status status = system_.ode()->rhs(t, y, rhs_);
    r = yp - rhs_;
    return status;
  }
  Status linearize(double t, VectorIn y, VectorIn) override {
    return assembles() ? system_.ode()->jacobian(t, y, rhs_y_) : system_.ode()->linearize(t, y);
  }
  bool assembles() const override { return rhs_y_.size() > 0; }
  void times_rate_matrix(VectorIn x, VectorOut product) const override { product = x; }
  void assemble(MatrixOut F_y, MatrixOut F_yp) const override {
    F_y = -rhs_y_;
    F_yp.setIdentity();
  }
  const std::vector<int>& index_of_unknowns() const override { return index_; }
  int differential_unknowns() const override { return system_.size(); }
  std::unique_ptr<IterationMatrix<double>> real_matrix() override {
    return assembles() ? dense_real_matrix(*this, system_.work()) : system_.ode()->real_matrix();
  }
  std::unique_ptr<IterationMatrix<std::complex<double>>> complex_matrix() override {
    return assembles() ? dense_complex_matrix(*this, system_.work()) : system_.ode()->complex_matrix();
  }

 private:
  System& system_;
  std::vector<int> index_;
  Vector rhs_;
  Matrix rhs_y_;
};

class MechanicalView final : public MechanicalSystem {
 public:
  MechanicalView(const Problem& problem, Work& work, Imposed imposed, DirectionsAt directions)
      : problem_(problem),
        work_(work),
        imposed_(imposed),
        directions_(std::move(directions)),
        no_r_(Vector::Zero(problem.shape().multipliers())) {
    workspace_.use = RankDecision::For::steps;
  }
  const Problem& problem() const override { return problem_; }
  Imposed imposed() const override { return imposed_; }
  Status evaluate(Parts parts, const Point& at, Evaluation& out) override {
    if (parts.has(Part::force) || parts.has(Part::mass)) ++work_.rhs;
    if (parts.has(Part::force_jacobian)) ++work_.jacobians;
    problem_.evaluate(parts, at, out);
    const bool finite = (!parts.has(Part::mass) || out.M.allFinite()) &&
                        (!parts.has(Part::force) || out.f.allFinite()) &&
                        (!parts.has(Part::position) || out.g.allFinite()) &&
                        (!parts.has(Part::rates) || out.rates.allFinite()) &&
                        (!parts.has(Part::velocity) || out.w.allFinite());
    return finite ? Status::ok : Status::not_finite;
  }
  Status acceleration(double t, VectorIn z, VectorOut a, VectorOut multipliers) override {
    ++work_.rhs;
    return problem_.acceleration(t, z, no_r_, a, multipliers, workspace_);
  }
  Status directions(double t, VectorIn z, MatrixOut D) override { return directions_(t, z, D); }

 private:
  const Problem& problem_;
  Work& work_;
  const Imposed imposed_;
  const DirectionsAt directions_;
  const Vector no_r_;
  Workspace workspace_;
};

}  // namespace

std::unique_ptr<IterationMatrix<double>> OdeSystem::real_matrix() {
  return nullptr;
}
std::unique_ptr<IterationMatrix<std::complex<double>>> OdeSystem::complex_matrix() {
  return nullptr;
}

Status System::rates(const State& state, VectorOut yp) {
  if (!ode())
    throw InputError("this system does not say how fast its unknowns change; let it override rates()");
  Vector y(size());
  pack(state, y);
  return ode()->rhs(state.t, y, yp);
}

std::unique_ptr<MechanicalSystem> mechanical_view(const Problem& problem, Work& work, Imposed imposed,
                                                  DirectionsAt directions) {
  return std::make_unique<MechanicalView>(problem, work, imposed, std::move(directions));
}

std::unique_ptr<DaeSystem> ode_as_dae(System& system) {
  if (!system.ode())
    throw InputError("this system is no ordinary differential equation, so that it has no such view");
  if (!system.ode()->factors_itself())
    check_whole_matrices(system.size() / 2);  // of order 2, as all large ones are
  return std::make_unique<OdeAsDae>(system);
}

std::unique_ptr<IterationMatrix<double>> dense_real_matrix(DaeSystem& system, Work& work) {
  return std::make_unique<DenseIterationMatrix<double>>(system, work);
}

std::unique_ptr<IterationMatrix<std::complex<double>>> dense_complex_matrix(DaeSystem& system, Work& work) {
  return std::make_unique<DenseIterationMatrix<std::complex<double>>>(system, work);
}

}  // namespace driftless
