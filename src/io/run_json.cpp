#include <driftless/io/run_json.hpp>

#include <cmath>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <driftless/core/manifold.hpp>
#include <driftless/observers/drift_monitor.hpp>
#include <driftless/version.hpp>

namespace driftless::io {

namespace {

using Json = nlohmann::ordered_json;

// Writes the parts of a report; collects a note for every null.
class Writer {
 public:
  explicit Writer(const RunReport& report)
      : report_(report), units_(report.units), solution_(report.solution) {
    for (const std::string& warning : report.warnings) notes_.push_back("warning: " + warning);
    const std::vector<std::string> notes = notes_of(report);
    notes_.insert(notes_.end(), notes.begin(), notes.end());
  }

  Json document() {
    Json json;
    json["problem"] = report_.name;
    json["parameters"] = parameters();
    json["method"] = method();
    json["units"] = units();
    json["settings"] = settings();
    json["start"] = start();
    json["resumed"] = report_.resumed_from.empty()
                          ? Json()
                          : Json({{"from", report_.resumed_from}, {"t", units_.t(report_.start.state.t)}});
    json["end"] = {{"reason", name_of(solution_.end)},
                   {"t", number(units_.t(solution_.final.t), "end.t")},
                   {"message", solution_.end_message.empty() ? Json() : Json(solution_.end_message)}};
    json["final"] = final_state();
    if (report_.named) json["outputs"] = outputs();
    json["events"] = events();
    json["singularities"] = singularities();
    json["drift"] = drift();
    json["energy"] = energy();
    error(json);
    json["work"] = work();
    json["seconds"] = number(solution_.seconds, "seconds");
    json["version"] = version;
    json["output"] = {{"folder", report_.folder.empty() ? Json() : Json(report_.folder)},
                      {"states", solution_.states.size()},
                      {"plots", report_.plots}};
    json["notes"] = notes_;
    return json;
  }

 private:
  Json number(double value, const std::string& where) {
    if (std::isfinite(value)) return value;
    notes_.push_back(fmt::format("{} is null: its value is {}", where, value));
    return nullptr;
  }

  Json vector(VectorIn values, const std::string& where) {
    Json list = Json::array();
    for (Eigen::Index i = 0; i < values.size(); ++i)
      list.push_back(number(values(i), fmt::format("{}[{}]", where, i)));
    return list;
  }

  Json unknown(const std::string& where, const std::string& why) {
    notes_.push_back(fmt::format("{} is null: {}", where, why));
    return nullptr;
  }

  // By the names of a model file.
  Json outputs() {
    Json values = Json::object(), expectations = Json::array();
    for (const NamedValue& v : report_.named->values)
      values[v.name] = {{"value", number(v.value, "outputs." + v.name)}, {"unit", v.unit}};
    for (const MetExpectation& e : report_.named->expectations)
      expectations.push_back({{"name", e.name},
                              {"at", e.at},
                              {"expected", e.expected},
                              {"tolerance", e.tolerance},
                              {"unit", e.unit},
                              {"value", e.value ? number(*e.value, "outputs." + e.name) : Json()},
                              {"met", e.met()}});
    return {{"t", report_.named->end},
            {"time_unit", report_.named->time_unit},
            {"values", values},
            {"expectations", expectations}};
  }

  Json parameters() const {
    Json json = Json::object();
    for (const auto& [name, value] : report_.parameters) {
      const Json number = Json::parse(value, nullptr, /*allow_exceptions=*/false);
      json[name] = number.is_number() ? number : Json(value);
    }
    return json;
  }

  Json method() const {
    const MethodWords& m = report_.method;
    return {{"formulation", m.formulation},
            {"integrator", m.integrator},
            {"stabilizer", m.stabilizer},
            {"controls", m.controls},
            {"controller", m.controller},
            {"coordinates", m.coordinates.empty() ? Json() : Json(m.coordinates)}};
  }

