// Model files that are too long to write by hand, for any number of parts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <driftless/core/method_options.hpp>

namespace driftless::io {

struct ModelGenerator {
  std::string name, summary;
  std::vector<OptionSpec> parameters;
  std::function<std::string(const OptionValues&)> text;  // the model file
};
const std::vector<ModelGenerator>& model_generators();

// The text that a generator makes; throws InputError for a name or parameter that there is not.
std::string generated_model(const std::string& name,
                            const std::vector<std::pair<std::string, std::string>>& set = {});

}  // namespace driftless::io
