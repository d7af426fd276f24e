#include "io/robot/coupled_starts.hpp"

namespace driftless::io {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

double followed(const RobotCoupling& coupling, double x) {
  double value = 0;
  for (auto c = coupling.c.rbegin(); c != coupling.c.rend(); ++c) value = value * x + *c;
  return value;
}

}  // namespace

std::vector<std::size_t> start_followers(Robot& robot) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> coupling_of(robot.joints.size(), none);
  for (std::size_t i = 0; i < robot.couplings.size(); ++i)
    if (std::size_t& own = coupling_of[index(robot.couplings[i].follower)]; own == none) own = i;

  enum class State { waits, on_the_way, done };
  std::vector<State> state(robot.joints.size(), State::waits);
  std::vector<std::size_t> circles, way;
  for (std::size_t first = 0; first < robot.joints.size(); ++first) {
    // Towards the joint that leads them all, and back from there.
    int joint = static_cast<int>(first);
    way.clear();
    while (joint >= 0 && coupling_of[index(joint)] != none && state[index(joint)] == State::waits) {
      state[index(joint)] = State::on_the_way;
      way.push_back(coupling_of[index(joint)]);
      joint = robot.couplings[way.back()].leader;
    }
    const bool circle = joint >= 0 && state[index(joint)] == State::on_the_way;
    if (circle) circles.push_back(coupling_of[index(joint)]);
    for (auto i = way.rbegin(); i != way.rend(); ++i) {
      const RobotCoupling& coupling = robot.couplings[*i];
      state[index(coupling.follower)] = State::done;
      if (circle) continue;
      const double x = coupling.leader < 0 ? 0 : robot.joints[index(coupling.leader)].freedoms.at(0).start;
      if (RobotFreedom& own = robot.joints[index(coupling.follower)].freedoms.at(0); !own.said)
        own.start = followed(coupling, x);
    }
  }
  return circles;
}

}  // namespace driftless::io
