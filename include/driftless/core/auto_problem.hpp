// AutoProblem: a user's model (see model.hpp) as a Problem. What the model does not supply is differentiated
// automatically. For models whose sizes are known at compile time the acceleration is computed with
// fixed-size kernels behind one virtual call.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <driftless/core/checkable.hpp>
#include <driftless/core/fixed_acceleration.hpp>
#include <driftless/core/model.hpp>
#include <driftless/core/model_derivatives.hpp>
#include <driftless/core/problem.hpp>
#include <driftless/core/time_dependence.hpp>

namespace driftless {

// Name arrays must be as long as what they name.
template <class M>
consteval bool names_fit() {
  bool fit = true;
  if constexpr (model::FixedSize<M>) {
    [[maybe_unused]] int nv = M::nq;
    if constexpr (requires { M::nv; }) nv = M::nv;
    if constexpr (requires { M::coordinate_names; }) fit = fit && M::coordinate_names.size() == M::nq;
    if constexpr (requires { M::velocity_names; })
      fit = fit && static_cast<int>(M::velocity_names.size()) == nv;
    if constexpr (requires { M::constraint_names; })
      fit = fit && M::constraint_names.size() == model::fixed_rows<M>;
    if constexpr (requires { M::invariant_names; }) fit = fit && M::invariant_names.size() == M::ni;
  }
  return fit;
}

template <class Model>
class AutoProblem final : public Problem, public Checkable {
  static constexpr int m = model::order<Model>;
  using Derivatives = model::Derivatives<Model>;

 public:
  static_assert(names_fit<Model>(),
                "a model's name arrays have one name for every coordinate, velocity or row");

  explicit AutoProblem(Model model) : Problem(model::shape_of(model)), model_(std::move(model)) {}
  const Model& model() const { return model_; }

  Status acceleration(double t, VectorIn z, VectorIn r, VectorOut a, VectorOut multipliers,
                      Workspace& work) const override {
    if constexpr (model::FastAcceleration<Model>) {
      if (work.solver && !work.solver->rank().pending()) [[likely]] {
        const Status status = model::fixed_acceleration(model_, shape(), t, z, r, a, multipliers, work);
        if (status != Status::rank_loss) return status;
      }
    }
    return Problem::acceleration(t, z, r, a, multipliers, work);
  }

  void coordinate_rates(double t, VectorIn q, VectorIn v, VectorOut rates, Workspace&) const override {
    if constexpr (model::HasKinematics<Model>) {
      rates.setZero();
      model_.kinematics(t, in(q.data(), q.size()), in(v.data(), v.size()), out(rates.data(), rates.size()));
    } else {
      rates = v;
    }
  }

  void normalize(VectorOut q) const override {
    if constexpr (model::HasNormalize<Model>) model_.normalize(out(q.data(), q.size()));
  }

  TimeDependence time_dependence(double t, VectorIn z) const override {
    return model::time_dependence(model_, *this, t, z);
  }

  std::vector<HandWritten> hand_written() const override {
    std::vector<HandWritten> found;
    if constexpr (model::HasDynamics<Model>) found.push_back({"dynamics", dynamics_parts()});
    if constexpr (model::HasEquations<Model>)
      found.push_back({"equations", Part::mass | Part::force | Part::position | Part::jacobian});
    if constexpr (model::HasJacobian<Model>) found.push_back({"jacobian", Part::jacobian});
    if constexpr (model::HasCurvature<Model>) found.push_back({"curvature", Part::curvature});
    if constexpr (model::HasRateJacobian<Model>) found.push_back({"rate_jacobian", Part::rate_jacobian});
    if constexpr (model::HasForceJacobian<Model>) found.push_back({"force_jacobian", Part::force_jacobian});
    if constexpr (model::HasMassProductJacobian<Model>)
      found.push_back({"mass_product_jacobian", Part::mass_product_jacobian});
    if constexpr (model::HasMultiplierJacobian<Model>)
      found.push_back({"multiplier_jacobian", Part::multiplier_jacobian});
    return found;
  }

