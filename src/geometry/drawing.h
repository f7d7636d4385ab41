// Shapes as triangles, lines or points to draw.
#pragma once

#include <rattleback/shapes.h>

#include <cstdint>

namespace rattleback
{

/// What to draw, in the shape's own frame [m].
struct Drawing
{
    enum class Mode
    {
        points,
        lines,
        triangles,
    };
    Mode mode = Mode::triangles;
    bool two_sided = false;
    std::vector<Vec3> vertices;
    std::vector<Vec3> normals;                    ///< [vertex], unit; empty: flat triangles
    std::vector<std::uint32_t> indices;           ///< triples counter-clockwise from outside, pairs, or single points
    std::vector<std::array<float, 2>> texcoords;  ///< [vertex], places in a texture; empty: none
};

/// Curved shapes are drawn with corners on the surface, `around` of them to the circle (a multiple of 4); planes as
/// squares of `plane_size` from the middle to an edge [m]. `mesh` or `field` may be null where the type does not need
/// them. The same bits on every machine. For triangles that close, see geometry/tessellate.h.
Drawing draw_shape(ShapeType type, const Vec3& size, const MeshOptions* mesh, const HeightFieldOptions* field,
                   double plane_size, int around = 32);

}  // namespace rattleback
