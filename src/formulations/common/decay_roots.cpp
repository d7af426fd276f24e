#include "decay_roots.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>

namespace driftless::formulations {

namespace {

using Complex = std::complex<double>;

// "3", "1+2i", "1-2.5e-1i"; the sign before the imaginary part is the last one that is not an exponent's.
Complex root_of(const std::string& text) {
  if (text.empty() || text.back() != 'i') return parse_number(text, "a root of option roots");
  const std::string body = text.substr(0, text.size() - 1);
  std::size_t sign = body.size();
  while (--sign > 0)
    if ((body[sign] == '+' || body[sign] == '-') && body[sign - 1] != 'e' && body[sign - 1] != 'E') break;
  if (sign == 0 || sign == std::string::npos)
    throw InputError(
        fmt::format("'{}' is no root of option roots (like 3, or 1+2i with 1-2i); change it", text));
  const std::string imaginary = body.substr(body[sign] == '+' ? sign + 1 : sign);
  return {parse_number(body.substr(0, sign), "the real part of a root"),
          parse_number(imaginary, "the imaginary part of a root")};
}

}  // namespace

std::vector<Complex> decay_roots(const std::string& text) {
  std::vector<Complex> roots;
  for (const std::string& root : split_list(text)) roots.push_back(root_of(root));
  for (const Complex& root : roots) {
    if (!(root.real() > 0))
      throw InputError(fmt::format(
          "option roots has a root with real part {} (must be above 0, so that drift decays); change it",
          root.real()));
    if (std::count(roots.begin(), roots.end(), root) !=
        std::count(roots.begin(), roots.end(), std::conj(root)))
      throw InputError(fmt::format("option roots has {}{:+}i without its conjugate {}{:+}i; add it",
                                   root.real(), root.imag(), root.real(), -root.imag()));
  }
  return roots;
}

std::vector<double> gains_of_roots(const std::vector<Complex>& roots) {
  std::vector<Complex> product = {1};
  for (const Complex& root : roots) {
    product.push_back(0);  // times x: a place up; then plus root times itself
    std::rotate(product.rbegin(), product.rbegin() + 1, product.rend());
    for (std::size_t j = 0; j + 1 < product.size(); ++j) product[j] += root * product[j + 1];
  }
  std::vector<double> gains;
  for (std::size_t j = 0; j + 1 < product.size(); ++j) gains.push_back(product[j].real());
  return gains;
}

}  // namespace driftless::formulations
