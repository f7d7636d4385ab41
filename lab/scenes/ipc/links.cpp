// The linking number as signed crossings of one line through the flat disc that the other bounds.
#include "lab/scenes/ipc/links.h"

#include "base/index.h"
#include "lab/scenes/ipc/kit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rattleback::lab
{

namespace
{

double find_reach(const LinkLine& line)
{
    double reach = 0;
    for (const Vec3& corner : line.corners) reach = std::max(reach, norm(corner));
    return reach;
}

/// Whether a point of the plane z = 0 is on the same side of all edges.
bool is_inside(const std::vector<Vec3>& polygon, const Vec3& point)
{
    int left = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        if (cross(b - a, point - a).z > 0) ++left;
    }
    return left == 0 || left == static_cast<int>(polygon.size());
}

/// How often the second line crosses the disc of the first upwards in its frame, less how often downwards.
int count_crossings(const LinkLine& first, const LinkLine& second, const Pose& second_in_first)
{
    const auto place = [&](std::size_t i)
    { return second_in_first.position + rotate(second_in_first.rotation, second.corners[i]); };
    int crossings = 0;
    Vec3 a = place(second.corners.size() - 1);
    for (std::size_t i = 0; i < second.corners.size(); ++i)
    {
        const Vec3 b = place(i);
        // Half open, so that a corner in the plane counts once.
        if ((a.z > 0) != (b.z > 0) && is_inside(first.corners, a + a.z / (a.z - b.z) * (b - a)))
            crossings += b.z > a.z ? 1 : -1;
        a = b;
    }
    return crossings;
}

/// With the reach of both: beyond it nothing links.
int find_linking_within(const LinkLine& first, const LinkLine& second, std::span<const Pose> pose, double reach)
{
    const Pose at_first = pose[first.body] * first.frame, at_second = pose[second.body] * second.frame;
    if (!(norm(at_first.position - at_second.position) < reach)) return 0;
    return count_crossings(first, second, inverse(at_first) * at_second);
}

}  // namespace

std::vector<Vec3> make_link_corners(double bend, double straight)
{
    constexpr int kAround = 64;
    std::vector<Vec3> corners;
    const double half = straight + kPi * bend;  // of the way around
    for (int i = 0; i < kAround; ++i)
    {
        const double side = 2 * i < kAround ? 1 : -1;
        const double way = 2 * half * i / kAround - (side > 0 ? 0 : half);
        const double angle = (way - straight) / bend - kPi / 2;
        const Vec3 place = way < straight ? Vec3{way - straight / 2, -bend, 0}
                                          : Vec3{straight / 2 + bend * std::cos(angle), bend * std::sin(angle), 0};
        corners.push_back(side * place);
    }
    return corners;
}

std::vector<Vec3> find_wire_corners(const MeshOptions& mesh)
{
    std::vector<std::vector<int>> next(mesh.vertices.size());
    for (const auto& [a, b] : mesh.edges)
    {
        next[at(a)].push_back(b);
        next[at(b)].push_back(a);
    }
    if (mesh.edges.empty() || std::any_of(next.begin(), next.end(), [](const auto& ends) { return ends.size() != 2; }))
        return {};
    std::vector<Vec3> corners;
    int before = -1, now = 0;
    do
    {
        corners.push_back(mesh.vertices[at(now)]);
        const std::vector<int>& ends = next[at(now)];
        const int on = ends[0] == before ? ends[1] : ends[0];
        before = now;
        now = on;
    } while (now != 0 && corners.size() < mesh.vertices.size());
    return now == 0 && corners.size() == mesh.vertices.size() ? corners : std::vector<Vec3>{};
}

LinkLine find_link_line(const Model& model, std::size_t body, const std::vector<Vec3>& corners)
{
    const std::size_t shape = find_first_shape(model, body);
    std::vector<Vec3> wire = find_wire_corners(model.meshes[at(model.shapes.asset[shape])]);
    return {body, model.shapes.pose[shape], wire.empty() ? corners : std::move(wire)};
}

int find_linking(const LinkLine& first, const LinkLine& second, std::span<const Pose> pose)
{
    return find_linking_within(first, second, pose, find_reach(first) + find_reach(second));
}

LinkCount count_links(const IpcRun& run, std::span<const LinkLine> lines)
{
    std::vector<double> reach;
    for (const LinkLine& line : lines) reach.push_back(find_reach(line));
    LinkCount count;
    for (std::size_t a = 0; a < lines.size(); ++a)
    {
        for (std::size_t b = a + 1; b < lines.size(); ++b)
        {
            const auto link = [&](const IpcFrame& frame)
            { return find_linking_within(lines[a], lines[b], frame.pose, reach[a] + reach[b]); };
            const int start = link(run.start());
            if (start != 0) ++count.linked;
            if (std::any_of(run.frames.begin(), run.frames.end(),
                            [&](const IpcFrame& frame) { return link(frame) != start; }))
                ++count.changed;
        }
    }
    return count;
}

IpcVerdict judge_links(const IpcRun& run, std::span<const LinkLine> lines)
{
    const LinkCount count = count_links(run, lines);
    return make_verdict(count.changed == 0, "changes of linking", count.changed, "") &&
           make_verdict(count.linked > 0, "of linked pairs", count.linked, "");
}

}  // namespace rattleback::lab
