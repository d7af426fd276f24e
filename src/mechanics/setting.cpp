#include <driftless/mechanics/setting.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless::mechanics {

namespace {

std::string kind_name(SettingSpec::Kind kind) {
  switch (kind) {
    case SettingSpec::Kind::number:
      return "a number";
    case SettingSpec::Kind::motion:
      return "a number, a formula in t or a table over t";
    case SettingSpec::Kind::formula:
      return "a number or a formula";
    case SettingSpec::Kind::table:
      return "a table";
    case SettingSpec::Kind::profile:
      return "a profile";
  }
  return {};
}

bool fits(SettingSpec::Kind kind, const Setting& setting) {
  const bool number = setting.get<double>(), text = setting.get<std::string>(), table = setting.get<Table>();
  switch (kind) {
    case SettingSpec::Kind::number:
      return number;
    case SettingSpec::Kind::motion:
      return number || text || table;
    case SettingSpec::Kind::formula:
      return number || text;
    case SettingSpec::Kind::table:
      return table;
    case SettingSpec::Kind::profile:
      return setting.get<Profile>() != nullptr;
  }
  return false;
}

void check(const std::string& owner, const SettingSpec& spec, const Setting& setting) {
  if (!fits(spec.kind, setting))
    throw InputError(fmt::format("{}: {} must be {}", owner, spec.name, kind_name(spec.kind)));
  const double* number = setting.get<double>();
  if (!number) return;
  if (!std::isfinite(*number) || (spec.positive && !(*number > 0)) ||
      (spec.not_negative && !(*number >= 0)) || (spec.not_zero && *number == 0))
    throw InputError(fmt::format("{}: {} = {}; it must be {}", owner, spec.name, *number,
                                 spec.positive       ? "positive"
                                 : spec.not_negative ? "0 or positive"
                                 : spec.not_zero     ? "finite and not 0"
                                                     : "finite"));
}

}  // namespace

Settings checked_settings(const std::string& owner, const std::vector<SettingSpec>& specs,
                          const Settings& given) {
  Settings settings;
  std::vector<std::string> names;
  for (const SettingSpec& spec : specs) names.push_back(spec.name);
  for (const auto& [name, value] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(fmt::format("{} has no setting '{}'{}{}", owner, name,
                                   names.empty() ? "" : fmt::format("; it has {}", fmt::join(names, ", ")),
                                   suggestion(name, names)));
  for (const SettingSpec& spec : specs) {
    const auto found = given.find(spec.name);
    if (found == given.end()) {
      if (spec.required) throw InputError(fmt::format("{} needs '{}' ({})", owner, spec.name, spec.help));
      if (!spec.optional && spec.kind != SettingSpec::Kind::table && spec.kind != SettingSpec::Kind::profile)
        settings.emplace(spec.name, spec.fallback);
      continue;
    }
    check(owner, spec, found->second);
    settings.insert(*found);
  }
  return settings;
}

}  // namespace driftless::mechanics
