// A convex polytope of support points that grows outwards, face by face, without a heap.
#pragma once

#include "geometry/convex/simplex.h"

#include <cstdint>

namespace rattleback::cores
{

/// An array whose elements are made when they are first written.
template <class T, int N>
class Storage
{
public:
    Storage() {}
    T& operator[](int i) { return items[i]; }
    const T& operator[](int i) const { return items[i]; }

private:
    union
    {
        T items[N];
    };
};

class Polytope
{
public:
    static constexpr int kMaxPoints = 192;
    static constexpr int kMaxFaces = 2 * kMaxPoints;

    struct Face
    {
        Vec3 normal;  ///< outward, unit
        std::int16_t corners[3];
        std::int16_t adjacent[3];  ///< across the side from corner k to the next: 4 face + its side
    };

    /// A tetrahedron; false where it has no volume.
    bool start(const SupportPoint* points);

    /// The face nearest to the origin, of those not set aside; -1 where there is none.
    int find_nearest() const;
    const Face& face(int i) const { return faces_[i]; }
    int face_slots() const { return face_count_; }
    /// dot(normal, x) on the face in a slot; minus infinity where the slot is free.
    double plane(int slot) const { return plane_[slot]; }
    /// Signed distance of the face's plane from the origin, positive inside; infinite where set aside.
    double distance(int face) const { return key_[face]; }
    void set_aside(int face);
    Simplex make_simplex(int face) const;
    const SupportPoint& point(int i) const { return points_[i]; }

    /// Takes in a point beyond `face` by more than `slack` [m]. False where nothing was changed: it is not beyond,
    /// there is no room, or rounding has made a hole.
    bool add(const SupportPoint& point, int face, double slack);
    /// The same for a point that may be beyond any face.
    bool add(const SupportPoint& point, double slack);
    bool has_point_near(const Vec3& w, double distance) const;
    bool is_full() const { return point_count_ >= kMaxPoints; }

private:
    struct Side
    {
        std::int16_t from, to, outside;  // outside: as in Face::adjacent
    };

    bool is_beyond(int face, const Vec3& w, double slack) const
    {
        return dot(faces_[face].normal, w) - plane_[face] > slack;
    }
    void set_face(int slot, int a, int b, int c);
    void link(int slot, int side, int outside);
    bool find_horizon(const Vec3& w, int face, double slack);
    bool is_loop();
    int take_slot();

    Storage<SupportPoint, kMaxPoints> points_;
    Storage<Face, kMaxFaces> faces_;
    Storage<double, kMaxFaces> plane_;  // dot(normal, x) on the face; -infinity where the slot is free
    Storage<double, kMaxFaces> key_;    // the same; infinity where the face is set aside or the slot is free
    Storage<Side, kMaxFaces> horizon_;
    Storage<std::int16_t, kMaxFaces> visible_, free_;
    Storage<std::int16_t, kMaxPoints> face_from_;
    int point_count_ = 0, face_count_ = 0, horizon_count_ = 0, visible_count_ = 0, free_count_ = 0;
};

}  // namespace rattleback::cores
