// Sentences of the library are read by C++ programs too: they name options as C++ has them, in backticks, and the program writes its flags there
// (apps/driftless/flags.hpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace driftless::tests {
namespace {

namespace fs = std::filesystem;

const fs::path source = DRIFTLESS_SOURCE_DIR;

// Without lines that are comments.
std::string code_of(const fs::path& path) {
  std::ifstream file(path);
  std::string text;
  for (std::string line; std::getline(file, line);)
    if (const auto first = line.find_first_not_of(' ');
        first != std::string::npos && line.compare(first, 2, "//") != 0)
      text += line + "\n";
  return text;
}

// String literals; those that stand beside each other are one.
std::vector<std::string> literals_of(const std::string& code) {
  std::vector<std::string> literals;
  std::size_t end_of_last = std::string::npos;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '\'' && at + 2 < code.size()) {  // a character, which may be a quote
      at += code[at + 1] == '\\' ? 3 : code[at + 2] == '\'' ? 2 : 0;
      continue;
    }
    if (code[at] != '"') continue;
    const std::size_t begin = ++at;
    while (at < code.size() && code[at] != '"') at += code[at] == '\\' ? 2 : 1;
    const bool goes_on =
        end_of_last != std::string::npos && code.find_first_not_of(" \n", end_of_last + 1) == begin - 1;
    const std::string piece = code.substr(begin, at - begin);
    if (goes_on)
      literals.back() += piece;
    else
      literals.push_back(piece);
    end_of_last = at;
  }
  return literals;
}

// What these write are pages and files for people who use the program.
const std::set<std::string> for_people = {"model_reference.cpp", "model_schema.cpp", "robot_text.cpp"};

template <class See>
void for_literals_of_the_library(See&& see) {
  for (const char* folder : {"src", "include"})
    for (const auto& file : fs::recursive_directory_iterator(source / folder)) {
      const fs::path& path = file.path();
      if ((path.extension() != ".cpp" && path.extension() != ".hpp") ||
          for_people.contains(path.filename().string()))
        continue;
      for (const std::string& text : literals_of(code_of(path))) see(path, text);
    }
}

TEST(Messages, OfTheLibraryNameNoFlags) {
  static const std::regex flag("(^|[^-<!a-z])--([a-z]|\\{\\})");
  int texts = 0;
  for_literals_of_the_library([&](const fs::path& path, const std::string& text) {
    ++texts;
    EXPECT_FALSE(std::regex_search(text, flag))
        << path << ": \"" << text << "\"; write `option` or `option = value`, as C++ has it";
  });
  EXPECT_GT(texts, 1000);
  EXPECT_EQ(literals_of("f(\"a --b \"\n   \"c\", '\"', \"d\\\"\")"),
            (std::vector<std::string>{"a --b c", "d\\\""}));
}

TEST(Messages, NameOptionsForWhichTheProgramHasFlags) {
  const std::string table = code_of(source / "apps/driftless/flags.cpp");
  static const std::regex option("`([a-z0-9_]+) = [^`]+`");
  const std::set<std::string> of_models = {"moving"};
  std::set<std::string> names;
  for_literals_of_the_library([&](const fs::path&, const std::string& text) {
    for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at)
      if (const std::string name = (*at)[1]; !of_models.contains(name)) names.insert(name);
  });
  EXPECT_GE(names.size(), 6U);
  for (const std::string& name : names)
    EXPECT_NE(table.find("{\"" + name + "\", \"--"), std::string::npos) << name;
}

}  // namespace
}  // namespace driftless::tests
