// Outlines with holes are joined to one loop by bridges and cut into triangles by ears, the best shaped first.
#include "lab/scenes/ipc/plates.h"

#include "base/index.h"
#include "math/rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace rattleback::lab
{

namespace
{

constexpr double kHalfTurn = 3.141592653589793;

double find_area(const Corner& a, const Corner& b, const Corner& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double find_length(const Corner& a, const Corner& b) { return std::hypot(b[0] - a[0], b[1] - a[1]); }

/// Whether two segments meet anywhere but in a common end.
bool do_cross(const Corner& a, const Corner& b, const Corner& c, const Corner& d)
{
    if (a == c || a == d || b == c || b == d) return false;
    return find_area(a, b, c) * find_area(a, b, d) <= 0 && find_area(c, d, a) * find_area(c, d, b) <= 0;
}

/// A loop of corners by number, into one list of all.
class Loop
{
public:
    Loop(const std::vector<Corner>& corners, int outline) : corners_(corners)
    {
        for (int i = 0; i < outline; ++i) left_.push_back(i);
    }

    /// Takes a hole, corners [first, first + count), into the loop: over the shortest bridge that crosses nothing.
    void add_hole(int first, int count)
    {
        double best = std::numeric_limits<double>::infinity();
        std::size_t from = 0;
        int to = first;
        for (std::size_t i = 0; i < left_.size(); ++i)
        {
            for (int k = first; k < first + count; ++k)
            {
                const double length = find_length(corner(left_[i]), corner(k));
                if (length >= best || is_crossed(left_[i], k)) continue;
                best = length, from = i, to = k;
            }
        }
        std::vector<int> way;  // around the hole, clockwise, and back over the bridge
        for (int k = 0; k <= count; ++k) way.push_back(first + (to - first + count - k + count) % count);
        way.push_back(left_[from]);
        left_.insert(left_.begin() + static_cast<std::ptrdiff_t>(from) + 1, way.begin(), way.end());
    }

    void set_holes(std::vector<std::pair<int, int>> holes) { holes_ = std::move(holes); }

    /// Cuts off the ear with the best shape until three corners are left.
    void cut(std::vector<std::array<int, 3>>& triangles)
    {
        while (left_.size() > 3)
        {
            std::size_t best = 0;
            double quality = -1;
            for (std::size_t i = 0; i < left_.size(); ++i)
            {
                const double q = find_quality(i);
                if (q > quality && is_free(i)) quality = q, best = i;
            }
            triangles.push_back({number(best), number(best + 1), number(best + 2)});
            left_.erase(left_.begin() + static_cast<std::ptrdiff_t>((best + 1) % left_.size()));
        }
        triangles.push_back({left_[0], left_[1], left_[2]});
    }

private:
    const Corner& corner(int number) const { return corners_[at(number)]; }
    int number(std::size_t i) const { return left_[i % left_.size()]; }

    /// Whether the bridge between two corners meets the loop or a hole.
    bool is_crossed(int from, int to) const
    {
        for (std::size_t i = 0; i < left_.size(); ++i)
            if (do_cross(corner(from), corner(to), corner(number(i)), corner(number(i + 1)))) return true;
        for (const auto& [first, count] : holes_)
            for (int k = 0; k < count; ++k)
                if (do_cross(corner(from), corner(to), corner(first + k), corner(first + (k + 1) % count))) return true;
        return false;
    }

    /// Twice the area over the square of the longest side; not positive: no ear.
    double find_quality(std::size_t i) const
    {
        const Corner &a = corner(number(i)), &b = corner(number(i + 1)), &c = corner(number(i + 2));
        const double longest = std::max({find_length(a, b), find_length(b, c), find_length(c, a)});
        const double quality = find_area(a, b, c) / (longest * longest);
        return quality > 1e-9 ? quality : -1;
    }

    bool is_free(std::size_t i) const
    {
        const Corner &a = corner(number(i)), &b = corner(number(i + 1)), &c = corner(number(i + 2));
        for (std::size_t k = 3; k < left_.size(); ++k)
        {
            const Corner& p = corner(number(i + k));
            if (p == a || p == b || p == c) continue;
            if (find_area(a, b, p) >= 0 && find_area(b, c, p) >= 0 && find_area(c, a, p) >= 0) return false;
        }
        return true;
    }

    const std::vector<Corner>& corners_;
    std::vector<int> left_;
    std::vector<std::pair<int, int>> holes_;
};

/// inv(a) = tan a - a of the angle whose cosine is base / radius.
double find_involute(double base, double radius)
{
    const double angle = std::acos(std::min(1.0, base / radius));
    return std::tan(angle) - angle;
}

void add_quad(int a, int b, int c, int d, MeshOptions& mesh)
{
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

}  // namespace

MeshOptions make_plate(const std::vector<Corner>& outline, const std::vector<std::vector<Corner>>& holes, double low,
                       double high)
{
    std::vector<Corner> corners = outline;
    std::vector<std::pair<int, int>> ranges;
    for (const auto& hole : holes)
    {
        ranges.emplace_back(static_cast<int>(corners.size()), static_cast<int>(hole.size()));
        corners.insert(corners.end(), hole.begin(), hole.end());
    }
    const int total = static_cast<int>(corners.size());
    Loop loop(corners, static_cast<int>(outline.size()));
    loop.set_holes(ranges);
    for (const auto& [first, count] : ranges) loop.add_hole(first, count);
    std::vector<std::array<int, 3>> cap;
    loop.cut(cap);

    MeshOptions mesh;
    for (const double z : {low, high})
        for (const auto& [x, y] : corners) mesh.vertices.push_back({x, y, z});
    for (const auto& [a, b, c] : cap)
    {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({total + a, total + b, total + c});
    }
    ranges.insert(ranges.begin(), {0, static_cast<int>(outline.size())});
    for (const auto& [first, count] : ranges)
    {
        for (int k = 0; k < count; ++k)
        {
            const int a = first + k, b = first + (k + 1) % count;
            if (first == 0)
                add_quad(a, b, total + b, total + a, mesh);
            else
                add_quad(b, a, total + a, total + b, mesh);
        }
    }
    return mesh;
}

double find_bore(double shaft, double play, int around) { return (shaft + play) / std::cos(kHalfTurn / around); }

std::vector<Corner> make_bore(double shaft, double play, int around, const Corner& center)
{
    std::vector<Corner> bore = make_circle(find_bore(shaft, play, around), around);
    for (auto& [x, y] : bore) x += center[0], y += center[1];
    return bore;
}

double find_largest_play(double shaft, double play, int around, int corners)
{
    // A flat of the shaft ahead: the corners at its ends are within the circle about the bore, |d + r e| = R.
    const double bore = find_bore(shaft, play, around), half = kHalfTurn / (corners > 0 ? corners : around);
    const double across = shaft * std::sin(half);
    return std::sqrt(bore * bore - across * across) - shaft * std::cos(half);
}

std::vector<Corner> make_stadium(double length, double radius, int half)
{
    std::vector<Corner> outline;
    for (const double end : {length, 0.0})
        for (int i = 0; i < half; ++i)
        {
            const double angle = kHalfTurn * (static_cast<double>(i) / (half - 1) - 0.5) + (end > 0 ? 0 : kHalfTurn);
            outline.push_back({end + radius * std::cos(angle), radius * std::sin(angle)});
        }
    return outline;
}

MeshOptions make_eyed_bar(double length, double radius, const LinkBores& bores, double low, double high)
{
    std::vector<std::vector<Corner>> holes{make_bore(bores.shaft, bores.play, bores.around)};
    if (bores.second) holes.push_back(make_bore(bores.shaft, bores.play, bores.around, {length, 0}));
    return make_plate(make_stadium(length, radius, bores.around / 2 + 1), holes, low, high);
}

MeshOptions make_pin(const PinShape& pin)
{
    std::vector<Corner> profile;
    if (pin.both) profile = {{pin.collar, pin.low - pin.cap}, {pin.collar, pin.low}};
    profile.push_back({pin.shaft, pin.low});
    profile.push_back({pin.shaft, pin.high});
    if (pin.cap > 0) profile.insert(profile.end(), {{pin.collar, pin.high}, {pin.collar, pin.high + pin.cap}});
    return make_lathe(profile, pin.around);
}

std::vector<Corner> make_involute_gear(const GearShape& gear)
{
    const double pitch = 0.5 * gear.module * gear.teeth, base = pitch * std::cos(kHalfTurn / 9);
    const double tip = pitch + gear.module, root = pitch - 1.25 * gear.module, low = std::max(base, root);
    // Half of a tooth at the pitch circle, and how much of it is left at another radius.
    const double half = kHalfTurn / (2 * gear.teeth) - 0.5 * gear.backlash / pitch + find_involute(base, pitch);
    std::vector<Corner> outline;
    for (int tooth = 0; tooth < gear.teeth; ++tooth)
    {
        const double middle = gear.angle + 2 * kHalfTurn * tooth / gear.teeth;
        const auto put = [&](double radius, double angle)
        { outline.push_back({radius * std::cos(middle + angle), radius * std::sin(middle + angle)}); };
        const double foot = half - find_involute(base, low);
        if (root < low) put(root, -foot);
        for (int k = 0; k < gear.flank; ++k)
        {
            const double radius = low + (tip - low) * k / (gear.flank - 1);
            put(radius, find_involute(base, radius) - half);
        }
        for (int k = gear.flank - 1; k >= 0; --k)
        {
            const double radius = low + (tip - low) * k / (gear.flank - 1);
            put(radius, half - find_involute(base, radius));
        }
        if (root < low) put(root, foot);
    }
    return outline;
}

MeshOptions make_wall(const std::vector<Corner>& middle, double width, double low, double high)
{
    MeshOptions mesh;
    const std::size_t last = middle.size() - 1;
    for (std::size_t i = 0; i <= last; ++i)
    {
        const Corner &before = middle[i == 0 ? 0 : i - 1], &after = middle[std::min(last, i + 1)];
        const double x = after[0] - before[0], y = after[1] - before[1], length = std::hypot(x, y);
        const double u = -0.5 * width * y / length, v = 0.5 * width * x / length;  // to the left
        for (const double z : {low, high})
            for (const double side : {-1.0, 1.0})
                mesh.vertices.push_back({middle[i][0] + side * u, middle[i][1] + side * v, z});
    }
    // Of each section: 0 right below, 1 left below, 2 right above, 3 left above.
    const int sections = static_cast<int>(middle.size());
    for (int i = 0; i + 1 < sections; ++i)
    {
        const int a = 4 * i, b = a + 4;
        add_quad(a, b, b + 2, a + 2, mesh);          // right
        add_quad(b + 1, a + 1, a + 3, b + 3, mesh);  // left
        add_quad(a + 2, b + 2, b + 3, a + 3, mesh);  // above
        add_quad(a + 1, b + 1, b, a, mesh);          // below
    }
    add_quad(0, 2, 3, 1, mesh);
    const int e = 4 * (sections - 1);
    add_quad(e, e + 1, e + 3, e + 2, mesh);
    return mesh;
}

MeshOptions make_rod(const std::function<Vec3(double)>& place, const std::function<double(double)>& radius, int along,
                     int around)
{
    MeshOptions mesh;
    for (int j = 0; j <= along; ++j)
    {
        const double s = static_cast<double>(j) / along, h = 1e-5;
        const Vec3 ahead = make_unit(place(std::min(1.0, s + h)) - place(std::max(0.0, s - h)));
        const Vec3 side = make_unit(cross(Vec3{0, 1, 0}, ahead)), up = cross(ahead, side);
        for (int i = 0; i < around; ++i)
        {
            const double angle = 2 * kHalfTurn * i / around;
            mesh.vertices.push_back(place(s) + radius(s) * (std::cos(angle) * side + std::sin(angle) * up));
        }
    }
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(place(0));
    mesh.vertices.push_back(place(1));
    for (int i = 0; i < around; ++i)
    {
        const int next = (i + 1) % around, last = along * around;
        for (int j = 0; j < along; ++j)
            add_quad(j * around + i, j * around + next, (j + 1) * around + next, (j + 1) * around + i, mesh);
        mesh.triangles.push_back({next, i, first});
        mesh.triangles.push_back({last + i, last + next, first + 1});
    }
    return mesh;
}

MeshOptions make_taper(const Taper& taper)
{
    MeshOptions mesh;
    for (const bool top : {false, true})
    {
        const Corner &half = top ? taper.high : taper.low, &center = top ? taper.high_center : taper.low_center;
        for (const auto& [x, y] : {Corner{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
            mesh.vertices.push_back({center[0] + x * half[0], center[1] + y * half[1], top ? taper.height : 0});
    }
    add_quad(0, 3, 2, 1, mesh);
    add_quad(4, 5, 6, 7, mesh);
    for (int i = 0; i < 4; ++i) add_quad(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i, mesh);
    return mesh;
}

MeshOptions make_finer(MeshOptions mesh, int times)
{
    for (int round = 0; round < times; ++round)
    {
        std::map<std::pair<int, int>, int> middles;
        const auto find_middle = [&](int a, int b)
        {
            const auto [place, added] =
                middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(mesh.vertices.size()));
            if (added) mesh.vertices.push_back(0.5 * (mesh.vertices[at(a)] + mesh.vertices[at(b)]));
            return place->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : mesh.triangles)
        {
            const int ab = find_middle(a, b), bc = find_middle(b, c), ca = find_middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    return mesh;
}

MeshOptions make_sheet(double half_x, double half_y, int squares)
{
    MeshOptions mesh;
    for (int j = 0; j <= squares; ++j)
        for (int i = 0; i <= squares; ++i)
            mesh.vertices.push_back({half_x * (2.0 * i / squares - 1), half_y * (2.0 * j / squares - 1), 0});
    for (int j = 0; j < squares; ++j)
        for (int i = 0; i < squares; ++i)
        {
            const int a = j * (squares + 1) + i, b = a + squares + 1;
            add_quad(a, a + 1, b + 1, b, mesh);
        }
    return mesh;
}

MeshOptions make_upright(MeshOptions mesh)
{
    for (Vec3& v : mesh.vertices) v = {v.x, -v.z, v.y};
    return mesh;
}

}  // namespace rattleback::lab
