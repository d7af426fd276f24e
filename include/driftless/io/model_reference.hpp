// The page on all types of joints and forces (docs/joints-and-forces.md), made from their tables.
#pragma once

#include <string>

namespace driftless::io {

std::string joints_and_forces_page();

}  // namespace driftless::io
