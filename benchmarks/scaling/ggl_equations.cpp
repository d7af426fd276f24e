#include "ggl_equations.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <Eigen/SparseLU>

namespace driftless::benchmarks::scaling {

// use(row, bar, sign, side): the end of the bar on that side enters the rows `row` and `row + 1` of g with the sign.
template <class Use>
void GglEquations::for_ends(const Use& use) const {
  int row = 0;
  for (const Pin& pin : bars_.pins) {
    use(row, pin.a, 1.0, pin.side_a);
    if (pin.b != Pin::ground) use(row, pin.b, -1.0, pin.side_b);
    row += 2;
  }
}

GglEquations::GglEquations(Bars bars)
    : bars_(std::move(bars)), nq_(bars_.coordinates()), ng_(bars_.rows()), arms_(bars_.bars.size()) {
  // The pattern: entries in the order of put_entries, sorted by columns and rows, equal places joined.
  struct Entry {
    long row, column, number;
  };
  std::vector<Entry> entries;
  Eigen::VectorXd y = Eigen::VectorXd::Zero(size());
  turn(y.data());
  put_entries(0, y.data(), [&](int row, int column, double) {
    entries.push_back({row, column, static_cast<long>(entries.size())});
  });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  slots_.resize(entries.size());
  begins_.assign(static_cast<std::size_t>(size()) + 1, 0);
  const Entry* last = nullptr;
  for (const Entry& entry : entries) {
    if (!last || last->column != entry.column || last->row != entry.row) {
      rows_.push_back(entry.row);
      ++begins_[static_cast<std::size_t>(entry.column) + 1];
    }
    slots_[static_cast<std::size_t>(entry.number)] = static_cast<long>(rows_.size()) - 1;
    last = &entry;
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

void GglEquations::turn(const double* q) {
  for (std::size_t bar = 0; bar < arms_.size(); ++bar) {
    const double c = std::cos(q[3 * bar + 2]), s = std::sin(q[3 * bar + 2]);
    const auto& [mass, inertia, x, y] = bars_.bars[bar];
    arms_[bar] = {c * x - s * y, s * x + c * y};
  }
}

void GglEquations::residual(const double* y, const double* yp, double* F) {
  const double *q = y, *v = y + nq_, *lambda = v + nq_, *mu = lambda + ng_;
  double *Fq = F, *Fv = F + nq_, *g = Fv + nq_, *Gv = g + ng_;
  turn(q);
  for (int i = 0; i < nq_; ++i) Fq[i] = yp[i] - v[i];
  const double* a = yp + nq_;
  for (std::size_t bar = 0; bar < bars_.bars.size(); ++bar) {
    const auto [mass, inertia, half_x, half_y] = bars_.bars[bar];
    Fv[3 * bar] = mass * a[3 * bar];
    Fv[3 * bar + 1] = mass * (a[3 * bar + 1] + Bars::gravity);
    Fv[3 * bar + 2] = inertia * a[3 * bar + 2];
  }
  for (std::size_t pin = 0; pin < bars_.pins.size(); ++pin) {
    const bool grounded = bars_.pins[pin].b == Pin::ground;
    g[2 * pin] = grounded ? -bars_.pins[pin].x : 0;
    g[2 * pin + 1] = grounded ? -bars_.pins[pin].y : 0;
    Gv[2 * pin] = Gv[2 * pin + 1] = 0;
  }
  for_ends([&](int row, int bar, double sign, double side) {
    const int i = 3 * bar;
    const Arm d = arms_[static_cast<std::size_t>(bar)];
    const double by_angle_x = -sign * side * d.y, by_angle_y = sign * side * d.x;
    g[row] += sign * (q[i] + side * d.x);
    g[row + 1] += sign * (q[i + 1] + side * d.y);
    Gv[row] += sign * v[i] + by_angle_x * v[i + 2];
    Gv[row + 1] += sign * v[i + 1] + by_angle_y * v[i + 2];
    Fq[i] -= sign * mu[row];
    Fq[i + 1] -= sign * mu[row + 1];
    Fq[i + 2] -= by_angle_x * mu[row] + by_angle_y * mu[row + 1];
    Fv[i] += sign * lambda[row];
    Fv[i + 1] += sign * lambda[row + 1];
    Fv[i + 2] += by_angle_x * lambda[row] + by_angle_y * lambda[row + 1];
  });
}

template <class Put>
void GglEquations::put_entries(double cj, const double* y, const Put& put) const {
  const int iv = nq_, il = 2 * nq_, im = il + ng_;
  const double *v = y + nq_, *lambda = v + nq_;
  for (int i = 0; i < nq_; ++i) {
    const Bar& bar = bars_.bars[static_cast<std::size_t>(i / 3)];
    put(i, i, cj);
    put(i, iv + i, -1.0);
    put(iv + i, iv + i, cj * (i % 3 == 2 ? bar.inertia : bar.mass));
  }
  for_ends([&](int row, int bar, double sign, double side) {
    const int x = 3 * bar, angle = x + 2;
    const Arm d = arms_[static_cast<std::size_t>(bar)];
    const auto put_jacobian = [&](int i, int j, double value) {  // entry (i, j) of G, wherever G stands
      put(il + i, j, value);
      put(im + i, iv + j, value);
      put(iv + j, il + i, value);
      put(j, im + i, -value);
    };
    put_jacobian(row, x, sign);
    put_jacobian(row, angle, -sign * side * d.y);
    put_jacobian(row + 1, x + 1, sign);
    put_jacobian(row + 1, angle, sign * side * d.x);
    put(iv + angle, angle, -sign * side * (d.x * lambda[row] + d.y * lambda[row + 1]));
    put(im + row, angle, -sign * side * d.x * v[angle]);
    put(im + row + 1, angle, -sign * side * d.y * v[angle]);
  });
}

void GglEquations::matrix(double cj, const double* y, double* values) {
  turn(y);
  std::fill_n(values, rows_.size(), 0.0);
  const long* slot = slots_.data();
  put_entries(cj, y, [&](int, int, double value) { values[*slot++] += value; });
}

void GglEquations::start(double* y, double* yp) const {
  // M a + G^T lambda = f, G a = -c, mu = 0.
  GglEquations own(*this);
  const Eigen::VectorXd& v = bars_.v;
  own.turn(bars_.q.data());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(nq_ + ng_);
  for (int i = 0; i < nq_; ++i) {
    const Bar& bar = bars_.bars[static_cast<std::size_t>(i / 3)];
    entries.emplace_back(i, i, i % 3 == 2 ? bar.inertia : bar.mass);
    if (i % 3 == 1) right[i] = -bar.mass * Bars::gravity;
  }
  for_ends([&](int row, int bar, double sign, double side) {
    const int i = 3 * bar;
    const Arm d = own.arms_[static_cast<std::size_t>(bar)];
    const auto put = [&](int r, int column, double value) {
      entries.emplace_back(nq_ + r, column, value);
      entries.emplace_back(column, nq_ + r, value);
    };
    put(row, i, sign);
    put(row, i + 2, -sign * side * d.y);
    put(row + 1, i + 1, sign);
    put(row + 1, i + 2, sign * side * d.x);
    right[nq_ + row] += sign * side * d.x * v[i + 2] * v[i + 2];
    right[nq_ + row + 1] += sign * side * d.y * v[i + 2] * v[i + 2];
  });
  Eigen::SparseMatrix<double> K(nq_ + ng_, nq_ + ng_);
  K.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(K);
  if (lu.info() != Eigen::Success)
    throw std::runtime_error("the accelerations at the start cannot be computed");
  const Eigen::VectorXd solution = lu.solve(right);
  std::fill_n(y, size(), 0.0);
  std::fill_n(yp, size(), 0.0);
  std::copy_n(bars_.q.data(), nq_, y);
  std::copy_n(v.data(), nq_, y + nq_);
  std::copy_n(solution.data() + nq_, ng_, y + 2 * nq_);
  std::copy_n(v.data(), nq_, yp);
  std::copy_n(solution.data(), nq_, yp + nq_);
}

}  // namespace driftless::benchmarks::scaling
