// The text is read by recursive descent, one function per level of precedence. Nodes are appended in postfix order, so that
// the operands of a node stand right before it and constants can be folded as they come.
//
//   either      both ('or' both)*
//   both        negation ('and' negation)*
//   negation    'not' negation | comparison
//   comparison  sum (('<' | '<=' | '>' | '>=' | '==' | '!=') sum)?
//   sum         product (('+' | '-') product)*
//   product     sign (('*' | '/') sign)*
//   sign        ('-' | '+') sign | power
//   power       primary ('^' sign)?
//   primary     number | name | function '(' either (',' either)* ')' | '(' either ')'
#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <driftless/core/errors.hpp>
#include <driftless/core/method_options.hpp>
#include <driftless/mechanics/expression.hpp>

#include "formula_quantities.hpp"
#include "formula_text.hpp"
#include "shown_text.hpp"

namespace driftless::mechanics {

class Expression::Parser : FormulaText {
 public:
  struct Function {
    const char* name;
    Operation operation;
    const char* arguments;
  };
  static std::span<const Function> functions();

  Parser(const std::string& text, const Names& names)
      : FormulaText(text), names_(names), quantities_(names.quantities) {}

  Expression run() {
    skip_spaces();
    if (at_ == text_.size())
      throw InputError("the expression is empty; give a number or a formula such as 2*t");
    const Part whole = either();
    if (take(")")) fail(at_ - 1, "')' closes no '('; leave it out or open one before");
    if (at_ < text_.size())
      fail(at_, "an operator (+ - * / ^ < <= > >= == != and or) or the end was expected, not {}", here());
    require_number(whole);
    // Without any unit written the numbers are in those of the file, and a factor of 1 between a coordinate and a force is left out.
    if (names_.gives && unit_written_)
      at_place(whole.begin,
               [&] { return quantities_.check_result(operand(whole), *names_.gives), whole.quantity; });
    for (const Node& node : nodes_) {
      if (node.operation != Operation::no_value) continue;
      const auto& [place, reason] = reasons_[static_cast<std::size_t>(node.variable)];
      fail(place, "{}, which has no value", reason);
    }
    check_waiting();
    return {std::string(text_), std::move(nodes_), std::move(ranges_), whole.quantity};
  }

 private:
  // A sub-expression: where its nodes begin, and its text with its parentheses.
  struct Part {
    std::size_t node, begin, end;
    bool condition = false;
    Quantity quantity = {};
  };
  // One for every recursion, so that no text exhausts the machine's stack.
  struct Level {
    Level(Parser& p, std::size_t place) : parser(p) {
      if (++parser.nesting_ > nesting_limit)
        parser.fail(place, "parentheses, signs or powers are nested more than {} deep; split the expression",
                    nesting_limit);
    }
    ~Level() { --parser.nesting_; }
    Parser& parser;
  };

  // --- the levels of the grammar ---

  Part either() {
    Part left = both();
    while (take_word("or")) left = logical(Operation::either, left, both());
    return left;
  }

  Part both() {
    Part left = negation();
    while (take_word("and")) left = logical(Operation::both, left, negation());
    return left;
  }

  Part negation() {
    skip_spaces();
    const std::size_t begin = at_;
    if (!take_word("not")) return comparison();
    const Level level(*this, begin);
    Part part = negation();
    require_condition(part);
    part.begin = begin;
    return push({Operation::negation}, part);
  }

  Part comparison() {
    Part left = sum();
    if (const auto operation = take_comparison()) {
      left = combine(*operation, left, sum());
      left.condition = true;
      skip_spaces();
      const std::size_t place = at_;
      if (take_comparison())
        fail(place, "two numbers are compared at a time, not three; write a < b and b < c");
    }
    return left;
  }

  std::optional<Operation> take_comparison() {
    if (take("<=")) return Operation::at_most;
    if (take(">=")) return Operation::at_least;
    if (take("==")) return Operation::equal;
    if (take("!=")) return Operation::unequal;
    if (take("<")) return Operation::less;
    if (take(">")) return Operation::greater;
    return std::nullopt;
  }

