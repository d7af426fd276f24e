#include "generate_command.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/io/model_generators.hpp>

namespace driftless::app {

int generate_command(const GenerateRequest& request) {
  if (!request.name)
    throw InputError("generate needs a name: driftless generate NAME (see driftless generate --help)");
  const std::string text = io::generated_model(*request.name, parameters_of(request.set));
  if (!request.out) {
    fmt::print("{}", text);
    return 0;
  }
  if (std::filesystem::exists(*request.out))
    throw InputError(fmt::format("the file {} is there already; give --out another name", *request.out));
  std::ofstream file(*request.out, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw InputError(fmt::format("the file {} could not be written; give --out another place", *request.out));
  return 0;
}

}  // namespace driftless::app
