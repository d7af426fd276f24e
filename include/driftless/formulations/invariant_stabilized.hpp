// invariant-stabilized from C++, where D of F = D (H D)^-1 may be the user's own:
//   invariant_stabilized({.gamma = 10, .D = [](double t, VectorIn z, MatrixOut D) { .. }})->build(problem)
// The equations are in src/formulations/invariant_stabilized.cpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <driftless/core/formulation.hpp>

namespace driftless::formulations {

struct InvariantStabilizedOptions {
  // How a violation is answered: (1.13) with D = H^T, (4.7), (4.8), (1.14) with D = H^T, (1.13) with D = M^-1
  // B level by level.
  enum class F { full, block, split, transpose, input };
  // weak: h = 0 is kept by the equations only on the manifold; integral: h is first made a constant of every
  // motion, (2.4).
  enum class Form { weak, integral };

  double gamma = 5;
  bool automatic = false;  // gamma chosen for the integrator and the step instead
  F answer = F::block;
  Form form = Form::weak;
  std::vector<std::string> invariants = {};  // that join the constraints in h, by name
  bool model_time =
      false;  // F = full and transpose in the unit of time of the model, not in 1/gamma (core/unit_of_time.hpp)
  // If given: writes D, with a row for every entry of a displacement of z (order*nv) and a column for every
  // row of h, all zeros before; then F = D (H D)^-1 whatever `answer` says. H D must be regular near the
  // manifold.
  std::function<void(double t, VectorIn z, MatrixOut D)> D = {};
};

std::unique_ptr<Formulation> invariant_stabilized(const InvariantStabilizedOptions& options);

}  // namespace driftless::formulations
