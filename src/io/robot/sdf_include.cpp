#include "io/robot/sdf_include.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "io/robot/sdf_values.hpp"

namespace driftless::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_included = 1000;
constexpr std::size_t most_elements = 1'000'000;  // of files, each as often as it is included

std::size_t elements_in(const tinyxml2::XMLElement& e) {
  std::size_t count = 1;
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement()) count += elements_in(*c);
  return count;
}

// Paths from the folder of the first file, the likeliest first; none: a fault.
std::vector<fs::path> candidates(const XmlElement& include, const std::string& uri,
                                 const std::string& folder) {
  const auto scheme = uri.find("://");
  if (scheme == uri.npos) return {fs::path(folder) / uri, fs::path(uri)};
  const std::string kind = uri.substr(0, scheme), rest = uri.substr(scheme + 3);
  if (rest.empty())
    include.fault(fmt::format("<uri> {} names no file", named(uri)));
  else if (kind == "model")
    return {fs::path(rest)};
  else if (kind == "file")
    return {fs::path(folder) / rest, fs::path(rest)};
  else
    include.fault(fmt::format(
        "<uri> {} is not fetched; put the model beside this file and write model://NAME", named(uri)));
  return {};
}

}  // namespace

std::optional<SdfFiles::File> SdfFiles::open(XmlElement include, const std::string& uri,
                                             const std::string& folder) {
  std::vector<fs::path> paths = candidates(include, uri, folder);
  if (paths.empty()) return {};
  const fs::path base = include.reading().file().parent_path();
  std::error_code error;
  fs::path found;
  for (fs::path& path : paths) {
    if (fs::is_directory(base / path, error)) path /= "model.sdf";
    if (found.empty() && fs::is_regular_file(base / path, error)) found = path;
  }
  if (found.empty()) found = paths.front();  // which then is said to be missing
  found = found.lexically_normal();
  auto known = known_.find(found.string());
  if (known == known_.end()) {
    known = known_.emplace(found.string(), std::nullopt).first;
    if (const auto root = include.reading().include(include, found.string()))
      known->second = Known{*root, elements_in(root->node())};
  }
  if (!known->second) return {};
  return File{known->second->root, found.string(), found.parent_path().string(), known->second->size};
}

bool SdfFiles::enter(const XmlElement& include, const File& file) {
  if (std::find(inside_.begin(), inside_.end(), file.name) != inside_.end()) {
    include.fault(fmt::format("the file {} includes itself; take one of them out", named(file.name)));
    return false;
  }
  if (++entered_ > most_included) {
    if (entered_ == most_included + 1)
      include.fault(fmt::format("more than {} models are included; write fewer", most_included));
    return false;
  }
  const std::size_t before = elements_;
  elements_ += file.size;
  if (elements_ > most_elements) {
    if (before <= most_elements)
      include.fault(
          fmt::format("the files that are included have {} elements, each counted as often as it is "
                      "included (at most {}); include fewer or smaller ones",
                      elements_, most_elements));
    return false;
  }
  inside_.push_back(file.name);
  return true;
}

}  // namespace driftless::io