  // Derivatives of `force` and `mass` are left to differences: a model that has those by hand may have
  // `force` and `mass` on double only.
  Parts derive(Parts parts, const Point& at, Evaluation& e) const override {
    Parts done;
    if constexpr (model::HasHandWritten<Model>) {
      Derivatives d(model_, shape(), at.t, at.z.data(), e.scratch);
      const auto x = d.levels();
      const auto asked = [&](Part part) {
        if (parts.has(part)) done = done | part;
        return parts.has(part);
      };
      if (asked(Part::mass)) mass(at.t, x[0], e.M);
      if (asked(Part::force)) {
        clear(e.f);
        std::apply([&](auto... level) { model_.force(at.t, level..., out(e.f)); }, x);
      }
      if constexpr (model::HasPositions<Model>) {
        if (asked(Part::position)) {
          clear(e.g);
          model_.constraint(at.t, x[0], out(e.g));
        }
        if (asked(Part::jacobian)) d.jacobian(e.G);
        VectorOut c(e.c);
        if (parts.has(Part::curvature)) d.rates_and_curvature(nullptr, &c);
        if (m > 1 && asked(Part::rate_jacobian)) d.rate_jacobian(e.L);
        if (asked(Part::multiplier_jacobian))
          d.multiplier_jacobian(at.lambda.data(), at.kappa.data(), e.Bl_x);
      }
      if (asked(Part::curvature)) d.velocity_curvature(e.ck);
      if (asked(Part::velocity_jacobian)) d.velocity_jacobian(1, e.K);
    }
    return done;
  }

  std::string coordinate_name(int i) const override {
    if constexpr (requires { model_.coordinate_name(i); }) return model_.coordinate_name(i);
    if constexpr (requires { Model::coordinate_names; })
      return Model::coordinate_names[static_cast<std::size_t>(i)];
    return Problem::coordinate_name(i);
  }
  std::string velocity_name(int i) const override {
    if constexpr (requires { model_.velocity_name(i); }) return model_.velocity_name(i);
    if constexpr (requires { Model::velocity_names; })
      return Model::velocity_names[static_cast<std::size_t>(i)];
    return Problem::velocity_name(i);
  }
  std::string constraint_name(int row) const override {
    if constexpr (requires { model_.constraint_name(row); }) return model_.constraint_name(row);
    if constexpr (requires { Model::constraint_names; })
      return Model::constraint_names[static_cast<std::size_t>(row)];
    return Problem::constraint_name(row);
  }
  std::string invariant_name(int i) const override {
    if constexpr (requires { model_.invariant_name(i); }) return model_.invariant_name(i);
    if constexpr (requires { Model::invariant_names; })
      return Model::invariant_names[static_cast<std::size_t>(i)];
    return Problem::invariant_name(i);
  }

 protected:
  void compute(Parts parts, const Point& at, Evaluation& e) const override {
    Derivatives d(model_, shape(), at.t, at.z.data(), e.scratch);
    const auto x = d.levels();
    if constexpr (model::HasDynamics<Model>) {
      if (parts.has_all(dynamics_parts())) return compute_with_dynamics(parts, at, e, d, x);
    }
    if constexpr (model::HasEquations<Model>) {
      if (parts.has_all(Part::position | Part::jacobian)) return compute_with_equations(parts, at, e, d, x);
    }
    compute_one_by_one(parts, {}, at, e, d, x);
  }

 private:
  // What `dynamics` gives at once.
  Parts dynamics_parts() const {
    const Parts parts = Part::mass | Part::force | Part::jacobian | Part::curvature;
    return shape().nk > 0 ? parts | Part::velocity_jacobian : parts;
  }

