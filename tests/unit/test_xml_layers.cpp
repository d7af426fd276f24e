// XML of any depth: what is read in layers is what stands in the text, with its lines; and whatever bytes there are, they are read or refused with words.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "fuzz/robot_file.hpp"
#include "io/robot/xml_file.hpp"
#include "io/robot/xml_layers.hpp"
#include "support/run.hpp"

namespace driftless::tests {
namespace {

using io::XmlElement;
using io::XmlReading;

TEST(XmlLayers, TextsOfFewLevelsStayWhole) {
  const auto layers = io::xml_layers("<a>\n<!-- <b><c> --><b x='</b>'/><![CDATA[<d><e>]]></a>");
  EXPECT_EQ(layers.depth, 2);
  EXPECT_EQ(layers.deepest_line, 2);
  EXPECT_TRUE(layers.texts.empty());
}

// Each level has an attribute with tags in it, a comment, a CDATA section and a text, and beside the next level two elements of one name.
TEST(XmlLayers, DeepTextsAreReadAsTheyStand) {
  constexpr int levels = 400;
  std::string text = "<?xml version='1.0'?>\n";
  for (int i = 1; i <= levels; ++i)
    text += fmt::format(
        "<level n='{0}' odd='<level>\"/>'>text{0}<!-- <level> -->\n<leaf at='{0}.1'/><![CDATA[</level>]]>\n",
        i);
  for (int i = levels; i >= 1; --i) text += fmt::format("<leaf at='{}.2'><inner/></leaf></level>\n", i);
  XmlReading reading("deep.xml", true);
  XmlElement e = reading.parse(text);
  for (int i = 1; i <= levels; ++i) {
    ASSERT_EQ(e.name(), "level");
    EXPECT_EQ(e.line(), 2 * i);
    EXPECT_EQ(e.number("n"), i);
    EXPECT_EQ(e.word("odd"), "<level>\"/>");
    EXPECT_EQ(e.own_word(), fmt::format("text{} </level>", i));  // with what stands in CDATA
    const auto leaves = e.children("leaf");
    ASSERT_EQ(leaves.size(), 2u);
    EXPECT_EQ(leaves[0].word("at"), fmt::format("{}.1", i));
    EXPECT_EQ(leaves[0].line(), 2 * i + 1);
    EXPECT_EQ(leaves[1].word("at"), fmt::format("{}.2", i));
    EXPECT_EQ(leaves[1].line(), 2 * levels + 2 + levels - i);
    EXPECT_TRUE(leaves[1].child("inner"));
    EXPECT_EQ(e.children().size(), i < levels ? 3u : 2u);
    if (i < levels) e = *e.child("level");
  }
  reading.finish();
  EXPECT_TRUE(reading.omissions().empty()) << reading.omissions()[0].what;
  EXPECT_TRUE(reading.faults().empty());
}

// What nobody asked for is told from the depths too.
TEST(XmlLayers, WhatIsNotAskedForIsTold) {
  std::string open, close;
  for (int i = 0; i < 200; ++i) open += "<a>\n", close += "</a>";
  XmlReading reading("deep.xml", true);
  XmlElement e = reading.parse(open + "<gadget size='3'/>" + close);
  for (int i = 1; i < 200; ++i) e = *e.child("a");
  reading.finish();
  ASSERT_EQ(reading.omissions().size(), 1u);
  EXPECT_EQ(reading.omissions()[0].what, "<gadget> in <a>");
  EXPECT_EQ(reading.omissions()[0].where, "deep.xml:201");
}

TEST(XmlLayers, TwistedOnesAreRefused) {
  std::string open, close;
  for (int i = 0; i < 200; ++i) open += "<a>\n", close += "</a>";
  for (const std::string whole : {"<a></a></a>", "<a/><b/>", "<a></a>\n<b></b>"}) {
    XmlReading reading("twice.xml", true);
    EXPECT_TRUE(contains(complaint([&] { reading.parse(whole); }), "the root element has ended before"))
        << whole;
  }
  for (const std::string inside :
       {"<b>", "</b>", "</a>", "<b></a></b>", "<b x='1></b>", "<!-- ", "<b", "</a></a>"}) {
    XmlReading reading("deep.xml", true);
    EXPECT_TRUE(contains(complaint([&] { reading.parse(open + inside + close); }), "this is not XML"))
        << inside;
  }
}

// What the fuzzers begin with, whole and cut anywhere.
TEST(RobotCorpus, IsReadOrRefusedWithWords) {
  int whole = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(DRIFTLESS_SOURCE_DIR) /
                                                              "tests/fuzz/corpus-robots")) {
    std::ifstream in(file.path(), std::ios::binary);
    std::stringstream bytes;
    bytes << in.rdbuf();
    const std::string text = bytes.str();
    if (fuzz::read_as_robot(text)) ++whole;
    for (std::size_t end = 0; end < text.size(); end += 7)
      fuzz::read_as_robot(std::string_view(text).substr(0, end));
  }
  EXPECT_GE(whole, 5);
}

}  // namespace
}  // namespace driftless::tests
