#include "child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <stdexcept>

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace driftless::benchmarks {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr rlim_t most_memory =
    rlim_t{12} << 30;  // an allocation beyond it fails in the child instead of felling the machine

constexpr double stuck = 20;  // times the limit, on the clock on the wall: nothing will come any more

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

long largest_resident() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return;
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
}

void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

[[noreturn]] void be_child(const std::function<json()>& work, double seconds_limit, int file) {
  limit(RLIMIT_AS, most_memory);
  limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(seconds_limit)));
  json report = {{"before", largest_resident()}};
  try {
    report["answer"] = work();
  } catch (const std::bad_alloc&) {
    report["failure"] = fmt::format("more than {} GB of memory would be needed", most_memory >> 30);
  } catch (const std::exception& error) {
    report["failure"] = error.what();
  }
  write_all(file, report.dump(-1, ' ', false, json::error_handler_t::replace));
  _exit(0);
}

// All that is written until the other end is closed; false: not in time.
bool read_all(int file, double seconds_limit, std::string& text) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds_limit);
  std::array<char, 4096> part{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waiting{file, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<long>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = read(file, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildReport in_child(const std::function<json()>& work, double seconds_limit) {
  std::fflush(nullptr);  // or the child would print it again
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("there is no pipe to be had for a measurement");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("there is no process to be had for a measurement");
  if (child == 0) {
    close(ends[0]);
    be_child(work, seconds_limit, ends[1]);
  }
  close(ends[1]);
  std::string text;
  const bool heard = read_all(ends[0], stuck * seconds_limit, text);
  close(ends[0]);
  if (!heard) kill(child, SIGKILL);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  ChildReport result;
  result.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  const json report = json::parse(text, nullptr, false);
  if (report.is_discarded()) {
    result.out_of_time = !heard || result.processor_seconds > seconds_limit - 1;
    if (!heard)
      result.failure = fmt::format("no answer after {:.0f} s", stuck * seconds_limit);
    else if (result.out_of_time)
      result.failure =
          fmt::format("{:.0f} s of processor time, set-up included, were not enough", seconds_limit);
    else if (WIFSIGNALED(status))
      result.signal = WTERMSIG(status),
      result.failure = fmt::format("the process died of the signal {}", WTERMSIG(status));
    else
      result.failure = "the process ended without a word";
    return result;
  }
  result.answer = report.value("answer", json());
  result.failure = report.value("failure", "");
  result.megabytes = static_cast<double>(usage.ru_maxrss - report["before"].get<long>()) / 1024;
  return result;
}

}  // namespace driftless::benchmarks
