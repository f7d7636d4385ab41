// Checks that builder and Model share.
#include "model/check_parts.h"

#include "model/fields/check_value.h"
#include "model/fields/shape_fields.h"

namespace rattleback
{

namespace
{

template <std::size_t N>
bool check_indices(const std::vector<std::array<int, N>>& faces, std::size_t vertex_count, const char* what,
                   Checker& checker)
{
    for (std::size_t i = 0; i < faces.size(); ++i)
    {
        for (const int vertex : faces[i])
        {
            if (vertex < 0 || static_cast<std::size_t>(vertex) >= vertex_count)
                return checker.fail(std::string(what) + " " + std::to_string(i) + " uses vertex " +
                                    std::to_string(vertex) + " of " + std::to_string(vertex_count));
        }
    }
    return true;
}

void check_spring(const Spring& spring, const char* what, Checker& checker)
{
    const std::string field(what);
    // Infinite stiffness is a rigid tie and allowed; an infinite damper is not.
    if (!std::isinf(spring.stiffness) || spring.stiffness < 0)
        checker.not_negative(spring.stiffness, (field + " stiffness").c_str());
    checker.not_negative(spring.damping, (field + " damping").c_str());
}

bool is_site(std::span<const TendonItem> items, std::size_t k) { return k < items.size() && items[k].site >= 0; }

/// A shape to wrap around stands between two sites: how two shapes share a path would have no closed form.
void check_wrap(std::span<const TendonItem> items, std::size_t k, double armature, int site_count,
                std::span<const ShapeType> shape_types, Checker& checker)
{
    const TendonItem& item = items[k];
    if (checker.id(item.shape, shape_types.size(), "shape"))
    {
        const ShapeType type = shape_types[at(item.shape)];
        checker.require(type == ShapeType::sphere || type == ShapeType::cylinder,
                        "a shape of the path is neither a sphere nor a cylinder");
    }
    if (item.side_site != -1) checker.id(item.side_site, at(site_count), "side site");
    // Sites on both sides, so that the path leaves the shape towards a point.
    checker.require(k > 0 && is_site(items, k - 1) && is_site(items, k + 1),
                    "a shape of the path does not stand between two sites");
    checker.require(armature == 0, "a tendon that wraps around a shape cannot have armature");
}

}  // namespace

void check_settings(const Settings& settings, Checker& checker)
{
    checker.enter("settings");
    checker.positive(settings.dt, "dt");
    checker.finite(settings.gravity, "gravity");
    checker.not_negative(settings.medium.density, "density of the medium");
    checker.not_negative(settings.medium.viscosity, "viscosity of the medium");
    checker.finite(settings.medium.wind, "wind");
    checker.finite(settings.magnetic_field, "magnetic field");
    checker.finite(settings.second_friction, "the second friction");
    for (const auto& [solver, parameters] : settings.solver_parameters)
    {
        for (const auto& [parameter, value] : parameters)
        {
            const auto* real = std::get_if<double>(&value);
            if (real && std::isnan(*real))
                checker.fail("parameter " + parameter + " of solver " + solver + " is not a number");
        }
    }
}

void check_material(const MaterialOptions& material, Checker& checker)
{
    check_options<MaterialRows>(material, checker);
    const int dimension = material.dimension;
    // Contact dimensions: frictionless, sliding, with spin, with spin and rolling.
    if (dimension != 1 && dimension != 3 && dimension != 4 && dimension != 6)
        checker.fail("dimension " + std::to_string(dimension) + " is not one of 1, 3, 4, 6");
    if (checker.finite(material.restitution, "restitution") &&
        !(material.restitution >= 0 && material.restitution <= 1))
        checker.fail("restitution " + number(material.restitution) + " is not in 0..1");
}

bool check_mesh(const MeshOptions& mesh, Checker& checker)
{
    bool good = checker.require(!mesh.vertices.empty(), "the mesh has no vertices");
    for (std::size_t i = 0; i < mesh.vertices.size() && good; ++i) good = checker.finite(mesh.vertices[i], "a vertex");
    good = check_indices(mesh.triangles, mesh.vertices.size(), "triangle", checker) && good;
    return check_indices(mesh.edges, mesh.vertices.size(), "edge", checker) && good;
}

bool check_height_field(const HeightFieldOptions& field, Checker& checker)
{
    bool good = checker.require(field.rows >= 2 && field.columns >= 2, "a height field needs 2 rows and 2 columns");
    good = checker.positive(field.half_x, "half_x") && good;
    good = checker.positive(field.half_y, "half_y") && good;
    good = checker.not_negative(field.base, "base") && good;
    if (!good) return false;
    const std::size_t wanted = at(field.rows) * at(field.columns);
    // Indices of cells are ints, with two triangles per cell.
    if (wanted > (std::size_t{1} << 29)) return checker.fail("a height field has at most 2^29 heights");
    if (field.heights.size() != wanted)
        return checker.fail(std::to_string(field.heights.size()) + " heights for " + std::to_string(field.rows) +
                            " rows and " + std::to_string(field.columns) + " columns");
    for (std::size_t i = 0; i < wanted && good; ++i) good = checker.not_negative(field.heights[i], "a height");
    return good;
}

bool check_primitive_size(ShapeType type, const Vec3& size, Checker& checker)
{
    switch (type)
    {
        case ShapeType::sphere:
            return checker.positive(size.x, "radius");
        case ShapeType::capsule:
        case ShapeType::cylinder:
        {
            const bool good = checker.positive(size.x, "radius");
            return checker.positive(size.y, "half length") && good;
        }
        case ShapeType::box:
        case ShapeType::ellipsoid:
        {
            const char* what = type == ShapeType::box ? "half extent" : "radius";
            bool good = checker.positive(size.x, what);
            good = checker.positive(size.y, what) && good;
            return checker.positive(size.z, what) && good;
        }
        default:
            return true;
    }
}

void check_cable(const Cable& cable, Checker& checker)
{
    check_spring(cable.stretch, "stretch", checker);
    check_spring(cable.shear, "shear", checker);
    check_spring(cable.bend, "bend", checker);
    check_spring(cable.twist, "twist", checker);
}

void check_pull(double first, const std::array<double, 2>& others, const char* what, Checker& checker)
{
    if (first < 0 && others == std::array<double, 2>{}) checker.not_negative(first, what);
}

void check_spring_length(const std::array<double, 2>& length, Checker& checker)
{
    if (!std::isfinite(length[0]) || !std::isfinite(length[1])) return;  // its row says so
    const bool automatic = length[0] < 0 && length[1] < 0;
    checker.require(automatic || length[0] <= length[1], "spring length: lower is above upper",
                    "both negative: the length at q0");
}

void check_path(std::span<const TendonItem> items, double armature, int site_count,
                std::span<const ShapeType> shape_types, Checker& checker)
{
    int sites = 0;
    bool good = true;
    for (std::size_t k = 0; k < items.size(); ++k)
    {
        const TendonItem& item = items[k];
        if (item.shape >= 0)
        {
            checker.require(item.site < 0, "a stop of the path is both a site and a shape");
            check_wrap(items, k, armature, site_count, shape_types, checker);
            continue;
        }
        checker.require(item.side_site < 0, "a side site belongs to a shape");
        if (item.site >= 0)
        {
            checker.id(item.site, at(site_count), "site");
            ++sites;
            continue;
        }
        // A pulley closes a branch, unless the path begins with it.
        good = good && (sites >= 2 || k == 0);
        sites = 0;
        checker.positive(item.value, "pulley divisor");
    }
    checker.require(good && sites >= 2, "a branch of the path has fewer than 2 sites");
}

bool check_list(const std::vector<double>& values, int count, const char* what, Checker& checker)
{
    if (values.empty()) return true;
    if (values.size() != at(count))
        return checker.fail(std::string(what) + " has " + std::to_string(values.size()) + " numbers instead of " +
                            std::to_string(count));
    for (const double value : values)
    {
        if (!checker.finite(value, what)) return false;
    }
    return true;
}

void check_poses(const std::vector<Pose>& poses, Checker& checker)
{
    for (const Pose& pose : poses)
    {
        const bool good = checker.finite(pose.position, "a position");
        if (!checker.rotation(pose.rotation, "a rotation") || !good) return;
    }
}

void check_track(const Track& track, Checker& checker)
{
    checker.require(!track.times.empty(), "the track is empty");
    if (track.times.size() != track.poses.size())
        checker.fail(std::to_string(track.times.size()) + " times for " + std::to_string(track.poses.size()) +
                     " poses");
    for (std::size_t i = 0; i < track.times.size(); ++i)
    {
        if (!checker.finite(track.times[i], "a time")) break;
        if (i > 0 && !checker.require(track.times[i - 1] < track.times[i], "times do not increase strictly")) break;
    }
    check_poses(track.poses, checker);
}

}  // namespace rattleback
