// Option strings: parsed, checked, and answered with the nearest names.
#include <driftless/core/method_options.hpp>

#include <gtest/gtest.h>

#include "support/run.hpp"

namespace driftless::tests {
namespace {

const std::vector<OptionSpec> specs = {
    {.name = "F", .fallback = "block", .help = "", .choices = {"full", "block"}},
    {.name = "alpha", .fallback = "1", .help = "", .above = 0, .below = 2},
    {.name = "count", .fallback = "", .help = "", .above = 0, .integer = true}};

OptionValues parse(const std::string& text) {
  const NamedChoice choice = parse_choice(text);
  return OptionValues(choice.name, specs, choice.options);
}

TEST(MethodOptions, DefaultsAndGivenValues) {
  const OptionValues values = parse("post:alpha=0.5");
  EXPECT_EQ(values.number("alpha"), 0.5);
  EXPECT_EQ(values.word("F"), "block");
  EXPECT_TRUE(values.given("alpha"));
  EXPECT_FALSE(values.given("F"));
  EXPECT_TRUE(values.changed());
  EXPECT_FALSE(parse("post:alpha=1.0,F=block").changed());
  EXPECT_EQ(parse("post:count=+7").integer("count"), 7);
}

TEST(MethodOptions, ComplaintsNameQuantityValueAndLimit) {
  const auto says = [](const std::string& text) { return complaint([&] { parse(text); }); };
  EXPECT_EQ(says("post:alpha=2"), "option alpha of post is 2 (must be below 2); change it or leave it out");
  EXPECT_EQ(says("post:alpha=-1"), "option alpha of post is -1 (must be above 0); change it or leave it out");
  EXPECT_EQ(says("post:count=1.5"),
            "option count of post is 1.5 (must be a whole number); change it or leave it out");
  EXPECT_EQ(says("post:alpha=x"),
            "option alpha of post is 'x' (must be a finite number); write it like 0.01 or 1e-6");
  EXPECT_EQ(says("post:alpha=nan"),
            "option alpha of post is 'nan' (must be a finite number); write it like 0.01 or 1e-6");
  EXPECT_EQ(says("post:F=blok"), "option F of post is 'blok' (one of: full, block) (did you mean block?)");
  EXPECT_EQ(says("post:alfa=1"), "post has no option 'alfa'; known: F, alpha, count (did you mean alpha?)");
  EXPECT_EQ(says("post:alpha=1,alpha=1"), "option alpha of post is given twice (1 and 1); give it once");
  EXPECT_EQ(says("post:alpha"), "'alpha' in 'post:alpha' is no option; write post:option=value,option=value");
  EXPECT_EQ(says("post:"), "'' in 'post:' is no option; write post:option=value,option=value");
  EXPECT_EQ(says(":alpha=1"), "':alpha=1' names no method; write NAME or NAME:option=value,option=value");
  const OptionValues values = parse("post");
  EXPECT_EQ(complaint([&] { values.number("count"); }), "post needs option count; give it");
}

TEST(MethodOptions, SuggestionsAreNear) {
  const std::vector<std::string> names = {"dopri5", "dop853", "rk4", "forward-euler"};
  EXPECT_EQ(suggestion("dopri", names), " (did you mean dopri5?)");
  EXPECT_EQ(suggestion("euler", names), " (did you mean forward-euler?)");
  EXPECT_EQ(suggestion("rk5", names), " (did you mean rk4?)");
  EXPECT_EQ(suggestion("something-else", names), "");
}

}  // namespace
}  // namespace driftless::tests
