// MultiplierBlocks: the multipliers among the unknowns of a system that State knows as extras (mu, eta, ..), by blocks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <driftless/core/state.hpp>

namespace driftless::formulations {

class MultiplierBlocks {
 public:
  void add(std::string name, int first, int count) {
    if (count > 0) blocks_.push_back({std::move(name), first, count});
  }

  // Extras that are missing, or of another size, count as zero.
  void pack(const State& state, VectorOut y) const {
    for (const Block& block : blocks_) {
      const Vector* value = state.extra(block.name);
      if (value && value->size() == block.count)
        y.segment(block.first, block.count) = *value;
      else
        y.segment(block.first, block.count).setZero();
    }
  }
  void unpack(VectorIn y, State& state) const {
    for (const Block& block : blocks_)
      if (Vector* value = state.extra(block.name)) *value = y.segment(block.first, block.count);
  }
  void prepare(State& state) const {
    for (const Block& block : blocks_)
      if (!state.extra(block.name)) state.extras.push_back({block.name, Vector::Zero(block.count)});
  }

 private:
  struct Block {
    std::string name;
    int first;
    int count;
  };
  std::vector<Block> blocks_;
};

}  // namespace driftless::formulations
