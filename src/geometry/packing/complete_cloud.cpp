// The side of a body that was not seen, as the mirror image of the one that was.
#include "geometry/packing/cloud_solid.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rattleback
{

namespace
{

// A body that is its own mirror image in a point c looks the same from the back, upside down. Seen along an axis, with
// f the depth at a place of the picture and c at its middle, the thickness there is f(p) + f(-p) - 2 c: it is nowhere
// negative and vanishes at the outline, which tells c.

/// Axes of the picture: two across the view, the third towards the eye.
struct PictureAxes
{
    Vec3 u, w, d;
    Vec3 to(const Vec3& p) const { return {dot(u, p), dot(w, p), dot(d, p)}; }
    Vec3 from(const Vec3& p) const { return p.x * u + p.y * w + p.z * d; }
};

PictureAxes make_axes(const Vec3& view)
{
    const Vec3 d = (1 / norm(view)) * view;
    // Across the axis that is furthest from the view.
    int least = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(d[k]) < std::abs(d[least])) least = k;
    Vec3 hint;
    hint[least] = 1;
    const Vec3 across = cross(hint, d), u = (1 / norm(across)) * across;
    return {u, cross(d, u), d};
}

/// The picture in pixels: the furthest point of each.
class DepthPicture
{
public:
    DepthPicture(std::span<const Vec3> seen, double pixel) : pixel_(pixel)
    {
        for (const Vec3& p : seen)
        {
            const auto [entry, fresh] = depth_.try_emplace(pixel_of(p.x, p.y), p.z);
            if (!fresh) entry->second = std::min(entry->second, p.z);
        }
    }

    /// Middle of all pixels.
    Vec3 find_middle() const
    {
        Vec3 sum;
        for (const auto& [pixel, depth] : depth_)
            sum +=
                Vec3{pixel_ * (static_cast<double>(pixel[0]) + 0.5), pixel_ * (static_cast<double>(pixel[1]) + 0.5), 0};
        return (1 / static_cast<double>(depth_.size())) * sum;
    }

    /// Mean depth of pixels at the outline and of those opposite to them.
    std::vector<double> find_rim_depths(const Vec3& middle) const
    {
        std::vector<double> depths;
        for (const auto& [pixel, depth] : depth_)
        {
            if (!is_rim(pixel)) continue;
            const Pixel opposite = pixel_of(2 * middle.x - pixel_ * (static_cast<double>(pixel[0]) + 0.5),
                                            2 * middle.y - pixel_ * (static_cast<double>(pixel[1]) + 0.5));
            if (const auto other = depth_.find(opposite); other != depth_.end())
                depths.push_back(0.5 * (depth + other->second));
        }
        std::sort(depths.begin(), depths.end());
        return depths;
    }

    double area() const { return pixel_ * pixel_ * static_cast<double>(depth_.size()); }

private:
    using Pixel = std::array<std::int64_t, 2>;
    Pixel pixel_of(double x, double y) const
    {
        return {static_cast<std::int64_t>(std::floor(x / pixel_)), static_cast<std::int64_t>(std::floor(y / pixel_))};
    }
    bool is_rim(const Pixel& pixel) const
    {
        const auto [x, y] = pixel;
        return !depth_.contains({x + 1, y}) || !depth_.contains({x - 1, y}) || !depth_.contains({x, y + 1}) ||
               !depth_.contains({x, y - 1});
    }

    double pixel_;
    std::map<Pixel, double> depth_;
};

}  // namespace

Result<std::vector<Vec3>> complete_cloud(std::span<const Vec3> points, const Vec3& view, double* depth_error)
{
    if (!(norm(view) > 0) || !std::isfinite(norm(view)))
        return Error{ErrorCode::invalid_value, "", "the view has no direction", "use a vector towards the eye"};
    const PictureAxes axes = make_axes(view);
    std::vector<Vec3> seen;
    Vec3 lower{HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper = -lower;
    for (const Vec3& p : points)
    {
        seen.push_back(axes.to(p));
        for (int k = 0; k < 3; ++k)
        {
            lower[k] = std::min(lower[k], seen.back()[k]);
            upper[k] = std::max(upper[k], seen.back()[k]);
        }
    }
    // A rough picture for the area, then pixels that hold some eight points each: fewer would leave holes.
    const double side = std::max(upper.x - lower.x, upper.y - lower.y);
    if (!(side > 0))
        return Error{ErrorCode::invalid_value, "", "all points lie on the line of view", "use another view"};
    const double area = DepthPicture(seen, side / 20).area();
    const double pixel = std::sqrt(8 * area / static_cast<double>(points.size()));
    const DepthPicture picture(seen, pixel);
    Vec3 middle = picture.find_middle();
    const std::vector<double> depths = picture.find_rim_depths(middle);
    if (depths.empty())
        return Error{ErrorCode::invalid_value, "", "the outline has no opposite sides",
                     "use points of the whole front"};
    // The median: pixels of the rim that hold no point near the outline lie before it, noise on either side.
    middle.z = depths[depths.size() / 2];
    if (depth_error != nullptr)
        *depth_error = 0.5 * (depths[depths.size() * 3 / 4] - depths[depths.size() / 4]) + 0.25 * pixel;
    std::vector<Vec3> all(points.begin(), points.end());
    for (const Vec3& p : seen) all.push_back(axes.from(2.0 * middle - p));
    return all;
}

}  // namespace rattleback