  template <class X>
  void compute_with_equations(Parts parts, const Point& at, Evaluation& e, Derivatives& d, const X& x) const {
    const int nv = shape().nv;
    const bool M_asked = parts.has(Part::mass) && model::HasMass<Model>, f_asked = parts.has(Part::force);
    clear(e.g);
    clear(e.G);
    if (M_asked) clear(e.M);
    if (f_asked) clear(e.f);
    // M and f are by-products where nobody asked for them: g and G together save more than they cost.
    double* M = M_asked ? e.M.data() : e.scratch.template take<double>(nv * nv).data();
    double* f = f_asked ? e.f.data() : e.scratch.template take<double>(nv).data();
    std::apply(
        [&](auto... level) {
          model_.equations(at.t, level..., MatrixView<double>(M, nv), out(f, nv), out(e.g), view(e.G));
        },
        x);
    const Parts known = Part::force | Part::position | Part::jacobian;
    compute_one_by_one(parts, M_asked ? known | Part::mass : known, at, e, d, x);
  }

  template <class X>
  void compute_with_dynamics(Parts parts, const Point& at, Evaluation& e, Derivatives& d, const X& x) const {
    const int ng = shape().ng, nk = shape().nk, rows = ng + nk, nv = shape().nv;
    auto C_memory = e.scratch.template take<double>(rows * nv);
    auto c = e.scratch.template take<double>(rows);
    if constexpr (model::HasMass<Model>)
      clear(e.M);
    else
      e.M.setIdentity();  // `dynamics` has nothing to write there
    clear(e.f);
    std::apply(
        [&](auto... level) {
          model_.dynamics(at.t, level..., view(e.M), out(e.f), MatrixView<double>(C_memory.data(), rows), c);
        },
        x);
    const Eigen::Map<const Matrix> C(C_memory.data(), rows, nv);
    const Eigen::Map<const Vector> c_map(c.data(), rows);
    e.G = C.topRows(ng);
    e.c = c_map.head(ng);
    e.ck = c_map.tail(nk);
    if (nk > 0) e.K = C.bottomRows(nk);
    compute_one_by_one(parts, dynamics_parts(), at, e, d, x);
  }

  // `known` ones are there already.
  template <class X>
  void compute_one_by_one(Parts asked, Parts known, const Point& at, Evaluation& e, Derivatives& d,
                          const X& x) const {
    const Parts parts = asked.without(known);
    if (parts.has(Part::mass)) mass(at.t, x[0], e.M);
    if (parts.has(Part::force)) {
      clear(e.f);
      std::apply([&](auto... level) { model_.force(at.t, level..., out(e.f)); }, x);
    }
    if (parts.has(Part::kinematics)) d.kinematics(e.N);
    if (parts.has(Part::kinematics_jacobian)) d.kinematics_jacobian(e.Nv_q);
    if constexpr (model::HasPositions<Model>) position_parts(parts, known.has(Part::jacobian), at, e, d, x);
    if constexpr (model::HasVelocities<Model>) velocity_parts(parts, at, e, d, x);
    if (parts.has(Part::force_jacobian)) force_jacobian(at.t, e, d, x);
    if (parts.has(Part::mass_product_jacobian)) {
      if constexpr (model::HasMassProductJacobian<Model>) {
        clear(e.Ma_x);
        model_.mass_product_jacobian(at.t, x[0], in(at.a.data(), at.a.size()), view(e.Ma_x));
      } else {
        d.mass_product_jacobian(at.a.data(), e.Ma_x);
      }
    }
    if (parts.has(Part::multiplier_jacobian)) multiplier_jacobian(at, e, d, x);
    scalar_parts(parts, at, e, d, x);
  }

  // A single fill, unlike Eigen's.
  template <class Values>
  static void clear(Values& values) {
    std::fill(values.data(), values.data() + values.size(), 0.0);
  }

  static std::span<const double> in(const double* p, Eigen::Index n) {
    return {p, static_cast<std::size_t>(n)};
  }
  static std::span<double> out(double* p, Eigen::Index n) { return {p, static_cast<std::size_t>(n)}; }
  static std::span<double> out(Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }
  static MatrixView<double> view(Matrix& A) { return {A.data(), static_cast<int>(A.rows())}; }

