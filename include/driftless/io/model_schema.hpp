// The JSON schemas of model files and of the loops files beside robot files, which editors use to complete and check them; made from the tables of
// joints and forces.
#pragma once

#include <string>

namespace driftless::io {

std::string model_schema();
std::string loops_schema();

}  // namespace driftless::io
