// Interpolation that keeps the shape of its points: between two neighbours y rises or falls all the way, and it is level where they
// are. Nothing overshoots.
//   degree 3   cubics with the slopes of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5 (1984) 300): 0 where the chords m_l, m_r on
//              both sides have different signs, else their harmonic mean with weights 2 h_r + h_l and h_r + 2 h_l. At most 3 times the
//              flatter chord, which is what keeps a cubic monotone (Fritsch, Carlson, SIAM J. Numer. Anal. 17 (1980) 238).
//              y and y' continuous.
//   degree 5   the same slopes, made a little smaller where need be, and second derivatives near the second difference: what a
//              prescribed motion asks for. y, y', y'' continuous.
// Fails where points are few for what they show: an extremum between two points is cut off. Error O(h^2) near extrema.
#pragma once

#include <span>
#include <vector>

#include <driftless/mechanics/spline.hpp>

namespace driftless::mechanics {

// Through n >= 2 points, x_i increasing, as open_spline() has them: a line with the slope at the end, n - 1 pieces, a line.
std::vector<Polynomial> monotone_pieces(std::span<const double> x, std::span<const double> y, int degree);

// The straight lines between the points, with those of the first and the last beyond.
std::vector<Polynomial> straight_pieces(std::span<const double> x, std::span<const double> y);

}  // namespace driftless::mechanics
