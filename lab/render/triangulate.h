// Triangles for every shape of the model, with normals that are smooth where the surface is.
#pragma once

#include "geometry/drawing.h"

#include <rattleback/record.h>

#include <limits>
#include <map>
#include <span>
#include <tuple>

namespace rattleback::lab
{

/// Smooth normals across edges that bend less than this [rad].
inline constexpr double kCrease = 40 * kDegree;

/// How fine round shapes are drawn: 12 corners to the circle, 16, 24, 32, 48 ... 128.
inline constexpr int kLevelCount = 8;
int corners_of_level(int level);
/// The coarsest level whose outline is within a fifth of a pixel of a circle of that radius [pixels].
int find_level(double radius);

/// A drawing that is scaled into place: local = scale * vertex, and for capsules moved along z by `stretch` away from
/// the middle.
struct Form
{
    const Drawing* drawing = nullptr;
    Vec3 scale{1, 1, 1};
    double stretch = 0;

    Vec3 to_local(const Vec3& vertex) const
    {
        const double moved = stretch == 0 ? 0 : vertex.z > 0 ? stretch : -stretch;
        return {scale.x * vertex.x, scale.y * vertex.y, scale.z * vertex.z + moved};
    }
    /// Normal of the scaled surface, not unit: the adjugate of the scale times the normal.
    Vec3 to_local_normal(const Vec3& normal) const
    {
        return {scale.y * scale.z * normal.x, scale.x * scale.z * normal.y, scale.x * scale.y * normal.z};
    }
};

/// Drawings of one model, made when first asked for and kept. Not for use from two threads at once.
class Forms
{
public:
    explicit Forms(const RecordedModel& model) : model_(model) {}

    /// The form of a shape that has triangles: all but planes, points and segments. Round shapes at the given level;
    /// of meshes with many triangles a copy that is as fine as a grid of `cells` along the mesh's diagonal.
    Form find(const RecordedShape& shape, int level, double cells = std::numeric_limits<double>::infinity());
    /// A unit sphere, and a cylinder of radius 1 and half length 1 with caps: markers, points and segments are made of
    /// them.
    Form find_sphere(int level);
    Form find_cylinder(int level);
    Form find_cone();

private:
    const Drawing* find_unit(ShapeType type, int level);
    const Drawing* find_asset(const RecordedShape& shape);
    const Drawing* find_asset(const RecordedShape& shape, double cells);

    const RecordedModel& model_;
    std::map<std::pair<ShapeType, int>, Drawing> units_, assets_;
    std::map<std::tuple<ShapeType, int, int>, Drawing> coarse_assets_;
    std::optional<Drawing> cone_;
};

/// The mesh with a normal at each corner of each triangle: the angle-weighted mean over the triangles around it that do
/// not bend away by more than kCrease. Triangles without area are left out.
/// `texcoords`: of the corners of the triangles, or none.
Drawing smooth(const std::vector<Vec3>& vertices, const std::vector<std::array<int, 3>>& triangles,
               std::span<const std::array<float, 2>> texcoords = {});

/// A height field with its sides and its bottom: closed, and solid.
void build_solid(const HeightFieldOptions& field, std::vector<Vec3>& vertices,
                 std::vector<std::array<int, 3>>& triangles);

}  // namespace rattleback::lab
