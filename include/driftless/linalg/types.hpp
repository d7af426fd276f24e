// The vector and matrix names of the whole project: one concrete scalar, double, column-major storage, and
// Eigen::Ref at every interface so that callers can hand over preallocated blocks without a copy.
#pragma once

#include <Eigen/Core>

namespace driftless {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorIn = const Eigen::Ref<const Vector>&;
using VectorOut = Eigen::Ref<Vector>;
using MatrixIn = const Eigen::Ref<const Matrix>&;
using MatrixOut = Eigen::Ref<Matrix>;

}  // namespace driftless
