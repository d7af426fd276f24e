#include "model_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless::benchmarks::random {

namespace {

class Writer {
 public:
  explicit Writer(const Sketch& sketch) : s_(sketch), size_(reach(sketch)) {}

  std::string text(const std::string& title) {
    put("title = \"{}\"\ndimensions = {}\ngravity = {}\n", title, s_.planar ? 2 : 3,
        exact((s_.length / (s_.time * s_.time)) * s_.gravity));
    for (const SketchBody& body : s_.bodies) write(body);
    for (std::size_t i = 0; i < s_.joints.size(); ++i) write(s_.joints[i], i);
    for (std::size_t i = 0; i < s_.forces.size(); ++i) write(s_.forces[i], i);
    for (std::size_t i = 0; i < s_.drives.size(); ++i) write(s_.drives[i], i);
    put("\n[run]\nt_end = {:.17g}\n\n[output]\ncolumns = [", s_.t_end * s_.time);
    for (const SketchBody& body : s_.bodies)
      for (const char* axis : {"x", "y", "z"})
        if (!s_.planar || *axis != 'z') put("\"{}.{}\", ", body.name, axis);
    put("\"energy.kinetic\", \"energy.potential\"]\n");
    return std::move(text_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  std::string list(const Vec3& v, int digits) const {
    return s_.planar ? fmt::format("[{:.{}g}, {:.{}g}]", v.x, digits, v.y, digits)
                     : fmt::format("[{:.{}g}, {:.{}g}, {:.{}g}]", v.x, digits, v.y, digits, v.z, digits);
  }
  std::string exact(const Vec3& v) const { return list(v, 17); }
  // Coordinates in a body or a drawing, rounded as its author would.
  std::string rounded(const Vec3& v) const {
    if (s_.digits >= 17) return exact(s_.length * v);
    const double unit = std::pow(10.0, -s_.digits);
    const auto r = [&](double x) { return unit * std::round(x / unit); };
    return exact(s_.length * Vec3{r(v.x), r(v.y), r(v.z)});
  }
  Vec3 moved(const Vec3& at) const { return at + size_ * s_.origin; }
  std::string place(const Vec3& at) const { return rounded(moved(at)); }

  double number(const Quantity& q) const {
    return q.value * std::pow(s_.length, q.length) * std::pow(s_.time, q.time) * (q.time != 0 ? s_.mass : 1);
  }

  void write(const SketchBody& body) {
    const double speed = s_.length / s_.time;
    put("\n[body.{}]\nat = {}\nmass = {:.17g}\n", body.name, place(body.at), s_.mass * body.mass);
    const Vec3 J = (s_.mass * s_.length * s_.length) * body.inertia;
    if (s_.planar)
      put("inertia = {:.17g}\nangle = {:.17g}\n", J.z, body.angle);
    else
      put("inertia = {}\naxes = {{x = {}, y = {}}}\n", exact(J), exact(body.axes.x), exact(body.axes.y));
    if (norm(body.velocity) > 0) put("velocity = {}\n", exact(speed * body.velocity));
    if (norm(body.rates) > 0) {
      if (s_.planar)
        put("spin = {:.17g}\n", body.rates.z / s_.time);
      else
        put("rates = {}\n", exact((1 / s_.time) * body.rates));
    }
  }

  std::string name(int body) const { return body == 0 ? "ground" : s_.body(body).name; }

  Mat3 axes(int index) const {
    if (index == 0) return mechanics::identity3;
    const SketchBody& body = s_.body(index);
    return s_.planar ? mechanics::turned({0, 0, 1}, body.angle) : body.axes;
  }
  // A place of the world by the axes of a body.
  std::string marker(int body, const Vec3& at, const SketchJoint& joint) const {
    const Mat3 R = axes(body);
    const Vec3 arm = body == 0 ? moved(at) : mechanics::to_body(R, at - s_.body(body).at);
    std::string text = fmt::format("{{at = {}", rounded(arm));
    if (has_axis(joint)) text += fmt::format(", axis = {}", exact(mechanics::to_body(R, joint.axis)));
    if (!s_.planar) text += fmt::format(", x = {}", exact(mechanics::to_body(R, across(joint.axis))));
    return text + "}";
  }
  bool has_axis(const SketchJoint& joint) const { return !s_.planar || std::abs(joint.axis.z) < 0.5; }
  static Vec3 across(const Vec3& axis) {
    const Vec3 other = std::abs(axis.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0},
               v = mechanics::cross(axis, other);
    return (1 / norm(v)) * v;
  }

  void write(const SketchJoint& joint, std::size_t i) {
    put("\n[joint.j{}]\ntype = \"{}\"\n", i, joint.type);
    if (!joint.joints.empty()) {
      put("joints = [\"j{}\", \"j{}\"]\n", joint.joints[0], joint.joints[1]);
    } else {
      put("between = [\"{}\", \"{}\"]\n", name(joint.a), name(joint.b));
      const Vec3 end = joint.to.value_or(joint.at);
      if (s_.by_markers) {
        put("a = {}\nb = {}\n", marker(joint.a, joint.at, joint),
            marker(joint.b, end + joint.missed_by, joint));
      } else if (joint.to) {
        put("from = {}\nto = {}\n", place(joint.at), place(end));
      } else {
        put("at = {}\n", place(joint.at));
        if (has_axis(joint)) put("axis = {}\n", exact(joint.axis));
      }
    }
    settings(joint.settings);
  }

  void settings(const Settings& all) {
    for (const auto& [key, value] : all) put("{} = {:.17g}\n", key, number(value));
  }

  void write(const SketchForce& force, std::size_t i) {
    put("\n[force.f{}]\ntype = \"{}\"\n", i, force.type);
    if (force.joint >= 0)
      put("on = \"j{}.{}\"\n", force.joint, force.coordinate);
    else
      put("between = [\"{}\", \"{}\"]\nfrom = {}\nto = {}\n", name(force.a), name(force.b), place(force.from),
          place(force.to));
    settings(force.settings);
  }

  void write(const SketchDrive& drive, std::size_t i) {
    const double amplitude = drive.amplitude * (drive.coordinate == "angle" ? 1 : s_.length);
    put("\n[drive.d{}]\non = \"j{}.{}\"\nmotion = \"{:.17g}*(1 - cos({:.17g}*t))\"\n", i, drive.joint,
        drive.coordinate, amplitude, drive.frequency / s_.time);
  }

  const Sketch& s_;
  double size_;
  std::string text_;
};

}  // namespace

std::string model_text(const Sketch& sketch, const std::string& title) {
  return Writer(sketch).text(title);
}

}  // namespace driftless::benchmarks::random
