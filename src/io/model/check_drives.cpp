// What jumps in the tables of drives until the end of the run, and tables over time that end before it does.
#include <fmt/format.h>

#include "io/model/check_parts.hpp"
#include "mechanics/table_watch.hpp"

namespace driftless::io {

namespace {

constexpr double usual_end = 10;  // s

}  // namespace

void look_at_drives(const CheckedMechanism& mechanism, ModelCheck& check) {
  const double end = mechanism.model.run.t_end.value_or(usual_end);
  for (const mechanics::DriveJumps& one : mechanics::jumps_of_drives(mechanism.parts, 0, end))
    add_finding(check, Finding::Severity::note, "drive-jumps", "drive " + one.drive, one.text);
  for (const mechanics::Row& row : mechanism.parts.rows) {
    if (row.motion < 0) continue;
    const mechanics::Table* table = mechanism.parts.motions[static_cast<std::size_t>(row.motion)].table();
    if (!table) continue;
    const bool refuses = table->options().outside == mechanics::Outside::error;
    for (const double t : {0.0, end})
      if (table->beyond(t))
        add_finding(
            check, refuses ? Finding::Severity::error : Finding::Severity::note, "table-range",
            "drive " + row.name,
            fmt::format("its table will be asked for a value {}; {}", table->told_beyond(t),
                        refuses ? "its `outside` is \"error\", so that the run ends there: give it points, "
                                  "or another `outside` or t_end"
                        : table->options().outside == mechanics::Outside::hold
                            ? "the end value is held there"
                            : "it goes on straight there"));
  }
}

}  // namespace driftless::io
