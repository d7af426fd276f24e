// The command line program: parse, look up, call solve(), print.
// Exit status: 0 done, 1 the run could not be completed, 2 bad usage or bad input.
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include <driftless/catalog/markdown.hpp>
#include <driftless/core/errors.hpp>
#include <driftless/io/model_reference.hpp>
#include <driftless/io/model_schema.hpp>

#include "check_command.hpp"
#include "command_line.hpp"
#include "convert_command.hpp"
#include "demo_command.hpp"
#include "flags.hpp"
#include "generate_command.hpp"
#include "interrupt.hpp"
#include "list_command.hpp"
#include "modes_command.hpp"
#include "reproduce_command.hpp"
#include "run_command.hpp"

namespace {

using namespace driftless;

int perform(int argc, char** argv) {
  const app::CommandLine line = app::parse_command_line(argc, argv);
  switch (line.command) {
    case app::CommandLine::Command::demo:
      return app::demo_command(line.demo);
    case app::CommandLine::Command::run:
      return app::run_command(line.run);
    case app::CommandLine::Command::check:
      return app::check_command(line.check);
    case app::CommandLine::Command::generate:
      return app::generate_command(line.generate);
    case app::CommandLine::Command::convert:
      return app::convert_command(line.convert);
    case app::CommandLine::Command::modes:
      return app::modes_command(line.modes);
    case app::CommandLine::Command::reproduce:
      return app::reproduce_command(line.reproduce);
    case app::CommandLine::Command::list:
      fmt::print("{}", line.list.markdown       ? catalog::markdown_table()
                       : line.list.reference    ? io::joints_and_forces_page()
                       : line.list.schema       ? io::model_schema()
                       : line.list.loops_schema ? io::loops_schema()
                       : line.list.json         ? app::list_json(line.list)
                                                : app::list_text(line.list));
      return 0;
    case app::CommandLine::Command::print:
      fmt::print("{}", line.text);
      return 0;
  }
  return 0;
}

int complain(int status, const char* text) {
  std::fprintf(stderr, "driftless: %s\n", app::with_flags(text).c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  app::catch_interrupts();
  int status = 1;
  try {
    status = perform(argc, argv);
  } catch (const InputError& error) {
    return complain(2, error.what());
  } catch (const std::bad_alloc&) {
    return complain(1, "out of memory; write fewer states with --output every=DT, or end earlier");
  } catch (const std::exception& error) {
    return complain(1, std::ferror(stdout) ? "standard output could not be written" : error.what());
  } catch (...) {
    return complain(1, "an unknown error occurred");
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return complain(1, "standard output could not be written");
  return status;
}
