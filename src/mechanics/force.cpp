#include <driftless/mechanics/force.hpp>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless::mechanics {

Measure ForceElements::length() const {
  return coordinate_ ? model_.measure(*coordinate_) : between_.between(Measure::Kind::distance);
}

void ForceElements::refuse(const std::string& why) const {
  throw InputError(fmt::format("force {} {}", name_, why));
}

Motion ForceElements::motion(const std::string& name) const {
  const Setting& setting = settings_.at(name);
  if (const Table* table = setting.get<Table>()) return Motion(*table);
  if (const std::string* text = setting.get<std::string>()) return Motion(*text, parameters_);
  return Motion(*setting.get<double>());
}

ForceLaw ForceElements::formula(const std::string& name) const {
  const Setting& setting = settings_.at(name);
  const std::string* text = setting.get<std::string>();
  return read_(text ? *text : fmt::format("{}", *setting.get<double>()));
}

void ForceElements::act(const Measure& along, ForceLaw law, const std::string& part) {
  int measure = static_cast<int>(model_.measures.size());
  if (coordinate_ && along == model_.measure(*coordinate_)) {
    measure = *coordinate_;
    model_.ask_for(measure);
  } else {
    model_.measures.push_back(along);
  }
  model_.forces.push_back({part.empty() ? name_ : name_ + ", " + part, measure, std::move(law)});
}

}  // namespace driftless::mechanics
