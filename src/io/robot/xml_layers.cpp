#include "io/robot/xml_layers.hpp"

#include <algorithm>

#include "mechanics/shown_text.hpp"

namespace driftless::io {

namespace {

// What begins with '<': where it ends, and what it does to the depth.
struct Tag {
  enum class Kind { opens, closes, whole, other };
  Kind kind = Kind::other;
  std::size_t end = 0;  // behind it
};

Tag tag_at(std::string_view text, std::size_t at) {
  const auto until = [&](std::string_view end) {
    const auto found = text.find(end, at);
    return Tag{Tag::Kind::other, found == text.npos ? text.size() : found + end.size()};
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("<!--")) return until("-->");
  if (rest.starts_with("<![CDATA[")) return until("]]>");
  if (rest.starts_with("<?")) return until("?>");
  if (rest.starts_with("<!")) return until(">");
  if (rest.starts_with("</")) return {Tag::Kind::closes, until(">").end};
  char quote = 0;
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return {text[i - 1] == '/' ? Tag::Kind::whole : Tag::Kind::opens, i + 1};
    }
  }
  return {Tag::Kind::other, text.size()};  // it does not end
}

// Calls see(kind, begin, end, level) for every tag, with the level of the element that it belongs to: 1 for the root.
template <class See>
void walk(std::string_view text, See&& see) {
  int depth = 0;
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const Tag tag = tag_at(text, at);
    if (tag.kind == Tag::Kind::opens) ++depth;
    see(tag.kind, at, tag.end, depth + (tag.kind == Tag::Kind::whole ? 1 : 0));
    if (tag.kind == Tag::Kind::closes) depth = std::max(depth - 1, 0);
    at = tag.end;
  }
}

// Values stand in quotes, so that every sign of equality outside of them belongs to one attribute.
int attributes_in(std::string_view tag) {
  int count = 0;
  char quote = 0;
  for (const char c : tag)
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else
      count += c == '=';
  return count;
}

void add_breaks(std::string& to, std::string_view from) {
  to.append(static_cast<std::size_t>(std::count(from.begin(), from.end(), '\n')), '\n');
}

}  // namespace

XmlLayers xml_layers(std::string_view text) {
  XmlLayers layers;
  std::size_t deepest = 0, beyond = text.npos, widest = 0, foreign = text.npos;
  walk(text, [&](Tag::Kind kind, std::size_t begin, std::size_t end, int level) {
    if (kind == Tag::Kind::other) return;
    const std::string_view tag = text.substr(begin, end - begin);
    if (const int count = attributes_in(tag); count > layers.most_attributes)
      layers.most_attributes = count, widest = begin;
    if (foreign == text.npos)
      if (const std::size_t at = mechanics::foreign_byte(tag); at != tag.npos) foreign = begin + at;
    const bool begins = level == 1 && kind != Tag::Kind::closes;
    if ((level == 0 || (begins && layers.depth > 0)) && beyond == text.npos) beyond = begin;
    if (level > layers.depth) layers.depth = level, deepest = begin;
  });
  const auto line_of = [&](std::size_t at) {
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  layers.deepest_line = line_of(deepest);
  layers.most_attributes_line = line_of(widest);
  if (foreign != text.npos) {
    const std::size_t before = text.rfind('\n', foreign);
    layers.foreign_line = line_of(foreign);
    layers.foreign_column = static_cast<int>(before == text.npos ? foreign + 1 : foreign - before);
  }
  if (beyond != text.npos) layers.beyond_line = line_of(beyond);
  if (layers.depth <= xml_layer_levels) return layers;

  const int count = (layers.depth + xml_layer_levels - 1) / xml_layer_levels;
  const auto layer_of = [](int level) { return std::max(level - 1, 0) / xml_layer_levels; };
  layers.texts.assign(static_cast<std::size_t>(count), "");
  for (int i = 1; i < count; ++i) layers.texts[static_cast<std::size_t>(i)] = "<_>";
  // Every piece goes to one layer, and its line breaks to the others.
  std::vector<std::size_t> given(static_cast<std::size_t>(count),
                                 0);  // how much of the text each layer has seen
  const auto give = [&](int layer, std::size_t begin, std::size_t end) {
    auto& to = layers.texts[static_cast<std::size_t>(layer)];
    auto& seen = given[static_cast<std::size_t>(layer)];
    add_breaks(to, text.substr(seen, begin - seen));
    to.append(text.substr(begin, end - begin));
    seen = end;
  };
  int inside = 0;  // level of the element around what comes next; 0: none
  std::size_t last = 0;
  walk(text, [&](Tag::Kind kind, std::size_t begin, std::size_t end, int level) {
    give(layer_of(inside), last, begin);  // text between tags
    const int layer = kind == Tag::Kind::other ? layer_of(inside) : layer_of(level);
    const bool first_in_layer = kind != Tag::Kind::other && layer > 0 && (level - 1) % xml_layer_levels == 0;
    if (first_in_layer && kind != Tag::Kind::closes) {
      give(layer - 1, begin, begin);
      layers.texts[static_cast<std::size_t>(layer - 1)] += "<_/>";
    }
    give(layer, begin, end);
    if (kind == Tag::Kind::opens) inside = level;
    if (kind == Tag::Kind::closes) inside = std::max(level - 1, 0);
    last = end;
  });
  give(layer_of(inside), last, text.size());
  for (int i = 1; i < count; ++i) layers.texts[static_cast<std::size_t>(i)] += "</_>";
  return layers;
}

}  // namespace driftless::io
