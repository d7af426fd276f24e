#include "equality.hpp"

#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/QR>

namespace driftless::benchmarks::mujoco {

namespace {

struct OurRows {
  std::vector<std::string> names;
  Vector g;
  Matrix GV;
};

std::span<const double> coordinates(const mechanics::MechanismModel& model, const State& state) {
  return {state.z.data(), static_cast<std::size_t>(model.nq)};
}
std::span<const double> velocities(const mechanics::MechanismModel& model, const State& state) {
  return {state.z.data() + model.nq, static_cast<std::size_t>(model.nv)};
}

// g' of all rows: slope . rate, summed over the terms of each.
Vector rates_of(const mechanics::MechanismModel& model, const State& state) {
  Vector rates = Vector::Zero(model.ng);
  for (std::size_t i = 0; i < model.rows.size(); ++i)
    for (const mechanics::Row::Term& term : model.rows[i].terms) {
      const auto y = mechanics::first_order<double>(model, model.measure(term.measure),
                                                    coordinates(model, state), velocities(model, state));
      rates(static_cast<Eigen::Index>(i)) += term.slope(y.value) * y.rate;
    }
  return rates;
}

OurRows rows_of(const Ours& ours, const Asked& at) {
  const io::Model read = ours.model(at, {.equality = true, .applied = false});
  const mechanics::MechanismModel model = read.mechanism.finished();
  OurRows rows{{}, Vector(model.ng), Matrix(model.ng, at.qvel.size())};
  for (const mechanics::Row& row : model.rows) rows.names.push_back(row.name);
  const State start = read.mechanism.start();
  model.constraint(0.0, coordinates(model, start),
                   std::span(rows.g.data(), static_cast<std::size_t>(model.ng)));
  for (Eigen::Index i = 0; i < at.qvel.size(); ++i) {
    Asked unit = at;
    unit.qvel = Vector::Unit(at.qvel.size(), i);
    const io::Model moving = ours.model(unit, {.equality = true, .applied = false});
    rows.GV.col(i) = rates_of(model, moving.mechanism.start());
  }
  return rows;
}

// Which rows are of that element.
std::vector<int> rows_named(const OurRows& rows, const std::string& element) {
  std::vector<int> found;
  for (std::size_t i = 0; i < rows.names.size(); ++i)
    if (rows.names[i] == element || rows.names[i].rfind(element + ", ", 0) == 0)
      found.push_back(static_cast<int>(i));
  if (found.empty()) throw std::runtime_error(fmt::format("equality '{}' has no rows here", element));
  return found;
}

// How far the rows of both are from spanning the same space; 1 where their ranks differ.
double apart(const Matrix& A, const Matrix& B) {
  const auto basis = [](const Matrix& rows) -> Matrix {
    Eigen::ColPivHouseholderQR<Matrix> qr(rows.transpose());
    qr.setThreshold(1e-8);
    return Matrix(qr.householderQ()).leftCols(qr.rank());
  };
  const Matrix a = basis(A), b = basis(B);
  if (a.cols() != b.cols()) return 1;
  return largest(a - b * (b.transpose() * a));
}

// Of rows that belong to no element of <equality>.
double astray(const OurRows& rows, const std::vector<bool>& compared) {
  double most = 0;
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (!compared[i]) most = std::max({most, std::abs(rows.g(row)), largest(rows.GV.row(row))});
  }
  return most;
}

}  // namespace

EqualityDifferences compare_equalities(Theirs& theirs, const Ours& ours, const Asked& at) {
  EqualityDifferences result;
  const std::vector<TheirRows> open = theirs.equalities(at);
  result.elements = static_cast<int>(open.size());
  if (open.empty()) return result;
  const OurRows rows = rows_of(ours, at);
  std::vector<bool> compared(rows.names.size(), false);
  for (const TheirRows& element : open) {
    const std::vector<int> own = rows_named(rows, element.name);
    for (const int i : own) compared[static_cast<std::size_t>(i)] = true;
    if (element.type == mjEQ_WELD) continue;
    const Vector g = rows.g(own);
    const Matrix GV = rows.GV(own, Eigen::all);
    if (g.size() != element.position.size())
      throw std::runtime_error(fmt::format("equality '{}' has {} rows here", element.name, g.size()));
    const auto difference = [&](double sign) {
      return std::max(largest(sign * g - element.position) / std::max(1.0, largest(element.position)),
                      largest(sign * GV - element.jacobian) / largest(element.jacobian));
    };
    result.anywhere = std::max(result.anywhere, std::min(difference(1), difference(-1)));
  }
  result.anywhere = std::max(result.anywhere, astray(rows, compared));

  const auto [place, left] = theirs.closed(at);
  if (!(left < 1e-11)) throw std::runtime_error(fmt::format("MuJoCo's rows do not close: {:.1e}", left));
  const OurRows closed = rows_of(ours, place);
  for (const TheirRows& element : theirs.equalities(place)) {
    const std::vector<int> own = rows_named(closed, element.name);
    result.closed = std::max(
        {result.closed, largest(closed.g(own)), apart(closed.GV(own, Eigen::all), element.jacobian)});
  }
  return result;
}

}  // namespace driftless::benchmarks::mujoco
