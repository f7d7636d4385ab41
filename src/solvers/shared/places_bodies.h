// PlacesBodies: solvers whose workspace may find bodies after a step as the next one begins with them.
#pragma once

#include "dynamics/forces.h"
#include "dynamics/refresh.h"

#include <cstring>

namespace rattleback
{

class PlacesBodies
{
public:
    /// Poses and velocities of all bodies of the world that was stepped last, with the bits of refresh_bodies(); false:
    /// nothing was done, as where the coordinates are not what the step left.
    virtual bool place_bodies(WorldView world) = 0;

protected:
    ~PlacesBodies() = default;
};

/// Poses in a workspace of one world that are still good when its next step begins.
class KeptPoses
{
public:
    /// Places the bodies of a world, and keeps the poses in `w`, where its coordinates are the world's.
    bool place(WorkspaceView<double>& w, WorldView world)
    {
        kept_ = w.tree->kinematic_bodies.empty() && is_at(w, world.q);
        if (kept_) refresh_bodies(w, world);
        return kept_;
    }

    /// Before the coordinates `q` are loaded: whether poses are kept and belong to them. Then they are so no longer.
    bool take(const WorkspaceView<double>& w, std::span<const double> q)
    {
        const bool good = kept_ && is_at(w, q);
        kept_ = false;
        return good;
    }

private:
    /// To the bit: the sign of a zero counts.
    static bool is_at(const WorkspaceView<double>& w, std::span<const double> q)
    {
        return q.empty() || std::memcmp(w.q.data(), q.data(), q.size_bytes()) == 0;
    }

    bool kept_ = false;
};

}  // namespace rattleback
