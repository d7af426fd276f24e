// Settings of joints, forces and drives: numbers, formulas, tables and profiles, in the units of the file.
#include <cctype>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/method_options.hpp>

#include "io/model/model_reader.hpp"

namespace driftless::io {

namespace {

using mechanics::Dimension;
using mechanics::Profile;
using mechanics::Setting;
using mechanics::SettingSpec;
using mechanics::Table;
using mechanics::TableOptions;

using Points = std::vector<std::pair<double, double>>;

constexpr std::uintmax_t largest_table = 16 << 20;

// Two numbers in each line; comments begin with #; a first line that begins with a letter is a header.
// Every line is shown to `seen`.
template <class Seen>
Points read_columns(const std::filesystem::path& file, Seen seen) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (!std::filesystem::is_regular_file(file, error))
    throw InputError(
        fmt::format("the table {} is not there, or is no plain file; it cannot be read", file.string()));
  std::ifstream in(file);
  if (error || !in)
    throw InputError(fmt::format("the table {} cannot be read; look whether it is there", file.string()));
  if (size > largest_table)
    throw InputError(fmt::format("the table {} has {} bytes (limit {}); give fewer points", file.string(),
                                 size, largest_table));
  Points points;
  std::string line;
  bool header_allowed = true;
  for (int number = 1; std::getline(in, line); ++number) {
    seen(line);
    if (number == 1 && line.starts_with("\xEF\xBB\xBF"))
      line.erase(0, 3);  // what some editors begin files with
    line.resize(std::min(line.find('#'), line.size()));
    for (char& c : line)
      if (c == ',' || c == ';') c = ' ';
    std::istringstream words(line);
    std::string first, second, third;
    if (!(words >> first)) continue;
    words >> second >> third;
    const auto number_in = [&](const std::string& word) {
      return parse_number(word, fmt::format("line {} of {}", number, file.string()));
    };
    if (points.empty() && std::exchange(header_allowed, false) &&
        std::isalpha(static_cast<unsigned char>(first[0])) && first != "nan" && first != "inf")
      continue;
    if (second.empty() || !third.empty())
      throw InputError(fmt::format("line {} of {} is '{}'; write two numbers in every line", number,
                                   file.string(), line.substr(0, 40)));
    points.emplace_back(number_in(first), number_in(second));
  }
  return points;
}

Table table_through(const Points& points, const TableOptions& options) {
  std::vector<double> x, y;
  for (const auto& [a, b] : points) x.push_back(a), y.push_back(b);
  return Table(x, y, options);
}

// One of a few words; nothing, and a fault, where it is none of them.
template <class Word>
std::optional<Word> word_of(Section& section, const std::string& key, Word fallback,
                            const std::vector<std::pair<std::string, Word>>& words) {
  const auto given = section.text(key);  // asked for first, so that a misspelt key is told of it
  if (!section.has(key)) return fallback;
  if (!given) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, word] : words) {
    if (name == *given) return word;
    names.push_back(name);
  }
  section.fault(key, fmt::format("there is no {} \"{}\"; there are {}{}", key, *given, fmt::join(names, ", "),
                                 suggestion(*given, names)));
  return std::nullopt;
}

// Does not lead out of the folder, by dots or by links.
bool inside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code error;
  const auto real_path = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  const auto home = real_path(folder.empty() ? "." : folder), real = real_path(file);
  const auto relative = real.lexically_relative(home);
  return !error && !relative.empty() && *relative.begin() != "..";
}

}  // namespace

void ModelReader::use_constants(const std::string& formula) {
  for (const auto& [name, value] : reading_.numbers.constants_for(formula))
    model_.mechanism.parameter(name, value, reading_.numbers.quantity_of(name));
}

std::optional<TableOptions> ModelReader::read_table_options(Section& table, const Dimension& x,
                                                            const Dimension& y) {
  using mechanics::Interpolation, mechanics::Outside;
  const auto interpolation = word_of(table, "interpolation", Interpolation::pchip,
                                     {{"pchip", Interpolation::pchip},
                                      {"linear", Interpolation::linear},
                                      {"spline", Interpolation::spline}});
  const auto outside =
      word_of(table, "outside", Outside::hold,
              {{"hold", Outside::hold}, {"linear", Outside::linear}, {"error", Outside::error}});
  if (!interpolation || !outside) return std::nullopt;
  const mechanics::Units& units = reading_.numbers.units();
  return TableOptions{*interpolation,
                      *outside,
                      {units.of(x), units.of(y), mechanics::unit_text(x, model_.unit_names),
                       mechanics::unit_text(y, model_.unit_names)}};
}

