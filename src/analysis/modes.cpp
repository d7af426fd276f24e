#include <driftless/analysis/modes.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <driftless/core/consistent_state.hpp>
#include <driftless/linalg/least_norm.hpp>
#include <driftless/linalg/spectrum.hpp>
#include <driftless/linalg/symmetric_pencil.hpp>

#include "tangent_motion.hpp"

namespace driftless::analysis {

namespace {

constexpr double symmetric = 1e-9;  // relative asymmetry of a stiffness matrix that comes from a potential

Mode::Kind kind_of(const linalg::Eigenpair& pair) {
  if (pair.value == 0.0) return pair.chain > 1 ? Mode::Kind::free : Mode::Kind::neutral;
  if (pair.value.real() > pair.roundoff) return Mode::Kind::unstable;
  if (pair.value.real() < -pair.roundoff) return Mode::Kind::decaying;
  return pair.value.imag() > 0 ? Mode::Kind::undamped : Mode::Kind::neutral;
}

Mode mode_of(const linalg::Eigenpair& pair, const Linearization& at, const Matrix& N) {
  const Layout& layout = at.state.layout;
  Mode mode;
  mode.value = pair.value;
  mode.kind = kind_of(pair);
  mode.count = pair.value.imag() > 0 ? 2 : pair.chain;
  mode.roundoff = pair.roundoff;
  const Eigen::VectorXcd delta = at.displacements * pair.vector;
  mode.coordinates = delta.head(layout.nv);
  if (N.size() > 0) mode.coordinates = N * mode.coordinates;
  mode.velocities = delta.tail((layout.order - 1) * layout.nv);
  // The first of nearly equal entries, so that the scale does not hang on roundoff.
  const auto scale = [](Eigen::VectorXcd& by, Eigen::VectorXcd& also) {
    const double largest = by.size() > 0 ? by.cwiseAbs().maxCoeff() : 0;
    if (!(largest > 1e-12)) return false;
    Eigen::Index i = 0;
    while (std::abs(by(i)) < (1 - 1e-9) * largest) ++i;
    const std::complex<double> unit = by(i);
    by /= unit;
    also /= unit;
    return true;
  };
  if (!scale(mode.coordinates, mode.velocities)) {
    mode.coordinates.setZero();
    scale(mode.velocities, mode.coordinates);
  }
  return mode;
}

// Stiffness on the motions allowed, at rest in that state; its smallest eigenvalue by the mass there.
double smallest_stiffness(const Problem& problem, const State& state) {
  const TangentMotion m = tangent_motion(problem, state, true);
  const Matrix stiffness = (m.stiffness + m.stiffness.transpose()) / 2,
               mass = m.T_v.transpose() * m.M * m.T_v;
  return linalg::symmetric_pencil(stiffness, mass).values(0);
}

// How far the state may be from the equilibrium is what Newton's method would still move it. A minimum that is one only on this side of there (an
// inflection, V = q^3) is none.
bool minimum_is_certain(const Problem& problem, const Linearization& at) {
  const int nv = problem.shape().nv;
  const Matrix T = at.displacements.topLeftCorner(nv, at.stiffness.rows());
  const Vector left = linalg::least_norm_solution(at.stiffness, at.mass * (T.transpose() * at.acceleration));
  Workspace work;
  for (const double factor : {-4.0, 4.0}) {
    State moved = at.state;
    problem.displace(moved.t, moved.q(), factor * (T * left), work);
    if (!(smallest_stiffness(problem, consistent_state(problem, moved).state) > 0)) return false;
  }
  return true;
}

// The energy is constant and, at rest, has a strict minimum on the manifold.
bool energy_minimum(const Problem& problem, const Linearization& at) {
  const Shape& shape = problem.shape();
  const bool conservative = shape.has_energy && !shape.has_power && !shape.moving && shape.order == 2 &&
                            shape.nk == 0 && !shape.given_input && !at.time_frozen;
  if (!conservative || at.stiffness.size() == 0) return false;
  if ((at.stiffness - at.stiffness.transpose()).norm() > symmetric * at.stiffness.norm()) return false;
  const auto pencil = linalg::symmetric_pencil(at.stiffness, at.mass);
  return pencil.values.size() > 0 && pencil.values(0) > 1e-12 * pencil.values.cwiseAbs().maxCoeff() &&
         minimum_is_certain(problem, at);
}

std::string value_text(const Mode& mode) {
  if (mode.value.imag() == 0) return fmt::format("{:+.6g}", mode.value.real());
  return fmt::format("{:+.6g} +- {:.6g} i", mode.value.real(), mode.value.imag());
}

void judge(const Problem& problem, Modes& found) {
  const auto say = [&](Verdict verdict, std::string why) {
    found.verdict = verdict;
    found.explanation = std::move(why);
  };
  const auto count = [&](Mode::Kind kind) {
    return std::count_if(found.modes.begin(), found.modes.end(),
                         [&](const Mode& m) { return m.kind == kind; });
  };
  if (!found.linearization.equilibrium)
    return say(Verdict::not_an_equilibrium,
               "the state is not at rest; these are eigenvalues of the frozen linearisation, which depend on "
               "the coordinates and prove nothing about stability");
  if (found.modes.empty()) return say(Verdict::rigid, "no degree of freedom is left");
  const auto by_real = [](const Mode& a, const Mode& b) { return a.value.real() < b.value.real(); };
  const Mode& rightmost = *std::max_element(found.modes.begin(), found.modes.end(), by_real);
  if (rightmost.kind == Mode::Kind::unstable)
    return say(Verdict::unstable, fmt::format("eigenvalue {}: deviations grow by a factor e in {:.4g}",
                                              value_text(rightmost), 1 / rightmost.value.real()));
  if (count(Mode::Kind::decaying) == static_cast<std::ptrdiff_t>(found.modes.size()))
    return say(Verdict::stable, fmt::format("every eigenvalue has a negative real part; the slowest is {}",
                                            value_text(rightmost)));
  if (energy_minimum(problem, found.linearization))
    return say(Verdict::stable, "the energy is conserved and has a strict minimum there");
  std::string why = "by linearisation:";
  const auto part = [&](Mode::Kind kind, const char* one, const char* several) {
    const auto number = count(kind);
    if (number > 0)
      why += fmt::format("{} {} {}", why.back() == ':' ? "" : ",", number, number == 1 ? one : several);
  };
  part(Mode::Kind::free, "free motion (double zero eigenvalue)", "free motions (double zero eigenvalues)");
  part(Mode::Kind::neutral, "zero eigenvalue (equilibria are not isolated)",
       "zero eigenvalues (equilibria are not isolated)");
  part(Mode::Kind::undamped, "undamped vibration (eigenvalues on the imaginary axis)",
       "undamped vibrations (eigenvalues on the imaginary axis)");
  say(Verdict::undecided, why + "; no eigenvalue lies to the right of the axis");
}

}  // namespace

double Mode::hertz() const {
  return frequency() / (2 * std::numbers::pi);
}

double Mode::damping() const {
  return kind == Kind::undamped || value == 0.0 ? 0.0 : -value.real() / std::abs(value);
}

const char* name_of(Mode::Kind kind) {
  switch (kind) {
    case Mode::Kind::unstable:
      return "unstable";
    case Mode::Kind::decaying:
      return "decaying";
    case Mode::Kind::undamped:
      return "undamped";
    case Mode::Kind::free:
      return "free";
    case Mode::Kind::neutral:
      return "neutral";
  }
  return "";
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::stable:
      return "stable";
    case Verdict::unstable:
      return "unstable";
    case Verdict::undecided:
      return "undecided";
    case Verdict::rigid:
      return "rigid";
    case Verdict::not_an_equilibrium:
      return "not an equilibrium";
  }
  return "";
}

Modes modes(const Problem& problem, const State& state) {
  Modes found;
  found.linearization = linearize(problem, state);
  const State& at = found.linearization.state;
  Evaluation e;
  if (problem.shape().own_kinematics) problem.evaluate(Part::kinematics, Point(at.t, at.z), e);
  for (const auto& pair : linalg::spectrum(found.linearization.reduced))
    found.modes.push_back(mode_of(pair, found.linearization, e.N));
  judge(problem, found);
  return found;
}

}  // namespace driftless::analysis
