#include "experiments/common/loop.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>

namespace driftless::experiments {

namespace {

constexpr std::string_view head = "for ", in = " in ", start = "; do ", end = "; done";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const auto space = std::min(text.find(' ', at), text.size());
    if (space > at) words.push_back(text.substr(at, space - at));
    at = space + 1;
  }
  return words;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

std::string loop(const std::string& variable, const std::vector<std::string>& values,
                 const std::string& body) {
  return fmt::format("{}{}{}{}{}{}{}", head, variable, in, fmt::join(values, " "), start, body, end);
}

std::vector<std::string> commands_of(const std::string& command) {
  if (!command.starts_with(head)) return {command};
  const auto values_at = command.find(in), body_at = command.find(start);
  if (values_at == std::string::npos || body_at == std::string::npos || !command.ends_with(end))
    throw InputError(fmt::format("'{}' is no loop; write for NAME in VALUES; do COMMAND; done", command));
  const std::string variable = fmt::format("${}", command.substr(head.size(), values_at - head.size()));
  const std::string body =
      command.substr(body_at + start.size(), command.size() - end.size() - body_at - start.size());
  std::vector<std::string> commands;
  for (const std::string& value :
       split(command.substr(values_at + in.size(), body_at - values_at - in.size())))
    commands.push_back(replaced(body, variable, value));
  return commands;
}

}  // namespace driftless::experiments
