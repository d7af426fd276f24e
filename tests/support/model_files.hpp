// The model files in models/.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace driftless::tests {

inline std::filesystem::path models_folder() {
  return std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models";
}

// Their names, in order.
inline std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(models_folder()))
    if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace driftless::tests
