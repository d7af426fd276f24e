// libFuzzer's way into the reader of model files: ./dev fuzz
#include <cstddef>
#include <cstdint>

#include "fuzz/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  driftless::fuzz::read_as_model({reinterpret_cast<const char*>(data), size});
  return 0;
}
