// What check_model() compares with: derivatives by differences where there are no automatic ones, and what
// counts as a disagreement.
#pragma once

#include <optional>

#include <driftless/core/checkable.hpp>

namespace driftless {

// What to say of time that was found where it is not declared.
std::string undeclared(const TimeDependence& found);

// Numbers between 0.5 and 1.5, of changing sign, that have nothing to do with each other.
Vector generic_values(int size, int first);

struct Entry {
  int row = 0, column = 0;
};

// The entry that differs by most of what is forgiven: 1e-6 of its size, ten times `noise`, and roundoff of
// its row. Entries that are not finite are not compared.
std::optional<Entry> largest_disagreement(const Matrix& given, const Matrix& expected, const Matrix& noise);

struct Differences {
  Matrix values, errors;
};

// f_z, (M a)_x or (G^T lambda + K^T kappa)_x there, by central differences along displacements. NaN: not
// known.
Differences by_differences(const Problem& problem, const Checkable& known, Part part, const Point& at);

}  // namespace driftless
