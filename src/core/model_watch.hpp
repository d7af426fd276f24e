// ModelWatch: whether a run may believe its model (check_model.hpp): after 10, 1000, .. accepted steps and
// where it ends early; and at every accepted state whether constraints that are not declared to move stay
// where they are, for models of which Checkable::time_dependence() cannot say.
#pragma once

#include <optional>
#include <string>

#include <driftless/core/problem.hpp>
#include <driftless/core/state.hpp>

namespace driftless {

// g_t, which is g' where v = 0, and w at v = 0.
class MotionWatch {
 public:
  explicit MotionWatch(const Problem& problem);
  // The row that moves there, as a sentence.
  std::optional<std::string> look(double t, VectorIn z);

 private:
  const Problem& problem_;
  Parts parts_;
  Evaluation at_;
  Vector rest_;
};

// What the model says twice and differently there, and whether a constraint ever moves without saying so, as
// sentences.
std::optional<std::string> self_contradiction(const Problem& problem, const State& state);
std::optional<std::string> undeclared_motion(const Problem& problem, const State& state);

class ModelWatch {
 public:
  explicit ModelWatch(const Problem& problem) : problem_(problem), motion_(problem) {}

  void start(const State& state);
  // After that many accepted steps: the sentence with which the run ends, if there is something wrong.
  std::optional<std::string> look(const State& state, long steps) {
    if (!watched_) return {};
    return look_closely(state, steps);
  }
  std::optional<std::string> verdict(const State& state) const;  // of a run that ends early

 private:
  std::optional<std::string> look_closely(const State& state, long steps);

  const Problem& problem_;
  MotionWatch motion_;
  bool watched_ = false, moves_unknown_ = false;
  long next_ = 10;
};

}  // namespace driftless
