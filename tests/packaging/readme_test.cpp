// README is true: its program is the example that is compiled, prints what README says, and its table of
// methods is the catalog's. So are the pages: every method has one, the table of orders is the measured one,
// and links lead to files that exist.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <driftless/catalog/catalog.hpp>
#include <driftless/catalog/markdown.hpp>
#include <driftless/core/solve.hpp>
#include <driftless/io/model_file.hpp>
#include <driftless/io/model_reference.hpp>
#include <driftless/io/model_schema.hpp>

namespace driftless::tests {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path << " is missing";
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto from = text.find(begin);
  EXPECT_NE(from, std::string::npos) << "README has no '" << begin << "'";
  if (from == std::string::npos) return {};
  const auto to = text.find(end, from + begin.size());
  return text.substr(from + begin.size(), to - from - begin.size());
}

std::string printed_by(const std::string& program) {
  std::string printed;
  std::FILE* pipe = popen(("\"" DRIFTLESS_BINARY_DIR "/" + program + "\"").c_str(), "r");
  if (pipe == nullptr) return "(" + program + " cannot be started)";
  for (int c; (c = std::fgetc(pipe)) != EOF;) printed += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0);
  return printed;
}

const std::string source = DRIFTLESS_SOURCE_DIR;

TEST(Readme, ProgramIsTheExample) {
  const std::string program = between(contents(source + "/README.md"),
                                      "<!-- program: examples/01_pendulum.cpp -->\n```cpp\n", "```\n");
  EXPECT_EQ(program, contents(source + "/examples/01_pendulum.cpp"));
  EXPECT_LE(std::count(program.begin(), program.end(), '\n'), 20);
}

TEST(Readme, ProgramPrintsWhatItSays) {
  EXPECT_EQ(
      printed_by("examples/01_pendulum"),
      between(contents(source + "/README.md"), "<!-- output: examples/01_pendulum.cpp -->\n```\n", "```\n"));
}

TEST(Readme, TableOfMethodsIsFresh) {
  const std::string table = between(contents(source + "/README.md"),
                                    "<!-- methods: written by ./dev docs -->\n", "<!-- end of methods -->");
  EXPECT_EQ(table, catalog::markdown_table()) << "run ./dev docs";
}

template <class Entry>
void expect_pages(const std::vector<Named<Entry>>& table) {
  for (const auto& row : table) {
    const std::string page = contents(source + "/docs/methods/" + row.name + ".md");
    EXPECT_TRUE(page.starts_with("# " + row.name + "\n")) << row.name;
    for (const auto& option : row.entry.options)
      EXPECT_NE(page.find("`" + option.name + "`"), std::string::npos)
          << row.name << "'s page does not speak of " << option.name;
  }
}

TEST(Docs, EveryMethodHasAPageThatNamesItsOptions) {
  expect_pages(catalog::formulation_table());
  expect_pages(catalog::integrator_table());
  expect_pages(catalog::stabilizer_table());
  expect_pages(catalog::control_table());
  expect_pages(catalog::controller_table());
}

namespace fs = std::filesystem;

// Targets of [text](target) outside of code, without what follows a #.
std::vector<std::string> links_of(const std::string& page) {
  static const std::regex code("```[^]*?```|`[^`\n]*`"), link("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  const std::string text = std::regex_replace(page, code, "");
  std::vector<std::string> targets;
  for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found)
    targets.push_back((*found)[1]);
  return targets;
}

TEST(Docs, LinksLeadToFiles) {
  std::vector<fs::path> pages = {source + "/README.md", source + "/CHANGELOG.md",
                                 source + "/CONTRIBUTING.md"};
  for (const auto& file : fs::recursive_directory_iterator(source + "/docs"))
    if (file.path().extension() == ".md") pages.push_back(file.path());
  int relative = 0;
  for (const fs::path& page : pages)
    for (const std::string& target : links_of(contents(page.string()))) {
      if (target.find("://") != std::string::npos || target.starts_with("mailto:")) continue;
      EXPECT_TRUE(fs::exists(page.parent_path() / target)) << page << " links to " << target;
      ++relative;
    }
  EXPECT_GT(relative, 20);
  EXPECT_EQ(links_of("[a](b.md#c) `[](d)` [e](https://f)"), std::vector<std::string>({"b.md", "https://f"}));
}

