// Draw: random numbers that are the same with every compiler and library, which those of <random>'s
// distributions are not. All of a mechanism's come from (seed, number) alone, so that any one of a survey can
// be made again.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::benchmarks::random {

using mechanics::Vec3;

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t number) {
    std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                       static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
    bits_.seed(both);
  }

  double unit() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }  // [0, 1)
  double between(double low, double high) { return low + (high - low) * unit(); }
  // Evenly over decades.
  double decades(double low, double high) { return std::pow(10.0, between(low, high)); }
  bool chance(double probability) { return unit() < probability; }
  int whole(int low, int high) { return low + static_cast<int>(unit() * (high - low + 1)); }  // both included
  double either(double value) { return chance(0.5) ? value : -value; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(whole(0, static_cast<int>(all.size()) - 1))];
  }

  // Somewhere in a cube, or in a square, of half width 1.
  Vec3 within(bool planar) {
    const double x = between(-1, 1), y = between(-1, 1);
    return {x, y, planar ? 0 : between(-1, 1)};
  }
  Vec3 direction(bool planar) {
    for (;;) {
      const Vec3 v = within(planar);
      const double length = norm(v);
      if (length > 0.1 && length < 1) return (1 / length) * v;
    }
  }
  // One after the other: in which order the factors of a product are drawn is the compiler's choice.
  Vec3 offset(double low, double high, bool planar) {
    const double length = between(low, high);
    return length * direction(planar);
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace driftless::benchmarks::random
