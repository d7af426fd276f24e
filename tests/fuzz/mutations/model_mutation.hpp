// Model files with mistakes in them, as people and programs make them: numbers with other powers of ten or signs, names that belong elsewhere,
// keys and tables that are missing or twice, other types and units, a text cut short. All of a mutation comes from the seed and its number, so that any
// one can be made again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace driftless::fuzz {

struct Mutation {
  std::size_t original = 0;  // which file it was made of
  std::string text = {};
  std::vector<std::string> changes = {};  // in words
};

// One to four changes of one of the files. `originals`: their texts.
Mutation mutated(const std::vector<std::string>& originals, std::uint64_t seed, std::uint64_t number);

}  // namespace driftless::fuzz
