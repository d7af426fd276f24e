// Three facts that are not in the paper. Without the curvature term, (4.4), g settles at (h_c^2/2) x'^T g_xx x'. With the gains of (4.14)
// the constraint obeys sum_j (h^j/j!) g^(j) = 0, which is unstable from order 5 on. And with (M^T M + rho I) q'' = M^T (f + G^T
// lambda), (4.11), coordinates without mass never accelerate.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "experiments/003/tables.hpp"
#include "experiments/common/readings.hpp"

namespace driftless::experiments::paper003 {

namespace {

// sum_{j=0}^m tau^j/j! = 0 as a first-order system in h d/dt.
Eigen::MatrixXd truncated_exponential(int m) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(m, m);
  for (int j = 0; j + 1 < m; ++j) A(j, j + 1) = 1;
  for (int j = 0; j < m; ++j) A(m - 1, j) = -std::tgamma(m + 1) / std::tgamma(j + 1);
  return A;
}

double largest_real_part(int m) {
  return truncated_exponential(m).eigenvalues().real().maxCoeff();
}

// |g(1)| for h = 0.05 from g(0) = 1e-8 and rates of zero, by small steps of Taylor's series.
double after_one(int m) {
  constexpr double h = 0.05, step = 0.01;  // in units of h
  const Eigen::MatrixXd A = truncated_exponential(m);
  Eigen::VectorXd g = Eigen::VectorXd::Zero(m);
  g(0) = 1e-8;
  for (int i = 0; i < std::lround(1 / (h * step)); ++i) {
    Eigen::VectorXd term = g;
    for (int k = 1; k <= 8; ++k) g += (term = step / k * (A * term));
  }
  return std::abs(g(0));
}

const Reading off_circle =
    from_table("largest |(x^2 + y^2 - 1)/2| of trajectory.csv", [](const Table& table) {
      const std::vector<double>&x = table.column("x"), &y = table.column("y");
      double largest = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        largest = std::max(largest, std::abs(x[i] * x[i] + y[i] * y[i] - 1) / 2);
      return largest;
    });

Reading largest_off(const char* text, double (*off)(double t, double q1, double q2)) {
  return from_table(text, [off](const Table& table) {
    const std::vector<double>&t = table.column("t"), &q1 = table.column("q1"), &q2 = table.column("q2");
    double largest = 0;
    for (std::size_t i = 0; i < t.size(); ++i) largest = std::max(largest, std::abs(off(t[i], q1[i], q2[i])));
    return largest;
  });
}

}  // namespace

std::vector<Entry> curvature_offsets() {
  std::vector<Entry> entries;
  for (const auto& [gamma, step, off, on] :
       {std::tuple("100", "1e-2", "9.795e-4", 5e-11), std::tuple("1000", "1e-3", "9.800e-6", 1e-12)})
    for (const char* curvature : {"off", "on"}) {
      const bool without = curvature == std::string("off");
      entries.push_back(
          {.item = "Planar pendulum, (4.4)",
           .quantity = "largest |g|",
           .parameters = {{"h_c", step}, {"curvature", curvature}},
           .expected = without ? relative(off, 0.005) : below(on, fmt::format("{:g}", on)),
           .note =
               without ? "(h_c^2/2) x'^T g_xx x' is what it settles at" : "what is left is the integrator's",
           .command = fmt::format(
               "driftless run pendulum --set case=A01 --set gravity=9.8 --set x=1 --set vy=0 --formulation "
               "trust-region:epsilon=1e-12,gamma={},curvature={} --integrator dopri5 --stabilizer none "
               "--rtol "
               "1e-10 --atol 1e-12 --t-end 2",
               gamma, curvature),
           .reading = off_circle});
    }
  return entries;
}

std::vector<Entry> stability_limits() {
  constexpr std::array<const char*, 8> parts = {"-1",    "-1",    "-0.702", "-0.271",
                                                "0.240", "0.804", "1.407",  "2.040"};
  std::vector<Entry> entries;
  for (int m = 1; m <= 8; ++m)
    entries.push_back(
        {.item = "Gains (4.14)",
         .quantity = "largest real part of h root",
         .parameters = {{"order m", std::to_string(m)}},
         .expected = absolute(parts[static_cast<std::size_t>(m - 1)], 6e-4),
         .note = "stable for m <= 4 only; a formula, no run",
         .reading = formula("roots of the truncated exponential", [m] { return largest_real_part(m); })});
  constexpr std::array<std::pair<int, const char*>, 4> ends = {
      {{3, "7e-15"}, {4, "1.4e-11"}, {5, "3.0e-7"}, {6, "7e-4"}}};
  for (const auto& [m, found] : ends)
    entries.push_back(
        {.item = "Gains (4.14)",
         .quantity = "|g(1)|, h = 0.05, g(0) = 1e-8",
         .parameters = {{"order m", std::to_string(m)}},
         .expected = relative(found, significant_digits(found) == 1 ? 0.08 : 0.04),
         .note = "by Taylor's series in C++, no run",
         .reading = formula("sum_j (h^j/j!) g^(j) = 0 at t = 1", [m = m] { return after_one(m); })});
  entries.push_back({.item = "Gains (4.14)",
                     .quantity = "|g(1)|, h = 0.05, g(0) = 1e-8",
                     .parameters = {{"order m", "2"}},
                     .expected = below(1e-15, "0"),
                     .note = "by Taylor's series in C++, no run",
                     .reading = formula("sum_j (h^j/j!) g^(j) = 0 at t = 1", [] { return after_one(2); })});
  return entries;
}

std::vector<Entry> singular_masses() {
  const Reading off = largest_off("largest |q1 - cos 2t| of trajectory.csv",
                                  [](double t, double q1, double) { return q1 - std::cos(2 * t); }),
                apart = largest_off("largest |q1 - q2| of trajectory.csv",
                                    [](double, double q1, double q2) { return q1 - q2; });
  std::vector<Entry> entries;
  for (const char* mass : {"mass=paper,rho=1e-2", "mass=paper,rho=1e-4", "mass=augmented"}) {
    const bool paper = mass != std::string("mass=augmented");
    const std::string command = fmt::format(
        "driftless run 003-singular-mass --formulation trust-region:epsilon=1e-12,gamma=100,{} --integrator "
        "dopri5 "
        "--stabilizer none --rtol 1e-11 --atol 1e-12",
        mass);
    entries.push_back(
        {.item = "Singular mass matrix (4.11)",
         .quantity = "largest |q1 - cos 2t|",
         .parameters = {{"mass", mass}},
         .expected = paper ? relative("2.0", 0.01) : below(1.1e-8, "1.1e-8"),
         .note = paper ? "the paper says that singular M is no matter; q stays at 1"
                       : "M + G^T G; 1.1e-8 is the error of the independent program's integration",
         .command = command,
         .reading = off});
    entries.push_back({.item = "Singular mass matrix (4.11)",
                       .quantity = "largest |g|",
                       .parameters = {{"mass", mass}},
                       .expected = below(1e-12, paper ? "1e-16" : "2e-16"),
                       .command = command,
                       .reading = apart});
  }
  return entries;
}

}  // namespace driftless::experiments::paper003
