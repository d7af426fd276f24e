// The look of --help, and the part of it that comes from the catalog.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace driftless::app {

void set_up_help(CLI::App& app);           // before subcommands are added: they inherit it
std::string help_of(const CLI::App& app);  // of the command that was chosen, or of the program
std::string events_help();                 // the options of --event
std::string plots_help();                  // the items of --plot
std::string methods_help();                // all names, with the names of their options
std::string check_help();                  // what is checked
std::string modes_help();                  // places of --at
std::string generators_help();             // names, and what may be set
std::string papers_help();                 // papers that can be reproduced, and what a verdict means
std::string kinds_help();                  // what can be listed

}  // namespace driftless::app
