// Files that <include> names: beside the file that names them or beside the first one, or folders with a model.sdf in them. Each is read once,
// however often it is included.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/robot/xml_file.hpp"

namespace driftless::io {

class SdfFiles {
 public:
  struct File {
    XmlElement root;
    std::string name;    // from the folder of the first file
    std::string folder;  // it lies there
    std::size_t size;    // elements in it
  };
  // Nothing: a fault, or one that was told before. `folder`: of the file that has the <include>.
  std::optional<File> open(XmlElement include, const std::string& uri, const std::string& folder);

  // Files that stand in each other would do so without end, and those that are included often can become more than anybody wrote. False: a fault.
  bool enter(const XmlElement& include, const File& file);
  void leave() { inside_.pop_back(); }

 private:
  struct Known {
    XmlElement root;
    std::size_t size;
  };
  std::map<std::string, std::optional<Known>> known_;
  std::vector<std::string> inside_;
  std::size_t entered_ = 0;
  std::size_t elements_ = 0;  // of all that were entered
};

}  // namespace driftless::io
