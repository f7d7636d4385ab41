// Grows faces from triangles: the largest first, over edges, as long as the corners stay in one plane.
#include "geometry/merge_faces.h"

#include "base/index.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace rattleback
{
namespace
{

// A hull's triangles are arbitrary where several vertices lie in a plane; contacts need the whole face. Growing from
// the largest triangle within a tolerance, and accepting only convex loops, gives the same faces for any triangulation.

struct Plane3
{
    Vec3 normal;
    double offset = 0;
};

class FaceMerger
{
public:
    FaceMerger(const MeshOptions& mesh, double tolerance)
        : mesh_(mesh),
          tolerance_(tolerance),
          face_(mesh.triangles.size(), -1),
          stamp_of_(mesh.triangles.size(), 0),
          next_of_(mesh.vertices.size(), -1)
    {
        find_normals();
        find_adjacent();
    }

    Loops merge()
    {
        // Large triangles have the surest normals: they seed the faces, slivers join them.
        std::vector<int> order(mesh_.triangles.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return area_[at(a)] > area_[at(b)]; });
        Loops loops;
        for (const int seed : order)
        {
            if (face_[at(seed)] < 0) loops.push_back(grow(seed, static_cast<int>(loops.size())));
        }
        return loops;
    }

private:
    void find_normals()
    {
        // Normal, area and height of every triangle: the height tells slivers.
        for (const auto& t : mesh_.triangles)
        {
            const Vec3& a = mesh_.vertices[at(t[0])];
            const Vec3 ab = mesh_.vertices[at(t[1])] - a, ac = mesh_.vertices[at(t[2])] - a;
            const Vec3 bc = ac - ab;
            const Vec3 n = cross(ab, ac);
            // |ab x ac| is twice the area; over the longest side it is the height, which is small for slivers.
            const double twice_area = norm(n), longest = std::max({norm(ab), norm(ac), norm(bc)});
            normal_.push_back(twice_area > 0 ? (1 / twice_area) * n : Vec3{});
            area_.push_back(0.5 * twice_area);
            height_.push_back(longest > 0 ? twice_area / longest : 0);
        }
    }

    /// adjacent_[3 t + k]: the triangle on the other side of the edge from corner k to the next.
    void find_adjacent()
    {
        // Both triangles of an edge have the same two vertices: sorted, they stand side by side.
        std::vector<std::tuple<int, int, int>> sides;  // low vertex, high vertex, 3 t + k
        // Three sides per triangle, each with its two vertices in rising order.
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
        {
            for (std::size_t k = 0; k < 3; ++k)
            {
                const auto [low, high] = std::minmax(mesh_.triangles[t][k], mesh_.triangles[t][(k + 1) % 3]);
                sides.emplace_back(low, high, static_cast<int>(3 * t + k));
            }
        }
        std::sort(sides.begin(), sides.end());
        adjacent_.assign(sides.size(), -1);
        // A closed hull has every edge exactly twice.
        for (std::size_t i = 0; i + 1 < sides.size(); i += 2)
        {
            const int a = std::get<2>(sides[i]), b = std::get<2>(sides[i + 1]);
            adjacent_[at(a)] = b / 3;
            adjacent_[at(b)] = a / 3;
        }
    }

    /// The face around a triangle. Where the triangles in the plane do not make a convex polygon, a narrower plane is
    /// tried; the triangle itself is the last resort.
    std::vector<int> grow(int seed, int face)
    {
        const Vec3& corner = mesh_.vertices[at(mesh_.triangles[at(seed)][0])];
        double tolerance = tolerance_;
        // Narrower planes, five times, before the triangle stays alone.
        for (int attempt = 0; attempt < 5; ++attempt, tolerance *= 0.05)
        {
            // The seed's plane first, then the mean plane of what it found.
            collect(seed, {normal_[at(seed)], dot(normal_[at(seed)], corner)}, tolerance);
            if (region_.size() == 1) break;
            collect(seed, fit_plane(), tolerance);
            // One triangle alone is a face of three corners.
            if (region_.size() == 1) break;
            std::vector<int> loop = find_loop();
            // A face must be one convex loop, or contacts would clip against it wrongly.
            if (is_convex(loop, fit_plane().normal, tolerance)) return take(face, std::move(loop));
        }
        restart(seed);
        return take(face, find_loop());
    }

    std::vector<int> take(int face, std::vector<int> loop)
    {
        // Triangles of a face are taken: no other face may grow over them.
        for (const int t : region_) face_[at(t)] = face;
        return loop;
    }

    /// Fills region_ with the free triangles that can be reached from the seed without leaving the plane.
    void collect(int seed, const Plane3& plane, double tolerance)
    {
        // A sliver is judged by its corners alone.
        const auto is_in_plane = [&](int t)
        {
            // The normal of a sliver says nothing.
            if (height_[at(t)] > 4 * tolerance && dot(normal_[at(t)], plane.normal) < 0.9) return false;
            // All corners near the plane, not only the normal: a long thin fan bends away.
            for (const int v : mesh_.triangles[at(t)])
            {
                if (std::abs(dot(plane.normal, mesh_.vertices[at(v)]) - plane.offset) > tolerance) return false;
            }
            return true;
        };
        restart(seed);
        // Breadth first over edges, within the plane and among free triangles.
        for (std::size_t i = 0; i < region_.size(); ++i)
        {
            for (int k = 0; k < 3; ++k)
            {
                const int other = adjacent_[at(3 * region_[i] + k)];
                if (other < 0 || face_[at(other)] >= 0 || contains(other) || !is_in_plane(other)) continue;
                // A triangle joins by an edge, so that the region hangs together.
                add(other);
            }
        }
    }

    // A stamp instead of clearing flags: regions are grown many times.
    void restart(int seed)
    {
        region_.clear();
        ++stamp_;
        add(seed);
    }
    void add(int t)
    {
        region_.push_back(t);
        stamp_of_[at(t)] = stamp_;
    }
    bool contains(int t) const { return t >= 0 && stamp_of_[at(t)] == stamp_; }

    /// Mean normal and mean height of the region.
    Plane3 fit_plane() const
    {
        Plane3 plane;
        double weight = 0;
        const Vec3& origin = mesh_.vertices[at(mesh_.triangles[at(region_.front())][0])];
        // Normals weighted by area: slivers do not count.
        for (const int t : region_) plane.normal += area_[at(t)] * normal_[at(t)];
        const double length = norm(plane.normal);
        plane.normal = length > 0 ? (1 / length) * plane.normal : normal_[at(region_.front())];
        // Offset by the mean height of all corners, weighted likewise.
        for (const int t : region_)
        {
            for (const int v : mesh_.triangles[at(t)])
                plane.offset += area_[at(t)] / 3 * dot(plane.normal, mesh_.vertices[at(v)] - origin);
            weight += area_[at(t)];
        }
        plane.offset = dot(plane.normal, origin) + (weight > 0 ? plane.offset / weight : 0);
        return plane;
    }

    /// The border of region_; empty unless it is one loop that passes no vertex twice.
    std::vector<int> find_loop()
    {
        std::size_t count = 0;
        bool simple = true;
        int start = -1;
        std::vector<int> touched;
        // Sides whose other triangle is outside make the border; each vertex is left once.
        for (const int t : region_)
        {
            for (int k = 0; k < 3; ++k)
            {
                if (contains(adjacent_[at(3 * t + k)])) continue;
                const int from = mesh_.triangles[at(t)][at(k)];
                // A vertex that is left twice would be a figure of eight.
                simple = simple && next_of_[at(from)] < 0;
                next_of_[at(from)] = mesh_.triangles[at(t)][at((k + 1) % 3)];
                touched.push_back(from);
                start = start < 0 ? from : std::min(start, from);
                ++count;
            }
        }
        std::vector<int> loop;
        // Walk the border from its lowest vertex: the loop begins the same whatever the order of triangles.
        for (int v = start; simple && v >= 0 && loop.size() < count; v = next_of_[at(v)]) loop.push_back(v);
        simple = simple && loop.size() == count && next_of_[at(loop.back())] == start &&
                 std::count(loop.begin(), loop.end(), start) == 1;
        // Scratch is cleared by what was touched: the whole array would cost more than the face.
        for (const int v : touched) next_of_[at(v)] = -1;
        if (!simple) loop.clear();
        return loop;
    }

    /// Does no corner lie inside by more than the tolerance?
    bool is_convex(const std::vector<int>& loop, const Vec3& normal, double tolerance) const
    {
        const std::size_t n = loop.size();
        if (n < 3) return false;
        for (std::size_t i = 0; i < n; ++i)
        {
            const Vec3& a = mesh_.vertices[at(loop[i])];
            const Vec3& b = mesh_.vertices[at(loop[(i + 1) % n])];
            const Vec3& c = mesh_.vertices[at(loop[(i + 2) % n])];
            const double chord = norm(c - a);
            // The height of the corner over the chord is the cross product over its length.
            // A left turn at every corner, but for the tolerance across the chord.
            if (dot(cross(b - a, c - b), normal) < -tolerance * chord) return false;
        }
        return true;
    }

    const MeshOptions& mesh_;
    double tolerance_;
    std::vector<Vec3> normal_;    // of the triangles; zero where they have no area
    std::vector<double> area_;    // of the triangles
    std::vector<double> height_;  // over their longest side
    std::vector<int> adjacent_;   // [3 triangles]
    std::vector<int> face_;       // [triangles], -1: free
    std::vector<int> region_;     // triangles of the face that grows, in the order of discovery
    std::vector<int> stamp_of_;   // [triangles], stamp_ for those in region_
    int stamp_ = 0;
    std::vector<int> next_of_;  // [vertices] scratch of find_loop, -1 between calls
};

}  // namespace

Loops merge_faces(const MeshOptions& hull_mesh, double tolerance) { return FaceMerger(hull_mesh, tolerance).merge(); }

}  // namespace rattleback
