// Convex hull by qhull (reentrant library), behind values and errors of ours.
#include "geometry/hull.h"

#include <libqhull_r/libqhull_r.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "geometry/mesh_mass.h"
#include "math/finite.h"

namespace rattleback
{
namespace
{

constexpr std::size_t kMaxPoints = 10'000'000;
// Thinner than this fraction of their size, points count as flat: below it, rounding decides the hull.
constexpr double kFlat = 1e-12;

using Triangles = std::vector<std::array<int, 3>>;

struct CloseFile
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Qhull wants coordinates near one, a file to write to and macros of its own; everything of it stays in this file.

/// Somewhere for qhull to write, for it insists on a file.
File open_sink()
{
    // What qhull prints is not read: errors are codes.
    std::FILE* file = std::fopen("/dev/null", "w");
    return File(file != nullptr ? file : std::tmpfile());
}

/// One run of qhull, with its memory.
class Qhull
{
public:
    /// The sink must outlive this object.
    explicit Qhull(std::FILE* sink) : sink_(sink) { qh_zero(&qh_, sink); }
    ~Qhull()
    {
        // Qhull keeps its memory in lists of its own, which must be given back even after an error.
        int kept_count = 0, kept_size = 0;
        qh_.NOerrexit = True;
        qh_freeqhull(&qh_, !qh_ALL);
        qh_memfreeshort(&qh_, &kept_count, &kept_size);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    /// Qhull's exit code, 0 for success. The coordinates must outlive this object.
    int run(std::vector<double>& coordinates)
    {
        // Facets with more than three corners are cut by qhull itself.
        std::string options = "qhull Qt";  // triangles only
        // No other option: qhull's own merging keeps facets convex within its rounding.
        return qh_new_qhull(&qh_, 3, static_cast<int>(coordinates.size() / 3), coordinates.data(), False,
                            options.data(), sink_, sink_);
    }

    /// Triangles, counter-clockwise from outside, as indices of input points.
    Triangles build_triangles()
    {
        // The macros of qhull read this variable by name.
        qhT* const qh = &qh_;  // the name that qhull's macros expect
        Triangles triangles;
        triangles.reserve(static_cast<std::size_t>(qh->num_facets));
        facetT* facet = nullptr;
        // Qhull's own loop over its facets.
        FORALLfacets
        {
            std::array<int, 3> corners{};
            std::size_t count = 0;
            vertexT *vertex = nullptr, **vertexp = nullptr;
            FOREACHvertex_(facet->vertices)
            {
                // Qhull's vertices point into the coordinates that were given: the difference is the number.
                if (count < 3) corners[count] = static_cast<int>((vertex->point - qh->first_point) / 3);
                ++count;
            }
            if (count != 3) return {};
            // Qhull lists corners in no order; the facet says which way round they run.
            if (facet->toporient != qh_ORIENTclock) std::swap(corners[1], corners[2]);
            triangles.push_back(corners);
        }
        return triangles;
    }

private:
    std::FILE* sink_;
    qhT qh_;
};

Error make_error(const char* message, const char* hint = "")
{
    return {.code = ErrorCode::invalid_value, .message = message, .hint = hint};
}

Error make_flat()
{
    return make_error("the points lie in a plane: their convex hull is a solid without volume",
                      "use the `surface` shape for a thin object");
}

std::optional<Error> find_point_error(std::span<const Vec3> points)
{
    if (points.size() < 4) return make_error("a convex hull needs at least four points");
    if (points.size() > kMaxPoints)
    {
        return Error{.code = ErrorCode::limit, .message = "a convex hull takes at most ten million points"};
    }
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        // A NaN would take part in no comparison and end anywhere.
        if (is_finite(points[i])) continue;
        return Error{.code = ErrorCode::invalid_value, .message = "point " + std::to_string(i) + " is not finite"};
    }
    return std::nullopt;
}

/// The points moved and scaled (by a power of two) near the unit cube, so that qhull's tolerances fit any unit of
/// length. Empty where all points coincide or the numbers overflow.
std::vector<double> build_coordinates(std::span<const Vec3> points)
{
    Vec3 lower = points.front(), upper = lower;
    for (const Vec3& p : points)
    {
        for (int i = 0; i < 3; ++i)
        {
            lower[i] = std::min(lower[i], p[i]);
            upper[i] = std::max(upper[i], p[i]);
        }
    }
    // About the middle of the bounding box: the sum of the ends is halved first, so that it cannot overflow.
    const Vec3 middle = 0.5 * lower + 0.5 * upper, size = upper - lower;
    const double largest = std::max({size.x, size.y, size.z});
    if (!(largest > 0) || !std::isfinite(largest)) return {};

    // A power of two scales without rounding: the hull's points stay the input's bits.
    // The exponent of the largest side.
    int exponent = 0;
    std::frexp(largest, &exponent);
    std::vector<double> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3& p : points)
    {
        for (int i = 0; i < 3; ++i) coordinates.push_back(std::ldexp(p[i] - middle[i], -exponent));
    }
    return coordinates;
}

/// Whether the points are thinner than kFlat. The plane to measure from goes through three points: the first, the one
/// furthest from it, and the one furthest from the line through both.
bool is_flat(const std::vector<double>& coordinates)
{
    // The point with the largest measure; the measure is what changes from pass to pass.
    const auto find_furthest = [&](auto&& measure)
    {
        Vec3 furthest;
        double largest = -1;
        for (std::size_t i = 0; i < coordinates.size(); i += 3)
        {
            const Vec3 p{coordinates[i], coordinates[i + 1], coordinates[i + 2]};
            // From the line or plane that the points found before define.
            const double value = measure(p);
            if (!(value > largest)) continue;
            largest = value;
            furthest = p;
        }
        return std::pair{furthest, largest};
    };
    // Three points as far apart as can be had with three passes; the height over their plane is the thickness.
    const Vec3 a{coordinates[0], coordinates[1], coordinates[2]};
    const auto [b, length] = find_furthest([&](const Vec3& p) { return norm(p - a); });
    // Length > 0: coincident points were refused before.
    const Vec3 along = (1 / length) * (b - a);
    const auto [c, width] = find_furthest([&](const Vec3& p) { return norm(cross(along, p - a)); });
    if (width <= kFlat * length) return true;
    const Vec3 normal = (1 / width) * cross(along, c - a);
    const auto [d, height] = find_furthest([&](const Vec3& p) { return std::abs(dot(normal, p - a)); });
    return height <= kFlat * length;
}

/// Keeps the vertices that triangles name, in their order, and renumbers the triangles.
MeshOptions make_compact(std::span<const Vec3> points, Triangles triangles)
{
    // Points on the hull are marked, numbered in the order of the input, and renamed.
    std::vector<int> renumbered(points.size(), -1);
    for (const auto& triangle : triangles)
    {
        // 0 marks a vertex that is used; -1 stays for those inside.
        for (const int corner : triangle) renumbered[static_cast<std::size_t>(corner)] = 0;
    }
    MeshOptions mesh;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        if (renumbered[i] < 0) continue;
        // The input's order is kept: the same points give the same numbers.
        renumbered[i] = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(points[i]);
    }
    for (auto& triangle : triangles)
    {
        for (int& corner : triangle) corner = renumbered[static_cast<std::size_t>(corner)];
    }
    mesh.triangles = std::move(triangles);
    return mesh;
}

}  // namespace

Result<MeshOptions> compute_hull(std::span<const Vec3> points)
{
    if (auto error = find_point_error(points)) return *error;
    std::vector<double> coordinates = build_coordinates(points);
    // All in one place, or an extent beyond the range of numbers.
    if (coordinates.empty()) return make_error("the points coincide, or are too far apart for a number");
    // Qhull would find a hull of rounding noise; a person is told what the points are instead.
    if (is_flat(coordinates)) return make_flat();
    const File sink = open_sink();
    if (!sink) return Error{.code = ErrorCode::io, .message = "no temporary file could be opened"};

    // One object per run: it gives everything back, whatever happens.
    Qhull qhull(sink.get());
    if (qhull.run(coordinates) != qh_ERRnone)
    {
        return make_error("the convex hull cannot be found", "the points are nearly flat");
    }
    MeshOptions mesh = make_compact(points, qhull.build_triangles());
    // A hull that does not close is worse than none: distances rely on neighbours.
    if (mesh.triangles.size() < 4 || find_open_edge(mesh)) return make_error("the convex hull does not close");
    return mesh;
}

}  // namespace rattleback
