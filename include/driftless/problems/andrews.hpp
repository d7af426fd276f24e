// Andrews' squeezing mechanism (IVP Test Set): seven planar bodies, six loop closures, one degree of freedom;
// q = (beta, Theta, gamma, Phi, delta, Omega, epsilon), a drive torque mom, one spring, no gravity.
// Block-diagonal mass (2, 1, 2, 2).
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

namespace driftless::problems {

struct Andrews {
  static constexpr int nq = 7, ng = 6;
  static constexpr std::array<const char*, 7> coordinate_names{"beta",  "Theta", "gamma",  "Phi",
                                                               "delta", "Omega", "epsilon"};
  static constexpr std::array<const char*, 7> velocity_names{"beta'",  "Theta'", "gamma'",  "Phi'",
                                                             "delta'", "Omega'", "epsilon'"};
  static constexpr std::array<const char*, 6> constraint_names{"loop B x",  "loop B y",  "loop A1 x",
                                                               "loop A1 y", "loop A2 x", "loop A2 y"};
  static constexpr std::array mass_blocks{2, 1, 2, 2};

  double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706, m7 = .05498;
  double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
         I7 = 1.912e-5;
  double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, ss = .035, sa = .01874,
         sb = .01043, sc = .018, sd = .02;
  double ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
  double mom = .033, c0 = 4530, l0 = .07785;

  void mass(auto, auto q, auto M) const {
    using std::cos, std::sin;
    mass_by(cos(q[1]), sin(q[3]), sin(q[5]), M);
  }
  void force(auto, auto q, auto v, auto f) const {
    using std::cos, std::sin;
    force_by(sin(q[1]), sin(q[2]), cos(q[2]), cos(q[3]), cos(q[5]), v, f);
  }
  void constraint(auto, auto q, auto g) const {
    constraint_by(Trigonometry<std::remove_cvref_t<decltype(q[0])>>(q), g);
  }
  auto energy(auto t, auto q, auto v) const {
    using T = std::remove_cvref_t<decltype(q[0] * v[0])>;
    using std::cos, std::sin, std::sqrt;
    std::array<T, 49> values{};
    const auto M = [&](int i, int j) -> T& { return values[static_cast<std::size_t>(i + 7 * j)]; };
    mass(t, q, M);
    T kinetic(0.0);
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j)
        kinetic += v[static_cast<std::size_t>(i)] * M(i, j) * v[static_cast<std::size_t>(j)];
    const T x = sd * cos(q[2]) + sc * sin(q[2]) + xb - xc, y = sd * sin(q[2]) - sc * cos(q[2]) + yb - yc;
    const T stretch = sqrt(x * x + y * y) - l0;
    return kinetic / 2.0 + c0 * stretch * stretch / 2.0 - mom * q[0];
  }

  // By hand, with shared terms: one set of sines and cosines.
  void dynamics(double, auto q, auto v, auto M, auto f, auto G, auto c) const {
    const Trigonometry<double> k(q);
    mass_and_force_by(k, v, M, f);
    jacobian_by(k, G);
    const double w0 = v[0] * v[0], w1 = (v[0] + v[1]) * (v[0] + v[1]), w2 = v[2] * v[2],
                 w3 = (v[3] + v[4]) * (v[3] + v[4]), w4 = v[4] * v[4], w5 = (v[5] + v[6]) * (v[5] + v[6]),
                 w6 = v[6] * v[6];
    const double x = -rr * k.c[0] * w0 + d * k.c[1] * w1, y = -rr * k.s[0] * w0 + d * k.s[1] * w1;
    c[0] = x + ss * k.s[2] * w2;
    c[1] = y - ss * k.c[2] * w2;
    c[2] = x + e * k.s[3] * w3 + zt * k.c[4] * w4;
    c[3] = y - e * k.c[3] * w3 + zt * k.s[4] * w4;
    c[4] = x + zf * k.c[5] * w5 + u * k.s[6] * w6;
    c[5] = y + zf * k.s[5] * w5 - u * k.c[6] * w6;
  }
  void equations(double, auto q, auto v, auto M, auto f, auto g, auto G) const {
    const Trigonometry<double> k(q);
    mass_and_force_by(k, v, M, f);
    constraint_by(k, g);
    jacobian_by(k, G);
  }
  void jacobian(double, auto q, auto G) const { jacobian_by(Trigonometry<double>(q), G); }
  void rate_jacobian(double, auto q, auto v, auto L) const {
    const Trigonometry<double> k(q);
    const double p1 = v[0] + v[1], p3 = v[3] + v[4], p5 = v[5] + v[6];
    for (int row = 0; row < 6; row += 2) {
      L(row, 0) = -rr * k.c[0] * v[0] + d * k.c[1] * p1, L(row, 1) = d * k.c[1] * p1;
      L(row + 1, 0) = -rr * k.s[0] * v[0] + d * k.s[1] * p1, L(row + 1, 1) = d * k.s[1] * p1;
    }
    L(0, 2) = ss * k.s[2] * v[2];
    L(1, 2) = -ss * k.c[2] * v[2];
    L(2, 3) = e * k.s[3] * p3, L(2, 4) = e * k.s[3] * p3 + zt * k.c[4] * v[4];
    L(3, 3) = -e * k.c[3] * p3, L(3, 4) = -e * k.c[3] * p3 + zt * k.s[4] * v[4];
    L(4, 5) = zf * k.c[5] * p5, L(4, 6) = zf * k.c[5] * p5 + u * k.s[6] * v[6];
    L(5, 5) = zf * k.s[5] * p5, L(5, 6) = zf * k.s[5] * p5 - u * k.c[6] * v[6];
  }

