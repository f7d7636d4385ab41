// Contact points of two shapes by a formula, for one world or a pack of them.
#pragma once

#include "base/flatten.h"
#include "collide/manifold.h"
#include "math/masks.h"

namespace rattleback
{

// A closed form is a type with
//   kPointCount                      points it can have; each lane shows some of them
//   kSharesFrame                     all its points have one normal
//   touch(first, second, reach, add) calls add(i, TouchPoint) for the points nearer than `reach` [m], in increasing
//                                    order of each lane's features; points that no lane has may be left out
//   find_tangent(second)             the wanted direction of the frame's second column, or zero
// Shapes are anything with position, rotation and size: a PlacedShape, or lanes. Nothing branches on the numbers of a
// lane; work that no lane needs is skipped.

/// A shape in the worlds of a pack, as a closed form sees it.
template <class T>
struct PlacedLanes
{
    Vector3<T> position;  ///< of the shape's origin, world [m]
    Matrix3<T> rotation;  ///< shape axes to world axes
    Vec3 size;            ///< as in Shapes
};

/// The scalar in which a shape is placed.
template <class Shape>
using ScalarOf = std::remove_cvref_t<decltype(Shape::position.x)>;

/// One point, as ManifoldPoint. Where it does not touch, the other numbers mean nothing.
template <class T>
struct TouchPoint
{
    MaskOf<T> touches = make_mask<T>(false);
    T distance{}, feature{};
    Vector3<T> point, normal;
};
template <class T, int N>
using TouchPoints = std::array<TouchPoint<T>, static_cast<std::size_t>(N)>;

/// a where the condition holds, b elsewhere.
template <class M, class T>
RB_HD TouchPoint<T> select(const M& condition, const TouchPoint<T>& a, const TouchPoint<T>& b)
{
    return {either(both(condition, a.touches), without(b.touches, condition)),
            select(condition, a.distance, b.distance), select(condition, a.feature, b.feature),
            select(condition, a.point, b.point), select(condition, a.normal, b.normal)};
}

/// All points of a closed form.
template <class Form, class Shape>
RB_HD TouchPoints<ScalarOf<Shape>, Form::kPointCount> find_touch_points(const Shape& first, const Shape& second,
                                                                        double reach)
{
    TouchPoints<ScalarOf<Shape>, Form::kPointCount> found;
    // Lanes may have different points at one place; where none touches yet, normals are those of the last.
    Form::touch(first, second, reach, [&](std::size_t i, const TouchPoint<ScalarOf<Shape>>& p)
                { found[i] = select(found[i].touches, found[i], p); });
    return found;
}

/// The contact function of a closed form in one world.
template <class Form>
RB_FLATTEN void touch_closed(const PlacedShape& first, const PlacedShape& second, double reach, Manifold& manifold)
{
    Form::touch(first, second, reach,
                [&](std::size_t, const TouchPoint<double>& p)
                {
                    if (!p.touches) return;
                    // Through a signed number, which is one instruction.
                    const auto feature = static_cast<std::uint64_t>(static_cast<std::int64_t>(p.feature));
                    manifold.add({p.point, p.normal, p.distance, feature, Form::find_tangent(second)});
                });
}

}  // namespace rattleback
