// The dependency law: which room of the library may include which. Reads the #include lines of src/,
// include/driftless/ and experiments/, which know the public headers only, and reports every line that breaks the law with file, line and reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Rooms = std::set<std::string>;

// Each room and the rooms it may know besides itself. The method rooms do not know each other.
const std::map<std::string, Rooms>& law() {
  static const auto table = [] {
    const Rooms methods = {"formulations", "integrators", "stabilizers", "controls",
                           "controllers",  "observers",   "mechanics"};
    std::map<std::string, Rooms> may;
    may["linalg"] = {};
    may["autodiff"] = {"linalg"};
    may["core"] = {"linalg", "autodiff"};
    may["analysis"] = {"linalg", "autodiff", "core"};  // about methods and problems; no method needs it
    for (const auto& room : methods) may[room] = {"linalg", "autodiff", "core"};
    may["problems"] = {"linalg", "autodiff", "core", "mechanics"};
    may["io"] = {"linalg", "autodiff", "core", "problems"};
    may["io"].insert(methods.begin(), methods.end());
    may["catalog"] = may["io"];
    may["catalog"].insert("io");
    return may;
  }();
  return table;
}

// Folders at the root that may include the library but that the library never includes.
const Rooms outer_folders = {"apps", "experiments", "benchmarks", "tests", "examples"};

// Libraries that public headers must not show to a user, and those that no part of the library may use.
const Rooms private_libraries = {"fmt", "nlohmann", "toml++", "tinyxml2.h"};
const Rooms foreign_libraries = {"CLI", "boost", "gtest", "gmock", "benchmark"};

// "src/core/state.cpp" and "include/driftless/core/state.hpp" -> "core"; a file outside any room -> "".
std::string room_of(const fs::path& relative) {
  const std::vector<std::string> parts(relative.begin(), relative.end());
  if (parts.size() > 2 && parts[0] == "src") return parts[1];
  if (parts.size() > 3 && parts[0] == "include" && parts[1] == "driftless") return parts[2];
  return "";
}

// The file an include line means, relative to the root, found as the compiler would; empty for other
// libraries.
fs::path included_file(const fs::path& root, const fs::path& file, const std::string& name) {
  for (const fs::path& folder : {file.parent_path(), root / "src", root / "include", root}) {
    const fs::path candidate = (folder / name).lexically_normal();
    if (fs::is_regular_file(candidate)) return candidate.lexically_relative(root);
  }
  // Not there (generated, or not yet written): the name alone must tell.
  const std::string first = fs::path(name).begin()->string();
  if (first == "driftless") return fs::path("include") / name;
  if (law().contains(first)) return fs::path("src") / name;
  if (outer_folders.contains(first)) return name;
  return {};
}

// Experiments are readers of the library like any user's program.
std::string objection_of_experiments(const fs::path& target) {
  if (target.empty()) return "";
  const std::string top = target.begin()->string();
  return top == "include" || top == "experiments" ? "" : "experiments know the public headers only";
}

// Why `file` must not include `name`; empty if it may. Both `file` and `target` are relative to the root.
std::string objection(const fs::path& file, const std::string& name, const fs::path& target) {
  if (*file.begin() == "experiments") return objection_of_experiments(target);
  const std::string room = room_of(file);
  if (target.empty()) {
    const std::string library = fs::path(name).begin()->string();
    if (foreign_libraries.contains(library)) return "the library does not use " + library;
    if (private_libraries.contains(library) && *file.begin() == "include")
      return library + " is private and must not appear in public headers";
    return "";
  }
  if (outer_folders.contains(target.begin()->string()))
    return "nothing in the library includes " + target.begin()->string() + "/";
  if (room.empty()) return "";  // the umbrella header knows all rooms
  const std::string other = room_of(target);
  if (other.empty())
    return target.filename() == "version.hpp" ? "" : room + " must not include the umbrella header";
  if (*file.begin() == "include" && *target.begin() == "src")
    return "a public header must not include a private one";
  if (other == room || law().at(room).contains(other)) return "";
  return room + " must not know " + other;
}

