#include <driftless/io/model_schema.hpp>

#include <initializer_list>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <driftless/mechanics/force.hpp>
#include <driftless/mechanics/joint.hpp>

namespace driftless::io {

namespace {

using Json = nlohmann::ordered_json;
using mechanics::SettingSpec;

Json reference(const std::string& name) {
  return {{"$ref", "#/$defs/" + name}};
}

Json described(Json schema, const std::string& text) {
  if (!text.empty()) schema["description"] = text;
  return schema;
}

Json text_of(const std::string& description) {
  return {{"type", "string"}, {"description", description}};
}

Json object(std::initializer_list<std::pair<std::string, Json>> properties,
            const std::vector<std::string>& required = {}) {
  Json own = Json::object();
  for (const auto& [name, schema] : properties) own[name] = schema;
  Json schema = {{"type", "object"}, {"properties", own}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

Json named(const Json& entry, const std::string& description) {
  return {{"type", "object"}, {"description", description}, {"additionalProperties", entry}};
}

Json list_of(const Json& items, int least, int most) {
  return {{"type", "array"}, {"items", items}, {"minItems", least}, {"maxItems", most}};
}

Json words(const std::vector<std::string>& all) {
  return {{"enum", all}};
}

Json setting(const SettingSpec& spec) {
  switch (spec.kind) {
    case SettingSpec::Kind::number:
      return reference("number");
    case SettingSpec::Kind::formula:
      return reference("formula");
    case SettingSpec::Kind::motion:
      return reference("motion");
    case SettingSpec::Kind::table:
      return reference("table");
    case SettingSpec::Kind::profile:
      return reference("profile");
  }
  return {};
}

// The keys that say where an entry sits between two bodies.
void add_place(Json& properties) {
  properties["between"] = described(list_of({{"type", "string"}}, 2, 2), "the two bodies; \"ground\" is one");
  properties["at"] = described(reference("vector"), "where in the world, with the bodies as they are given");
  properties["from"] =
      described(reference("vector"), "its end on the first body, in the world, where the ends lie apart");
  properties["to"] = described(reference("vector"), "its end on the second body");
  properties["axis"] = described(reference("vector"), "its own axis in the world (z)");
  properties["x"] = described(reference("vector"), "a direction across the axis");
  properties["a"] = described(reference("marker"), "where it sits on the first body, by the body's own axes");
  properties["b"] = described(reference("marker"), "where it sits on the second body");
}

// One alternative for each type, told apart by the key `type`.
template <class Table, class Places>
Json types_of(const Table& table, Places places) {
  Json alternatives = Json::array();
  for (const auto& [name, entry] : table) {
    Json properties = {{"type", {{"const", name}, {"description", entry.summary}}}};
    std::vector<std::string> required = {"type"};
    places(entry, properties, required);
    for (const SettingSpec& spec : entry.settings) {
      properties[spec.name] = described(setting(spec), spec.help);
      if (spec.required) required.push_back(spec.name);
    }
    alternatives.push_back({{"title", name},
                            {"type", "object"},
                            {"properties", properties},
                            {"required", required},
                            {"additionalProperties", false}});
  }
  return {{"oneOf", alternatives}};
}

Json joints() {
  return types_of(mechanics::joint_table(), [](const mechanics::JointEntry& entry, Json& properties,
                                               std::vector<std::string>& required) {
    if (entry.of_joints) {
      properties["joints"] = described(list_of({{"type", "string"}}, 2, 2), "the two joints that it couples");
      required.push_back("joints");
    } else {
      add_place(properties);
      required.push_back("between");
    }
  });
}

Json forces() {
  return types_of(mechanics::force_table(), [](const mechanics::ForceEntry& entry, Json& properties,
                                               std::vector<std::string>& required) {
    if (entry.of_joints)
      properties["on"] = text_of("the coordinate of a joint that it acts along, like A.angle");
    if (entry.of_markers) add_place(properties);
    if (!entry.of_markers) required.push_back("on");
    if (!entry.of_joints) required.push_back("between");
  });
}

Json shape() {
  const Json number = reference("number"), vector = reference("vector");
  return object(
      {{"type", words({"box", "sphere", "cylinder", "capsule", "link"})},
       {"size", described(vector, "edges of a box")},
       {"radius", described(number, "of a sphere, cylinder or capsule")},
       {"length",
        described(number,
                  "of a cylinder or capsule along its axis, of a link between the centres of its ends")},
       {"width", described(number, "of a link (length/10)")},
       {"thickness", described(number, "of a link (width/2)")},
       {"at", described(vector, "its centre, by the body's axes")},
       {"axis", described(vector, "where its axis points: z, of a link x")},
       {"x", described(vector, "roughly where its first axis points, across that")},
       {"density", number},
       {"color", {{"type", "string"}, {"pattern", "^#[0-9a-fA-F]{6}$"}}}},
      {"type"});
}

Json body() {
  const Json number = reference("number"), vector = reference("vector");
  return object(
      {{"dimensions", {{"enum", {2, 3}}}},
       {"mass", number},
       {"inertia",
        {{"anyOf", {number, vector}},
         {"description", "in the plane a number, in space three moments about the mass centre"}}},
       {"products", described(vector, "of inertia: J_yz, J_zx, J_xy")},
       {"massless",
        {{"type", "boolean"},
         {"description",
          "in space: it stands between two joints, without mass, inertia, center and shapes"}}},
       {"at", described(vector, "where the body's origin is")},
       {"angle", described(number, "how it is turned, in the plane")},
       {"turn", reference("turn")},
       {"axes", reference("axes")},
       {"quaternion", reference("quaternion")},
       {"from",
        described(vector,
                  "where it begins: its origin is in the middle, its first axis points to the other end")},
       {"to", described(vector, "where it ends")},
       {"up", described(vector, "roughly where its third axis points")},
       {"center", described(vector, "the mass centre, by its own axes")},
       {"velocity", described(vector, "of its origin at the start")},
       {"spin", described(number, "at the start, in the plane")},
       {"rates", described(vector, "about its own axes at the start")},
       {"density", described(number, "of all its shapes")},
       {"shape", reference("shape")},
       {"shapes", {{"type", "array"}, {"items", reference("shape")}}}});
}

Json units() {
  return object({{"length", words({"m", "km", "cm", "mm", "um", "in", "inch", "ft"})},
                 {"mass", words({"kg", "g", "t", "lb"})},
                 {"time", words({"s", "ms", "min"})},
                 {"angle", words({"rad", "deg", "turn"})},
                 {"force", words({"N", "kN", "mN", "lbf"})}});
}

Json definitions() {
  const Json number = reference("number");
  Json points = {{"type", "array"}, {"items", list_of(number, 2, 2)}};
  return {
      {"number",
       {{"type", Json::array({"number", "string"})},
        {"description", "a number, or arithmetic on parameters in text"}}},
      {"formula",
       {{"type", Json::array({"number", "string"})},
        {"description",
         "a number, or a formula in t, parameters and joint coordinates like A.angle and A.angle'"}}},
      {"vector", list_of(number, 2, 3)},
      {"table",
       object(
           {{"points", points},
            {"file", text_of("two columns of numbers, beside the model file")},
            {"interpolation", described({{"enum", {"pchip", "linear", "spline"}}},
                                        "between the points: pchip keeps their shape, a spline is smoother "
                                        "and may lead beyond them")},
            {"outside", described({{"enum", {"hold", "linear", "error"}}},
                                  "beyond the points: the end value, straight on, or an end of the run")}})},
      {"motion",
       {{"anyOf", {reference("formula"), reference("table")}},
        {"description", "a number, a formula in t, or a table over t"}}},
      {"profile", object({{"points", points}, {"closed", {{"type", "boolean"}}}}, {"points"})},
      {"marker",
       object({{"at", reference("vector")}, {"axis", reference("vector")}, {"x", reference("vector")}})},
      {"turn", object({{"axis", reference("vector")}, {"angle", number}}, {"axis", "angle"})},
      {"axes", object({{"x", reference("vector")}, {"y", reference("vector")}}, {"x", "y"})},
      {"quaternion", list_of({{"type", "number"}}, 4, 4)},
      {"shape", shape()},
      {"body", body()},
      {"joint", joints()},
      {"force", forces()},
      {"drive",
       object({{"on", text_of("the coordinate of a joint that is driven, like A.angle")},
               {"point", object({{"body", text_of("its name")}, {"at", reference("vector")}}, {"body"})},
               {"along",
                described(reference("vector"), "the direction in the world that the point is driven along")},
               {"motion", reference("motion")},
               {"jumps", described({{"enum", {"blend", "event"}}},
                                   "what becomes of what jumps (a value, its rate): it is blended, "
                                   "or a step ends there and velocities change as in an impact")},
               {"blend", described(number,
                                   "the time over which a jump is blended (a twentieth of the distance "
                                   "of the points)")}},
              {"motion"})}};
}

Json run() {
  const Json number = reference("number"), word = {{"type", "string"}};
  return object({{"t_end", described(number, "when to end (10 s)")},
                 {"output", described(number, "time between states that are written (every step)")},
                 {"step", described(number, "a fixed step")},
                 {"rtol", number},
                 {"atol", number},
                 {"hmax", described(number, "largest step")},
                 {"formulation", word},
                 {"integrator", word},
                 {"stabilizer", word},
                 {"controller", word},
                 {"coordinates", {{"enum", {"absolute", "relative", "auto"}}}},
                 {"controls", {{"type", "array"}, {"items", word}}}});
}

// What both kinds of files may have.
std::vector<std::pair<std::string, Json>> tables() {
  const Json number = reference("number"), texts = {{"type", "array"}, {"items", {{"type", "string"}}}},
             numbers = {{"type", "object"}, {"additionalProperties", number}};
  return {
      {"parameters", described(numbers, "numbers, or arithmetic on other parameters; --set changes them")},
      {"body", named(reference("body"), "bodies by name")},
      {"point", named(object({{"body", text_of("the body it belongs to")},
                              {"at", reference("vector")},
                              {"turn", reference("turn")},
                              {"axes", reference("axes")},
                              {"quaternion", reference("quaternion")}},
                             {"body"}),
                      "points of bodies, for outputs and for joints and forces to sit on")},
      {"joint", named(reference("joint"), "joints by name")},
      {"force", named(reference("force"), "forces by name")},
      {"drive", named(reference("drive"), "prescribed motions by name")},
      {"start", object({{"hold", texts}, {"positions", numbers}, {"rates", numbers}})},
      {"run", run()},
      {"output", object({{"columns", texts}})},
      {"expect", named(object({{"at", number},
                               {"value", number},
                               {"tolerance", number},
                               {"why", text_of("where the number comes from")}},
                              {"at", "value", "tolerance"}),
                       "numbers that a run must meet, by the names of outputs")}};
}

std::string schema_of(const std::string& title, const std::string& description, Json root) {
  Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}, {"description", description}};
  for (const auto& [name, entry] : tables()) root["properties"][name] = entry;
  schema.update(root);
  schema["$defs"] = definitions();
  return schema.dump(2) + "\n";
}

}  // namespace

std::string model_schema() {
  return schema_of(
      "Driftless model file", "A mechanism of rigid bodies, joints and forces.",
      object({{"title", text_of("one line that says what it is")},
              {"about", text_of("what to look at")},
              {"dimensions",
               {{"enum", {2, 3}}, {"description", "what bodies are unless they say otherwise (3)"}}},
              {"gravity", reference("vector")},
              {"assembly_tolerance",
               {{"type", "number"},
                {"minimum", 0},
                {"maximum", 0.01},
                {"description",
                 "what redundant constraints may be off by, as a part of the mechanism's size (1e-6)"}}},
              {"units", described(units(), "what plain numbers mean (SI)")}},
             {"title", "body"}));
}

std::string loops_schema() {
  return schema_of(
      "Driftless loops file",
      "What a robot file cannot say: loops, forces, start and method, by the names of its links and joints, "
      "in SI units.",
      object({{"base",
               {{"enum", {"fixed", "free"}},
                {"description", "what hangs on nothing is fixed to the ground, or moves freely"}}},
              {"gravity",
               described(list_of({{"type", "number"}}, 3, 3), "instead of that of the robot file")}}));
}

}  // namespace driftless::io
