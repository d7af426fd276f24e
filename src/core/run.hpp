// Run: what the loop carries from step to step, how it retries and how it ends. Private to core.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/manifold.hpp>
#include <driftless/core/solve.hpp>

#include "break_watch.hpp"
#include "event_watch.hpp"
#include "model_watch.hpp"
#include "output_times.hpp"
#include "prescribed_jump.hpp"
#include "singularity_watch.hpp"
#include "step_interior.hpp"
#include "stiffness_watch.hpp"

namespace driftless {

class Run {
 public:
  Run(const Problem& problem, Pipeline& pipeline, const State& start, const Options& options,
      const std::vector<Observer*>& observers);

  void begin();       // integrator, first step, observers
  void show_start();  // events and outputs at the start
  bool more() const { return running_ && state.t < options_.t_end; }
  double next_step();                        // the size to try now: hmax and the end of the run respected
  double target() const { return target_; }  // the time that this step leads to, exactly
  Occasion occasion(double h) const { return {state, h}; }
  bool underflow();  // is that size too small? then the run has ended

  Step tangential(const Step& step);  // with the errors less the part that the stabilizer removes
  Assessment assess(const Step& step, double error, double h) const;

  void retry(const Step& step);                               // the attempt failed: a smaller one, or the end
  void retry(Status status, const State& candidate);          // acceptance failed
  void retry(const Correction& fix, const State& candidate);  // the stabilizer failed
  void reject(const Verdict& verdict);
  void reject(const Verdict& verdict, const Step& step);  // its error was too large
  // The candidate is good, but lies beside a singular configuration: then a shorter step is tried, once, and the next one leads across.
  bool shies(const State& candidate, double h);
  // Accepted: observers, outputs, perhaps a new chart.
  void advance(const State& candidate, int order, const Verdict& verdict);
  void end(EndReason reason, std::string message);

  Solution finish();
  std::string many_rejected() const;  // why so many attempts failed

  State state;  // the last accepted one
  Manifold manifold;
  Work work;

 private:
  void end_by(Status status, std::string explanation);
  void end_beside_singularity();        // what the constraints have to do with an early end
  void end_by_model(std::string what);  // it contradicts itself
  bool watch_singularities();           // false: the last step led through an end
  void show_output(const State& output);
  void write_outputs();
  double first_step(double span);
  void take_up_anchors(const std::vector<double>& values);
  void take_up(const Checkpoint& checkpoint);
  void begin_at_state();  // the integrator and what goes with it start there
  void start_integrator();
  void end_beyond_roundoff();
  void end_if_stuck();
  void end_if_failed(Status status);  // of the integrator at `state`
  Checkpoint here() const;            // the run as it stands
  void keep_checkpoint();             // once: before the end of the run has any influence
  bool find_events();                 // true: the step is cut, and `state` is the one of the event
  void react();                       // to the events at `state`: actions, a new start, or the end
  bool take_over_change(const std::string& names, const ConsistencyOptions& how);
  void choose_fixed_step();
  void pass_breaks();  // what the problem changes at `state`, or just behind it
  void take_jump(const TimeBreak& jump);
  void end_by_event(const EventWatch::Trouble& trouble);
  std::string fault_ahead() const;
  std::string jump_text(double t) const;
  std::optional<PrescribedJump> jump_here() const;  // what makes steps fail there, if time alone does
  std::string limit_text() const;                   // "; what asks for small steps is ..", or nothing
  double smallest_step() const;
  bool shrink();
  double least_apart() const;  // branches that steps are made shorter for
  bool gives_in();             // where no step keeps to the branch, the one that leads to another is taken

  const Problem& problem_;
  Pipeline& pipeline_;
  const Options& options_;
  std::unique_ptr<Observer> own_watch_;  // the problem's
  std::vector<Observer*> observers_;
  OutputTimes outputs_;
  State previous_, between_;
  EventWatch watch_;
  StepInterior interior_;
  SingularityWatch singularities_;
  ModelWatch model_;
  StiffnessWatch stiffness_;
  double last_reset_;
  int resets_without_progress_ = 0;
  Vector error_, second_error_;  // the tangential ones
  Solution solution_;
  double t_start_;
  BreakWatch breaks_;
  double milestone_;  // where it was at the last round number of steps
  long rejected_at_milestone_ = 0;
  int slow_passages_ = 0;
  double h_ = 0;
  double time_scale_ = 0;  // of the motion at the start, roughly
  double target_ = 0;
  double cut_from_ = 0;   // the step that was wanted where one ends at a break; 0: it does not
  long fixed_steps_ = 0;  // how many a fixed step takes
  long fixed_done_ = 0;
  int limiting_ = -1;         // entry of z with the largest error of the last rejected step
  long rejected_before_ = 0;  // the last accepted step
  bool kept_ = false;         // the checkpoint
  double straying_step_ =
      0;                    // in this passage, the first that was made shorter since it led to another branch
  bool let_stray_ = false;  // shorter ones fail
  bool shied_ = false;      // at a singular configuration, in this step
  bool last_ = false;
  bool running_ = true;
};

}  // namespace driftless
