#include "verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace driftless::benchmarks::random {

namespace {

constexpr double times_the_change = 100;
constexpr double rough = 1000;   // tolerances
constexpr double chaos = 1e-5;   // a perturbation that has grown to that, of the size
constexpr double sound = 1e-6;   // drift by the size, and balance of energy, of a run that is believed
constexpr double broken = 1e-3;  // drift by the size, of a run that tells nothing any more
constexpr double still = 1e-6;   // of the size
constexpr double balance_to_tell = 1e-3;

const Run* find(const std::vector<Run>& runs, Way way) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const Run& run) { return run.way == way; });
  return found == runs.end() ? nullptr : &*found;
}

// The largest distance of a body in one from itself in the other, by the size; infinite where one has no such
// time.
double difference(const Run& a, const Run& b, std::size_t time, double size) {
  if (a.places.size() <= time || b.places.size() <= time) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.places[time].size(); ++i) {
    const double d = norm(a.places[time][i] - b.places[time][i]) / size;
    largest = std::max(largest, std::isfinite(d) ? d : std::numeric_limits<double>::infinity());
  }
  return largest;
}

}  // namespace

std::vector<double> allowed_differences(const std::vector<Run>& runs, double size, double offset) {
  const Run &usual = *find(runs, Way::usual), *tighter = find(runs, Way::tighter),
            *perturbed = find(runs, Way::perturbed);
  std::vector<double> all;
  double change = tolerance;
  for (std::size_t time = 0; time < usual.places.size(); ++time) {
    if (perturbed && perturbed->places.size() > time && difference(usual, *perturbed, time, size) > chaos)
      break;
    if (tighter && tighter->places.size() > time)
      change = std::max(change, difference(usual, *tighter, time, size));
    all.push_back(times_the_change * change + 1e4 * std::numeric_limits<double>::epsilon() * offset);
  }
  return all;
}