  // Of the vectors and energies of this document; null: a problem of the catalog, whose numbers have no units.
  Json units() const {
    if (!units_.known()) return nullptr;
    const auto names = [](const auto& all) {
      Json list = Json::array();
      for (const StateUnits::Unit& unit : all) list.push_back(unit.name);
      return list;
    };
    const auto nq = units_.z.begin() + report_.problem->shape().nq;
    return {
        {"t", units_.time.name},
        {"energy", units_.energy.name},
        {"q", names(std::vector(units_.z.begin(), nq))},
        {"v", names(std::vector(nq, units_.z.end()))},
        {"acceleration", names(units_.acceleration)},
        {"lambda", names(units_.lambda)},
        {"kappa", names(units_.kappa)},
        {"extras", "SI, but work"},
        {"constraints", "SI"}};  // what g, drift and moved are in: lengths and angles, the largest of both
  }

  // null here: the setting does not take part in the run, so there is nothing to explain.
  Json settings() const {
    const Options& o = report_.options;
    const auto optional = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    const auto time = [&](const std::optional<double>& t) { return t ? Json(units_.t(*t)) : Json(); };
    Json events = Json::array();
    for (const Event& event : o.events) events.push_back(event.name);
    return {{"t_end", time(o.t_end)},   {"step", time(o.step)}, {"rtol", optional(o.rtol)},
            {"atol", optional(o.atol)}, {"h0", time(o.h0)},     {"hmax", time(o.hmax)},
            {"max_steps", o.max_steps}, {"events", events}};
  }

  Json start() {
    return {{"t", units_.t(report_.start.state.t)},
            {"moved", vector(report_.start.moved, "start.moved")},
            {"acceleration",
             vector(units_.of(report_.start.acceleration, units_.acceleration), "start.acceleration")},
            {"report", report_.start.changed ? Json(report_.start.report) : Json()}};
  }

  Json state_json(const State& si, const std::string& where) {
    const State state = units_.known() ? units_.state(si) : si;
    Json json = {{"t", number(state.t, where + ".t")},
                 {"q", vector(state.q(), where + ".q")},
                 {"v", state.layout.order > 1 ? vector(state.v(), where + ".v") : Json::array()}};
    for (int level = 2; level < state.layout.order; ++level) {
      const std::string name = fmt::format("x{}", level);  // derivatives beyond the velocity
      json[name] = vector(state.level(level), where + "." + name);
    }
    json["lambda"] = vector(state.lambda, where + ".lambda");
    json["kappa"] = vector(state.kappa, where + ".kappa");
    json["extras"] = Json::object();
    for (const Extra& extra : state.extras)
      json["extras"][extra.name] = vector(extra.value, where + ".extras." + extra.name);
    return json;
  }

  // The state at the end, and where it stands with the constraints and the problem's own invariants.
  Json final_state() {
    const State& state = solution_.final;
    const Problem& problem = *report_.problem;
    const Shape& shape = problem.shape();
    Json json = state_json(state, "final");
    Evaluation parts;
    Parts wanted;
    if (shape.ng > 0) wanted = wanted | Part::position;
    if (shape.ng > 0 && shape.order > 1) wanted = wanted | Part::rates;
    if (shape.ni > 0) wanted = wanted | Part::invariants;
    problem.evaluate(wanted, Point(state.t, state.z), parts);
    json["g"] = vector(shape.ng > 0 ? parts.g : Vector(), "final.g");
    json["g_rate"] =
        vector(shape.ng > 0 && shape.order > 1 ? Vector(parts.rates.col(0)) : Vector(), "final.g_rate");
    json["invariants"] = Json::object();
    for (int i = 0; i < shape.ni; ++i) {
      const std::string name = problem.invariant_name(i);
      json["invariants"][name] = number(parts.invariants(i), "final.invariants." + name);
    }
    json["drift"] = final_drift();
    return json;
  }

  Json final_drift() {
    Manifold manifold(*report_.problem);
    if (manifold.empty()) return {{"position", nullptr}, {"velocity", nullptr}};  // `drift` has the note
    const observers::DriftSample drift = observers::drift_at(manifold, solution_.final);
    return {{"position", number(drift.position, "final.drift.position")},
            {"velocity", number(drift.velocity, "final.drift.velocity")}};
  }

  Json events() {
    Json list = Json::array();
    for (const EventRecord& event : solution_.events)
      list.push_back({{"name", event.name},
                      {"t", units_.t(event.t)},
                      {"state", state_json(event.state, "events.state")}});
    return list;
  }

