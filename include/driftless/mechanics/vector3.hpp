// Vectors and matrices of space for any scalar, so that derivatives flow through them.
#pragma once

#include <driftless/autodiff/dual.hpp>
#include <driftless/autodiff/jet_functions.hpp>
#include <driftless/autodiff/scalar.hpp>

namespace driftless::mechanics {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  Vector3& operator+=(const Vector3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  Vector3& operator-=(const Vector3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  bool operator==(const Vector3&) const = default;
};
using Vec3 = Vector3<double>;

template <class A, class B>
using Product = decltype(A() * B());

template <class T>
Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class S, class T>
Vector3<T> operator*(const S& s, const Vector3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class A, class B>
Product<A, B> dot(const Vector3<A>& a, const Vector3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
Vector3<Product<A, B>> cross(const Vector3<A>& a, const Vector3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const Vector3<T>& a) {
  using autodiff::sqrt;
  return sqrt(dot(a, a));
}

// By columns: where the axes of a body point.
template <class T>
struct Matrix3 {
  Vector3<T> x{}, y{}, z{};
};
using Mat3 = Matrix3<double>;

template <class A, class B>
Vector3<Product<A, B>> operator*(const Matrix3<A>& R, const Vector3<B>& s) {
  return {R.x.x * s.x + R.y.x * s.y + R.z.x * s.z, R.x.y * s.x + R.y.y * s.y + R.z.y * s.z,
          R.x.z * s.x + R.y.z * s.y + R.z.z * s.z};
}
// R^T p
template <class A, class B>
Vector3<Product<A, B>> to_body(const Matrix3<A>& R, const Vector3<B>& p) {
  return {dot(R.x, p), dot(R.y, p), dot(R.z, p)};
}
inline Mat3 operator*(const Mat3& A, const Mat3& B) {
  return {A * B.x, A * B.y, A * B.z};
}
inline Mat3 transposed(const Mat3& A) {
  return {{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}
constexpr inline Mat3 identity3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

}  // namespace driftless::mechanics