namespace {

bool speaks(const Run& run) {
  return run.way != Way::tighter && run.way != Way::perturbed && !run.places.empty();
}

struct Contradiction {
  std::size_t time;
  double limit;
};

// The first time at which two runs are too far apart.
std::optional<Contradiction> contradiction(const std::vector<Run>& runs, double size, double offset) {
  const std::vector<double> allowed = allowed_differences(runs, size, offset);
  for (std::size_t time = 0; time < allowed.size(); ++time)
    for (const Run& a : runs)
      for (const Run& b : runs)
        if (speaks(a) && speaks(b) && a.places.size() > time && b.places.size() > time &&
            difference(a, b, time, size) > allowed[time])
          return Contradiction{time, allowed[time]};
  return std::nullopt;
}

// All of one coordinates may share a mistake: what has drifted away from its constraints has no vote.
bool votes(const Run& run) {
  return speaks(run) && !(run.drift > broken);
}

std::vector<const Run*> friends_of(const Run& run, const std::vector<Run>& runs, const Contradiction& at,
                                   double size) {
  std::vector<const Run*> friends;
  for (const Run& other : runs)
    if (votes(other) && difference(run, other, at.time, size) <= at.limit / 3) friends.push_back(&other);
  return friends;
}

void settle(const std::vector<Run>& runs, const Contradiction& at, double size, Judgement& judgement) {
  std::vector<const Run*> majority;
  for (const Run& run : runs)
    if (votes(run))
      if (auto friends = friends_of(run, runs, at, size); friends.size() > majority.size())
        majority = friends;
  const Run& usual = *find(runs, Way::usual);
  std::string apart;
  for (const Run& run : runs)
    if (&run != &usual && speaks(run) && run.places.size() > at.time)
      apart += fmt::format("{}{} {:.1e}", apart.empty() ? "" : ", ", entry(run.way).name,
                           difference(usual, run, at.time, size));
  const std::string where =
      fmt::format("at {}/{} of the time, from the default run, by the size (allowed {:.1e}): {}", at.time + 1,
                  watched_times, at.limit, apart);
  const auto agrees = [&](const Run& run) {
    return difference(*majority.front(), run, at.time, size) <= at.limit;
  };
  if (majority.size() < 2) {
    judgement = {Verdict::undecided, where, {}};
  } else if (!agrees(usual)) {
    judgement = {usual.warned ? Verdict::told : Verdict::silent, where, {}};
  } else {
    judgement = {Verdict::agreed, where, {}};
    for (const Run& run : runs)
      if (speaks(run) && run.places.size() > at.time && !agrees(run)) {
        judgement.verdict = std::max(judgement.verdict, run.warned ? Verdict::told : Verdict::other_silent);
        judgement.remarks.push_back(
            fmt::format("{} is wrong{}", entry(run.way).name, run.warned ? ", with a note" : ", silently"));
      }
  }
}

// Far off, though a tighter tolerance would say so.
void tell_roughness(const std::vector<Run>& runs, double size, double offset, Judgement& judgement) {
  const Run& usual = *find(runs, Way::usual);
  const std::size_t times = allowed_differences(runs, size, offset).size();
  for (const Run& run : runs) {
    if (&run == &usual || !speaks(run) || usual.warned || judgement.verdict >= Verdict::rough) continue;
    for (std::size_t time = 0; time < std::min(times, run.places.size()); ++time)
      if (const double d = difference(usual, run, time, size); d > rough * tolerance) {
        judgement.verdict = Verdict::rough;
        judgement.why = fmt::format("off by {:.1e} of the size at {}/{} of the time, from {}", d, time + 1,
                                    watched_times, entry(run.way).name);
        break;
      }
  }
}

bool is_sound(const Run& run) {
  return run.completed() && run.drift < sound && (!run.balance || *run.balance < 1e-4);
}

// A statement about the mechanism, not about the method.
bool states_an_end(const std::string& reason) {
  return reason == "contradiction" || reason == "lock-up" || reason == "impasse" || reason == "rank-loss";
}

// Of its bodies between the watched times, by the size.
double travel(const Run& run, double size) {
  double largest = 0;
  for (const std::vector<Vec3>& places : run.places)
    for (std::size_t i = 0; i < places.size(); ++i)
      largest = std::max(largest, norm(places[i] - run.places.front()[i]) / size);
  return largest;
}

Judgement of_an_early_end(const std::vector<Run>& runs, const Run& usual, double size) {
  Judgement judgement{
      Verdict::ended_early, fmt::format("{} at t = {:.4g}: {}", usual.reason, usual.t, usual.sentence), {}};
  for (const Run& run : runs)
    if (run.way != Way::perturbed && is_sound(run)) {
      const double far = travel(run, size);
      judgement.remarks.push_back(
          fmt::format("{} goes on to the end, with a drift of {:.0e}, a balance off by {:.0e} and bodies "
                      "that move by {:.0e}",
                      entry(run.way).name, run.drift, run.balance.value_or(0), far));
      const bool agrees =
          usual.reason == "lock-up" && far < still;  // one says that nothing can move, and nothing does
      if (agrees) continue;
      judgement.verdict = states_an_end(usual.reason) ? Verdict::false_end : Verdict::gave_up;
    }
  return judgement;
}

void raise(Judgement& judgement, Verdict verdict, const std::string& why) {
  if (verdict > judgement.verdict) judgement = {verdict, why, judgement.remarks};
}

}  // namespace

const std::vector<VerdictEntry>& verdicts() {
  static const std::vector<VerdictEntry> all = {
      {Verdict::agreed, "agreed", "within the limits, to the end or until it is chaotic", false},
      {Verdict::chaotic, "chaotic", "from the first watched time on", false},
      {Verdict::alone, "alone", "no other method could run it", false},
      {Verdict::refused, "refused", "by the default settings", false},
      {Verdict::ended_early, "ended", "early, for a reason that others share", false},
      {Verdict::gave_up, "gave-up", "no convergence, step underflow and the like, where others go on soundly",
       false},
      {Verdict::undecided, "undecided", "runs contradict each other, and no two of them agree", false},
      {Verdict::told, "told", "a run is wrong, and has a note", false},
      {Verdict::rough, "rough", "off by more than 1000 tolerances, as a tighter tolerance shows too, no note",
       false},
      {Verdict::false_note, "false-note", "calls rows redundant that are not", false},
      {Verdict::energy_off, "energy", "off by more than 1e-3 of what was exchanged, no note", false},
      {Verdict::false_end, "false-end",
       "contradiction, lock-up, impasse or rank loss where others go on soundly", false},
      {Verdict::other_silent, "other-silent", "another method is wrong without a note", true},
      {Verdict::silent, "silent", "the default settings are wrong without a note", true},
      {Verdict::hang, "hang", "no end within the limit of time", true},
      {Verdict::crash, "crash", "or an exception that is no refusal", true},
  };
  return all;
}

