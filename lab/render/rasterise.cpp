// Projection, clipping, sorting into tiles, and the loop over samples.
#include "lab/render/rasterise.h"

#include "base/index.h"

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr double kGuard = 30000;      // pixels from the middle that fixed-point corners may reach
constexpr std::size_t kShare = 4096;  // triangles that one task projects
constexpr double kInFront = 1e6;      // markers are drawn as if they were nearer by that factor

/// A convex polygon in view coordinates.
struct Polygon
{
    std::array<Vec3, 8> corner;  // a triangle cut by five planes
    int count = 0;

    void add(const Vec3& point) { corner[at(count++)] = point; }
};

/// The part where `distance` (linear in the point) is not negative. Cuts are computed from the inner end of an edge to
/// the outer, so that two triangles with a common edge cut it at the same point.
template <class Distance>
Polygon clip(const Polygon& polygon, const Distance& distance)
{
    Polygon out;
    for (int i = 0; i < polygon.count; ++i)
    {
        const Vec3 &a = polygon.corner[at(i)], &b = polygon.corner[at((i + 1) % polygon.count)];
        const double da = distance(a), db = distance(b);
        if (da >= 0) out.add(a);
        if ((da >= 0) == (db >= 0)) continue;
        const Vec3 &inner = da >= 0 ? a : b, &outer = da >= 0 ? b : a;
        const double di = std::max(da, db), t = di / (di - std::min(da, db));
        out.add(inner + t * (outer - inner));
    }
    return out;
}

Polygon clip_to_view(const Camera& camera, Polygon polygon)
{
    const double slope = kGuard / camera.focal;
    const auto inside = [&](const Vec3& p)
    { return p.z >= camera.near && std::abs(p.x) <= slope * p.z && std::abs(p.y) <= slope * p.z; };
    if (std::all_of(polygon.corner.begin(), polygon.corner.begin() + polygon.count, inside)) return polygon;
    polygon = clip(polygon, [&](const Vec3& p) { return p.z - camera.near; });
    polygon = clip(polygon, [&](const Vec3& p) { return slope * p.z - p.x; });
    polygon = clip(polygon, [&](const Vec3& p) { return slope * p.z + p.x; });
    polygon = clip(polygon, [&](const Vec3& p) { return slope * p.z - p.y; });
    polygon = clip(polygon, [&](const Vec3& p) { return slope * p.z + p.y; });
    return polygon;
}

/// True when all corners are beyond the same side of the picture, or behind the camera.
bool is_outside(const Camera& camera, const Polygon& polygon)
{
    const double tx = (0.5 * camera.width + std::abs(camera.shift_x)) / (camera.focal * camera.stretch),
                 ty = (0.5 * camera.height + std::abs(camera.shift_y)) / camera.focal;
    const auto all = [&](const auto& beyond)
    { return std::all_of(polygon.corner.begin(), polygon.corner.begin() + polygon.count, beyond); };
    return all([&](const Vec3& p) { return p.z < camera.near; }) ||
           all([&](const Vec3& p) { return p.x > tx * p.z; }) || all([&](const Vec3& p) { return -p.x > tx * p.z; }) ||
           all([&](const Vec3& p) { return p.y > ty * p.z; }) || all([&](const Vec3& p) { return -p.y > ty * p.z; });
}

std::int32_t to_fixed(double pixels) { return static_cast<std::int32_t>(std::floor(pixels * kSubpixels + 0.5)); }

/// e(x, y) = a x + b y + c [subpixels^2]: not negative inside. Points on an edge belong to the triangle on one side
/// only: left and top edges own them.
struct Edge
{
    std::int64_t a = 0, b = 0, c = 0;

    std::int64_t at_point(std::int64_t x, std::int64_t y) const { return a * x + b * y + c; }
};

Edge make_edge(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1)
{
    Edge edge{y0 - y1, x1 - x0, 0};
    edge.c = -(edge.a * x0 + edge.b * y0);
    const bool owner = edge.a > 0 || (edge.a == 0 && edge.b > 0);
    if (!owner) edge.c -= 1;
    return edge;
}

