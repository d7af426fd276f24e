#include "bdf_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <driftless/core/carried_multipliers.hpp>

namespace driftless::integrators {

namespace {

constexpr double roundoff = 8 * std::numeric_limits<double>::epsilon();  // of differences of positions

struct Pieces {
  int halvings, count;
};
const std::vector<Pieces>& pieces_of_step(bool first) {
  static const std::vector<Pieces> later = {{4, 16}}, start = [] {
    std::vector<Pieces> pieces = {{18, 12}};
    for (int halvings = 17; halvings > 4; --halvings) pieces.push_back({halvings, 6});
    pieces.push_back({4, 10});
    return pieces;
  }();
  return first ? start : later;
}

class BdfSteps final : public Integrator, public CarriedMultipliers {
 public:
  explicit BdfSteps(BdfSettings settings) : settings_(std::move(settings)) {}

  void judged_by(const Tolerance& tolerance) override { judged_ = tolerance; }

  Status start(System& system, State& state) override {
    check_settings();
    system_ = &system;
    corrector_.reset();
    own_ = system.ode() ? ode_as_dae(system) : nullptr;
    DaeSystem& dae = own_ ? *own_ : *system.dae();
    index_ = dae.index_of_unknowns();
    differential_ = dae.differential_unknowns();
    in_z_ = differential_ >= state.z.size();
    index_3_ = std::find(index_.begin(), index_.end(), 3) != index_.end();
    CorrectorSettings corrector = settings_.corrector;
    corrector.persistent = !judged_;
    if (!judged_) corrector.acceptable = 10 * corrector.constant;
    corrector_.emplace(dae, system.work(), corrector);
    counted_ = settings_.corrector_test.corrector_weights(dae, state);
    error_weights_ = settings_.error_test.error_weights(dae, state);
    smooths_ = judged_ && index_3_ && settings_.error_test.automatic();
    for (Vector* v :
         {&y_, &yp_, &predicted_, &yp_predicted_, &difference_, &local_, &smoothed_, &weights_, &base_})
      v->setZero(system.size());
    for (Vector* v : {&error_, &two_below_, &below_, &same_, &above_, &sizes_})
      v->setZero(error_weights_.size());
    candidate_ = state;
    multipliers_ = Multipliers::evaluated;
    t_ = state.t;
    order_ = settings_.order;
    repetitions_ = 0;
    system.begin_step({.discretization = by_, .t = t_}, y_);
    if (const Status status = system.multipliers(state); status != Status::ok) return status;
    if (const Status status = system.rates(state, yp_); status != Status::ok) return status;
    system.pack(state, y_);
    history_.start(y_, yp_);
    before_ = history_;
    past_.assign(BdfHistory::columns, state.z);
    past_steps_.assign(BdfHistory::columns, 0);
    past_count_ = 1;
    whole_.assign(BdfHistory::largest_order + 1, y_);
    return Status::ok;
  }

  Discretization discretization() const override { return by_; }

  void use_order(int order) override { order_ = std::min(order, settings_.order); }

  Step attempt(double h) override {
    corrector_->begin(repetitions_++);
    system_->begin_step({.discretization = by_, .t = t_, .h = h}, y_);
    const int order = std::min(order_, history_.highest_order());
    if (const Status status = in_pieces() ? step_in_pieces(h) : piece(h, order, t_ + h); status != Status::ok)
      return {.status = status, .failed_t = failed_t_, .failed_y = &failed_y_};
    return assessed(t_ + h);
  }

  Status accept(State& state, const Vector* move) override {
    const bool evaluate = move || index_3_;
    const Status status = evaluate ? system_->multipliers(state) : system_->complete(state);
    if (status != Status::ok) return status;
    multipliers_ = evaluate ? Multipliers::evaluated : driftless::carried_multipliers(*system_);
    const bool pieces = in_pieces();
    base_ = y_;
    system_->pack(state, y_);
    history_.accept(y_);
    corrector_->accepted();
    repetitions_ = 0;
    last_step_ = state.t - t_;
    t_ = state.t;
    keep(state.z);
    if (pieces) {
      whole_[past_count_ - 1] = y_;
      if (!in_pieces()) history_.start(whole_, past_count_, past_steps_);
      before_ = history_;
    }
    return Status::ok;
  }

  // After a step in pieces the polynomial does not know the base: a chord makes it meet it.
  Status interpolate(double t, State& state) override {
    history_.interpolate(last_step_, difference_);
    difference_ = base_ - difference_;
    history_.interpolate(t_ - t, local_);
    if (last_step_ > 0) local_ += (t_ - t) / last_step_ * difference_;
    system_->unpack(t, local_, state);
    return Status::ok;
  }

  Multipliers carried_multipliers() const override { return multipliers_; }

