// The JSON schema of model files, which editors use to complete and check them; made from the tables of joints and forces.
#pragma once

#include <string>

namespace driftless::io {

std::string model_schema();

}  // namespace driftless::io
