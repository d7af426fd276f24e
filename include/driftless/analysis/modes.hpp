// modes(): the eigenvalues s of the motion linearised on the manifold (linearization.hpp), as vibrations: natural
// frequency |s|, damping ratio -Re s/|s|, and the shape of each in the problem's own coordinates; and what they say
// about the state:
//   unstable    an eigenvalue to the right of the imaginary axis, by more than roundoff can have moved it
//   stable      all to the left of it; or, for a conservative problem, a strict minimum of the energy (Dirichlet)
//   undecided   some on the axis, the rest to the left: higher terms decide
// A free motion is a double zero (x' = v, v' = 0); single zeros are neighbouring equilibria. Not told apart
// from zero: frequencies below 3e-7 of the highest.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include <driftless/analysis/linearization.hpp>

namespace driftless::analysis {

struct Mode {
  enum class Kind { unstable, decaying, undamped, free, neutral };
  std::complex<double> value;  // of a conjugate pair the one with positive imaginary part
  int count = 1;               // eigenvalues it stands for: 2 for a conjugate pair and for a double zero
  Kind kind = Kind::neutral;
  double roundoff = 0;           // how far roundoff may have moved the value
  Eigen::VectorXcd coordinates;  // delta q, the largest entry being 1 (0 where only velocities take part)
  Eigen::VectorXcd velocities;   // delta of the higher levels, to the same scale

  double frequency() const { return std::abs(value); }  // rad per unit of time
  double hertz() const;
  double damping()
      const;  // 1 for a real decaying mode, 0 on the axis (and for zeros), negative where unstable
};

const char* name_of(Mode::Kind kind);

enum class Verdict { stable, unstable, undecided, rigid, not_an_equilibrium };
const char* name_of(Verdict verdict);

struct Modes {
  Linearization linearization;
  std::vector<Mode> modes;  // by rising frequency
  Verdict verdict = Verdict::undecided;
  std::string explanation;  // of the verdict, one sentence
};

// Throws InputError like linearize().
Modes modes(const Problem& problem, const State& state);

}  // namespace driftless::analysis
