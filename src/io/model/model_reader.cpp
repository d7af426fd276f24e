#include "io/model/model_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/common/file_text.hpp"
#include "io/model/toml_text.hpp"

namespace driftless::io {

namespace {

constexpr std::size_t largest_file = 64 << 20;
constexpr std::size_t most_velocities = 300'000;  // memory for larger mechanisms is not to be had everywhere
constexpr std::size_t most_told = 20;

std::string told(const std::filesystem::path& file, std::vector<ModelFault>& faults, std::size_t untold) {
  std::stable_sort(faults.begin(), faults.end(), [](const ModelFault& a, const ModelFault& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(faults.size(), most_told); ++i) {
    const ModelFault& f = faults[i];
    const std::string where =
        f.line > 0 ? fmt::format("{}:{}:{}", file.string(), f.line, f.column) : file.string();
    text +=
        fmt::format("{}{}: {}{}{}", i == 0 ? "" : "\n", where, f.path, f.path.empty() ? "" : ": ", f.message);
  }
  if (const std::size_t rest = faults.size() + untold - std::min(faults.size(), most_told); rest > 0)
    text += fmt::format("\n.. and {} more", rest);
  return text;
}

}  // namespace

ModelError::ModelError(const std::filesystem::path& file, std::vector<ModelFault> faults, std::size_t untold)
    : InputError(told(file, faults, untold)), faults_(std::move(faults)) {}

ModelReader::ModelReader(const toml::table& file, const std::filesystem::path& path,
                         const std::vector<std::pair<std::string, std::string>>& set)
    : path_(path), file_(file), set_(set) {
  model_.file = path;
}

void ModelReader::digest(std::string_view text) {
  for (const char c : text) digest_ = (digest_ ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
}

Model ModelReader::read() {
  Section root(file_, "", reading_);
  if (root.need("title", "one line that says what it is")) model_.title = root.text("title").value_or("");
  if (has_control_characters(model_.title))
    root.fault("title", "the title is one line of text; leave out line breaks and the like");
  model_.about = root.text("about").value_or("");
  planar_ = in_plane(root);
  read_units(root);
  read_parameters(root);
  model_.mechanism.formulas_in(model_.units, model_.unit_names);
  const mechanics::Dimension acceleration{.length = 1, .time = -2};
  if (const auto gravity = place(root, "gravity", planar_, acceleration)) model_.mechanism.gravity(*gravity);
  if (const auto part = root.number("assembly_tolerance"))
    guarded(root, [&] { model_.mechanism.assembly_tolerance(*part); });
  read_bodies(root);
  std::size_t velocities = 0;
  for (const ModelBody& body : model_.bodies) velocities += body.planar ? 3 : 6;
  if (velocities > most_velocities) {
    root.fault("body", fmt::format("{} bodies have {} velocities (limit {}); make a smaller model",
                                   model_.bodies.size(), velocities, most_velocities));
    return std::move(model_);
  }
  if (const auto* joints = file_["joint"].as_table(); joints && joints->size() > most_velocities) {
    root.fault("joint", fmt::format("there are {} joints (limit {}); make a smaller model", joints->size(),
                                    most_velocities));
    return std::move(model_);
  }
  read_points(root);
  read_joints(root);
  read_drives(root);
  read_forces(root);
  read_start(root);
  read_run(root);
  read_output(root);
  read_expectations(root);
  root.finish();
  if (!root.broken()) check_outputs(root);
  model_.digest = fmt::format("{:016x}", digest_);
  return std::move(model_);
}

Model read_model_text(std::string_view text, const std::filesystem::path& file,
                      const std::vector<std::pair<std::string, std::string>>& set) {
  const toml::table table = toml_of(text, file);
  ModelReader reader(table, file, set);
  reader.digest(text);
  Model model = reader.read();
  if (!reader.faults().empty()) throw ModelError(file, reader.faults(), reader.untold());
  return model;
}

Model read_model(const std::filesystem::path& file,
                 const std::vector<std::pair<std::string, std::string>>& set) {
  return read_model_text(text_of_file(file, "model file", largest_file), file, set);
}

}  // namespace driftless::io
