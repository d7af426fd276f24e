// The catalog's tables in one form, for lists and help: kinds of things, each with named items.
#pragma once

#include <string>
#include <vector>

#include <driftless/core/entries.hpp>

namespace driftless::app {

struct Item {
  std::string name;
  std::string summary;
  std::vector<OptionSpec> options;  // of a problem: its parameters
  std::string facts;                // of an integrator: order and the like; may be empty
  const IntegratorEntry* integrator = nullptr;
};

struct Kind {
  std::string name;   // "formulations"
  std::string usage;  // how an item of it is chosen on the command line
  std::vector<Item> items;
};

std::vector<Kind> kinds();                     // all of them
std::vector<Kind> kinds_of_run();              // those that `driftless run` takes
Kind find_kind(const std::string& kind_name);  // throws InputError with near names

}  // namespace driftless::app