  // The last values of z are repacked. A start in pieces that is not finished begins anew.
  Status recharted(System& system, State& state) override {
    const auto count = past_count_;
    const int order = order_;
    const std::vector<Vector> past = past_;
    const std::vector<double> steps = past_steps_;
    const bool pieces = in_pieces();
    if (const Status status = start(system, state); status != Status::ok || count < 2 || pieces)
      return status;
    std::vector<Vector> values(count, y_);
    for (std::size_t i = 0; i < count; ++i) {
      candidate_.z = past[count - 1 - i];
      system.pack(candidate_, values[i]);
    }
    history_.start(values, count, steps);
    past_ = past;
    past_steps_ = steps;
    past_count_ = count;
    order_ = order;
    return Status::ok;
  }

  std::vector<double> memory() const override;
  bool remember(const std::vector<double>& memory) override;

 private:
  void check_settings() const;
  Status piece(double h, int order, double t_new);
  // Until there are enough values at whole steps for one order from the first step on. Steps that are judged rise from order 1.
  bool in_pieces() const { return !judged_ && past_count_ <= static_cast<std::size_t>(order_); }
  Status step_in_pieces(double h);
  Step assessed(double t_new);
  void set_weights(double h);
  void keep(VectorIn z);
  const Vector* counted(VectorIn error_y, Vector& error);
  void leave_out_roundoff(Vector& error) const;
  const Vector* local_error(int order, Vector& error);

