// What is done with any bytes at all in place of a model file: they are read, or refused with words. Used by the fuzzer, and by the tests on what
// it found.
#pragma once

#include <string_view>

#include <driftless/io/model_file.hpp>
#include <driftless/io/model_outputs.hpp>

namespace driftless::fuzz {

inline bool read_as_model(std::string_view bytes) {
  try {
    const io::Model model = io::read_model_text(bytes, "model.toml");
    const io::ModelOutputs outputs(model);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace driftless::fuzz
