// Other people's words for joints lead to the types that there are.
#include <gtest/gtest.h>

#include <set>

#include <driftless/io/model_file.hpp>
#include <driftless/mechanics/joint.hpp>

#include "mechanics/joint_words.hpp"

namespace driftless::mechanics {
namespace {

std::vector<std::string> types() {
  std::vector<std::string> names;
  for (const NamedJoint& row : joint_table()) names.push_back(row.name);
  return names;
}

TEST(JointWords, LeadToTypes) {
  for (const auto& [word, type] :
       std::vector<std::pair<std::string, std::string>>{{"hinge", "revolute"},
                                                        {"pin", "revolute"},
                                                        {"Revolute", "revolute"},
                                                        {"slider", "prismatic"},
                                                        {"prism", "prismatic"},
                                                        {"ball", "spherical"},
                                                        {"Ball Joint", "spherical"},
                                                        {"weld", "fixed"},
                                                        {"cylinder", "cylindrical"},
                                                        {"universal-joint", "universal"},
                                                        {"revolute_joint", "revolute"},
                                                        {"prismatc", "prismatic"}})
    EXPECT_EQ(joint_suggestion(word, types()), " (did you mean " + type + "?)") << word;
  EXPECT_EQ(joint_suggestion("quantum", types()), "");
}

TEST(JointWords, MeanTypesThatThereAreAndAreNone) {
  const auto all = types();
  const std::set<std::string> known(all.begin(), all.end());
  std::set<std::string> words;
  for (const auto& [word, type] : joint_synonyms()) {
    EXPECT_TRUE(known.contains(type)) << type;
    EXPECT_FALSE(known.contains(word)) << word;
    EXPECT_TRUE(words.insert(word).second) << word << " is there twice";
  }
}

TEST(JointWords, StandInTheMessagesOfFiles) {
  try {
    io::read_model_text(
        "title = \"x\"\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[joint.j]\ntype = \"hinge\"\n"
        "between = [\"ground\", \"a\"]\n",
        "x.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("x.toml:6:8: joint.j.type: there is no joint type 'hinge'"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("(did you mean revolute?)"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace driftless::mechanics
