// The diagonal of a scene, and the tolerance that follows from it.
#include "solvers/ipc/tolerance.h"

#include "base/index.h"
#include "geometry/bounds.h"

namespace rattleback::ipc
{

double find_diagonal(const Model& model, const Layout& layout)
{
    const State start(model);
    Aabb bounds = kEmptyBox;
    for (std::size_t p = 0; p < layout.pieces.size(); ++p)
    {
        const Piece& piece = layout.pieces[p];
        const Group& group = layout.groups[at(piece.group)];
        const Pose& pose = start.body_pose[at(group.body)];
        for (const Vec3& v : piece.vertices)
        {
            const Vec3 place = pose.position + rotate(pose.rotation, group.center + v);
            bounds = merge(bounds, inflate({place, place}, piece.round));
        }
    }
    return layout.pieces.empty() ? 0 : norm(bounds.upper - bounds.lower);
}

double find_tolerance(const Model& model, const Layout& layout, const Settings& settings)
{
    constexpr double kUsual = 1e-3;
    if (settings.tolerance > 0) return settings.tolerance;
    const double relative =
        settings.relative_tolerance > 0 ? settings.relative_tolerance * find_diagonal(model, layout) : 0;
    return relative > 0 ? relative : kUsual;
}

}  // namespace rattleback::ipc
