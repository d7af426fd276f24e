#include "generalized_matrix.hpp"

#include <limits>

namespace driftless::formulations {

namespace {

class GeneralizedMatrix final : public IterationMatrix<double> {
 public:
  GeneralizedMatrix(const Linearization& at, linalg::GeneralizedSolution definition, Work& work)
      : at_(at),
        definition_(definition),
        work_(work),
        nz_(at.layout.size()),
        square_(nz_ + at.C.rows()),
        rows_(at.beside()),
        F_y_(Matrix::Zero(square_ + rows_, square_)),
        F_yp_(F_y_),
        R_(Matrix::Zero(square_, rows_)) {}

  Status factor(double c) override {
    ++work_.factorizations;
    c_ = c;
    assemble();
    return A_1_.allFinite() ? Status::ok : Status::not_finite;
  }

  void solve(const Eigen::Ref<const Values>& residual, Eigen::Ref<Values> increment) override {
    if (at_.own_kinematics) assemble();  // N is that of the last residual
    at_.assemble_beside(A_2_, R_);
    r_1_ = residual.head(square_);
    r_1_.head(nz_) /= c_;
    r_2_ = residual.tail(rows_);
    if (!at_.beside_left_out.empty()) {
      const std::vector<int> imposed = at_.beside_imposed();
      A_2_ = Matrix(A_2_(imposed, Eigen::all));
      R_ = Matrix(R_(Eigen::all, imposed));
      r_2_ = Vector(r_2_(imposed));
    }
    if (linalg::generalized_solve(definition_, A_1_, R_, A_2_, r_1_, r_2_, solution_))
      increment = solution_;
    else
      increment.setConstant(std::numeric_limits<double>::quiet_NaN());  // a step that cannot be made
  }

 private:
  void assemble() {
    at_.assemble(F_y_, F_yp_);
    A_1_ = c_ * F_yp_.topRows(square_) + F_y_.topRows(square_);
    A_1_.topRows(nz_) /= c_;
  }

  const Linearization& at_;
  const linalg::GeneralizedSolution definition_;
  Work& work_;
  const Eigen::Index nz_, square_, rows_;
  double c_ = 1;
  Matrix F_y_, F_yp_, A_1_, A_2_, R_;
  Vector r_1_, r_2_, solution_;
};

}  // namespace

std::unique_ptr<IterationMatrix<double>> generalized_matrix(const Linearization& at,
                                                            linalg::GeneralizedSolution definition,
                                                            Work& work) {
  return std::make_unique<GeneralizedMatrix>(at, definition, work);
}

}  // namespace driftless::formulations