/// Samples of a see-through surface; different surfaces leave out different ones.
std::uint16_t choose_samples(double opacity, std::size_t seed)
{
    const int count = std::clamp(static_cast<int>(std::lround(opacity * kSamples)), 1, kSamples);
    std::uint32_t mask = 0;
    for (int i = 0; i < count; ++i) mask |= 1U << ((5 * at(i) + 7 * seed) % kSamples);
    return static_cast<std::uint16_t>(mask);
}

/// The samples of one pixel inside all edges; lanes of 0 or -1.
using Mask = std::array<std::int32_t, kSamples>;

Mask expand(std::uint16_t bits)
{
    Mask mask{};
    for (int i = 0; i < kSamples; ++i) mask[at(i)] = (bits >> i & 1) != 0 ? -1 : 0;
    return mask;
}

/// Values of an edge at the samples relative to the pixel's corner, with their range.
struct EdgeSteps
{
    std::array<std::int64_t, kSamples> step{};
    std::int64_t least = 0, most = 0;
};

EdgeSteps make_steps(const Edge& edge)
{
    EdgeSteps steps;
    for (std::size_t i = 0; i < kSamples; ++i) steps.step[i] = edge.a * kPattern[i][0] + edge.b * kPattern[i][1];
    const auto [least, most] = std::minmax_element(steps.step.begin(), steps.step.end());
    steps.least = *least;
    steps.most = *most;
    return steps;
}

struct PixelRange
{
    int x0 = 0, x1 = 0, y0 = 0, y1 = 0;  ///< half open
};

PixelRange find_pixels(const ScreenTriangle& triangle)
{
    const auto [left, right] = std::minmax_element(triangle.x.begin(), triangle.x.end());
    const auto [top, bottom] = std::minmax_element(triangle.y.begin(), triangle.y.end());
    const auto pixel = [](std::int32_t subpixel) { return subpixel >> 8; };
    static_assert(kSubpixels == 1 << 8);
    return {pixel(*left), pixel(*right) + 1, pixel(*top), pixel(*bottom) + 1};
}

/// 1 / depth at the samples relative to the pixel's corner.
std::array<float, kSamples> make_depth_steps(const InverseDepth& depth)
{
    std::array<float, kSamples> steps{};
    for (std::size_t i = 0; i < kSamples; ++i)
        steps[i] = static_cast<float>((depth.per_x * kPattern[i][0] + depth.per_y * kPattern[i][1]) / kSubpixels);
    return steps;
}

}  // namespace

void project(const Camera& camera, const std::array<Vec3, 3>& corners, bool two_sided, ScreenTriangle prototype,
             std::vector<ScreenTriangle>& out)
{
    const Vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double facing = dot(normal, camera.eye - corners[0]);
    if (!(facing > 0) && !(two_sided && facing < 0)) return;
    Polygon polygon;
    for (const Vec3& corner : corners) polygon.add(camera.to_view(corner));
    if (is_outside(camera, polygon)) return;
    polygon = clip_to_view(camera, polygon);
    if (polygon.count < 3) return;

    prototype.inverse_depth = make_inverse_depth(camera, corners[0], normal);
    std::array<std::int32_t, 8> x{}, y{};
    double nearest = 0, farthest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < polygon.count; ++i)
    {
        const Vec3& p = polygon.corner[at(i)];
        const double px = camera.to_x(p), py = camera.to_y(p);
        if (!(std::abs(px) < 2 * kGuard && std::abs(py) < 2 * kGuard)) return;  // numbers near the end of their range
        x[at(i)] = to_fixed(px);
        y[at(i)] = to_fixed(py);
        nearest = std::max(nearest, 1 / p.z);
        farthest = std::min(farthest, 1 / p.z);
    }
    prototype.nearest = static_cast<float>(nearest);
    prototype.farthest = static_cast<float>(farthest);
    for (int i = 1; i + 1 < polygon.count; ++i)
    {
        ScreenTriangle part = prototype;
        part.x = {x[0], x[at(i)], x[at(i + 1)]};
        part.y = {y[0], y[at(i)], y[at(i + 1)]};
        const std::int64_t area = std::int64_t{part.x[1] - part.x[0]} * (part.y[2] - part.y[0]) -
                                  std::int64_t{part.x[2] - part.x[0]} * (part.y[1] - part.y[0]);
        if (area == 0) continue;
        if (area < 0)
        {
            std::swap(part.x[1], part.x[2]);
            std::swap(part.y[1], part.y[2]);
        }
        out.push_back(part);
    }
}