  // Every phase enters through one term of each constraint, whose second derivative is a multiple of it.
  void multiplier_jacobian(double, auto q, auto lambda, auto out) const {
    const Trigonometry<double> k(q);
    const double x = lambda[0] + lambda[2] + lambda[4], y = lambda[1] + lambda[3] + lambda[5];
    const double w1 = d * (k.c[1] * x + k.s[1] * y), w3 = e * (k.s[3] * lambda[2] - k.c[3] * lambda[3]),
                 w5 = zf * (k.c[5] * lambda[4] + k.s[5] * lambda[5]);
    out(0, 0) = w1 - rr * (k.c[0] * x + k.s[0] * y);
    out(0, 1) = out(1, 0) = out(1, 1) = w1;
    out(2, 2) = ss * (k.s[2] * lambda[0] - k.c[2] * lambda[1]);
    out(3, 3) = out(3, 4) = out(4, 3) = w3;
    out(4, 4) = w3 + zt * (k.c[4] * lambda[2] + k.s[4] * lambda[3]);
    out(5, 5) = out(5, 6) = out(6, 5) = w5;
    out(6, 6) = w5 + u * (k.s[6] * lambda[4] - k.c[6] * lambda[5]);
  }
  void force_jacobian(double, auto q, auto v, auto f_q, auto f_v) const {
    const double h = e - ea, k = zf - fa, a1 = m2 * da * rr, a3 = m4 * zt * h, a5 = m6 * u * k;
    const double s1 = a1 * std::sin(q[1]), c1 = a1 * std::cos(q[1]), s3 = a3 * std::sin(q[3]),
                 c3 = a3 * std::cos(q[3]), s5 = a5 * std::sin(q[5]), c5 = a5 * std::cos(q[5]);
    f_q(0, 1) = -c1 * v[1] * (v[1] + 2 * v[0]), f_v(0, 0) = -2 * s1 * v[1],
           f_v(0, 1) = -2 * s1 * (v[0] + v[1]);
    f_q(1, 1) = c1 * v[0] * v[0], f_v(1, 0) = 2 * s1 * v[0];
    f_q(3, 3) = -s3 * v[4] * v[4], f_v(3, 4) = 2 * c3 * v[4];
    f_q(4, 3) = s3 * v[3] * (v[3] + 2 * v[4]), f_v(4, 3) = -2 * c3 * (v[3] + v[4]),
           f_v(4, 4) = -2 * c3 * v[3];
    f_q(5, 5) = s5 * v[6] * v[6], f_v(5, 6) = -2 * c5 * v[6];
    f_q(6, 5) = -s5 * v[5] * (v[5] + 2 * v[6]), f_v(6, 5) = 2 * c5 * (v[5] + v[6]), f_v(6, 6) = 2 * c5 * v[5];
    // The spring pulls with -c0 (1 - l0/length) p, p = length length' by gamma.
    const double s2 = std::sin(q[2]), c2 = std::cos(q[2]), dx = sd * c2 + sc * s2, dy = sd * s2 - sc * c2,
                 x = dx + xb - xc, y = dy + yb - yc, length = std::sqrt(x * x + y * y);
    const double p = y * dx - x * dy, p_gamma = dx * dx + dy * dy - x * dx - y * dy;
    f_q(2, 2) = -c0 * ((1 - l0 / length) * p_gamma + l0 * p * p / (length * length * length));
  }
  void mass_product_jacobian(double, auto q, auto a, auto out) const {
    const double h = e - ea, k = zf - fa;
    const double M_Theta = m2 * da * rr * std::sin(q[1]), M_Phi = m4 * zt * h * std::cos(q[3]),
                 M_Omega = -m6 * u * k * std::cos(q[5]);
    out(0, 1) = M_Theta * (2 * a[0] + a[1]), out(1, 1) = M_Theta * a[0];
    out(3, 3) = M_Phi * a[4], out(4, 3) = M_Phi * (a[3] + 2 * a[4]);
    out(5, 5) = M_Omega * a[6], out(6, 5) = M_Omega * (a[5] + 2 * a[6]);
  }

