#include "io/model/unit_text.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace driftless::io {

std::string unit_text(const mechanics::Dimension& d, const std::map<std::string, std::string>& names) {
  std::string over, under;
  const auto put = [&](const char* kind, int exponent) {
    if (exponent == 0) return;
    std::string& to = exponent > 0 ? over : under;
    to += (to.empty() ? "" : " ") + names.at(kind);
    if (std::abs(exponent) > 1) to += fmt::format("^{}", std::abs(exponent));
  };
  put("force", d.force);
  put("mass", d.mass);
  put("length", d.length);
  put("angle", d.angle);
  put("time", d.time);
  if (under.empty()) return over.empty() ? "1" : over;
  return (over.empty() ? "1" : over) + "/" + under;
}

}  // namespace driftless::io