  Part sum() {
    Part left = product();
    while (true) {
      if (take("+"))
        left = combine(Operation::add, left, product());
      else if (take("-"))
        left = combine(Operation::subtract, left, product());
      else
        return left;
    }
  }

  Part product() {
    Part left = sign();
    while (true) {
      if (take("*"))
        left = combine(Operation::multiply, left, sign());
      else if (take("/"))
        left = combine(Operation::divide, left, sign());
      else
        return left;
    }
  }

  Part sign() {
    skip_spaces();
    const std::size_t begin = at_;
    const bool minus = take("-");
    if (!minus && !take("+")) return power();
    const Level level(*this, begin);
    Part part = sign();
    require_number(part);
    part.begin = begin;
    return minus ? push({Operation::scale, 0, -1}, part) : part;
  }

  Part power() {
    const Part base = primary();
    skip_spaces();
    const std::size_t place = at_;
    if (!take("^")) return base;
    const Level level(*this, place);
    return combine(Operation::power, base, sign());
  }

  Part primary() {
    skip_spaces();
    if (is_letter(next())) return name();
    if (is_digit(next()) || (next() == '.' && is_digit(next(1)))) return number();
    const std::size_t open = at_;
    if (next() == '*' && at_ > 0 && text_[at_ - 1] == '*')
      fail(at_, "a number, a name, a function or '(' was expected, not '*'; powers are written with ^");
    if (!take("(")) fail(at_, "a number, a name, a function or '(' was expected, not {}", here());
    const Level level(*this, open);
    Part part = either();
    close(open, "an operator or ')'");
    part.begin = open;
    part.end = at_;
    return part;
  }

  Part number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const std::size_t begin = std::exchange(at_, static_cast<std::size_t>(end - text_.data()));
    if (error != std::errc())
      fail(begin,
           "the number '{}' is too large or too small (limits 1.8e308 and 2.2e-308); change its exponent",
           slice(begin, at_));
    return push({Operation::constant, 0, value}, {nodes_.size(), begin, at_});
  }

  Part name() {
    const std::size_t begin = at_;
    const std::string name(name_here());
    at_ += name.size();
    if (next() == '\'')
      fail(at_, "{} is followed by a second apostrophe; rates have names, rates of rates have none",
           shown(name));
    Part part{nodes_.size(), begin, at_};

    skip_spaces();
    const bool called = next() == '(';
    if (const Function* const function = find(name); called && function) return call(*function, begin);
    const auto variable = std::find(names_.variables.begin(), names_.variables.end(), name);
    const auto constant = names_.constants.find(name);
    const bool is_variable = variable != names_.variables.end(),
               is_constant = constant != names_.constants.end();
    if (called && (is_variable || is_constant))
      fail(begin, "'{0}' is no function; for a product write {0}*(..)", shown(name));
    if (is_variable || is_constant) part.quantity = quantities_.named(name);
    if (!is_variable && part.quantity.kind == Quantity::Kind::known) unit_written_ = true;
    if (is_variable)
      return push({Operation::variable, static_cast<int>(variable - names_.variables.begin())}, part);
    if (is_constant) {
      push({Operation::constant, 0, constant->second}, part);
      if (!std::isfinite(constant->second))
        give_no_value(part.node, begin, fmt::format("the constant {} is {}", shown(name), constant->second));
      return part;
    }
    if (!called && name == "pi") return push({Operation::constant, 0, std::numbers::pi}, part);
    if (!called && name == "e") return push({Operation::constant, 0, std::numbers::e}, part);
    fail_unknown(name, begin, called);
  }

