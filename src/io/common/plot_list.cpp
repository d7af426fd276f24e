#include "plot_list.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless::io {

namespace {

constexpr std::size_t longest_file_name = 80;

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

// Letters, digits and '_' only: theta' becomes theta_dot, lambda[0] becomes lambda_0.
std::string file_word(const std::string& name) {
  std::string word;
  for (const char c : name) {
    if (c == '\'')
      word += "_dot";
    else if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      word += c;
    else if (c != ']')
      word += '_';
  }
  return word;
}

class Parser {
 public:
  Parser(std::string_view list, const Problem& problem, const std::vector<std::string>& columns)
      : list_(list), problem_(problem), columns_(columns) {}

  std::vector<RunPlot> plots() {
    const std::vector<std::string> items = split(list_, ';');
    for (const std::string& item : items) {
      if (item.empty())
        throw InputError(
            fmt::format("`plot` is '{}', where an item is empty; write it like 'drift;energy;{}'", list_,
                        columns_.at(1)));
      if (std::count(items.begin(), items.end(), item) > 1)
        throw InputError(fmt::format("`plot` has the item '{}' twice; give it once", item));
      RunPlot plot = item == "drift"    ? drift()
                     : item == "energy" ? energy()
                     : item == "steps"  ? steps()
                                        : columns(item);
      plot.file = free_name(plot.file);
      plots_.push_back(std::move(plot));
    }
    return std::move(plots_);
  }

 private:
  RunPlot drift() const {
    const Shape& s = problem_.shape();
    if (s.multipliers() == 0)
      throw InputError("`plot = drift` needs constraints and the problem has none; leave it out");
    RunPlot plot{.kind = RunPlot::Kind::drift, .file = "drift", .over = 0, .of = {}, .figure = {}};
    plot.figure = {.title = "Drift off the constraints",
                   .subtitle = "",
                   .x_label = "t",
                   .y_label = "violation",
                   .logarithmic = true,
                   .series = {}};
    std::vector<std::string> rates;
    for (int j = 1; s.ng > 0 && j < s.order; ++j)
      rates.push_back(fmt::format("|g{}|", std::string(static_cast<std::size_t>(j), '\'')));
    if (s.nk > 0) rates.push_back("|w|");
    if (s.ng > 0) plot.figure.series.push_back({.name = "position |g|", .x = {}, .y = {}});
    if (!rates.empty())
      plot.figure.series.push_back(
          {.name = fmt::format("velocity {}", fmt::join(rates, ", ")), .x = {}, .y = {}});
    return plot;
  }

  RunPlot energy() const {
    if (!problem_.shape().has_energy)
      throw InputError(
          "`plot = energy` needs a problem that gives its energy, and this one does not; leave it out");
    RunPlot plot{.kind = RunPlot::Kind::energy, .file = "energy", .over = 0, .of = {}, .figure = {}};
    plot.figure = {.title = "Energy balance",
                   .subtitle = "",
                   .x_label = "t",
                   .y_label = "E − E(start) − work",
                   .logarithmic = false,
                   .series = {{.name = "energy balance", .x = {}, .y = {}}}};
    return plot;
  }

  static RunPlot steps() {
    RunPlot plot{.kind = RunPlot::Kind::steps, .file = "steps", .over = 0, .of = {}, .figure = {}};
    plot.figure = {.title = "Step size",
                   .subtitle = "",
                   .x_label = "t",
                   .y_label = "h",
                   .logarithmic = true,
                   .series = {}};
    return plot;
  }

  RunPlot columns(const std::string& item) const {
    const auto bar = item.find('|');
    const bool over_time = bar == std::string::npos;
    RunPlot plot;
    if (!over_time) plot.over = column(trimmed(std::string_view(item).substr(0, bar)), item);
    const std::vector<std::string> names = split(over_time ? item : item.substr(bar + 1), ',');
    std::vector<std::string> words;
    for (const std::string& name : names) {
      plot.of.push_back(column(name, item));
      if (std::count(names.begin(), names.end(), name) > 1)
        throw InputError(fmt::format("`plot` has the column '{}' twice in '{}'; give it once", name, item));
      plot.figure.series.push_back({.name = name, .x = {}, .y = {}});
      words.push_back(file_word(name));
    }
    plot.figure.x_label = columns_[plot.over];
    plot.figure.y_label = names.size() == 1 ? names.front() : "";
    plot.figure.title = fmt::format("{}", fmt::join(names, ", "));
    if (!over_time) plot.figure.title += " over " + columns_[plot.over];
    plot.file = fmt::format("{}{}", fmt::join(words, "-"),
                            over_time ? "" : "-over-" + file_word(columns_[plot.over]));
    return plot;
  }

  std::size_t column(const std::string& name, const std::string& item) const {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    if (name.empty())
      throw InputError(
          fmt::format("`plot` has the item '{}', where a column is missing; write it like 'x,y' "
                      "for columns over time, or 'x|y' for y over x",
                      item));
    if (name == "drift" || name == "energy" || name == "steps")
      throw InputError(
          fmt::format("`plot` has '{}' among columns in '{}'; it is an item of its own: separate it by "
                      "';'",
                      name, item));
    std::vector<std::string> known = {"drift", "energy", "steps"};
    known.insert(known.end(), columns_.begin(), columns_.end());
    // Of a name that is there and has others: these.
    if (const std::string owner = name.substr(0, name.find('.') + 1); owner.size() > 1) {
      std::vector<std::string> own;
      for (const std::string& column : columns_)
        if (column.starts_with(owner)) own.push_back(column);
      if (!own.empty())
        throw InputError(fmt::format("`plot` knows no '{}'; there are {}", name, fmt::join(own, ", ")));
    }
    constexpr std::size_t most = 12;
    const std::string more = known.size() > most ? fmt::format(" and {} more", known.size() - most) : "";
    const std::string near = suggestion(name, known);
    known.resize(std::min(known.size(), most));
    throw InputError(
        fmt::format("`plot` knows no '{}'; known: {}{}{}", name, fmt::join(known, ", "), more, near));
  }

  // Not one of those before it, also where a disk does not tell capitals.
  std::string free_name(std::string wanted) const {
    wanted.resize(std::min(wanted.size(), longest_file_name));
    const auto lower = [](std::string text) {
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return text;
    };
    const auto taken = [&](const std::string& name) {
      return std::any_of(plots_.begin(), plots_.end(),
                         [&](const RunPlot& plot) { return lower(plot.file) == lower(name); });
    };
    std::string name = wanted + ".svg";
    for (int number = 2; taken(name); ++number) name = fmt::format("{}-{}.svg", wanted, number);
    return name;
  }

  std::string_view list_;
  const Problem& problem_;
  const std::vector<std::string>& columns_;
  std::vector<RunPlot> plots_;
};

}  // namespace

std::vector<RunPlot> parse_plot_list(std::string_view list, const Problem& problem,
                                     const std::vector<std::string>& columns) {
  return Parser(list, problem, columns).plots();
}

}  // namespace driftless::io
