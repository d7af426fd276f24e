// driftless list: what there is, from the catalog.
#pragma once

#include <string>

#include "requests.hpp"

namespace driftless::app {

std::string list_text(const ListRequest& request);
std::string list_json(const ListRequest& request);

}  // namespace driftless::app
