// PairProbe: another engine's narrow phase, asked about two shapes.
#pragma once

#include "geometry/placed_shape.h"

#include <rattleback/error.h>

#include <memory>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// One contact point as the other engine sees it.
struct ProbePoint
{
    Vec3 point;           ///< half way between the surfaces, world [m]
    Vec3 normal;          ///< unit, from the first shape to the second
    double distance = 0;  ///< [m]; negative: penetration
};

/// Two shapes of fixed types and sizes in another engine; their poses change from query to query.
class PairProbe
{
public:
    virtual ~PairProbe() = default;
    /// With its version and method, for example "bullet 3.24 GJK/EPA".
    virtual std::string name() const = 0;
    /// Moves both shapes and asks for contacts below `margin` [m]: how many there are.
    virtual int find_contacts(const PlacedShape& first, const PlacedShape& second, double margin) = 0;
    /// The contacts of the last query.
    virtual void read_contacts(std::vector<ProbePoint>& points) const = 0;
};

/// Probes for two shapes, a plane or (MuJoCo's) a height field first if there is one (their types and sizes count, not
/// their poses), or why there is none. The shapes' hulls must outlive the probe.
Result<std::unique_ptr<PairProbe>> make_mujoco_probe(const PlacedShape& first, const PlacedShape& second);
Result<std::unique_ptr<PairProbe>> make_bullet_probe(const PlacedShape& first, const PlacedShape& second);
/// The same with a mesh or height field among the two (PlacedShape::mesh and grid). Two meshes are each thicker by
/// `margin` [m]: contacts begin where they are twice as far apart.
Result<std::unique_ptr<PairProbe>> make_bullet_surface_probe(const PlacedShape& first, const PlacedShape& second,
                                                             double margin = 0);

}  // namespace rattleback::lab
