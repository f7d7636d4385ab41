// Certified time of impact: until when two simplices on moving bodies provably stay apart, rounding included.
#pragma once

#include "geometry/simplex_distance.h"

namespace rattleback
{

/// Motion of a rigid frame for 0 <= t <= 1: R(t) = exp(turn + t turning) rotation, centre(t) = center + t motion. A
/// point X of the frame is at R(t) X + centre(t).
struct RigidPath
{
    Vec3 center{}, motion{};  ///< [m]
    Quat rotation{};
    Vec3 turn{}, turning{};  ///< rotation vectors, world axes [rad]; `turning` of any length
};

/// The path from one pose of a frame to another that `certify` and `ipc` certify: the frame's point `center_in_frame`
/// (the centre of mass) moves in a straight line, the rotation by log(R1 R0ᵀ) at constant rate. Simplices are then
/// given from that point, in the frame's axes.
RigidPath make_path(const Pose& begin, const Pose& end, const Vec3& center_in_frame);

struct CertifiedOptions
{
    double separation = 0;     ///< distance that counts as an impact [m]
    double tolerance = 1e-6;   ///< how much above `separation` the search may end [m]
    double latest = 1;         ///< times beyond are of no interest
    int max_advances = 1'000;  ///< then it ends undecided, with the time reached
};

enum class CertifiedState
{
    apart,      ///< further than `separation` from each other on all of [0, latest]
    touch,      ///< within `separation` + `tolerance` at some moment from `time` on
    undecided,  ///< too many advances
};

struct CertifiedImpact
{
    CertifiedState state = CertifiedState::apart;
    /// Until here, 0 <= t <= time, the two are further than `separation` from each other. This is proven, with all
    /// rounding on the safe side. Zero with `touch`: they may be within `separation` at once.
    double time = 0;
    int advances = 0;  ///< separating directions that prove it
};

/// A rigid path made ready for many queries: what they share at t = 0.
class RigidTrack
{
public:
    RigidTrack() = default;
    explicit RigidTrack(const RigidPath& path);

    /// Where the frame is at a time, and how it moves there.
    struct Moment
    {
        Mat3 rotation;
        Vec3 center, motion, spin;  ///< spin: angular velocity per unit of t, world axes
    };
    Moment at(double t) const { return t == 0 ? start_ : find_moment(t); }
    const RigidPath& path() const { return path_; }
    /// |turning| [rad], and the sizes that rounding errors of places and velocities are bounded by.
    double turning() const { return turning_; }
    double place_size() const { return place_size_; }
    double turn_size() const { return turn_size_; }

private:
    Moment find_moment(double t) const;

    RigidPath path_;
    Moment start_;
    double turning_ = 0, place_size_ = 0, turn_size_ = 1;
};

/// Simplices in the axes of their frames, from the centres: point and point, segment or triangle, or two segments (see
/// find_nearest). Each advance takes a direction n that separates the two now and goes on for as long as it provably
/// does: a corner's coordinate along n is followed by its velocity and by the bound |turning|^2 r on its acceleration.
/// Costs one evaluation per advance; gliding along each other costs no more than approach. A function of its arguments.
CertifiedImpact certified_time_of_impact(const RigidTrack& first_track, const Simplex& first,
                                         const RigidTrack& second_track, const Simplex& second,
                                         const CertifiedOptions& options = {});
CertifiedImpact certified_time_of_impact(const RigidPath& first_path, const Simplex& first,
                                         const RigidPath& second_path, const Simplex& second,
                                         const CertifiedOptions& options = {});

/// The same where every corner moves in a straight line at constant rate, from `begin` to `end`. What would be a touch
/// is asked once more by inclusion_time_of_impact(), with at most 256 boxes.
struct LinearSimplex
{
    Simplex begin, end;
};
CertifiedImpact certified_time_of_impact(const LinearSimplex& first, const LinearSimplex& second,
                                         const CertifiedOptions& options = {});

/// The half-space dot(normal, x) <= offset, at rest; `normal` is unit to rounding.
struct HalfSpace
{
    Vec3 normal;
    double offset = 0;  ///< [m]
};
/// Of a point on a moving body and a half-space.
CertifiedImpact certified_time_of_impact(const RigidTrack& track, const Vec3& point, const HalfSpace& space,
                                         const CertifiedOptions& options = {});

}  // namespace rattleback