  Part call(const Function& function, std::size_t begin) {
    const std::size_t open = at_++, node = nodes_.size();
    const Level level(*this, open);
    std::vector<Part> parts;
    if (!take(")")) {
      do parts.push_back(either());
      while (take(","));
      close(open, "an operator, ',' or ')'");
    }
    const int count = arguments(function.operation);
    if (static_cast<int>(parts.size()) != count)
      fail(begin, "{0} takes {1} argument{2}, not {3}; write {0}({4})", function.name, count,
           count > 1 ? "s" : "", parts.size(), function.arguments);

    Part whole{node, begin, at_};
    const bool choice = function.operation == Operation::choice;
    for (std::size_t i = choice ? 1 : 0; i < parts.size(); ++i) require_number(parts[i]);
    if (function.operation == Operation::power) {
      whole.quantity = at_place(begin, [&] { return quantity_of(Operation::power, parts[0], parts[1]); });
      Part result =
          combine(Operation::power, {node, begin, parts[0].end}, {parts[1].node, parts[1].begin, at_});
      result.quantity = whole.quantity;
      return result;
    }
    whole.quantity = at_place(begin, [&] {
      std::vector<Operand> operands;
      for (const Part& part : parts) operands.push_back(operand(part));
      const double factor = quantities_.argument_factor(function.name, operands[0]);
      if (factor != 1) push({Operation::scale, 0, factor}, parts[0]);
      return quantities_.of_function(function.name, operands);
    });
    if (choice) return chosen(parts, whole);
    if (function.operation == Operation::step) check_step(parts, whole);
    if (gives_angle(function.operation)) return in_unit_of_angles(push({function.operation}, whole));
    return push({function.operation}, whole);
  }

  // --- quantities ---

  Operand operand(const Part& part) const { return {part.quantity, slice(part.begin, part.end)}; }

  // What is refused is told with the place.
  template <class Rule>
  Quantity at_place(std::size_t place, Rule rule) const {
    try {
      return rule();
    } catch (const FormulaQuantities::Refused& refused) {
      fail(place, "{}", refused.why);
    }
  }

  static bool gives_angle(Operation operation) {
    return operation == Operation::asin || operation == Operation::acos || operation == Operation::atan ||
           operation == Operation::atan2;
  }

  Part in_unit_of_angles(const Part& part) {
    const double unit = quantities_.angle_unit();
    return unit == 1 ? part : push({Operation::divide_by, 0, unit}, part);
  }

  Quantity quantity_of(Operation operation, const Part& left, const Part& right) const {
    const auto constant = [&](std::size_t from, std::size_t to) {
      return single_constant(from, to) ? nodes_[from].value : none;
    };
    const double a = constant(left.node, right.node), b = constant(right.node, nodes_.size());
    const Operand x = operand(left), y = operand(right);
    switch (operation) {
      case Operation::add:
        return quantities_.same("added", x, y);
      case Operation::subtract:
        return quantities_.same("subtracted", x, y);
      case Operation::multiply:
      case Operation::divide:
        return quantities_.product(x, y, left.quantity.kind == Quantity::Kind::bare ? a : b,
                                   operation == Operation::divide);
      case Operation::power:
        return quantities_.power(x, y, b);
      default:
        return quantities_.same("compared", x, y), Quantity::pure();
    }
  }

  // --- nodes ---

  Part push(const Node& node, const Part& whole) {
    nodes_.push_back(node);
    ranges_.push_back({whole.begin, whole.end});
    const int count = arguments(node.operation);
    const auto is_constant = [](const Node& other) { return other.operation == Operation::constant; };
    if (count > 0 && std::all_of(nodes_.end() - 1 - count, nodes_.end() - 1, is_constant))
      fold(static_cast<std::size_t>(count));
    if (nodes_.size() > node_limit)
      fail(whole.begin, "the expression has more than {} numbers, names and operations; split it",
           node_limit);
    return whole;
  }

  // The last node and the `count` constants before it become one constant.
  void fold(std::size_t count) {
    const Node node = nodes_.back();
    const Range range = ranges_.back();
    const std::size_t first = nodes_.size() - 1 - count;
    std::array<double, 5> values{}, work{};
    for (std::size_t i = 0; i < count; ++i) work[i] = values[i] = nodes_[first + i].value;
    execute<double>(node, work.data() + count, {});
    erase(first + 1, nodes_.size());
    nodes_[first] = {Operation::constant, 0, work[0]};
    ranges_[first] = range;
    if (!std::isfinite(work[0]))
      give_no_value(first, range.begin, blame(node, {values.data(), count}, slice(range.begin, range.end)));
  }

