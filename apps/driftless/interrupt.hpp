// Ctrl-C (SIGINT) and SIGTERM end a run in an orderly way: the run asks requested() once per step. A second
// signal ends the program at once.
#pragma once

namespace driftless::app {

void catch_interrupts();
bool interrupt_requested();

}  // namespace driftless::app