  template <class X>
  void mass(double t, const X& q, Matrix& M) const {
    if constexpr (model::HasMass<Model>) {
      clear(M);
      model_.mass(t, q, view(M));
    } else {
      M.setIdentity();
    }
  }

  template <class X>
  void position_parts(Parts parts, bool G_known, const Point& at, Evaluation& e, Derivatives& d,
                      const X& x) const {
    if constexpr (m > 1 && !model::HasRateJacobian<Model>) {
      // All that a linearization of the constraints needs comes from the pass that gives L.
      if (parts.has(Part::rate_jacobian)) {
        const bool G_too = !model::HasJacobian<Model> && parts.has(Part::jacobian);
        MatrixOut G(e.G), rates(e.rates);
        VectorOut g(e.g);
        d.rate_jacobian(e.L, G_too ? &G : nullptr, parts.has(Part::position) ? &g : nullptr,
                        parts.has(Part::rates) ? &rates : nullptr);
        parts = parts.without(Part::rate_jacobian | Part::position | Part::rates);
        G_known = G_known || G_too;
      }
    }
    const bool input_by_G = parts.has(Part::input) && !model::HasInput<Model>;
    if (!G_known && (parts.has(Part::jacobian) || input_by_G)) {
      G_known = true;
      if constexpr (model::HasJacobian<Model>) {
        clear(e.G);
        model_.jacobian(at.t, x[0], view(e.G));
      } else {
        VectorOut g(e.g);
        d.jacobian(e.G, parts.has(Part::position) ? &g : nullptr);
        parts = parts.without(Part::position);
      }
    }
    if (parts.has(Part::position)) {
      clear(e.g);
      model_.constraint(at.t, x[0], out(e.g));
    }
    if (parts.has(Part::input)) {
      if constexpr (model::HasInput<Model>) {
        clear(e.B);
        model_.input(at.t, x[0], view(e.B));
      } else {
        e.B = e.G.transpose();
      }
    }
    bool rates = parts.has(Part::rates) && m > 1;
    if constexpr (m == 2) {
      if (rates && G_known && !shape().moving) {  // g' = G v where g does not move
        times_velocities(e.G, x[1].data(), e.rates);
        rates = false;
      }
    }
    if constexpr (model::HasCurvature<Model>) {
      if (parts.has(Part::curvature)) {
        clear(e.c);
        std::apply([&](auto... level) { model_.curvature(at.t, level..., out(e.c)); }, x);
      }
      MatrixOut rates_out(e.rates);
      if (rates) d.rates_and_curvature(&rates_out, nullptr);
    } else if (rates || parts.has(Part::curvature)) {
      MatrixOut rates_out(e.rates);
      VectorOut c_out(e.c);
      d.rates_and_curvature(rates ? &rates_out : nullptr, parts.has(Part::curvature) ? &c_out : nullptr);
    }
    if constexpr (model::HasRateJacobian<Model>) {
      if (parts.has(Part::rate_jacobian)) {
        clear(e.L[0]);
        model_.rate_jacobian(at.t, x[0], x[1], view(e.L[0]));
      }
    }
    if (parts.has(Part::curvature_jacobian)) d.curvature_jacobian(at.a.data(), e.c_z);
  }

  // G v, with compile-time sizes where they are known.
  void times_velocities(const Matrix& G, const double* v, Matrix& Gv) const {
    constexpr int rows = [] {
      if constexpr (model::FixedSize<Model>) return static_cast<int>(Model::ng);
      return Eigen::Dynamic;
    }();
    constexpr int columns = [] {
      if constexpr (model::FixedSize<Model>) return model::fixed_nv<Model>;
      return Eigen::Dynamic;
    }();
    const Eigen::Map<const Eigen::Matrix<double, rows, columns>> G_map(G.data(), shape().ng, shape().nv);
    const Eigen::Map<const Eigen::Matrix<double, columns, 1>> v_map(v, shape().nv);
    Eigen::Map<Eigen::Matrix<double, rows, 1>>(Gv.data(), shape().ng).noalias() = G_map.lazyProduct(v_map);
  }

