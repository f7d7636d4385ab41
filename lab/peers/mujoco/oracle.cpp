// MuJoCo as an oracle: every array of a compiled model by name, and the smooth dynamics at any state.
#include "lab/peers/mujoco/oracle_parts.h"

#include <mujoco/mjxmacro.h>

#include <algorithm>
#include <array>

namespace rattleback::lab
{

namespace
{

struct NamedKind
{
    std::string_view kind;
    mjtObj type;
    mjtSize mjModel::* count;
};
constexpr NamedKind kKinds[] = {
    {"body", mjOBJ_BODY, &mjModel::nbody},       {"joint", mjOBJ_JOINT, &mjModel::njnt},
    {"geom", mjOBJ_GEOM, &mjModel::ngeom},       {"site", mjOBJ_SITE, &mjModel::nsite},
    {"tendon", mjOBJ_TENDON, &mjModel::ntendon}, {"actuator", mjOBJ_ACTUATOR, &mjModel::nactuator},
    {"sensor", mjOBJ_SENSOR, &mjModel::nsensor}, {"key", mjOBJ_KEY, &mjModel::nkey},
    {"equality", mjOBJ_EQUALITY, &mjModel::neq},
};

Pose read_pose(const double* position, const double* rotation)
{
    return {{position[0], position[1], position[2]}, {rotation[0], rotation[1], rotation[2], rotation[3]}};
}

/// Only the smooth part: no constraints, nothing asleep, no implicit metric.
void choose_smooth_part(const mjOption& authored, mjOption& options)
{
    options = authored;
    options.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_SENSOR;
    options.enableflags &= ~mjENBL_SLEEP;
    options.integrator = mjINT_EULER;
}

Vec3 read_vector(const double* numbers) { return {numbers[0], numbers[1], numbers[2]}; }

}  // namespace

Oracle::Oracle(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Oracle::Oracle(Oracle&&) noexcept = default;
Oracle& Oracle::operator=(Oracle&&) noexcept = default;
Oracle::~Oracle() = default;

Result<Oracle> Oracle::load_file(const std::string& path)
{
    const Result<const MujocoApi*> api = open_mujoco();
    if (!api.ok()) return api.errors();
    Result<ModelPointer> model = load_mujoco_file(*api.value(), path);
    if (!model.ok()) return model.errors();
    return Oracle(std::make_unique<Parts>(Parts(*api.value(), std::move(model).value())));
}

Result<Oracle> Oracle::load_text(const std::string& mjcf)
{
    const Result<const MujocoApi*> found = open_mujoco();
    if (!found.ok()) return found.errors();
    const MujocoApi* api = found.value();
    Result<ModelPointer> model = load_mujoco_text(*api, mjcf);
    if (!model.ok()) return model.errors();
    return Oracle(std::make_unique<Parts>(Parts(*api, std::move(model).value())));
}

// NOLINTBEGIN(readability-identifier-naming, bugprone-macro-parentheses): MuJoCo's tables ask for macros of these
// names.
std::optional<std::vector<double>> Oracle::field(std::string_view name) const
{
    const mjModel* m = parts_->model.get();
#undef MJ_M
#define MJ_M(n) m->n
#define X(type, array, rows, columns) \
    if (name == #array) return to_numbers(m->array, m->rows * (columns));
    MJMODEL_POINTERS
#undef X
    return std::nullopt;
}

int Oracle::size(std::string_view name) const
{
#define X(count) \
    if (name == #count) return static_cast<int>(parts_->model->count);
    MJMODEL_SIZES
#undef X
    return -1;
}

// NOLINTEND(readability-identifier-naming, bugprone-macro-parentheses)

std::vector<std::string> Oracle::names(std::string_view kind) const
{
    std::vector<std::string> names;
    for (const NamedKind& known : kKinds)
    {
        if (known.kind != kind) continue;
        const mjtSize count = parts_->model.get()->*known.count;
        for (int i = 0; i < count; ++i)
        {
            const char* name = parts_->api->find_name(parts_->model.get(), known.type, i);
            names.emplace_back(name == nullptr ? "" : name);
        }
    }
    return names;
}

double Oracle::dt() const { return parts_->model->opt.timestep; }

Vec3 Oracle::gravity() const
{
    if ((parts_->options.disableflags & mjDSBL_GRAVITY) != 0) return {};
    const double* g = parts_->model->opt.gravity;
    return {g[0], g[1], g[2]};
}

double Oracle::mean_inertia() const { return parts_->model->stat.meaninertia; }

OracleState Oracle::evaluate(const OracleInput& input)
{
    const MujocoApi& api = *parts_->api;
    mjModel* m = parts_->model.get();
    choose_smooth_part(parts_->options, m->opt);
    mjData* d = parts_->place(input);
    api.forward(m, d);

    OracleState state;
    for (mjtSize b = 0; b < m->nbody; ++b) state.body_pose.push_back(read_pose(d->xpos + 3 * b, d->xquat + 4 * b));
    state.mass_matrix.resize(static_cast<std::size_t>(m->nv * m->nv));
    if (m->nv > 0) api.fill_mass_matrix(m, d, state.mass_matrix.data());
    state.bias = to_numbers(d->qfrc_bias, m->nv);
    state.passive = to_numbers(d->qfrc_passive, m->nv);
    state.actuator = to_numbers(d->qfrc_actuator, m->nv);
    state.acceleration = to_numbers(d->qacc_smooth, m->nv);
    state.tendon_length = to_numbers(d->ten_length, m->ntendon);
    state.actuator_length = to_numbers(d->actuator_length, m->nout);
    state.actuator_force = to_numbers(d->actuator_force, m->nout);
    state.act_rate = to_numbers(d->act_dot, m->na);
    return state;
}

OracleMechanics Oracle::find_mechanics(const OracleInput& input, std::span<const double> acceleration)
{
    const MujocoApi& api = *parts_->api;
    mjModel* m = parts_->model.get();
    choose_smooth_part(parts_->options, m->opt);
    mjData* d = parts_->place(input);
    api.forward(m, d);
    std::copy(acceleration.begin(), acceleration.end(), d->qacc);
    api.inverse(m, d);

    OracleMechanics mechanics;
    mechanics.inverse = to_numbers(d->qfrc_inverse, m->nv);
    const auto size = static_cast<std::size_t>(3 * m->nv);
    for (int b = 0; b < m->nbody; ++b)
    {
        std::vector<double> linear(size), angular(size), subtree(size);
        const double* center = d->xipos + 3 * static_cast<mjtSize>(b);
        api.fill_point_jacobian(m, d, linear.data(), angular.data(), center, b);
        api.fill_subtree_jacobian(m, d, subtree.data(), b);
        mechanics.linear.push_back(std::move(linear));
        mechanics.angular.push_back(std::move(angular));
        mechanics.subtree_linear.push_back(std::move(subtree));
        mechanics.center.push_back(read_vector(center));
        mechanics.subtree_center.push_back(read_vector(d->subtree_com + 3 * static_cast<mjtSize>(b)));
    }
    return mechanics;
}

}  // namespace rattleback::lab
