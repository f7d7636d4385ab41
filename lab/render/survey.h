// What must be known of a whole recording before its first picture: times, how far things move, how large forces are.
#pragma once

#include "lab/render/framing.h"
#include "lab/render/scene.h"

namespace rattleback::lab
{

struct SurveyOptions
{
    FramingOptions camera;
    std::string follow;        ///< body that the camera moves with; "": none
    bool every_group = false;  ///< as in SceneOptions
    bool contacts = false;     ///< find the largest common force
};

/// The recording, surveyed.
struct Survey
{
    std::vector<double> time;  ///< of the frames [s], never falling
    Framing framing;
    int followed = -1;         ///< body
    Vec3 follow_start;         ///< its position in the first frame
    double largest_force = 0;  ///< 95 of 100 contact forces are smaller [N]
    Vec3 up;

    /// The camera for a moment.
    Camera make_camera(const Moment& moment) const;
    Vec3 find_shift(const Moment& moment) const;
};

/// Reads every frame once. The camera is placed so that all drawn shapes stay in the picture (with `follow`: those of
/// the body's tree, relative to it), but for planes, for what is behind a plane, and for what flies off further than 25
/// times the size of the scene at its start. Frames with numbers that are not finite do not count for that.
Result<Survey> survey(Recording& recording, const SurveyOptions& options);

/// The state between the two frames around `time`: positions along the line, rotations along the arc between their
/// quaternions; contacts of the nearer frame. Exact at the frames.
Result<Moment> read_moment(Recording& recording, const Survey& survey, double time, bool contacts);

}  // namespace rattleback::lab
