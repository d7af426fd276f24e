#include "io/robot/xml_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/common/file_text.hpp"
#include "io/robot/xml_layers.hpp"
#include "io/robot/xml_words.hpp"

namespace driftless::io {

namespace {

constexpr std::size_t most_files = 200;
constexpr std::size_t most_faults = 100;
constexpr int most_attributes = 256;  // every new one is compared with all before it
constexpr int most_deep = 2500;       // a chain of 1000 bodies, each in a frame, and what is in the last one

std::string reason(tinyxml2::XMLError error) {
  using namespace tinyxml2;
  switch (error) {
    case XML_ERROR_PARSING:
    case XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed, or another one is closed here";
    case XML_ERROR_EMPTY_DOCUMENT:
      return "there is nothing in it";
    case XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\"";
    case XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read";
    case XML_ERROR_PARSING_COMMENT:
      return "a comment does not end";
    case XML_ERROR_PARSING_CDATA:
      return "a CDATA section does not end";
    case XML_ERROR_PARSING_TEXT:
      return "a text does not end";
    default:
      return fmt::format("it cannot be read ({})", XMLDocument::ErrorIDToName(error));
  }
}

void add_at_level(const tinyxml2::XMLElement& e, int level, std::vector<const tinyxml2::XMLElement*>& all) {
  for (const auto* c = e.FirstChildElement(); c; c = c->NextSiblingElement())
    if (level == 1)
      all.push_back(c);
    else
      add_at_level(*c, level - 1, all);
}

}  // namespace

// --- files -----------------------------------------------------------------------------------------------------------------------

XmlElement XmlReading::parse(std::string_view text) {
  return {*parse(text, file_), *this};
}

const tinyxml2::XMLElement* XmlReading::parse(std::string_view text, const std::filesystem::path& file) {
  const auto refuse = [&](int line, const std::string& why) { throw ModelError(file, {{line, 1, "", why}}); };
  read_ += text.size();
  if (read_ > largest_xml_file)
    refuse(0, fmt::format("this is more than {} MB of XML; make a smaller file", largest_xml_file >> 20));
  if (const auto at = text.find('\0'); at != text.npos)
    refuse(
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')),
        "this is not XML: it contains a character of code 0");
  const XmlLayers layers = xml_layers(text);
  if (layers.depth > most_deep)
    refuse(layers.deepest_line,
           fmt::format("elements stand in each other {} deep (at most {}); make shorter chains", layers.depth,
                       most_deep));
  if (layers.most_attributes > most_attributes)
    refuse(layers.most_attributes_line,
           fmt::format("an element has {} attributes (at most {}); take out those that mean nothing",
                       layers.most_attributes, most_attributes));
  if (layers.foreign_line > 0)
    throw ModelError(file, {{layers.foreign_line, layers.foreign_column, "",
                             "a name or value has a byte that is not UTF-8; save the file as UTF-8"}});
  Open& open = open_.emplace_back(Open{file});
  const auto read = [&](std::string_view layer) {
    open.layers.push_back(std::make_unique<tinyxml2::XMLDocument>());
    tinyxml2::XMLDocument& document = *open.layers.back();
    if (const auto error = document.Parse(layer.data(), layer.size()); error != tinyxml2::XML_SUCCESS)
      refuse(std::max(document.ErrorLineNum(), 1), "this is not XML: " + reason(error));
    for (const tinyxml2::XMLNode* node = document.FirstChild(); node; node = node->NextSibling())
      if (const auto* unknown = node->ToUnknown())
        refuse(
            unknown->GetLineNum(),
            fmt::format("<!{}..> is not read: what document types define, entities, can grow without bound; "
                        "take it out and write out what it stands for",
                        mechanics::shown(trimmed(unknown->Value()), 10)));
  };
  if (layers.texts.empty()) read(text);
  for (const std::string& layer : layers.texts) read(layer);
  const tinyxml2::XMLElement* root = open.layers.front()->RootElement();
  if (!root) refuse(1, "this is not XML: there is no element in it");
  if (layers.beyond_line > 0)
    refuse(layers.beyond_line,
           "this is not XML: the root element has ended before, and nothing may follow it");
  // Placeholders and what they stand for come in the same order.
  for (std::size_t i = 0; i + 1 < open.layers.size(); ++i) {
    std::vector<const tinyxml2::XMLElement*> places;
    add_at_level(*open.layers[i]->RootElement(), xml_layer_levels + (i > 0 ? 1 : 0), places);
    std::size_t found = 0;
    for (const auto* e = open.layers[i + 1]->RootElement()->FirstChildElement(); e;
         e = e->NextSiblingElement())
      if (found++ < places.size()) deeper_.emplace(places[found - 1], e);
    if (found != places.size()) refuse(1, "this is not XML: elements are closed that were not opened");
  }
  return root;
}

const tinyxml2::XMLElement* XmlReading::real(const tinyxml2::XMLElement* element) const {
  if (!element || deeper_.empty()) return element;
  const auto found = deeper_.find(element);
  return found == deeper_.end() ? element : found->second;
}

std::optional<XmlElement> XmlReading::include(XmlElement& from, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path base = fs::weakly_canonical(file_.parent_path().empty() ? "." : file_.parent_path(), error);
  const fs::path wanted = fs::weakly_canonical(base / name, error);
  const fs::path seen = wanted.lexically_relative(base);
  if (inside_ && (seen.empty() || *seen.begin() == "..")) {
    from.fault(
        fmt::format("the file {} lies outside of the folder of {}; move it there, or allow it with "
                    "`allow_outside`",
                    in_quotes(name), file_.filename().string()));
    return {};
  }
  for (const Open& open : open_)
    if (fs::weakly_canonical(open.file, error) == wanted) {
      from.fault(fmt::format("the file {} is included twice, or by itself", in_quotes(name)));
      return {};
    }
  if (open_.size() >= most_files) {
    from.fault(fmt::format("more than {} files are included; put them together", most_files));
    return {};
  }
  try {
    return XmlElement(*parse(text_of_file(wanted, "included file", largest_xml_file), wanted), *this);
  } catch (const InputError& refused) {
    from.fault(refused.what());
    return {};
  }
}

const XmlReading::Open& XmlReading::open_with(const tinyxml2::XMLNode& node) const {
  for (const Open& open : open_)
    for (const auto& layer : open.layers)
      if (layer.get() == node.GetDocument()) return open;
  return open_.front();
}

// --- what is wrong, and what is left ---------------------------------------------------------------------------------------------

void XmlReading::fault(int line, const std::string& path, const std::string& message) {
  if (faults_.size() < most_faults)
    faults_.push_back({line, 1, path, message});
  else
    ++untold_;
}

void XmlReading::fault(const tinyxml2::XMLNode& at, const std::string& path, const std::string& message) {
  const Open& open = open_with(at);
  if (&open == &open_.front())
    fault(at.GetLineNum(), path, message);
  else
    fault(0, fmt::format("{}:{}: {}", open.file.filename().string(), at.GetLineNum(), path), message);
}

void XmlReading::omit(const tinyxml2::XMLNode& at, const std::string& what, const std::string& effect,
                      bool acts) {
  const auto [known, is_new] = known_omissions_.emplace(what, omissions_.size());
  if (is_new)
    omissions_.push_back(
        {.what = what,
         .effect = effect,
         .where = fmt::format("{}:{}", open_with(at).file.filename().string(), at.GetLineNum()),
         .acts = acts});
  else
    ++omissions_[known->second].count;
}

void XmlReading::finish() {
  for (const Open& open : open_)
    if (const auto* root = open.layers.front()->RootElement()) finish(*root);
}

void XmlReading::finish(const tinyxml2::XMLElement& element) {
  const Asked& asked = asked_[&element];
  if (asked.all) return;
  // A slip of the pen is near to something that was asked for.
  const auto unknown = [&](const tinyxml2::XMLElement& at, const std::string& what, const char* name,
                           const std::set<std::string>& known) {
    omit(at, what,
         "it is not known here, and nothing comes of it" + suggestion(name, {known.begin(), known.end()}));
  };
  for (const auto* a = element.FirstAttribute(); a; a = a->Next())
    if (!asked.attributes.count(a->Name()))
      unknown(element, fmt::format("attribute {} of <{}>", a->Name(), element.Name()), a->Name(),
              asked.attributes);
  for (const auto* place = element.FirstChildElement(); place; place = place->NextSiblingElement()) {
    const auto* child = real(place);
    if (asked.children.count(child->Name()))
      finish(*child);
    else
      unknown(*child, fmt::format("<{}> in <{}>", child->Name(), element.Name()), child->Name(),
              asked.children);
  }
}

}  // namespace driftless::io
