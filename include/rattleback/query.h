// Collider: finds what touches in one world; and questions about shapes in a world: rays and distances.
#pragma once

#include <rattleback/api.h>
#include <rattleback/contacts.h>
#include <rattleback/state.h>

#include <functional>
#include <limits>
#include <memory>

namespace rattleback RATTLEBACK_API
{

struct BroadMemory;

/// What the collider keeps of one world from step to step. It only speeds the search: contacts and pairs are the same
/// with the memory of any earlier state, of another world or model, or with an empty one. So it need not be saved.
class ColliderMemory
{
public:
    ColliderMemory();
    ~ColliderMemory();
    ColliderMemory(const ColliderMemory& other);
    ColliderMemory& operator=(const ColliderMemory& other);
    ColliderMemory(ColliderMemory&&) noexcept;
    ColliderMemory& operator=(ColliderMemory&&) noexcept;

    /// Forgets everything; as after construction.
    void reset();

private:
    friend class Collider;
    std::unique_ptr<BroadMemory> kept_;  ///< null: nothing yet
};

/// Two shapes that may touch; first < second.
struct PairCandidate
{
    ShapeId first, second;

    friend auto operator<=>(const PairCandidate&, const PairCandidate&) = default;
};

/// A user's say on which shapes of a world touch: of every pair that the Collider comes upon, in their order, it lets
/// through those for which the function is true. Empty: all.
class ContactFilter
{
public:
    using Function = std::function<bool(int world, ShapeId first, ShapeId second)>;

    ContactFilter() = default;
    /// Refers to `function`, which may be empty.
    ContactFilter(const Function& function, int world) : function_(function ? &function : nullptr), world_(world) {}

    explicit operator bool() const { return function_ != nullptr; }
    bool operator()(ShapeId first, ShapeId second) const { return (*function_)(world_, first, second); }

private:
    const Function* function_ = nullptr;
    int world_ = 0;
};

/// Stiffness and damping of one contact, in place of the solver's own for all (solver `comfree`).
struct ContactGains
{
    double stiffness = 0;  ///< k [1/s]
    double damping = 0;    ///< d
};

/// The caller's function that gives each contact of one world its gains; false: there is none.
class ContactGainsFunction
{
public:
    using Function = std::function<ContactGains(int world, const Contact& contact)>;

    ContactGainsFunction() = default;
    /// Refers to `function`, which may be empty.
    ContactGainsFunction(const Function& function, int world) : function_(function ? &function : nullptr), world_(world)
    {
    }

    explicit operator bool() const { return function_ != nullptr; }
    ContactGains operator()(const Contact& contact) const { return (*function_)(world_, contact); }

private:
    const Function* function_ = nullptr;
    int world_ = 0;
};

struct ColliderOptions
{
    int thread_count = 1;  ///< 0: one per core. Results are the same for any number
    int max_points = 8;    ///< contacts kept of two shapes, 4 to 8: the deepest, and those that span the largest area
};

/// Finds contacts of one Model, which must outlive it. Keeps scratch: one Collider per thread.
///
/// Bodies that nothing moves are sorted once. A moving body costs one test of a box as long as it stays near the place
/// where it was last looked up, so what rests is nearly free. A body whose pose is not finite touches nothing.
class Collider
{
public:
    explicit Collider(const Model& model, const ColliderOptions& options = {});
    ~Collider();
    Collider(Collider&&) noexcept;

    /// Contacts whose distance is below the shapes' own margins and gaps plus `margin` [m]. The reference is valid
    /// until the next call. Set, order and geometry are a function of the poses alone.
    const Contacts& find_contacts(const ConstWorldView& world, double margin, ColliderMemory& memory);
    /// The same into `contacts`, whose storage is used again. `motion` widens pairs(), not the contacts.
    void find_contacts(const ConstWorldView& world, double margin, ColliderMemory& memory, Contacts& contacts,
                       double motion = 0);

    /// The pairs of shapes that the last call looked at, contacts or not, in the order of the contacts: all whose
    /// bounds come within its margin, with `motion` also those that do while the bodies move on for so many seconds.
    std::span<const PairCandidate> pairs() const;

    /// Of all pairs of the calls that follow, those that `filter` refuses are left out.
    void set_filter(const ContactFilter& filter);

    /// Pairs of shapes that may collide and whose axis-aligned bounds come within `margin` [m] while the bodies move on
    /// for `motion` seconds at their present velocities; sorted, valid until the next call. Set and order are a
    /// function of poses, velocities, `margin` and `motion` alone. Without `memory` the collider's own is used: right
    /// for one world, slow (not wrong) when worlds take turns.
    std::span<const PairCandidate> find_pairs(const ConstWorldView& world, double margin, double motion = 0,
                                              ColliderMemory* memory = nullptr);

private:
    friend class ContactRecycler;
    struct Scratch;
    std::unique_ptr<Scratch> scratch_;
};

/// True when the filters let two shapes collide: categories, same or parent body, exclusions, explicit pairs.
bool may_collide(const Model& model, ShapeId first, ShapeId second);

/// One pair of shapes that may collide, or nothing if no two shapes of the model can.
std::optional<PairCandidate> find_any_pair(const Model& model);

/// A pair of shapes that may collide and for whose types a Collider finds no contacts, or nothing. A solver that asks
/// for contacts refuses such a model. (Two planes, two height fields, or one of each never touch; points and segments
/// touch nothing yet.)
std::optional<PairCandidate> find_unsupported_pair(const Model& model);

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
/// ellipsoids, hulls, meshes, surfaces and height fields (these two from either side), whatever their masks; of equally
/// near ones the first.
std::optional<ShapeHit> cast_ray(const Model& model, const ConstWorldView& world, const Vec3& origin,
                                 const Vec3& direction, double reach = std::numeric_limits<double>::infinity());

/// The shortest way between the surfaces of two shapes.
struct ShapeGap
{
    double distance = 0;       ///< [m]; negative: the shortest translation that parts the two
    Vec3 on_first, on_second;  ///< world [m]; on_second - on_first = distance * normal
    Vec3 normal;               ///< unit, from first to second
};

/// Signed distance of two shapes, whatever their masks; nothing where the two kinds have none: points, segments, and
/// planes and height fields among themselves. Of meshes that collide exactly, surfaces and height fields that overlap
/// something, it is the depth of the deepest contact, along whose normal they need not part at once.
std::optional<ShapeGap> find_distance(const Model& model, const ConstWorldView& world, ShapeId first, ShapeId second);
/// The same with the bodies of the two shapes at given poses.
std::optional<ShapeGap> find_distance(const Model& model, ShapeId first, const Pose& first_body, ShapeId second,
                                      const Pose& second_body);
/// Signed distance of a point [m, world] to a shape, negative inside: first the shape, second the point. Surfaces have
/// no inside; below a height field is inside. Nothing for points and segments.
std::optional<ShapeGap> find_distance(const Model& model, const ConstWorldView& world, ShapeId shape,
                                      const Vec3& point);

}  // namespace rattleback