  template <class X>
  void velocity_parts(Parts parts, const Point& at, Evaluation& e, Derivatives& d, const X& x) const {
    if (parts.has(Part::velocity)) {
      clear(e.w);
      model_.velocity_constraint(at.t, x[0], x[1], out(e.w));
    }
    if (parts.has(Part::velocity_jacobian)) d.velocity_jacobian(1, e.K);
    if (parts.has(Part::velocity_drift)) d.velocity_jacobian(0, e.w_x);
    if (parts.has(Part::curvature)) d.velocity_curvature(e.ck);
    if (parts.has(Part::curvature_jacobian)) d.velocity_curvature_jacobian(at.a.data(), e.ck_z);
  }

  template <class X>
  void force_jacobian(double t, Evaluation& e, Derivatives& d, const X& x) const {
    if constexpr (model::HasForceJacobian<Model>) {
      clear(e.f_z);
      const int nv = shape().nv;
      model_.force_jacobian(t, x[0], x[1], MatrixView<double>(e.f_z.data(), nv),
                            MatrixView<double>(e.f_z.data() + nv * nv, nv));
    } else {
      d.force_jacobian(e.f_z);
    }
  }

  template <class X>
  void multiplier_jacobian(const Point& at, Evaluation& e, Derivatives& d, const X& x) const {
    if constexpr (model::HasMultiplierJacobian<Model> && !model::HasVelocities<Model>) {
      clear(e.Bl_x);
      model_.multiplier_jacobian(at.t, x[0], in(at.lambda.data(), at.lambda.size()), view(e.Bl_x));
      return;
    }
    if constexpr (model::HasMultiplierJacobian<Model> && model::HasVelocities<Model>) {
      // By hand for G^T lambda; what velocity constraints add stays automatic.
      const int nv = shape().nv;
      auto zeros = e.scratch.template take<double>(shape().ng);
      auto by_hand = e.scratch.template take<double>(nv * nv);
      d.multiplier_jacobian(zeros.data(), at.kappa.data(), e.Bl_x);
      model_.multiplier_jacobian(at.t, x[0], in(at.lambda.data(), at.lambda.size()),
                                 MatrixView<double>(by_hand.data(), nv));
      e.Bl_x += Eigen::Map<const Matrix>(by_hand.data(), nv, nv);
      return;
    }
    if constexpr (model::HasPositions<Model> || model::HasVelocities<Model>) {
      d.multiplier_jacobian(at.lambda.data(), at.kappa.data(), e.Bl_x);
    } else {
      clear(e.Bl_x);
    }
  }

  template <class X>
  void scalar_parts(Parts parts, const Point& at, Evaluation& e, Derivatives& d, const X& x) const {
    if constexpr (model::HasInvariants<Model>) {
      if (parts.has(Part::invariants)) {
        clear(e.invariants);
        std::apply([&](auto... level) { model_.invariants(at.t, level..., out(e.invariants)); }, x);
      }
      if (parts.has(Part::invariant_jacobian)) d.invariant_jacobian(e.invariants_z);
    }
    if constexpr (model::HasEnergy<Model>) {
      if (parts.has(Part::energy))
        e.energy = std::apply([&](auto... level) { return model_.energy(at.t, level...); }, x);
      if (parts.has(Part::energy_gradient)) d.energy_gradient(e.energy_z);
    }
    if constexpr (model::HasPower<Model>) {
      if (parts.has(Part::power))
        e.power = std::apply([&](auto... level) { return model_.power(at.t, level...); }, x);
    }
  }

  Model model_;
};

template <class Model>
std::shared_ptr<const AutoProblem<Model>> make_problem(Model model) {
  return std::make_shared<const AutoProblem<Model>>(std::move(model));
}

}  // namespace driftless