 private:
  // Of the phases beta, beta + Theta, gamma, Phi + delta, delta, Omega + epsilon, epsilon.
  template <class T>
  struct Trigonometry {
    explicit Trigonometry(auto q) {
      using std::cos, std::sin;
      const T phases[] = {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
      for (int i = 0; i < 7; ++i) s[i] = sin(phases[i]), c[i] = cos(phases[i]);
    }
    // Of the difference of two phases.
    T sin_of(int i, int j) const { return s[i] * c[j] - c[i] * s[j]; }
    T cos_of(int i, int j) const { return c[i] * c[j] + s[i] * s[j]; }
    T s[7], c[7];
  };

  void constraint_by(const auto& k, auto g) const {
    const auto x = rr * k.c[0] - d * k.c[1], y = rr * k.s[0] - d * k.s[1];
    g[0] = x - ss * k.s[2] - xb;
    g[1] = y + ss * k.c[2] - yb;
    g[2] = x - e * k.s[3] - zt * k.c[4] - xa;
    g[3] = y + e * k.c[3] - zt * k.s[4] - ya;
    g[4] = x - zf * k.c[5] - u * k.s[6] - xa;
    g[5] = y - zf * k.s[5] + u * k.c[6] - ya;
  }

  // Theta, Phi and Omega are differences of phases.
  void mass_and_force_by(const Trigonometry<double>& k, auto v, auto M, auto f) const {
    mass_by(k.cos_of(1, 0), k.sin_of(3, 4), k.sin_of(5, 6), M);
    force_by(k.sin_of(1, 0), k.s[2], k.c[2], k.cos_of(3, 4), k.cos_of(5, 6), v, f);
  }

  void jacobian_by(const Trigonometry<double>& k, auto G) const {
    for (int row = 0; row < 6; row += 2) {
      G(row, 0) = -rr * k.s[0] + d * k.s[1], G(row, 1) = d * k.s[1];
      G(row + 1, 0) = rr * k.c[0] - d * k.c[1], G(row + 1, 1) = -d * k.c[1];
    }
    G(0, 2) = -ss * k.c[2];
    G(1, 2) = -ss * k.s[2];
    G(2, 3) = -e * k.c[3], G(2, 4) = -e * k.c[3] + zt * k.s[4];
    G(3, 3) = -e * k.s[3], G(3, 4) = -e * k.s[3] - zt * k.c[4];
    G(4, 5) = zf * k.s[5], G(4, 6) = zf * k.s[5] - u * k.c[6];
    G(5, 5) = -zf * k.c[5], G(5, 6) = -zf * k.c[5] - u * k.s[6];
  }

  void mass_by(auto cos_Theta, auto sin_Phi, auto sin_Omega, auto M) const {
    const double h = e - ea, k = zf - fa;
    M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cos_Theta + da * da) + I1 + I2;
    M(0, 1) = M(1, 0) = m2 * (da * da - da * rr * cos_Theta) + I2;
    M(1, 1) = m2 * da * da + I2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    M(3, 3) = m4 * h * h + I4;
    M(3, 4) = M(4, 3) = m4 * (h * h + zt * h * sin_Phi) + I4;
    M(4, 4) = m4 * (zt * zt + 2 * zt * h * sin_Phi + h * h) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M(5, 5) = m6 * k * k + I6;
    M(5, 6) = M(6, 5) = m6 * (k * k - u * k * sin_Omega) + I6;
    M(6, 6) = m6 * (k * k - 2 * u * k * sin_Omega + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
  }

  void force_by(auto sin_Theta, auto sin_gamma, auto cos_gamma, auto cos_Phi, auto cos_Omega, auto v,
                auto f) const {
    using std::sqrt;
    const double h = e - ea, k = zf - fa;
    const auto x = sd * cos_gamma + sc * sin_gamma + xb - xc, y = sd * sin_gamma - sc * cos_gamma + yb - yc;
    const auto length = sqrt(x * x + y * y);
    const auto tension = -c0 * (length - l0) / length;
    f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin_Theta;
    f[1] = m2 * da * rr * v[0] * v[0] * sin_Theta;
    f[2] = tension * (x * (sc * cos_gamma - sd * sin_gamma) + y * (sd * cos_gamma + sc * sin_gamma));
    f[3] = m4 * zt * h * v[4] * v[4] * cos_Phi;
    f[4] = -m4 * zt * h * v[3] * (v[3] + 2.0 * v[4]) * cos_Phi;
    f[5] = -m6 * u * k * v[6] * v[6] * cos_Omega;
    f[6] = m6 * u * k * v[5] * (v[5] + 2.0 * v[6]) * cos_Omega;
  }
};

}  // namespace driftless::problems