std::vector<std::string> violations(const fs::path& root) {
  static const std::regex include_line(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::vector<std::string> found;
  for (const char* top : {"src", "include/driftless", "experiments"}) {
    if (!fs::exists(root / top)) continue;
    for (const auto& item : fs::recursive_directory_iterator(root / top)) {
      if (!item.is_regular_file()) continue;
      const fs::path file = item.path().lexically_relative(root);
      if (const auto room = room_of(file); !room.empty() && !law().contains(room)) {
        found.push_back(file.string() + ":1: the dependency law does not know the room " + room);
        continue;
      }
      std::ifstream stream(item.path());
      std::string text;
      for (int line = 1; std::getline(stream, text); ++line) {
        std::smatch match;
        if (!std::regex_search(text, match, include_line)) continue;
        const std::string name = match[1];
        const auto reason = objection(file, name, included_file(root, item.path(), name));
        if (!reason.empty())
          found.push_back(file.string() + ":" + std::to_string(line) + ": " + reason + " (includes " + name +
                          ")");
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(DependencyLaw, HoldsInThisTree) {
  const fs::path root = DRIFTLESS_SOURCE_DIR;
  ASSERT_TRUE(fs::exists(root / "src/core"));
  for (const auto& violation : violations(root)) ADD_FAILURE() << violation;
}

// A small tree in which every kind of line occurs, good and bad.
class SmallTree : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(DRIFTLESS_BINARY_DIR) / "dependency_law_tree";
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  fs::path root_;
};

TEST_F(SmallTree, EveryBreachIsFoundWithFileAndLine) {
  // Good lines.
  write("include/driftless/driftless.hpp", "#include <driftless/catalog/catalog.hpp>\n");
  write("src/core/loop.cpp", "#include <vector>\n#include <Eigen/Dense>\n#include <driftless/version.hpp>\n");
  write("src/formulations/common/drive.hpp",
        "#include <driftless/linalg/saddle.hpp>\n#include <fmt/format.h>\n");
  write("src/formulations/index1.cpp",
        "#include \"common/drive.hpp\"\n#include <driftless/core/state.hpp>\n");
  write("src/problems/pendulum.cpp", "#include <driftless/mechanics/body.hpp>\n");
  write("src/catalog/catalog.cpp",
        "#include <driftless/io/json.hpp>\n#include <driftless/integrators/x.hpp>\n");
  write("experiments/001/table.cpp",
        "#include <driftless/io/svg.hpp>\n#include \"experiments/common/entry.hpp\"\n#include "
        "<fmt/format.h>\n");
  write("experiments/common/entry.hpp", "");
  EXPECT_EQ(violations(root_), std::vector<std::string>());

  // Bad lines.
  write("src/linalg/saddle.cpp", "// text\n#include <driftless/core/state.hpp>\n");
  write("src/integrators/rk4.cpp", "\n\n  #  include \"../formulations/common/drive.hpp\"\n");
  write("src/stabilizers/post.cpp", "#include \"formulations/common/drive.hpp\"\n");
  write("src/problems/chain.cpp", "#include <driftless/observers/recorder.hpp>\n");
  write("src/io/json.cpp", "#include <driftless/catalog/catalog.hpp>\n");
  write("src/core/solve.cpp",
        "#include <driftless/driftless.hpp>\n#include \"../../apps/driftless/main.hpp\"\n");
  write("apps/driftless/main.hpp", "");
  write("src/core/check.cpp", "#include <gtest/gtest.h>\n#include \"tests/support/x.hpp\"\n");
  write("include/driftless/core/text.hpp", "#include <fmt/format.h>\n#include \"core/private.hpp\"\n");
  write("src/core/private.hpp", "");
  write("src/attic/old.cpp", "");
  write("experiments/001/figures.cpp",
        "#include \"core/private.hpp\"\n#include \"apps/driftless/main.hpp\"\n");
  const std::vector<std::string> expected = {
      "experiments/001/figures.cpp:1: experiments know the public headers only (includes core/private.hpp)",
      "experiments/001/figures.cpp:2: experiments know the public headers only"
      " (includes apps/driftless/main.hpp)",
      "include/driftless/core/text.hpp:1: fmt is private and must not appear in public headers"
      " (includes fmt/format.h)",
      "include/driftless/core/text.hpp:2: a public header must not include a private one"
      " (includes core/private.hpp)",
      "src/attic/old.cpp:1: the dependency law does not know the room attic",
      "src/core/check.cpp:1: the library does not use gtest (includes gtest/gtest.h)",
      "src/core/check.cpp:2: nothing in the library includes tests/ (includes tests/support/x.hpp)",
      "src/core/solve.cpp:1: core must not include the umbrella header (includes driftless/driftless.hpp)",
      "src/core/solve.cpp:2: nothing in the library includes apps/ (includes ../../apps/driftless/main.hpp)",
      "src/integrators/rk4.cpp:3: integrators must not know formulations"
      " (includes ../formulations/common/drive.hpp)",
      "src/io/json.cpp:1: io must not know catalog (includes driftless/catalog/catalog.hpp)",
      "src/linalg/saddle.cpp:2: linalg must not know core (includes driftless/core/state.hpp)",
      "src/problems/chain.cpp:1: problems must not know observers"
      " (includes driftless/observers/recorder.hpp)",
      "src/stabilizers/post.cpp:1: stabilizers must not know formulations"
      " (includes formulations/common/drive.hpp)",
  };
  EXPECT_EQ(violations(root_), expected);
}

}  // namespace
