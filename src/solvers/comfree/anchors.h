// Anchors: where contacts stick, for the variant of `stable` that remembers.
#pragma once

#include "dynamics/workspace.h"

#include <rattleback/contacts.h>

#include <optional>
#include <span>
#include <tuple>

namespace rattleback::comfree
{

/// Tangential displacement of one contact since it began to stick, of the second body against the first; world axes.
struct Anchor
{
    int first_shape = -1, second_shape = -1;
    std::uint64_t feature = 0;
    Vec3 slide;  ///< in the tangent plane [m]
    // While it sticks: the points that touched when it began to, each in its body's axes [m]. They part by the
    // displacement itself, whereas a sum of h v misses how a body on an arm leaves its tangent within a step.
    Vec3 first_point, second_point;
    std::int32_t follows = 0;  ///< 0: `slide` is all that is known
    std::int32_t padding = 0;
};

inline auto key(const Anchor& a) { return std::tuple(a.first_shape, a.second_shape, a.feature); }
inline auto key(const Contact& c) { return std::tuple(c.first_shape.index, c.second_shape.index, c.feature); }

/// Displacements of contacts at the begin of a step, from the anchors of the last one.
class Anchors
{
public:
    explicit Anchors(std::span<const Anchor> anchors) : anchors_(anchors) {}

    /// Along the contact's two tangents; those that come to touch, or slid, go with those of their pair that stick.
    /// Contacts must be asked for in their order.
    std::array<double, 2> find_displacement(const Workspace<double>& w, const Contact& contact);
    /// The anchor of the contact that was asked for last; null: it has none.
    const Anchor* known() const { return known_; }

private:
    static Vec3 find_slide(const Workspace<double>& w, const Contact& contact, const Anchor& anchor);
    std::optional<Vec3> join(const Workspace<double>& w, const Contact& contact) const;

    std::span<const Anchor> anchors_;
    std::size_t next_ = 0;
    const Anchor* known_ = nullptr;
};

}  // namespace rattleback::comfree
