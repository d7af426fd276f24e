// libFuzzer's way into the reader of URDF files: ./dev fuzz
#include <cstddef>
#include <cstdint>

#include "fuzz/robot_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.find("<robot") == bytes.npos) return -1;  // another format, or none: not worth keeping
  driftless::fuzz::read_as_robot(bytes);
  return 0;
}
