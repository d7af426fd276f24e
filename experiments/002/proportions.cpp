// What the errors of the stabilized forms are made of. An error of phase dt has the relative errors dt
// |q_i'/q_i|, dt |v_i'/v_i| and dt |lambda_i'/lambda_i|, and at t = 0.03 the largest of these are in the
// proportion 1 : 112.5 : 11.15 on the exact motion (differences of a run with tolerance 1e-13). The
// independent program has 1 : 111 : 11.5. Geometric means of the quotients are those of the errors, divided;
// one run in which the phase is right by luck raises that of lambda, which has a small error of its own: with
// tolerances changed by 1e-13 to 1e-7 of themselves it is 10.4 to 23.4 in (a) and 11.8 to 15.8 in (c).
// Medians do not mind one such run. In (a), where luck is frequent, they reach 14.6 in one scan of a hundred;
// in (c) they are 11.4 to 11.8.
#include "experiments/002/andrews.hpp"
#include "experiments/002/tables.hpp"

namespace driftless::experiments::paper002 {

std::vector<Entry> proportions() {
  const std::string item = "Table 2, proportions of errors";
  const char* const printed =
      "Table 2 has 112 and 112 for v over p, 18 and 10.5 for lambda over p; derivatives of the exact motion "
      "have 112.5 and 11.15";
  const char* const luck =
      "a run in which the phase is right by luck, and p accurate, raises this mean, in some scans beyond "
      "20 %; medians are what is within 20 %";
  const char* const frequent_luck =
      "in one scan of a hundred the phase is right by luck so often that this is 14.6, beyond 20 %; in (c), "
      "where that is rare, the median is within 20 %";
  const Reading v = quotient(error_v, error_p), lambda = quotient(error_lambda, error_p);
  std::vector<Entry> entries;
  for (const bool to_the_end : {false, true})
    for (const Mechanism& mechanism : {stabilized_1, stabilized_2}) {
      const auto add = [&](const char* quantity, const Reading& reading, Expected expected,
                           const char* note) {
        Entry entry = averaged(item, to_the_end ? average_c : average_a, mechanism, quantity, reading);
        entry.expected = std::move(expected);
        entry.note = note;
        entries.push_back(entry);
      };
      add("v over p, means", geometric_mean(v), relative("111", 0.2), printed);
      add("v over p, median", median(v), relative("111", 0.05), printed);
      add("lambda over p, means", geometric_mean(lambda), within_factor("11.5", to_the_end ? 2 : 3), luck);
      add("lambda over p, median", median(lambda),
          to_the_end ? relative("11.5", 0.1) : within_factor("11.5", 1.5),
          to_the_end ? printed : frequent_luck);
    }
  return entries;
}

}  // namespace driftless::experiments::paper002
