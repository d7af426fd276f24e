// What a file says beyond the mechanism: units, parameters, how it begins, how it is run, what is shown and what is to be expected.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

#include <driftless/io/model_outputs.hpp>

#include "io/model/model_reader.hpp"

namespace driftless::io {

void ModelReader::read_units(Section& root) {
  model_.unit_names = {{"length", "m"}, {"mass", "kg"}, {"time", "s"}, {"angle", "rad"}, {"force", "N"}};
  auto section = root.section("units");
  if (!section) return;
  double* const targets[] = {&model_.units.length, &model_.units.mass, &model_.units.time,
                             &model_.units.angle, &model_.units.force};
  for (std::size_t i = 0; i < unit_kinds().size(); ++i) {
    const std::string& kind = unit_kinds()[i];
    const auto name = section->text(kind);
    if (!name) continue;
    try {
      *targets[i] = unit_named(kind, *name);
      model_.unit_names[kind] = *name;
    } catch (const InputError& error) {
      section->fault(kind, error.what());
    }
  }
  section->finish();
}

void ModelReader::read_parameters(Section& root) {
  reading_.numbers = ModelNumbers(model_.units, model_.unit_names);
  std::vector<std::pair<std::string, std::string>> given;
  std::vector<std::string> names;
  auto section = root.section("parameters");
  if (section) {
    names = section->keys();
    for (const std::string& name : names) {
      const toml::node* node = section->node(name);
      if (const auto* text = node->as_string())
        given.emplace_back(name, text->get());
      else if (const auto number = section->number(name))
        given.emplace_back(name, fmt::format("{:.17g}", *number));
      if (name == "t" || name == "pi" || name == "e")
        section->fault(name,
                       fmt::format("the name '{}' has a meaning in every formula; choose another", name));
    }
  }
  for (const auto& [name, text] : set_) {
    if (std::count_if(set_.begin(), set_.end(),
                      [&own = name](const auto& other) { return other.first == own; }) > 1)
      throw InputError(fmt::format("`set = {}` is given more than once; give it once", name));
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(names.empty()
                           ? fmt::format("`set = {}`: {} has no parameters; give it some as [parameters]",
                                         name, path_.string())
                           : fmt::format("`set = {}`: {} has no parameter of that name; it has {}{}", name,
                                         path_.string(), fmt::join(names, ", "), suggestion(name, names)));
    for (auto& [own, value] : given)
      if (own == name) value = text;
  }
  reading_.numbers.define(given, [&](const std::string& name, const std::string& why) {
    for (const auto& [set, text] : set_)
      if (set == name) throw InputError(fmt::format("`set = {}={}`: {}", name, text, why));
    section->fault(name, why);
  });
  for (const std::string& name : names)
    if (const auto value = reading_.numbers.parameters().find(name);
        value != reading_.numbers.parameters().end())
      model_.parameters.emplace_back(*value);
}

void ModelReader::read_start(Section& root) {
  auto section = root.section("start");
  if (!section) return;
  const auto own_coordinate = [&](const std::string& owner) -> std::string {
    const auto joint = joint_ids_.find(owner);
    if (joint == joint_ids_.end()) return "x";
    const auto names = model_.mechanism.coordinates(joint->second);
    return names.empty() ? "angle" : names.front();
  };
  // "A.angle" of a joint; "crank.x" of a body.
  const auto known = [&](const std::string& text, bool& angle) -> std::optional<std::string> {
    const auto dot = text.rfind('.');
    if (dot == std::string::npos && names_.contains(text)) {
      section->fault(
          fmt::format("'{0}' is the name of a {1}, and that of a coordinate is expected; write "
                      "\"{0}.{2}\", in quotes",
                      text, names_.at(text), own_coordinate(text)));
      return std::nullopt;
    }
    const std::string owner = text.substr(0, dot), own = dot == std::string::npos ? "" : text.substr(dot + 1);
    if (const auto joint = joint_ids_.find(owner); joint != joint_ids_.end()) {
      const auto names = model_.mechanism.coordinates(joint->second);
      if (std::find(names.begin(), names.end(), own) != names.end()) {
        angle = model_.mechanism.is_angle(joint->second, own);
        return text;
      }
      section->fault(fmt::format("joint {} has no coordinate '{}'{}", owner, own,
                                 names.empty() ? "" : fmt::format("; it has {}", fmt::join(names, ", "))));
      return std::nullopt;
    }
    if (const auto body = body_ids_.find(owner); body != body_ids_.end()) {
      const bool planar = std::any_of(model_.bodies.begin(), model_.bodies.end(),
                                      [&](const ModelBody& b) { return b.name == owner && b.planar; });
      angle = own == "angle";
      if (own == "x" || own == "y" || own == (planar ? "angle" : "z")) return text;
      section->fault(fmt::format("body {} has no coordinate '{}' to begin with; it has x, y and {}", owner,
                                 own, planar ? "angle" : "z"));
      return std::nullopt;
    }
    if (const auto kind = names_.find(owner);
        kind != names_.end() && (kind->second == "body" || kind->second == "joint"))
      return std::nullopt;
    std::vector<std::string> names;
    for (const auto& [name, kind] : names_)
      if (kind == "joint" || kind == "body") names.push_back(name);
    section->fault(fmt::format("there is no joint or body '{}'{}", owner, suggestion(owner, names)));
    return std::nullopt;
  };
  for (const std::string& text : section->texts("hold").value_or(std::vector<std::string>{})) {
    bool angle = false;
    if (const auto name = known(text, angle)) model_.closing.hold.push_back(*name);
  }
  const auto read = [&](const char* key, bool rates, std::map<std::string, double>& to) {
    auto values = section->section(key);
    if (!values) return;
    for (const std::string& text : values->keys()) {
      bool angle = false;
      const auto name = known(text, angle);
      if (!name && values->node(text)->is_table()) continue;  // shaft.angle without quotes
      mechanics::Dimension d = mechanics::stretch_unit.along(angle);
      if (rates) d.time = -1;
      const auto number = values->number(text, d);
      if (name && number) to[*name] = *number;
    }
  };
  read("positions", false, model_.closing.positions);
  read("rates", true, model_.closing.rates);
  section->finish();
}

void ModelReader::read_run(Section& root) {
  auto section = root.section("run");
  if (!section) return;
  const mechanics::Dimension time{.time = 1};
  ModelRun& run = model_.run;
  run.t_end = section->positive("t_end", time);
  run.step = section->positive("step", time);
  run.hmax = section->positive("hmax", time);
  run.output = section->positive("output", time);
  run.rtol = section->positive("rtol");
  run.atol = section->positive("atol");
  if (section->has("step") && (section->has("rtol") || section->has("atol")))
    section->fault(
        "step",
        "step fixes the step, so that rtol and atol would be ignored; give either a step or tolerances");
  run.formulation = section->text("formulation").value_or("");
  run.integrator = section->text("integrator").value_or("");
  run.stabilizer = section->text("stabilizer").value_or("");
  run.controller = section->text("controller").value_or("");
  run.coordinates = section->text("coordinates").value_or("");
  const std::vector<std::string> kinds = {"", "absolute", "relative", "auto"};
  if (std::find(kinds.begin(), kinds.end(), run.coordinates) == kinds.end())
    section->fault("coordinates", fmt::format("coordinates is '{}' (must be absolute, relative or auto){}",
                                              run.coordinates, suggestion(run.coordinates, kinds)));
  run.controls = section->texts("controls").value_or(std::vector<std::string>{});
  section->finish();
}

void ModelReader::read_output(Section& root) {
  auto section = root.section("output");
  if (!section) return;
  model_.columns = section->texts("columns").value_or(std::vector<std::string>{});
  section->finish();
}

void ModelReader::read_expectations(Section& root) {
  auto section = root.section("expect");
  if (!section) return;
  for (auto& [column, own] : section->entries()) {
    Expectation e{.column = column};
    for (const auto& [key, target] :
         {std::pair{"at", &e.at}, std::pair{"value", &e.value}, std::pair{"tolerance", &e.tolerance}})
      if (own.need(key, "a number to expect has at, value and tolerance"))
        if (const auto number = own.number(key)) *target = *number;
    e.why = own.text("why").value_or("");
    if (!own.broken() && !(e.tolerance > 0))
      own.fault("tolerance",
                fmt::format("tolerance is {:g} (must be above 0); give a positive one", e.tolerance));
    own.finish();
    if (!own.broken()) model_.expectations.push_back(e);
  }
}

// Names of results can only be looked up when everything else is there.
void ModelReader::check_outputs(Section& root) {
  // Made once for all names: there may be thousands, of thousands of bodies.
  std::optional<ModelOutputs> outputs;
  constexpr int most_near = 20;  // to look for the name that was meant takes long
  int wrong_names = 0;
  const auto check = [&](Section& section, const std::string& key, const std::string& name, bool single) {
    try {
      if (!outputs) outputs.emplace(model_, std::vector<std::string>{"energy.total"});
    } catch (const InputError& error) {
      section.fault(key, error.what());
      return;
    }
    if (const std::string wrong = outputs->fault(name, wrong_names < most_near); !wrong.empty())
      ++wrong_names, section.fault(key, wrong);
    else if (single && name.find('*') != std::string::npos)
      section.fault(key, fmt::format("'{}' may be several results; name one", name));
  };
  if (auto output = root.section("output"))
    for (const std::string& name : model_.columns) check(*output, "columns", name, false);
  if (auto expect = root.section("expect"))
    for (const Expectation& e : model_.expectations) {
      check(*expect, e.column, e.column, true);
      const auto dimension = outputs ? outputs->dimension(e.column) : std::nullopt;
      auto own = expect->section(e.column);
      if (!dimension || !own) continue;
      own->number("at", {.time = 1});  // what they are quantities of is told as for all numbers
      for (const char* key : {"value", "tolerance"}) own->number(key, *dimension);
    }
}

}  // namespace driftless::io
