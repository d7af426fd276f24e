// Arena: scratch memory that is handed out piece by piece and taken back all at once. It allocates only while
// it grows, so the second call of anything that uses it is free of allocation. Pieces stay valid until the
// Release that was open when they were taken ends, and hold trivially copyable values (double, Dual, Jet).
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace driftless {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) {}  // scratch is not copied with its owner
  Arena& operator=(const Arena&) { return *this; }

  // While it lives pieces may be taken; its end gives back those taken since.
  class Release {
   public:
    explicit Release(Arena& arena) : arena_(arena), block_(arena.block_), used_(arena.used_) {}
    ~Release() {
      arena_.block_ = block_;
      arena_.used_ = used_;
    }
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;

   private:
    Arena& arena_;
    std::size_t block_;
    std::size_t used_;
  };

  template <class T>
  std::span<T> take(int count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    static_assert(alignof(T) <= sizeof(Unit));
    const auto n = static_cast<std::size_t>(count);
    const std::size_t units = (n * sizeof(T) + sizeof(Unit) - 1) / sizeof(Unit);
    T* first = reinterpret_cast<T*>(reserve(units));
    for (std::size_t i = 0; i < n; ++i) new (first + i) T();
    return {first, n};
  }

 private:
  struct alignas(32) Unit {
    std::byte bytes[32];
  };
  struct Block {
    std::unique_ptr<Unit[]> units;
    std::size_t size;
  };

  Unit* reserve(std::size_t units) {
    while (block_ < blocks_.size() && used_ + units > blocks_[block_].size) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) {
      const std::size_t size = units < 128 ? 128 : 2 * units;
      blocks_.push_back({std::make_unique<Unit[]>(size), size});
    }
    Unit* result = blocks_[block_].units.get() + used_;
    used_ += units;
    return result;
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

}  // namespace driftless
