// Collider: finds what touches in one world; and questions about shapes in a world: rays and distances.
#pragma once

#include <rattleback/contacts.h>
#include <rattleback/state.h>

#include <limits>
#include <memory>

namespace rattleback
{

/// What the collider keeps of one world from step to step: it speeds the search and carries ids, never changes the
/// answer.
struct ColliderMemory
{
    std::vector<std::uint64_t> keys;  ///< features of the last contacts, sorted
};

/// Two shapes that may touch; first < second.
struct PairCandidate
{
    int first = -1, second = -1;

    friend auto operator<=>(const PairCandidate&, const PairCandidate&) = default;
};

/// Finds contacts of one Model. Keeps scratch: one Collider per thread.
class Collider
{
public:
    explicit Collider(const Model& model);
    ~Collider();
    Collider(Collider&&) noexcept;

    /// Contacts whose distance is below the shapes' own margins and gaps plus `margin` [m]. The reference is valid
    /// until the next call. Set, order and geometry are a function of the poses alone.
    const Contacts& find_contacts(const WorldView& world, double margin, ColliderMemory& memory);

    /// Pairs of shapes whose bounds come within `margin` [m] while the bodies move on by `motion` seconds, sorted.
    std::span<const PairCandidate> find_pairs(const WorldView& world, double margin, double motion = 0);

private:
    struct Scratch;
    std::unique_ptr<Scratch> scratch_;
};

/// True when the filters let two shapes collide: categories, same or parent body, exclusions, explicit pairs.
bool may_collide(const Model& model, int first_shape, int second_shape);

/// One pair of shapes that may collide, or nothing if no two shapes of the model can.
std::optional<PairCandidate> find_any_pair(const Model& model);

/// Where a ray first meets a shape.
struct ShapeHit
{
    ShapeId shape;
    double distance = 0;  ///< from the ray's origin [m]
    Vec3 point;           ///< world [m]
    Vec3 normal;          ///< outward, unit, world
};

/// The first surface on the ray from `origin` along `direction` (any length but zero), not further than `reach` [m]. A
/// ray that starts inside a shape meets it where it leaves. Seen are planes, spheres, capsules, boxes, cylinders,
/// ellipsoids, hulls and meshes that collide as hulls, whatever their masks; of equally near ones the first.
std::optional<ShapeHit> cast_ray(const Model& model, const WorldView& world, const Vec3& origin, const Vec3& direction,
                                 double reach = std::numeric_limits<double>::infinity());

/// The shortest way between the surfaces of two shapes.
struct ShapeGap
{
    double distance = 0;       ///< [m]; negative: the shortest translation that parts the two
    Vec3 on_first, on_second;  ///< world [m]; on_second - on_first = distance * normal
    Vec3 normal;               ///< unit, from first to second
};

/// Signed distance of two shapes, whatever their masks; nothing where the two kinds have none: two planes, height
/// fields, points, segments, surfaces and meshes that collide exactly.
std::optional<ShapeGap> find_distance(const Model& model, const WorldView& world, ShapeId first, ShapeId second);

}  // namespace rattleback
