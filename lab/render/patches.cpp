// Flat faces one by one; round surfaces as one outline with a gradient fitted to their light.
#include "lab/render/patches.h"

#include <algorithm>
#include <map>

namespace rattleback::lab
{

namespace
{

constexpr int kStops = 5;

double cross2(const Point2& a, const Point2& b, const Point2& c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double brightness(const Light& light) { return 0.21 * light.x + 0.72 * light.y + 0.07 * light.z; }

/// Corners in the picture with the light there.
struct LitPoint
{
    Point2 place;
    Light light;
};

/// A face of a convex shape: corners that share a normal.
struct Face
{
    Vec3 normal;
    std::vector<Vec3> corners;
};

class Patcher
{
public:
    Patcher(const DrawnScene& scene, const Instance& instance, const Camera& camera, const Shader& shader,
            const Vec3& up)
        : scene_(scene), instance_(instance), camera_(camera), shader_(shader), up_(up)
    {
    }

    std::vector<Patch> make_solid() const
    {
        std::vector<Face> faces;
        std::vector<Point2> round;
        std::vector<LitPoint> lit;
        for (std::size_t i = 0; i < instance_.triangle_count(); ++i)
        {
            const std::array<DrawnCorner, 3> corners = find_triangle(i);
            const bool flat = norm(corners[0].normal - corners[1].normal) < 1e-6 &&
                              norm(corners[0].normal - corners[2].normal) < 1e-6;
            const std::vector<Vec3> kept =
                clip_to_room({corners[0].position, corners[1].position, corners[2].position}, scene_, camera_);
            if (kept.empty()) continue;
            if (flat)
            {
                add_face(corners[0].normal, kept, faces);
                continue;
            }
            for (const Vec3& point : kept) round.push_back(to_picture(point));
            for (const DrawnCorner& corner : corners) add_light(corner, lit);
        }
        std::vector<Patch> patches;
        if (!round.empty() && !lit.empty()) patches.push_back(make_round(round, lit));
        for (const Face& face : faces)
        {
            if (!(dot(face.normal, camera_.eye - face.corners[0]) > 0)) continue;
            std::vector<Point2> points;
            for (const Vec3& corner : face.corners) points.push_back(to_picture(corner));
            patches.push_back({.outline = find_convex_outline(points),
                               .stops = {find_light(face.normal, face.corners[0])},
                               .opacity = instance_.opacity});
        }
        return patches;
    }

    /// One patch per triangle, the farthest first.
    std::vector<Patch> make_mesh() const
    {
        std::vector<std::pair<double, Patch>> sorted;
        for (std::size_t i = 0; i < instance_.triangle_count(); ++i)
        {
            const auto [a, b, c] = find_triangle(i);
            Vec3 normal = cross(b.position - a.position, c.position - a.position);
            normal = 1 / norm(normal) * normal;
            if (!(dot(normal, camera_.eye - a.position) > 0))
            {
                if (!instance_.form.drawing->two_sided) continue;
                normal = -normal;
            }
            const std::vector<Vec3> kept = clip_to_room({a.position, b.position, c.position}, scene_, camera_);
            if (kept.empty()) continue;
            Patch patch{.stops = {find_light(normal, a.position)}, .opacity = instance_.opacity, .joined = true};
            for (const Vec3& point : kept) patch.outline.push_back(to_picture(point));
            sorted.emplace_back(norm(1.0 / 3 * (a.position + b.position + c.position) - camera_.eye), std::move(patch));
        }
        std::ranges::stable_sort(sorted, std::greater<>{}, [](const auto& entry) { return entry.first; });
        std::vector<Patch> patches;
        for (auto& entry : sorted) patches.push_back(std::move(entry.second));
        return patches;
    }

private:
    std::array<DrawnCorner, 3> find_triangle(std::size_t i) const
    {
        const std::size_t triangle = instance_.first_triangle + i;
        return {scene_.corner(triangle, 0), scene_.corner(triangle, 1), scene_.corner(triangle, 2)};
    }

    Point2 to_picture(const Vec3& point) const
    {
        const Vec3 view = camera_.to_view(point);
        return {camera_.to_x(view), camera_.to_y(view)};
    }

    Light find_light(const Vec3& normal, const Vec3& point) const
    {
        if (instance_.marker) return instance_.colour;
        const Vec3 to_eye = camera_.eye - point;
        return shader_.combine(instance_.colour, normal, 1 / norm(to_eye) * to_eye, 1, 0.5 + 0.5 * dot(normal, up_),
                               0.12);
    }

    void add_light(const DrawnCorner& corner, std::vector<LitPoint>& lit) const
    {
        const bool faces = dot(corner.normal, camera_.eye - corner.position) > 0;
        if (faces && camera_.to_view(corner.position).z > camera_.near)
            lit.push_back({to_picture(corner.position), find_light(corner.normal, corner.position)});
    }

    static void add_face(const Vec3& normal, const std::vector<Vec3>& points, std::vector<Face>& faces)
    {
        for (Face& face : faces)
        {
            if (norm(face.normal - normal) > 1e-6) continue;
            face.corners.insert(face.corners.end(), points.begin(), points.end());
            return;
        }
        faces.push_back({normal, points});
    }

    Patch make_round(const std::vector<Point2>& points, const std::vector<LitPoint>& lit) const
    {
        Patch patch{.outline = find_convex_outline(points), .opacity = instance_.opacity};
        if (instance_.marker)
        {
            patch.stops = {instance_.colour};
            return patch;
        }
        const bool ball = instance_.form.stretch == 0 && instance_.form.scale.x == instance_.form.scale.z;
        if (ball)
            aim_circles(lit, patch);
        else
            aim_line(lit, patch);
        fill_stops(lit, patch);
        return patch;
    }

    /// From the brightest point outward.
    static void aim_circles(const std::vector<LitPoint>& lit, Patch& patch)
    {
        patch.circles = true;
        patch.from = std::ranges::max_element(lit, {}, [](const LitPoint& p) { return brightness(p.light); })->place;
        patch.to =
            *std::ranges::max_element(patch.outline, {}, [&](const Point2& p) { return find_distance(p, patch.from); });
    }

    /// Along the slope of the plane that fits the light best (least squares), across the outline.
    static void aim_line(const std::vector<LitPoint>& lit, Patch& patch)
    {
        double n = 0, mx = 0, my = 0, ml = 0;
        for (const auto& [place, light] : lit)
        {
            n += 1;
            mx += place.x;
            my += place.y;
            ml += brightness(light);
        }
        mx /= n;
        my /= n;
        ml /= n;
        double xx = 1e-9, xy = 0, yy = 1e-9, xl = 0, yl = 0;
        for (const auto& [place, light] : lit)
        {
            const double x = place.x - mx, y = place.y - my, l = brightness(light) - ml;
            xx += x * x;
            xy += x * y;
            yy += y * y;
            xl += x * l;
            yl += y * l;
        }
        const double determinant = xx * yy - xy * xy;
        double gx = (yy * xl - xy * yl) / determinant, gy = (xx * yl - xy * xl) / determinant;
        const double length = std::sqrt(gx * gx + gy * gy);
        gx = length > 0 && std::isfinite(length) ? gx / length : 1;
        gy = length > 0 && std::isfinite(length) ? gy / length : 0;
        double low = 0, high = 0;
        for (const Point2& p : patch.outline)
        {
            const double t = gx * (p.x - mx) + gy * (p.y - my);
            low = std::min(low, t);
            high = std::max(high, t);
        }
        patch.from = {mx + high * gx, my + high * gy};
        patch.to = {mx + low * gx, my + low * gy};
    }

    /// The mean light of equal parts of the way from `from` to `to`; parts without points repeat their neighbour.
    static void fill_stops(const std::vector<LitPoint>& lit, Patch& patch)
    {
        std::array<Light, kStops> sum{};
        std::array<int, kStops> count{};
        const double dx = patch.to.x - patch.from.x, dy = patch.to.y - patch.from.y;
        const double squared = std::max(dx * dx + dy * dy, 1e-12);
        for (const auto& [place, light] : lit)
        {
            const double x = place.x - patch.from.x, y = place.y - patch.from.y;
            const double t = patch.circles ? std::sqrt((x * x + y * y) / squared) : (x * dx + y * dy) / squared;
            const auto part = static_cast<std::size_t>(keep_within(t * kStops, 0, kStops - 1.0));
            sum[part] += light;
            ++count[part];
        }
        Light last;
        for (std::size_t i = 0; i < kStops; ++i)
        {
            if (count[i] > 0) last = 1.0 / count[i] * sum[i];
            if (count[i] > 0 || i > 0) patch.stops.push_back(last);
        }
    }

    const DrawnScene& scene_;
    const Instance& instance_;
    const Camera& camera_;
    const Shader& shader_;
    Vec3 up_;
};

/// The part of a polygon where `distance`, linear in the point, is not negative.
template <class Distance>
std::vector<Vec3> cut(const std::vector<Vec3>& polygon, const Distance& distance)
{
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double da = distance(a), db = distance(b);
        if (da >= 0) out.push_back(a);
        if ((da >= 0) != (db >= 0)) out.push_back(a + da / (da - db) * (b - a));
    }
    return out;
}

}  // namespace

std::vector<Point2> find_convex_outline(std::vector<Point2> points)
{
    constexpr double kFlat = 0.25;  // [pixels^2] twice the area below which three corners count as in line
    // Andrew's monotone chain.
    std::ranges::sort(points, [](const Point2& a, const Point2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Point2> outline;
    for (int pass = 0; pass < 2; ++pass)
    {
        const std::size_t begin = outline.size();
        for (const Point2& point : points)
        {
            while (outline.size() >= begin + 2 && cross2(outline[outline.size() - 2], outline.back(), point) <= kFlat)
                outline.pop_back();
            outline.push_back(point);
        }
        if (!outline.empty()) outline.pop_back();  // it begins the other half
        std::ranges::reverse(points);
    }
    return outline;
}

std::vector<Vec3> clip_to_room(std::vector<Vec3> polygon, const DrawnScene& scene, const Camera& camera)
{
    polygon = cut(polygon, [&](const Vec3& p) { return camera.to_view(p).z - camera.near; });
    for (const ScenePlane& plane : scene.planes)
    {
        const Vec3 normal = plane.normal();
        if (!(dot(normal, camera.eye - plane.pose.position) > 0)) continue;
        polygon = cut(polygon, [&](const Vec3& p) { return dot(normal, p - plane.pose.position) + 1e-9; });
    }
    if (polygon.size() < 3) polygon.clear();
    return polygon;
}

std::vector<Patch> make_patches(const DrawnScene& scene, const Instance& instance, bool solid, const Camera& camera,
                                const Shader& shader, const Vec3& up)
{
    const Patcher patcher(scene, instance, camera, shader, up);
    std::vector<Patch> patches = solid ? patcher.make_solid() : patcher.make_mesh();
    std::erase_if(patches, [](const Patch& patch) { return patch.outline.size() < 3; });
    return patches;
}

}  // namespace rattleback::lab
