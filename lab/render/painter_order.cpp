// Votes of pixels, then a topological sort that starts with the farthest.
#include "lab/render/painter_order.h"

#include "base/index.h"

#include <algorithm>
#include <map>

namespace rattleback::lab
{

namespace
{

constexpr int kWidth = 480;  // of the small picture [pixels]

/// The nearest point of one instance at one pixel.
struct Fragment
{
    int instance = 0;
    double inverse_depth = 0;
};

Camera shrink(const Camera& camera)
{
    Camera small = camera;
    const double scale = static_cast<double>(kWidth) / camera.width;
    small.width = kWidth;
    small.height = std::max(1, static_cast<int>(std::lround(camera.height * scale)));
    small.focal = camera.focal * scale;
    small.shift_x = camera.shift_x * scale;
    small.shift_y = camera.shift_y * scale;
    return small;
}

/// Adds a triangle's points at the middles of pixels.
void add_layers(const ScreenTriangle& triangle, int instance, const Camera& camera,
                std::vector<std::vector<Fragment>>& pixels)
{
    const auto [left, right] = std::ranges::minmax(triangle.x);
    const auto [top, bottom] = std::ranges::minmax(triangle.y);
    for (int y = std::max(top / kSubpixels, 0); y <= std::min(bottom / kSubpixels, camera.height - 1); ++y)
    {
        for (int x = std::max(left / kSubpixels, 0); x <= std::min(right / kSubpixels, camera.width - 1); ++x)
        {
            bool inside = true;
            for (std::size_t k = 0; k < 3; ++k)
            {
                const std::size_t n = (k + 1) % 3;
                const std::int64_t px = (2 * x + 1) * (kSubpixels / 2), py = (2 * y + 1) * (kSubpixels / 2);
                inside = inside && (triangle.x[n] - triangle.x[k]) * (py - triangle.y[k]) -
                                           (triangle.y[n] - triangle.y[k]) * (px - triangle.x[k]) >=
                                       0;
            }
            if (!inside) continue;
            const double depth = triangle.inverse_depth.at(x + 0.5, y + 0.5);
            std::vector<Fragment>& layers = pixels[at(y * camera.width + x)];
            if (!layers.empty() && layers.back().instance == instance)
                layers.back().inverse_depth = std::max(layers.back().inverse_depth, depth);
            else
                layers.push_back({instance, depth});
        }
    }
}

/// Pixels at which the first of a pair lies directly behind the second.
using Votes = std::map<std::pair<int, int>, int>;

Votes count_votes(std::vector<std::vector<Fragment>>& pixels)
{
    Votes votes;
    for (std::vector<Fragment>& layers : pixels)
    {
        std::ranges::stable_sort(layers, {}, &Fragment::inverse_depth);
        for (std::size_t i = 0; i + 1 < layers.size(); ++i) ++votes[{layers[i].instance, layers[i + 1].instance}];
    }
    return votes;
}

}  // namespace

std::vector<int> find_painter_order(const DrawnScene& scene, const Camera& camera)
{
    const Camera small = shrink(camera);
    std::vector<std::vector<Fragment>> pixels(at(small.width) * at(small.height));
    std::vector<ScreenTriangle> parts;
    for (std::size_t i = 0; i < scene.instance_of.size(); ++i)
    {
        parts.clear();
        project(small, {scene.corner(i, 0).position, scene.corner(i, 1).position, scene.corner(i, 2).position},
                scene.instances[scene.instance_of[i]].form.drawing->two_sided, {}, parts);
        for (const ScreenTriangle& part : parts)
            add_layers(part, static_cast<int>(scene.instance_of[i]), small, pixels);
    }
    const Votes votes = count_votes(pixels);
    const std::size_t count = scene.instances.size();
    std::vector<std::vector<std::pair<int, int>>> in_front(count);  // [instance] those before which it comes, votes
    std::vector<int> waiting(count);                                // votes that keep an instance back
    for (const auto& [pair, behind] : votes)
    {
        const auto against = votes.find({pair.second, pair.first});
        const int net = behind - (against == votes.end() ? 0 : against->second);
        if (net <= 0) continue;
        in_front[at(pair.first)].emplace_back(pair.second, net);
        waiting[at(pair.second)] += net;
    }
    std::vector<int> order, left;
    for (std::size_t i = 0; i < count; ++i) left.push_back(static_cast<int>(i));
    const auto depth = [&](int i) { return camera.to_view(scene.instances[at(i)].position).z; };
    const auto earlier = [&](int a, int b)
    { return waiting[at(a)] != waiting[at(b)] ? waiting[at(a)] < waiting[at(b)] : depth(a) > depth(b); };
    while (!left.empty())
    {
        const auto next = std::ranges::min_element(left, earlier);
        const int chosen = *next;
        left.erase(next);
        order.push_back(chosen);
        for (const auto& [other, net] : in_front[at(chosen)]) waiting[at(other)] -= net;
    }
    return order;
}

}  // namespace rattleback::lab
