#include "generate_command.hpp"

#include <driftless/core/errors.hpp>
#include <driftless/io/model_generators.hpp>

#include "new_file.hpp"

namespace driftless::app {

int generate_command(const GenerateRequest& request) {
  if (!request.name)
    throw InputError("generate needs a name: driftless generate NAME (see driftless generate --help)");
  write_new_file(request.out, io::generated_model(*request.name, parameters_of(request.set)));
  return 0;
}

}  // namespace driftless::app
