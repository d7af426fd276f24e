#include <driftless/io/model_generators.hpp>

#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <driftless/core/errors.hpp>

namespace driftless::io {

namespace {

// Uniform bar from one point to another, with a link for drawing.
void bar(fmt::memory_buffer& out, const std::string& name, double x0, double y0, double x1, double y1,
         const std::string& mass) {
  fmt::format_to(
      std::back_inserter(out),
      "[body.{0}]\nfrom = [{1:.17g}, {2:.17g}]\nto = [{3:.17g}, {4:.17g}]\nmass = {5}\ninertia = {6}\n"
      "shape = {{type = \"link\"}}\n\n",
      name, x0, y0, x1, y1, mass,
      fmt::format("\"mass*{:.17g}/12\"", (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)));
}

void pin(fmt::memory_buffer& out, const std::string& name, const std::string& a, const std::string& b,
         double x, double y) {
  fmt::format_to(std::back_inserter(out),
                 "[joint.{}]\ntype = \"revolute\"\nbetween = [\"{}\", \"{}\"]\nat = [{:.17g}, {:.17g}]\n\n",
                 name, a, b, x, y);
}

std::string n_four_bar(const OptionValues& options) {
  const int N = options.integer("N");
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out),
                 "# N = {0} four-bar linkages in a row, from the upright position (IFToMM benchmark A02). "
                 "Twice in every turn all bars lie in line\n"
                 "# and the constraints lose the rank N; the motion goes on smoothly. Look at crank0.angle, "
                 "which all cranks share.\n"
                 "title = \"{0} four-bar linkages in a row\"\ndimensions = 2\ngravity = [0, -9.81]\n\n"
                 "[parameters]\nmass = 1\nspeed = 1\n\n",
                 N);
  for (int k = 0; k <= N; ++k) bar(out, fmt::format("crank{}", k), k, 0, k, 1, "\"mass\"");
  for (int k = 1; k <= N; ++k) bar(out, fmt::format("coupler{}", k), k - 1, 1, k, 1, "\"mass\"");
  for (int k = 0; k <= N; ++k) pin(out, fmt::format("A{}", k), "ground", fmt::format("crank{}", k), k, 0);
  for (int k = 1; k <= N; ++k) {
    pin(out, fmt::format("B{}", k), fmt::format("crank{}", k - 1), fmt::format("coupler{}", k), k - 1, 1);
    pin(out, fmt::format("C{}", k), fmt::format("crank{}", k), fmt::format("coupler{}", k), k, 1);
  }
  fmt::format_to(std::back_inserter(out),
                 "[start]\nrates = {{\"A0.angle\" = \"-speed\"}}\n\n[run]\nt_end = "
                 "10\n\n[output]\ncolumns = [\"crank0.angle\", \"energy.total\"]\n");
  return fmt::to_string(out);
}

// The angle by which links turn against each other on an arc of N links of length 1 with the given chord.
double bend(int N, double chord) {
  double low = 0, high = 2 * std::acos(-1.0) / N;
  for (int i = 0; i < 200; ++i) {
    const double a = (low + high) / 2, length = std::sin(N * a / 2) / std::sin(a / 2);
    (length > chord ? low : high) = a;
  }
  return (low + high) / 2;
}

std::string chain_loop(const OptionValues& options) {
  const int N = options.integer("N");
  const double slack = options.number("slack"), length = slack / N, turn = bend(N, N / slack);
  fmt::memory_buffer out;
  fmt::format_to(
      std::back_inserter(out),
      "# A chain of {0} links pinned at both ends, 1 m apart and {1:g} m long: it begins as an arc above the "
      "pins and falls.\n"
      "# With the ground it is one loop.\n"
      "title = \"Chain of {0} links pinned at both ends\"\ndimensions = 2\ngravity = [0, -9.81]\n\n"
      "[parameters]\nmass = {2:.17g}\n\n",
      N, slack, 1.0 / N);
  double x = 0, y = 0;
  for (int k = 1; k <= N; ++k) {
    const double angle = turn * ((N + 1) / 2.0 - k), nx = k == N ? 1 : x + length * std::cos(angle),
                 ny = k == N ? 0 : y + length * std::sin(angle);
    bar(out, fmt::format("link{}", k), x, y, nx, ny, "\"mass\"");
    pin(out, fmt::format("pin{}", k), k == 1 ? "ground" : fmt::format("link{}", k - 1),
        fmt::format("link{}", k), x, y);
    x = nx, y = ny;
  }
  pin(out, fmt::format("pin{}", N + 1), fmt::format("link{}", N), "ground", 1, 0);
  fmt::format_to(std::back_inserter(out),
                 "[run]\nt_end = 1\n\n[output]\ncolumns = [\"link{}.x\", \"link{}.y\", \"energy.total\"]\n",
                 (N + 1) / 2, (N + 1) / 2);
  return fmt::to_string(out);
}

}  // namespace

const std::vector<ModelGenerator>& model_generators() {
  static const std::vector<ModelGenerator> all = {
      {.name = "n-four-bar",
       .summary = "N four-bar linkages in a row",
       .parameters = {{.name = "N",
                       .fallback = "40",
                       .help = "linkages",
                       .at_least = 1,
                       .at_most = 10000,
                       .integer = true}},
       .text = n_four_bar},
      {.name = "chain-loop",
       .summary = "a chain pinned at both ends",
       .parameters = {{.name = "N",
                       .fallback = "50",
                       .help = "links",
                       .at_least = 3,
                       .at_most = 100000,
                       .integer = true},
                      {.name = "slack",
                       .fallback = "1.5",
                       .help = "length of the chain for a distance of 1",
                       .above = 1,
                       .at_most = 3}},
       .text = chain_loop}};
  return all;
}

std::string generated_model(const std::string& name,
                            const std::vector<std::pair<std::string, std::string>>& set) {
  std::vector<std::string> names;
  for (const ModelGenerator& generator : model_generators()) {
    if (generator.name == name)
      return generator.text(OptionValues(name, generator.parameters, set, "parameter"));
    names.push_back(generator.name);
  }
  throw InputError(fmt::format("there is no generator '{}'; there are {}{}", name, fmt::join(names, ", "),
                               suggestion(name, names)));
}

}  // namespace driftless::io