  Part combine(Operation operation, const Part& left, const Part& right) {
    require_number(left);
    require_number(right);
    const Part whole{left.node, left.begin, right.end, false,
                     at_place(left.begin, [&] { return quantity_of(operation, left, right); })};
    const bool left_constant = single_constant(left.node, right.node);
    const bool right_constant = single_constant(right.node, nodes_.size());
    if (left_constant == right_constant) return push({operation}, whole);

    const std::size_t number = left_constant ? left.node : right.node;
    const double value = nodes_[number].value;
    const auto replace = [&](Operation by, double constant) {
      erase(number, number + 1);
      return push({by, 0, constant}, whole);
    };
    if (operation == Operation::add) return replace(Operation::shift, value);
    if (operation == Operation::multiply) return replace(Operation::scale, value);
    if (operation == Operation::subtract && left_constant) return replace(Operation::subtract_from, value);
    if (operation == Operation::subtract) return replace(Operation::shift, -value);
    if (operation == Operation::power && right_constant) return replace(Operation::raise_to, value);
    if (operation == Operation::divide && right_constant) {
      if (value != 0) return replace(Operation::divide_by, value);
      give_no_value(number, left.begin, fmt::format("division by 0 in '{}'", slice(whole.begin, whole.end)));
    }
    return push({operation}, whole);
  }

  Part logical(Operation operation, const Part& left, const Part& right) {
    require_condition(left);
    require_condition(right);
    const Part whole{left.node, left.begin, right.end, true};
    if (!single_constant(left.node, right.node)) return push({operation}, whole);
    const bool decided = (nodes_[left.node].value != 0) == (operation == Operation::either);
    decided ? erase(right.node, nodes_.size()) : erase(left.node, right.node);
    return whole;
  }

  Part chosen(const std::vector<Part>& parts, const Part& whole) {
    const Part &condition = parts[0], &yes = parts[1], &no = parts[2];
    require_condition(condition);
    if (!single_constant(condition.node, yes.node)) return push({Operation::choice}, whole);
    const bool holds = nodes_[condition.node].value != 0;
    if (holds) erase(no.node, nodes_.size());
    erase(condition.node, holds ? yes.node : no.node);
    return whole;
  }

  // What is wrong for every x is refused at once.
  void check_step(const std::vector<Part>& parts, const Part& whole) {
    if (!single_constant(parts[1].node, parts[2].node) || !single_constant(parts[3].node, parts[4].node))
      return;
    const std::array<double, 5> numbers{0, nodes_[parts[1].node].value, 0, nodes_[parts[3].node].value, 0};
    if (!(numbers[1] < numbers[3]))
      give_no_value(parts[1].node, whole.begin,
                    blame({Operation::step}, numbers, slice(whole.begin, whole.end)));
  }