std::optional<mechanics::JumpHandling> ModelReader::read_jumps(Section& drive, bool angle) {
  const Dimension time{.time = 1}, own = mechanics::stretch_unit.along(angle);
  const auto blend = word_of(drive, "jumps", true, {{"blend", true}, {"event", false}});
  const auto over = drive.positive("blend", time);
  if (blend && !*blend && over)
    drive.fault("blend", "what is passed as an event is not blended; leave blend out");
  if (!blend || drive.broken()) return std::nullopt;
  const mechanics::Units& units = reading_.numbers.units();
  return mechanics::JumpHandling{
      *blend,
      over,
      {units.of(time), units.of(own), mechanics::unit_text(time, model_.unit_names),
       mechanics::unit_text(own, model_.unit_names)}};
}

std::optional<Table> ModelReader::read_table(Section& table, const Dimension& x, const Dimension& y) {
  const auto options = read_table_options(table, x, y);
  const auto points = table.points("points", x, y);
  const auto file = table.text("file");
  if (!table.has("points") && !table.has("file"))
    table.fault("a table has points = [[x, y], ..], or file = \"NAME.csv\"; give one of them");
  if (points && file) table.fault("file", "points and file are both given; leave one out");
  table.finish();
  if (table.broken() || !options) return std::nullopt;
  std::optional<Table> made;
  guarded(table, [&] {
    if (points) {
      made = table_through(*points, *options);
      return;
    }
    const std::filesystem::path folder = path_.parent_path(), where = folder / *file;
    if (!inside(folder, where))
      throw InputError(
          fmt::format("the table '{}' lies outside of the model's folder; move it there", *file));
    const double x_unit = reading_.numbers.units().of(x), y_unit = reading_.numbers.units().of(y);
    Points read = read_columns(where, [this](const std::string& line) { digest(line + '\n'); });
    for (auto& [a, b] : read) a *= x_unit, b *= y_unit;
    made = table_through(read, *options);
  });
  return made;
}

std::optional<Profile> ModelReader::read_profile(Section& table, const Dimension& d) {
  const auto points = table.need("points", "the points of the curve, [[x, y], ..]")
                          ? table.points("points", d, d)
                          : std::nullopt;
  const bool closed = table.flag("closed").value_or(false);
  table.finish();
  if (!points || table.broken()) return std::nullopt;
  std::vector<double> x, y;
  for (const auto& [a, b] : *points) x.push_back(a), y.push_back(b);
  std::optional<Profile> made;
  guarded(table, [&] { made.emplace(x, y, closed ? Profile::Kind::closed : Profile::Kind::open); });
  return made;
}

std::optional<Setting> ModelReader::read_setting(Section& section, const SettingSpec& spec, bool angle) {
  const Dimension own = spec.dimension.along(angle), over = spec.argument.along(angle);
  const toml::node* node = section.node(spec.name);
  if (!node) return std::nullopt;
  const bool formula = spec.kind == SettingSpec::Kind::formula || spec.kind == SettingSpec::Kind::motion;
  if (formula && node->is_string()) {
    const std::string text = *section.text(spec.name);
    use_constants(text);
    return Setting(text);
  }
  const bool table = spec.kind == SettingSpec::Kind::table || spec.kind == SettingSpec::Kind::motion;
  if (table && (node->is_table() || spec.kind == SettingSpec::Kind::table)) {
    auto values = section.section(spec.name);
    if (!values) return std::nullopt;
    if (const auto made = read_table(*values, over, own)) return Setting(*made);
    return std::nullopt;
  }
  if (spec.kind == SettingSpec::Kind::profile) {
    auto values = section.section(spec.name);
    if (!values) return std::nullopt;
    if (const auto made = read_profile(*values, own)) return Setting(*made);
    return std::nullopt;
  }
  if (const auto number = section.number(spec.name, own)) return Setting(*number);
  return std::nullopt;
}

std::string ModelReader::formula_key(const mechanics::Settings& settings) {
  for (const auto& [name, setting] : settings)
    if (setting.get<std::string>()) return name;
  return {};
}

mechanics::Settings ModelReader::read_settings(Section& section, const std::vector<SettingSpec>& specs,
                                               bool angle) {
  mechanics::Settings settings;
  for (const SettingSpec& spec : specs)
    if (const auto setting = read_setting(section, spec, angle)) settings.emplace(spec.name, *setting);
  return settings;
}

}  // namespace driftless::io
