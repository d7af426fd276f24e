// Rigid bodies and where they are.
//   planar    q = (x, y, angle),  v = q'                       in the plane z = 0
//   spatial   q = (x, p), its mass centre and a unit quaternion p = (p0, p1, p2, p3);  v = (x', w), world velocity of the
//             centre and the rates w about body axes:  p' = p o (0, w)/2
//   ground    neither
// R takes body axes to world axes. It is divided by |p|^2, so that it is a rotation and R' = R w~ for every p, whose length p' leaves
// alone: formulas hold wherever the stages of an integrator may be. Origins of bodies are their mass centres, so that the mass matrix is constant:
//   planar  diag(m, m, J),   spatial  diag(m, m, m, J) with J about body axes,   and Euler's  J w' = -w x J w + torque
#pragma once

#include <span>
#include <string>

#include <driftless/mechanics/vector3.hpp>

namespace driftless::mechanics {

struct Body {
  enum class Kind { ground, planar, spatial };
  std::string name;
  Kind kind = Kind::spatial;
  double mass = 0;
  Mat3 inertia = {};  // about the mass centre and body axes; planar: z.z alone
  int q = 0, v = 0;   // where its entries begin
  Vec3 origin = {};   // the point that people mean by its place, from the mass centre

  int coordinates() const { return kind == Kind::ground ? 0 : kind == Kind::planar ? 3 : 7; }
  int velocities() const { return kind == Kind::ground ? 0 : kind == Kind::planar ? 3 : 6; }
  bool massless() const { return kind == Kind::spatial && mass == 0; }  // massless.hpp
};

template <class T>
struct Frame {
  Vector3<T> r{};  // of the mass centre
  Matrix3<T> R{};
};
// World velocity of the mass centre and angular velocity in world axes.
template <class T>
struct Velocities {
  Vector3<T> v{}, w{};
};

template <class T>
Matrix3<T> rotation(const T& p0, const T& p1, const T& p2, const T& p3) {
  const T a = p0 * p0, b = p1 * p1, c = p2 * p2, d = p3 * p3, scale = 1.0 / (a + b + c + d),
          twice = 2.0 * scale;
  const T bc = p1 * p2, ad = p0 * p3, bd = p1 * p3, ac = p0 * p2, cd = p2 * p3, ab = p0 * p1;
  return {{(a + b - c - d) * scale, (bc + ad) * twice, (bd - ac) * twice},
          {(bc - ad) * twice, (a - b + c - d) * scale, (cd + ab) * twice},
          {(bd + ac) * twice, (cd - ab) * twice, (a - b - c + d) * scale}};
}

template <class T>
Frame<T> frame_of(const Body& body, std::span<const T> all) {
  Frame<T> f{{T(0), T(0), T(0)}, {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}};
  if (body.kind == Body::Kind::ground) return f;
  const auto q = all.subspan(static_cast<std::size_t>(body.q));
  if (body.kind == Body::Kind::planar) {
    using autodiff::sin_cos;
    const auto [s, c] = sin_cos(q[2]);
    f.r.x = q[0], f.r.y = q[1];
    f.R.x.x = c, f.R.x.y = s;
    f.R.y.x = -s, f.R.y.y = c;
  } else {
    f.r = {q[0], q[1], q[2]};
    f.R = rotation(q[3], q[4], q[5], q[6]);
  }
  return f;
}

template <class T>
Velocities<T> velocities_of(const Body& body, const Matrix3<T>& R, std::span<const T> all) {
  Velocities<T> m;
  if (body.kind == Body::Kind::ground) return m;
  const auto v = all.subspan(static_cast<std::size_t>(body.v));
  if (body.kind == Body::Kind::planar) {
    m.v.x = v[0], m.v.y = v[1];
    m.w.z = v[2];
  } else {
    m.v = {v[0], v[1], v[2]};
    m.w = R * Vector3<T>{v[3], v[4], v[5]};
  }
  return m;
}

// p' for the rates w about body axes.
template <class T>
void quaternion_rates(std::span<const T> p, const T& w1, const T& w2, const T& w3, std::span<T> rates) {
  rates[0] = (-p[1] * w1 - p[2] * w2 - p[3] * w3) / 2.0;
  rates[1] = (p[0] * w1 - p[3] * w2 + p[2] * w3) / 2.0;
  rates[2] = (p[3] * w1 + p[0] * w2 - p[1] * w3) / 2.0;
  rates[3] = (-p[2] * w1 + p[1] * w2 + p[0] * w3) / 2.0;
}

}  // namespace driftless::mechanics
