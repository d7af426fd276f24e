// The DAE behind every formulation that imposes constraints on the discrete solution: y = (z, s), s the multipliers,
//
//   x_0' = N (x_1 + U_0 s),   x_j' = x_{j+1} + U_j s                          levels
//   M x_{m-1}' = f - B lambda - K^T kappa                                     top, by forces
//   x_{m-1}'   = a(t, z) + U_{m-1} s         a: the acceleration of `index1`  top, by acceleration
//   0 = sum_j imposed[i][j] g^(j)            a block of ng rows for every i   constraints
//   0 = w,  0 = chosen invariants                                             where they are imposed
//   0 = g^(m),  0 = w'                       lambda and kappa among s          instead, where they are differentiated
//
// Rows beside these, g, g', .., w, make the system overdetermined: unknowns are as before, and a generalized inverse (ssf_matrix.hpp) says
// what the others give up for them.
//
// U holds where stabilizing multipliers push: mu_j moves level j along D (directions.hpp), and, if coupled, the levels below along the
// transposed rows of H that belong to g^(j), so that U is H^T for D = G^T. Multipliers of w push along K^T, those of invariants along
// their gradients. They vanish on the exact solution. H^T adds displacements of positions and of velocities, which takes a unit of
// time: it is the step, or that of the model (unit_of_time.hpp).
//
// Where coordinates have norms (unit quaternions) the rows of x_0 are split by the range of N: N N^+ q' = N (x_1 + U_0 s) in it, and
// q = normalize(q) across it. That is q' = N (x_1 + U_0 s) + Z nu with norm rows 0 = |p| - 1 for Z orthogonal to N, nu eliminated.
// Everything else is evaluated at normalize(q), so that it does not depend on the norms. A method that solves for combinations of its
// stages' rows needs one range for all of them: that of the step's base, or of where it linearized. (Rows of rates are
// of the size 1/h, those of norms of the size 1: a range that turns with the stages would mix them, and Newton's method diverge at any
// step.)
//
// Where positions alone are imposed on a mechanism, redundant rows that are off at the start keep their offset (core/kept_offsets.hpp).
//
// Derivatives of U are left out of the Jacobian: they multiply s, which is as small as the error of a step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/system.hpp>
#include <driftless/formulations/directions.hpp>
#include <driftless/formulations/overdetermined.hpp>

namespace driftless::formulations {

struct ConstrainedForm {
  enum class Top { forces, acceleration };
  Top top = Top::forces;
  std::vector<std::vector<double>> imposed = {};  // coefficients of g, g', .., g^(m-1)
  bool differentiated = false;                    // g^(m) = 0 and w' = 0 instead; with forces only
  bool velocities = true;                         // w = 0 is imposed; always so with forces
  int stabilized = 0;                             // levels 0, .., stabilized - 1 have multipliers mu_j
  bool coupled = false;                           // mu_j also moves the levels below j
  bool mass_metric = false;                       // what moves the top level is multiplied by M^-1
  bool model_time = false;                        // H^T and the rows beside in the unit of time of the model
  Directions D = {};
  std::vector<std::string> invariants = {};  // by name
  int beside = 0;                          // g, .., g^(beside-1) = 0 as rows beside; if m of them, w = 0 too
  OverdeterminedOptions generalized = {};  // how these are solved
  // Of lambda, and of the highest level, which inherits the error of the level below divided by h in index 3.
  int lambda_index = 2;
  int velocity_index = 0;
  std::optional<Imposed> mechanical = {};  // for methods that want M, f, g, G themselves
};

// Whether g = 0 of a mechanism is all that is imposed on positions and velocities, so that offsets would come back divided by the step.
bool imposes_positions_alone(const ConstrainedForm& form, const Shape& shape);

// Coefficients that impose g^(level) alone in a system of that order.
std::vector<double> only(int level, int order);

// Whether that method solves for combinations of the rows of several stages.
bool has_stages(const Discretization& by);

std::unique_ptr<System> constrained_system(const Problem& problem, const ConstrainedForm& form);

}  // namespace driftless::formulations
