// Trajectory: where the bodies of a model were in a run of any program, written as a recording.
#pragma once

#include <rattleback/record.h>

namespace rattleback::lab
{

/// Rows of poses over time.
struct Trajectory
{
    std::vector<double> time;        ///< [s], increasing
    std::vector<std::int64_t> step;  ///< steps taken until each row, increasing
    std::vector<Pose> pose;          ///< of the body frames, [row][body_count]
};

/// What poses and velocities of the bodies say of q and v: those of free joints. Others are left as they are.
void set_free_coordinates(const Model& model, State& state);

/// Writes a recording, every pose to the bit. Velocities are those of the path that `audit` goes from row to row, those
/// of the first row as of the second; q and v as set_free_coordinates() finds them, all else as the model begins.
/// `solver`: whose run it is.
Status write_trajectory(const Trajectory& trajectory, const std::shared_ptr<const Model>& model,
                        const std::string& solver, const std::filesystem::path& path);

}  // namespace rattleback::lab
