// The command line: which command, with which requests.
#pragma once

#include <string>

#include "requests.hpp"

namespace driftless::app {

struct CommandLine {
  enum class Command { demo, run, check, modes, generate, convert, reproduce, list, print };
  Command command = Command::print;
  std::string text;  // print: help or version
  DemoRequest demo;
  RunRequest run;
  CheckRequest check;
  ModesRequest modes;
  GenerateRequest generate;
  ConvertRequest convert;
  ReproduceRequest reproduce;
  ListRequest list;
};

// Throws InputError for whatever cannot be understood, with near names.
CommandLine parse_command_line(int argc, char** argv);

}  // namespace driftless::app