  const BdfSettings settings_;
  // Any decay is damped; this one within a few steps, whatever the order.
  const Discretization by_{.decay = 1};
  std::optional<Tolerance> judged_;
  bool in_z_ = true;  // unknowns are the entries of State::z, and not coordinates of their own
  System* system_ = nullptr;
  std::unique_ptr<DaeSystem> own_;  // of an ordinary differential equation
  std::vector<int> index_;
  int differential_ = 0;
  // Multipliers that are second differences lose digits when steps change; those that belong to the state do not.
  bool index_3_ = false;
  bool smooths_ = false;  // errors are what the equations make of those of the discretization
  std::optional<Corrector> corrector_;
  BdfHistory history_;
  Multipliers multipliers_ = Multipliers::evaluated;  // of the base
  int order_ = 1;
  int repetitions_ = 0;  // attempts since the last accepted step
  double t_ = 0, last_step_ = 0;
  Vector y_, yp_;  // at t_
  Vector base_;    // one step before
  Vector predicted_, yp_predicted_, solved_, difference_, local_, smoothed_;
  Vector counted_, weights_;  // of the corrector
  Vector error_weights_;
  Vector error_, two_below_, below_, same_, above_, sizes_;
  BdfHistory before_;          // as it was at t_, while steps are made of pieces
  std::vector<Vector> whole_;  // unknowns at the ends of such steps, oldest first
  // For another chart: values of z, newest first, and the steps between them.
  std::vector<Vector> past_;
  std::vector<double> past_steps_;
  std::size_t past_count_ = 0;
  State candidate_;
  double failed_t_ = 0;
  Vector failed_y_;
};

void BdfSteps::check_settings() const {
  if (judged_ && settings_.tolerance_given)
    throw InputError(
        "tolerance of bdf belongs to fixed steps and would be ignored; use corrector, a fraction of `rtol` "
        "and "
        "`atol`");
  if (!judged_ && settings_.error_test_given)
    throw InputError(
        "error_test of bdf says which errors choose the step and would be ignored with a fixed one; leave it "
        "out, or use "
        "`rtol` and `atol`");
  if (!judged_ && settings_.corrector_given)
    throw InputError(
        "corrector of bdf is a fraction of `rtol` and `atol` and would be ignored with a fixed step; use "
        "tolerance");
}

void BdfSteps::set_weights(double h) {
  const double unjudged = settings_.tolerance / settings_.corrector.constant;
  // Multipliers inherit errors divided by powers of h. So do velocities of index 3, but the next step begins with them.
  const double step = std::min(1.0, h);
  const auto allowed = [&](Eigen::Index i, double magnitude) {
    if (!judged_) return unjudged + unjudged * magnitude;
    return in_z_ ? judged_->allowed(i, magnitude) : judged_->atol + judged_->rtol * magnitude;
  };
  const auto newest = history_.value();
  for (Eigen::Index i = 0; i < weights_.size(); ++i) {
    if (counted_[i] == 0) continue;  // and so is the weight
    const int index = i < differential_ ? 0 : index_[static_cast<std::size_t>(i)];
    const double by_index = index > 1 ? std::pow(step, index - 1) : 1;
    weights_[i] = counted_[i] * by_index / allowed(i, std::abs(newest[i]));
  }
}

// From the history to t_new, h later: difference_ and the candidate's unknowns in solved_.
Status BdfSteps::piece(double h, int order, double t_new) {
  history_.prepare(h, order);
  history_.predict(predicted_, yp_predicted_);
  set_weights(h);
  solved_ = predicted_;
  Status status = predicted_.allFinite() && yp_predicted_.allFinite() ? Status::ok : Status::not_finite;
  if (status == Status::ok) status = corrector_->solve(t_new, history_.c(), yp_predicted_, weights_, solved_);
  if (status == Status::ok) return status;
  failed_t_ = t_new;
  failed_y_ = solved_;
  return status;
}

// A repeated attempt begins with the same history.
Status BdfSteps::step_in_pieces(double h) {
  history_ = before_;
  double done = 0;
  bool first = true;
  for (const auto& [halvings, count] : pieces_of_step(past_count_ == 1))
    for (int i = 0; i < count; ++i) {
      if (!std::exchange(first, false)) {
        history_.accept(solved_);
        corrector_->accepted();
      }
      done += std::ldexp(1.0, -halvings);
      // Order 5 amplifies roundoff some 1e4 times while pieces grow.
      const int order = std::min({history_.values(), order_, halvings > 4 ? 4 : 5});
      if (const Status status = piece(std::ldexp(h, -halvings), order, t_ + done * h); status != Status::ok)
        return status;
    }
  return Status::ok;
}

const Vector* BdfSteps::counted(VectorIn error_y, Vector& error) {
  const auto nz = candidate_.z.size(), multipliers = error.size() - nz;
  if (smooths_) {
    corrector_->smooth(error_y, smoothed_);
    system_->unpack_error(smoothed_, error.head(nz));
    leave_out_roundoff(error);
    return &error;
  }
  system_->unpack_error(error_y, error.head(nz));
  error.tail(multipliers) = error_y.tail(multipliers);
  error.array() *= error_weights_.array();
  return &error;
}

// Roundoff of positions comes back in velocities divided by h: no step is small enough for it.
void BdfSteps::leave_out_roundoff(Vector& error) const {
  const auto below = error.size() - candidate_.layout.nv;
  const double noise = roundoff * history_.c() * candidate_.z.head(below).cwiseAbs().maxCoeff();
  for (auto& e : error.tail(candidate_.layout.nv)) e -= std::clamp(e, -noise, noise);
}

const Vector* BdfSteps::local_error(int order, Vector& error) {
  if (!history_.knows_error(order)) return nullptr;
  history_.local_error(order, difference_, local_);
  return counted(local_, error);
}

Step BdfSteps::assessed(double t_new) {
  system_->unpack(t_new, solved_, candidate_);
  if (!candidate_.z.allFinite()) {
    failed_y_ = solved_;
    return {.status = Status::not_finite, .failed_t = t_new, .failed_y = &failed_y_};
  }
  difference_ = solved_ - predicted_;
  local_ = history_.judged() * difference_;
  const int k = history_.order();
  Step step{.state = &candidate_, .error = counted(local_, error_), .error_order = k, .order = k};
  step.orders.same = local_error(k, same_);
  if (!settings_.only) {
    step.orders.below = local_error(k - 1, below_);
    step.orders.two_below = local_error(k - 2, two_below_);
  }
  if (k < settings_.order) step.orders.above = local_error(k + 1, above_);
  if (settings_.error_test.multipliers()) {
    const auto nz = candidate_.z.size(), multipliers = sizes_.size() - nz;
    sizes_.head(nz) = candidate_.z.cwiseAbs();
    sizes_.tail(multipliers) = solved_.tail(multipliers).cwiseAbs();
    step.sizes = &sizes_;
  }
  return step;
}

void BdfSteps::keep(VectorIn z) {
  past_count_ = std::min(past_count_ + 1, past_.size());
  for (std::size_t i = past_.size() - 1; i > 0; --i) {
    past_[i].swap(past_[i - 1]);
    past_steps_[i] = past_steps_[i - 1];
  }
  past_[0] = z;
  past_steps_[0] = last_step_;
}

std::vector<double> BdfSteps::memory() const {
  std::vector<double> memory = {static_cast<double>(order_), static_cast<double>(past_count_),
                                static_cast<double>(repetitions_)};
  const auto append = [&](const auto& values) { memory.insert(memory.end(), values.begin(), values.end()); };
  append(corrector_->memory());
  append((in_pieces() ? before_ : history_).memory());
  append(y_);
  append(past_steps_);
  for (const Vector& z : past_) append(z);
  for (const Vector& y : whole_) append(y);
  return memory;
}

bool BdfSteps::remember(const std::vector<double>& memory) {
  if (!(memory[0] >= 1 && memory[0] <= settings_.order && memory[1] >= 1 &&
        memory[1] <= BdfHistory::columns && memory[2] >= 0 && memory[2] < 1e6))
    return false;
  order_ = static_cast<int>(memory[0]);
  past_count_ = static_cast<std::size_t>(memory[1]);
  repetitions_ = static_cast<int>(memory[2]);
  const double* next = memory.data() + 3;
  if (!corrector_->remember(next)) return false;
  next = history_.remember(next + corrector_->memory_size());
  if (!next) return false;
  before_ = history_;
  const auto take = [&](auto& values) {
    std::copy_n(next, values.size(), values.begin());
    next += values.size();
  };
  take(y_);
  take(past_steps_);
  for (Vector& z : past_) take(z);
  for (Vector& y : whole_) take(y);
  return true;
}

}  // namespace

std::unique_ptr<Integrator> bdf_steps(const BdfSettings& settings) {
  return std::make_unique<BdfSteps>(settings);
}

}  // namespace driftless::integrators
