#include "reproduce_command.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <stdexcept>

#include <fmt/format.h>

#include <driftless/io/result_folder.hpp>
#include <driftless/io/svg_plot.hpp>

#include "command_runner.hpp"
#include "reproduce_view.hpp"

namespace driftless::app {

namespace {

using experiments::Paper;

// Those named, each once; none named: all.
std::vector<Paper> papers_of(const ReproduceRequest& request) {
  if (request.papers.empty()) return experiments::papers();
  std::vector<Paper> papers;
  for (const std::string& name : request.papers) {
    const Paper& paper = experiments::find_paper(name);
    if (std::none_of(papers.begin(), papers.end(), [&](const Paper& other) { return other.name == name; }))
      papers.push_back(paper);
  }
  return papers;
}

void draw(const Paper& paper, CommandRunner& runner, const io::ResultFolder& folder, Reproduction& found) {
  for (const experiments::FigureFile& file : paper.figures(runner)) {
    const std::string name = fmt::format("{}-{}", paper.name, file.name);
    folder.write(name, [&](std::ostream& out) { io::write_svg(out, file.figure); });
    found.figures.push_back(name);
  }
}

// False where the disk did not take all of it; what was computed is printed in any case.
bool written(const std::vector<Paper>& papers, CommandRunner& runner, const io::ResultFolder& folder,
             Reproduction& found) {
  try {
    found.folder = folder.path().string();
    for (const Paper& paper : papers) draw(paper, runner, folder, found);
    folder.write("reproduce.json", [&](std::ostream& out) { out << reproduce_json(found); });
    return true;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "driftless: {}; what was computed is printed, but not all of it is in the files\n",
               error.what());
    found.folder.clear();
    return false;
  }
}

}  // namespace

int reproduce_command(const ReproduceRequest& request) {
  const std::vector<Paper> papers = papers_of(request);
  const io::ResultFolder folder(request.out.value_or("results/reproduce"),
                                request.out ? io::FolderName::given : io::FolderName::suggested);
  CommandRunner runner;
  Reproduction found;
  for (const Paper& paper : papers)
    for (const experiments::Entry& entry : paper.entries())
      found.results.push_back(experiments::evaluate(entry, runner));
  const bool all_written = written(papers, runner, folder, found);
  fmt::print("{}", request.json ? reproduce_json(found) : reproduce_text(found));
  std::fflush(stdout);
  const std::string apart = disagreements(found);
  fmt::print(stderr, "{}", apart);
  return apart.empty() && all_written ? 0 : 1;
}

}  // namespace driftless::app
