// Driftless: simulates constrained mechanical systems and keeps them on their constraints.
#pragma once

#include <driftless/analysis/energy_equilibrium.hpp>
#include <driftless/analysis/truncation.hpp>
#include <driftless/catalog/catalog.hpp>
#include <driftless/catalog/method.hpp>
#include <driftless/core/auto_problem.hpp>
#include <driftless/core/consistent_state.hpp>
#include <driftless/core/solve.hpp>
#include <driftless/formulations/ggl.hpp>
#include <driftless/formulations/invariant_stabilized.hpp>
#include <driftless/formulations/projected_invariants.hpp>
#include <driftless/formulations/state_space.hpp>
#include <driftless/io/csv.hpp>
#include <driftless/io/result_folder.hpp>
#include <driftless/io/run_json.hpp>
#include <driftless/io/run_plots.hpp>
#include <driftless/io/run_report.hpp>
#include <driftless/io/saved_run.hpp>
#include <driftless/io/svg_plot.hpp>
#include <driftless/observers/drift_monitor.hpp>
#include <driftless/observers/energy_monitor.hpp>
#include <driftless/observers/progress.hpp>
#include <driftless/observers/recorder.hpp>
#include <driftless/version.hpp>