void Tile::clear(int left, int top)
{
    x0 = left;
    y0 = top;
    for (auto& pixel : depth) pixel.fill(0);
    for (auto& pixel : id) pixel.fill(SampleId::kNothing);
}

void Tile::draw(const ScreenTriangle& triangle)
{
    const PixelRange range = find_pixels(triangle);
    const int left = std::max(range.x0, x0), right = std::min(range.x1, x0 + kTile);
    const int top = std::max(range.y0, y0), bottom = std::min(range.y1, y0 + kTile);
    std::array<Edge, 3> edges;
    std::array<EdgeSteps, 3> steps;
    for (int k = 0; k < 3; ++k)
    {
        const std::size_t from = at(k), to = at((k + 1) % 3);
        edges[from] = make_edge(triangle.x[from], triangle.y[from], triangle.x[to], triangle.y[to]);
        steps[from] = make_steps(edges[from]);
    }
    const Mask allowed = expand(triangle.samples);
    const std::array<float, kSamples> depth_steps = make_depth_steps(triangle.inverse_depth);
    for (int y = top; y < bottom; ++y)
    {
        for (int x = left; x < right; ++x)
        {
            Mask mask = allowed;
            bool hit = true;
            for (std::size_t k = 0; k < 3 && hit; ++k)
            {
                const std::int64_t corner =
                    edges[k].at_point(std::int64_t{x} * kSubpixels, std::int64_t{y} * kSubpixels);
                hit = corner + steps[k].most >= 0;
                if (!hit || corner + steps[k].least >= 0) continue;
                for (std::size_t i = 0; i < kSamples; ++i) mask[i] &= corner + steps[k].step[i] >= 0 ? -1 : 0;
            }
            if (!hit) continue;
            const std::size_t pixel = at((y - y0) * kTile + x - x0);
            const auto base = static_cast<float>(triangle.inverse_depth.at(x, y));
            for (std::size_t i = 0; i < kSamples; ++i)
            {
                float value = base + depth_steps[i];
                value = value < triangle.nearest ? value : triangle.nearest;
                value = value > triangle.farthest ? value : triangle.farthest;
                const std::int32_t seen = mask[i] & (value > depth[pixel][i] ? -1 : 0);
                depth[pixel][i] = seen != 0 ? value : depth[pixel][i];
                id[pixel][i] = seen != 0 ? triangle.id : id[pixel][i];
            }
        }
    }
}

void Tile::draw_plane(const InverseDepth& inverse_depth, std::uint32_t plane)
{
    const std::array<float, kSamples> depth_steps = make_depth_steps(inverse_depth);
    for (std::size_t pixel = 0; pixel < kTile * kTile; ++pixel)
    {
        const auto base = static_cast<float>(
            inverse_depth.at(x0 + static_cast<int>(pixel % kTile), y0 + static_cast<int>(pixel / kTile)));
        for (std::size_t i = 0; i < kSamples; ++i)
        {
            const float value = base + depth_steps[i];
            const bool seen = value > depth[pixel][i];
            depth[pixel][i] = seen ? value : depth[pixel][i];
            id[pixel][i] = seen ? plane : id[pixel][i];
        }
    }
}

