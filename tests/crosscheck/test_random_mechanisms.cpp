// Random mechanisms, of which ./dev bench random has thousands: at default settings, with a tenth of the
// tolerance, in the coordinates of joints and by ggl + bdf they move alike, until motions that forget their
// start tell nothing any more. Short runs of those that cost little.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "benchmarks/random/generate.hpp"
#include "benchmarks/random/model_text.hpp"
#include "benchmarks/random/verdict.hpp"

namespace driftless::tests {
namespace {

using namespace benchmarks::random;
using benchmarks::random::Verdict;     // a step controller has one too
using ARun = benchmarks::random::Run;  // a test has a Run of its own

constexpr std::uint64_t seed = 3;
constexpr int wanted = 50;
constexpr double part = 0.3;  // of the time of a mechanism
constexpr double seconds_limit = 10;

// Those are for longer runs: what is stiff costs much, and far from the origin or from 1 m the tolerance
// itself means something else.
bool is_left_out(const Sketch& sketch) {
  const auto has = [&](const char* name) { return sketch.classes.contains(name); };
  return has("scaled") || has("far") || has("inconsistent") || has("stiff");
}

TEST(RandomMechanisms, AreDrawnFromSeedAndNumberAlone) {
  EXPECT_EQ(model_text(generate(seed, 8), "same"), model_text(generate(seed, 8), "same"));
  EXPECT_NE(model_text(generate(seed, 8), "same"), model_text(generate(seed, 9), "same"));
  EXPECT_NE(model_text(generate(seed, 8), "same"), model_text(generate(seed + 1, 8), "same"));
}

TEST(RandomMechanisms, MoveAlikeByEveryMethod) {
  std::set<std::string> classes;
  int count = 0;
  for (std::uint64_t number = 1; count < wanted; ++number) {
    Sketch sketch = generate(seed, number);
    if (is_left_out(sketch)) continue;
    ++count;
    classes.insert(sketch.classes.begin(), sketch.classes.end());
    sketch.t_end *= part;
    const std::string text = model_text(sketch, "random");
    const double size = reach(sketch);
    std::vector<Way> ways = {Way::usual,    Way::tighter, Way::perturbed,
                             Way::relative, Way::ggl_bdf, Way::half_explicit};
    if (count % 5 == 0) ways.push_back(Way::ggl_bdf);
    std::vector<ARun> runs;
    for (const Way way : ways) runs.push_back(run_model(text, way, size, seconds_limit));
    const Judgement judgement = judge(runs, size, 0, is_plain_tree(sketch));
    EXPECT_LE(judgement.verdict, Verdict::chaotic)
        << entry(judgement.verdict).name << ", number " << number << " of seed " << seed << ": "
        << judgement.why << "\n./dev bench random --seed " << seed << " --only " << number << " shows more";
  }
  for (const char* name :
       {"planar", "spatial", "trees", "loops", "redundant", "singular", "masses", "small", "large"})
    EXPECT_TRUE(classes.contains(name)) << name;
}

// What ./dev bench random found once: starts in singular configurations in the coordinates of joints, where it crashed; 1370, a rounded
// redundant loop beside a change point, where another row took the place of one that had been left out, and was not judged in its stead.
TEST(RandomMechanisms, ThatWereWrongOnce) {
  for (const std::uint64_t number : {529, 1370, 1439, 1542}) {
    const Sketch sketch = generate(191126, number);
    const std::string text = model_text(sketch, "random");
    const double size = reach(sketch);
    std::vector<ARun> runs;
    for (const Way way :
         {Way::usual, Way::tighter, Way::perturbed, Way::relative, Way::ggl_bdf, Way::half_explicit})
      runs.push_back(run_model(text, way, size, seconds_limit));
    const Judgement judgement = judge(runs, size, 0, is_plain_tree(sketch));
    for (const Verdict wrong : {Verdict::silent, Verdict::crash, Verdict::hang, Verdict::false_end})
      EXPECT_NE(judgement.verdict, wrong) << number << ": " << judgement.why;
  }
}

// What the verdict rests on, by hand: three runs of one body at eight times, the default one off in the
// second half.
TEST(RandomMechanisms, AWrongRunIsFound) {
  const auto run = [](Way way, double off) {
    ARun all{.way = way, .ending = ARun::Ending::completed};
    for (int time = 0; time < watched_times; ++time)
      all.places.push_back({{1.0 + (time >= 4 ? off : 0), 0, 0}});
    return all;
  };
  const auto verdict = [](std::vector<ARun> runs) { return judge(runs, 1, 0, false).verdict; };
  const ARun usual = run(Way::usual, 1e-3), tighter = run(Way::tighter, 1e-3),
             relative = run(Way::relative, 0), bdf = run(Way::ggl_bdf, 1e-7),
             perturbed = run(Way::perturbed, 1e-3 + 1e-8);
  EXPECT_EQ(verdict({usual, tighter, perturbed, relative, bdf}), Verdict::silent);
  EXPECT_EQ(verdict({run(Way::usual, 0), run(Way::tighter, 0), perturbed, relative, bdf}), Verdict::agreed)
      << "chaotic in the second half";
  EXPECT_EQ(verdict({run(Way::usual, 1e-5), tighter, run(Way::perturbed, 1e-5), relative, bdf}),
            Verdict::agreed)
      << "a tighter tolerance changes as much";
  ARun noted = usual;
  noted.warned = true;
  EXPECT_EQ(verdict({noted, tighter, perturbed, relative, bdf}), Verdict::told);
  ARun drifted = relative, alone = run(Way::usual, 0);
  drifted.drift = alone.drift = 1;
  EXPECT_EQ(verdict({alone, drifted, run(Way::ggl_bdf, 1e-3), run(Way::ggl_radau5, 1e-3)}), Verdict::silent)
      << "what has drifted away has no vote";
}

}  // namespace
}  // namespace driftless::tests
