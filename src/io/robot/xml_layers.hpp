// XML that stands deeper than tinyxml2 reads (100 elements in each other, of which a chain of bodies in MJCF needs more): the text is cut into
// layers of so many levels each, which are read as documents of their own. In every layer an element of the next one has left a placeholder:
//
//   <a><b><c/></b></a>  in layers of two:   <a><_/>     </a>        and    <_>   <b><c/></b>    </_>
//
// Each layer has the line breaks of the whole text, so that lines stay what they are; the i-th placeholder stands for the i-th element in the root of
// the next layer. Whatever is wrong with an element is in the layer that has it, and found there.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::io {

struct XmlLayers {
  int depth = 0;         // of the deepest element; 1: the root
  int deepest_line = 1;  // where it begins
  int beyond_line =
      0;  // of what is opened or closed behind the root's end, where parsers stop to read; 0: nothing is
  int most_attributes = 0;  // of one element
  int most_attributes_line = 1;
  // The first byte in the tag of an element that is not UTF-8; line 0: there is none. Columns count bytes.
  int foreign_line = 0, foreign_column = 0;
  std::vector<std::string> texts;  // empty: the text can be read as it is
};

// Levels that one document holds. In the root of a deeper layer they begin one further in.
constexpr int xml_layer_levels = 90;

XmlLayers xml_layers(std::string_view text);

}  // namespace driftless::io