  void check_waiting() const {
    int waiting = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      waiting += 1 - arguments(nodes_[i].operation);
      if (waiting > waiting_limit)
        fail(ranges_[i].begin,
             "more than {} results wait for their operation; write a + b + c rather than "
             "a + (b + (c + ..)), or split the expression",
             waiting_limit);
    }
  }

  void give_no_value(std::size_t node, std::size_t place, std::string reason) {
    nodes_[node] = {Operation::no_value, static_cast<int>(reasons_.size())};
    reasons_.emplace_back(place, std::move(reason));
  }

  bool single_constant(std::size_t from, std::size_t to) const {
    return to == from + 1 && nodes_[from].operation == Operation::constant;
  }

  void erase(std::size_t from, std::size_t to) {
    const auto first = static_cast<std::ptrdiff_t>(from), last = static_cast<std::ptrdiff_t>(to);
    nodes_.erase(nodes_.begin() + first, nodes_.begin() + last);
    ranges_.erase(ranges_.begin() + first, ranges_.begin() + last);
  }

  // --- messages ---

  [[noreturn]] void fail_unknown(const std::string& name, std::size_t begin, bool called) const {
    std::vector<std::string> all;
    if (called) {
      for (const Function& function : functions()) all.emplace_back(function.name);
      fail(begin, "there is no function '{}'{}", shown(name), known(name, all, "functions"));
    }
    if (const std::string unit = quantities_.spelling(name); !unit.empty())
      fail(begin, "there is no name '{}': {}", name, unit);
    if (const Function* function = find(name))
      fail(begin, "'{0}' is a function and needs its arguments; write {0}({1})", name, function->arguments);
    for (const std::string& variable : names_.variables)
      if (variable.find('-') != std::string::npos && text_.substr(begin).starts_with(variable))
        fail(begin, "'{}' cannot stand in a formula, where - subtracts; rename it without dashes",
             shown(variable));
    if (name.find('.') != std::string::npos && names_.quantities && names_.variables.size() < 2)
      fail(begin, "there is no name '{}': {}; coordinates of joints stand in formulas of forces", shown(name),
           names_.variables.empty() ? "parameters and the like alone stand here"
                                    : "a motion knows the time t alone");
    all = names_.variables;
    const std::vector<std::string> parameters = quantities_.names(false), units = quantities_.names(true);
    for (const auto& [constant, value] : names_.constants)
      if (std::find(units.begin(), units.end(), constant) == units.end()) all.push_back(constant);
    for (const std::string& parameter : parameters)
      if (!names_.constants.contains(parameter)) all.push_back(parameter);
    all.insert(all.end(), {"pi", "e"});
    std::string near = known(name, all, "names");
    if (near.starts_with(";") && name.size() > 2) near = unit_near(name, units, near);
    fail(begin, "there is no name '{}'{}", shown(name), near);
  }

  // Units are many, and are only told where one is near.
  static std::string unit_near(const std::string& name, const std::vector<std::string>& units,
                               const std::string& otherwise) {
    const std::string near = suggestion(name, units);
    return near.empty() ? otherwise + (units.empty() ? "" : ", and units such as mm, kg and deg") : near;
  }

  void require_number(const Part& part) const {
    if (part.condition)
      fail(part.begin, "a number was expected, and '{}' is a condition; write if(condition, a, b)",
           slice(part.begin, part.end));
  }

  void require_condition(const Part& part) const {
    if (!part.condition)
      fail(part.begin, "a condition such as x > 0 was expected, and '{}' is a number",
           slice(part.begin, part.end));
  }

  static const Function* find(std::string_view name) {
    for (const Function& function : functions())
      if (function.name == name) return &function;
    return nullptr;
  }

  const Names& names_;
  const FormulaQuantities quantities_;
  int nesting_ = 0;
  bool unit_written_ = false;
  std::vector<Node> nodes_;
  std::vector<Range> ranges_;
  // Place and reason of every node `no_value`, an error only if it is there at the end: if(k > 0, x/k, 0) with the constant
  // k = 0 is right.
  std::vector<std::pair<std::size_t, std::string>> reasons_;
};

// clang-format off
std::span<const Expression::Parser::Function> Expression::Parser::functions() {
  using O = Operation;
  static constexpr std::array<Function, 24> all{{
      {"sin", O::sin, "x"}, {"cos", O::cos, "x"}, {"tan", O::tan, "x"},
      {"asin", O::asin, "x"}, {"acos", O::acos, "x"}, {"atan", O::atan, "x"}, {"atan2", O::atan2, "y, x"},
      {"sinh", O::sinh, "x"}, {"cosh", O::cosh, "x"}, {"tanh", O::tanh, "x"},
      {"exp", O::exp, "x"}, {"log", O::log, "x"}, {"ln", O::log, "x"}, {"log10", O::log10, "x"},
      {"sqrt", O::sqrt, "x"}, {"cbrt", O::cbrt, "x"}, {"pow", O::power, "a, b"}, {"hypot", O::hypot, "a, b"},
      {"abs", O::abs, "x"}, {"sign", O::sign, "x"}, {"min", O::minimum, "a, b"}, {"max", O::maximum, "a, b"},
      {"step", O::step, "x, x0, y0, x1, y1"}, {"if", O::choice, "condition, a, b"},
  }};
  return all;
}
// clang-format on

std::string Expression::function_name(Operation operation) {
  const auto functions = Parser::functions();
  const auto same = [&](const auto& function) { return function.operation == operation; };
  return std::find_if(functions.begin(), functions.end(), same)->name;
}

Expression Expression::parse(const std::string& text, const Names& names) {
  return Parser(text, names).run();
}

}  // namespace driftless::mechanics
