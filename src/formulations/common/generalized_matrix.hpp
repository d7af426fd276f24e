// The iteration of an overdetermined system by one of the definitions in linalg/generalized_inverse.hpp, with whole matrices: for
// comparison with each other and with ssf_matrix.hpp, which is faster. Rows of levels and of the equations of motion are divided by c, that is
// multiplied by h/alpha_0 (Fuehrer, Leimkuhler 1991, after the proof of Theorem 3.1): the ssf solution does not depend on it, least squares do.
#pragma once

#include <memory>

#include <driftless/core/system.hpp>
#include <driftless/linalg/generalized_inverse.hpp>

#include "linearization.hpp"

namespace driftless::formulations {

std::unique_ptr<IterationMatrix<double>> generalized_matrix(const Linearization& at,
                                                            linalg::GeneralizedSolution definition,
                                                            Work& work);

}  // namespace driftless::formulations
