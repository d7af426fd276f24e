// EventWatch: finds the roots of event functions inside an accepted step. Private to core.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/event.hpp>

#include "step_interior.hpp"

namespace driftless {

class EventWatch {
 public:
  struct Root {
    double t;
    std::size_t event;
  };
  struct Trouble {
    Status status;
    double t;
    Vector z;             // where the model failed
    std::string message;  // of an event function's own failure; empty: the model's
  };

  // Throws InputError for an event without a name or a function.
  explicit EventWatch(const std::vector<Event>& events);

  bool idle() const { return events_.empty(); }
  const Event& event(const Root& root) const { return events_[root.event]; }

  // Signs at a start. Those whose roots were found last have just had their action: their sign will show.
  std::optional<Trouble> start(const State& state);
  const std::vector<int>& signs() const { return sign_; }
  void set_signs(const std::vector<int>& signs);  // ignored where they are of other events

  // The roots inside a step in the order of time, up to the first that cuts the step: one that ends the run or
  // changes the state. Trouble is the first that comes before such a cut; roots before it are known.
  std::optional<Trouble> search(StepInterior& step);
  const std::vector<Root>& roots() const { return roots_; }
  bool cut() const { return cut_; }

 private:
  double value(std::size_t event, const State& state) const { return events_[event].value(state); }
  // Multipliers of states inside cost a right-hand side, and are evaluated for functions that read them (event.hpp).
  std::optional<double> without_multipliers(std::size_t event, const State& state);
  double value_at_end(std::size_t event, const State& carried, const std::function<const State&()>& shown);
  Status value_inside(StepInterior& step, std::size_t event, double& value);  // at inside_
  std::optional<Trouble> search(StepInterior& step, std::size_t event);
  std::optional<Trouble> locate(StepInterior& step, std::size_t event, double a, double fa, double b,
                                double fb);
  Trouble not_finite(std::size_t event, double value, double t) const;
  bool wanted(std::size_t event, int sign_before) const;
  bool cuts(std::size_t event) const { return events_[event].terminal || events_[event].action; }
  void drop_roots_after_cut(double h);

  const std::vector<Event>& events_;
  std::vector<double> value_;  // at the end of the last step
  std::vector<int> sign_;      // there; 0: not known
  std::vector<bool> reads_multipliers_;
  std::vector<Root> roots_;
  bool cut_ = false;
  State inside_, blank_;  // blank_: without multipliers
};

}  // namespace driftless
