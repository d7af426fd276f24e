// What a user's program sees of the installed package: the umbrella header and the library behind it.
#include <driftless/driftless.hpp>

#include <iostream>

int main() {
  std::cout << "driftless " << driftless::version << '\n';
}
