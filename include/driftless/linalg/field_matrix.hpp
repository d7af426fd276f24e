// FieldMatrix: the matrices of linear systems of large mechanisms, made of blocks that have the zeros of two patterns:
//
//   unknowns and equations   fields of velocities, one entry for each velocity (displacements, velocities, accelerations);
//                            fields of rows, one entry for each constraint row (multipliers, residuals)
//   blocks                   between fields of velocities: multiples of I and of M, and matrices over pairs of bodies (derivatives of forces)
//                            between a field of rows and one of velocities: matrices with the entries of C = [G; K], and their transposes
//                            between fields of rows: diagonal
//
// All fields of a body (or a branch of a tree) are one node of a BlockLu, and so are those of rows with the same entries; bodies are eliminated
// first. Every matrix of a step, whatever the formulation, is a short list of such blocks.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include <driftless/linalg/block_lu.hpp>
#include <driftless/linalg/sparse_rows.hpp>
#include <driftless/linalg/types.hpp>

namespace driftless::linalg {

struct Fields {
  int velocities = 1;  // how many
  int rows = 1;        // of all rows
  int positions = 0;   // further ones, of rows of G alone
};

// Where entries stand; shared by all matrices of a problem.
class FieldPattern {
 public:
  // `bodies`: sizes of groups of velocities; `pairs`: a pattern of whole blocks over pairs of them; the first `positions` rows of C are those
  // of G.
  FieldPattern(const std::vector<int>& bodies, const SparseRows& pairs, const SparseRows& C, int positions,
               Fields fields);

  int velocities() const { return velocities_; }
  int rows() const { return rows_; }
  int positions() const { return positions_; }
  const Fields& fields() const { return fields_; }
  int size() const { return order_->rows(); }
  // Where a field begins in vectors: those of velocities one after the other, then those of all rows, then those of rows of G.
  int velocity_field(int i) const { return i * velocities_; }
  int row_field(int k) const {
    return fields_.velocities * velocities_ +
           (k <= fields_.rows ? k * rows_ : fields_.rows * rows_ + (k - fields_.rows) * positions_);
  }
  void add_mass_times(const std::vector<double>& M, const double* x, double* y) const;  // y += M x

 private:
  template <class Scalar>
  friend class FieldMatrix;
  struct Body {
    int first, size;
  };
  struct Group {
    int first, count;  // rows
    bool positions;
  };
  struct Pair {
    int row_body, column_body;
    int entry, length;  // in matrices over pairs: of the first entry; entries in a row
  };
  struct Segment {
    int group, body;
    int entry, length;  // in C: of its first row
    int first, count;   // velocities of the body
  };
  int row_fields_of(const Group& group) const {
    return fields_.rows + (group.positions ? fields_.positions : 0);
  }
  int node_of(int group) const { return static_cast<int>(bodies_.size()) + group; }

  int velocities_, rows_, positions_;
  Fields fields_;
  std::vector<Body> bodies_;
  std::vector<Group> groups_;
  std::vector<Pair> pairs_;
  std::vector<Segment> segments_;
  std::shared_ptr<const BlockPattern> order_;
};

// Of double or std::complex<double>.
template <class Scalar>
class FieldMatrix {
 public:
  using Values = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  explicit FieldMatrix(std::shared_ptr<const FieldPattern> pattern);
  const FieldPattern& pattern() const { return *at_; }

  void clear() { lu_.clear(); }
  // In the equations of the field i (of velocities) or k (of rows), the unknowns of j (of velocities) or l (of rows): so many times I, the
  // blocks of M one after the other, A, C, C^T with its columns by `scale`. Nothing is added where C has no such row, or a row is not
  // to count.
  void add_identity(int i, int j, Scalar factor);
  void add_mass(int i, int j, const std::vector<double>& M, Scalar factor);
  void add_pairs(int i, int j, const SparseRows& A, Scalar factor);
  void add_rows(int k, int j, const SparseRows& C, Scalar factor, const std::vector<char>& left_out);
  void add_transposed(int i, int l, const SparseRows& C, Scalar factor, const Vector& scale = {});
  void add_to_row(int k, int l, int row, Scalar value);
  // One entry, between velocities of the same body.
  void add(int i, int row, int j, int column, Scalar value);

  bool factor(double limit = block_pivot_limit) { return lu_.factor(limit); }  // see BlockLu
  void solve(Values& x);  // x := A^-1 x, laid out as FieldPattern says

 private:
  Scalar& entry(const BlockPattern::Slot& slot, int i, int j) {
    return lu_.values()[static_cast<std::ptrdiff_t>(slot.offset) + i * slot.row_step + j * slot.column_step];
  }
  template <class Use>
  void each_entry(Use use) const;  // use(place in the order of nodes, place in vectors)

  std::shared_ptr<const FieldPattern> at_;
  BlockLu<Scalar> lu_;
  std::vector<BlockPattern::Slot> own_, pairs_, rows_, pulls_, groups_;
  std::vector<int> body_of_, group_of_;  // of velocities, of rows
  Values ordered_;
};

extern template class FieldMatrix<double>;
extern template class FieldMatrix<std::complex<double>>;

}  // namespace driftless::linalg