const VerdictEntry& entry(Verdict verdict) {
  return *std::find_if(verdicts().begin(), verdicts().end(),
                       [&](const VerdictEntry& e) { return e.verdict == verdict; });
}

bool wants_referees(const std::vector<Run>& runs, double size, double offset) {
  const Run& usual = *find(runs, Way::usual);
  return usual.ending == Run::Ending::ended || contradiction(runs, size, offset).has_value();
}

Judgement judge(const std::vector<Run>& runs, double size, double offset, bool tree) {
  const Run& usual = *find(runs, Way::usual);
  Judgement judgement;
  const bool others =
      std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return speaks(run) && &run != &usual; });
  if (usual.ending == Run::Ending::refused) {
    judgement = {Verdict::refused, usual.sentence, {}};
    for (const Run& run : runs)
      if (is_sound(run)) judgement.remarks.push_back(fmt::format("{} runs it", entry(run.way).name));
  } else if (const auto at = contradiction(runs, size, offset)) {
    settle(runs, *at, size, judgement);
  } else if (usual.ending == Run::Ending::ended) {
    judgement = of_an_early_end(runs, usual, size);
  } else if (!others) {
    judgement = {Verdict::alone, "", {}};
  } else if (allowed_differences(runs, size, offset).empty()) {
    judgement = {Verdict::chaotic, "", {}};
  }
  if (usual.completed() && !usual.warned && usual.drift > broken)
    raise(judgement, Verdict::silent,
          fmt::format("a drift of {:.1e} of the size; {}", usual.drift, judgement.why));
  tell_roughness(runs, size, offset, judgement);
  if (usual.completed() && !usual.warned && usual.balance && *usual.balance > balance_to_tell)
    raise(judgement, Verdict::energy_off,
          fmt::format("the balance is off by {:.1e} of what was exchanged", *usual.balance));
  const Run* twin = find(runs, Way::twin);
  for (const Run& run : runs)
    if (run.way != Way::twin && run.way != Way::relative && run.redundancy() &&
        (tree || (twin && twin->completed() && !twin->redundancy())))
      raise(judgement, Verdict::false_note, fmt::format("{}: {}", entry(run.way).name, *run.redundancy()));
  for (const Run& run : runs) {
    const std::string who = fmt::format("{}: ", entry(run.way).name);
    const bool main = run.way == Way::usual;
    if (run.ending == Run::Ending::stuck || (main && run.ending == Run::Ending::out_of_time))
      raise(judgement, Verdict::hang,
            who + (run.ending == Run::Ending::stuck
                       ? run.sentence
                       : fmt::format("at t = {:.4g} after {} steps", run.t, run.steps)));
    else if (run.ending == Run::Ending::crashed || run.ending == Run::Ending::failed)
      raise(judgement, Verdict::crash, who + run.sentence);
    else if (!main && run.ending == Run::Ending::out_of_time)
      judgement.remarks.push_back(who +
                                  fmt::format("out of time at t = {:.4g} after {} steps", run.t, run.steps));
    else if (!main && (run.ending == Run::Ending::ended || run.ending == Run::Ending::refused))
      judgement.remarks.push_back(who +
                                  (run.ending == Run::Ending::refused
                                       ? "refused: "
                                       : fmt::format("{} at t = {:.4g}: ", run.reason, run.t)) +
                                  run.sentence.substr(0, 300));
  }
  return judgement;
}

}  // namespace driftless::benchmarks::random
