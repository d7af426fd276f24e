#include <fmt/format.h>

#include "report.hpp"
#include "table.hpp"

namespace driftless::benchmarks::scaling {

namespace {

std::string microseconds(double seconds) {
  return shown(1e6 * seconds);
}

std::string table_text(const Table& table, Form form) {
  return fmt::format("\n{}", form == Form::markdown ? table.markdown() : table.text());
}

}  // namespace

std::string choices_section(const Choices& choices, Form form) {
  Table storages{{"one right-hand side [us]", "velocities", "whole", "without zeros", "ratio"}, {}};
  for (const Storages& s : choices.storages)
    storages.rows.push_back({fmt::format("{}, N = {}", name(s.mechanism), s.N), std::to_string(s.velocities),
                             microseconds(s.whole), microseconds(s.sparse), shown(s.whole / s.sparse)});
  Table factorisations{
      {"S factored and solved [us]", "rows", "blocks", "Eigen", "KLU", "Eigen / blocks", "KLU / blocks"}, {}};
  for (const Factorisations& f : choices.factorisations)
    factorisations.rows.push_back({fmt::format("{}, N = {}", name(f.mechanism), f.N), std::to_string(f.rows),
                                   microseconds(f.blocks), microseconds(f.eigen), microseconds(f.klu),
                                   shown(f.eigen / f.blocks), shown(f.klu / f.blocks)});
  return (form == Form::text ? "\nChoices by measurement\n" : "") + table_text(storages, form) +
         table_text(factorisations, form);
}

}  // namespace driftless::benchmarks::scaling
