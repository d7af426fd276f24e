// What the pages say besides C++ (snippets_test.cmake): models in them are models, counts are counted, and the functions of formulas are those that
// there are.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <driftless/core/errors.hpp>
#include <driftless/io/model_check.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/robot_file.hpp>
#include <driftless/mechanics/expression.hpp>

namespace driftless::tests {
namespace {

namespace fs = std::filesystem;

const fs::path source = DRIFTLESS_SOURCE_DIR;

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path << " is missing";
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> pages() {
  std::vector<fs::path> all = {source / "README.md"};
  for (const auto& file : fs::directory_iterator(source / "docs"))
    if (file.path().extension() == ".md") all.push_back(file.path());
  return all;
}

// Indented blocks, without their indent; what a terminal shows ("$ ..") ends one.
std::vector<std::string> indented_blocks(const std::string& page) {
  std::vector<std::string> blocks(1);
  std::istringstream lines(page);
  bool shown = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    ")) {
      shown = shown || line.starts_with("    $ ");
      if (!shown) blocks.back() += line.substr(4) + "\n";
    } else if (line.empty()) {
      blocks.back() += "\n";
    } else {
      if (blocks.back().find_first_not_of('\n') != std::string::npos) blocks.emplace_back();
      blocks.back().clear();
      shown = false;
    }
  }
  return blocks;
}

bool begins_with_table(const std::string& block) {
  static const std::regex table("^\\n*\\[[a-z]+(\\.[A-Za-z0-9]+)?\\] *(#.*)?\\n[^]*");
  return std::regex_match(block, table);
}

// A block with a title begins a model; later blocks of tables on the same page go on with it.
std::vector<std::string> models_in(const std::string& page) {
  std::vector<std::string> models;
  for (const std::string& block : indented_blocks(page))
    if (const auto first = block.find_first_not_of('\n'); first == std::string::npos)
      continue;
    else if (block.compare(first, 7, "title =") == 0)
      models.push_back(block);
    else if (!models.empty() && begins_with_table(block))
      models.back() += block;
  return models;
}

TEST(Pages, ModelsInThemAreModels) {
  std::map<std::string, std::size_t> found;
  for (const fs::path& page : pages())
    for (const std::string& text : models_in(contents(page))) {
      const std::string name = page.filename().string();
      ++found[name];
      try {
        const io::Model model = io::read_model_text(text, name);
        for (const io::Finding& finding : io::check_model(model).findings)
          EXPECT_NE(finding.severity, io::Finding::Severity::error) << name << ": " << finding.text;
      } catch (const InputError& error) {
        ADD_FAILURE() << error.what();
      }
    }
  EXPECT_GE(found["models.md"], 1U);
  EXPECT_GE(found["first-mechanism.md"], 1U);
  EXPECT_GE(found["events.md"], 1U);
}

TEST(Pages, TheLoopsFileInThemIsOne) {
  for (const std::string& block : indented_blocks(contents(source / "docs/robots.md")))
    if (block.find("base = \"fixed\"") != std::string::npos) {
      const fs::path robot = source / "tests/robots/delta.urdf";
      const io::RobotText made = io::robot_model_text_of(contents(robot), robot, {}, block);
      EXPECT_NE(made.text.find("close1"), std::string::npos);
      EXPECT_NO_THROW(io::read_model_text(made.text, robot));
      return;
    }
  ADD_FAILURE() << "docs/robots.md shows no loops file";
}

TEST(Pages, CountsOfModelsAreCounted) {
  std::size_t models = 0;
  for (const auto& file : fs::directory_iterator(source / "models"))
    models += file.path().extension() == ".toml";
  static const std::regex count("<!-- models -->([0-9]+)<!-- -->");
  std::size_t places = 0;
  for (const fs::path& page : pages()) {
    const std::string text = contents(page);
    for (std::sregex_iterator at(text.begin(), text.end(), count), end; at != end; ++at, ++places)
      EXPECT_EQ((*at)[1], std::to_string(models)) << page << "; run ./dev docs";
  }
  EXPECT_GE(places, 1U);
}

std::string refusal(const std::string& formula) {
  try {
    mechanics::Expression::parse(formula, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

// The parser names what it knows where it is asked for what it does not know.
std::set<std::string> functions_of_the_parser() {
  const std::string said = refusal("qqqqqqqqqqqq(1)");
  const std::string lead = "known functions are ";
  const auto begin = said.find(lead);
  EXPECT_NE(begin, std::string::npos) << said;
  if (begin == std::string::npos) return {};
  static const std::regex word("[a-z]+[a-z0-9]*");
  const std::string list = said.substr(begin + lead.size());
  EXPECT_EQ(list.find(".."), std::string::npos) << "not all functions are listed: " << list;
  std::set<std::string> names;
  for (std::sregex_iterator at(list.begin(), list.end(), word), end; at != end; ++at) names.insert(at->str());
  return names;
}

TEST(Pages, FunctionsOfFormulasAreThoseThatThereAre) {
  const std::string page = contents(source / "docs/formulas.md");
  static const std::regex call("`(([a-z0-9]+)\\([a-z0-9, ]*\\))`");
  std::set<std::string> names;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const auto cell_end = line.starts_with("| `") ? line.find(" | ") : std::string::npos;
    if (cell_end == std::string::npos) continue;
    const std::string cell = line.substr(0, cell_end);
    for (std::sregex_iterator at(cell.begin(), cell.end(), call), end; at != end; ++at) {
      names.insert((*at)[2]);
      const std::string formula = std::regex_replace(std::string((*at)[1]), std::regex("condition"), "a > b");
      EXPECT_NO_THROW(mechanics::Expression::parse(
          formula, {.variables = {"x", "y", "a", "b", "x0", "y0", "x1", "y1"}, .constants = {}}))
          << formula;
    }
  }
  EXPECT_EQ(names, functions_of_the_parser());
}

}  // namespace
}  // namespace driftless::tests
