// Models and frames for tests of recordings: frame n is a function of n alone, so that any process can make it again.
#pragma once

#include <rattleback/builder.h>
#include <rattleback/record.h>

#include <functional>
#include <memory>

namespace rattleback
{

/// A model with every kind of shape, a free body, a hinge with an actuator, a slide with an activation, a
/// kinematic body, two sensors and two tendons.
std::shared_ptr<const Model> make_gallery();
/// One box: its recordings are small.
std::shared_ptr<const Model> make_single_box();

/// A frame with random numbers in every place.
struct MadeFrame
{
    MadeFrame(const Model& model, std::int64_t number, bool with_forces = true);

    FrameInput input() const;

    mutable State state;  // WorldView has no const form
    Control control;
    StepReport report;
    Contacts contacts;
    ContactForces forces;
    std::vector<double> sensors;
};

/// "" when `frame` holds every bit of `made`; otherwise the first thing that differs.
std::string find_difference(const Model& model, const RecordedFrame& frame, const MadeFrame& made, bool contacts);

/// A fresh path in the folder for temporary files.
std::filesystem::path temporary_path(const std::string& name);

/// Writes frames 0 .. count - 1; chunks of `frames_per_chunk`.
void write_recording(const std::filesystem::path& path, const std::shared_ptr<const Model>& model, int count,
                     const RecorderOptions& options);

std::vector<std::byte> read_bytes(const std::filesystem::path& path);

/// Runs `work` in a child process; its exit code, or -signal.
int run_in_child(const std::function<int()>& work);

}  // namespace rattleback
