#include <driftless/observers/progress.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless::observers {

using Clock = std::chrono::steady_clock;

namespace {

// What the terminal adds (^C) shall still fit on the line.
std::size_t line_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return static_cast<std::size_t>(std::clamp(known ? static_cast<int>(size.ws_col) : 80, 20, 120) - 4);
}

}  // namespace

bool Progress::watched() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && !(terminal && std::string(terminal) == "dumb");
}

void Progress::start(const RunInfo& run) {
  t_start_ = run.start.t;
  t_end_ = run.t_end;
  begin_ = last_ = Clock::now();
  steps_ = 0;
}

void Progress::step(const AcceptedStep& step) {
  if (++steps_ % 64 != 0) return;  // the clock is not asked at every step
  const auto now = Clock::now();
  const bool quick = now - begin_ < std::chrono::milliseconds(500),
             recent = now - last_ < std::chrono::milliseconds(100);
  if (quick || recent) return;
  last_ = now;
  shown_ = true;
  const double done = std::clamp((step.to.t - t_start_) / (t_end_ - t_start_), 0.0, 1.0);
  const double spent = std::chrono::duration<double>(now - begin_).count();
  constexpr int width = 20;
  const auto full = static_cast<std::size_t>(done * width);
  const std::string bar = std::string(full, '#') + std::string(width - full, '.');
  const std::string left = done > 0 ? fmt::format("{:.0f} s left", spent / done - spent) : "";
  std::string line =
      fmt::format("[{}] {:3.0f} %  t = {:.6g}  {} steps  {}", bar, 100 * done, step.to.t, steps_, left);
  line.resize(line_width(), ' ');
  fmt::print(stream_, "\r{}", line);
  std::fflush(stream_);
}

void Progress::finish(Solution&) {
  if (shown_) fmt::print(stream_, "\r{:{}}\r", "", line_width() + 3);
  shown_ = false;
}

}  // namespace driftless::observers
