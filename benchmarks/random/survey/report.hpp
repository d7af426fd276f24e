// What a survey found: tables, and files with which each finding can be seen again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "survey.hpp"

namespace driftless::benchmarks::random {

// A line of progress for those who wait.
std::string progress_line(const Examined& last, std::uint64_t done, std::uint64_t count, double seconds);

// NNNN-verdict.toml, with the verdict and the commands to see it in comments; empty where nothing is to be
// seen.
std::filesystem::path write_finding(const std::filesystem::path& folder, const Examined& examined,
                                    std::uint64_t seed);

std::string report_text(const std::vector<Examined>& all, const SurveySettings& settings, double seconds,
                        const std::filesystem::path& folder);
nlohmann::json report_json(const std::vector<Examined>& all, const SurveySettings& settings, double seconds);

bool failed(const std::vector<Examined>& all);

}  // namespace driftless::benchmarks::random
