// Writes trajectories as recordings.
#include "lab/certify/trajectory.h"

#include "base/index.h"
#include "geometry/certified_impact.h"

#include <rattleback/model.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

void set_free_coordinates(const Model& model, State& state)
{
    for (int joint = 0; joint < model.joint_count(); ++joint)
    {
        const std::size_t j = at(joint), body = at(model.joints.body[j]);
        if (model.joints.type[j] != JointType::free) continue;
        const auto& [position, rotation] = state.body_pose[body];
        const auto& [linear, spin] = state.body_velocity[body];
        // v: of the frame's origin in world axes, spin in the body's own
        const Vec3 arm = rotate(rotation, model.bodies.inertial_pose[body].position);
        const Vec3 at_origin = linear - cross(spin, arm), own = rotate(conjugate(rotation), spin);
        const std::array q{position.x, position.y, position.z, rotation.w, rotation.x, rotation.y, rotation.z};
        const std::array v{at_origin.x, at_origin.y, at_origin.z, own.x, own.y, own.z};
        std::copy(q.begin(), q.end(), state.q.begin() + model.joints.q_begin[j]);
        std::copy(v.begin(), v.end(), state.v.begin() + model.joints.v_begin[j]);
    }
}

namespace
{

/// [row][body], of the path that leads to the row; to the first, of the one from there; zero of a single row.
Result<std::vector<Velocity>> find_velocities(const Trajectory& trajectory, const Model& model)
{
    const std::size_t rows = trajectory.time.size(), bodies = at(model.body_count());
    std::vector<Velocity> velocity(rows * bodies);
    for (std::size_t row = 0; rows > 1 && row < rows; ++row)
    {
        const std::size_t end = std::max<std::size_t>(row, 1), begin = end - 1;
        const double seconds = trajectory.time[end] - trajectory.time[begin];
        for (std::size_t b = 0; b < bodies; ++b)
        {
            const RigidPath way = make_path(trajectory.pose[begin * bodies + b], trajectory.pose[end * bodies + b],
                                            model.bodies.inertial_pose[b].position);
            auto& [linear, angular] =
                velocity[row * bodies + b] = {(1 / seconds) * way.motion, (1 / seconds) * way.turning};
            if (!std::isfinite(norm(linear)) || !std::isfinite(norm(angular)))
                return Error{ErrorCode::invalid_value,
                             "row " + std::to_string(row + 1) + ", body '" + model.bodies.name[b] + "'",
                             "moves at a speed that is no number", "rows too near in time, or too far apart in place"};
        }
    }
    return velocity;
}

}  // namespace

Status write_trajectory(const Trajectory& trajectory, const std::shared_ptr<const Model>& model,
                        const std::string& solver, const std::filesystem::path& path)
{
    const std::size_t rows = trajectory.time.size(), bodies = at(model->body_count());
    RB_CHECK(trajectory.step.size() == rows && trajectory.pose.size() == rows * bodies, "write_trajectory: sizes");
    Result<std::vector<Velocity>> velocity = find_velocities(trajectory, *model);
    if (!velocity.ok()) return velocity.errors();
    RecorderOptions options{.solver = solver};
    if (rows > 1)
        options.dt = (trajectory.time.back() - trajectory.time.front()) /
                     static_cast<double>(trajectory.step.back() - trajectory.step.front());
    if (!std::isfinite(options.dt))
        return Error{ErrorCode::invalid_value, "row " + std::to_string(rows), "its time is too far from the first", ""};
    Result<Recorder> opened = Recorder::open(path, model, options);
    if (!opened.ok()) return opened.errors();
    Recorder recorder = std::move(opened).value();
    State state(*model);
    const Control control(*model);
    for (std::size_t row = 0; row < rows; ++row)
    {
        const auto first = static_cast<std::ptrdiff_t>(row * bodies), count = static_cast<std::ptrdiff_t>(bodies);
        std::copy_n(trajectory.pose.begin() + first, count, state.body_pose.begin());
        std::copy_n(velocity->begin() + first, count, state.body_velocity.begin());
        set_free_coordinates(*model, state);
        const Status added = recorder.append({.time = trajectory.time[row],
                                              .step = trajectory.step[row],
                                              .world = state.world(),
                                              .control = control.world()});
        if (!added.ok()) return added;
    }
    return recorder.close();
}

}  // namespace rattleback::lab
