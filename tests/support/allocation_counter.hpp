// Counts calls of malloc (and so of operator new and of Eigen) in a test program. Weak, so that several test
// files of one program may include it. Under a sanitizer, which brings its own malloc, counting_works() is
// false.
#pragma once

#include <cstddef>
#include <memory>

extern "C" {
[[gnu::weak]] long driftless_test_allocations = 0;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
void* __libc_malloc(std::size_t size);
[[gnu::weak]] void* malloc(std::size_t size) noexcept {
  ++driftless_test_allocations;
  return __libc_malloc(size);
}
#endif
}

namespace allocation_counter {

inline long count() {
  return static_cast<volatile long&>(driftless_test_allocations);
}

inline bool counting_works() {
  const long before = count();
  const auto probe = std::make_unique<volatile double[]>(100);
  probe[0] = 1.0;
  return count() > before;
}

/// Allocations made by the body.
template <class Body>
long during(Body body) {
  const long before = count();
  body();
  return count() - before;
}

}  // namespace allocation_counter