TileList::TileList(const DrawnScene& scene, const Camera& camera, ThreadPool& pool)
    : columns_((camera.width + kTile - 1) / kTile), rows_((camera.height + kTile - 1) / kTile)
{
    for (std::size_t i = 0; i < scene.planes.size(); ++i)
    {
        const ScenePlane& plane = scene.planes[i];
        if (!(dot(plane.normal(), camera.eye - plane.pose.position) > 0)) continue;  // from below it hides nothing
        planes_.push_back({make_inverse_depth(camera, plane.pose.position, plane.normal()),
                           SampleId::kPlane | static_cast<std::uint32_t>(i)});
    }
    const std::size_t count = scene.instance_of.size();
    std::vector<std::vector<ScreenTriangle>> shares((count + kShare - 1) / kShare);
    pool.run(static_cast<int>(shares.size()),
             [&](int share, int)
             {
                 const std::size_t begin = at(share) * kShare, end = std::min(count, begin + kShare);
                 for (std::size_t i = begin; i < end; ++i)
                 {
                     const Instance& instance = scene.instances[scene.instance_of[i]];
                     ScreenTriangle prototype{.id = static_cast<std::uint32_t>(i)};
                     if (instance.opacity < 1)
                         prototype.samples = choose_samples(instance.opacity, scene.instance_of[i]);
                     const std::size_t before = shares[at(share)].size();
                     project(camera,
                             {scene.corner(i, 0).position, scene.corner(i, 1).position, scene.corner(i, 2).position},
                             instance.form.drawing->two_sided, prototype, shares[at(share)]);
                     if (!instance.marker) continue;
                     for (std::size_t k = before; k < shares[at(share)].size(); ++k)
                     {
                         ScreenTriangle& part = shares[at(share)][k];
                         for (double* value :
                              {&part.inverse_depth.at_origin, &part.inverse_depth.per_x, &part.inverse_depth.per_y})
                             *value *= kInFront;
                         part.nearest *= static_cast<float>(kInFront);
                         part.farthest *= static_cast<float>(kInFront);
                     }
                 }
             });
    for (const auto& share : shares) triangles_.insert(triangles_.end(), share.begin(), share.end());
    sort(camera);
}

void TileList::sort(const Camera& camera)
{
    const auto for_tiles = [&](const ScreenTriangle& triangle, const auto& visit)
    {
        const PixelRange range = find_pixels(triangle);
        const int left = std::max(range.x0, 0) / kTile, right = std::min(range.x1, camera.width);
        const int top = std::max(range.y0, 0) / kTile, bottom = std::min(range.y1, camera.height);
        for (int y = top; y * kTile < bottom; ++y)
        {
            for (int x = left; x * kTile < right; ++x) visit(at(y * columns_ + x));
        }
    };
    begin_.assign(at(tile_count()) + 1, 0);
    for (const ScreenTriangle& triangle : triangles_)
        for_tiles(triangle, [&](std::size_t tile) { ++begin_[tile + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    members_.resize(begin_.back());
    std::vector<std::size_t> next(begin_);
    for (std::size_t i = 0; i < triangles_.size(); ++i)
        for_tiles(triangles_[i], [&](std::size_t tile) { members_[next[tile]++] = static_cast<std::uint32_t>(i); });
}

std::optional<std::uint32_t> TileList::find_only_surface(int number) const
{
    if (begin_[at(number)] != begin_[at(number) + 1] || planes_.size() > 1) return std::nullopt;
    if (planes_.empty()) return SampleId::kNothing;
    // 1 / depth is linear: above zero at the corners, it is so everywhere between them.
    const auto [x, y] = find_corner(number);
    const InverseDepth& depth = planes_[0].inverse_depth;
    for (const auto& [dx, dy] :
         {std::array{0, 0}, std::array{kTile, 0}, std::array{0, kTile}, std::array{kTile, kTile}})
    {
        if (!(static_cast<float>(depth.at(x + dx, y + dy)) > 0)) return std::nullopt;
    }
    return planes_[0].id;
}

void TileList::fill(int number, Tile& tile) const
{
    const auto [left, top] = find_corner(number);
    tile.clear(left, top);
    for (const VisiblePlane& plane : planes_) tile.draw_plane(plane.inverse_depth, plane.id);
    for (std::size_t i = begin_[at(number)]; i < begin_[at(number) + 1]; ++i) tile.draw(triangles_[members_[i]]);
}

}  // namespace rattleback::lab
