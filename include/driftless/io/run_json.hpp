// A run as one JSON document, the shape that scripts rely on: fields may be added, none is ever renamed.
// Numbers are written so that reading them gives the same bits; one that is not finite or has no meaning is
// null, and a note says why.
#pragma once

#include <string>

#include <driftless/io/run_report.hpp>

namespace driftless::io {

std::string run_json(const RunReport& report);

}  // namespace driftless::io
