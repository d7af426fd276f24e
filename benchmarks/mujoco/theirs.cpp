#include "theirs.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/QR>

namespace driftless::benchmarks::mujoco {

namespace {

constexpr int never = mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_WARMSTART;

// Row by row.
using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

mjModel* load(const std::filesystem::path& file) {
  char error[1000] = "";
  mjModel* model = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
  if (!model) throw std::runtime_error(fmt::format("MuJoCo does not read {}: {}", file.string(), error));
  return model;
}

// The same on every machine, unlike the standard's distributions.
double between(double least, double most, std::mt19937& source) {
  return least + (most - least) * (static_cast<double>(source()) / 4294967296.0);
}

}  // namespace

Theirs::Theirs(const std::filesystem::path& file)
    : model_(load(file), mj_deleteModel), data_(mj_makeData(model_.get()), mj_deleteData) {
  model_->opt.jacobian = mjJAC_DENSE;
  model_->opt.enableflags |= mjENBL_ENERGY;
}

std::string Theirs::name(mjtObj kind, int id) const {
  const char* known = mj_id2name(model_.get(), kind, id);
  return known ? known : "";
}

std::vector<std::string> Theirs::keyframes() const {
  std::vector<std::string> names;
  for (int i = 0; i < model_->nkey; ++i) names.push_back(name(mjOBJ_KEY, i));
  return names;
}

Asked Theirs::random(std::mt19937& source) const {
  const mjModel& m = *model_;
  Asked at{Vector(m.nq), Vector(m.nv), Vector(m.nu)};
  const auto quaternion = [&](int first) {
    for (int i = 0; i < 4; ++i) at.qpos(first + i) = between(-1, 1, source);
    at.qpos.segment(first, 4).normalize();
  };
  for (int i = 0; i < m.njnt; ++i) {
    const int first = m.jnt_qposadr[i];
    if (m.jnt_type[i] == mjJNT_FREE) {
      for (int k = 0; k < 3; ++k) at.qpos(first + k) = between(-2, 2, source);
      quaternion(first + 3);
    } else if (m.jnt_type[i] == mjJNT_BALL) {
      quaternion(first);
    } else {
      // Less than half a turn: a place does not say more.
      at.qpos(first) = m.jnt_type[i] == mjJNT_HINGE ? between(-3, 3, source) : between(-1, 1, source);
    }
  }
  for (double& rate : at.qvel) rate = between(-2, 2, source);
  for (double& control : at.ctrl) control = between(-1, 1, source);
  return at;
}

Asked Theirs::keyframe(const std::string& named) {
  mj_resetDataKeyframe(model_.get(), data_.get(), mj_name2id(model_.get(), mjOBJ_KEY, named.c_str()));
  using Entries = Eigen::Map<const Vector>;
  return {Entries(data_->qpos, model_->nq), Entries(data_->qvel, model_->nv),
          Entries(data_->ctrl, model_->nu)};
}

void Theirs::forward(const Asked& at) {
  mj_resetData(model_.get(), data_.get());
  Eigen::Map<Vector>(data_->qpos, model_->nq) = at.qpos;
  Eigen::Map<Vector>(data_->qvel, model_->nv) = at.qvel;
  Eigen::Map<Vector>(data_->ctrl, model_->nu) = at.ctrl;
  mj_forward(model_.get(), data_.get());
}

double Theirs::energy() {
  const int disabled = model_->opt.disableflags;
  model_->opt.disableflags |= mjDSBL_PASSIVE;  // springs left out
  mj_energyPos(model_.get(), data_.get());
  mj_energyVel(model_.get(), data_.get());
  model_->opt.disableflags = disabled;
  return data_->energy[0] + data_->energy[1];
}

TheirDynamics Theirs::dynamics(const Asked& at) {
  model_->opt.disableflags |= never | mjDSBL_EQUALITY;
  forward(at);
  const mjModel& m = *model_;
  const mjData& d = *data_;
  TheirDynamics result;
  for (int i = 1; i < m.nbody; ++i) {
    mjtNum twist[6];  // turning first
    mj_objectVelocity(&m, &d, mjOBJ_XBODY, i, twist, 0);
    result.bodies.push_back({name(mjOBJ_BODY, i), Eigen::Vector3d(d.xpos + 3 * i), Eigen::Vector3d(twist + 3),
                             Eigen::Vector3d(twist), Rows(d.xmat + 9 * i, 3, 3)});
  }
  for (int i = 0; i < m.nsite; ++i)
    result.sites.push_back({name(mjOBJ_SITE, i), Eigen::Vector3d(d.site_xpos + 3 * i)});
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(m.nv, m.nv);
  mj_fullM(&m, M.data(), d.qM);
  result.M = M;
  using Entries = Eigen::Map<const Vector>;
  result.bias = Entries(d.qfrc_bias, m.nv);
  result.applied = Entries(d.qfrc_passive, m.nv) + Entries(d.qfrc_actuator, m.nv);
  result.qacc = Entries(d.qacc, m.nv);
  result.energy = energy();
  return result;
}

std::vector<TheirRows> Theirs::equalities(const Asked& at) {
  model_->opt.disableflags = (model_->opt.disableflags | never) & ~mjDSBL_EQUALITY;
  forward(at);
  const mjModel& m = *model_;
  const mjData& d = *data_;
  std::vector<TheirRows> all;
  for (int from = 0, to = 0; from < d.ne; from = to) {
    while (to < d.ne && d.efc_id[to] == d.efc_id[from]) ++to;
    const int id = d.efc_id[from];
    all.push_back({name(mjOBJ_EQUALITY, id), m.eq_type[id],
                   Eigen::Map<const Vector>(d.efc_pos + from, to - from),
                   Rows(d.efc_J + from * m.nv, to - from, m.nv)});
  }
  return all;
}

std::pair<Asked, double> Theirs::closed(const Asked& way) {
  constexpr int most = 200;
  double left = 0;
  Asked from = way;
  from.qpos = Eigen::Map<const Vector>(model_->qpos0, model_->nq);
  mj_integratePos(model_.get(), from.qpos.data(), way.qvel.data(), 0.5);
  for (int i = 0; i < most; ++i) {
    const std::vector<TheirRows> all = equalities(from);
    Eigen::Index rows = 0;
    for (const TheirRows& one : all) rows += one.position.size();
    Matrix J(rows, model_->nv);
    Vector g(rows);
    rows = 0;
    for (const TheirRows& one : all) {
      g.segment(rows, one.position.size()) = one.position;
      J.middleRows(rows, one.position.size()) = one.jacobian;
      rows += one.position.size();
    }
    left = largest(g);
    if (left < 1e-14) break;
    Vector step = -J.completeOrthogonalDecomposition().solve(g);
    if (const double size = step.norm(); size > 0.5) step *= 0.5 / size;  // from far away
    mj_integratePos(model_.get(), from.qpos.data(), step.data(), 1);
  }
  return {from, left};
}

}  // namespace driftless::benchmarks::mujoco