  Json singularities() {
    Json list = Json::array();
    for (const Singularity& one : solution_.singularities) {
      Json rows = Json::array();
      for (const int row : one.rows) rows.push_back(report_.problem->constraint_name(row));
      list.push_back({{"kind", name_of(one.kind)},
                      {"t", units_.t(one.t)},
                      {"rank", one.rank},
                      {"rank_before", one.rank_before},
                      {"smallest_singular_value", number(one.size, "singularities.smallest_singular_value")},
                      {"constraints", rows},
                      {"state", state_json(one.state, "singularities.state")}});
    }
    return list;
  }

  // Of the mechanism; of problems that know none, of their coordinates.
  double size() const { return report_.problem->scales(solution_.final.t, solution_.final.q()).length; }
  Json drift() {
    if (solution_.drift)
      return {{"position", number(solution_.drift->position, "drift.position")},
              {"velocity", number(solution_.drift->velocity, "drift.velocity")},
              {"relative", number(solution_.drift->position / size(), "drift.relative")}};
    const Json none = unknown("drift", "the problem has no constraints");
    return {{"position", none}, {"velocity", none}};
  }

  Json energy() {
    if (solution_.energy)
      return {{"start", number(solution_.energy->start / units_.energy.si, "energy.start")},
              {"end", number(solution_.energy->end / units_.energy.si, "energy.end")},
              {"work", number(solution_.energy->work / units_.energy.si, "energy.work")},
              {"balance", number(solution_.energy->balance / units_.energy.si, "energy.balance")}};
    const Json none = unknown("energy", "the problem does not give its energy");
    return {{"start", none}, {"end", none}, {"work", none}, {"balance", none}};
  }

  // Distances from the reference. q, v, lambda are always there; kappa, x2, x3, .. if the problem has them.
  void error(Json& json) {
    const ReferenceError& e = report_.error;
    const State& state = solution_.final;
    const bool any = e.q || e.v || e.lambda || e.kappa;
    Json parts = Json::object();
    const auto add = [&](const std::string& name, const std::optional<double>& value, bool exists) {
      parts[name] = value ? number(*value, "error." + name) : Json();
      if (any && !value)
        unknown("error." + name, exists ? "the reference does not contain it" : "the problem has none");
    };
    add("q", e.q, true);
    add("v", e.v, state.layout.order > 1);
    for (std::size_t i = 0; i < e.higher.size(); ++i) add(fmt::format("x{}", i + 2), e.higher[i], true);
    add("lambda", e.lambda, state.lambda.size() > 0);
    if (state.kappa.size() > 0) add("kappa", e.kappa, true);
    json["error"] = parts;
    Json relative = Json::object();
    const auto add_relative = [&](const std::string& name, const std::optional<double>& value,
                                  const std::optional<double>& absolute) {
      relative[name] = value ? number(*value, "error_relative." + name) : Json();
      if (absolute && !value) unknown("error_relative." + name, "an entry of the reference is zero");
    };
    add_relative("q", e.q_relative, e.q);
    add_relative("v", e.v_relative, e.v);
    add_relative("lambda", e.lambda_relative, e.lambda);
    json["error_relative"] = relative;
    json["reference"] = e.source.empty() ? Json() : Json(e.source);
    if (e.source.empty()) {
      unknown("error", "no reference solution is known for these parameters");
    } else if (!any) {
      unknown("error", fmt::format("the reference is not known at t = {:.10g}", state.t));
    }
  }

  Json work() const {
    const Work& w = solution_.work;
    return {{"steps", w.steps},
            {"rejected", w.rejected},
            {"rhs", w.rhs},
            {"jacobians", w.jacobians},
            {"newton", w.newton},
            {"factorizations", w.factorizations},
            {"projections", w.projections},
            {"orders", orders()}};
  }

  // Of runs that chose their steps: how many had which order.
  Json orders() const {
    Json json = Json::object();
    for (const auto& [order, steps] : steps_by_order(solution_)) json[std::to_string(order)] = steps;
    return json;
  }

  const RunReport& report_;
  const StateUnits& units_;
  const Solution& solution_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string run_json(const RunReport& report) {
  // A name that is not UTF-8 (a folder's) is no reason to lose the document.
  return Writer(report).document().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless::io
