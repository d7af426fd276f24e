// Method: which formulation, integrator, stabilizer, controls and step controller a run uses, in the words of
// the command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <driftless/core/consistent_state.hpp>
#include <driftless/core/entries.hpp>
#include <driftless/core/options.hpp>
#include <driftless/core/solve.hpp>

namespace driftless {

struct Method {
  std::string formulation = "index1";
  std::string integrator =
      "";  // empty: `dopri5` where the formulation is an ODE, else `bdf`, with a step `backward-euler`
  std::string stabilizer = "";  // empty: the formulation's own choice, `post:F=block` or `none`
  std::vector<std::string> controls = {};
  std::string controller = "";  // empty: `fixed` with a step, else `bdf-order` for `bdf` and `pi` for others
};

// The same with the words that stand for those left empty.
Method with_defaults(Method method, const Options& options);

// The pipeline of a method for a problem. Throws InputError where names or options are wrong, and where the
// parts do not fit each other or the problem: the sentence says why and what to use instead.
Pipeline assemble(const Problem& problem, const Method& method, const Options& options);
// The same with a formulation made in C++ (a D or R of the user's), of the kind that method.formulation names.
Pipeline assemble(const Problem& problem, const Formulation& formulation, const Method& method,
                  const Options& options);

// Everything at once: the start is made consistent, the pipeline assembled, the loop run, states, drift and
// energy recorded. Further observers may be given.
Solution solve(const Problem& problem, const State& start, const Method& method, const Options& options,
               const std::vector<Observer*>& observers = {}, const std::function<bool()>& interrupted = {});

}  // namespace driftless