TEST(Docs, PageOfOrdersNamesEveryIntegratorAndFormulation) {
  const std::string page = contents(source + "/docs/orders.md");
  const auto expect_row = [&](const std::string& name) {
    EXPECT_TRUE(std::regex_search(page, std::regex("\n\\|.* `" + name + "[`:]")))
        << name << " has no row; run ./dev docs";
  };
  for (const auto& integrator : catalog::integrator_table()) expect_row(integrator.name);
  for (const auto& formulation : catalog::formulation_table()) expect_row(formulation.name);
}

TEST(Docs, PageOfErrorOverToleranceNamesEveryMethodThatChoosesItsSteps) {
  const std::string page = contents(source + "/docs/error-over-tolerance.md");
  for (const auto& integrator : catalog::integrator_table()) {
    if (!integrator.entry.traits.error_estimate) continue;
    EXPECT_NE(page.find("` + `" + integrator.name + "` |"), std::string::npos)
        << integrator.name << "; run ./dev docs";
  }
  for (const auto& formulation : catalog::formulation_table())
    EXPECT_NE(page.find("\n| `" + formulation.name + "` + `"), std::string::npos)
        << formulation.name << "; run ./dev docs";
}

TEST(Docs, PageAndSchemaOfModelsAreFresh) {
  EXPECT_EQ(contents(source + "/docs/joints-and-forces.md"), io::joints_and_forces_page())
      << "run ./dev docs";
  EXPECT_EQ(contents(source + "/models/model.schema.json"), io::model_schema()) << "run ./dev docs";
  EXPECT_EQ(contents(source + "/models/loops.schema.json"), io::loops_schema()) << "run ./dev docs";
}

// What the page on the first mechanism has one write is a model that runs.
TEST(Docs, FirstMechanismRuns) {
  std::istringstream page(contents(source + "/docs/first-mechanism.md"));
  std::string model, line;
  while (std::getline(page, line))
    if (line.starts_with("    ") && !line.starts_with("    driftless")) model += line.substr(4) + "\n";
  const io::Model read = io::read_model_text(model, "mine.toml");
  const Solution run =
      solve(*read.mechanism.problem(), read.mechanism.assembled(read.closing), {}, {.t_end = 0.5});
  EXPECT_TRUE(run.complete()) << run.end_message;
}

// Measured numbers, which have two decimals, differ between compilers in the last one or two.
TEST(Docs, MeasuredPagesAreFresh) {
  const auto without_measured = [](const std::string& text) {
    return std::regex_replace(text, std::regex("-?[0-9]+\\.[0-9][0-9](e-[0-9]+)?"), "#");
  };
  for (const std::string page : {"orders", "stabilizers", "gains", "bdf-accuracy"})
    EXPECT_EQ(without_measured(contents(source + "/docs/" + page + ".md")),
              without_measured(printed_by("tests/docs_" + page)))
        << "run ./dev docs";
}

// Numbers of steps differ between compilers, and where a run is given up.
TEST(Docs, PageOnStiffnessIsFresh) {
  const auto without_cells = [](const std::string& text) {
    return std::regex_replace(
        text,
        std::regex(
            "\\| ((> )?[0-9]+(, [0-9]\\.[0-9][0-9]e[-+][0-9]+)*|no-convergence|step-underflow) (?=\\|)"),
        "| # ");
  };
  EXPECT_EQ(without_cells("| a | 7 | > 8 | 9, 1.00e-07, 2.00e+00 | no-convergence |"),
            "| a | # | # | # | # |");
  EXPECT_EQ(without_cells(contents(source + "/docs/stiffness.md")),
            without_cells(printed_by("tests/docs_stiffness")))
      << "run ./dev docs";
}

}  // namespace
}  // namespace driftless::tests
