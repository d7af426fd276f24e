#include <driftless/core/unit_of_time.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>

namespace driftless {

namespace {

// Speeds below this part of the largest one are as good as none: what changes there may be the error of a step.
constexpr double least_speed = 1e-3;
constexpr double most_steps = 1e6;  // keeps a motion that does not change from being divided by

}  // namespace

double UnitOfTime::begin(const Problem& problem, double t, VectorIn z, double h) {
  const Layout layout = problem.shape().layout();
  const auto v = z.segment(layout.offset(layout.order - 1), layout.nv);
  if (v_.size() == 0)
    for (Vector* values : {&v_, &speed_, &rate_}) values->setZero(layout.nv);
  if (!known_)
    start(problem, t, z);
  else if (t > t_)
    rate_ = rate_.cwiseMax((v - v_).cwiseAbs() / (t - t_));
  if (!known_ || t > t_) {
    known_ = true;
    t_ = t;
    v_ = v;
    speed_ = speed_.cwiseMax(v.cwiseAbs());
  }
  const double least = least_speed * speed_.maxCoeff(), step = std::abs(h);
  double fastest = 0;
  for (int i = 0; i < layout.nv; ++i)
    if (rate_(i) > 0) fastest = std::max(fastest, rate_(i) / std::max(speed_(i), least));
  return fastest > 0 ? std::clamp(1 / fastest, step, most_steps * step) : step;
}

// No step tells yet how fast the motion changes.
void UnitOfTime::start(const Problem& problem, double t, VectorIn z) {
  const Vector no_r = Vector::Zero(problem.shape().multipliers());
  Vector a = Vector::Zero(problem.shape().nv), multipliers = no_r;
  Workspace workspace;
  const Status status = problem.acceleration(t, z, no_r, a, multipliers, workspace);
  if (status == Status::ok && a.allFinite()) rate_ = rate_.cwiseMax(a.cwiseAbs());
}

std::vector<double> UnitOfTime::memory(const Layout& layout) const {
  std::vector<double> memory = {known_ ? 1.0 : 0.0, t_};
  for (const Vector* values : {&v_, &speed_, &rate_})
    memory.insert(memory.end(), values->begin(), values->end());
  memory.resize(memory_size(layout), 0);
  return memory;
}

void UnitOfTime::remember(const double* memory, const Layout& layout) {
  known_ = memory[0] != 0;
  t_ = memory[1];
  const double* next = memory + 2;
  for (Vector* values : {&v_, &speed_, &rate_}) {
    *values = Eigen::Map<const Vector>(next, layout.nv);
    next += layout.nv;
  }
}

OptionSpec unit_of_time_option(const std::string& own) {
  return {.name = "time",
          .fallback = own,
          .help = "unit of time in which displacements of positions and velocities are compared: " + own +
                  ", or that of the model, as in the paper",
          .choices = {own, "model"}};
}

bool time_of_model(const OptionValues& options, bool used, const std::string& instead) {
  if (options.given("time") && !used)
    throw InputError(fmt::format(
        "time says how displacements of positions and velocities are compared, and here every level is "
        "answered by itself, so that it would be ignored; leave it out, or use {}",
        instead));
  return options.word("time") == "model";
}

std::optional<std::string> refuse_time_of_model(bool time_of_model, const Shape& shape) {
  if (!time_of_model || shape.order > 1) return std::nullopt;
  return "a system of order 1 has no velocities to be compared with positions, so that time=model would be "
         "ignored; use the default, or leave it out";
}

}  // namespace driftless
