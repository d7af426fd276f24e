#include "convert_command.hpp"

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/io/robot_file.hpp>

#include "flags.hpp"
#include "new_file.hpp"

namespace driftless::app {

int convert_command(const ConvertRequest& request) {
  if (!request.file)
    throw InputError(
        "convert needs a robot file: driftless convert FILE.urdf -o MODEL.toml (.sdf, .xml, .mjcf likewise)");
  if (!io::is_robot_file(*request.file))
    throw InputError(fmt::format("'{}' is no robot file: these end with .urdf, .sdf, .world, .xml or .mjcf",
                                 *request.file));
  const io::RobotOptions options = robot_options_of(request.robot, *request.file);
  // What can be read is what is written: faults of the model are told before there is a file.
  std::string text;
  const io::Model model = io::read_robot(*request.file, {}, options, &text);
  write_new_file(request.out, text, "-o");
  for (const std::string& note : model.notes) fmt::print(stderr, "driftless: {}\n", with_flags(note));
  return 0;
}

}  // namespace driftless::app
