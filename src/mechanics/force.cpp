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

Dimension ForceElements::dimension_of(const std::string& setting) const {
  const bool angle = coordinate_ && model_.measure(*coordinate_).is_angle();
  for (const SettingSpec& spec : specs_)
    if (spec.name == setting) return spec.dimension.along(angle);
  return {};
}

Motion ForceElements::motion(const std::string& name) const try {
  const Setting& setting = settings_.at(name);
  if (const Table* table = setting.get<Table>()) return Motion(*table);
  if (const std::string* text = setting.get<std::string>())
    return Motion(formulas_.read_motion(*text, dimension_of(name)), formulas_.units.time,
                  formulas_.units.of(dimension_of(name)));
  return Motion(*setting.get<double>());
} catch (const InputError& error) {
  throw InputError(fmt::format("force {}: {}", name_, error.what()));
}

ForceLaw ForceElements::formula(const std::string& name) const {
  const Setting& setting = settings_.at(name);
  const std::string* text = setting.get<std::string>();
  if (!text) return ExpressionLaw{.expression = Expression::constant_of(*setting.get<double>())};
  ExpressionLaw law = formulas_.read(*text, dimension_of(name));
  if (!law.units.empty()) law.units.push_back(formulas_.units.of(dimension_of(name)));
  return law;
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
