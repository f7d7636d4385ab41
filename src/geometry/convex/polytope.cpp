// Growth of a polytope: what a new point sees goes away, and a fan to the horizon takes its place.
#include "geometry/convex/polytope.h"

#include "math/pack.h"

#include <cmath>
#include <limits>

namespace rattleback::cores
{
namespace
{

// Faces keep their neighbours, so that what a new point sees is found by a walk and not by a search. Arrays have fixed
// sizes: growth ends when they are full, and the bounds reached so far are the answer.

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr int kNext[3] = {1, 2, 0};

std::int16_t narrow(int i) { return static_cast<std::int16_t>(i); }

}  // namespace

bool Polytope::start(const SupportPoint* points)
{
    for (int i = 0; i < 4; ++i) points_[i] = points[i];
    // Signed volume by the triple product.
    const Vec3& a = points[0].w;
    const Vec3 ab = points[1].w - a, ac = points[2].w - a, ad = points[3].w - a;
    const double volume = dot(cross(ab, ac), ad);
    if (volume == 0) return false;
    // Seen from outside, corners run counter-clockwise when the fourth point is below the first three.
    if (volume > 0) std::swap(points_[1], points_[2]);
    point_count_ = 4;
    face_count_ = 4;
    // The four faces by their corners, and which side of which face lies across each of their sides.
    constexpr std::int16_t kCorners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    constexpr std::int16_t kAdjacent[4][3] = {{6, 10, 14}, {13, 8, 0}, {5, 12, 1}, {9, 4, 2}};
    for (int f = 0; f < 4; ++f)
    {
        set_face(f, kCorners[f][0], kCorners[f][1], kCorners[f][2]);
        for (int k = 0; k < 3; ++k) faces_[f].adjacent[k] = kAdjacent[f][k];
    }
    return true;
}

void Polytope::set_face(int slot, int a, int b, int c)
{
    Face& face = faces_[slot];
    face.corners[0] = narrow(a);
    face.corners[1] = narrow(b);
    face.corners[2] = narrow(c);
    const Vec3 &pa = points_[a].w, &pb = points_[b].w, &pc = points_[c].w;
    // Outward normal by the order of corners; the plane by the mean of all three, which rounds least.
    const Vec3 n = cross(pb - pa, pc - pa);
    const double length = norm(n);
    if (!(length > 0))
    {
        // No area: it carries no nearest point, and no point is beyond it.
        face.normal = {};
        plane_[slot] = kInfinity;
        key_[slot] = kInfinity;
        return;
    }
    face.normal = (1 / length) * n;
    plane_[slot] = dot(face.normal, (1.0 / 3) * (pa + pb + pc));
    key_[slot] = plane_[slot];
}

int Polytope::find_nearest() const
{
    // Keys four at a time; infinity for faces set aside and for free slots.
    Pack4 least(kInfinity);
    Mask4::Lanes found{-1, -1, -1, -1}, index{0, 1, 2, 3};
    for (int f = 0; f < face_count_; f += 4, index += 4)
    {
        // The comparison keeps both the least key and whose it is.
        const Pack4 keys = load_pack(&key_[f]);
        const Mask4 nearer = keys < least;
        found = nearer.lanes ? index : found;
        least = select(nearer, keys, least);
    }
    int lane_found = 0;
    // Four lanes to one; of equal keys the lower lane.
    for (int k = 1; k < 4; ++k)
    {
        if (least.lanes[k] < least.lanes[lane_found]) lane_found = k;
    }
    return static_cast<int>(found[lane_found]);
}

void Polytope::set_aside(int face) { key_[face] = kInfinity; }

Simplex Polytope::make_simplex(int face) const
{
    Simplex simplex;
    simplex.count = 3;
    for (int k = 0; k < 3; ++k) simplex.points[k] = points_[faces_[face].corners[k]];
    return simplex;
}

/// Makes two sides of faces neighbours.
void Polytope::link(int slot, int side, int outside)
{
    // Sides know each other: a face and one of its three sides, in one number.
    faces_[slot].adjacent[side] = narrow(outside);
    faces_[outside / 4].adjacent[outside % 4] = narrow(4 * slot + side);
    // Both sides of an edge name each other: walks need no search.
}

/// Walks over all faces that w sees, starting at one of them, and lists the sides where they end.
bool Polytope::find_horizon(const Vec3& w, int face, double slack)
{
    horizon_count_ = 0;
    visible_count_ = 0;
    // Breadth first over neighbours: the visible part of a convex polytope hangs together.
    visible_[visible_count_++] = narrow(face);
    // A visible face is marked by a plane at minus infinity, and is not visited again.
    plane_[face] = -kInfinity;
    for (int i = 0; i < visible_count_; ++i)
    {
        const Face& f = faces_[visible_[i]];
        for (int k = 0; k < 3; ++k)
        {
            const int other = f.adjacent[k] / 4;
            if (plane_[other] == -kInfinity) continue;
            if (is_beyond(other, w, slack))
            {
                // Marked at once, so that it is listed once.
                plane_[other] = -kInfinity;
                visible_[visible_count_++] = narrow(other);
                continue;
            }
            // The neighbour is not seen: this side is part of the horizon.
            horizon_[horizon_count_++] = {f.corners[k], f.corners[kNext[k]], f.adjacent[k]};
        }
    }
    return is_loop();
}

/// Is the horizon one closed loop? Then it is as long as it has corners, each left once.
bool Polytope::is_loop()
{
    // Where rounding tears the visible part the horizon is no loop, and the point is refused.
    for (int i = 0; i < horizon_count_; ++i) face_from_[horizon_[i].to] = -1;
    for (int i = 0; i < horizon_count_; ++i) face_from_[horizon_[i].from] = narrow(i);
    int length = 0, side = 0;
    do
    {
        side = face_from_[horizon_[side].to];
        ++length;
    } while (side > 0 && length <= horizon_count_);
    return side == 0 && length == horizon_count_ && length >= 3;
}

int Polytope::take_slot()
{
    // Free slots first: the arrays stay short, and scans with them.
    if (free_count_ > 0) return free_[--free_count_];
    // Keys are read four at a time.
    for (int k = 0; k < 4 && face_count_ % 4 == 0; ++k) key_[face_count_ + k] = kInfinity;
    return face_count_++;
}

bool Polytope::add(const SupportPoint& point, int face, double slack)
{
    // A point on the face or below it would make a sliver.
    if (point_count_ >= kMaxPoints || !is_beyond(face, point.w, slack)) return false;
    if (!find_horizon(point.w, face, slack))
    {
        // Nothing was changed but the marks: planes come back.
        for (int i = 0; i < visible_count_; ++i)
        {
            const int f = visible_[i];
            plane_[f] = dot(faces_[f].normal, points_[faces_[f].corners[0]].w);
        }
        return false;
    }
    // Slots of visible faces are used again by the new ones.
    for (int i = 0; i < visible_count_; ++i)
    {
        key_[visible_[i]] = kInfinity;
        free_[free_count_++] = visible_[i];
    }
    const int apex = point_count_++;
    points_[apex] = point;
    // A fan from the new point to every side of the horizon, linked to what lies outside and to its neighbours.
    for (int i = 0; i < horizon_count_; ++i)
    {
        const Side& side = horizon_[i];
        const int slot = take_slot();
        set_face(slot, side.from, side.to, apex);
        link(slot, 0, side.outside);
        face_from_[side.from] = narrow(slot);
    }
    // Neighbours in the fan share the edge from the horizon to the apex.
    for (int i = 0; i < horizon_count_; ++i) link(face_from_[horizon_[i].from], 1, 4 * face_from_[horizon_[i].to] + 2);
    return true;
}

bool Polytope::has_point_near(const Vec3& w, double distance) const
{
    for (int i = 0; i < point_count_; ++i)
    {
        const Vec3 d = points_[i].w - w;
        if (dot(d, d) < distance * distance) return true;
    }
    return false;
}

bool Polytope::add(const SupportPoint& point, double slack)
{
    // Any face that the point is beyond will do as a start.
    for (int f = 0; f < face_count_; ++f)
    {
        if (plane_[f] != -kInfinity && plane_[f] != kInfinity && is_beyond(f, point.w, slack))
            return add(point, f, slack);
    }
    return false;
}

}  // namespace rattleback::cores
