#include "io/robot/mjcf_defaults.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

namespace driftless::io {

namespace {

constexpr int deepest = 200;  // classes in classes

const std::set<std::string> actuators = {"general",     "motor",  "position", "velocity",
                                         "intvelocity", "damper", "cylinder", "muscle",
                                         "adhesion",    "plugin", "dcmotor"};
// In <default>, and of no part in the motion, or of things that are told where they stand.
const std::set<std::string> unused = {"mesh", "material", "camera", "light", "pair", "tendon"};

const std::map<std::string, std::vector<const char*>> attributes_of = {
    {"joint",
     {"name",
      "class",
      "type",
      "group",
      "pos",
      "axis",
      "springdamper",
      "limited",
      "range",
      "stiffness",
      "margin",
      "actuatorfrclimited",
      "solreflimit",
      "solimplimit",
      "ref",
      "springref",
      "user",
      "actuatorfrcrange",
      "solreffriction",
      "armature",
      "damping",
      "frictionloss",
      "solimpfriction",
      "actuatorgravcomp"}},
    {"geom", {"name",     "class",      "type",      "contype", "conaffinity", "condim",   "group",
              "priority", "size",       "mass",      "density", "solmix",      "solref",   "solimp",
              "friction", "margin",     "gap",       "fromto",  "pos",         "quat",     "axisangle",
              "xyaxes",   "zaxis",      "euler",     "hfield",  "mesh",        "fitscale", "rgba",
              "material", "fluidshape", "fluidcoef", "user",    "shellinertia"}},
    {"site",
     {"name", "class", "type", "group", "pos", "quat", "material", "size", "fromto", "axisangle", "xyaxes",
      "zaxis", "euler", "rgba", "user"}},
    {"equality", {"name", "class", "active", "solref", "solimp"}},
    {"actuator", {"name",      "class",      "group",         "ctrllimited",  "forcelimited", "actlimited",
                  "ctrlrange", "forcerange", "actrange",      "lengthrange",  "gear",         "cranklength",
                  "user",      "joint",      "tendon",        "slidersite",   "cranksite",    "site",
                  "refsite",   "body",       "jointinparent", "actdim",       "dyntype",      "gaintype",
                  "biastype",  "dynprm",     "gainprm",       "biasprm",      "actearly",     "kp",
                  "kv",        "dampratio",  "timeconst",     "inheritrange", "area",         "diameter",
                  "bias",      "range",      "force",         "scale",        "lmin",         "lmax",
                  "vmax",      "fpmax",      "fvmax",         "tausmooth",    "gain",         "plugin",
                  "instance"}},
};

}  // namespace

std::string kind_of(const std::string& element) {
  return actuators.count(element) ? "actuator" : element;
}

void know(const XmlElement& e, const std::string& kind) {
  for (const char* attribute : attributes_of.at(kind)) e.word(attribute);
}

void know(const XmlElement& e, std::initializer_list<const char*> attributes) {
  for (const char* attribute : attributes) e.word(attribute);
}

// --- files -----------------------------------------------------------------------------------------------------------------------

const std::vector<XmlElement>& MjcfFile::children(const XmlElement& of) {
  const auto [known, is_new] = children_.try_emplace(&of.node());
  if (is_new) add(of, known->second, 0);
  return known->second;
}

void MjcfFile::add(const XmlElement& from, std::vector<XmlElement>& all, int depth) {
  constexpr int most = 100;  // files in files
  for (XmlElement& e : from.children()) {
    if (e.name() != "include") {
      all.push_back(e);
      continue;
    }
    const auto name = e.need("file", "the name of the file to include");
    if (!name) continue;
    if (depth == most) {
      e.fault(fmt::format("files include each other more than {} deep", most));
      continue;
    }
    if (const auto root = e.reading().include(e, *name)) {
      root->word("model");
      add(*root, all, depth + 1);
    }
  }
}

std::vector<XmlElement> MjcfFile::sections(const std::string& name) {
  std::vector<XmlElement> found;
  for (const XmlElement& e : children(root_))
    if (e.name() == name) found.push_back(e);
  return found;
}

// --- elements --------------------------------------------------------------------------------------------------------------------

const char* MjcfElement::nearest(std::initializer_list<const char*> attributes) const {
  const auto in = [&](const XmlElement& e) -> const char* {
    for (const char* attribute : attributes)
      if (e.has(attribute)) return attribute;
    return nullptr;
  };
  if (const char* found = in(own_)) return found;
  if (classes_)
    for (auto e = classes_->rbegin(); e != classes_->rend(); ++e)
      if (const char* found = in(*e)) return found;
  return nullptr;
}

const XmlElement& MjcfElement::from(const char* attribute) const {
  if (!own_.has(attribute) && classes_)
    for (auto e = classes_->rbegin(); e != classes_->rend(); ++e)
      if (e->has(attribute)) return *e;
  return own_;
}

std::optional<std::vector<double>> MjcfElement::parsed(const XmlElement& e, const char* attribute,
                                                       std::size_t least, std::size_t most) const {
  if (&e == &own_) return e.numbers(attribute, least, most);
  const auto [known, is_new] = shared_->numbers.try_emplace({&e.node(), attribute});
  if (is_new) known->second = e.numbers(attribute, least, most);
  return known->second;
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute, std::size_t least,
                                                        std::size_t most) const {
  return parsed(from(attribute), attribute, least, most);
}

std::optional<double> MjcfElement::number(const char* attribute) const {
  const auto values = numbers(attribute, 1, 1);
  return values ? std::optional((*values)[0]) : std::nullopt;
}

std::optional<mechanics::Vec3> MjcfElement::vector(const char* attribute) const {
  const auto values = numbers(attribute, 3, 3);
  if (!values) return {};
  return mechanics::Vec3{(*values)[0], (*values)[1], (*values)[2]};
}

std::optional<int> MjcfElement::whole(const char* attribute) const {
  const auto value = number(attribute);
  if (!value) return {};
  if (*value != std::floor(*value) || std::abs(*value) > 2e9) {
    fault(attribute, fmt::format("{:g} is no whole number", *value));
    return {};
  }
  return static_cast<int>(*value);
}

std::optional<std::size_t> MjcfElement::one_of(const char* attribute,
                                               const std::vector<std::string>& words) const {
  const auto value = word(attribute);
  if (!value) return {};
  const auto found = std::find(words.begin(), words.end(), *value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  fault(attribute,
        fmt::format("'{}' is not known; there are {}", value->substr(0, 40), fmt::join(words, ", ")));
  return {};
}

bool MjcfElement::flag(const char* attribute, bool otherwise) const {
  const auto which = one_of(attribute, {"false", "true"});
  return which ? *which == 1 : otherwise;
}

std::vector<double> MjcfElement::overlaid(const char* attribute, std::vector<double> values) const {
  const auto lay = [&](const XmlElement& e) {
    if (!e.has(attribute)) return;
    if (const auto over = parsed(e, attribute, 1, values.size()))
      std::copy(over->begin(), over->end(), values.begin());
  };
  if (classes_)
    for (const XmlElement& e : *classes_) lay(e);
  lay(own_);
  return values;
}

void MjcfElement::fault(const char* attribute, const std::string& message) const {
  const XmlElement& e = from(attribute);
  if (&e == &own_ || shared_->told.emplace(&e.node(), attribute).second) e.fault(attribute, message);
}

// --- classes ---------------------------------------------------------------------------------------------------------------------

void MjcfClasses::read(MjcfFile& file) {
  bool first = true;
  for (const XmlElement& section : file.sections("default")) {
    const std::string name = section.word("class").value_or("main");
    if (!first) main_ = add(section, main_);
    first = false;
    names_["main"] = main_;
    if (!name.empty()) names_[name] = main_;
    read(file, section, main_);
  }
}

int MjcfClasses::add(const XmlElement& section, int parent) {
  const int depth = classes_[static_cast<std::size_t>(parent)].depth + 1;
  if (depth == deepest)
    section.fault(fmt::format("more than {} classes build on each other; make fewer of them", deepest));
  classes_.push_back({.parent = parent, .depth = depth});
  return static_cast<int>(classes_.size()) - 1;
}

void MjcfClasses::read(MjcfFile& file, const XmlElement& section, int into) {
  if (classes_[static_cast<std::size_t>(into)].depth >= deepest) {
    section.ignore();
    return;
  }
  std::vector<XmlElement> inner;
  for (const XmlElement& e : file.children(section)) {
    const std::string kind = kind_of(e.name());
    if (kind == "default") {
      inner.push_back(e);
    } else if (unused.count(kind)) {
      e.ignore();
    } else if (!attributes_of.count(kind)) {
      e.omit(fmt::format("<{}> in <default>", e.name()), "it is not known here, and nothing comes of it");
      e.ignore();
    } else {
      auto& own = classes_[static_cast<std::size_t>(into)].own[kind];
      const bool again =
          std::any_of(own.begin(), own.end(), [&](const XmlElement& o) { return o.name() == e.name(); });
      if (again) {
        e.fault("the class has another one of these; put them together");
        continue;
      }
      own.push_back(e);
      know(e, kind);
    }
  }
  for (const XmlElement& e : inner) {
    const auto name = e.need("class", "what the class is called");
    if (!name) {
      e.ignore();
      continue;
    }
    const int made = add(e, into);
    if (!names_.emplace(*name, made).second)
      e.fault("class", fmt::format("there is another class '{}'; give each its own name", *name));
    read(file, e, made);
  }
}

int MjcfClasses::named(const XmlElement& e, const char* attribute, int otherwise) const {
  const auto name = e.word(attribute);
  if (!name) return otherwise;
  if (const auto found = names_.find(*name); found != names_.end()) return found->second;
  e.fault(attribute, fmt::format("there is no class '{}'{}; write it as <default class=\"..\">", *name,
                                 e.reading().near(*name, names_)));
  return otherwise;
}

const std::vector<XmlElement>& MjcfClasses::elements(int named, const std::string& kind) {
  const auto [known, is_new] = chains_.try_emplace({named, kind});
  if (!is_new) return known->second;
  std::vector<XmlElement>& chain = known->second;
  for (int i = named; i >= 0; i = classes_[static_cast<std::size_t>(i)].parent) {
    const auto& own = classes_[static_cast<std::size_t>(i)].own;
    if (const auto found = own.find(kind); found != own.end())
      chain.insert(chain.end(), found->second.rbegin(), found->second.rend());
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

MjcfElement MjcfClasses::of(const XmlElement& e, const std::string& kind, int inherited) {
  return {e, elements(named(e, "class", inherited), kind), shared_};
}

}  // namespace driftless::io
