#include "interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace driftless::app {

namespace {

volatile std::sig_atomic_t requested = 0;

void note(int) {
  requested = 1;
}

}  // namespace

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;  // as nohup and background jobs want it
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

bool interrupt_requested() {
  return requested != 0;
}

}  // namespace driftless::app
