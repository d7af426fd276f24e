// How far a point, or a line, is from a body: from its shapes, from the line between its ends, from its points and from its origin. 0: on or in it.
#pragma once

#include <optional>
#include <vector>

#include <driftless/io/model_file.hpp>

namespace driftless::io {

// By body axes, from the body's origin.
struct BodyLine {
  mechanics::Vec3 point = {};
  std::optional<mechanics::Vec3> direction = {};  // of length 1; nothing: a point
};

// Whether a body has shapes or ends, so that it can be said how far something is from it.
bool has_extent(const ModelBody& body);
// The longest of these.
double size_of(const ModelBody& body);
// `points`: those that the file gives the body.
double distance_from(const ModelBody& body, const std::vector<mechanics::Vec3>& points, const BodyLine& line);

}  // namespace driftless::io
